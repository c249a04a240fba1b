//! What became of submissions, as one viewer sees it: the judgement of each with its runs, in the words of the Contest API of
//! the ICPC. The board of the same state shows the same.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher as _};

use judge_core::code::Code;
use judge_core::date::Date;
use judge_core::journal::{Contents, Record};
use judge_core::judged_by::JudgedBy;
use judge_core::relative::Direction;
use judge_core::results::Results;
use judge_core::score::{ACCEPTED, Row, RunCell};

use super::ends::{End, Ends};
use super::{Viewer, last_round};
pub use crate::counting::is_pass_fail;
use crate::judging::waiting;
use crate::state::{State, Submission};

/// The end of a submission or of one of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// An answer with a score.
    Accepted,
    /// An answer that is wrong, or worth nothing.
    Wrong,
    /// The run took more time than its limit.
    TimeLimit,
    /// A crash, or another limit.
    RunTime,
    /// The run took more memory than its limit.
    MemoryLimit,
    /// The run wrote more output than its limit.
    OutputLimit,
    /// It could not be built, so nothing ran.
    Compile,
    /// The judge failed, not the submission.
    Judge,
    /// A later submission counts, so that it was not judged to its end; or it came late, was taken back or out.
    Cancelled,
}

impl Outcome {
    /// Every outcome, in the order in which lists of judgement types have them.
    pub const ALL: [Self; 9] = [
        Self::Accepted,
        Self::Wrong,
        Self::TimeLimit,
        Self::RunTime,
        Self::MemoryLimit,
        Self::OutputLimit,
        Self::Compile,
        Self::Judge,
        Self::Cancelled,
    ];

    /// Its identifier in the list of known judgement types of the Contest API.
    pub fn id(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Wrong => "WA",
            Self::TimeLimit => "TLE",
            Self::RunTime => "RTE",
            Self::MemoryLimit => "MLE",
            Self::OutputLimit => "OLE",
            Self::Compile => "CE",
            Self::Judge => "JE",
            Self::Cancelled => "CS",
        }
    }

    /// The name that the ICPC gives it, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Wrong => "wrong answer",
            Self::TimeLimit => "time limit exceeded",
            Self::RunTime => "run-time error",
            Self::MemoryLimit => "memory limit exceeded",
            Self::OutputLimit => "output limit exceeded",
            Self::Compile => "compile error",
            Self::Judge => "judge error",
            Self::Cancelled => "not judged, or not counted",
        }
    }

    /// Tests whether it costs time in a contest of accepted answers: the program ran, and was rejected.
    pub fn is_rejected(self) -> bool {
        match self {
            Self::Wrong | Self::TimeLimit | Self::RunTime | Self::MemoryLimit | Self::OutputLimit => true,
            Self::Accepted | Self::Compile | Self::Judge | Self::Cancelled => false,
        }
    }

    fn of_run(cell: &RunCell) -> Self {
        match cell.code {
            None if cell.solves(cell.of) || cell.valid => Self::Accepted,
            None if cell.metrics.points.is_some_and(|points| points.units() != 0) => Self::Accepted,
            None if cell.text() == ACCEPTED => Self::Accepted,
            // An answer that stops short of the goal adds to the score, and does not solve its board.
            None | Some(Code::IllegalMove | Code::Wrong) => Self::Wrong,
            Some(Code::TimedOut | Code::OutOfCpu) => Self::TimeLimit,
            Some(Code::OutOfMemory) => Self::MemoryLimit,
            Some(Code::TooMuchOutput) => Self::OutputLimit,
            Some(Code::TooManyProcesses | Code::ScratchFull | Code::Crashed | Code::CouldNotStart) => Self::RunTime,
            Some(Code::BuildFailed) => Self::Compile,
            Some(Code::JudgeError) => Self::Judge,
        }
    }
}

/// The judgement of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// When it was built, in seconds since the beginning of 1970 in UTC.
    pub begun: u64,
    /// When it ended, and how; `None` while runs are executed, and while the organiser has to look at it.
    pub ended: Option<(u64, Outcome)>,
    /// Its score so far: never negative, more is better.
    pub score: f64,
    /// The same for people: the points themselves, also where fewer are better.
    pub shown: f64,
    /// Its finished runs, by number.
    pub runs: Vec<Run>,
    /// The number of all its runs.
    pub of: usize,
}

impl Judgement {
    /// The longest time of its runs, in microseconds.
    pub fn longest_us(&self) -> Option<u64> {
        self.runs.iter().filter_map(|run| run.wall_us).max()
    }
}

/// A finished run of a submission on one board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The number of its board, from 1.
    pub ordinal: usize,
    /// How the run ended, without the reason.
    pub outcome: Outcome,
    /// When it was recorded, in seconds since the beginning of 1970 in UTC.
    pub at: u64,
    /// Wall clock in microseconds; `None` if nothing ran.
    pub wall_us: Option<u64>,
}

/// The judgements of one state for one viewer.
pub struct Judgements<'a> {
    state: &'a State,
    contents: &'a Contents,
    viewer: &'a Viewer,
    ends: Ends<'a>,
    /// The last round that the viewer may see.
    last: u32,
    /// The runs of each entry that are shown one by one.
    runs: HashMap<&'a str, Vec<usize>>,
    /// The runs of each entry from which its score is, as far as the viewer may see them.
    scored: HashMap<&'a str, Vec<usize>>,
    waiting: HashSet<u32>,
}

impl<'a> Judgements<'a> {
    /// Looks at a state of office and contest with the eyes of a viewer.
    pub fn new(state: &'a State, contents: &'a Contents, viewer: &'a Viewer) -> Self {
        let last = last_round(state, contents, viewer);
        let mut runs: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut scored = runs.clone();
        for (index, key) in contents.order.iter().enumerate() {
            if key.round > last || key.repeat != 1 || contents.struck.contains_key(&*key.board) {
                continue;
            }
            scored.entry(&key.entry).or_default().push(index);
            if key.round == 1 {
                runs.entry(&key.entry).or_default().push(index);
            }
        }
        let waiting = waiting(state, contents).into_iter().map(|submission| submission.number).collect();
        Self { state, contents, viewer, ends: Ends::new(state, contents), last, runs, scored, waiting }
    }

    /// The boards whose runs are numbered, in their order.
    pub fn boards(contents: &Contents) -> Vec<&str> {
        let rounds = contents.plan.rounds_of_boards();
        let first = contents.plan.boards.iter().zip(rounds).filter(|(_, round)| *round == 1);
        first.map(|(board, _)| &*board.name).filter(|name| !contents.struck.contains_key(*name)).collect()
    }

    /// Tests whether the viewer may see what becomes of a submission.
    pub fn sees(&self, submission: &Submission) -> bool {
        self.viewer.sees(submission, self.state)
    }

    /// A number that changes with the judgement of a submission.
    pub fn mark(&self, submission: &Submission) -> u64 {
        let (entry, mut mark) = (submission.entry(), DefaultHasher::new());
        let shown = self.sees(submission) && !self.waiting.contains(&submission.number);
        (shown, self.sees(submission)).hash(&mut mark);
        if shown {
            let standing = self.state.standing(submission.number);
            (standing.cancelled, standing.ignored.is_some(), standing.held.is_some()).hash(&mut mark);
            self.ends.is_late(submission).hash(&mut mark);
            self.contents.withdrawn.get(&entry).map(|withdrawal| &withdrawal.reason).hash(&mut mark);
            self.ends.builds.get(&*entry).map(|build| build.attempt).hash(&mut mark);
            for &index in self.scored.get(&*entry).into_iter().flatten() {
                let board = self.contents.order.get(index).map(|key| &key.board);
                (board, self.contents.records.by_run(index).map(mark_of)).hash(&mut mark);
            }
        }
        mark.finish()
    }

    /// The judgements of these submissions; `None` of those that wait, and of those that the viewer may not see. It costs one
    /// look at all records.
    pub fn of(&self, submissions: &[&Submission]) -> Vec<Option<Judgement>> {
        let is_shown = |submission: &&&Submission| self.sees(submission) && !self.waiting.contains(&submission.number);
        let names: Vec<String> = submissions.iter().filter(is_shown).map(|submission| submission.entry()).collect();
        let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
        // As if nothing were withdrawn: a judgement is there whether it counts or not.
        let results = Results::from_entries_until(self.contents, &wanted, &BTreeMap::new(), self.last);
        let columns: HashMap<&str, usize> = results.boards.iter().map(|board| &*board.name).zip(0..).collect();
        let ordinals: HashMap<&str, usize> = Self::boards(self.contents).into_iter().zip(1..).collect();
        let rows: HashMap<&str, &Row> = results.rows.iter().map(|row| (&*row.entry.name, row)).collect();
        let judgement = |submission: &&Submission| {
            let entry = submission.entry();
            let row = rows.get(&*entry).copied();
            let mut runs: Vec<Run> = Vec::new();
            for &index in self.runs_of(&entry) {
                let Some(record) = self.contents.records.by_run(index).filter(|record| !record.is_judge_error()) else {
                    continue;
                };
                let (board, found) = (&*record.key.board, |of: &HashMap<&str, usize>, board| of.get(board).copied());
                let Some((column, ordinal)) = found(&columns, board).zip(found(&ordinals, board)) else { continue };
                let at = record.at.map_or(0, Date::unix);
                let Some(cell) = row.and_then(|row| row.cells.get(column)) else { continue };
                let outcome = Outcome::of_run(cell);
                runs.push(Run { ordinal, outcome, at, wall_us: record.wall_us });
            }
            runs.sort_by_key(|run| run.ordinal);
            self.judgement(submission, runs, row.map_or((0.0, 0.0), |row| (score(row), shown(row))))
        };
        submissions.iter().map(|submission| is_shown(&submission).then(|| judgement(submission))).collect()
    }

    fn judgement(&self, submission: &Submission, runs: Vec<Run>, (score, shown): (f64, f64)) -> Judgement {
        let (entry, of) = (submission.entry(), self.runs_of(&submission.entry()).len());
        let arrived = self.state.submission(submission.number).map_or(0, |(at, _)| at);
        let built = |entry: &str| self.contents.versions.get(entry)?.first()?.at.map(Date::unix);
        // A clock that was set back makes no judgement before its submission.
        let begun = built(&entry).unwrap_or(arrived).max(arrived);
        let last = runs.iter().map(|run| run.at).max().unwrap_or(begun).max(begun);
        let is_complete = || self.ends.is_complete(&entry, self.runs_of(&entry).iter().copied());
        let ended = match self.ends.of(submission, is_complete) {
            End::Pending => None,
            End::Cancelled => Some((last, Outcome::Cancelled)),
            End::Unbuilt => Some((begun, Outcome::Compile)),
            End::Complete => {
                let worst = runs.iter().map(|run| run.outcome).find(|outcome| *outcome != Outcome::Accepted);
                let outcome = match is_pass_fail(self.contents) {
                    true => worst.unwrap_or(Outcome::Accepted),
                    false if score > 0.0 => Outcome::Accepted,
                    false => worst.unwrap_or(Outcome::Wrong),
                };
                Some((last, outcome))
            }
            End::Superseded(by) => Some((built(&by).unwrap_or(last).max(last), Outcome::Cancelled)),
        };
        Judgement { begun, ended, score, shown, runs, of }
    }

    fn runs_of(&self, entry: &str) -> &[usize] {
        self.runs.get(entry).map_or(&[], Vec::as_slice)
    }
}

/// Everything of a record that a judgement shows, to be compared with that of another moment.
fn mark_of(record: &Record) -> impl Hash + use<> {
    let score = record.verdict.score();
    let score = score.map(|of| (of.progress, of.of, of.moves, of.tie_break, of.points.map(|points| points.units())));
    let verdict = (std::mem::discriminant(&record.verdict), score);
    (record.attempt, record.at.map(Date::unix), record.wall_us, record.is_judge_error(), verdict)
}

/// What a unit of progress is worth in the score of a contest without points.
const PROGRESS: f64 = 1e6;
/// What an answer that did not fail is worth if fewer points are better, before they are taken from it.
const MAX_POINTS: f64 = 1e9;

/// The score of a row as a number that is not negative, of which more is better.
fn score(row: &Row) -> f64 {
    let score = match (&row.scoring, row.total.points) {
        (Some(scoring), Some(points)) if scoring.direction == Direction::Down => {
            let none = Faults { boards: row.planned(), unsolved: row.planned(), failed: row.planned() };
            // Beyond half of it they make no difference, so that no failure is better than any points.
            let most = MAX_POINTS / 2.0 - 1.0;
            number(none.count() - Faults::of(row).count()) * MAX_POINTS - points.to_f64().clamp(-most, most)
        }
        (Some(_), Some(points)) => points.to_f64(),
        (Some(_), None) => 0.0,
        (None, _) if row.judged_by() == JudgedBy::Acceptance => figure(row.total.progress),
        (None, _) => figure(row.total.progress) * PROGRESS - behind(row),
    };
    score.max(0.0)
}

/// The score of a row as people read it.
fn shown(row: &Row) -> f64 {
    let is_down = row.scoring.as_ref().is_some_and(|scoring| scoring.direction == Direction::Down);
    if is_down { row.total.points.map_or(0.0, |points| points.to_f64()) } else { score(row) }
}

/// What places depend on before moves, and before points of which fewer are better: boards that are not solved, then failed runs.
struct Faults {
    boards: usize,
    unsolved: usize,
    failed: usize,
}

impl Faults {
    fn of(row: &Row) -> Self {
        let boards = row.planned();
        let solved = row.cells.iter().filter(|cell| cell.solves(cell.of)).count();
        let failed = row.cells.iter().filter(|cell| cell.code.is_some()).count();
        Self { boards, unsolved: boards.saturating_sub(solved), failed: failed.min(boards) }
    }

    /// Both as one number: one more board that is not solved is worse than all failed runs.
    fn count(&self) -> usize {
        self.unsolved * (self.boards + 1) + self.failed
    }
}

/// What is below one unit of progress, less than [`PROGRESS`]: faults, then moves, as in the usual ranking. Moves beyond its share
/// make no difference, so that the score never contradicts the places.
fn behind(row: &Row) -> f64 {
    let faults = Faults::of(row);
    let each = (PROGRESS / number((faults.boards + 1) * (faults.boards + 1))).floor().max(1.0);
    let behind = number(faults.count()) * each + figure(row.total.moves).min(each - 1.0);
    behind.min(PROGRESS - 1.0)
}

#[allow(clippy::cast_precision_loss, reason = "a contest has few boards")]
fn number(count: usize) -> f64 {
    count as f64
}

#[allow(clippy::cast_precision_loss, reason = "far below the numbers that a float cannot have")]
fn figure(figure: Option<u64>) -> f64 {
    figure.unwrap_or_default() as f64
}

#[cfg(test)]
mod tests;
