//! One run from its start to its end: what it prints, its clock, its limits, and what is counted.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};

use super::capture::{Capped, HeadAndTail, Stream};
use super::machine::{Pressure, busy_us};
use super::sandbox::{Finish, Notice, Refusal, Running};
use super::tree::{self, Sample};
use super::{Contention, End, Enforcement, Interrupt, Isolation, Job, Limits, Machine, MeasuredBy, Outcome, Usage};
use super::{now_us, poll_for, scratch};

/// How often a run is looked at whose limits the kernel does not enforce.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How often the files in a scratch directory are counted, in glances.
const GLANCES_A_COUNT: u32 = 5;
/// How long the preparation of a run may take.
const PREPARATION: Duration = Duration::from_secs(60);
/// Signals that the resource limits send.
const TOO_MUCH_CPU: i32 = 24;
const FILE_TOO_LARGE: i32 = 25;

/// Something the judge could not do, as a fragment that names the thing.
pub(super) struct Fault(pub(super) String);

/// Where a run's output goes.
pub(super) struct Captures {
    stdout: Capped,
    stderr: HeadAndTail,
}

impl Captures {
    pub(super) fn create(job: &Job) -> Result<Self, Fault> {
        let refuse = |path: &Path, error: io::Error| Fault(format!("{}: {error}", path.display()));
        Ok(Self {
            stdout: Capped::create(&job.stdout, job.limits.output_bytes).map_err(|error| refuse(&job.stdout, error))?,
            stderr: HeadAndTail::create(&job.stderr).map_err(|error| refuse(&job.stderr, error))?,
        })
    }
}

/// What a run came to.
pub(super) enum Finished {
    /// The judge was told to stop.
    Interrupted,
    /// It was not even started.
    Refused(Refusal),
    Run(Box<Run>),
}

/// A run that is over.
pub(super) struct Run {
    end: End,
    wall_us: u64,
    usage: Usage,
    contention: Contention,
    stdout_bytes: u64,
    stderr_bytes: u64,
    notes: Vec<String>,
}

impl Run {
    pub(super) fn outcome(self, isolation: Isolation, machine: Machine) -> Outcome {
        let Self { end, wall_us, usage, contention, stdout_bytes, stderr_bytes, notes } = self;
        let (wall_us, contention) = (Some(wall_us), Some(contention));
        Outcome { end, wall_us, usage, contention, stdout_bytes, stderr_bytes, isolation, machine, notes }
    }
}

/// The watch over one run.
pub(super) struct Monitor<'a> {
    job: &'a Job,
    /// The logical processors that it has to itself; none where it is not pinned.
    processors: &'a [usize],
    interrupt: &'a Interrupt,
    enforced: Enforcement,
    /// A scratch directory of the machine's, whose size nobody else limits.
    scratch: Option<&'a Path>,
    clock: Clock,
    /// The largest figures that were seen.
    peak: Sample,
    sampled: bool,
    /// Whether processes are refused without a notice.
    silent: bool,
    glances: u32,
    leisure: Option<&'a dyn Fn()>,
    pressure: Option<Pressure>,
    busy_us: Option<u64>,
}

/// Why a run was ended, or seen to have ended.
enum Stop {
    Ended,
    Interrupted,
    Limit(End),
    Fault(Fault),
}

impl<'a> Monitor<'a> {
    pub(super) fn new(
        job: &'a Job,
        processors: &'a [usize],
        interrupt: &'a Interrupt,
        enforced: Enforcement,
        scratch: Option<&'a Path>,
    ) -> Self {
        Self {
            job,
            processors,
            interrupt,
            enforced,
            scratch,
            clock: Clock { prepared_us: now_us(), begun_us: None, limits: job.limits, warned: false },
            peak: Sample::default(),
            sampled: false,
            silent: false,
            glances: 0,
            leisure: None,
            pressure: Pressure::now(),
            busy_us: busy_us(processors),
        }
    }

    /// What to do once the entry is under way.
    pub(super) fn at_leisure(&mut self, work: &'a dyn Fn()) {
        self.leisure = Some(work);
    }

    /// Watches until the end. When this returns, nothing of the run lives.
    pub(super) fn monitor(mut self, mut running: Running, captures: Captures) -> Result<Finished, Fault> {
        let (stdout, stderr) = running.pipes().ok_or_else(|| Fault("the entry's pipes are lost".into()))?;
        let mut stdout = Stream::new(stdout, captures.stdout);
        let mut stderr = Stream::new(stderr, captures.stderr);
        self.clock.begun_us = running.begun_us();
        let stop = self.watch(&mut running, &mut stdout, &mut stderr);
        let mut finish = running.end().map_err(|error| Fault(format!("ending the entry: {error}")))?;
        let pressure = Pressure::now().zip(self.pressure).map(|(after, before)| after.since(before));
        let busy_us = busy_us(self.processors).zip(self.busy_us).map(|(after, before)| after.saturating_sub(before));

        let fits = stdout.drain().map_err(|error| self.stdout_fault(&error))?;
        stderr.drain().map_err(|error| self.stderr_fault(&error))?;
        let (stdout_bytes, stderr_bytes) = (stdout.bytes().min(self.job.limits.output_bytes), stderr.bytes());
        stderr.into_sink().finish().map_err(|error| self.stderr_fault(&error))?;
        let usage = self.usage(&finish);
        let stop = match stop {
            Stop::Fault(fault) => return Err(fault),
            Stop::Interrupted => return Ok(Finished::Interrupted),
            stop => stop,
        };
        if let Some(refusal) = finish.refusal {
            return Ok(Finished::Refused(refusal));
        }
        let end = self.end(&stop, &finish, fits, &usage)?;
        let taken = |busy: u64| busy.saturating_sub(usage.cpu_us.unwrap_or(busy));
        let contention = Contention {
            cpu_pressure_us: pressure.map(|pressure| pressure.cpu_us),
            memory_pressure_us: pressure.map(|pressure| pressure.memory_us),
            involuntary_switches: finish.reaped.map(|reaped| reaped.involuntary_switches),
            taken_us: busy_us.map(taken),
        };
        drop(finish.group.take());
        let left = finish.reaped.map_or(0, |reaped| reaped.left);
        let notes = (left > 0 && finish.by_itself).then(|| {
            let processes = if left == 1 { "process" } else { "processes" };
            format!("it left {left} {processes} running, which the judge ended")
        });
        let (wall_us, notes) = (finish.wall_us, notes.into_iter().collect());
        Ok(Finished::Run(Box::new(Run { end, wall_us, usage, contention, stdout_bytes, stderr_bytes, notes })))
    }

    /// The loop: whatever comes first of the end, a limit, the interrupt.
    fn watch(
        &mut self,
        running: &mut Running,
        stdout: &mut Stream<OwnedFd, Capped>,
        stderr: &mut Stream<OwnedFd, HeadAndTail>,
    ) -> Stop {
        self.silent = running.refuses_silently();
        let mut look = Instant::now() + self.first_look();
        loop {
            let left = self.clock.left().min(look.saturating_duration_since(Instant::now()));
            let ready = match wait(running, self.interrupt, stdout.fd(), stderr.fd(), left) {
                Ok(ready) => ready,
                Err(error) => return Stop::Fault(Fault(format!("waiting for the entry: {error}"))),
            };
            if ready.news {
                match running.is_over() {
                    // An end that is seen counts, even where the judge woke up late: its own delay is not the entry's.
                    Ok(true) => return Stop::Ended,
                    Ok(false) if running.scratch_is_full() => return Stop::Limit(End::ScratchFull),
                    Ok(false) => {
                        self.clock.begun_us = running.begun_us();
                        if self.clock.begun_us.is_some()
                            && let Some(work) = self.leisure.take()
                        {
                            work();
                        }
                    }
                    Err(error) => return Stop::Fault(Fault(format!("hearing from the supervisor: {error}"))),
                }
            }
            if ready.interrupted {
                return Stop::Interrupted;
            }
            if let Some(notice) = ready.notice
                && running.is_past(notice)
            {
                return Stop::Limit(past(notice));
            }
            if ready.stdout {
                match stdout.read_ready() {
                    Ok(true) => {}
                    Ok(false) => return Stop::Limit(End::TooMuchOutput),
                    Err(error) => return Stop::Fault(self.stdout_fault(&error)),
                }
            }
            if ready.stderr
                && let Err(error) = stderr.read_ready()
            {
                return Stop::Fault(self.stderr_fault(&error));
            }
            if look <= Instant::now() {
                match self.look(running) {
                    Ok(next) => look = Instant::now() + next,
                    Err(end) => return Stop::Limit(end),
                }
            }
            if self.clock.left().is_zero() {
                if self.clock.begun_us.is_none() {
                    return Stop::Fault(Fault(format!("the entry was not ready after {} s", PREPARATION.as_secs())));
                }
                if self.clock.warned || self.clock.limits.grace_ms == 0 {
                    return Stop::Limit(End::TimedOut);
                }
                running.warn();
                self.clock.warned = true;
            }
        }
    }

    /// How long nothing can have happened that needs a look.
    fn first_look(&self) -> Duration {
        let Limits { cpu_ms, cores, .. } = self.job.limits;
        if self.needs_glances() {
            return POLL_INTERVAL;
        }
        match cpu_ms {
            Some(cpu) => Duration::from_millis(cpu) / u32::try_from(cores).unwrap_or(u32::MAX).max(1),
            None => Duration::MAX / 4,
        }
    }

    /// Whether a limit is there that the kernel does not enforce, or of which it gives no notice.
    fn needs_glances(&self) -> bool {
        let limits = &self.job.limits;
        self.needs_samples()
            || limits.scratch_bytes.is_some() && self.scratch.is_some()
            || limits.processes.is_some() && self.silent
    }

    /// Whether that asks for a look at every process.
    fn needs_samples(&self) -> bool {
        let limits = &self.job.limits;
        limits.memory_bytes.is_some() && !self.enforced.memory
            || limits.processes.is_some() && !self.enforced.processes
            || limits.cpu_ms.is_some() && !self.enforced.cpu
    }

    /// Looks at what the kernel does not limit: the time until the next look, or the limit that was passed.
    fn look(&mut self, running: &Running) -> Result<Duration, End> {
        let limits = self.job.limits;
        let mut next = Duration::MAX / 4;
        let mut cpu_us = running.cpu_us();
        if self.needs_samples() {
            let sample = running.sample();
            self.sampled = true;
            self.peak.tasks = self.peak.tasks.max(sample.tasks);
            self.peak.cpu_us = self.peak.cpu_us.max(sample.cpu_us);
            if limits.processes.is_some_and(|most| sample.tasks > most.into()) && !self.enforced.processes {
                return Err(End::TooManyProcesses);
            }
            let mut memory = sample.resident_bytes;
            if limits.memory_bytes.is_some_and(|most| memory > most) && !self.enforced.memory {
                // Shared pages were counted for each process; only now is it worth the time to divide them.
                memory = tree::proportional_bytes(running.root()).unwrap_or(memory);
                if limits.memory_bytes.is_some_and(|most| memory > most) {
                    self.peak.resident_bytes = self.peak.resident_bytes.max(memory);
                    return Err(End::OutOfMemory);
                }
            }
            self.peak.resident_bytes = self.peak.resident_bytes.max(memory);
            cpu_us = cpu_us.or(Some(sample.cpu_us));
        }
        if self.silent && running.is_past(Notice::Processes) {
            return Err(End::TooManyProcesses);
        }
        if self.needs_glances() {
            self.glances += 1;
            if let (Some(most), Some(scratch)) = (limits.scratch_bytes, self.scratch)
                && self.glances.is_multiple_of(GLANCES_A_COUNT)
                && scratch::bytes_in(scratch) > most
            {
                return Err(End::ScratchFull);
            }
            next = POLL_INTERVAL;
        }
        if let (Some(most), Some(used)) = (limits.cpu_ms, cpu_us) {
            let left_us = (most * 1000).saturating_sub(used);
            if left_us == 0 {
                return Err(End::OutOfCpu);
            }
            let cores = u64::try_from(limits.cores).unwrap_or(u64::MAX).max(1);
            // Never in vain more than a thousand times a second.
            next = next.min(Duration::from_micros((left_us / cores).max(1000)));
        }
        Ok(next)
    }

    /// What all its processes used, by the best count there is.
    fn usage(&self, finish: &Finish) -> Usage {
        let reaped = finish.reaped;
        let group = finish.group.as_ref();
        let sampled = self.sampled;
        let cpu = match (group.and_then(|group| group.cpu_us()), reaped.map(|reaped| reaped.cpu_us)) {
            (Some(cpu), _) => Some((cpu, MeasuredBy::Cgroup)),
            (None, Some(cpu)) if sampled => Some((cpu.max(self.peak.cpu_us), MeasuredBy::Sampled)),
            (None, Some(cpu)) => Some((cpu, MeasuredBy::Reaped)),
            (None, None) => None,
        };
        let memory = match (group.and_then(|group| group.peak_bytes()), reaped.map(|reaped| reaped.largest_bytes)) {
            (Some(bytes), _) => Some((bytes, MeasuredBy::Cgroup)),
            (None, Some(bytes)) if sampled => Some((bytes.max(self.peak.resident_bytes), MeasuredBy::Sampled)),
            (None, Some(bytes)) => Some((bytes, MeasuredBy::Reaped)),
            (None, None) => None,
        };
        let ((cpu_us, cpu_by), (memory_bytes, memory_by)) = (cpu.unzip(), memory.unzip());
        Usage { cpu_us, cpu_by, memory_bytes, memory_by }
    }

    /// How the run ended, from why it was stopped and what was found behind it. A limit that was passed decides,
    /// whether or not the judge was quick enough to be the one who ended the run.
    fn end(&self, stop: &Stop, finish: &Finish, fits: bool, usage: &Usage) -> Result<End, Fault> {
        let group = finish.group.as_ref();
        if let Stop::Limit(end) = stop
            && *end != End::TimedOut
        {
            return Ok(end.clone());
        }
        if group.is_some_and(|group| group.out_of_memory()) {
            return Ok(End::OutOfMemory);
        }
        if group.is_some_and(|group| group.too_many_processes()) {
            return Ok(End::TooManyProcesses);
        }
        if finish.scratch_full {
            return Ok(End::ScratchFull);
        }
        if self.job.limits.cpu_ms.zip(usage.cpu_us).is_some_and(|(most, used)| used > most * 1000) {
            return Ok(End::OutOfCpu);
        }
        // An entry that ended by itself before the order to end reached it was in time.
        let in_time = finish.by_itself && finish.wall_us <= self.clock.ends_us();
        if matches!(stop, Stop::Limit(End::TimedOut)) && !in_time {
            return Ok(End::TimedOut);
        }
        let status = finish.status.ok_or_else(|| Fault("the entry's exit status is lost".into()))?;
        Ok(match end_of(status) {
            End::Exited { code: 0 } if !fits => End::TooMuchOutput,
            end @ End::Exited { code: 0 } => end,
            // A process that the warning ended has no answer; one that used it to answer has.
            _ if self.clock.warned => End::TimedOut,
            End::Signalled { signal: FILE_TOO_LARGE } => End::ScratchFull,
            End::Signalled { signal: TOO_MUCH_CPU } if self.job.limits.cpu_ms.is_some() => End::OutOfCpu,
            end => end,
        })
    }

    fn stdout_fault(&self, error: &io::Error) -> Fault {
        Fault(format!("{}: {error}", self.job.stdout.display()))
    }

    fn stderr_fault(&self, error: &io::Error) -> Fault {
        Fault(format!("{}: {error}", self.job.stderr.display()))
    }
}

/// The run's own clock. It starts when the entry does: what comes before is the judge's business.
struct Clock {
    /// When the preparation began and when the entry did, by the monotonic clock.
    prepared_us: u64,
    begun_us: Option<u64>,
    limits: Limits,
    /// Whether the warning signal was sent, that is, whether the grace period has begun.
    warned: bool,
}

impl Clock {
    /// When the run ends, from its start.
    fn ends_us(&self) -> u64 {
        let ends = self.limits.wall() + if self.warned { self.limits.grace() } else { Duration::ZERO };
        u64::try_from(ends.as_micros()).unwrap_or(u64::MAX)
    }

    /// Time to the limit, or to the end of the grace period once the entry was warned.
    fn left(&self) -> Duration {
        let preparation = u64::try_from(PREPARATION.as_micros()).unwrap_or(u64::MAX);
        let ends_us = match self.begun_us {
            Some(begun) => begun.saturating_add(self.ends_us()),
            None => self.prepared_us.saturating_add(preparation),
        };
        Duration::from_micros(ends_us.saturating_sub(now_us()))
    }
}

/// What `poll` found ready.
#[derive(Default)]
struct Ready {
    news: bool,
    interrupted: bool,
    stdout: bool,
    stderr: bool,
    notice: Option<Notice>,
}

fn wait(
    running: &Running,
    interrupt: &Interrupt,
    stdout: Option<BorrowedFd<'_>>,
    stderr: Option<BorrowedFd<'_>>,
    left: Duration,
) -> io::Result<Ready> {
    let mut ready = Ready::default();
    let waits = [
        (Some(running.fd()), &mut ready.news),
        (Some(interrupt.fd()), &mut ready.interrupted),
        (stdout, &mut ready.stdout),
        (stderr, &mut ready.stderr),
    ];
    let notices = running.notices();
    let mut fds = Vec::with_capacity(waits.len() + notices.len());
    let mut flags = Vec::with_capacity(waits.len());
    for (fd, flag) in waits {
        if let Some(fd) = fd {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            flags.push(flag);
        }
    }
    fds.extend(notices.iter().map(|(_, fd, event)| PollFd::from_borrowed_fd(*fd, *event)));
    poll_for(&mut fds, left)?;
    let (plain, special) = fds.split_at(flags.len());
    for (fd, flag) in plain.iter().zip(flags) {
        *flag = !fd.revents().is_empty();
    }
    let told = special.iter().zip(&notices).find(|(fd, _)| !fd.revents().is_empty());
    ready.notice = told.map(|(_, (notice, ..))| *notice);
    Ok(ready)
}

fn past(notice: Notice) -> End {
    match notice {
        Notice::Memory => End::OutOfMemory,
        Notice::Processes => End::TooManyProcesses,
    }
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited { code },
        (None, Some(signal)) => End::Signalled { signal },
        (None, None) => End::JudgeError { reason: format!("unknown exit status: {status}") },
    }
}
