//! The sandbox: the only module that starts and ends processes.
//!
//! [`Sandbox::new`] probes this machine and takes the strongest tier that works; [`Sandbox::start`] starts one job in it.
//! Between the judge and the job is a supervisor (`supervisor.rs`), which lives for one run. All `unsafe` code is in
//! `sys`.

mod cgroup;
mod entry;
mod flat;
mod group;
mod hold;
mod kill_tree;
mod landlock;
mod launch;
mod message;
mod network;
mod order;
mod plan;
mod policy;
mod probe;
mod root;
mod running;
mod seccomp;
mod source;
mod spare;
mod steps;
mod supervisor;
pub(super) mod sys;
mod users;
mod visible;
mod watchdog;
mod zygote;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_job::{Place, is_executable};
use rustix::fs::{Mode, OFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{PidfdFlags, Signal, WaitOptions, geteuid};

use self::cgroup::{Cgroups, Group, GroupLimits};
use self::flat::Writer;
use self::network::{Network, Networks};
use self::plan::{LaunchPlan, Root};
use self::source::{Source, c_string};
use self::spare::{Spares, Started};
use self::visible::VisiblePaths;
use self::watchdog::Watchdog;
use self::zygote::Zygotes;
use super::promises::Conditions;
use super::watch::ExitWatch;
use super::{
    Argument, CopiedFile, Isolation, Job, Limits, Link, PlacedFile, Stdin, Tier, canonical_parent, leads_through_proc,
    now_us, shell_limits,
};

pub(super) use self::cgroup::Notice;
pub(super) use self::hold::Hold;
pub(super) use self::message::{FinalReport, Refusal, Step};
pub use self::probe::{Enforcement, Layer, LayerName, Probe};
use self::running::{Exiting, Supervisor};
pub(super) use self::running::{RunEnd, Running};
#[cfg(test)]
pub(super) use self::seccomp::names as names_of_calls;
pub use self::seccomp::{AllowedCall, allowed_calls};
use self::seccomp::{Filters, Scope};
pub(super) use self::users::JobUser;

/// The most files that a supervisor copies by descriptors, whose number is limited. Further files pass through memory.
const MAX_COPIED: usize = sys::MAX_KEPT - 16;

/// The sandbox of this machine.
pub(super) struct Sandbox {
    tier: Tier,
    /// The layers that this machine's kernel permits, and the reasons why others do not work.
    probe: Probe,
    landlock: u32,
    filters: Option<Filters>,
    cgroups: Option<Cgroups>,
    networks: Networks,
    exiting: Exiting,
    watchdog: Watchdog,
    spares: Spares,
    /// Dropped after `exiting`, by this order of fields: their end would also end supervisors that are about to exit.
    zygotes: Zygotes,
    /// True if jobs of a root judge get a private user namespace.
    own_users: bool,
    /// Paths that every job may read.
    system: Arc<VisiblePaths>,
    /// An empty folder over which each run mounts its root, in its own mount namespace.
    base: PathBuf,
    foundations: RootTemplates,
    /// True if the standard library starts jobs, without a supervisor.
    bare: bool,
}

/// Beginnings of plans: the foundation of a run's root, in the bytes that a supervisor reads.
struct RootTemplates {
    /// The foundation for the roots of most runs.
    usual: Writer,
    /// The foundation for a root that does not show everything usual.
    least: Writer,
    /// The foundation for jobs that see the machine's files.
    none: Writer,
}

impl RootTemplates {
    fn new(system: &VisiblePaths, base: &Path) -> Self {
        let below = |shown: &VisiblePaths| {
            let mut to = Writer::default();
            shown.foundation(base, policy::maps()).write(to.flag(true));
            to
        };
        let mut none = Writer::default();
        none.flag(false);
        Self { usual: below(system), least: below(&VisiblePaths::default()), none }
    }

    fn below(&self, root: Option<&Root>) -> &Writer {
        match root {
            None => &self.none,
            Some(root) if root.usual => &self.usual,
            Some(_) => &self.least,
        }
    }
}

/// One job about to be started.
pub(super) struct Start<'a> {
    /// The file to execute, opened or by its path.
    pub(super) program: &'a Place,
    pub(super) job: &'a Job,
    /// The user that it runs as instead of the usual one.
    pub(super) user: Option<&'a JobUser>,
    /// Its environment except HOME and TMPDIR.
    pub(super) environment: Vec<(String, OsString)>,
    /// The reading end of a pipe that is its standard input instead of the job's.
    pub(super) wire: Option<&'a OwnedFd>,
    /// True if it exchanges messages with another job: see [`LaunchPlan::talks`].
    pub(super) talks: bool,
    /// Its scratch directory with the placed files, in a tier that sees the machine's files.
    pub(super) scratch: Option<&'a Path>,
}

/// Reason why a job was not started.
pub(super) enum NotStarted {
    /// The system refused to execute it. The caller decides who is to blame.
    Refused(io::Error),
    /// The judge could not prepare it; the reason is a fragment.
    Unprepared(String),
}

impl NotStarted {
    /// A failure to get something that every run needs.
    fn without<E: Into<io::Error>>(what: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::Unprepared(format!("{what}: {}", shell_limits::explained(&error.into())))
    }
}

impl Sandbox {
    /// Probes this machine and takes the strongest tier that works, at most `at_most`. `base` is an empty folder of the
    /// judge.
    pub(super) fn new(at_most: Tier, base: PathBuf) -> Self {
        sys::keep_exit_statuses();
        let path = super::inherited("PATH").unwrap_or_default();
        let home = super::inherited("HOME").map(PathBuf::from).and_then(|home| home.canonicalize().ok());
        let system = VisiblePaths::from_system(&path, home.as_deref());
        let mut sandbox = Self {
            tier: Tier::ProcessGroup,
            probe: Probe::default(),
            landlock: 0,
            filters: None,
            cgroups: None,
            networks: Networks::default(),
            exiting: Exiting::default(),
            watchdog: Watchdog::default(),
            spares: Spares::new(),
            zygotes: Zygotes::default(),
            own_users: false,
            foundations: RootTemplates::new(&system, &base),
            system: Arc::new(system),
            base,
            bare: false,
        };
        sandbox.probe(at_most);
        sandbox
    }

    /// A process group without a supervisor, as on a system that supports nothing else.
    pub(super) fn bare(base: PathBuf) -> Self {
        let mut sandbox = Self::new(Tier::ProcessGroup, base);
        sandbox.bare = true;
        sandbox.zygotes = Zygotes::default();
        sandbox.cgroups = None;
        sandbox.probe.isolation.layers.clear();
        sandbox.probe.conditions = Conditions::default();
        sandbox
    }

    /// Behaves as on a machine on which the judge cannot create control groups.
    #[cfg(test)]
    pub(super) fn do_without_control_groups(&mut self) {
        self.cgroups = None;
        self.filters = self.filters.take().and_then(|_| Filters::new(false).ok());
    }

    pub(super) fn isolation(&self) -> &Isolation {
        &self.probe.isolation
    }

    pub(super) fn findings(&self) -> &Probe {
        &self.probe
    }

    /// True if the job has a private root with a scratch directory in it, so that the judge need not create one.
    pub(super) fn has_own_root(&self) -> bool {
        self.tier == Tier::Namespaces
    }

    /// Tests whether a filter restricts a job's system calls.
    pub(super) fn has_filter(&self) -> bool {
        self.tier >= Tier::Landlock && self.filters.is_some()
    }

    /// Limits that the kernel enforces here.
    pub(super) fn enforcement(&self) -> Enforcement {
        let group = |limits: fn(&Cgroups) -> bool| self.cgroups.as_ref().is_some_and(limits);
        Enforcement {
            memory: group(Cgroups::limits_memory),
            processes: group(Cgroups::limits_processes),
            cpu: group(Cgroups::counts_cpu),
            scratch: self.has_own_root(),
        }
    }

    /// The user of a job if the judge is root: a separate user. If the job has writable folders, a separate user or the owner
    /// of the first folder, but never the owner of a link's target: otherwise the job could not write where it may. With only
    /// a process group, or if root could not end another user's processes, a job runs as the judge's user.
    pub(super) fn user(&self, job: &Job) -> io::Result<Option<JobUser>> {
        if self.tier == Tier::ProcessGroup || !geteuid().is_root() || !probe::may_end_other_users() {
            return Ok(None);
        }
        let of_folders = JobUser::new(job, self.tier)?;
        // Without a user namespace it would see itself as that user.
        Ok(of_folders.or_else(|| self.own_users.then(JobUser::of_its_own).flatten()))
    }

    /// Puts a job into the sandbox.
    pub(super) fn start(&self, start: &Start<'_>) -> Result<Running, NotStarted> {
        let Start { job, user, .. } = start;
        let visible = self.visible_to(start)?;
        let scratch = start.scratch.map_or_else(|| visible.scratch(), Into::into);
        let directory = job.directory.as_deref().map_or_else(|| scratch.clone(), canonical_parent);
        let stdin = match start.wire {
            Some(wire) => wire.try_clone().map(File::from),
            None => open_stdin(&job.stdin),
        };
        let stdin = stdin.map_err(NotStarted::without("opening its standard input"))?;
        let mut environment = start.environment.clone();
        environment.extend(["HOME", "TMPDIR"].map(|name| (name.into(), scratch.clone().into_os_string())));
        let image = group::image(start, &scratch, &environment).map_err(NotStarted::Refused)?;
        if self.bare {
            let begun_us = now_us();
            let child = group::start(start, &directory, stdin, image).map_err(NotStarted::Refused)?;
            let running = Running::from_group(child, begun_us, &job.limits);
            return running.map_err(NotStarted::without("monitoring it"));
        }
        let limits = GroupLimits::from_limits(&job.limits);
        let group = self.cgroups.as_ref().map(|cgroups| cgroups.group(&limits)).transpose();
        let group = group.map_err(NotStarted::without("making its control group"))?;
        let mut plan = self.plan(&visible, &scratch, &job.limits, self.tier, *user);
        // No file of it can be larger, whatever is written between two checks.
        plan.file_bytes = plan.file_bytes.into_iter().chain(job.folder_bytes).min();
        if job.keeps_modes && self.tier >= Tier::Landlock {
            let scope = if self.has_own_root() { Scope::OwnRootFolder } else { Scope::Landlock };
            plan.filter = self.filters.as_ref().map(|filters| filters.of(scope));
        }
        plan.directory = c_string(&directory);
        (plan.talks, plan.wired) = (start.talks, start.wire.is_some());
        if self.has_own_root() {
            let place =
                |file: &PlacedFile| (c_string(&scratch.join(&file.name)), plan::Contents::Bytes(file.contents.clone()));
            plan.files = job.files.iter().map(place).collect();
            for (number, CopiedFile { name, from }) in job.copies.iter().enumerate() {
                let contents = open_regular(from).and_then(|mut file| {
                    if number < MAX_COPIED {
                        return Ok(plan::Contents::Copied(file));
                    }
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes).map(|_| plan::Contents::Bytes(bytes))
                });
                let contents = contents.map_err(NotStarted::without("copying a file"))?;
                plan.files.push((c_string(&scratch.join(name)), contents));
            }
            let link = |Link { name, to }: &Link| (c_string(to), c_string(&scratch.join(name)));
            plan.links = job.links.iter().map(link).collect();
            if start.wire.is_none() {
                let source = input_source(&job.stdin, &stdin);
                plan.input = source.map_err(NotStarted::without("opening its standard input"))?;
            }
            plan.folders = job.folders.iter().map(|name| c_string(&scratch.join(name))).collect();
            plan.send_scratch = !(job.wanted.is_empty() && job.wanted_folders.is_empty());
        }
        plan.image = Some(image);
        let mapping = user.and_then(JobUser::mapping);
        plan.mapped = mapping.is_some();
        self.supervise(plan, group, &stdin, mapping, &job.limits)
    }

    /// Reaps the supervisors of earlier runs that have exited.
    pub(super) fn reap(&self) {
        self.exiting.reap();
    }

    /// Supervisors of earlier runs that were not reaped yet.
    #[cfg(test)]
    pub(super) fn unreaped(&self) -> usize {
        self.exiting.count()
    }

    /// Cleans up after earlier runs and prepares a later one with the same limits, while a run is executing. Doing it
    /// earlier would delay the start of the job, because the kernel changes control groups one at a time.
    pub(super) fn prepare_next(&self, limits: &Limits) {
        self.reap();
        if let Some(cgroups) = &self.cgroups {
            cgroups.prepare_next(&GroupLimits::from_limits(limits));
        }
    }

    /// The paths that a job may read and write: the paths of all jobs, the paths that its command names, and the paths
    /// that the job lists.
    fn visible_to(&self, Start { program, job, .. }: &Start<'_>) -> Result<VisiblePaths, NotStarted> {
        let named = job.argv.iter().filter_map(|argument| match argument {
            Argument::Text(text) => {
                Some(Path::new(text)).filter(|path| path.is_absolute() && !leads_through_proc(path)).map(Place::trusted)
            }
            Argument::Path(place) => Some(place.clone()),
            Argument::File(_) | Argument::Folder(_) => None,
        });
        let readable = named.chain([(*program).clone()]).chain(job.readable.iter().cloned());
        let visible = self.system.with(readable).map_err(|reason| NotStarted::Refused(io::Error::other(reason)))?;
        let visible = visible.with_writable(&job.writable);
        let visible = visible.map_err(|reason| NotStarted::Refused(io::Error::other(reason)))?;
        Ok(job.directory.as_deref().map(canonical_parent).into_iter().fold(visible, VisiblePaths::with_folder))
    }

    /// Clones a supervisor that carries out the plan, in these control groups.
    fn supervise(
        &self,
        mut plan: LaunchPlan,
        group: Option<Group>,
        stdin: &File,
        mapping: Option<BorrowedFd<'_>>,
        limits: &Limits,
    ) -> Result<Running, NotStarted> {
        let version_two = group.as_ref().and_then(Group::version_two);
        plan.version_two = version_two.is_some();
        plan.version_one = group.iter().flat_map(Group::version_one).count();
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(NotStarted::without("making its pipes"));
        let ((stdout, to_stdout), (stderr, to_stderr)) = (pipe()?, pipe()?);
        let standard = [stdin.as_fd(), to_stdout.as_fd(), to_stderr.as_fd()];
        let members = mapping.into_iter().chain(version_two).chain(group.iter().flat_map(Group::version_one));
        let members: Vec<BorrowedFd<'_>> = members.chain(plan.copied()).collect();
        let Started { pid, pidfd, socket, network } = match self.start_spare(&plan, &standard, &members) {
            Some(started) => started,
            None => self.clone(&plan, &standard, &members)?,
        };
        let within_reach = plan.filter.is_none() || plan.root.is_none() && self.landlock < landlock::SIGNALS_SCOPED;
        let exiting = self.exiting.clone();
        let watch = self.watchdog.watch(pid, &pidfd, plan.root.is_some(), limits);
        let supervisor = Supervisor { pid, pidfd, socket, group, network, exiting, watch, ended: None, within_reach };
        Ok(Running::supervised(supervisor, [stdout, stderr]))
    }

    /// Has a spare carry out the plan with these descriptors; `None` if there is no suitable spare.
    fn start_spare(
        &self,
        plan: &LaunchPlan,
        standard: &[BorrowedFd<'_>],
        members: &[BorrowedFd<'_>],
    ) -> Option<Started> {
        if plan.root.as_ref().is_some_and(|root| !root.usual) || plan.root.is_some() != self.has_own_root() {
            return None;
        }
        let mut flat = Writer::default();
        plan.write(false, &mut flat);
        self.spares.start(&self.zygotes, sys::bytes_of(flat.words()), &[standard, members].concat())
    }

    /// Clones a supervisor for the plan with these descriptors.
    fn clone(
        &self,
        plan: &LaunchPlan,
        standard: &[BorrowedFd<'_>],
        members: &[BorrowedFd<'_>],
    ) -> Result<Started, NotStarted> {
        let (flags, network) = self.namespaces(plan.root.is_some())?;
        let (socket, supervisor) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(NotStarted::without("making its socket"))?;
        let descriptors = standard.iter().copied().chain([supervisor.as_fd()]).chain(network.as_ref().map(Network::fd));
        let descriptors: Vec<BorrowedFd<'_>> = descriptors.chain(members.iter().copied()).collect();
        let mut flat = self.foundations.below(plan.root.as_ref()).clone();
        plan.write(network.is_some(), flat.flag(true));
        let born = self.zygotes.clone(flags, sys::bytes_of(flat.words()), &descriptors);
        let pid = match born.map_err(NotStarted::without("having it cloned"))? {
            Some(pid) => pid,
            None => {
                let numbers: Vec<RawFd> = descriptors.iter().map(|fd| fd.as_raw_fd()).collect();
                let child = || {
                    sys::stop_ignoring_signals();
                    supervisor::supervise(sys::bytes_of(flat.words()), &numbers)
                };
                sys::clone(flags, None, child).map_err(NotStarted::without("clone3"))?
            }
        };
        let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty()).map_err(|error| {
            // Nothing else can wait for it.
            rustix::process::kill_process(pid, Signal::KILL).ok();
            rustix::process::waitpid(Some(pid), WaitOptions::empty()).ok();
            NotStarted::without("opening its process")(error)
        })?;
        Ok(Started { pid, pidfd, socket, network })
    }

    /// The namespaces of a supervisor, and the network namespace for it to enter.
    fn namespaces(&self, own_root: bool) -> Result<(libc::c_int, Option<Network>), NotStarted> {
        if !own_root {
            return Ok((0, None));
        }
        if !geteuid().is_root() {
            return Ok((NAMESPACES | libc::CLONE_NEWUSER | libc::CLONE_NEWNET, None));
        }
        let network = self.networks.take().map_err(NotStarted::without("making its network namespace"))?;
        Ok((NAMESPACES, Some(network)))
    }

    /// Has a supervisor created for a later run, on the processors of the calling thread, without waiting for it.
    pub(super) fn prepare_supervisor(&self) {
        if let Some(namespaces) = self.zygotes.used.then(|| self.namespaces(self.has_own_root()).ok()).flatten() {
            let foundation = if self.has_own_root() { &self.foundations.usual } else { &self.foundations.none };
            self.spares.add(&self.zygotes, namespaces, foundation);
        }
    }
}

/// The namespaces of a job besides the user and network namespace.
const NAMESPACES: libc::c_int = libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

/// Opens a job's standard input, which must be a regular file: any other file could make the judge wait.
pub(super) fn open_stdin(stdin: &Stdin) -> io::Result<File> {
    let path = match stdin {
        Stdin::Nothing => return File::open("/dev/null"),
        Stdin::File(path) => path,
    };
    open_regular(path)
}

/// The source of an open standard input, with which a supervisor finds it again.
fn input_source(stdin: &Stdin, opened: &File) -> io::Result<Option<Source>> {
    let Stdin::File(path) = stdin else { return Ok(None) };
    let metadata = opened.metadata()?;
    let identity = Some((metadata.dev(), metadata.ino()));
    Ok(Some(Source { identity, ..Source::trusted(&path.canonicalize()?) }))
}

/// Opens a regular file of the machine for a job. The error names it.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| named(error.into()))?;
    let file = File::from(file);
    if !file.metadata().map_err(named)?.is_file() {
        return Err(named(io::Error::other("not a regular file")));
    }
    Ok(file)
}

/// The file of a program, in the first folder of the PATH that has one of this name.
pub(super) fn find(program: &OsStr, path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| is_executable(file))
}
