//! The rows of a table, from single runs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::{MixedHardware, Results, machine_of, model_of};
use crate::code::Code;
use crate::journal::{CompactRecords, CompactRun, ContestState, ExtraFields, Extras, Record};
use crate::key::{Name, RunKey};
use crate::plan::Plan;
use crate::points::Points;
use crate::ranking;
use crate::score::{EntryHead, Participants, Row, RunCell};
use crate::scoring::Scoring;
use crate::text::printable;
use crate::verdict::{JudgeFailure, Verdict};
use judge_job::{Isolation, Machine, Usage};

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
    /// True if it was a referee that failed.
    pub by_referee: bool,
    /// True if its answer is stored and can be refereed again, without the entry.
    pub can_be_rejudged: bool,
    /// The position in which its answer ended, in one line.
    pub final_board: Option<Name>,
}

impl Fault {
    /// Tests whether the judge failed, so that the run is not scored.
    pub fn by_judge(&self) -> bool {
        self.code == Some(Code::JudgeError)
    }
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
    /// Of what few runs have: why its time is unreliable, the ruling by hand, and notes.
    pub extras: Extras,
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
            extras: Extras::default(),
        }
    }

    /// The ruling by hand, with who ruled and why, as a fragment. It may quote untrusted text.
    pub fn ruled(&self) -> Option<String> {
        self.extras.by_hand().map(|(ruled, why)| format!("{ruled}, {why}"))
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

/// What a table has of a run.
pub(crate) struct TableRun {
    cell: RunCell,
    remark: Remark,
    fault: Option<Fault>,
}

impl TableRun {
    /// Of a run that a node made and a referee ruled on, of an entry of that size, by the names of its entry and its board.
    pub(crate) fn new(
        record: &Record,
        (node, referee, size): (Option<&Name>, Option<&Name>, Option<u64>),
        scoring: &Arc<Scoring>,
        (entry, board): (Name, Name),
    ) -> Self {
        let ExtraFields { suspect, notes, ruling, ruled_by, .. } = &*record.extras;
        let remark = Remark {
            entry,
            board,
            repeat: record.key.repeat,
            attempt: record.attempt,
            usage: record.usage,
            node: node.cloned(),
            referee: referee.cloned(),
            earlier: record.earlier,
            extras: Extras::from(ExtraFields {
                suspect: suspect.clone(),
                ruling: ruling.clone(),
                ruled_by: ruled_by.clone(),
                notes: notes.clone(),
                ..ExtraFields::default()
            }),
        };
        let by_referee = matches!(record.verdict, Verdict::JudgeError { reason: JudgeFailure::Referee(_) });
        let fault = record.verdict.fault().map(|reason| Fault {
            entry: remark.entry.clone(),
            board: remark.board.clone(),
            repeat: remark.repeat,
            code: record.verdict.code(),
            reason,
            by_referee,
            can_be_rejudged: by_referee && record.has_answer(),
            final_board: record.final_board.clone(),
        });
        let (suspect, ruled) = (suspect.is_some(), ruling.is_some());
        Self { cell: RunCell { suspect, ruled, ..record.cell(scoring, size) }, remark, fault }
    }
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

    /// The same runs in another form.
    pub(crate) fn map<O>(self, mut to: impl FnMut(R) -> O) -> RowRuns<O> {
        let first = self.first.into_iter().map(|run| run.map(&mut to)).collect();
        RowRuns { first, repeats: self.repeats.into_iter().map(|(place, run)| (place, to(run))).collect() }
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
    /// Fills the rows from the records of a contest and ranks them. What they lack in `compact` moves to them.
    pub(super) fn with_contents<'c>(
        mut self,
        contents: &'c ContestState,
        mut compact: CompactRecords,
        plan: &Plan,
        entries: Vec<EntryHead>,
        participants: &Participants,
    ) -> Self {
        let columns: Vec<_> =
            self.boards.iter().map(|board| (board.round, contents.number_of_board(&board.name))).collect();
        let boards: Vec<String> = self.boards.iter().map(|board| board.name.clone()).collect();
        let models: Vec<Option<&str>> = contents.machines.iter().map(model_of).collect();
        let several = models.iter().flatten().collect::<HashSet<_>>().len() > 1;
        self.remarks.reserve(contents.runs());
        // Runs that were made, by column and machine.
        let mut made: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        // A row is made when its turn comes, and frees what its runs have beside their records.
        let rows = entries.into_iter().map(|entry| {
            let (record_on, mut runs) = (contents.records_of(&entry.name), RowRuns::default());
            let mut kept = compact.of_entry(contents.number_of_entry(&entry.name).unwrap_or_default());
            for (column, (round, board)) in columns.iter().enumerate() {
                for repeat in 1..=plan.repeat {
                    if let Some((run, record)) = board.and_then(|board| record_on(*round, board, repeat)) {
                        let kept = kept.take(run);
                        if several && kept.was_made(record) {
                            *made.entry((column, machine_of(record))).or_default() += 1;
                        }
                        runs.put(column, repeat, (run, record, kept));
                    }
                }
            }
            (entry, runs)
        });
        let whole = |(run, record, kept): (usize, &'c Arc<Record>, CompactRun)| {
            kept.whole(record, || contents.key_of(run).expect("the key of a planned run"))
        };
        let results = self.with_records(plan, rows, &contents.machines, participants, whole);
        let made = made
            .iter()
            .filter_map(|(&(column, machine), &runs)| Some((&*boards[column], *models.get(machine)?.as_ref()?, runs)));
        Self { unlike: MixedHardware::from_runs(made), ..results }
    }

    /// Fills the rows from runs of these machines, of which `whole` has the record, and ranks them.
    pub(super) fn with_records<'r, R>(
        self,
        plan: &Plan,
        rows: impl IntoIterator<Item = (EntryHead, RowRuns<R>)>,
        machines: &[Machine],
        participants: &Participants,
        whole: impl Fn(R) -> Cow<'r, Record>,
    ) -> Self {
        let sizes: HashMap<&str, u64> =
            plan.entries.iter().filter_map(|entry| Some((&*entry.name, entry.size?))).collect();
        let nodes: Vec<Option<Name>> = machines.iter().map(|machine| machine.node.as_deref().map(Name::from)).collect();
        let mut isolation: HashSet<Arc<Isolation>> = HashSet::new();
        let mut last: Option<Arc<Isolation>> = None;
        let mut results = self.with_rows(rows, participants, |run, scoring, names| {
            let record = &*whole(run);
            if last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, &record.isolation)) {
                isolation.extend(last.replace(record.isolation.clone()));
            }
            let node = nodes.get(machine_of(record)).and_then(Option::as_ref);
            let size = sizes.get(&*record.key.entry).copied();
            TableRun::new(record, (node, record.ruled_by_referee(), size), scoring, names)
        });
        isolation.extend(last);
        results.isolated(isolation.iter().map(|kind| &**kind));
        results
    }

    /// The runs of each row of these entries. A run of an unknown entry or on an unknown board is left out; of two for the same cell the
    /// later one counts. `key` tells entry, board and repeat of a run.
    pub(super) fn rows_of<R>(
        &self,
        entries: Vec<EntryHead>,
        runs: impl IntoIterator<Item = R>,
        key: impl Fn(&R) -> (&str, &str, u32),
    ) -> Vec<(EntryHead, RowRuns<R>)> {
        let places: HashMap<&str, usize> = entries.iter().map(|entry| &*entry.name).zip(0..).collect();
        let columns: HashMap<&str, usize> = self.boards.iter().map(|board| &*board.name).zip(0..).collect();
        let mut rows: Vec<RowRuns<R>> = entries.iter().map(|_| RowRuns::default()).collect();
        for run in runs {
            let (entry, board, repeat) = key(&run);
            if let Some((&row, &column)) = places.get(entry).zip(columns.get(board)) {
                rows[row].put(column, repeat, run);
            }
        }
        entries.into_iter().zip(rows).collect()
    }

    /// Fills the rows and ranks them. Runs of a withdrawn entry are left out. `participants` has the entries of each round after
    /// the first.
    pub(crate) fn with_rows<R>(
        mut self,
        rows: impl IntoIterator<Item = (EntryHead, RowRuns<R>)>,
        participants: &Participants,
        mut made: impl FnMut(R, &Arc<Scoring>, (Name, Name)) -> TableRun,
    ) -> Self {
        let boards: Vec<Name> = self.boards.iter().map(|board| Name::from(board.name.as_str())).collect();
        // What solves each board by the first run with which that was said.
        let mut goals: Vec<Option<(Points, String)>> = vec![None; boards.len()];
        let mut has_several = vec![false; boards.len()];
        for (entry, runs) in rows {
            let name = Name::from(entry.name.as_str());
            let mut cells = Vec::with_capacity(boards.len());
            let mut further = if runs.repeats.is_empty() { Vec::new() } else { vec![Vec::new(); boards.len()] };
            let (mut first, mut repeats) = (runs.first.into_iter(), runs.repeats.into_iter().peekable());
            for (column, (board, head)) in boards.iter().zip(&self.boards).enumerate() {
                let planned = entry.is_planned(board, head.round, participants);
                let missing = RunCell::missing().in_round(head.round, planned);
                if entry.withdrawn.is_some() {
                    cells.push(missing);
                    continue;
                }
                let mut cell = |run: R| {
                    let TableRun { cell, mut remark, fault } = made(run, &self.scoring, (name.clone(), board.clone()));
                    if let Some(full) = cell.full.filter(|_| cell.code.is_none()) {
                        let named = || (full, run_name(&remark.entry, &remark.board, remark.repeat));
                        let (first, run) = &*goals[column].get_or_insert_with(named);
                        if full != *first {
                            let note = format!("full is {full}, but {first} for {run}; a board must have one goal");
                            remark.extras.notes.push(note);
                            has_several[column] = true;
                        }
                    }
                    self.remarks.push(remark);
                    self.faults.extend(fault);
                    RunCell { group: head.group.clone(), ..cell.in_round(head.round, planned) }
                };
                let run = first.next().flatten().map(&mut cell);
                cells.push(run.unwrap_or(missing));
                while let Some((_, run)) = repeats.next_if(|((at, _), _)| *at == column) {
                    further[column].push(cell(run));
                }
            }
            let row = Row::new(entry, cells, self.scoring.clone());
            self.rows.push(Row { repeats: further, repeat: self.repeat, ..row });
        }
        if self.rows.iter().any(|row| !row.repeats.is_empty()) {
            self.rows.iter_mut().for_each(|row| row.repeats.resize(boards.len(), Vec::new()));
        }
        // A board has one goal, or none. Rule 8 of docs/scoring.md.
        for (column, (goal, several)) in goals.iter().zip(has_several).enumerate() {
            let Some((goal, _)) = goal else { continue };
            for row in &mut self.rows {
                let further = row.repeats.get_mut(column).into_iter().flatten();
                row.cells.get_mut(column).into_iter().chain(further).for_each(|cell| match several {
                    true => cell.full = None,
                    false => cell.aim_at(*goal),
                });
            }
        }
        ranking::rank(&mut self.rows, &self.ranking);
        self
    }
}
