//! Judging: accepted submissions become entries of the contest, which are built and run.
//!
//! The results contain what was entered, so no other state is needed. A submission without an entry is still to be entered, even
//! after a kill at any moment. The submission of a team that counts supersedes the others. They are set aside when their runs are
//! executed or not needed. A submission that does not build is set aside as well.

mod finals;
mod handle;
mod idle;
mod players;
mod processors;
mod rejudging;
mod runs;
mod settle;
mod share;
mod waiting;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use judge_contest::builds::{Builder, BuildsError, exposed, plan as plan_builds};
use judge_contest::external::keep_answers;
use judge_contest::open_contest::{CommandError, OpenContest};
use judge_contest::programs::{hashes, keep_one};
use judge_contest::schedule::{Engine, Stopped};
use judge_contest::{Contest, ContestError};
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Build, Built, ContestState, EntryEvent, Line};
use judge_core::key::RunKey;
use judge_core::withdrawal::Withdrawal;
use judge_job::{Executor, StopFlag, StopRequest};

use crate::aside::Open;
use crate::disk_space::{DiskFull, DiskSpace, MIN_BYTES_FOR_JUDGING};
use crate::entries::{self, PreparedEntry};
pub use crate::progress::MAX_ATTEMPTS;
pub use crate::results::results_of;
use crate::state::{State, Submission};
use crate::{Office, OfficeError, intake};
pub use handle::{Forecast, Handle, Isolated};
use idle::Idle;
pub use processors::Processors;
pub use rejudging::{Correct, CorrectionError};
use share::Share;

/// The longest wall-clock time of a build, in milliseconds.
const BUILD_LIMIT_MS: u64 = 60_000;
/// The most bytes of a submission's folder during its build, as many as the results keep.
const FOLDER_BYTES: u64 = 256 << 20;
/// The time after which a thread that waits for work checks again.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The reason why judging stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgingError {
    /// A file of the office could not be read or written.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// The contest refused an event, or could not write it to disk.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The plan of the contest is not usable.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A build could not be started.
    #[error(transparent)]
    Builds(#[from] BuildsError),
    /// The engine stopped before all runs were executed.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Entries could not be written.
    #[error("{0}: {1}")]
    Io(String, #[source] io::Error),
    /// A disk is full. Work that would fail only for that reason is not begun.
    #[error("{0}")]
    NoRoom(DiskFull),
    /// A layer of isolation that worked is refused, with the reason. No work is begun without it.
    #[error("a layer of isolation is lost: {0}")]
    LayerLost(String),
}

/// The resources of the machine that judging needs.
pub struct JudgingResources<'a> {
    /// Executes the build commands of submissions.
    pub builder: &'a dyn Executor,
    /// The engine that executes the runs, unless `cluster` is set.
    pub engine: &'a dyn Engine,
    /// The cluster that executes the runs.
    pub cluster: Option<Cluster<'a>>,
    /// Executes the referee's program for answers that are refereed again.
    pub referee: &'a dyn Executor,
    /// Reads a corrected contest file.
    pub correct: Correct<'a>,
    /// The logical processors for each of the parallel runs; empty for an unpinned run.
    pub slots: &'a [Vec<usize>],
    /// The processors of this machine.
    pub processors: &'a Processors,
    /// The disks to which judging writes. Executors must be [`DiskCheckedExecutor`](crate::disk_space::DiskCheckedExecutor) on
    /// them.
    pub disk_space: &'a DiskSpace,
    /// The layer of isolation that jobs were refused since the executors were made, with the reason.
    pub refused_layer: &'a (dyn Fn() -> Option<String> + Sync),
    /// The organiser's environment, for builds.
    pub environment: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// The search path for programs.
    pub path: Option<&'a str>,
}

impl JudgingResources<'_> {
    /// Checks that work would not fail for a reason outside the entry.
    fn check(&self) -> Result<(), JudgingError> {
        self.disk_space.check(MIN_BYTES_FOR_JUDGING).map_err(JudgingError::NoRoom)?;
        (self.refused_layer)().map_or(Ok(()), |lost| Err(JudgingError::LayerLost(lost)))
    }
}

/// Creates the engine of a cluster for a contest in its present state.
pub type MakeEngine<'a> = dyn Fn(&Contest, &ContestState) -> Result<Box<dyn Engine + 'a>, Stopped> + Sync + 'a;

/// A cluster that executes runs. It gets several at a time, and the next ones when these are done.
pub struct Cluster<'a> {
    /// Creates the engine for a contest in its present state.
    pub engine: &'a MakeEngine<'a>,
    /// The most runs that it gets at a time.
    pub at_a_time: usize,
}

/// Judges the submissions that an office accepts.
pub struct Judging<'a> {
    office: &'a Office,
    open_contest: &'a OpenContest,
    handle: Handle,
    /// The number of events of other processes in the contest, and the state of the office, when the counting submissions of all
    /// teams were last computed.
    settled: Mutex<Option<(u64, Arc<State>)>>,
    /// The submissions that are in the contest, of the teams that were settled.
    open: Mutex<Open>,
    /// The division of the machine between runs and answers that are refereed again.
    share: Share,
    /// The moment when no build was waiting. `no_run` is the same for runs.
    no_build: Idle,
    no_run: Idle,
}

/// The submission whose entry [`Judging::enter_next`] added, and its build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// The submission that is now in the contest.
    pub submission: Submission,
    /// The result of its build; `None` if it needs no build or its files are not acceptable. After a judge error, the build is
    /// repeated until the submission is held.
    pub build: Option<Built>,
}

impl<'a> Judging<'a> {
    /// The judging of this office's submissions in this contest, whose results are next to the office.
    pub fn new(office: &'a Office, open_contest: &'a OpenContest) -> Self {
        let (handle, settled, open, share, no_build, no_run) = Default::default();
        Self { office, open_contest, handle, settled, open, share, no_build, no_run }
    }

    /// A handle with which other threads observe the work.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Enters accepted submissions and executes all runs, until a stop is requested or, unless `forever` is true, nothing is
    /// left to do. Calls `entered` for each submission.
    ///
    /// # Errors
    /// The first failure of the judge itself. The data on disk stays, and the next call continues from there.
    pub fn work(
        &self,
        resources: &JudgingResources<'_>,
        interrupt: &dyn StopRequest,
        forever: bool,
        entered: &(dyn Fn(&Entered) + Sync),
    ) -> Result<(), JudgingError> {
        // A run that cannot be recorded stops this work, but nothing else in the process.
        let stop = StopOf { user: interrupt, own: StopFlag::default() };
        let worked = self.work_on(resources, &stop, forever, entered);
        if let Err(error) = &worked {
            self.handle.stalls(&error.to_string());
        }
        worked
    }

    fn work_on(
        &self,
        resources: &JudgingResources<'_>,
        interrupt: &dyn StopRequest,
        forever: bool,
        entered: &(dyn Fn(&Entered) + Sync),
    ) -> Result<(), JudgingError> {
        resources.check()?;
        self.settle()?;
        // Complete what an earlier failure interrupted.
        self.settle_teams(None)?;
        let failure = Mutex::new(None);
        let fail = |error: JudgingError| {
            // Only the first failure is the reason: later ones may result from the stop.
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        };
        let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let stops = || interrupt.requested() || failed();
        let enters = AtomicBool::new(true);
        // The final rounds begin after everything else is done.
        let finals = AtomicBool::new(self.office.tick()?.finals());
        let waits = || forever && !finals.load(Ordering::SeqCst);
        // A current run may end in a judge error and be repeated.
        let more = || enters.load(Ordering::SeqCst) || self.open_contest.has_under_way();
        let makes = &|slot: Option<(usize, &[usize])>, next: &dyn Fn() -> Result<Vec<RunKey>, Stopped>| {
            while !stops() {
                let turn = slot.map(|(number, slot)| resources.processors.slot(number, slot));
                let Some(_live) = self.share.begin_live() else {
                    drop(turn);
                    std::thread::sleep(POLL_INTERVAL);
                    continue;
                };
                if let Err(error) = resources.check() {
                    return fail(error);
                }
                // Read first: runs that arrive in between are executed in the next turn.
                let goes_on = waits() || more();
                let made = next();
                drop(turn);
                match made {
                    Ok(made) if made.is_empty() && goes_on => std::thread::sleep(POLL_INTERVAL),
                    Ok(made) if made.is_empty() => return,
                    Ok(made) => {
                        self.handle.mark_running();
                        self.share.count_runs(made.len());
                        if let Err(error) = made.iter().try_for_each(|run| self.settle_after(run)) {
                            return fail(error);
                        }
                    }
                    Err(Stopped::Interrupted) => return,
                    Err(error) => return fail(error.into()),
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stops() {
                    match resources.check().and_then(|()| self.enter_next(resources)) {
                        Ok(Some(done)) => {
                            self.handle.mark_running();
                            entered(&done);
                        }
                        Ok(None) if waits() => {
                            self.handle.mark_running();
                            std::thread::sleep(POLL_INTERVAL);
                            match self.office.tick() {
                                Ok(state) => finals.store(state.finals(), Ordering::SeqCst),
                                Err(error) => return fail(error.into()),
                            }
                        }
                        Ok(None) => break,
                        Err(error) => {
                            fail(error);
                            break;
                        }
                    }
                }
                enters.store(false, Ordering::SeqCst);
            });
            scope.spawn(|| {
                while !stops() {
                    let goes_on = waits() || more();
                    match resources.check().and_then(|()| self.rejudge_next(resources, interrupt, &stops)) {
                        Ok(true) => {}
                        Ok(false) if goes_on => std::thread::sleep(POLL_INTERVAL),
                        Ok(false) => return,
                        Err(error) => return fail(error),
                    }
                }
            });
            match &resources.cluster {
                Some(cluster) => drop(scope.spawn(move || makes(None, &|| self.run_batch(cluster, interrupt)))),
                None => resources.slots.iter().enumerate().for_each(|(number, slot)| {
                    let next = move || Ok(self.run_next(resources, slot, interrupt)?.into_iter().collect());
                    scope.spawn(move || makes(Some((number, slot)), &next));
                }),
            }
        });
        if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        if finals.into_inner() && !interrupt.requested() {
            self.finals(resources, interrupt, forever)?;
        }
        // A stop can come between a run and its consequences.
        self.settle_teams(None)
    }

    /// Enters the next waiting submission, if any: unpacks it, builds it, and records it in the results.
    ///
    /// # Errors
    /// A failure of the judge itself. The submission then still waits to be entered.
    pub fn enter_next(&self, resources: &JudgingResources<'_>) -> Result<Option<Entered>, JudgingError> {
        self.settle()?;
        let Some(submission) = self.next_submission()? else { return Ok(None) };
        let _turn = resources.processors.build();
        self.handle.builds(submission.number);
        let entered = self.enter(submission, resources);
        self.handle.builds(0);
        entered.map(Some)
    }

    fn next_submission(&self) -> Result<Option<Submission>, JudgingError> {
        // This comes before the order is locked, because `run_next` locks the order while it holds the contest.
        let (state, contents) = (self.office.state()?, self.open_contest.contents());
        if self.no_build.is_still(&state, &contents) || state.finalised().is_some() {
            return Ok(None);
        }
        let mut order = self.handle.order();
        let Some(submission) = self.handle.queued().next(&state, &contents, &order.builds).cloned() else {
            self.no_build.since(state.clone(), &contents);
            return Ok(None);
        };
        order.builds.charge(&submission.team, BUILD_LIMIT_MS);
        Ok(Some(submission))
    }

    fn enter(&self, submission: Submission, resources: &JudgingResources<'_>) -> Result<Entered, JudgingError> {
        let contest = self.open_contest.contest();
        let bytes = match self.office.upload(&submission.sha256) {
            Ok(bytes) => bytes,
            Err(error) => return self.enter_without_upload(submission, &error),
        };
        let prepared = intake::files(&submission.file, &bytes)
            .map(|unpacked| entries::prepare(self.office, &submission, &unpacked.files, &contest.plan));
        let prepared = match prepared {
            Ok(Ok(prepared)) => prepared,
            // Files that the file system refuses must not stop other submissions.
            Ok(Err(error)) if is_of_files(&error) => {
                Err(intake::Unacceptable(format!("its files cannot be written: {error}")))
            }
            Ok(Err(error)) => return Err(JudgingError::Io(entries::folder_of(&submission), error)),
            Err(unacceptable) => Err(unacceptable),
        };
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => {
                self.enter_out(&submission, &reason.to_string())?;
                return Ok(Entered { submission, build: None });
            }
        };
        // The answers are on disk before the entry is recorded.
        keep_answers(&prepared.answers, self.open_contest.results())
            .map_err(|error| JudgingError::Io(entries::folder_of(&submission), io::Error::other(error)))?;
        let alone = alone(&contest, &prepared)?;
        if let Some(reason) = exposed(&alone, self.open_contest.results()) {
            return Err(BuildsError::Exposed(reason).into());
        }
        let build = self.build(&alone, resources)?;
        let result = build.as_ref().map(|build| build.built.clone());
        let name = submission.entry();
        let programs = hashes(&alone, resources.path).remove(&name).unwrap_or_default();
        let mut event = EntryEvent::new(prepared.entry, programs);
        event.kept = keep_one(&alone, &event.programs, self.open_contest.results()).kept;
        // Failed attempts are recorded as well, so that all are counted after a kill.
        let mut lines = vec![Line::Entry(Box::new(event))];
        lines.extend(build.map(|build| Line::Build(Box::new(build))));
        self.enter_with(&submission, lines)?;
        if !matches!(result, Some(Built::Succeeded) | None) {
            // The entry is never run, and its build may have left many files. The upload stays.
            entries::remove(self.office, &submission).ok();
        }
        Ok(Entered { submission, build: result })
    }

    /// Records that a submission is entered, with the result of its build. None of its runs is handed out before it is settled.
    fn enter_with(&self, submission: &Submission, lines: Vec<Line>) -> Result<(), JudgingError> {
        let aside = Withdrawal::new("waits to be settled");
        self.open_contest.update_aside(lines, vec![(submission.entry(), Some(aside))])?;
        self.settle_entered(submission)
    }

    /// Enters a submission without a usable program.
    fn enter_out(&self, submission: &Submission, reason: &str) -> Result<(), JudgingError> {
        let entry =
            entries::entry_of(submission, vec![entries::folder_of(submission)], &self.open_contest.contents().plan);
        let event = Line::Entry(Box::new(EntryEvent::new(entry, Hashes::new())));
        self.enter_with(
            submission,
            vec![event, without_command(submission, Built::Failed { reason: reason.to_owned() })],
        )
    }

    /// Enters a submission whose upload is missing or damaged, as an attempt with a judge error.
    fn enter_without_upload(&self, submission: Submission, error: &OfficeError) -> Result<Entered, JudgingError> {
        let error = match error {
            // Only the organiser may see the path on this machine.
            OfficeError::Io { error, .. } => error.to_string(),
            other => other.to_string(),
        };
        let reason = format!("its upload cannot be read: {error}; restore office/uploads from a copy, and release it");
        let entry =
            entries::entry_of(&submission, vec![entries::folder_of(&submission)], &self.open_contest.contents().plan);
        let event = Line::Entry(Box::new(EntryEvent::new(entry, Hashes::new())));
        let build = without_command(&submission, Built::JudgeError { reason: reason.clone() });
        self.enter_with(&submission, vec![event, build])?;
        Ok(Entered { submission, build: Some(Built::JudgeError { reason }) })
    }

    fn build(&self, alone: &Contest, resources: &JudgingResources<'_>) -> Result<Option<Build>, JudgingError> {
        let planned = plan_builds(alone);
        let Some(planned) = planned.first() else { return Ok(None) };
        let results = self.open_contest.results();
        let builder = Builder { contest: alone, results, environment: resources.environment };
        Ok(Some(builder.build(planned, resources.builder)?.0))
    }
}

/// The event of a build that had no command. The folder of the files replaces the command, because each command has one build.
fn without_command(submission: &Submission, built: Built) -> Line {
    Line::Build(Box::new(Build::new(entries::folder_of(submission), vec![submission.entry()], 1, built)))
}

/// A request to stop the work; the user's request also counts.
struct StopOf<'a> {
    user: &'a dyn StopRequest,
    own: StopFlag,
}

impl StopRequest for StopOf<'_> {
    fn requested(&self) -> bool {
        self.user.requested() || self.own.requested()
    }

    fn request(&self) {
        self.own.request();
    }
}

/// Tests whether files could not be written because of their names, or because of remains of a build.
fn is_of_files(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, InvalidFilename, InvalidInput, IsADirectory, NotADirectory};
    let kinds = [AlreadyExists, DirectoryNotEmpty, InvalidFilename, InvalidInput, IsADirectory, NotADirectory];
    kinds.contains(&error.kind())
}

/// The contest with only this entry, for its build.
fn alone(contest: &Contest, prepared: &PreparedEntry) -> Result<Contest, ContestError> {
    let mut alone = contest.adopting(contest.plan.with_entries(vec![prepared.entry.clone().into()]))?;
    alone.withdrawn.clear();
    let builds = &mut alone.builds;
    builds.limits = builds.limits.with_wall_ms(builds.limits.wall_ms.min(BUILD_LIMIT_MS));
    builds.environment.extend(prepared.environment.iter().cloned());
    (builds.folder_bytes, builds.keeps_modes, builds.own_user) = (Some(FOLDER_BYTES), true, true);
    builds.readable.extend(prepared.readable.iter().cloned());
    Ok(alone)
}

#[cfg(test)]
mod tests;
