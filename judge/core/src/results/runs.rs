//! The rows of a table, from single runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::{Results, Unlike};
use crate::code::Code;
use crate::journal::Record;
use crate::key::{Name, RunKey};
use crate::ranking;
use crate::score::{EntryHead, Row, RunCell};
use crate::scoring::{Measured, Scoring};
use crate::text::printable;
use crate::verdict::{JudgeFailure, Verdict};
use judge_job::Usage;

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
    /// The reason why its time is unreliable, as a fragment.
    pub suspect: Option<String>,
    /// The hash of the referee that ruled on its answer, if it is a program; `None` for a ruling by hand.
    pub referee: Option<Name>,
    /// The number of earlier attempts that the journal has; `None` if that is not known.
    pub earlier: Option<u32>,
    /// The reason of the ruling by hand that set its verdict.
    pub ruling: Option<String>,
    /// Who ruled, if the ruling names somebody.
    pub ruled_by: Option<String>,
    /// Remarks for the organiser, as fragments.
    pub notes: Vec<String>,
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
            suspect: None,
            referee: None,
            earlier: None,
            ruling: None,
            ruled_by: None,
            notes: Vec::new(),
        }
    }

    /// The ruling by hand, with who ruled and why, as a fragment. It may quote untrusted text.
    pub fn ruled(&self) -> Option<String> {
        let by = self.ruled_by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
        self.ruling.as_ref().map(|why| format!("ruled by hand{by}, {why}"))
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
    pub(crate) entry: &'a str,
    pub(crate) board: &'a str,
    pub(crate) repeat: u32,
    pub(crate) verdict: &'a Verdict,
    pub(crate) wall_us: Option<u64>,
    pub(crate) limit_ms: u64,
    pub(crate) final_board: Option<&'a str>,
    pub(crate) attempt: u32,
    pub(crate) usage: Usage,
    pub(crate) node: Option<&'a Name>,
    pub(crate) model: Option<&'a str>,
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
            entry: &record.key.entry,
            board: &record.key.board,
            repeat: record.key.repeat,
            verdict: &record.verdict,
            wall_us: record.wall_us,
            limit_ms: record.limit_ms,
            final_board: record.final_board.as_deref(),
            attempt: record.attempt,
            usage: record.usage,
            node: None,
            model: None,
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
    pub(crate) fn of_games(entry: &'a str, board: &'a str, verdict: &'a Verdict, limit_ms: u64) -> Self {
        Self {
            entry,
            board,
            repeat: 1,
            verdict,
            wall_us: None,
            limit_ms,
            final_board: None,
            attempt: 1,
            usage: Usage::default(),
            node: None,
            model: None,
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
            suspect: self.suspect.map(str::to_owned),
            referee: self.referee.cloned(),
            earlier: self.earlier,
            ruling: self.ruling.map(str::to_owned),
            ruled_by: self.ruled_by.map(str::to_owned),
            notes: self.notes.to_vec(),
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

impl Results {
    /// Fills the rows from runs and ranks them. A run of an unknown or withdrawn entry, or on an unknown board, is left
    /// out; of two for the same cell the later one counts. `took_part` has the entries of each round after the first.
    pub(crate) fn with_runs<'r, T>(
        mut self,
        entries: Vec<EntryHead>,
        runs: &'r [T],
        took_part: &BTreeMap<u32, HashSet<String>>,
        view: impl Fn(&'r T) -> Run<'r>,
    ) -> Self {
        let name = |name: &String| Name::from(name.as_str());
        let entry_names: Vec<Name> = entries.iter().map(|entry| name(&entry.name)).collect();
        let board_names: Vec<Name> = self.boards.iter().map(|board| name(&board.name)).collect();
        let index = |names: &[Name]| names.iter().cloned().zip(0..).collect::<HashMap<Name, usize>>();
        let (rows, columns) = (index(&entry_names), index(&board_names));
        let width = self.boards.len();
        let mut grid: Vec<Option<usize>> = vec![None; entries.len() * width];
        // Further repeats by place in the grid. A file can contain any number of repeats, so they have no grid of their own.
        let mut repeats: HashMap<usize, BTreeMap<u32, usize>> = HashMap::new();
        for (index, run) in runs.iter().enumerate() {
            let run = view(run);
            if let Some((row, column)) = rows.get(run.entry).zip(columns.get(run.board)) {
                let place = row * width + column;
                match run.repeat {
                    1 => grid[place] = Some(index),
                    repeat => drop(repeats.entry(place).or_default().insert(repeat, index)),
                }
            }
        }
        for (row, entry) in entries.into_iter().enumerate() {
            let mut cells = Vec::with_capacity(width);
            let mut further = if repeats.is_empty() { Vec::new() } else { vec![Vec::new(); width] };
            for column in 0..width {
                let place = row * width + column;
                let round = self.boards[column].round;
                let group = self.boards[column].group.clone();
                let place_in_rounds = |cell| RunCell {
                    earlier_rounds: round.saturating_sub(1),
                    not_planned: round > 1 && !took_part.get(&round).is_some_and(|names| names.contains(&entry.name)),
                    ..cell
                };
                if entry.withdrawn.is_some() {
                    cells.push(place_in_rounds(RunCell::missing()));
                    continue;
                }
                let mut cell = |index: usize| {
                    let run = view(&runs[index]);
                    let names = || (entry_names[row].clone(), board_names[column].clone());
                    self.remarks.push(run.remark(names()));
                    self.faults.extend(run.fault(names()));
                    RunCell { group: group.clone(), ..place_in_rounds(run.cell(&self.scoring)) }
                };
                let first = grid[place].map(&mut cell);
                cells.push(first.unwrap_or_else(|| place_in_rounds(RunCell::missing())));
                if let Some(repeats) = repeats.get(&place) {
                    further[column] = repeats.values().map(|&index| cell(index)).collect();
                }
            }
            let row = Row::new(entry, cells, self.scoring.clone());
            self.rows.push(Row { repeats: further, repeat: self.repeat, ..row });
        }
        ranking::rank(&mut self.rows, &self.ranking);
        let shown =
            |run: &Run<'_>| rows.contains_key(run.entry) && columns.contains_key(run.board) && run.wall_us.is_some();
        let made = runs.iter().map(&view).filter(shown);
        self.unlike = Unlike::from_runs(made.filter_map(|run| Some((run.board, run.model?))));
        self
    }
}
