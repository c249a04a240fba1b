//! Cells and totals from verdicts, as pure code.
//!
//! A cell shows some of the declared figures, such as `25/94`. It shows `AC` if an answer is accepted or not. It shows three
//! letters for a failure, after `0/` if there are several figures. A timed-out board adds its full limit. An illegal answer of a
//! game adds the progress before the illegal move but no moves, although its cell shows 0. An unknown figure is `None`, never 0.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::code::Code;
use crate::key::{Name, problem_id};
use crate::points::Points;
use crate::scoring::{Measured, Part, Scoring};
use crate::verdict::Verdict;
use crate::withdrawal::Withdrawal;

/// The text of a cell whose answer was accepted.
pub const ACCEPTED: &str = "AC";

/// The cell of a run in the table, with the figures that it adds to the total of the entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunCell {
    /// The code that replaces the figures.
    pub code: Option<Code>,
    /// True if other processes interfered with the run, so that its time is unreliable.
    pub suspect: bool,
    /// True if the verdict was set by hand.
    pub ruled: bool,
    /// The figures of the contest; `None` for a missing run.
    pub scoring: Option<Arc<Scoring>>,
    /// The group of boards to which its points belong.
    pub group: Option<Arc<str>>,
    /// True for a legal answer to a puzzle that cannot be solved.
    pub valid: bool,
    /// True if the answer solves its board, by rule 8 of docs/scoring.md; `None` if it is unknown what solves the board, or if
    /// the run is missing.
    pub solved: Option<bool>,
    /// The value of the first figure that solves the board, if the referee gave one with the result.
    pub full: Option<Points>,
    /// The limit of the run in milliseconds; `None` if it is unknown.
    pub limit_ms: Option<u64>,
    /// The figures that the run adds.
    pub metrics: Metrics,
    /// The number of rounds before that of its board; 0 in the first round.
    pub earlier_rounds: u32,
    /// True if the run is not planned, because its entry did not advance to the round.
    pub not_planned: bool,
    /// Games that are not yet played, for a cell that is the sum of games; 0 in other contests.
    pub unplayed: usize,
}

/// The scored figures of a run, or of all runs of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// The figures in the order of the declaration, each `None` if it is unknown. It is empty if nothing is known.
    pub figures: Box<[Option<Points>]>,
    /// Wall clock in microseconds; `None` if it is unknown.
    pub time_us: Option<u64>,
}

impl RunCell {
    /// The cell of a run that took `wall_us` under a limit of `limit_ms`, in a contest that declares these figures. It has no
    /// other measured values.
    pub fn from_verdict(verdict: &Verdict, wall_us: Option<u64>, limit_ms: u64, scoring: &Arc<Scoring>) -> Self {
        Self::measured(verdict, (wall_us, limit_ms), scoring, &Measured::default())
    }

    /// The cell of a run with these measured values. If the run reached its limit, its time is the limit, by rule 11 of
    /// docs/scoring.md.
    pub(crate) fn measured(
        verdict: &Verdict,
        (wall_us, limit_ms): (Option<u64>, u64),
        scoring: &Arc<Scoring>,
        measured: &Measured,
    ) -> Self {
        let (code, given) = (verdict.code(), verdict.given());
        let limit_us = limit_ms.saturating_mul(1000);
        let time_us = match code {
            Some(Code::TimedOut) => Some(limit_us),
            Some(Code::CouldNotStart | Code::BuildFailed) => Some(0),
            Some(Code::JudgeError) => None,
            _ => wall_us.map(|time| time.min(limit_us)),
        };
        let figures = scoring.values(given, code, &Measured { time_us, ..*measured });
        let full = given.and_then(|given| given.full);
        let solved = match (code, full) {
            (Some(Code::JudgeError), _) => None,
            (None, Some(full)) => Some(figures[0] == Some(full)),
            _ => Some(matches!(verdict, Verdict::Solved(_))),
        };
        Self {
            code,
            scoring: Some(scoring.clone()),
            valid: matches!(verdict, Verdict::Valid(_)),
            solved,
            full,
            limit_ms: Some(limit_ms),
            metrics: Metrics { figures, time_us },
            ..Self::default()
        }
    }

    /// A figure of its answer by its index in the declaration; `None` if the answer was not accepted or the figure is unknown.
    pub fn figure(&self, at: usize) -> Option<Points> {
        self.metrics.figure(at).filter(|_| self.code.is_none())
    }

    /// The figure by which answers are compared, by rule 38 of docs/scoring.md; `None` if the answer is not accepted. It is also
    /// `None` if only solutions are compared and the answer does not solve its board.
    pub fn compared(&self) -> Option<Points> {
        let scoring = self.scoring.as_deref()?;
        self.figure(scoring.compared()).filter(|_| self.solves() || scoring.cost.is_none())
    }

    /// The cell of a missing run.
    pub fn missing() -> Self {
        Self::default()
    }

    /// Takes the goal of its board, if its result has none, and is solved by that.
    pub(crate) fn aim_at(&mut self, goal: Points) {
        if self.full.is_none() && self.code.is_none() && self.judged() {
            (self.full, self.solved) = (Some(goal), Some(self.figure(0) == Some(goal)));
        }
    }

    /// The cell on a board of that round, which is planned or not.
    pub(crate) fn in_round(self, round: u32, planned: bool) -> Self {
        Self { earlier_rounds: round.saturating_sub(1), not_planned: !planned, ..self }
    }

    /// Tests whether it is empty: the run is missing or not planned.
    pub fn is_empty(&self) -> bool {
        self.code.is_none() && self.metrics == Metrics::default()
    }

    /// Tests whether its run is planned in this round, from 1.
    pub fn planned_in(&self, round: u32) -> bool {
        !self.not_planned && self.earlier_rounds + 1 == round
    }

    /// Tests whether the run was judged: it is not missing and not a judge error. A cell of games is judged if all of them were
    /// played.
    pub fn judged(&self) -> bool {
        let known = self.solved.is_some() || self.metrics.figures.iter().any(Option::is_some);
        self.unplayed == 0 && self.code != Some(Code::JudgeError) && (self.code.is_some() || known)
    }

    /// Tests whether the entry could not be built or started.
    pub fn never_started(&self) -> bool {
        matches!(self.code, Some(Code::BuildFailed | Code::CouldNotStart))
    }

    /// Tests whether it is a legal answer that is known to solve its board.
    pub fn solves(&self) -> bool {
        self.code.is_none() && self.solved == Some(true)
    }

    /// Tests whether it is a legal answer with a value of the first figure, in a contest in which that is compared.
    pub fn is_scored(&self) -> bool {
        self.scoring.as_deref().is_some_and(Scoring::scores) && self.figure(0).is_some()
    }

    /// Tests whether it is a legal answer and it is unknown whether it solves its board.
    pub fn may_solve(&self) -> bool {
        self.code.is_none() && self.solved.is_none() && self.judged()
    }

    /// The text of the cell, such as `25/94`, `0/TIM`, `12.50`, `AC` or `WRO`, by rules 16 to 18 of docs/scoring.md. It is `-`
    /// without a figure, and empty if the run is not planned.
    pub fn text(&self) -> String {
        let scoring = self.scoring.as_deref();
        let accepts = scoring.is_some_and(|scoring| scoring.accepts_in(self.group.as_deref()));
        match (self.code, scoring) {
            _ if self.not_planned => String::new(),
            (Some(code), _) => {
                let several = !accepts && scoring.is_none_or(|scoring| scoring.cell.len() > 1);
                let nothing = if code == Code::JudgeError { '-' } else { '0' };
                if several { format!("{nothing}/{code}") } else { code.to_string() }
            }
            (None, Some(_)) if accepts && self.judged() => ACCEPTED.into(),
            (None, Some(scoring)) => match scoring.text(&scoring.cell, &self.metrics.figures, "/") {
                // A dash would mean a missing run.
                unknown if unknown == "-" && self.judged() => ACCEPTED.into(),
                text => text,
            },
            (None, None) => "-".into(),
        }
    }

    /// The part of the run in the totals of figures.
    pub(crate) fn part(&self) -> Part<'_> {
        let accepted = self.code.is_none() && self.judged();
        Part { group: self.group.as_deref(), values: &self.metrics.figures, accepted }
    }
}

impl Metrics {
    /// A figure by its index in the declaration; `None` if it is unknown.
    pub fn figure(&self, at: usize) -> Option<Points> {
        self.figures.get(at).copied().flatten()
    }

    /// The total of runs, each given by its part in the figures and its time in microseconds. The time is unknown if the time of a run
    /// is, or if the sum does not fit 64 bits.
    pub(crate) fn total<'a>(scoring: &Scoring, runs: impl Iterator<Item = (Part<'a>, Option<u64>)> + Clone) -> Self {
        let time_us = runs.clone().try_fold(0u64, |sum, (_, time)| sum.checked_add(time?));
        Self { figures: scoring.totals(runs.map(|(part, _)| part)), time_us }
    }

    /// The time in milliseconds, rounded to the nearest.
    pub fn time_ms(&self) -> Option<u64> {
        self.time_us.map(|time| time.saturating_add(500) / 1000)
    }
}

/// The entries that took part in each round after the first.
pub(crate) type Participants = BTreeMap<u32, HashSet<Name>>;

/// The heading of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryHead {
    /// Name of the entry, unique in the table.
    pub name: String,
    /// Its author, for people; `None` if it is unknown.
    pub author: Option<String>,
    /// True if it competes for a place.
    pub competing: bool,
    /// The reason why it was withdrawn or disqualified; `None` if it is in the contest.
    pub withdrawn: Option<Withdrawal>,
    /// The identifiers of the problems on whose boards it runs; empty for all.
    pub problems: Vec<String>,
    /// The team that submitted it, in a contest of several problems.
    pub team: Option<String>,
    /// The entries of a team's row; empty in the row of one entry.
    pub of: Vec<String>,
}

impl EntryHead {
    /// The names of the entries whose results the row contains.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        let own = self.of.is_empty().then_some(&self.name);
        own.into_iter().chain(&self.of).map(String::as_str)
    }

    /// Tests whether it runs on a board.
    pub(crate) fn is_on(&self, board: &str) -> bool {
        self.problems.is_empty() || self.problems.iter().any(|own| own == problem_id(board))
    }

    /// Tests whether it runs on a board of a round. `participants` contains the entries of each round after the first.
    pub(crate) fn is_planned(&self, board: &str, round: u32, participants: &Participants) -> bool {
        let in_round = || participants.get(&round).is_some_and(|names| names.contains(&*self.name));
        self.is_on(board) && (round <= 1 || in_round())
    }

    /// An entry that competes, without an author.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            author: None,
            competing: true,
            withdrawn: None,
            problems: Vec::new(),
            team: None,
            of: Vec::new(),
        }
    }
}

/// The row of an entry in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// Name, author and state of the entry.
    pub entry: EntryHead,
    /// One cell per board, in the order of the boards.
    pub cells: Vec<RunCell>,
    /// The cells of recorded repeats after the first, by board; empty if no run has any. The total does not contain them.
    pub repeats: Vec<Vec<RunCell>>,
    /// The number of planned runs per cell; 1 without repeats.
    pub repeat: u32,
    /// The missing runs that a file states and that no cell shows, which are repeats.
    pub stated_missing: usize,
    /// The sums over its cells.
    pub total: Metrics,
    /// The totals of its rounds as stated in a file; empty without such a file. They may have figures that the cells do not
    /// contain.
    pub stated: Vec<Metrics>,
    /// Its relative score in billionths, see [`crate::relative`]; `None` if the ranking does not use it.
    pub relative: Option<u64>,
    /// The figures of the contest.
    pub scoring: Arc<Scoring>,
    /// Its place, from 1; `None` if it takes none.
    pub place: Option<usize>,
    /// Its number among the rows before the first ranking. Rows that tie in everything keep this order.
    pub(crate) listed: usize,
}

impl Row {
    /// The row of an entry with these cells, before it is ranked.
    pub fn new(entry: EntryHead, cells: Vec<RunCell>, scoring: Arc<Scoring>) -> Self {
        let (repeats, stated, total) = (Vec::new(), Vec::new(), Metrics::default());
        let (repeat, stated_missing, relative, place, listed) = (1, 0, None, None, 0);
        let mut row =
            Self { entry, total, cells, repeats, repeat, stated_missing, stated, relative, scoring, place, listed };
        row.total = row.total_of(row.cells.iter());
        row
    }

    /// The text of a total of its cells, such as `125/0453/062`; `-` for an unknown figure.
    pub fn total_text(&self, total: &Metrics) -> String {
        self.scoring.total_text(&total.figures)
    }

    /// Tests whether the first run on each of its boards was judged, so that its total is known.
    pub fn complete(&self) -> bool {
        self.cells.iter().all(|cell| cell.not_planned || cell.judged())
    }

    /// The number of its planned runs that were not judged, including repeats, by rule 21 of docs/scoring.md. It is 0 for a
    /// withdrawn entry.
    pub fn missing(&self) -> usize {
        if self.entry.withdrawn.is_some() {
            return 0;
        }
        let planned = self.cells.iter().enumerate().filter(|(_, cell)| !cell.not_planned);
        let judged = |(column, cell): (usize, &RunCell)| {
            let repeats = self.repeats.get(column).into_iter().flatten();
            [cell].into_iter().chain(repeats).filter(|cell| cell.judged()).count()
        };
        let missing = |(column, cell): (usize, &RunCell)| match cell.unplayed {
            0 => (self.repeat as usize).saturating_sub(judged((column, cell))),
            games => games,
        };
        planned.map(missing).sum::<usize>() + self.stated_missing
    }

    /// The number of its planned runs: all but those of rounds to which it did not advance.
    pub fn planned(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.not_planned).count()
    }

    /// The number of rounds in which it took part, at least 1.
    pub fn rounds(&self) -> u32 {
        let planned = self.cells.iter().filter(|cell| !cell.not_planned);
        planned.map(|cell| cell.earlier_rounds + 1).max().unwrap_or(1)
    }

    /// The total of a round, from 1; `None` if it took no part in the round.
    pub fn total_in(&self, round: u32) -> Option<Metrics> {
        let cells = self.cells.iter().filter(move |cell| cell.planned_in(round));
        (round <= self.rounds()).then(|| self.stated_in(round).unwrap_or_else(|| self.total_of(cells)))
    }

    /// The total of a round if it is known as a whole: in a contest with one round, or if a file states it.
    pub(crate) fn stated_in(&self, round: u32) -> Option<Metrics> {
        let stated = usize::try_from(round).ok().and_then(|round| self.stated.get(round.checked_sub(1)?)).cloned();
        stated.or_else(|| (self.rounds() == 1).then(|| self.total.clone()))
    }

    /// The total of some of its cells, possibly with repetitions. A figure is unknown in the sum if one cell lacks it. Runs that
    /// are not planned add nothing.
    pub(crate) fn total_of<'a>(&self, cells: impl Iterator<Item = &'a RunCell> + Clone) -> Metrics {
        let planned = cells.filter(|cell| !cell.not_planned);
        Metrics::total(&self.scoring, planned.map(|cell| (cell.part(), cell.metrics.time_us)))
    }

    /// The row without the board at this index, and without a place. If the other cells do not contain a figure, its sum is the
    /// old total minus that of the board, if both are known.
    ///
    /// # Panics
    ///
    /// The row has no cell at this index.
    pub fn without(&self, board: usize) -> Self {
        let (mut cells, mut repeats) = (self.cells.clone(), self.repeats.clone());
        let left_out = cells.remove(board).metrics;
        if !repeats.is_empty() {
            repeats.remove(board);
        }
        let mut row = Self {
            repeats,
            repeat: self.repeat,
            listed: self.listed,
            ..Self::new(self.entry.clone(), cells, self.scoring.clone())
        };
        let rest = || self.total.time_us?.checked_sub(left_out.time_us?);
        row.total.time_us = row.total.time_us.or_else(rest);
        for (at, total) in row.total.figures.iter_mut().enumerate().filter(|(at, _)| self.scoring.is_sum(*at)) {
            *total = total.or_else(|| Some(self.total.figure(at)?.minus(left_out.figure(at)?)));
        }
        row
    }
}
