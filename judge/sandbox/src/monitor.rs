//! The loop that follows one run from start to end: output, limits, measurements.

mod all_wait;
mod clock;
mod ready;
mod record;
mod running_talk;
mod samples;
mod turn;

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use judge_job::{Arrival, StopRequest};
use rustix::time::ClockId;
use signal_hook::consts::SIGXFSZ;

use self::clock::{Clock, PREPARATION};
use self::ready::wait;
use self::record::Record;
pub(super) use self::running_talk::{Directed, DirectedProgram, EndedProgram as HeldTalk, RunningTalk, TalkProgram};
use super::capture::{Capped, HeadAndTail, Sink, Stream};
use super::hidden::{Hidden, HiddenBytes, Unmeasured};
use super::machine::{Pressure, busy_us};
use super::sandbox::{FinalReport, Notice, Refusal, RunEnd, Running};
use super::tree::{Sample, Times};
use super::{Contention, End, Enforcement, Interrupt, Isolation, Job, Machine, Outcome, Usage};
use super::{clock_us, scratch, shell_limits};

/// Time between two checks of the request to stop only this run.
const STOP_INTERVAL: Duration = Duration::from_millis(200);
/// A warning that is later than this gets a note.
const LATE_WARNING: Duration = Duration::from_millis(50);

/// An end of the processes that takes longer than this gets a note.
const LONG_CLEANUP: Duration = Duration::from_secs(1);

/// A failure of the judge itself, as a fragment.
pub(super) struct Fault(pub(super) String);

/// Destinations of a run's output.
pub(super) struct Captures {
    stdout: Capped,
    stderr: HeadAndTail,
}

impl Captures {
    pub(super) fn create(job: &Job) -> Result<Self, Fault> {
        let refuse =
            |path: &Path, error: io::Error| Fault(format!("{}: {}", path.display(), shell_limits::explained(&error)));
        let mut stdout =
            Capped::create(&job.stdout, job.limits.output_bytes).map_err(|error| refuse(&job.stdout, error))?;
        if job.timed {
            stdout = stdout.timed(clock::end_of_grace_us(&job.limits));
        }
        Ok(Self { stdout, stderr: HeadAndTail::create(&job.stderr).map_err(|error| refuse(&job.stderr, error))? })
    }

    /// The destinations of standard output and standard error.
    pub(super) fn into_parts(self) -> (Capped, HeadAndTail) {
        (self.stdout, self.stderr)
    }
}

/// Result of monitoring a run.
pub(super) enum Finished {
    Interrupted,
    /// The supervisor could not prepare it, so it was never executed.
    Refused(Refusal),
    /// It filled the disk beyond its limit before the judge could record it.
    ScratchFull,
    Run(Box<EndedRun>),
}

/// A run that is over.
pub(super) struct EndedRun {
    end: End,
    wall_us: u64,
    usage: Usage,
    contention: Contention,
    stdout_bytes: u64,
    stderr_bytes: u64,
    arrivals: Vec<Arrival>,
    notes: Vec<String>,
    /// When the main process began, by the monotonic clock, in microseconds, and whether it ended before its end was ordered.
    begun_us: Option<u64>,
    by_itself: bool,
    /// The scratch directory, if it was in a private root and files of it are wanted.
    pub(super) scratch: Option<OwnedFd>,
}

impl EndedRun {
    /// When the main process began and ended, by the monotonic clock, in microseconds; `None` if it never began.
    pub(super) fn times_us(&self) -> Option<(u64, u64)> {
        self.begun_us.map(|begun| (begun, begun.saturating_add(self.wall_us)))
    }

    /// CPU time that it used, if it was measured.
    pub(super) fn cpu_us(&self) -> Option<u64> {
        self.usage.cpu_us
    }

    pub(super) fn outcome(self, isolation: Isolation, machine: Machine) -> Outcome {
        let Self { end, wall_us, usage, contention, stdout_bytes, stderr_bytes, arrivals, notes, .. } = self;
        let mut outcome = Outcome::new(end, isolation, machine);
        (outcome.wall_us, outcome.usage, outcome.contention) = (Some(wall_us), usage, Some(contention));
        (outcome.stdout_bytes, outcome.stderr_bytes, outcome.notes) = (stdout_bytes, stderr_bytes, notes);
        outcome.arrivals = arrivals;
        outcome
    }
}

/// The monitor of one run.
pub(super) struct Monitor<'a> {
    job: &'a Job,
    /// Logical processors that it has to itself; empty if it is not pinned.
    processors: &'a [usize],
    interrupt: &'a Interrupt,
    /// The request to stop only this run.
    stop: Option<&'a dyn StopRequest>,
    enforced: Enforcement,
    /// A scratch directory whose size the monitor has to limit.
    scratch: Option<&'a Path>,
    clock: Clock,
    /// The largest figures that were seen.
    peak: Sample,
    times: Times,
    hidden: Hidden,
    held: HiddenBytes,
    sampled: bool,
    /// True if processes are refused without a notice.
    silent: bool,
    samples: u32,
    /// The time when the next sample is due.
    look_at: Instant,
    after_start: Option<&'a dyn Fn()>,
    pressure: Option<Pressure>,
    /// Busy time of the processors at the start, and CPU time of this thread, which is pinned to them.
    busy_us: Option<u64>,
    own_us: u64,
}

/// Standard output and standard error of a run.
type Streams<S> = (Stream<OwnedFd, S>, Stream<OwnedFd, HeadAndTail>);

/// Reason why the loop ended.
enum Stop {
    Ended,
    OutOfTime,
    Interrupted,
    /// A limit other than the time limit was exceeded.
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
            stop: None,
            enforced,
            scratch,
            clock: Clock::new(job.limits),
            peak: Sample::default(),
            times: Times::default(),
            hidden: Hidden::default(),
            held: HiddenBytes::default(),
            sampled: false,
            silent: false,
            samples: 0,
            look_at: Instant::now(),
            after_start: None,
            pressure: Pressure::now(),
            busy_us: busy_us(processors),
            own_us: clock_us(ClockId::ThreadCPUTime),
        }
    }

    /// Sets work to do once the job has begun.
    pub(super) fn after_start(&mut self, work: &'a dyn Fn()) {
        self.after_start = Some(work);
    }

    /// Sets the request to stop only this run.
    pub(super) fn stopped_by(&mut self, stop: &'a dyn StopRequest) {
        self.stop = Some(stop);
    }

    /// Follows the run to its end. When this returns, none of its processes lives.
    pub(super) fn monitor(mut self, mut running: Running, captures: Captures) -> Result<Finished, Fault> {
        let (mut stdout, mut stderr) = self.streams(&mut running, captures.stdout, captures.stderr)?;
        self.begin(&running);
        let stop = self.watch(&mut running, &mut stdout, &mut stderr);
        self.conclude(running, stop, stdout, stderr)
    }

    /// The streams of a run.
    fn streams<S: Sink>(&self, running: &mut Running, stdout: S, stderr: HeadAndTail) -> Result<Streams<S>, Fault> {
        let (out, err) = running.pipes().ok_or_else(|| Fault("the entry's pipes are lost".into()))?;
        let stdout = Stream::new(out, stdout).map_err(|error| self.stdout_fault(&error))?;
        Ok((stdout, Stream::new(err, stderr).map_err(|error| self.stderr_fault(&error))?))
    }

    /// Prepares for the first events.
    fn begin(&mut self, running: &Running) {
        self.clock.begun_us = running.begun_us();
        self.silent = running.refuses_silently();
        self.look_at = Instant::now() + self.first_look();
    }

    /// Ends a run and gathers its facts. When this returns, none of its processes lives.
    fn conclude<S: Sink>(
        &mut self,
        running: Running,
        stop: Stop,
        mut stdout: Stream<OwnedFd, S>,
        mut stderr: Stream<OwnedFd, HeadAndTail>,
    ) -> Result<Finished, Fault> {
        let mut finish = running.end(self.interrupt).map_err(|error| Fault(format!("ending the entry: {error}")))?;
        let pressure = Pressure::now().zip(self.pressure).map(|(after, before)| after.since(before));
        let busy_us = busy_us(self.processors).zip(self.busy_us).map(|(after, before)| after.saturating_sub(before));
        let own_us = clock_us(ClockId::ThreadCPUTime).saturating_sub(self.own_us);

        let fits = stdout.drain().map_err(|error| self.stdout_fault(&error))?;
        stderr.drain().map_err(|error| self.stderr_fault(&error))?;
        let (stdout_bytes, stderr_bytes) = (stdout.bytes().min(self.job.limits.output_bytes), stderr.bytes());
        stderr.into_sink().finish().map_err(|error| self.stderr_fault(&error))?;
        let arrivals = stdout.into_sink().into_arrivals(self.clock.begun_us.unwrap_or_default());
        let usage = self.usage(&finish);
        let exceeded = match stop {
            Stop::Fault(fault) => return Err(fault),
            Stop::Interrupted => return Ok(Finished::Interrupted),
            Stop::Limit(end) => Some(end),
            Stop::Ended | Stop::OutOfTime => None,
        };
        if let Some(refusal) = finish.refusal {
            return Ok(Finished::Refused(refusal));
        }
        let group = finish.group.as_ref();
        let record = Record {
            limits: self.job.limits,
            exceeded,
            status: finish.status.ok_or_else(|| Fault("its supervisor ended, which no entry can cause".into()))?,
            by_itself: finish.by_itself,
            wall_us: finish.wall_us,
            cpu_us: usage.cpu_us,
            out_of_memory: group.is_some_and(|group| group.out_of_memory()),
            too_many_processes: group.is_some_and(|group| group.too_many_processes()),
            scratch_full: finish.scratch_full,
            file_at_limit: self.file_at_limit(finish.status),
            output_fits: fits,
        };
        let end = record.end();
        let busy = Busy { all_us: busy_us, used_us: usage.cpu_us, own_us };
        let contention = contention(pressure, busy, finish.reaped);
        drop(finish.group.take());
        let (wall_us, notes, begun_us, by_itself) =
            (finish.wall_us, self.notes(&finish), finish.begun_us, finish.by_itself);
        let scratch = finish.scratch;
        let run = EndedRun {
            end,
            wall_us,
            usage,
            contention,
            stdout_bytes,
            stderr_bytes,
            arrivals,
            notes,
            begun_us,
            by_itself,
            scratch,
        };
        Ok(Finished::Run(Box::new(run)))
    }

    /// Tests whether a file in the scratch directory is as large as the resource limit allows, for a run that ended by the
    /// signal of that limit.
    fn file_at_limit(&self, status: Option<ExitStatus>) -> bool {
        let signalled = status.and_then(|status| status.signal()) == Some(SIGXFSZ);
        let limited = self.scratch.zip(self.job.limits.scratch_bytes);
        signalled && limited.is_some_and(|(scratch, most)| scratch::has_file_of(scratch, most))
    }

    fn notes(&self, finish: &RunEnd) -> Vec<String> {
        let mut notes: Vec<String> = self.held.unseen.iter().map(Unmeasured::to_string).collect();
        if finish.lost {
            notes.push("its supervisor was killed, so processes that it left may still run".into());
        }
        if !finish.gone {
            let waited = finish.ending.as_secs();
            notes.push(format!("the kernel had not removed all its processes {waited} s after they were killed"));
        } else if finish.ending > LONG_CLEANUP {
            let took = finish.ending.as_secs_f64();
            notes.push(format!("the kernel took {took:.1} s to remove its processes after the end of the run"));
        }
        let Some(reaped) = finish.reaped else { return notes };
        if reaped.left > 0 && finish.by_itself {
            let processes = if reaped.left == 1 { "process" } else { "processes" };
            notes.push(format!("it left {} {processes} running, which the judge ended", reaped.left));
        }
        let due_us = self.clock.begun_us.unwrap_or(0).saturating_add(clock::limit_us(&self.job.limits));
        let late = Duration::from_micros(reaped.warned_us.saturating_sub(due_us));
        if late > LATE_WARNING {
            notes
                .push(format!("the warning came {} ms after the limit, from which the grace counts", late.as_millis()));
        }
        notes
    }

    /// The loop, which ends at the first of these: the end of the run, a limit, an interrupt.
    fn watch(
        &mut self,
        running: &mut Running,
        stdout: &mut Stream<OwnedFd, Capped>,
        stderr: &mut Stream<OwnedFd, HeadAndTail>,
    ) -> Stop {
        loop {
            let left = self.left();
            let left = if self.stop.is_some() { left.min(STOP_INTERVAL) } else { left };
            let ready = match wait(running, self.interrupt, stdout.fd(), stderr.fd(), left) {
                Ok(ready) => ready,
                Err(error) => return Stop::Fault(Fault(format!("waiting for the entry: {error}"))),
            };
            if ready.process
                && let Some(stop) = self.listen(running)
            {
                return stop;
            }
            if ready.interrupted || self.stop.is_some_and(StopRequest::requested) {
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
            if let Some(stop) = self.due(running) {
                return stop;
            }
        }
    }

    /// Time until something is due.
    fn left(&self) -> Duration {
        self.clock.left().min(self.look_at.saturating_duration_since(Instant::now()))
    }

    /// Receives a message of the supervisor. Returns the reason if the run is to end.
    fn listen(&mut self, running: &mut Running) -> Option<Stop> {
        match running.is_over() {
            Ok(true) => return Some(Stop::Ended),
            Ok(false) if running.scratch_is_full() => return Some(Stop::Limit(End::ScratchFull)),
            Ok(false) => {
                self.clock.begun_us = running.begun_us();
                if self.clock.begun_us.is_some()
                    && let Some(work) = self.after_start.take()
                {
                    work();
                }
            }
            Err(error) => return Some(Stop::Fault(Fault(format!("reading from the supervisor: {error}")))),
        }
        None
    }

    /// Carries out what is due: a sample, or the end of the time. Returns the reason if the run is to end.
    fn due(&mut self, running: &Running) -> Option<Stop> {
        if self.look_at <= Instant::now() {
            match self.sample(running) {
                Ok(next) => self.look_at = Instant::now() + next,
                Err(end) => return Some(Stop::Limit(end)),
            }
        }
        if self.clock.left().is_zero() {
            if self.clock.begun_us.is_none() {
                return Some(Stop::Fault(Fault(format!("the entry was not ready after {} s", PREPARATION.as_secs()))));
            }
            return Some(Stop::OutOfTime);
        }
        None
    }

    /// The most bytes of standard output.
    fn most_output(&self) -> u64 {
        self.job.limits.output_bytes
    }

    fn stdout_fault(&self, error: &io::Error) -> Fault {
        Fault(format!("{}: {error}", self.job.stdout.display()))
    }

    fn stderr_fault(&self, error: &io::Error) -> Fault {
        Fault(format!("{}: {error}", self.job.stderr.display()))
    }
}

fn past(notice: Notice) -> End {
    match notice {
        Notice::Memory => End::OutOfMemory,
        Notice::Processes => End::TooManyProcesses,
    }
}

/// Busy time of a run's processors, in microseconds: all of it, the run's part, and the part of the judge's thread.
struct Busy {
    all_us: Option<u64>,
    used_us: Option<u64>,
    own_us: u64,
}

/// Signs that other processes disturbed a run. The time of its processors that neither the run nor the judge used was taken
/// by other processes. The judge's thread and supervisor also work for the run there: they read the entry's output and reap
/// its processes.
fn contention(pressure: Option<Pressure>, busy: Busy, reaped: Option<FinalReport>) -> Contention {
    let judge_us = busy.own_us.saturating_add(reaped.map_or(0, |reaped| reaped.supervisor_cpu_us));
    let times = busy.all_us.zip(busy.used_us);
    let mut contention = Contention::default();
    contention.cpu_pressure_us = pressure.map(|pressure| pressure.cpu_us);
    contention.memory_pressure_us = pressure.map(|pressure| pressure.memory_us);
    contention.involuntary_switches = reaped.map(|reaped| reaped.involuntary_switches);
    contention.taken_us = times.map(|(all, used)| all.saturating_sub(used).saturating_sub(judge_us));
    contention
}

#[cfg(test)]
mod tests;
