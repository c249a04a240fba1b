//! Runs of submissions on test cases: each one once, when it is asked for.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::super::builds::{Builds, Site, build_entries};
use super::super::isolation::contest_executor;
use super::super::progress::Shown;
use super::super::{Failure, clock};
use super::grader::Grader;
use judge_contest::journal::Journal;
use judge_contest::schedule::{Event, PendingRun, Runner, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::journal::{Header, Record};
use judge_core::key::RunKey;
use judge_core::points::Points;
use judge_core::verdict::Verdict;
use judge_package::{CaseResult, CaseScore, GraderCall, GraderPlan, Judgement, Package, Total, Version, Written};
use judge_sandbox::{Executor as _, Interrupt, Interrupted, IsolationMode, Limits, LocalExecutor};

/// A finished run of a submission on one test case.
pub(super) struct Run {
    /// Its judgement and score under the limit of the bench.
    pub(super) result: CaseResult,
    /// CPU time in seconds, or wall-clock time if that was not measured.
    pub(super) seconds: f64,
    /// The reason of the verdict and the remarks of the validator.
    pub(super) message: String,
}

/// A contest made of a package, with the runs so far.
pub(super) struct PackageContest<'i> {
    contest: Contest,
    executor: LocalExecutor<'i>,
    interrupt: &'i Interrupt,
    slots: Vec<Vec<usize>>,
    builds: Builds,
    order: Vec<RunKey>,
    /// Index in the order, by submission and test case.
    index: HashMap<(usize, usize), usize>,
    /// The results directory of the runs under the present limit.
    results: PathBuf,
    journal: Journal,
    /// Runs by submission and test case.
    runs: HashMap<(usize, usize), Run>,
    /// The first test case with the same input, answer and arguments, for each test case.
    same_as: Vec<usize>,
    /// True if the validator gives scores of its own.
    scores: bool,
    /// Points that only say that a run was accepted, by the name of the board.
    usual: HashMap<String, Points>,
    /// The grader of the package, with what it has graded.
    grader: Option<Grader>,
    pub(super) written: Written,
}

impl<'i> PackageContest<'i> {
    /// Builds the submissions of a contest that was written to a folder.
    pub(super) fn new(
        package: &Package,
        (written, grader): (Written, Option<GraderPlan>),
        folder: &Path,
        limit: f64,
        jobs: Option<NonZeroUsize>,
        isolation: IsolationMode,
        interrupt: &'i Interrupt,
    ) -> Result<Self, Failure> {
        if written.entries.is_empty() && written.skipped.is_empty() {
            let reason = "the package has no submission to run; --verify needs one, and a package without a time limit \
                          needs --limit TIME";
            return Err(Failure::input(reason));
        }
        if written.entries.is_empty() {
            let reasons: Vec<String> = written.skipped.iter().map(|skipped| skipped.reason.clone()).collect();
            return Err(Failure::input(format!("no submission can be run here: {}", reasons.join("; "))));
        }
        let mut contest = Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
        set_limits(&mut contest, limit);
        let executor = contest_executor(&contest, isolation, interrupt)?;
        let order = contest.plan.turns();
        let results = folder.with_file_name("results");
        let journal = new_results(&contest, &order, &results)?;
        let site = Site { results: &results, keeps_logs: false, shown: Shown::Nothing, interrupt };
        let builds = build_entries(&contest, &site, None)?;
        let limits = &package.metadata.limits;
        let grader = grader.map(|plan| Grader::new(plan, &contest, limits, &site)).transpose()?;
        let places: HashMap<(&str, &str), usize> =
            order.iter().enumerate().map(|(at, key)| ((&*key.entry, &*key.board), at)).collect();
        let mut index = HashMap::new();
        for entry in &written.entries {
            for (case, board) in written.boards.iter().enumerate() {
                if let Some(at) = places.get(&(entry.name.as_str(), board.as_str())) {
                    index.insert((entry.submission, case), *at);
                }
            }
        }
        let limits: Vec<Limits> = contest.plan.entries.iter().map(|entry| contest.plan.limits_of(entry)).collect();
        let slots = executor.capacity(&limits, jobs).slots;
        let current = package.metadata.version == Version::Current;
        let scores = package.metadata.scoring && !package.validators.is_empty();
        // Without a score of its own a run has the points of its board, which groups of legacy packages grade anew.
        let usual = contest.plan.boards.iter().filter(|_| !current && !package.metadata.score_required);
        let usual = usual.filter_map(|board| Some((board.name.clone(), board.points?))).collect();
        // A score of 2025-09 may be a share of what the group of the test case is worth.
        let same_as = match !package.metadata.legacy_grading && scores {
            true => (0..package.data.cases.len()).collect(),
            false => package.data.equal_cases().map_err(Failure::input)?,
        };
        let runs = HashMap::new();
        Ok(Self {
            contest,
            executor,
            interrupt,
            slots,
            builds,
            order,
            index,
            results,
            journal,
            runs,
            same_as,
            scores,
            usual,
            grader,
            written,
        })
    }

    /// Changes the limit for CPU time. Finished runs stay: their times show which runs a lower limit would have ended.
    pub(super) fn limit_to(&mut self, seconds: f64) -> Result<(), Failure> {
        set_limits(&mut self.contest, seconds);
        self.results = self.results.with_file_name("results-2");
        self.journal = new_results(&self.contest, &self.order, &self.results)?;
        Ok(())
    }

    /// The run of a submission on a test case, if it was made.
    pub(super) fn get(&self, submission: usize, case: usize) -> Option<&Run> {
        self.runs.get(&(submission, self.same_as[case]))
    }

    /// The result of a call of the grader, if it was made.
    pub(super) fn graded(&self, call: &GraderCall) -> Option<Total> {
        self.grader.as_ref()?.get(call)
    }

    /// Makes a call of the grader.
    pub(super) fn grade(&mut self, call: &GraderCall) -> Result<(), Failure> {
        match &mut self.grader {
            Some(grader) => grader
                .call(call, &self.executor)
                .map_err(|Interrupted| Failure::interrupted("interrupted", self.interrupt)),
            None => Ok(()),
        }
    }

    /// Executes the runs that are missing among these, and returns their number.
    pub(super) fn make(&mut self, wanted: &[(usize, usize)]) -> Result<usize, Failure> {
        let mut turns: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (submission, case) in wanted {
            let key = (*submission, self.same_as[*case]);
            if let Some(index) = self.index.get(&key).filter(|_| !self.runs.contains_key(&key)) {
                turns.insert(*index, key);
            }
        }
        let pending: Vec<PendingRun> = turns.keys().map(|&index| PendingRun { index, attempt: 1 }).collect();
        let runner = Runner::new(&self.contest, &self.order, &self.results, &self.slots).without(self.builds.unbuilt());
        let (runs, scores, usual) = (&mut self.runs, self.scores, &self.usual);
        let announce = |event: Event<'_>| {
            if let Event::Finished(record) = event {
                let given = |points: &Points| scores && usual.get(&*record.key.board) != Some(points);
                runs.insert(turns[&(record.seq - 1)], run_of(record, given));
            }
        };
        let made = runner.run(&pending, &self.executor, self.interrupt, &mut self.journal, announce);
        made.map_err(|stopped| match stopped {
            Stopped::Interrupted => Failure::interrupted("interrupted", self.interrupt),
            stopped => Failure::judge(stopped),
        })?;
        Ok(pending.len())
    }

    /// The slowest time of the submissions and test cases that bound the time limit from below, in seconds.
    pub(super) fn slowest_bounding(&mut self, package: &Package) -> Result<f64, Failure> {
        let mut wanted = Vec::new();
        for entry in &self.written.entries {
            let cases = package.timed_cases(&package.submissions[entry.submission].expectation);
            wanted.extend(cases.into_iter().map(|case| (entry.submission, case)));
        }
        self.make(&wanted)?;
        let accepted = |&(submission, case): &(usize, usize)| {
            self.get(submission, case).filter(|run| run.result.judgement == Judgement::Accepted).map(|run| run.seconds)
        };
        wanted.iter().filter_map(accepted).reduce(f64::max).ok_or_else(|| {
            Failure::input(
                "the package has no time limit, and no accepted submission that runs here; set one with --limit TIME",
            )
        })
    }
}

fn new_results(contest: &Contest, order: &[RunKey], results: &Path) -> Result<Journal, Failure> {
    std::fs::create_dir_all(results).map_err(|error| Failure::judge(format!("{}: {error}", results.display())))?;
    contest.keep_files(results).map_err(Failure::judge)?;
    let (plan, order) = (contest.plan.clone(), order.to_vec());
    let header = Header::new(contest.path.clone(), Overrides::default(), plan, order, BTreeMap::new(), None);
    Journal::create(results, header, clock).map_err(Failure::judge)
}

/// Sets the limit for CPU time, and one for wall-clock time that only programs which wait can reach.
fn set_limits(contest: &mut Contest, seconds: f64) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limits are at most 1e9 seconds")]
    let milliseconds = |seconds: f64| (seconds * 1000.0).ceil() as u64;
    let own = contest.plan.entries.iter_mut().filter_map(|entry| entry.limits.as_mut());
    for limits in own.chain([&mut contest.plan.limits]) {
        limits.cpu_ms = Some(milliseconds(seconds));
        limits.wall_ms = milliseconds(4.0 * seconds + 10.0);
    }
}

/// The run of a record. `given` checks whether points are a score of the validator.
fn run_of(record: &Record, given: impl Fn(&Points) -> bool) -> Run {
    let judgement = match &record.verdict {
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
    };
    let points = record.verdict.score().and_then(|score| score.points).filter(given);
    let score = points.and_then(|points| points.to_string().parse().ok()).map(CaseScore::Points);
    #[expect(clippy::cast_precision_loss, reason = "a run takes fewer microseconds than a float counts exactly")]
    let seconds = record.usage.cpu_us.or(record.wall_us).unwrap_or_default() as f64 / 1e6;
    let message: Vec<String> = record.verdict.fault().into_iter().chain(record.notes.iter().cloned()).collect();
    Run { result: CaseResult { judgement, score }, seconds, message: message.join("; ") }
}
