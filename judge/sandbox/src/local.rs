//! Execution of jobs on this machine.

mod pinned;
mod refusals;

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use judge_job::{DirectedSide, Director, Place, StopRequest, Tier, count_text};
use rustix::io::Errno;
use signal_hook::consts::SIGSYS;
use tempfile::TempDir;

pub(super) use self::pinned::{Pinned, not_pinned};
use self::refusals::{has_no_room, is_by_author, killed_by_filter, refused, was_changed};
use super::monitor::{Captures, Fault, Finished, Monitor};
use super::sandbox::{JobUser, NotStarted, Running, Sandbox, Start, Step, find};
use super::setup_error::SetupError;
use super::{Argument, Capacity, Description, LayerState, Limits, Machine};
use super::{End, Enforcement, Executor, Interrupt, Interrupted, Isolation, IsolationMode, Job, Outcome, Probe};
use super::{Talk, TalkOutcome};
use super::{inherited, leads_through_proc, machine, scratch, shell_limits, wanted};

/// Variables that a job inherits. It inherits no others, so that a run depends only on the contest.
const INHERITED: &[&str] = &["PATH", "LANG"];

/// Executes jobs as child processes on this machine.
///
/// # What it does to the process
///
/// Creating an executor changes the process for the rest of its life; dropping it only removes its directory:
///
/// - The soft limits on open files, file size, CPU time, address space and data segment are raised to the hard limits,
///   and as root the hard limit on open files to at least 1024. Children that the process starts by itself inherit them.
/// - `SIGXFSZ` is handled and does nothing, so that a file beyond a limit is an error of writing. Jobs have its default action.
/// - `SIGCHLD` gets its default action if the process ignored it: otherwise the kernel would reap jobs unseen.
/// - A directory `judge-…` for scratch files is created in `TMPDIR`, or else in `/dev/shm` if that has room, or else in
///   the usual place for temporary files. Directories that dead processes have left there are removed.
/// - Control groups are created below the group of the process, if this is permitted, and removed again. In version 2, the
///   group gets the controllers `memory` and `pids` for them; if necessary for that, the process moves into a separate
///   group below.
///
/// While a job runs, the calling thread is pinned to the job's processors, and a thread `watchdog` waits for its limit. An
/// executor does not reap other children, and does not change the environment, the working directory or the signal mask.
pub struct LocalExecutor<'a> {
    interrupt: &'a Interrupt,
    scratch: scratch::Base,
    sandbox: Sandbox,
    machine: Machine,
    /// A layer that the kernel refused a job after the probe, with the reason.
    refused: OnceLock<String>,
}

impl<'a> LocalExecutor<'a> {
    /// An executor in the strongest tier that works here and that the mode allows. `interrupt` ends its jobs early.
    ///
    /// # Errors
    ///
    /// No scratch directory can be created, or the shell's limits leave no room for a job. A tier that does not work is
    /// not an error: [`LocalExecutor::probe`] and [`unmet`](crate::unmet) report what is missing.
    pub fn new(interrupt: &'a Interrupt, mode: IsolationMode) -> Result<Self, SetupError> {
        let scratch = prepare()?;
        let sandbox = Sandbox::new(mode.at_most(), scratch.root_folder().map_err(SetupError::Scratch)?);
        sandbox.prepare_supervisor();
        Ok(Self { interrupt, scratch, sandbox, machine: machine::this(), refused: OnceLock::new() })
    }

    /// An executor without supervisors, as on a system that does not support them: a process group, monitored by
    /// threads.
    ///
    /// # Errors
    ///
    /// As [`LocalExecutor::new`].
    pub fn bare(interrupt: &'a Interrupt) -> Result<Self, SetupError> {
        let scratch = prepare()?;
        let sandbox = Sandbox::bare(scratch.root_folder().map_err(SetupError::Scratch)?);
        Ok(Self { interrupt, scratch, sandbox, machine: machine::this(), refused: OnceLock::new() })
    }

    /// Isolation that every job of this executor gets, in the form of records.
    pub fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// Tests whether jobs without writable folders run as another user than the judge, so that they can read only files
    /// that everyone may read.
    pub fn is_another_user(&self) -> bool {
        self.sandbox.isolation().tier == Tier::Namespaces && rustix::process::geteuid().is_root()
    }

    /// Findings of the dry run on this machine: the tier, and each layer with its reason.
    pub fn probe(&self) -> &Probe {
        self.sandbox.findings()
    }

    /// Limits that the kernel enforces here.
    pub fn enforcement(&self) -> Enforcement {
        self.sandbox.enforcement()
    }
}

/// Raises the shell's limits and creates the directory of scratch directories.
fn prepare() -> Result<scratch::Base, SetupError> {
    shell_limits::lift()?;
    scratch::Base::new().map_err(SetupError::Scratch)
}

impl Executor for LocalExecutor<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.outcome_of(job, None)
    }

    /// A request is seen within 200 ms.
    fn execute_until(&self, job: &Job, stop: &dyn StopRequest) -> Result<Outcome, Interrupted> {
        self.outcome_of(job, Some(stop))
    }

    /// A request is seen within 200 ms.
    fn converse(&self, talk: &Talk, stop: Option<&dyn StopRequest>) -> Result<TalkOutcome, Interrupted> {
        match self.run_talk(talk, stop) {
            Ok(outcome) => outcome.ok_or(Interrupted),
            Err(fault) => Ok(self.failed_talk(talk.sides.len(), &fault)),
        }
    }

    /// A request is seen within 200 ms.
    fn direct(
        &self,
        sides: &[DirectedSide],
        director: &mut dyn Director,
        stop: Option<&dyn StopRequest>,
    ) -> Result<TalkOutcome, Interrupted> {
        match self.run_directed(sides, director, stop) {
            Ok(outcome) => outcome.ok_or(Interrupted),
            Err(fault) => Ok(self.failed_talk(sides.len(), &fault)),
        }
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        let cores = machine::cores();
        let usable = self.machine.processors.map_or(cores.len(), |processors| processors.min(cores.len()));
        let memory = limits.iter().filter_map(|limits| limits.memory_bytes).max();
        let each = limits.iter().map(|limits| limits.cores).max().unwrap_or(1);
        let fitting = machine::default_jobs(usable, each, self.machine.memory_bytes, memory);
        let by_files = shell_limits::fitting_jobs().max(1);
        let fitting = fitting.min(by_files).max(1);
        let wanted = wanted.map_or(fitting, NonZeroUsize::get);
        // The organiser may ask for more jobs than run undisturbed, but not for more than have file descriptors.
        let jobs = wanted.min(by_files);

        let mut notices = shell_limits::notices();
        if jobs < wanted {
            notices.push(format!(
                "the limit on open files allows {jobs} of {wanted} runs at a time; raise it with `ulimit -n`, or as root"
            ));
        }
        let slots = machine::slots(&cores, jobs, each);
        if slots.is_none() {
            let (cores, each) = (count_text(cores.len(), "core", "cores"), count_text(each, "core", "cores"));
            notices.push(format!(
                "{} at a time with {each} each on {cores}: they disturb each other and are not pinned",
                count_text(jobs, "run", "runs")
            ));
        } else if jobs > fitting {
            notices.push(format!("{jobs} jobs at a time exceed {fitting}, the most that CPU quota and memory allow"));
        }
        let mut capacity = slots.map_or_else(|| Capacity::unpinned(jobs), Capacity::new);
        capacity.notices = notices;
        capacity
    }

    fn describe(&self) -> Description {
        let layers = self.probe().layers.iter();
        let layers = layers.map(|layer| LayerState::new(layer.name.name(), layer.works, layer.finding.clone()));
        Description::new(self.isolation().clone(), layers.collect())
    }

    fn temporary_folder(&self) -> PathBuf {
        self.scratch.folder().to_owned()
    }

    fn large_folder(&self) -> PathBuf {
        scratch::large()
    }
}

impl LocalExecutor<'_> {
    fn outcome_of(&self, job: &Job, stop: Option<&dyn StopRequest>) -> Result<Outcome, Interrupted> {
        match self.attempt(job, stop) {
            Ok(Some(outcome)) => Ok(outcome),
            Ok(None) => Err(Interrupted),
            Err(fault) => Ok(self.without_run(End::JudgeError { reason: fault.0 })),
        }
    }

    /// `None` if the run was interrupted.
    fn attempt(&self, job: &Job, stop: Option<&dyn StopRequest>) -> Result<Option<Outcome>, Fault> {
        check_names(job)?;
        // The job inherits it. The judge's thread stays there as well: the work that a job causes, such as reading its
        // output, then takes time from this job and not from others.
        let pinned = Pinned::to(&job.processors);
        let processors = if pinned.is_ok() { &job.processors[..] } else { &[] };
        let captures = Captures::create(job)?;
        let prepared = match self.prepare(job, None)? {
            Ok(prepared) => prepared,
            Err(outcome) => return Ok(Some(*outcome)),
        };
        let outcome = match self.start(&prepared, None, false) {
            Ok(running) => {
                let prepare_next = || {
                    self.prepare_next(job);
                    if processors.is_empty() {
                        self.prepare_supervisor();
                    }
                };
                let mut monitor = self.monitor(job, processors, prepared.scratch());
                monitor.after_start(&prepare_next);
                if let Some(stop) = stop {
                    monitor.stopped_by(stop);
                }
                let finished = monitor.monitor(running, captures);
                self.concluded(&prepared, finished)?
            }
            Err(error) => Some(self.unstarted(&prepared, error)?),
        };
        // Not earlier: that would take time from the job. The next is not started before this one is recorded.
        if !processors.is_empty() {
            self.prepare_supervisor();
        }
        let removed = prepared.remove();
        Ok(outcome.map(|mut outcome| {
            if let Err(error) = &pinned {
                outcome.notes.push(not_pinned(job, error));
            }
            outcome.notes.extend(removed);
            outcome
        }))
    }

    /// Prepares a job, or returns the outcome of a job that cannot be started. JUDGE_LIMIT_MS is `limit_ms` if there is
    /// one.
    pub(super) fn prepare<'j>(
        &self,
        job: &'j Job,
        limit_ms: Option<u64>,
    ) -> Result<Result<PreparedJob<'j>, Box<Outcome>>, Fault> {
        let refused = |outcome| Ok(Err(Box::new(outcome)));
        let environment = environment(job, limit_ms);
        let name = match job.argv.first() {
            Some(Argument::Text(name)) => name.clone(),
            Some(Argument::Path(place)) => place.path().display().to_string(),
            _ => return refused(self.not_started("the command is empty".into())),
        };
        let Some(program) = program(job, &environment) else {
            return refused(self.not_started(format!("{name} is not on the PATH")));
        };
        let path = program.path();
        if leads_through_proc(&path) {
            let path = path.display();
            let reason = format!(
                "{path} leads through /proc, where a path means another file to every process; name the program itself"
            );
            return refused(self.not_started(reason));
        }
        let user = match self.sandbox.user(job) {
            Ok(user) => user,
            Err(error) => {
                let reason = format!("{}: {error}", job.writable[0].path().display());
                let by_author = is_by_author(&error).then(|| self.changed_by_author(reason.clone()));
                return by_author.map_or(Err(Fault(reason)), refused);
            }
        };
        // In a private root the supervisor creates it, and it ends with the supervisor.
        let scratch = (!self.sandbox.has_own_root())
            .then(|| self.scratch.scratch(job, user.as_ref().map(JobUser::ids)))
            .transpose();
        let scratch = scratch
            .map_err(|error| Fault(format!("making a scratch directory: {}", shell_limits::explained(&error))))?;
        // Opened now: later, something else may have that path.
        let folder = scratch.as_ref().map(|scratch| File::open(scratch.path())).transpose();
        let folder = folder.map_err(|error| Fault(format!("opening a scratch directory: {error}")))?;
        Ok(Ok(PreparedJob { job, name, program, environment, user, scratch, folder: Cell::new(folder) }))
    }

    /// Starts a prepared job. If it `talks`, its standard input is the reading end of a pipe, if there is one.
    pub(super) fn start(
        &self,
        prepared: &PreparedJob<'_>,
        wire: Option<&OwnedFd>,
        talks: bool,
    ) -> Result<Running, NotStarted> {
        let PreparedJob { job, program, environment, user, .. } = prepared;
        let (environment, scratch) = (environment.clone(), prepared.scratch());
        self.sandbox.start(&Start { program, job, user: user.as_ref(), environment, wire, talks, scratch })
    }

    /// Reaps the supervisors of earlier jobs that have exited.
    pub(super) fn reap(&self) {
        self.sandbox.reap();
    }

    #[cfg(test)]
    pub(crate) fn unreaped(&self) -> usize {
        self.sandbox.unreaped()
    }

    /// Cleans up after earlier jobs, and prepares for a later one with the limits of this one.
    pub(super) fn prepare_next(&self, job: &Job) {
        self.sandbox.prepare_next(&job.limits);
    }

    /// Has a supervisor created for a later job.
    pub(super) fn prepare_supervisor(&self) {
        self.sandbox.prepare_supervisor();
    }

    /// The monitor of a job about to be started.
    pub(super) fn monitor<'a>(
        &'a self,
        job: &'a Job,
        processors: &'a [usize],
        scratch: Option<&'a Path>,
    ) -> Monitor<'a> {
        Monitor::new(job, processors, self.interrupt, self.sandbox.enforcement(), scratch)
    }

    /// The outcome of a job that the system or the judge refused to start.
    pub(super) fn unstarted(&self, prepared: &PreparedJob<'_>, error: NotStarted) -> Result<Outcome, Fault> {
        match error {
            NotStarted::Refused(error) => match Errno::from_io_error(&error) {
                Some(error) => Ok(self.without_run(refused(error, &prepared.program.path())?)),
                // A path leads out of the folder that it begins in.
                None => Ok(self.changed_by_author(error.to_string())),
            },
            NotStarted::Unprepared(reason) => Err(Fault(format!("starting {}: {reason}", prepared.name))),
        }
    }

    /// The outcome of a monitored job; `None` if it was interrupted.
    pub(super) fn concluded(
        &self,
        prepared: &PreparedJob<'_>,
        finished: Result<Finished, Fault>,
    ) -> Result<Option<Outcome>, Fault> {
        let (job, name) = (prepared.job, &prepared.name);
        let finished = finished.or_else(|fault| {
            // Its own files left no room for the judge to work.
            let limited = prepared.scratch().zip(job.limits.scratch_bytes);
            let filled = limited.is_some_and(|(path, most)| scratch::exceeds(path, most));
            if filled { Ok(Finished::ScratchFull) } else { Err(fault) }
        });
        Ok(match finished? {
            Finished::ScratchFull => Some(self.without_run(End::ScratchFull)),
            Finished::Interrupted => None,
            Finished::Refused(refusal) if refusal.step == Step::Execute => {
                Some(self.without_run(refused(refusal.error, &prepared.program.path())?))
            }
            // A file that it names was replaced after the judge saw it, which only its author can do.
            Finished::Refused(refusal) if was_changed(&refusal) => {
                let reason = format!("{name} or a file that it may read was changed while it was started");
                Some(self.changed_by_author(reason))
            }
            // The organiser's files fit into a scratch directory; an author's folder may not.
            Finished::Refused(refusal) if !job.links.is_empty() && has_no_room(&refusal) => {
                let reason = format!("the working files of {name} do not fit into its scratch directory");
                Some(self.changed_by_author(reason))
            }
            Finished::Refused(refusal) => return Err(self.unprepared(name, &refusal)),
            Finished::Run(mut run) => {
                let folder = prepared.folder.take().map(OwnedFd::from).or(run.scratch.take());
                let fetched =
                    folder.map_or_else(|| Ok(wanted::Fetched::default()), |folder| wanted::fetch(folder.as_fd(), job));
                let wanted::Fetched { notes, unfetched } = fetched.map_err(Fault)?;
                let mut outcome = run.outcome(self.sandbox.isolation().clone(), self.machine.clone());
                outcome.notes.extend(notes);
                outcome.unfetched = unfetched;
                // Written after the last check.
                if scratch::fills_folder(job, 0) {
                    outcome.end = End::ScratchFull;
                }
                if outcome.end != (End::Exited { code: 0 }) {
                    outcome.notes.extend(shell_limits::few_processes(job.limits.processes));
                }
                if outcome.end == (End::Signalled { signal: SIGSYS }) && self.sandbox.has_filter() {
                    outcome.notes.push(killed_by_filter(&prepared.program.path()));
                }
                Some(outcome)
            }
        })
    }

    pub(super) fn interrupt(&self) -> &Interrupt {
        self.interrupt
    }

    fn not_started(&self, reason: String) -> Outcome {
        self.without_run(End::CouldNotStart { reason, by_author: false })
    }

    fn changed_by_author(&self, reason: String) -> Outcome {
        self.without_run(End::CouldNotStart { reason, by_author: true })
    }

    pub(super) fn without_run(&self, end: End) -> Outcome {
        Outcome::new(end, self.sandbox.isolation().clone(), self.machine.clone())
    }
}

/// A job about to be started, with its prepared resources.
pub(super) struct PreparedJob<'j> {
    job: &'j Job,
    /// The name of the program in the job, and its file.
    name: String,
    program: Place,
    /// Its environment except HOME and TMPDIR.
    environment: Vec<(String, OsString)>,
    /// Its user, if it is not the usual one.
    user: Option<JobUser>,
    /// Its scratch directory, if it has no private root, and the opened directory.
    scratch: Option<TempDir>,
    folder: Cell<Option<File>>,
}

impl PreparedJob<'_> {
    /// Its scratch directory, if it has no private root.
    pub(super) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_ref().map(TempDir::path)
    }

    /// Removes its prepared resources. Returns a note if that failed.
    pub(super) fn remove(self) -> Option<String> {
        let error = self.scratch.map_or(Ok(()), scratch::remove).err()?;
        Some(format!("its scratch directory could not be removed: {error}"))
    }
}

/// Refuses names of files that are paths, and invalid names of variables.
pub(super) fn check_names(job: &Job) -> Result<(), Fault> {
    let arguments = job.argv.iter().filter_map(|argument| match argument {
        Argument::File(name) | Argument::Folder(name) => Some(name),
        Argument::Text(_) | Argument::Path(_) => None,
    });
    let copies = job.copies.iter().map(|file| match file.name.split_once('/') {
        Some((folder, name)) if job.folders.iter().any(|known| known == folder) => name,
        _ => file.name.as_str(),
    });
    let placed = job.files.iter().map(|file| &file.name).chain(&job.folders);
    let placed = placed.chain(job.links.iter().map(|link| &link.name));
    let wanted = job.wanted.iter().map(|file| &file.name).chain(job.wanted_folders.iter().map(|folder| &folder.name));
    let mut files = placed.chain(wanted).chain(arguments).map(String::as_str).chain(copies);
    if let Some(name) = files.find(|name| matches!(*name, "" | "." | "..") || name.contains(['/', '\0'])) {
        return Err(Fault(format!("invalid file name {name:?}: expected the name of a file in the scratch directory")));
    }
    match job.environment.iter().find(|(name, _)| name.is_empty() || name.contains('=')) {
        Some((name, _)) => Err(Fault(format!("invalid name of an environment variable {name:?}"))),
        None => Ok(()),
    }
}

/// The variables of a job except HOME and TMPDIR, which depend on its scratch directory. `limit_ms` replaces its limit.
fn environment(job: &Job, limit_ms: Option<u64>) -> Vec<(String, OsString)> {
    const ITS_OWN: [&str; 3] = ["HOME", "TMPDIR", "JUDGE_LIMIT_MS"];
    let inherited = INHERITED.iter().filter_map(|&name| Some((name.to_owned(), inherited(name)?)));
    let mut variables: Vec<(String, OsString)> = inherited.collect();
    for (name, value) in job.environment.iter().filter(|(name, _)| !ITS_OWN.contains(&name.as_str())) {
        variables.retain(|(other, _)| other != name);
        variables.push((name.clone(), value.into()));
    }
    let limit_ms = limit_ms.unwrap_or(job.limits.wall_ms);
    variables.push(("JUDGE_LIMIT_MS".into(), limit_ms.to_string().into()));
    variables
}

/// The file of a job's program: on the PATH that the job gets, or at a path relative to its working directory.
fn program(job: &Job, environment: &[(String, OsString)]) -> Option<Place> {
    let name = match job.argv.first()? {
        Argument::Path(place) => return Some(place.clone()),
        Argument::Text(name) => name,
        Argument::File(_) | Argument::Folder(_) => return None,
    };
    if name.contains('/') {
        let path = Path::new(name);
        return Some(job.directory.as_ref().map_or(path.to_owned(), |directory| directory.join(path)).into());
    }
    let path = environment.iter().find(|(name, _)| name == "PATH").map(|(_, path)| &**path);
    find(name.as_ref(), path.unwrap_or_default()).map(Place::from)
}

#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod tests;
