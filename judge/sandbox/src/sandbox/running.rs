//! A started job: events to wait for, and its end.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, Shutdown};
use rustix::process::{Pid, Signal, WaitIdOptions};

use super::cgroup::{Group, Notice};
use super::group::signal;
use super::message::{self, Ended, Message, Refusal};
use super::network::Network;
use super::watchdog::Watch;
use super::{ExitWatch, Limits};
use crate::tree::{self, Sample};
use crate::{now_us, poll_for};

/// Time that a process may take to vanish after SIGKILL.
const DEATH: Duration = Duration::from_secs(10);
/// Time that a supervisor may take to end its processes before the judge kills it.
const ENDING: Duration = Duration::from_secs(5);
/// Time after which the judge helps it.
const HELP: Duration = Duration::from_millis(300);

/// A started job, or one in preparation.
pub(crate) struct Running {
    held: Held,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    refusal: Option<Refusal>,
    scratch_full: bool,
    /// The scratch directory in a root of its own, if files of it are wanted.
    scratch: Option<OwnedFd>,
    /// When the entry began, by the monotonic clock, in microseconds.
    begun_us: Option<u64>,
    /// The entry's process group, where its number means something outside.
    entry: Option<Pid>,
    over: bool,
}

enum Held {
    Supervisor(Supervisor),
    Bare { pid: Pid, watch: Option<ExitWatch> },
}

/// A supervisor and what it was given.
pub(super) struct Supervisor {
    pub(super) pid: Pid,
    pub(super) pidfd: OwnedFd,
    pub(super) socket: OwnedFd,
    pub(super) group: Option<Group>,
    pub(super) network: Option<Network>,
    pub(super) exiting: Exiting,
    /// Ends the run if nothing else does.
    pub(super) watch: Option<Watch>,
    pub(super) ended: Option<Ended>,
    /// The entry may be able to stop or kill it.
    pub(super) within_reach: bool,
}

/// Facts about a run of which nothing lives any more.
pub(crate) struct Finish {
    /// Status of the main process; `None` if the supervisor is gone without a report.
    pub(crate) status: Option<ExitStatus>,
    /// It ended before its end was ordered, by the judge or by the limit.
    pub(crate) by_itself: bool,
    /// Wall-clock time from the start to the end of the main process, in microseconds.
    pub(crate) wall_us: u64,
    /// Resources of the reaped processes, if there was a supervisor.
    pub(crate) reaped: Option<Ended>,
    pub(crate) group: Option<Group>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) scratch_full: bool,
    /// The scratch directory in a root of its own, if files of it are wanted.
    pub(crate) scratch: Option<OwnedFd>,
    /// The supervisor was killed, so processes may have survived.
    pub(crate) lost: bool,
}

impl Running {
    pub(super) fn supervised(supervisor: Supervisor, [stdout, stderr]: [OwnedFd; 2]) -> Self {
        Self::new(Held::Supervisor(supervisor), Some(stdout), Some(stderr), None)
    }

    fn new(held: Held, stdout: Option<OwnedFd>, stderr: Option<OwnedFd>, begun_us: Option<u64>) -> Self {
        Self {
            held,
            stdout,
            stderr,
            refusal: None,
            scratch_full: false,
            scratch: None,
            begun_us,
            entry: None,
            over: false,
        }
    }

    pub(super) fn of_group(mut child: Child, begun_us: u64, limits: &Limits) -> io::Result<Self> {
        let pid = Pid::from_child(&child);
        let (stdout, stderr) = (child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from));
        let watch = ExitWatch::new(child, limits.wall(), limits.grace());
        let watch = watch.inspect_err(|_| signal(pid, Signal::KILL))?;
        Ok(Self::new(Held::Bare { pid, watch: Some(watch) }, stdout, stderr, Some(begun_us)))
    }

    /// The reading ends of standard output and standard error; they can be taken once.
    pub(crate) fn pipes(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        self.stdout.take().zip(self.stderr.take())
    }

    /// Becomes readable when there is a message, above all when the main process has ended.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        match &self.held {
            Held::Supervisor(Supervisor { socket, .. }) => socket.as_fd(),
            Held::Bare { watch, .. } => watch.as_ref().expect("it is there until the end").fd(),
        }
    }

    /// Receives the message that made [`Running::fd`] readable. Returns whether the run is over.
    pub(crate) fn is_over(&mut self) -> io::Result<bool> {
        let more = self.receive()?;
        Ok(!more || self.over || self.reported())
    }

    /// Receives a message; `false` when there will be no more.
    fn receive(&mut self) -> io::Result<bool> {
        let Held::Supervisor(Supervisor { socket, ended, .. }) = &mut self.held else { return Ok(false) };
        let mut bytes = [0; message::LENGTH];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        match rustix::net::recvmsg(&*socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)
            .map(|got| got.bytes)
        {
            Ok(0) => return Ok(false),
            Ok(length) => match bytes.get(..length).and_then(Message::decode) {
                Some(Message::Ended(message)) => *ended = Some(message),
                // The first is the cause; the supervisor's report on the rest follows.
                Some(Message::Refused(refusal)) => self.refusal = self.refusal.or(Some(refusal)),
                Some(Message::Begun { now_us, pid }) => {
                    self.begun_us = Some(now_us);
                    self.entry = Pid::from_raw(pid);
                }
                Some(Message::Scratch) => {
                    self.scratch = control.drain().find_map(|message| match message {
                        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
                        _ => None,
                    });
                }
                Some(Message::ScratchFull) => self.scratch_full = true,
                Some(Message::Over) => self.over = true,
                None => return Err(io::Error::other("unknown message from the supervisor")),
            },
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }

    /// When the entry began, by the monotonic clock; `None` while it is being prepared.
    pub(crate) fn begun_us(&self) -> Option<u64> {
        self.begun_us
    }

    pub(crate) fn scratch_is_full(&self) -> bool {
        self.scratch_full
    }

    /// More descriptors to poll, with their flags.
    pub(crate) fn notices(&self) -> Vec<(Notice, BorrowedFd<'_>, PollFlags)> {
        match &self.held {
            Held::Supervisor(Supervisor { group: Some(group), .. }) => group.notices().collect(),
            _ => Vec::new(),
        }
    }

    /// Takes a notice: `true` if the limit was reached.
    pub(crate) fn is_past(&self, notice: Notice) -> bool {
        matches!(&self.held, Held::Supervisor(Supervisor { group: Some(group), .. }) if group.is_past(notice))
    }

    /// The limit on processes has to be polled, because its control group gives no notice.
    pub(crate) fn refuses_silently(&self) -> bool {
        matches!(&self.held, Held::Supervisor(Supervisor { group: Some(group), .. }) if group.refuses_silently())
    }

    /// CPU time so far of all that ever ran in the control group.
    pub(crate) fn cpu_us(&self) -> Option<u64> {
        match &self.held {
            Held::Supervisor(Supervisor { group: Some(group), .. }) => group.cpu_us(),
            _ => None,
        }
    }

    /// The process below which all others are.
    pub(crate) fn root(&self) -> Pid {
        match &self.held {
            Held::Supervisor(Supervisor { pid, .. }) | Held::Bare { pid, .. } => *pid,
        }
    }

    /// Samples the living processes.
    pub(crate) fn sample(&self) -> Sample {
        match &self.held {
            Held::Supervisor(Supervisor { pid, .. }) => tree::below(*pid),
            Held::Bare { pid, .. } => tree::from(*pid),
        }
    }

    /// Waits until the run ends by itself, which only a dry run is trusted to do.
    pub(super) fn end_after_itself(mut self) -> io::Result<Finish> {
        let begun = Instant::now();
        while ready_within(self.fd(), DEATH.saturating_sub(begun.elapsed()))? && !self.is_over()? {}
        self.end()
    }

    /// Ends every process that still lives, and returns when none does.
    pub(crate) fn end(mut self) -> io::Result<Finish> {
        if let Held::Bare { pid, watch } = &mut self.held {
            let watch = watch.take().expect("the end comes once");
            let by_itself = poll_for(&mut [PollFd::new(&watch.fd(), PollFlags::IN)], Duration::ZERO)? > 0;
            // Before the process is reaped, so that its number, and so the group's, is still its own.
            signal(*pid, Signal::KILL);
            if !ready_within(watch.fd(), DEATH)? {
                return Err(io::Error::other(survived(*pid)));
            }
            let (status, ended_us) = watch.reap()?;
            let wall_us = ended_us.saturating_sub(self.begun_us.unwrap_or_default());
            let (group, refusal, scratch_full, scratch) = (None, None, false, None);
            let status = Some(status);
            let (reaped, lost) = (None, false);
            return Ok(Finish { status, by_itself, wall_us, reaped, group, refusal, scratch_full, scratch, lost });
        }
        let begun = Instant::now();
        if let Held::Supervisor(Supervisor { socket, pidfd, .. }) = &self.held {
            // Where nothing keeps an entry from it, it may have stopped its supervisor.
            rustix::process::pidfd_send_signal(pidfd, Signal::CONT).ok();
            // Hanging up is the order to end; the supervisor's report can still come.
            rustix::net::shutdown(socket, Shutdown::Write).ok();
            // A supervisor without a PID namespace may need help against a tree that grows as fast as it is cut down. The
            // main process's own end is seen by then: what the group kills now was left behind.
            if let Held::Supervisor(Supervisor { group: Some(group), network: None, .. }) = &self.held
                && !self.reported()
            {
                group.kill();
            }
        }
        // Closed without a report means that there will be none.
        while !self.reported() && begun.elapsed() < ENDING {
            if ready_within(self.fd(), HELP)? {
                if !self.receive()? {
                    break;
                }
            } else if self.entry.is_some() {
                // An entry of the same user may have taken away what the supervisor needs to find its processes.
                tree::kill_below(self.root());
            }
        }
        let Self { held, refusal, scratch_full, scratch, begun_us, entry, .. } = self;
        let Held::Supervisor(supervisor) = held else {
            return Err(io::Error::other("a bare process group was ended above"));
        };
        let Supervisor { pid, pidfd, socket, group, network, exiting, watch, ended, within_reach } = supervisor;
        drop(socket);
        if ended.is_none() && refusal.is_none() {
            // It does not answer: in a PID namespace its death is that of all.
            rustix::process::pidfd_send_signal(&pidfd, Signal::KILL).ok();
            if let Some(entry) = entry {
                signal(entry, Signal::KILL);
            }
        }
        let overdue = watch.as_ref().is_some_and(Watch::has_fired);
        // Before the supervisor is reaped, so that its number is still its own.
        drop(watch);
        let mut leaving = Leaving { pid, pidfd, network };
        if ended.is_none() {
            leaving.wait()?;
        }
        exiting.add(leaving);
        let finish = Finish {
            status: ended.map(|ended| ExitStatus::from_raw(ended.status)),
            by_itself: ended.is_some_and(|ended| ended.by_itself),
            wall_us: ended.zip(begun_us).map_or(0, |(ended, begun)| ended.ended_us.saturating_sub(begun)),
            reaped: ended,
            group,
            refusal,
            scratch_full,
            scratch,
            lost: false,
        };
        match begun_us.filter(|_| (within_reach || overdue) && ended.is_none()) {
            // The entry, whose main process dies with its supervisor, has only itself to blame.
            Some(begun_us) => Ok(Finish {
                status: Some(ExitStatus::from_raw(Signal::KILL.as_raw())),
                by_itself: !overdue,
                wall_us: now_us().saturating_sub(begun_us),
                lost: !overdue,
                ..finish
            }),
            None => Ok(finish),
        }
    }

    fn reported(&self) -> bool {
        matches!(&self.held, Held::Supervisor(Supervisor { ended: Some(_), .. }))
    }
}

/// Supervisors that have reported the end of their processes and are about to exit. Their exit and that of their
/// namespaces takes a moment, for which the judge need not wait. Dropping this waits for all.
#[derive(Clone, Default)]
pub(super) struct Exiting(Arc<Mutex<Vec<Leaving>>>);

impl Exiting {
    fn add(&self, leaving: Leaving) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(leaving);
    }

    /// Reaps the supervisors that have exited.
    pub(super) fn reap(&self) {
        let mut leaving = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        leaving.retain(|supervisor| !ready_within(supervisor.pidfd.as_fd(), Duration::ZERO).unwrap_or(false));
    }
}

/// One such supervisor.
struct Leaving {
    pid: Pid,
    pidfd: OwnedFd,
    network: Option<Network>,
}

impl Leaving {
    /// Returns when it is gone.
    fn wait(&mut self) -> io::Result<()> {
        if !ready_within(self.pidfd.as_fd(), DEATH)? {
            return Err(io::Error::other(survived(self.pid)));
        }
        let gone = rustix::process::WaitId::PidFd(self.pidfd.as_fd());
        // A second wait finds no process.
        if rustix::process::waitid(gone, WaitIdOptions::EXITED).is_ok()
            && let Some(network) = self.network.take()
        {
            network.give_back();
        }
        Ok(())
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        // It has reported everything, so an error changes nothing.
        self.wait().ok();
    }
}

fn survived(pid: Pid) -> String {
    format!("process {pid} still exists {} s after SIGKILL", DEATH.as_secs())
}

fn ready_within(fd: BorrowedFd<'_>, time: Duration) -> io::Result<bool> {
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if poll_for(&mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)], left)? > 0 {
            return Ok(true);
        }
        if left.is_zero() {
            return Ok(false);
        }
    }
}
