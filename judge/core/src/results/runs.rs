//! The rows of a table, from single runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::{Results, Unlike, machine_of, model_of};
use crate::code::Code;
use crate::journal::Record;
use crate::key::{Name, RunKey};
use crate::plan::Plan;
use crate::points::Points;
use crate::ranking;
use crate::rare::{Absent, Rare};
use crate::score::{EntryHead, Row, RunCell};
use crate::scoring::{Measured, Scoring};
use crate::text::printable;
use crate::verdict::{JudgeFailure, Verdict};
use judge_job::{Machine, Usage};

/// A run that did not solve its board, or a judge error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Name of the entry, unique in the contest.
    pub entry: Name,
    /// Name of the board, unique over all rounds.
    pub board: Name,
    /// Number of the repeat, from 1.
    pub repeat: u32,
    /// The code in its cell; `None` for an answer that stops short of the goal.
    pub code: Option<Code>,
    /// The reason, as a fragment.
    pub reason: String,
    /// True if the judge failed, so that the run is not scored.
    pub by_judge: bool,
    /// True if it was a referee that failed.
    pub by_referee: bool,
    /// True if its answer is stored and can be refereed again, without the entry.
    pub can_be_rejudged: bool,
    /// The position in which its answer ended, in one line.
    pub final_board: Option<String>,
}

/// Facts about a run besides its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// Name of the entry, unique in the contest.
    pub entry: Name,
    /// Name of the board, unique over all rounds.
    pub board: Name,
    /// Number of the repeat, from 1.
    pub repeat: u32,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Resources that its processes used.
    pub usage: Usage,
    /// The node of a cluster that made it; `None` for the machine of the judge.
    pub node: Option<Name>,
    /// The hash of the referee that ruled on its answer, if it is a program; `None` for a ruling by hand.
    pub referee: Option<Name>,
    /// The number of earlier attempts that the journal has; `None` if that is not known.
    pub earlier: Option<u32>,
    /// What few runs have.
    pub extras: Rare<RemarkExtras>,
}

/// The members of a [`Remark`] that few runs have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemarkExtras {
    /// The reason why its time is unreliable, as a fragment.
    pub suspect: Option<String>,
    /// The reason of the ruling by hand that set its verdict.
    pub ruling: Option<String>,
    /// Who ruled, if the ruling names somebody.
    pub ruled_by: Option<String>,
    /// Remarks for the organiser, as fragments.
    pub notes: Vec<String>,
}

impl Absent for RemarkExtras {
    const NONE: &'static Self = &Self { suspect: None, ruling: None, ruled_by: None, notes: Vec::new() };
}

impl Remark {
    /// A remark on an attempt of which nothing special is known.
    pub fn new(entry: impl Into<Name>, board: impl Into<Name>, repeat: u32, attempt: u32) -> Self {
        Self {
            entry: entry.into(),
            board: board.into(),
            repeat,
            attempt,
            usage: Usage::default(),
            node: None,
            referee: None,
            earlier: None,
            extras: Rare::default(),
        }
    }

    /// The ruling by hand, with who ruled and why, as a fragment. It may quote untrusted text.
    pub fn ruled(&self) -> Option<String> {
        let by = self.extras.ruled_by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
        self.extras.ruling.as_ref().map(|why| format!("ruled by hand{by}, {why}"))
    }

    /// The number of an attempt that is not the first, and where the earlier ones are, as a fragment.
    pub fn again(&self) -> Option<String> {
        let Self { attempt, earlier, .. } = *self;
        let before = attempt.checked_sub(1).filter(|before| *before > 0)?;
        Some(match earlier {
            None => format!("attempt {attempt}"),
            Some(0) if before == 1 => format!("attempt {attempt}; the first one was cut off and has no result"),
            Some(0) => format!("attempt {attempt}; the earlier ones were cut off and have no result"),
            Some(earlier) if earlier >= before => format!("attempt {attempt}; the journal has the earlier ones"),
            Some(earlier) => {
                format!("attempt {attempt}; the journal has {earlier} of the earlier ones, the others were cut off")
            }
        })
    }
}

/// The name of a run in texts, such as "twobits on FOXY" or "twobits on FOXY (repeat 2)", printable.
pub fn run_name(entry: &str, board: &str, repeat: u32) -> String {
    let name = format!("{} on {}", printable(entry), printable(board));
    if repeat > 1 { format!("{name} (repeat {repeat})") } else { name }
}

/// The name of a run or of a game in texts, such as "twobits on FOXY" or "twobits against mudpack on FOXY", printable.
pub fn name_of(key: &RunKey) -> String {
    let seats: Vec<&str> = key.seats().map(|seat| &**seat).collect();
    run_name(&seats.join(" against "), &key.board, key.repeat)
}

/// The part of a run that a table shows.
pub(crate) struct Run<'a> {
    pub(crate) repeat: u32,
    pub(crate) verdict: &'a Verdict,
    pub(crate) wall_us: Option<u64>,
    pub(crate) limit_ms: u64,
    pub(crate) final_board: Option<&'a str>,
    pub(crate) attempt: u32,
    pub(crate) usage: Usage,
    pub(crate) node: Option<&'a Name>,
    pub(crate) suspect: Option<&'a str>,
    pub(crate) notes: &'a [String],
    pub(crate) referee: Option<&'a Name>,
    pub(crate) earlier: Option<u32>,
    pub(crate) ruling: Option<&'a str>,
    pub(crate) ruled_by: Option<&'a str>,
    /// True if the run left an answer, as [`Record::has_answer`] says.
    pub(crate) has_answer: bool,
    /// What was measured of it, but for its time.
    pub(crate) measured: Measured,
}

impl<'a> Run<'a> {
    pub(crate) fn from_record(record: &'a Record) -> Self {
        Self {
            repeat: record.key.repeat,
            verdict: &record.verdict,
            wall_us: record.wall_us,
            limit_ms: record.limit_ms,
            final_board: record.final_board.as_deref(),
            attempt: record.attempt,
            usage: record.usage,
            node: None,
            suspect: record.extras.suspect.as_deref(),
            notes: &record.extras.notes,
            referee: record
                .referee
                .as_ref()
                .filter(|_| record.extras.ruling.is_none() && record.verdict.given().is_some()),
            earlier: Some(record.earlier),
            ruling: record.extras.ruling.as_deref(),
            ruled_by: record.extras.ruled_by.as_deref(),
            has_answer: record.has_answer(),
            measured: record.measured(None),
        }
    }

    /// What a table shows of several games of an entry on a board.
    pub(crate) fn of_games(verdict: &'a Verdict, limit_ms: u64) -> Self {
        Self {
            repeat: 1,
            verdict,
            wall_us: None,
            limit_ms,
            final_board: None,
            attempt: 1,
            usage: Usage::default(),
            node: None,
            suspect: None,
            notes: &[],
            referee: None,
            earlier: None,
            ruling: None,
            ruled_by: None,
            has_answer: false,
            measured: Measured::default(),
        }
    }

    /// What a table has of it, by the names of its entry and its board.
    pub(crate) fn made(&self, scoring: &Arc<Scoring>, names: (Name, Name)) -> Made {
        Made { cell: self.cell(scoring), remark: self.remark(names.clone()), fault: self.fault(names) }
    }

    fn cell(&self, scoring: &Arc<Scoring>) -> RunCell {
        let (suspect, ruled) = (self.suspect.is_some(), self.ruling.is_some());
        let cell = RunCell::measured(self.verdict, (self.wall_us, self.limit_ms), scoring, &self.measured);
        RunCell { suspect, ruled, ..cell }
    }

    fn remark(&self, (entry, board): (Name, Name)) -> Remark {
        Remark {
            entry,
            board,
            repeat: self.repeat,
            attempt: self.attempt,
            usage: self.usage,
            node: self.node.cloned(),
            referee: self.referee.cloned(),
            earlier: self.earlier,
            extras: Rare::from(RemarkExtras {
                suspect: self.suspect.map(str::to_owned),
                ruling: self.ruling.map(str::to_owned),
                ruled_by: self.ruled_by.map(str::to_owned),
                notes: self.notes.to_vec(),
            }),
        }
    }

    fn fault(&self, (entry, board): (Name, Name)) -> Option<Fault> {
        let reason = self.verdict.fault()?;
        let by_judge = matches!(self.verdict, Verdict::JudgeError { .. });
        let by_referee = matches!(self.verdict, Verdict::JudgeError { reason: JudgeFailure::Referee(_) });
        Some(Fault {
            entry,
            board,
            repeat: self.repeat,
            code: self.verdict.code(),
            reason,
            by_judge,
            by_referee,
            can_be_rejudged: by_referee && self.has_answer,
            final_board: self.final_board.map(str::to_owned),
        })
    }
}

/// What a table has of a run.
pub(crate) struct Made {
    cell: RunCell,
    remark: Remark,
    fault: Option<Fault>,
}

/// The runs of an entry, of any form, by the columns of their boards.
pub(crate) struct RowRuns<R> {
    first: Vec<Option<R>>,
    /// Further repeats by column and number. A file can contain any number of repeats, so they have no grid of their own.
    repeats: BTreeMap<(usize, u32), R>,
}

impl<R> Default for RowRuns<R> {
    fn default() -> Self {
        Self { first: Vec::new(), repeats: BTreeMap::new() }
    }
}

impl<R> RowRuns<R> {
    /// Puts a run into its place, and returns the one that was there.
    pub(crate) fn put(&mut self, column: usize, repeat: u32, run: R) -> Option<R> {
        if repeat > 1 {
            return self.repeats.insert((column, repeat), run);
        }
        if self.first.len() <= column {
            self.first.resize_with(column + 1, || None);
        }
        self.first[column].replace(run)
    }

    /// Tests whether there is a run in a place.
    pub(crate) fn has(&self, column: usize, repeat: u32) -> bool {
        match repeat {
            1 => matches!(self.first.get(column), Some(Some(_))),
            _ => self.repeats.contains_key(&(column, repeat)),
        }
    }

    /// The same runs with each column where `to` has it.
    pub(crate) fn arranged(self, to: &[usize]) -> Self {
        let mut first: Vec<Option<R>> = to.iter().map(|_| None).collect();
        self.first.into_iter().zip(to).for_each(|(run, &column)| first[column] = run);
        let repeats = self.repeats.into_iter().map(|((column, repeat), run)| ((to[column], repeat), run));
        Self { first, repeats: repeats.collect() }
    }
}

impl Results {
    /// Fills the rows from records of these machines and ranks them.
    pub(super) fn with_records(
        self,
        plan: &Plan,
        entries: Vec<EntryHead>,
        records: &[&Record],
        machines: &[Machine],
        took_part: &BTreeMap<u32, HashSet<String>>,
    ) -> Self {
        let sizes: HashMap<&str, u64> =
            plan.entries.iter().filter_map(|entry| Some((&*entry.name, entry.size?))).collect();
        let nodes: Vec<Option<Name>> = machines.iter().map(|machine| machine.node.as_deref().map(Name::from)).collect();
        let results = self.with_runs(
            entries,
            records.iter().copied(),
            took_part,
            |record| (&record.key.entry, &record.key.board, record.key.repeat),
            |record, scoring, names| {
                let run = Run {
                    measured: record.measured(sizes.get(&*record.key.entry).copied()),
                    node: nodes.get(machine_of(record)).and_then(Option::as_ref),
                    ..Run::from_record(record)
                };
                run.made(scoring, names)
            },
        );
        let model = |record: &Record| machines.get(machine_of(record)).and_then(model_of);
        let made = records.iter().filter(|record| record.wall_us.is_some());
        let models = made.filter_map(|record| Some((&*record.key.entry, &*record.key.board, model(record)?)));
        Self { unlike: results.models(models), ..results }
    }

    /// The models of the machines that made these runs, each with its entry and its board, as far as the table has them.
    pub(super) fn models<'a>(&self, runs: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Option<Unlike> {
        let entries: HashSet<&str> = self.rows.iter().map(|row| &*row.entry.name).collect();
        let boards: HashSet<&str> = self.boards.iter().map(|board| &*board.name).collect();
        let shown = runs.filter(|(entry, board, _)| entries.contains(entry) && boards.contains(board));
        Unlike::from_runs(shown.map(|(_, board, model)| (board, model, 1)))
    }

    /// Fills the rows from runs and ranks them, see [`Self::with_rows`]. A run of an unknown entry or on an unknown board is left
    /// out; of two for the same cell the later one counts. `key` tells entry, board and repeat of a run.
    pub(crate) fn with_runs<R>(
        self,
        entries: Vec<EntryHead>,
        runs: impl IntoIterator<Item = R>,
        took_part: &BTreeMap<u32, HashSet<String>>,
        key: impl Fn(&R) -> (&str, &str, u32),
        made: impl Fn(R, &Arc<Scoring>, (Name, Name)) -> Made,
    ) -> Self {
        let places: HashMap<&str, usize> = entries.iter().map(|entry| &*entry.name).zip(0..).collect();
        let columns: HashMap<&str, usize> = self.boards.iter().map(|board| &*board.name).zip(0..).collect();
        let mut rows: Vec<RowRuns<R>> = entries.iter().map(|_| RowRuns::default()).collect();
        for run in runs {
            let (entry, board, repeat) = key(&run);
            if let Some((&row, &column)) = places.get(entry).zip(columns.get(board)) {
                rows[row].put(column, repeat, run);
            }
        }
        self.with_rows(entries, rows, took_part, made)
    }

    /// Fills the rows and ranks them. Runs of a withdrawn entry are left out. `took_part` has the entries of each round after the
    /// first.
    pub(crate) fn with_rows<R>(
        mut self,
        entries: Vec<EntryHead>,
        rows: Vec<RowRuns<R>>,
        took_part: &BTreeMap<u32, HashSet<String>>,
        made: impl Fn(R, &Arc<Scoring>, (Name, Name)) -> Made,
    ) -> Self {
        let boards: Vec<Name> = self.boards.iter().map(|board| Name::from(board.name.as_str())).collect();
        let repeated = rows.iter().any(|row| !row.repeats.is_empty());
        // What solves each board by the first run with which that was said.
        let mut goals: Vec<Option<(Points, String)>> = vec![None; boards.len()];
        for (entry, runs) in entries.into_iter().zip(rows) {
            let name = Name::from(entry.name.as_str());
            let mut cells = Vec::with_capacity(boards.len());
            let mut further = if repeated { vec![Vec::new(); boards.len()] } else { Vec::new() };
            let (mut first, mut repeats) = (runs.first.into_iter(), runs.repeats.into_iter().peekable());
            for (column, (board, head)) in boards.iter().zip(&self.boards).enumerate() {
                let round = head.round;
                let place_in_rounds = |cell| RunCell {
                    earlier_rounds: round.saturating_sub(1),
                    not_planned: !entry.is_on(board)
                        || round > 1 && !took_part.get(&round).is_some_and(|names| names.contains(&entry.name)),
                    ..cell
                };
                if entry.withdrawn.is_some() {
                    cells.push(place_in_rounds(RunCell::missing()));
                    continue;
                }
                let mut cell = |run: R| {
                    let Made { cell, mut remark, fault } = made(run, &self.scoring, (name.clone(), board.clone()));
                    if let Some(full) = cell.full.filter(|_| cell.code.is_none()) {
                        let named = || (full, run_name(&remark.entry, &remark.board, remark.repeat));
                        let (first, run) = &*goals[column].get_or_insert_with(named);
                        if full != *first {
                            let note = format!("full is {full}, but {first} for {run}; a board must have one goal");
                            remark.extras.notes.push(note);
                        }
                    }
                    self.remarks.push(remark);
                    self.faults.extend(fault);
                    RunCell { group: head.group.clone(), ..place_in_rounds(cell) }
                };
                let run = first.next().flatten().map(&mut cell);
                cells.push(run.unwrap_or_else(|| place_in_rounds(RunCell::missing())));
                while let Some((_, run)) = repeats.next_if(|((at, _), _)| *at == column) {
                    further[column].push(cell(run));
                }
            }
            let row = Row::new(entry, cells, self.scoring.clone());
            self.rows.push(Row { repeats: further, repeat: self.repeat, ..row });
        }
        ranking::rank(&mut self.rows, &self.ranking);
        self
    }
}
