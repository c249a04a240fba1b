//! Runs on this machine: a fresh scratch directory, a clean environment, the wall clock, the end.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};

use super::capture::{Capped, Ends, Stream};
use super::scratch;
use super::watch::ExitWatch;
use super::{End, Executor, Interrupt, Interrupted, Job, Outcome, cage};

/// How long a process may take to vanish after SIGKILL before the judge gives it up.
const DEATH: Duration = Duration::from_secs(10);
/// Variables an entry inherits; everything else is left out, so that a run depends on the contest alone.
const INHERITED: &[&str] = &["PATH", "LANG"];

/// Runs entries as child processes on this machine.
pub struct LocalExecutor<'a> {
    interrupt: &'a Interrupt,
    scratch: scratch::Base,
    pidfd: bool,
}

impl<'a> LocalExecutor<'a> {
    /// An executor that ends its runs early when `interrupt` comes. Fails when no scratch directory can be made.
    pub fn new(interrupt: &'a Interrupt) -> io::Result<Self> {
        Ok(Self { interrupt, scratch: scratch::Base::new()?, pidfd: true })
    }

    /// The same without the use of pidfds, as on a system that has none.
    pub fn without_pidfd(interrupt: &'a Interrupt) -> io::Result<Self> {
        Ok(Self { pidfd: false, ..Self::new(interrupt)? })
    }
}

impl Executor for LocalExecutor<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        match self.attempt(job) {
            Ok(Some(outcome)) => Ok(outcome),
            Ok(None) => Err(Interrupted),
            Err(fault) => Ok(without_run(End::JudgeError { reason: fault.0 })),
        }
    }
}

/// Something the judge could not do, as a fragment that names the thing.
struct Fault(String);

/// Names the thing that failed.
trait Doing<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, Fault>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, Fault> {
        self.map_err(|error| Fault(format!("{}: {error}", what())))
    }
}

impl LocalExecutor<'_> {
    /// `None` when the run was interrupted.
    fn attempt(&self, job: &Job) -> Result<Option<Outcome>, Fault> {
        let scratch = self.scratch.scratch().doing(|| "no scratch directory".into())?;
        let board = scratch.path().join("board.txt");
        fs::write(&board, &job.board).doing(|| format!("no board at {}", board.display()))?;
        let stdout = Capped::create(&job.stdout, job.limits.output_bytes).doing(|| job.stdout.display().to_string())?;
        let stderr = Ends::create(&job.stderr).doing(|| job.stderr.display().to_string())?;

        let mut command = command(job, scratch.path(), &board);
        let started = Instant::now();
        let outcome = match cage::spawn_entry(&mut command) {
            Ok(child) => self.supervise(child, started, job, stdout, stderr)?,
            Err(error) => Some(without_run(refused(&error, &job.command[0])?)),
        };
        let removed = scratch::remove(scratch);
        Ok(outcome.map(|mut outcome| {
            if let Err(error) = removed {
                outcome.notes.push(format!("its scratch directory could not be removed: {error}"));
            }
            outcome
        }))
    }

    /// Reads what the entry prints and watches the clock until its main process has ended.
    fn supervise(
        &self,
        mut child: Child,
        started: Instant,
        job: &Job,
        stdout: Capped,
        stderr: Ends,
    ) -> Result<Option<Outcome>, Fault> {
        let pid = Pid::from_child(&child);
        let mut stdout = Stream::new(child.stdout.take().expect("stdout is piped"), stdout);
        let mut stderr = Stream::new(child.stderr.take().expect("stderr is piped"), stderr);
        let at_most = job.limits.wall() + job.limits.grace() + DEATH;
        let watch = if self.pidfd { ExitWatch::new(child, at_most) } else { ExitWatch::by_thread(child, at_most) };
        let watch = watch.inspect_err(|_| cage::signal(pid, Signal::KILL)).doing(|| "no watch on the entry".into())?;

        let mut clock = Clock { started, limits: job.limits, warned: false };
        let stop = loop {
            let ready = wait(&watch, self.interrupt, stdout.fd(), stderr.fd(), clock.left());
            let Ready { ended, interrupted, stdout: out, stderr: err } = match ready {
                Ok(ready) => ready,
                Err(error) => break Stop::Fault(Fault(format!("waiting for the entry: {error}"))),
            };
            // An end that is seen counts, even where the judge woke up late: its own delay is not the entry's.
            if ended {
                break Stop::Ended;
            }
            if interrupted {
                break Stop::Interrupted;
            }
            if out {
                match stdout.read_ready() {
                    Ok(true) => {}
                    Ok(false) => break Stop::TooMuchOutput,
                    Err(error) => break Stop::Fault(Fault(format!("{}: {error}", job.stdout.display()))),
                }
            }
            if err && let Err(error) = stderr.read_ready() {
                break Stop::Fault(Fault(format!("{}: {error}", job.stderr.display())));
            }
            if clock.left().is_zero() {
                if clock.warned || clock.limits.grace_ms == 0 {
                    break Stop::TimedOut;
                }
                cage::signal(pid, Signal::TERM);
                clock.warned = true;
            }
        };
        let wall = started.elapsed();
        // Before the process is reaped, so that its number, and so the group's, is still its own. Also after an end
        // of its own accord: children it left in the group end here.
        cage::signal(pid, Signal::KILL);
        if !wait_for_end(&watch).doing(|| "waiting for the entry's end".into())? {
            return Err(Fault(format!("process {pid} still exists {} s after SIGKILL", DEATH.as_secs())));
        }
        let status = watch.reap().doing(|| "reaping the entry".into())?;
        let fits = stdout.drain().doing(|| job.stdout.display().to_string())?;
        stderr.drain().doing(|| job.stderr.display().to_string())?;

        let end = match stop {
            Stop::Fault(fault) => return Err(fault),
            Stop::Interrupted => return Ok(None),
            Stop::TooMuchOutput => End::TooMuchOutput,
            Stop::TimedOut => End::TimedOut,
            Stop::Ended => {
                let status = status.ok_or_else(|| Fault("the entry's exit status is lost".into()))?;
                match end_of(status) {
                    // A process that the warning ended has no answer; one that used it to answer has.
                    End::Exited { code: 0 } if !fits => End::TooMuchOutput,
                    end @ End::Exited { code: 0 } => end,
                    _ if clock.warned => End::TimedOut,
                    end => end,
                }
            }
        };
        let (stdout_bytes, stderr_bytes) = (stdout.bytes().min(job.limits.output_bytes), stderr.bytes());
        stderr.into_sink().finish().doing(|| job.stderr.display().to_string())?;
        let wall_us = Some(u64::try_from(wall.as_micros()).unwrap_or(u64::MAX));
        let isolation = cage::ISOLATION;
        Ok(Some(Outcome { end, wall_us, stdout_bytes, stderr_bytes, isolation, notes: Vec::new() }))
    }
}

/// Why supervision stopped.
enum Stop {
    Ended,
    TimedOut,
    TooMuchOutput,
    Interrupted,
    Fault(Fault),
}

/// The run's own clock.
struct Clock {
    started: Instant,
    limits: super::Limits,
    /// Whether the warning signal was sent, that is, whether the grace period has begun.
    warned: bool,
}

impl Clock {
    /// Time to the limit, or to the end of the grace period once the entry was warned.
    fn left(&self) -> Duration {
        let grace = if self.warned { self.limits.grace() } else { Duration::ZERO };
        (self.limits.wall() + grace).saturating_sub(self.started.elapsed())
    }
}

/// What `poll` found ready.
#[derive(Default)]
struct Ready {
    ended: bool,
    interrupted: bool,
    stdout: bool,
    stderr: bool,
}

fn wait(
    watch: &ExitWatch,
    interrupt: &Interrupt,
    stdout: Option<BorrowedFd<'_>>,
    stderr: Option<BorrowedFd<'_>>,
    left: Duration,
) -> io::Result<Ready> {
    let mut ready = Ready::default();
    let waits = [
        (Some(watch.fd()), &mut ready.ended),
        (Some(interrupt.fd()), &mut ready.interrupted),
        (stdout, &mut ready.stdout),
        (stderr, &mut ready.stderr),
    ];
    let mut fds = Vec::with_capacity(waits.len());
    let mut flags = Vec::with_capacity(waits.len());
    for (fd, flag) in waits {
        if let Some(fd) = fd {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            flags.push(flag);
        }
    }
    poll_for(&mut fds, left)?;
    for (fd, flag) in fds.iter().zip(flags) {
        *flag = !fd.revents().is_empty();
    }
    Ok(ready)
}

fn wait_for_end(watch: &ExitWatch) -> io::Result<bool> {
    let deadline = Instant::now() + DEATH;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if poll_for(&mut [PollFd::from_borrowed_fd(watch.fd().as_fd(), PollFlags::IN)], left)? > 0 {
            return Ok(true);
        }
        if left.is_zero() {
            return Ok(false);
        }
    }
}

/// `poll` that takes an interruption by a signal for "nothing ready".
fn poll_for(fds: &mut [PollFd<'_>], left: Duration) -> io::Result<usize> {
    let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i64::from(i32::MAX), tv_nsec: 0 });
    match poll(fds, Some(&left)) {
        Ok(ready) => Ok(ready),
        Err(rustix::io::Errno::INTR) => {
            fds.iter_mut().for_each(PollFd::clear_revents);
            Ok(0)
        }
        Err(error) => Err(error.into()),
    }
}

fn command(job: &Job, scratch: &Path, board: &Path) -> Command {
    let mut command = Command::new(&job.command[0]);
    command.args(&job.command[1..]).arg(board).current_dir(scratch);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_clear();
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("HOME", scratch).env("TMPDIR", scratch).env("JUDGE_LIMIT_MS", job.limits.wall_ms.to_string());
    command
}

fn without_run(end: End) -> Outcome {
    let isolation = cage::ISOLATION;
    Outcome { end, wall_us: None, stdout_bytes: 0, stderr_bytes: 0, isolation, notes: Vec::new() }
}

/// Whose fault it is that a command did not start: the machine's when it was short of something or busy, else the
/// entry's.
fn refused(error: &io::Error, program: &str) -> Result<End, Fault> {
    use rustix::io::Errno;
    let reason = match Errno::from_io_error(error) {
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE | Errno::TXTBSY | Errno::CHILD | Errno::IO) => {
            return Err(Fault(format!("starting {program}: {error}")));
        }
        Some(Errno::NOENT) => format!("{program} or its interpreter does not exist"),
        Some(Errno::ACCESS) => format!("{program} is not an executable file"),
        Some(Errno::NOEXEC) => {
            format!("{program} is no program for this machine; a script needs a first line such as #!/bin/sh")
        }
        None if error.kind() == io::ErrorKind::NotFound => format!("{program} is not on the PATH"),
        _ => format!("{program}: {error}"),
    };
    Ok(End::CouldNotStart { reason })
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited { code },
        (None, Some(signal)) => End::Signalled { signal },
        (None, None) => End::JudgeError { reason: format!("unknown exit status: {status}") },
    }
}
