//! From verdicts to cells and totals. Pure.
//!
//! A cell is `progress/moves`, or `0/` and three letters if there is no number of moves; where answers get points or are
//! just accepted, it is the figures that the contest declares, `AC`, or the three letters. Totals follow the published table of 1995. A timed-out
//! board adds only its full limit. An illegal answer adds the progress before the illegal move, and no moves, though its
//! cell shows 0. An unsolved board adds its progress and its moves. An unknown figure is `None`, never 0.

use std::sync::Arc;

use crate::code::Code;
use crate::figure::Figures;
use crate::judged_by::JudgedBy;
use crate::points::Points;
use crate::relative::Direction;
use crate::scoring::{Measured, Part, Scoring};
use crate::verdict::Verdict;
use crate::withdrawal::Withdrawal;

/// The text of a cell whose answer was accepted.
pub const ACCEPTED: &str = "AC";

/// The cell of a run in the table, with the figures that it adds to its entry's total.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunCell {
    /// The measure of its answer.
    pub judged_by: JudgedBy,
    /// The code instead of a number of moves.
    pub code: Option<Code>,
    /// True if other processes interfered with the run, so that its time is unreliable.
    pub suspect: bool,
    /// True if the verdict was set by hand.
    pub ruled: bool,
    /// The figures of the contest; `None` for one without.
    pub scoring: Option<Arc<Scoring>>,
    /// The group of boards that its points belong to.
    pub group: Option<Arc<str>>,
    /// True for a legal answer of a puzzle that nothing solves.
    pub valid: bool,
    /// The progress that solves the board; `None` if it is unknown.
    pub of: Option<u64>,
    /// The limit of the run in milliseconds; `None` if it is unknown.
    pub limit_ms: Option<u64>,
    /// The figures that the run adds.
    pub metrics: Metrics,
    /// The number of rounds before that of its board: 0 in the first round.
    pub earlier_rounds: u32,
    /// True if there is no such run, because its entry did not go on to the round.
    pub not_planned: bool,
    /// Games that are still to be played, of a cell that is the sum of games; 0 in other contests.
    pub unplayed: usize,
}

/// The scored figures of a run, or of all runs of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metrics {
    /// The figures that the contest declares, in their order, each `None` if it is unknown; empty if nothing is known, and in a
    /// contest without.
    pub figures: Vec<Option<Points>>,
    /// Progress, such as tiles home.
    pub progress: Option<u64>,
    /// Number of moves; fewer is better.
    pub moves: Option<u64>,
    /// The tie-break, such as transports.
    pub tie_break: Option<u64>,
    /// Wall clock in microseconds; `None` if it is unknown.
    pub time_us: Option<u64>,
}

impl RunCell {
    /// The cell of a run that took `wall_us` under a limit of `limit_ms`. A run that reached its limit has that as its time, rule
    /// 11 of docs/scoring.md.
    pub fn from_verdict(verdict: &Verdict, wall_us: Option<u64>, limit_ms: u64) -> Self {
        let limit_us = limit_ms.saturating_mul(1000);
        let wall_us = wall_us.map(|time| time.min(limit_us));
        let nothing =
            Metrics { progress: Some(0), moves: Some(0), tie_break: Some(0), time_us: wall_us, figures: Vec::new() };
        let metrics = match verdict {
            Verdict::Solved(score) | Verdict::Unsolved(score) | Verdict::Valid(score) => Metrics {
                figures: Vec::new(),
                progress: Some(score.progress),
                moves: Some(score.moves),
                tie_break: Some(score.tie_break),
                time_us: wall_us,
            },
            Verdict::IllegalMove { score, .. } | Verdict::Wrong { score, .. } => {
                Metrics { progress: Some(score.progress), ..nothing }
            }
            Verdict::TimedOut => Metrics { time_us: Some(limit_us), ..nothing },
            Verdict::OutOfCpu
            | Verdict::OutOfMemory
            | Verdict::TooManyProcesses
            | Verdict::ScratchFull
            | Verdict::TooMuchOutput
            | Verdict::Crashed { .. } => nothing,
            Verdict::CouldNotStart { .. } | Verdict::BuildFailed { .. } => Metrics { time_us: Some(0), ..nothing },
            Verdict::JudgeError { .. } => Metrics::default(),
        };
        let of = verdict.score().map(|score| score.of);
        let valid = matches!(verdict, Verdict::Valid(_));
        Self { code: verdict.code(), valid, of, limit_ms: Some(limit_ms), metrics, ..Self::default() }
    }

    /// Adds the figures that the contest declares.
    #[must_use]
    pub(crate) fn with_figures(self, scoring: &Arc<Scoring>, given: Option<&Figures>, measured: &Measured) -> Self {
        let measured = Measured { time_us: self.metrics.time_us, ..*measured };
        let figures = scoring.values(given, self.code, &measured);
        let scoring = Some(scoring.clone());
        Self { scoring, metrics: Metrics { figures, ..self.metrics }, ..self }
    }

    /// Adds the declared figures of a contest: those that the referee gave, and those that follow from the time, the only
    /// measurement.
    #[must_use]
    pub fn measured_in(self, scoring: &Arc<Scoring>, given: Option<&Figures>) -> Self {
        self.with_figures(scoring, given, &Measured::default())
    }

    /// The points of an accepted answer: the first figure of the contest.
    pub fn points(&self) -> Option<Points> {
        self.metrics.points().filter(|_| self.code.is_none())
    }

    /// The cell of a missing run.
    pub fn missing() -> Self {
        Self::default()
    }

    /// Sets how the contest, or the group of the board, is judged.
    #[must_use]
    pub fn judged_by(self, judged_by: JudgedBy) -> Self {
        Self { judged_by, ..self }
    }

    /// Tests whether it shows nothing: its run is missing, or not planned.
    pub fn is_empty(&self) -> bool {
        self.code.is_none() && self.metrics == Metrics::default()
    }

    /// Tests whether it is of a run that is planned for that round, from 1.
    pub fn planned_in(&self, round: u32) -> bool {
        !self.not_planned && self.earlier_rounds + 1 == round
    }

    /// Tests whether the run was judged: not missing, not a judge error. Of games, whether all were played.
    pub fn judged(&self) -> bool {
        let known = self.metrics.moves.is_some() || self.metrics.figures.iter().any(Option::is_some);
        self.unplayed == 0 && self.code != Some(Code::JudgeError) && (self.code.is_some() || known)
    }

    /// Tests whether nothing ran: its entry could not be built or started.
    pub fn never_started(&self) -> bool {
        matches!(self.code, Some(Code::BuildFailed | Code::CouldNotStart))
    }

    /// Tests whether it is a legal answer with the progress that solves its board.
    pub fn solves(&self, goal: Option<u64>) -> bool {
        self.code.is_none() && goal.is_some() && self.metrics.progress == goal
    }

    /// The text of the cell, such as `25/94`, `0/TIM`, `12.50`, `AC` or `WRO`; `-` if there is nothing to show, and nothing
    /// if its run is not planned.
    pub fn text(&self) -> String {
        let Metrics { progress, moves, .. } = self.metrics;
        let shown = self.scoring.as_deref().filter(|_| self.judged_by == JudgedBy::Score);
        match (self.code, shown, progress.zip(moves)) {
            _ if self.not_planned => String::new(),
            (Some(code), shown, _) => {
                let several = shown.map_or(self.judged_by == JudgedBy::Progress, |shown| shown.cell.len() > 1);
                let nothing = if code == Code::JudgeError { '-' } else { '0' };
                if several { format!("{nothing}/{code}") } else { code.to_string() }
            }
            _ if self.judged_by == JudgedBy::Acceptance && self.judged() => ACCEPTED.into(),
            (None, Some(scoring), _) => match scoring.text(&scoring.cell, &self.metrics.figures, "/") {
                // A dash is a missing run.
                unknown if unknown == "-" && self.judged() => ACCEPTED.into(),
                text => text,
            },
            (None, None, Some((progress, moves))) => format!("{progress}/{moves}"),
            (None, None, None) => "-".into(),
        }
    }

    /// What the run adds to totals of figures.
    fn part(&self) -> Part<'_> {
        let accepted = self.code.is_none() && self.judged();
        Part { group: self.group.as_deref(), values: &self.metrics.figures, accepted }
    }
}

impl Metrics {
    /// The first figure of the contest.
    pub fn points(&self) -> Option<Points> {
        self.figures.first().copied().flatten()
    }

    /// The time in milliseconds, rounded to the nearest.
    pub fn time_ms(&self) -> Option<u64> {
        self.time_us.map(|time| time.saturating_add(500) / 1000)
    }

    /// The total as in the published table, such as `125/0453/062`; `-` for an unknown figure.
    fn total_text(&self) -> String {
        let padded = |figure: Option<u64>, width| figure.map_or("-".into(), |figure| format!("{figure:0width$}"));
        format!("{}/{}/{}", padded(self.progress, 3), padded(self.moves, 4), padded(self.tie_break, 3))
    }
}

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
}

impl EntryHead {
    /// An entry that competes, without an author.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), author: None, competing: true, withdrawn: None }
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
    /// The cells of the repeats after the first that were made, by board; empty if no run has any. They are no part of
    /// the total.
    pub repeats: Vec<Vec<RunCell>>,
    /// The runs that are planned for each cell: 1 without repeats.
    pub repeat: u32,
    /// The missing runs that a file states and that no cell shows: those of repeats.
    pub stated_missing: usize,
    /// The sums over its cells.
    pub total: Metrics,
    /// The totals of its rounds as a file states them, which may have figures that its cells do not contain; empty if no file
    /// does.
    pub stated: Vec<Metrics>,
    /// Its relative score in billionths, see [`crate::relative`]; `None` if the ranking does not use it.
    pub relative: Option<u64>,
    /// The way to sum its points; `None` for a contest without points.
    pub scoring: Option<Arc<Scoring>>,
    /// Its place from 1; `None` if it takes none.
    pub place: Option<usize>,
    /// Its number among the rows before they were ranked for the first time: rows that nothing separates stand in this order.
    pub(crate) listed: usize,
}

impl Row {
    /// The row of an entry with these cells, before it is ranked.
    pub fn new(entry: EntryHead, cells: Vec<RunCell>, scoring: Option<Arc<Scoring>>) -> Self {
        let total = total(cells.iter());
        let (repeats, stated) = (Vec::new(), Vec::new());
        let (repeat, stated_missing, relative, place, listed) = (1, 0, None, None, 0);
        let mut row =
            Self { entry, total, cells, repeats, repeat, stated_missing, stated, relative, scoring, place, listed };
        row.total.figures = row.figures(row.cells.iter());
        row
    }

    /// The measure of its answers.
    pub fn judged_by(&self) -> JudgedBy {
        match &self.scoring {
            Some(_) => JudgedBy::Score,
            None => self.cells.first().map_or(JudgedBy::Progress, |cell| cell.judged_by),
        }
    }

    /// A total of its cells as text: the points, the number of accepted answers, or the figures of the published table,
    /// such as `125/0453/062`; `-` for an unknown figure.
    pub fn total_text(&self, total: &Metrics) -> String {
        match self.judged_by() {
            JudgedBy::Acceptance => total.progress.map_or("-".into(), |solved| solved.to_string()),
            JudgedBy::Score => {
                let scoring = self.scoring.as_deref();
                scoring.map_or_else(String::new, |scoring| scoring.text(&scoring.total, &total.figures, " "))
            }
            JudgedBy::Progress => total.total_text(),
        }
    }

    /// The totals of its figures over some of its cells.
    pub(crate) fn figures<'a>(&self, cells: impl Iterator<Item = &'a RunCell> + Clone) -> Vec<Option<Points>> {
        let parts = cells.filter(|cell| !cell.not_planned).map(RunCell::part);
        self.scoring.as_deref().map_or_else(Vec::new, |scoring| scoring.totals(parts))
    }

    /// Tests whether the first run on each of its boards was judged, so that the row has its total.
    pub fn complete(&self) -> bool {
        self.cells.iter().all(|cell| cell.not_planned || cell.judged())
    }

    /// The number of its planned runs that were not judged, of all repeats; none of an entry that is out of the contest. A table
    /// is complete without any. Rule 21 of docs/scoring.md.
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

    /// The better points; more in a contest without points.
    pub fn direction(&self) -> Direction {
        self.scoring.as_ref().map_or(Direction::Up, |scoring| scoring.direction())
    }

    /// The number of its runs that are planned: all but those of rounds to which it did not go on.
    pub fn planned(&self) -> usize {
        self.cells.iter().filter(|cell| !cell.not_planned).count()
    }

    /// The number of rounds in which it took part, 1 at least.
    pub fn rounds(&self) -> u32 {
        let planned = self.cells.iter().filter(|cell| !cell.not_planned);
        planned.map(|cell| cell.earlier_rounds + 1).max().unwrap_or(1)
    }

    /// The total of a round, from 1; `None` if it took no part in it.
    pub fn total_in(&self, round: u32) -> Option<Metrics> {
        let cells = self.cells.iter().filter(move |cell| cell.planned_in(round));
        (round <= self.rounds()).then(|| self.stated_in(round).unwrap_or_else(|| self.total_of(cells)))
    }

    /// The total of a round that is known as a whole: of a contest with one round, or as a file states it.
    pub(crate) fn stated_in(&self, round: u32) -> Option<Metrics> {
        let stated = usize::try_from(round).ok().and_then(|round| self.stated.get(round.checked_sub(1)?)).cloned();
        stated.or_else(|| (self.rounds() == 1).then(|| self.total.clone()))
    }

    /// The total of some of its cells; a cell can be among them more than once.
    pub(crate) fn total_of<'a>(&self, cells: impl Iterator<Item = &'a RunCell> + Clone) -> Metrics {
        Metrics { figures: self.figures(cells.clone()), ..total(cells) }
    }

    /// The row without the board at that index, and without a place. A figure that the other cells do not contain is the
    /// old total minus that board's, if both are known.
    ///
    /// # Panics
    ///
    /// If the row has no cell of that index.
    pub fn without(&self, board: usize) -> Self {
        let (mut cells, mut repeats) = (self.cells.clone(), self.repeats.clone());
        let left_out = cells.remove(board).metrics;
        if !repeats.is_empty() {
            repeats.remove(board);
        }
        let summed = total(cells.iter());
        let rest = |figure: fn(&Metrics) -> Option<u64>| {
            figure(&summed).or_else(|| figure(&self.total)?.checked_sub(figure(&left_out)?))
        };
        let total = Metrics {
            progress: rest(|metrics| metrics.progress),
            moves: rest(|metrics| metrics.moves),
            tie_break: rest(|metrics| metrics.tie_break),
            time_us: rest(|metrics| metrics.time_us),
            figures: Vec::new(),
        };
        let mut row = Self {
            entry: self.entry.clone(),
            cells,
            repeats,
            repeat: self.repeat,
            stated_missing: 0,
            total,
            stated: Vec::new(),
            relative: None,
            scoring: self.scoring.clone(),
            place: None,
            listed: self.listed,
        };
        row.total.figures = row.figures(row.cells.iter());
        row
    }
}

/// The sum of cells, without points, which need the contest's groups. A figure that is unknown of one of them is unknown
/// of the sum, and so is a sum that does not fit 64 bits. Runs that are not planned add nothing.
pub fn total<'a>(cells: impl Iterator<Item = &'a RunCell> + Clone) -> Metrics {
    let sum = |figure: fn(&Metrics) -> Option<u64>| {
        let planned = cells.clone().filter(|cell| !cell.not_planned);
        planned.map(|cell| figure(&cell.metrics)).try_fold(0u64, |sum, figure| sum.checked_add(figure?))
    };
    Metrics {
        progress: sum(|metrics| metrics.progress),
        moves: sum(|metrics| metrics.moves),
        tie_break: sum(|metrics| metrics.tie_break),
        time_us: sum(|metrics| metrics.time_us),
        figures: Vec::new(),
    }
}
