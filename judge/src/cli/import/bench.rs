//! A contest made of a package, conducted as far as a verification asks.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::builds::{Builds, Site, build_entries};
use super::super::isolation::contest_executor;
use super::super::progress::Shown;
use super::super::{Failure, clock, say};
use super::desk::{Desk, OutputRuling, Piece, Reading, Run, judgement_of};
use super::grader::Grader;
use super::statics::Statics;
use judge_contest::conduct::{Beginning, Conduct, Event};
use judge_contest::external::RefereeContext;
use judge_contest::schedule::{Local, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::key::RunKey;
use judge_core::referee::RefereeError;
use judge_package::{GraderPlan, Judgement, Package, ToolPlan, Version, Written};
use judge_sandbox::{Executor as _, Interrupt, Interrupted, IsolationMode, Limits, LocalExecutor, StopRequest as _};

/// An output that the package has, for the validator.
pub(super) struct Output {
    /// The path below `data`, with its ending.
    pub(super) name: String,
    pub(super) kind: OutputKind,
    /// Index of its board among those that were written.
    board: usize,
    file: PathBuf,
}

/// What an output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputKind {
    /// The judge's answer to a sample.
    SampleAnswer,
    /// The judge's answer to another test case.
    Answer,
    /// An output that the validator must accept.
    Valid,
    /// An output that the validator must reject.
    Invalid,
}

/// How submissions are run.
#[derive(Clone, Copy)]
pub(super) struct Running {
    /// Limit for CPU time, in seconds.
    pub(super) limit: f64,
    pub(super) jobs: Option<NonZeroUsize>,
    pub(super) isolation: IsolationMode,
}

/// Programs of a package that were written beside its contest, besides its validators.
pub(super) struct Helpers {
    pub(super) grader: Result<Option<GraderPlan>, Failure>,
    pub(super) static_validator: Option<ToolPlan>,
}

/// A contest made of a package, with what was done in it so far.
pub(super) struct PackageContest<'i> {
    executor: LocalExecutor<'i>,
    interrupt: &'i Interrupt,
    slots: Vec<Vec<usize>>,
    /// The folder with the contest file.
    folder: PathBuf,
    builds: Builds,
    conduct: Conduct,
    /// The run of each submission on each test case.
    keys: HashMap<(usize, usize), RunKey>,
    /// What is wanted and known.
    pub(super) desk: Arc<Desk>,
    grader: Option<Grader>,
    statics: Option<Statics>,
    /// The outputs that the package has for its own validator.
    pub(super) outputs: Vec<Output>,
    pub(super) written: Written,
}

impl<'i> PackageContest<'i> {
    /// Builds these submissions of a contest that was written to a folder, of a package with its tests of the validator.
    pub(super) fn new(
        package: &Package,
        (written, helpers): (Written, Helpers),
        folder: &Path,
        submissions: &[usize],
        running: Running,
        interrupt: &'i Interrupt,
    ) -> Result<Self, Failure> {
        if written.entries.is_empty() && written.skipped.is_empty() {
            let reason = "the package has no submission to run; --verify needs one, and a package without a time limit \
                          needs --limit TIME";
            return Err(Failure::input(reason));
        }
        let entries = || written.entries.iter().filter(|entry| submissions.contains(&entry.submission));
        if entries().next().is_none() {
            let reasons = written.skipped.iter().filter(|skipped| submissions.contains(&skipped.submission));
            let reasons: Vec<String> = reasons.map(|skipped| skipped.reason.clone()).collect();
            return Err(Failure::input(format!("no submission can be run here: {}", reasons.join("; "))));
        }
        let contest = load(folder, running.limit)?;
        let executor = contest_executor(&contest, running.isolation, interrupt)?;
        let results = folder.with_file_name("results");
        std::fs::create_dir_all(&results).map_err(|error| Failure::judge(format!("{}: {error}", results.display())))?;
        let site = Site { results: &results, keeps_logs: false, shown: Shown::Nothing, interrupt };
        let needed: HashSet<String> = entries().map(|entry| entry.name.clone()).collect();
        let builds = build_entries(&contest, &site, Some(&needed))?;
        let limits = &package.metadata.limits;
        let grader =
            helpers.grader.and_then(|plan| plan.map(|plan| Grader::new(plan, &contest, limits, &site)).transpose());
        let grader = match grader {
            Err(failure) if !interrupt.requested() => {
                say(&format!("notice: {}; verdicts are compared, scores of its groups are not", failure.reason()));
                None
            }
            grader => grader?,
        };
        let plan = helpers.static_validator.as_ref();
        let statics = Statics::new(plan, package, &written.entries, &contest, &executor, interrupt)?;
        let limits: Vec<Limits> = contest.plan.entries.iter().map(|entry| contest.plan.limits_of(entry)).collect();
        let slots = executor.capacity(&limits, running.jobs).slots;
        let keys: HashMap<(usize, usize), RunKey> = {
            let boards: HashMap<&str, usize> =
                written.boards.iter().enumerate().map(|(case, board)| (board.as_str(), case)).collect();
            let of_entry: HashMap<&str, usize> =
                written.entries.iter().map(|entry| (entry.name.as_str(), entry.submission)).collect();
            let place = |key: &RunKey| Some((*of_entry.get(&*key.entry)?, *boards.get(&*key.board)?));
            contest.plan.turns().into_iter().filter_map(|key| Some((place(&key)?, key))).collect()
        };
        let desk = Arc::new(Desk::new(reading(package, &contest, &keys)?));
        let conduct = begin(contest, &results, &builds, &desk)?;
        let (folder, outputs) = (folder.to_owned(), outputs(package));
        Ok(Self { executor, interrupt, slots, folder, builds, conduct, keys, desk, grader, statics, outputs, written })
    }

    /// Changes the limit for CPU time. Finished runs stay: their times show which runs a lower limit would have ended.
    pub(super) fn limit_to(&mut self, seconds: f64) -> Result<(), Failure> {
        let results = self.folder.with_file_name("results-2");
        self.conduct = begin(load(&self.folder, seconds)?, &results, &self.builds, &self.desk)?;
        Ok(())
    }

    /// Has workers make what is wanted while this goes on.
    pub(super) fn work<T>(&self, mut follow: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
        self.desk.open();
        std::thread::scope(|scope| {
            for slot in &self.slots {
                scope.spawn(move || self.serve(slot));
            }
            let followed = follow();
            // Runs whose results are not waited for.
            if followed.is_err() {
                self.interrupt.request();
            }
            self.desk.close();
            followed
        })
    }

    /// True if the grader of the package runs here.
    pub(super) fn has_grader(&self) -> bool {
        self.grader.is_some()
    }

    /// Makes what is wanted on these processors until nothing more will be.
    fn serve(&self, slot: &[usize]) {
        let engine = Local::new(&self.executor);
        while let Some(piece) = self.desk.take() {
            let done = match piece {
                Piece::Run(submission, case) => self.run(&engine, slot, (submission, case)),
                Piece::Output(index) => self.rule(index, slot).map(|ruling| self.desk.ruled(index, ruling)),
                Piece::Grade(submission, call) => match &self.grader {
                    Some(grader) => grader
                        .call(&call, &self.executor, slot)
                        .map(|total| self.desk.graded(submission, call, total))
                        .map_err(|Interrupted| self.interrupted()),
                    None => Err(Failure::judge("a grader was wanted that the package does not have")),
                },
            };
            if let Err(failure) = done {
                return self.desk.fail(failure);
            }
        }
    }

    fn run(&self, engine: &Local<'_>, slot: &[usize], run: (usize, usize)) -> Result<(), Failure> {
        if let Some(statics) = self.statics.as_ref().filter(|statics| statics.decides(run.1)) {
            return self.judge_statically(statics, slot, run);
        }
        let Some(key) = self.keys.get(&run) else {
            return Err(Failure::judge("a run was wanted that the contest does not have"));
        };
        let chosen = |waiting: &[&RunKey]| waiting.iter().position(|waits| *waits == key);
        match self.conduct.run_one(engine, slot, self.interrupt, chosen) {
            // The desk hears of it from the contest.
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(Failure::judge(format!("{} on {} is not there to be run", key.entry, key.board))),
            Err(Stopped::Interrupted) => Err(self.interrupted()),
            Err(stopped) => Err(Failure::judge(stopped)),
        }
    }

    /// Has the static validator judge a submission. What was not built has no files to judge.
    fn judge_statically(&self, statics: &Statics, slot: &[usize], run: (usize, usize)) -> Result<(), Failure> {
        let mut entries = self.written.entries.iter();
        let unbuilt = entries
            .find(|entry| entry.submission == run.0)
            .filter(|entry| self.builds.unbuilt().contains_key(&entry.name));
        let judged = match unbuilt {
            Some(_) => Ok(Run::unbuilt()),
            None => statics.call(run, &self.conduct.contest(), &self.executor, slot),
        };
        judged.map(|judged| self.desk.put(run, judged)).map_err(|Interrupted| self.interrupted())
    }

    /// Has the validator rule on an output of the package.
    fn rule(&self, index: usize, slot: &[usize]) -> Result<OutputRuling, Failure> {
        let output = &self.outputs[index];
        let contest = self.conduct.contest();
        let board = &contest.plan.boards[output.board];
        let results = Some(self.conduct.results());
        let context = RefereeContext { executor: &self.executor, processors: slot.to_vec(), results };
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
            Err(RefereeError::Interrupted) => Err(self.interrupted()),
            Err(error) => Ok(OutputRuling::Failed(error.to_string())),
        }
    }

    fn interrupted(&self) -> Failure {
        Failure::interrupted("interrupted", self.interrupt)
    }

    /// The slowest time of the submissions and test cases that bound the time limit from below, in seconds.
    pub(super) fn slowest_bounding(&self, package: &Package) -> Result<f64, Failure> {
        let mut wanted = Vec::new();
        for entry in &self.written.entries {
            let cases = package.timed_cases(&package.submissions[entry.submission].expectation);
            wanted.extend(cases.into_iter().map(|case| (entry.submission, case)));
        }
        self.work(|| {
            wanted.iter().for_each(|&(submission, case)| self.desk.known().want(Piece::Run(submission, case)));
            self.desk.wait(|known| {
                wanted.iter().all(|&(submission, case)| known.run(submission, case).is_some()).then_some(())
            })
        })?;
        let known = self.desk.known();
        let accepted = |&(submission, case): &(usize, usize)| {
            let run = known.run(submission, case)?;
            (run.result.judgement == Judgement::Accepted).then_some(run.seconds)
        };
        wanted.iter().filter_map(accepted).reduce(f64::max).ok_or_else(|| {
            Failure::input(
                "the package has no time limit, and no accepted submission that runs here; set one with --limit TIME",
            )
        })
    }
}

/// The contest in a folder with a limit for CPU time, and one for wall-clock time that only programs which wait can reach.
fn load(folder: &Path, seconds: f64) -> Result<Contest, Failure> {
    let mut contest = Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limits are at most 1e9 seconds")]
    let milliseconds = |seconds: f64| (seconds * 1000.0).ceil() as u64;
    let own = contest.plan.entries.iter_mut().filter_map(|entry| entry.limits.as_mut());
    for limits in own.chain([&mut contest.plan.limits]) {
        limits.cpu_ms = Some(milliseconds(seconds));
        limits.wall_ms = milliseconds(4.0 * seconds + 10.0);
    }
    Ok(contest)
}

/// Begins the contest in a results directory. The desk hears of its runs.
fn begin(contest: Contest, results: &Path, builds: &Builds, desk: &Arc<Desk>) -> Result<Conduct, Failure> {
    std::fs::create_dir_all(results).map_err(|error| Failure::judge(format!("{}: {error}", results.display())))?;
    let with = Beginning { contest_file: contest.path.clone(), ..Beginning::default() };
    let conduct = Conduct::begin(contest, results, with, clock).map_err(Failure::judge)?;
    conduct.set_unbuilt(builds.unbuilt());
    let (desk, results) = (desk.clone(), results.to_owned());
    conduct.subscribe(move |event| {
        if let Event::Finished(record) = event {
            desk.finished(record, &results);
        }
        true
    });
    Ok(conduct)
}

/// The facts that turn records of this contest into results of the package.
fn reading(package: &Package, contest: &Contest, keys: &HashMap<(usize, usize), RunKey>) -> Result<Reading, Failure> {
    let current = package.metadata.version == Version::Current;
    let scores = package.metadata.scoring && !package.validators.is_empty();
    // Without a score of its own a run has the points of its board, which groups of legacy packages grade anew.
    let usual = contest.plan.boards.iter().filter(|_| !current && !package.metadata.score_required);
    let usual = usual.filter_map(|board| Some((board.name.clone(), board.points?))).collect();
    // A score of 2025-09 may be a share of what the group of the test case is worth.
    let same_as = match !package.metadata.legacy_grading && scores {
        true => (0..package.data.results()).collect(),
        false => {
            let mut same_as = package.data.equal_cases().map_err(Failure::input)?;
            same_as.extend(package.data.cases.len()..package.data.results());
            same_as
        }
    };
    let places = keys.iter().map(|(place, key)| (key.clone(), *place)).collect();
    Ok(Reading { places, same_as, scores, usual })
}

/// The outputs of a package that its own validator can be asked about. Boards of tests come behind those of test cases.
fn outputs(package: &Package) -> Vec<Output> {
    // Such a validator rules on no stored answer.
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
