//! The state of a verification: work that was requested, which workers take, and results, which they put back.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::import::error::ImportError;
use crate::import::submission_result::time_text;
use judge_core::journal::{Pass, Record, stderr_of};
use judge_core::key::RunKey;
use judge_core::points::Points;
use judge_core::verdict::Verdict;
use judge_job::Contention;
use judge_package::{CaseResult, CaseScore, GraderCall, Judgement, Total, WallClock};

/// A finished run of a submission on one test case.
pub(crate) struct CaseRun {
    /// Its judgement and score under the limit of the contest.
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

/// Work that a worker takes from the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkItem {
    /// An output of the package, by its index, given to the validator.
    Output(usize),
    /// A call of the grader for a submission.
    Grade(usize, GraderCall),
    /// A submission on a test case.
    Run(usize, usize),
}

/// The place of an item in the order: outputs first, then submission by submission.
type Place = (bool, usize, usize);

impl WorkItem {
    fn place(&self) -> Place {
        match self {
            Self::Output(index) => (false, *index, 0),
            Self::Grade(submission, _) => (true, *submission, 0),
            Self::Run(submission, case) => (true, *submission, case + 1),
        }
    }
}

/// The facts that turn records into results.
pub(crate) struct ResultContext {
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

/// The requested items and the results.
pub(crate) struct WorkQueue {
    reading: ResultContext,
    state: Mutex<QueueState>,
    changed: Condvar,
}

/// The state of a verification at one moment.
#[derive(Default)]
pub(crate) struct QueueState {
    runs: HashMap<(usize, usize), CaseRun>,
    grades: HashMap<GraderCall, Total>,
    outputs: HashMap<usize, OutputRuling>,
    /// The submissions with new results since `take_updated`.
    updated: BTreeSet<usize>,
    wanted: BTreeMap<Place, WorkItem>,
    under_way: BTreeSet<Place>,
    failure: Option<ImportError>,
    closed: bool,
    same_as: Vec<usize>,
}

impl QueueState {
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
    pub(crate) fn take_updated(&mut self) -> BTreeSet<usize> {
        mem::take(&mut self.updated)
    }

    /// Requests an item, unless it is known, requested or in progress.
    pub(crate) fn want(&mut self, item: WorkItem) {
        let item = match item {
            WorkItem::Run(submission, case) => WorkItem::Run(submission, self.same_as[case]),
            other => other,
        };
        let is_known = match &item {
            WorkItem::Output(index) => self.outputs.contains_key(index),
            WorkItem::Grade(_, call) => self.grades.contains_key(call),
            WorkItem::Run(submission, case) => self.runs.contains_key(&(*submission, *case)),
        };
        if !is_known && !self.under_way.contains(&item.place()) {
            self.wanted.entry(item.place()).or_insert(item);
        }
    }
}

impl WorkQueue {
    pub(crate) fn new(reading: ResultContext) -> Self {
        let state = QueueState { same_as: reading.same_as.clone(), ..QueueState::default() };
        Self { reading, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The present state, locked against changes.
    pub(crate) fn state(&self) -> MutexGuard<'_, QueueState> {
        // No code that may panic runs while it is half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `ready` returns something. It is called after each new result, and may request more items.
    ///
    /// Fails if a worker failed, or if nothing is requested and `ready` still returns nothing.
    pub(crate) fn wait<T>(&self, mut ready: impl FnMut(&mut QueueState) -> Option<T>) -> Result<T, ImportError> {
        let mut state = self.state();
        loop {
            let found = ready(&mut state);
            if !state.wanted.is_empty() {
                self.changed.notify_all();
            }
            if let Some(found) = found {
                return Ok(found);
            }
            if let Some(failure) = state.failure.take() {
                return Err(failure);
            }
            if state.wanted.is_empty() && state.under_way.is_empty() {
                return Err(ImportError::Inconsistent(
                    "the verification waits for results that no run will give".into(),
                ));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets workers take items from now on, also after [`Self::close`].
    pub(crate) fn open(&self) {
        self.state().closed = false;
    }

    /// Ends the work: no worker takes another item.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Takes the next item. Waits for one; `None` if there will be no more.
    pub(crate) fn take(&self) -> Option<WorkItem> {
        let mut state = self.state();
        loop {
            if state.closed || state.failure.is_some() {
                return None;
            }
            if let Some((place, item)) = state.wanted.pop_first() {
                state.under_way.insert(place);
                return Some(item);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Records a failure, which ends the verification. The first one is the reason.
    pub(crate) fn fail(&self, failure: ImportError) {
        self.state().failure.get_or_insert(failure);
        self.changed.notify_all();
    }

    /// Records the result of a call of the grader.
    pub(crate) fn graded(&self, submission: usize, call: GraderCall, total: Total) {
        let mut state = self.state();
        state.under_way.remove(&WorkItem::Grade(submission, call.clone()).place());
        state.grades.insert(call, total);
        state.updated.insert(submission);
        drop(state);
        self.changed.notify_all();
    }

    /// Records the ruling on an output.
    pub(crate) fn ruled(&self, index: usize, ruling: OutputRuling) {
        let mut state = self.state();
        state.under_way.remove(&WorkItem::Output(index).place());
        state.outputs.insert(index, ruling);
        drop(state);
        self.changed.notify_all();
    }

    /// Records a run of this results directory.
    pub(crate) fn finished(&self, record: &Record, results: &Path) {
        let Some(&(submission, case)) = self.reading.places.get(&record.key) else { return };
        let ResultContext { scores, usual, .. } = &self.reading;
        let given = |points: &Points| *scores && usual.get(&*record.key.board) != Some(points);
        self.put((submission, case), run_of(record, results, self.reading.clock, given));
    }

    /// Records the result of a submission on a test case.
    pub(crate) fn put(&self, (submission, case): (usize, usize), run: CaseRun) {
        let mut state = self.state();
        state.under_way.remove(&WorkItem::Run(submission, case).place());
        state.runs.insert((submission, case), run);
        state.updated.insert(submission);
        drop(state);
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
    match (verdict, verdict.code()) {
        (Verdict::Solved(_) | Verdict::Valid(_), _) => Judgement::Accepted,
        (_, None) => Judgement::WrongAnswer,
        (_, Some(code)) => Judgement::of(code),
    }
}
