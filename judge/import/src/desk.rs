//! The state of a verification: work that was requested, which workers take, and results, which they put back.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::ImportError;
use crate::outcome::time_text;
use judge_core::journal::{Pass, Record, stderr_of};
use judge_core::key::RunKey;
use judge_core::points::Points;
use judge_core::verdict::Verdict;
use judge_job::Contention;
use judge_package::{CaseResult, CaseScore, GraderCall, Judgement, Total, WallClock};

/// A finished run of a submission on one test case.
pub(crate) struct CaseRun {
    /// Its judgement and score under the limit of the bench.
    pub(crate) result: CaseResult,
    /// The least time limit under which it is not too slow, in seconds: its CPU time, or more if it waited.
    pub(crate) seconds: f64,
    /// Its wall-clock time in seconds, if it waited so long that this time counts.
    pub(crate) waited: Option<f64>,
    /// The reason of the verdict and the remarks of the validator.
    pub(crate) message: String,
    /// The file with its standard error, if it crashed.
    pub(crate) stderr: Option<PathBuf>,
}

impl CaseRun {
    /// The time that counts, in words.
    pub(crate) fn time(&self) -> String {
        time_text(self.seconds, self.waited)
    }

    /// The run of a submission that could not be built.
    pub(crate) fn unbuilt() -> Self {
        let result = CaseResult { judgement: Judgement::CompileError, score: None };
        Self { result, seconds: 0.0, waited: None, message: String::new(), stderr: None }
    }
}

/// The ruling of the validator on an output of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputRuling {
    Accepted,
    /// Rejected, with the message of the validator.
    Rejected(String),
    /// The validator failed, with the reason.
    Failed(String),
}

/// A piece of work that a worker takes from the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// An output of the package, by its index, given to the validator.
    Output(usize),
    /// A call of the grader for a submission.
    Grade(usize, GraderCall),
    /// A submission on a test case.
    Run(usize, usize),
}

/// The place of a piece in the order: outputs first, then submission by submission.
type Place = (bool, usize, usize);

impl Piece {
    fn place(&self) -> Place {
        match self {
            Self::Output(index) => (false, *index, 0),
            Self::Grade(submission, _) => (true, *submission, 0),
            Self::Run(submission, case) => (true, *submission, case + 1),
        }
    }
}

/// The facts that turn records into results.
pub(crate) struct Reading {
    /// Submission and test case of each run.
    pub(crate) places: HashMap<RunKey, (usize, usize)>,
    /// The first test case with the same input, answer and arguments, for each test case.
    pub(crate) same_as: Vec<usize>,
    /// True if the validator gives its own scores.
    pub(crate) scores: bool,
    /// Points that only mean that a run was accepted, by the name of the board.
    pub(crate) usual: HashMap<String, Points>,
    /// The limit for wall-clock time that goes with one for CPU time.
    pub(crate) clock: WallClock,
}

/// The requested pieces and the results.
pub(crate) struct Desk {
    reading: Reading,
    known: Mutex<Known>,
    changed: Condvar,
}

/// The state of a verification at one moment.
#[derive(Default)]
pub(crate) struct Known {
    runs: HashMap<(usize, usize), CaseRun>,
    grades: HashMap<GraderCall, Total>,
    outputs: HashMap<usize, OutputRuling>,
    /// The submissions with new results since `take_fresh`.
    fresh: BTreeSet<usize>,
    wanted: BTreeMap<Place, Piece>,
    under_way: BTreeSet<Place>,
    failure: Option<ImportError>,
    closed: bool,
    same_as: Vec<usize>,
}

impl Known {
    /// The run of a submission on a test case, if it has finished.
    pub(crate) fn run(&self, submission: usize, case: usize) -> Option<&CaseRun> {
        self.runs.get(&(submission, self.same_as[case]))
    }

    /// The result of a call of the grader, if it has finished.
    pub(crate) fn grade(&self, call: &GraderCall) -> Option<Total> {
        self.grades.get(call).copied()
    }

    /// The ruling of the validator on an output, if there is one.
    pub(crate) fn output(&self, index: usize) -> Option<&OutputRuling> {
        self.outputs.get(&index)
    }

    /// The submissions with results since the last call.
    pub(crate) fn take_fresh(&mut self) -> BTreeSet<usize> {
        mem::take(&mut self.fresh)
    }

    /// Requests a piece, unless it is known, requested or in progress.
    pub(crate) fn want(&mut self, piece: Piece) {
        let piece = match piece {
            Piece::Run(submission, case) => Piece::Run(submission, self.same_as[case]),
            other => other,
        };
        let is_known = match &piece {
            Piece::Output(index) => self.outputs.contains_key(index),
            Piece::Grade(_, call) => self.grades.contains_key(call),
            Piece::Run(submission, case) => self.runs.contains_key(&(*submission, *case)),
        };
        if !is_known && !self.under_way.contains(&piece.place()) {
            self.wanted.entry(piece.place()).or_insert(piece);
        }
    }
}

impl Desk {
    pub(crate) fn new(reading: Reading) -> Self {
        let known = Known { same_as: reading.same_as.clone(), ..Known::default() };
        Self { reading, known: Mutex::new(known), changed: Condvar::new() }
    }

    /// The present state, locked against changes.
    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        // No code that may panic runs while it is half changed.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `ready` returns something. It is called after each new result, and may request more pieces.
    ///
    /// Fails if a worker failed, or if nothing is requested and `ready` still returns nothing.
    pub(crate) fn wait<T>(&self, mut ready: impl FnMut(&mut Known) -> Option<T>) -> Result<T, ImportError> {
        let mut known = self.known();
        loop {
            let found = ready(&mut known);
            if !known.wanted.is_empty() {
                self.changed.notify_all();
            }
            if let Some(found) = found {
                return Ok(found);
            }
            if let Some(failure) = known.failure.take() {
                return Err(failure);
            }
            if known.wanted.is_empty() && known.under_way.is_empty() {
                return Err(ImportError::Inconsistent(
                    "the verification waits for results that no run will give".into(),
                ));
            }
            known = self.changed.wait(known).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets workers take pieces from now on, also after [`Self::close`].
    pub(crate) fn open(&self) {
        self.known().closed = false;
    }

    /// Ends the work: no worker takes another piece.
    pub(crate) fn close(&self) {
        self.known().closed = true;
        self.changed.notify_all();
    }

    /// Takes the next piece. Waits for one; `None` if there will be no more.
    pub(crate) fn take(&self) -> Option<Piece> {
        let mut known = self.known();
        loop {
            if known.closed || known.failure.is_some() {
                return None;
            }
            if let Some((place, piece)) = known.wanted.pop_first() {
                known.under_way.insert(place);
                return Some(piece);
            }
            known = self.changed.wait(known).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records a failure, which ends the verification. The first one is the reason.
    pub(crate) fn fail(&self, failure: ImportError) {
        self.known().failure.get_or_insert(failure);
        self.changed.notify_all();
    }

    /// Records the result of a call of the grader.
    pub(crate) fn graded(&self, submission: usize, call: GraderCall, total: Total) {
        let mut known = self.known();
        known.under_way.remove(&Piece::Grade(submission, call.clone()).place());
        known.grades.insert(call, total);
        known.fresh.insert(submission);
        drop(known);
        self.changed.notify_all();
    }

    /// Records the ruling on an output.
    pub(crate) fn ruled(&self, index: usize, ruling: OutputRuling) {
        let mut known = self.known();
        known.under_way.remove(&Piece::Output(index).place());
        known.outputs.insert(index, ruling);
        drop(known);
        self.changed.notify_all();
    }

    /// Records a run of this results directory.
    pub(crate) fn finished(&self, record: &Record, results: &Path) {
        let Some(&(submission, case)) = self.reading.places.get(&record.key) else { return };
        let Reading { scores, usual, .. } = &self.reading;
        let given = |points: &Points| *scores && usual.get(&*record.key.board) != Some(points);
        self.put((submission, case), run_of(record, results, self.reading.clock, given));
    }

    /// Records the result of a submission on a test case.
    pub(crate) fn put(&self, (submission, case): (usize, usize), run: CaseRun) {
        let mut known = self.known();
        known.under_way.remove(&Piece::Run(submission, case).place());
        known.runs.insert((submission, case), run);
        known.fresh.insert(submission);
        drop(known);
        self.changed.notify_all();
    }
}

/// The run of a record. `given` checks whether points are a score of the validator.
fn run_of(record: &Record, results: &Path, clock: WallClock, given: impl Fn(&Points) -> bool) -> CaseRun {
    let judgement = judgement_of(&record.verdict);
    let points = record.verdict.given().and_then(|given| given.figures.first()).filter(given);
    let score = points.and_then(|points| points.to_string().parse().ok()).map(CaseScore::Points);
    let Times { cpu, wall } = Times::of(record);
    let by_wall = wall.map_or(0.0, |wall| clock.least_limit(wall));
    let (seconds, waited) = if by_wall > cpu { (by_wall, wall) } else { (cpu, None) };
    let message: Vec<String> = record.verdict.fault().into_iter().chain(record.extras.notes.iter().cloned()).collect();
    let crashed = matches!(record.verdict, Verdict::Crashed { .. });
    let stderr = crashed.then(|| stderr_of(results, record));
    CaseRun { result: CaseResult { judgement, score }, seconds, waited, message: message.join("; "), stderr }
}

/// The times of a run, or of its longest pass, for which the limit holds; in seconds.
struct Times {
    /// CPU time, or wall-clock time if that was not measured.
    cpu: f64,
    /// Wall-clock time without what other processes may have cost it; `None` if that is unknown.
    wall: Option<f64>,
}

impl Times {
    #[expect(clippy::cast_precision_loss, reason = "a run takes fewer microseconds than a float counts exactly")]
    fn of(record: &Record) -> Self {
        let longest = |time: fn(&Pass) -> Option<u64>| record.extras.passes.iter().filter_map(time).max();
        let cpu = longest(|pass| pass.cpu_us.or(pass.wall_us)).or(record.usage.cpu_us).or(record.wall_us);
        let lost = match (&record.extras.suspect, &record.contention) {
            (None, _) => Some(0),
            (Some(_), contention) => contention.as_ref().and_then(Contention::most_lost_us),
        };
        let wall = longest(|pass| pass.wall_us).or(record.wall_us).zip(lost);
        let seconds = |us: u64| us as f64 / 1e6;
        Self {
            cpu: seconds(cpu.unwrap_or_default()),
            wall: wall.map(|(wall, lost)| seconds(wall.saturating_sub(lost))),
        }
    }
}

/// The judgement of the package format for a verdict.
pub(crate) fn judgement_of(verdict: &Verdict) -> Judgement {
    match verdict {
        Verdict::Solved(_) | Verdict::Valid(_) => Judgement::Accepted,
        Verdict::Unsolved(_) | Verdict::Wrong { .. } | Verdict::IllegalMove { .. } => Judgement::WrongAnswer,
        Verdict::TimedOut | Verdict::OutOfCpu => Judgement::TimeLimit,
        Verdict::TooMuchOutput => Judgement::OutputLimit,
        Verdict::OutOfMemory
        | Verdict::TooManyProcesses
        | Verdict::ScratchFull
        | Verdict::Crashed { .. }
        | Verdict::CouldNotStart { .. } => Judgement::RunTimeError,
        Verdict::BuildFailed { .. } => Judgement::CompileError,
        Verdict::JudgeError { .. } => Judgement::JudgeError,
    }
}
