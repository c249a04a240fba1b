//! A contest created from a package, executed as far as a verification needs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::import::error::ImportError;
use crate::import::grader::Grader;
use crate::import::statics::Statics;
use crate::import::work_queue::{CaseRun, OutputRuling, ResultContext, WorkItem, WorkQueue, judgement_of};
use judge_contest::external::RefereeContext;
use judge_contest::open_contest::{Event, OpenContest, StartOptions};
use judge_contest::schedule::{Local, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::date::Date;
use judge_core::journal::Built;
use judge_core::key::RunKey;
use judge_core::plan::Plan;
use judge_core::referee::{Referee as _, RefereeError};
use judge_job::{Executor, Interrupted, Limits, StopRequest};
use judge_package::{GraderCall, Judgement, Package, Total, Version, WallClock, Written};

/// An output that the package has, for the validator.
pub(crate) struct Output {
    /// The path below `data`, with its ending.
    pub(crate) name: String,
    pub(crate) kind: OutputKind,
    /// Index of its board among those that were written.
    board: usize,
    file: PathBuf,
}

/// The kind of an output, which decides how the validator should rule on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputKind {
    /// The judge's answer to a sample.
    SampleAnswer,
    /// The judge's answer to another test case.
    Answer,
    /// An output that the validator must accept.
    Valid,
    /// An output that the validator must reject.
    Invalid,
}

/// A contest that was written for a package to a folder, before its submissions are built.
pub(crate) struct PreparedPackage {
    /// The contest, with the limits of a verification.
    pub(crate) contest: Contest,
    written: Written,
    folder: PathBuf,
    needed: HashSet<String>,
}

impl PreparedPackage {
    /// Loads the contest of a folder, to run these submissions under a limit for CPU time in seconds.
    ///
    /// # Errors
    ///
    /// None of them can be run here, or the contest cannot be read.
    pub(crate) fn new(written: Written, folder: &Path, submissions: &[usize], limit: f64) -> Result<Self, ImportError> {
        if written.entries.is_empty() && written.skipped.is_empty() {
            return Err(ImportError::NoSubmission);
        }
        let entries = written.entries.iter().filter(|entry| submissions.contains(&entry.submission));
        let needed: HashSet<String> = entries.map(|entry| entry.name.clone()).collect();
        if needed.is_empty() {
            let reasons = written.skipped.iter().filter(|skipped| submissions.contains(&skipped.submission));
            return Err(ImportError::NothingRuns { reasons: reasons.map(|skipped| skipped.reason.clone()).collect() });
        }
        let results = folder.with_file_name("results");
        std::fs::create_dir_all(&results).map_err(ImportError::io(&results))?;
        Ok(Self { contest: load(folder, limit, written.clock)?, written, folder: folder.to_owned(), needed })
    }

    /// The names of the entries to build.
    pub(crate) fn needed(&self) -> &HashSet<String> {
        &self.needed
    }

    /// The submissions as entries of the contest.
    pub(crate) fn written(&self) -> &Written {
        &self.written
    }

    /// The folder for results and for logs of builds.
    pub(crate) fn results(&self) -> PathBuf {
        self.folder.with_file_name("results")
    }
}

/// Programs built next to the contest of a package, and the results of its builds.
#[derive(Default)]
pub(crate) struct Helpers {
    /// The entries that could not be built, with the reason.
    pub(crate) unbuilt: BTreeMap<String, Built>,
    /// The grader, if it runs here.
    pub(crate) grader: Option<Grader>,
    /// The static validator, if there is one.
    pub(crate) statics: Option<Statics>,
}

/// The executor of a package's programs, with the caller's settings.
pub(crate) struct VerificationOptions<'i> {
    /// The executor of submissions, validators and the grader.
    pub(crate) executor: Box<dyn Executor + 'i>,
    /// The caller's request to stop.
    pub(crate) stop: &'i dyn StopRequest,
    /// The most runs at a time; `None` for as many as do not disturb each other.
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The clock of the contest; its lines have no dates if it has none.
    pub(crate) clock: fn() -> Option<Date>,
    /// Receives a group and the reason if the grader failed on it.
    pub(crate) grader_failed: &'i (dyn Fn(&str, &str) + Sync),
}

/// A contest created from a package, with its progress.
pub(crate) struct PackageContest<'i> {
    place: VerificationOptions<'i>,
    slots: Vec<Vec<usize>>,
    /// The folder with the contest file.
    folder: PathBuf,
    open_contest: OpenContest,
    /// The run of each submission on each test case.
    keys: HashMap<(usize, usize), RunKey>,
    /// The requested work and its results.
    pub(crate) queue: Arc<WorkQueue>,
    helpers: Helpers,
    /// The outputs that the package has for its own validator.
    pub(crate) outputs: Vec<Output>,
    pub(crate) written: Written,
}

impl<'i> PackageContest<'i> {
    /// Begins the contest of a package whose submissions and other programs were built.
    ///
    /// # Errors
    ///
    /// The package cannot be read any more, or the journal cannot be written.
    pub(crate) fn new(
        package: &Package,
        prepared: PreparedPackage,
        helpers: Helpers,
        place: VerificationOptions<'i>,
    ) -> Result<Self, ImportError> {
        let results = prepared.results();
        let PreparedPackage { contest, written, folder, .. } = prepared;
        let limits: Vec<Limits> = contest.plan.entries.iter().flat_map(|entry| contest.plan.limits_of(entry)).collect();
        let slots = place.executor.capacity(&limits, place.jobs).slots;
        let keys: HashMap<(usize, usize), RunKey> = {
            let boards: HashMap<&str, usize> =
                written.boards.iter().enumerate().map(|(case, board)| (board.as_str(), case)).collect();
            let of_entry: HashMap<&str, usize> =
                written.entries.iter().map(|entry| (entry.name.as_str(), entry.submission)).collect();
            let place = |key: &RunKey| Some((*of_entry.get(&*key.entry)?, *boards.get(&*key.board)?));
            contest.plan.start_order().into_iter().filter_map(|key| Some((place(&key)?, key))).collect()
        };
        let queue = Arc::new(WorkQueue::new(reading(package, &contest, &keys)?));
        let open_contest = begin(contest, &results, &helpers.unbuilt, &queue, place.clock)?;
        let outputs = outputs(package);
        Ok(Self { place, slots, folder, open_contest, keys, queue, helpers, outputs, written })
    }

    /// Changes the limit for CPU time. Finished runs stay: their times show which runs a lower limit would have ended.
    ///
    /// # Errors
    ///
    /// The contest cannot be read any more, or its journal cannot be written.
    pub(crate) fn limit_to(&mut self, seconds: f64) -> Result<(), ImportError> {
        let results = self.folder.with_file_name("results-2");
        let contest = load(&self.folder, seconds, self.written.clock)?;
        self.open_contest = begin(contest, &results, &self.helpers.unbuilt, &self.queue, self.place.clock)?;
        Ok(())
    }

    /// Lets workers execute requested work while `follow` runs.
    pub(crate) fn work<T>(&self, mut follow: impl FnMut() -> Result<T, ImportError>) -> Result<T, ImportError> {
        self.queue.open();
        std::thread::scope(|scope| {
            for slot in &self.slots {
                scope.spawn(move || self.serve(slot));
            }
            let followed = follow();
            // Stops runs whose results are no longer needed.
            if followed.is_err() {
                self.place.stop.request();
            }
            self.queue.close();
            followed
        })
    }

    /// True if the grader of the package runs here.
    pub(crate) fn has_grader(&self) -> bool {
        self.helpers.grader.is_some()
    }

    /// Executes requested work on these processors until the queue is closed.
    fn serve(&self, slot: &[usize]) {
        let engine = Local::new(&*self.place.executor);
        while let Some(item) = self.queue.take() {
            let done = match item {
                WorkItem::Run(submission, case) => self.run(&engine, slot, (submission, case)),
                WorkItem::Output(index) => self.rule(index, slot).map(|ruling| self.queue.ruled(index, ruling)),
                WorkItem::Grade(submission, call) => {
                    self.grade(&call, slot).map(|total| self.queue.graded(submission, call, total))
                }
            };
            if let Err(failure) = done {
                return self.queue.fail(failure);
            }
        }
    }

    /// Calls the grader. A failure is a judge error of the group.
    fn grade(&self, call: &GraderCall, slot: &[usize]) -> Result<Total, ImportError> {
        let Some(grader) = &self.helpers.grader else {
            return Err(ImportError::Inconsistent("a grader was wanted that the package does not have".into()));
        };
        let result =
            grader.result(call, &*self.place.executor, slot).map_err(|Interrupted| ImportError::Interrupted)?;
        Ok(result.unwrap_or_else(|reason| {
            (self.place.grader_failed)(&call.group, &reason);
            Total { judgement: Judgement::JudgeError, score: None }
        }))
    }

    fn run(&self, engine: &Local<'_>, slot: &[usize], run: (usize, usize)) -> Result<(), ImportError> {
        if let Some(statics) = self.helpers.statics.as_ref().filter(|statics| statics.decides(run.1)) {
            return self.judge_statically(statics, slot, run);
        }
        let Some(key) = self.keys.get(&run) else {
            return Err(ImportError::Inconsistent("a run was wanted that the contest does not have".into()));
        };
        let chosen = |waiting: &[&RunKey]| waiting.iter().position(|waits| *waits == key);
        match self.open_contest.run_one(engine, slot, self.place.stop, chosen) {
            // The contest reports it to the queue.
            Ok(Some(_)) => Ok(()),
            Ok(None) => {
                Err(ImportError::Inconsistent(format!("{} on {} is not there to be run", key.entry, key.board)))
            }
            Err(Stopped::Interrupted) => Err(ImportError::Interrupted),
            Err(stopped) => Err(ImportError::Stopped(stopped)),
        }
    }

    /// Lets the static validator judge a submission. A submission that was not built has no files to judge.
    fn judge_statically(&self, statics: &Statics, slot: &[usize], run: (usize, usize)) -> Result<(), ImportError> {
        let mut entries = self.written.entries.iter();
        let unbuilt = entries
            .find(|entry| entry.submission == run.0)
            .filter(|entry| self.helpers.unbuilt.contains_key(&entry.name));
        let judged = match unbuilt {
            Some(_) => Ok(CaseRun::unbuilt()),
            None => statics.call(run, &self.open_contest.contest(), &*self.place.executor, slot),
        };
        judged.map(|judged| self.queue.put(run, judged)).map_err(|Interrupted| ImportError::Interrupted)
    }

    /// Has the validator rule on an output of the package.
    fn rule(&self, index: usize, slot: &[usize]) -> Result<OutputRuling, ImportError> {
        let output = &self.outputs[index];
        let contest = self.open_contest.contest();
        let board = &contest.plan.boards[output.board];
        let results = Some(self.open_contest.results());
        let context = RefereeContext { executor: &*self.place.executor, processors: slot.to_vec(), results };
        match contest.referee_on(context).rule(board, &output.file) {
            Ok(ruling) => {
                let message = || {
                    let reason = ruling.verdict.fault().into_iter();
                    reason.chain(ruling.notes.iter().cloned()).collect::<Vec<_>>().join("; ")
                };
                Ok(match judgement_of(&ruling.verdict) {
                    Judgement::Accepted => OutputRuling::Accepted,
                    Judgement::WrongAnswer => OutputRuling::Rejected(message()),
                    _ => OutputRuling::Failed(message()),
                })
            }
            Err(RefereeError::Interrupted) => Err(ImportError::Interrupted),
            Err(error) => Ok(OutputRuling::Failed(error.to_string())),
        }
    }

    /// The slowest time of the submissions and test cases that bound the time limit from below, in seconds. Passes a line
    /// about each submission to `report`, in the order of the package, as soon as it is measured.
    ///
    /// # Errors
    ///
    /// None of them is accepted, or a run was interrupted or failed.
    pub(crate) fn measure(&self, package: &Package, mut report: impl FnMut(&str)) -> Result<f64, ImportError> {
        let timed = |submission: usize| (submission, package.timed_cases(&package.submissions[submission].expectation));
        let wanted: Vec<(usize, Vec<usize>)> = self.written.entries.iter().map(|one| timed(one.submission)).collect();
        let mut slowest: Option<f64> = None;
        self.work(|| {
            for (submission, cases) in &wanted {
                cases.iter().for_each(|&case| self.queue.state().want(WorkItem::Run(*submission, case)));
            }
            for (submission, cases) in wanted.iter().filter(|(_, cases)| !cases.is_empty()) {
                let (line, seconds) = self.queue.wait(|state| {
                    let runs = cases.iter().map(|&case| Some((case, state.run(*submission, case)?)));
                    let runs = runs.collect::<Option<Vec<_>>>()?;
                    let accepted = runs.into_iter().filter(|(_, run)| run.result.judgement == Judgement::Accepted);
                    let longest = accepted.max_by(|(_, one), (_, other)| one.seconds.total_cmp(&other.seconds));
                    let path = &package.submissions[*submission].path;
                    Some(match longest {
                        None => (format!("{path}: accepted on no test case"), None),
                        Some((case, run)) => {
                            let place = package.data.result_name(case);
                            (format!("{path}: {} on {place}", run.time()), Some(run.seconds))
                        }
                    })
                })?;
                report(&line);
                slowest = seconds.into_iter().chain(slowest).reduce(f64::max);
            }
            Ok(())
        })?;
        slowest.ok_or(ImportError::NoAccepted)
    }
}

/// The contest in a folder with a limit for CPU time. Its limit for wall-clock time only ends programs that wait. A run
/// that waited too long is recognized by its time, without the time lost to other processes.
fn load(folder: &Path, seconds: f64, clock: WallClock) -> Result<Contest, ImportError> {
    let mut contest = Contest::load(folder, &Overrides::default())?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limits are at most 1e9 seconds")]
    let milliseconds = |seconds: f64| (seconds * 1000.0).ceil() as u64;
    let plan: &mut Plan = &mut contest.plan;
    let own = plan.entries.iter_mut().filter_map(|entry| entry.limits.as_mut());
    for limits in own.chain(plan.problems.iter_mut().map(|problem| &mut problem.limits)) {
        limits.cpu_ms = Some(milliseconds(seconds));
        limits.wall_ms = milliseconds(clock.end(seconds));
    }
    Ok(contest)
}

/// Begins the contest in a results directory, which reports its runs to the queue.
fn begin(
    contest: Contest,
    results: &Path,
    unbuilt: &BTreeMap<String, Built>,
    queue: &Arc<WorkQueue>,
    clock: fn() -> Option<Date>,
) -> Result<OpenContest, ImportError> {
    std::fs::create_dir_all(results).map_err(ImportError::io(results))?;
    let with = StartOptions { contest_file: contest.path.clone(), ..StartOptions::default() };
    let open_contest = OpenContest::begin(contest, results, with, clock)?;
    open_contest.set_unbuilt(unbuilt.clone());
    let (queue, results) = (queue.clone(), results.to_owned());
    open_contest.subscribe(move |event| {
        if let Event::Finished(record) = event {
            queue.finished(record, &results);
        }
        true
    });
    Ok(open_contest)
}

/// The facts that turn records of this contest into results of the package.
fn reading(
    package: &Package,
    contest: &Contest,
    keys: &HashMap<(usize, usize), RunKey>,
) -> Result<ResultContext, ImportError> {
    let current = package.metadata.version == Version::Current;
    let scores = package.metadata.scoring && !package.validators.is_empty();
    // A run without its own score has the points of its board, which groups of legacy packages grade again.
    let usual = contest.plan.boards.iter().filter(|_| !current && !package.metadata.score_required);
    let usual = usual.filter_map(|board| Some((board.name.clone(), board.points?))).collect();
    // A score of 2025-09 may be a share of the points of the test case's group.
    let same_as = match !package.metadata.legacy_grading && scores {
        true => (0..package.data.results()).collect(),
        false => {
            let mut same_as = package.data.equal_cases()?;
            same_as.extend(package.data.cases.len()..package.data.results());
            same_as
        }
    };
    let places = keys.iter().map(|(place, key)| (key.clone(), *place)).collect();
    Ok(ResultContext { places, same_as, scores, usual, clock: package.wall_clock() })
}

/// The outputs of a package that its own validator can rule on. Boards of tests follow those of test cases.
fn outputs(package: &Package) -> Vec<Output> {
    // An interactive or multi-pass validator cannot rule on a stored answer.
    if package.metadata.interactive || package.metadata.passes.is_some() {
        return Vec::new();
    }
    let mut outputs = Vec::new();
    // The default validator accepts the answer that it compares with.
    for (board, case) in package.data.cases.iter().enumerate().filter(|_| !package.validators.is_empty()) {
        if let Some(answer) = &case.answer {
            let kind = match case.name.starts_with("sample/") {
                true => OutputKind::SampleAnswer,
                false => OutputKind::Answer,
            };
            outputs.push(Output { name: format!("{}.ans", case.name), kind, board, file: answer.clone() });
        }
    }
    for (index, test) in package.outputs.iter().enumerate() {
        let kind = if test.accepts { OutputKind::Valid } else { OutputKind::Invalid };
        let (name, board) = (format!("{}.out", test.case.name), package.data.cases.len() + index);
        outputs.push(Output { name, kind, board, file: test.output.clone() });
    }
    outputs
}
