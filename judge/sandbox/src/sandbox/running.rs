//! A started job: events to wait for, and its end.

mod exiting;

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, Shutdown};
use rustix::process::{Pid, PidfdGetfdFlags, Signal, WaitId, WaitIdOptions, pidfd_getfd, waitid};

pub(super) use self::exiting::Exiting;
use self::exiting::{ExitTimeout, ExitingSupervisor, HELP_DELAY, KILL_TIMEOUT, ready_within};
use super::cgroup::{Group, Notice};
use super::group::signal;
use super::message::{self, ExitReport, FinalReport, Message, Refusal};
use super::network::Network;
use super::watchdog::Watch;
use super::{ExitWatch, Limits};
use crate::tree;
use crate::{Interrupt, now_us, poll_for};

/// The longest wait for the kernel to free what the killed processes of a run held.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(600);
/// Time that a supervisor may take to answer the order to end its processes before the judge kills it.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// A started job, or one in preparation.
pub(crate) struct Running {
    handle: ProcessHandle,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    refusal: Option<Refusal>,
    scratch_full: bool,
    /// The scratch directory in a private root, if files of it are wanted.
    scratch: Option<OwnedFd>,
    /// When the entry began, by the monotonic clock, in microseconds.
    begun_us: Option<u64>,
    /// The entry's process group, if its number is valid outside.
    entry: Option<Pid>,
    /// The supervisor's report that the run is over.
    over: Option<ExitReport>,
    /// True if the supervisor has hung up, which means that it is gone.
    closed: bool,
    order: Option<EndOrder>,
}

/// The judge's order to end a run.
#[derive(Clone, Copy)]
struct EndOrder {
    /// The time of the order, by the monotonic clock, in microseconds.
    at_us: u64,
    /// True if the order came before the run had ended, as far as the judge knew.
    first: bool,
}

enum ProcessHandle {
    Supervisor(Supervisor),
    Bare {
        pid: Pid,
        watch: Option<ExitWatch>,
    },
    /// It was removed at the end.
    Gone,
}

/// A supervisor with the resources of its run.
pub(super) struct Supervisor {
    pub(super) pid: Pid,
    pub(super) pidfd: OwnedFd,
    pub(super) socket: OwnedFd,
    pub(super) group: Option<Group>,
    pub(super) network: Option<Network>,
    pub(super) exiting: Exiting,
    /// Ends the run if nothing else does.
    pub(super) watch: Option<Watch>,
    pub(super) ended: Option<FinalReport>,
    /// True if the entry may be able to stop or kill it.
    pub(super) within_reach: bool,
}

/// Facts about a run whose processes have all ended.
#[derive(Default)]
pub(crate) struct RunEnd {
    /// Status of the main process; `None` if the supervisor is gone without a report.
    pub(crate) status: Option<ExitStatus>,
    /// True if it ended before its end was ordered, by the judge or by the limit.
    pub(crate) by_itself: bool,
    /// Wall-clock time from the start to the end of the main process, in microseconds.
    pub(crate) wall_us: u64,
    /// Resources of the reaped processes, if there was a supervisor.
    pub(crate) reaped: Option<FinalReport>,
    pub(crate) group: Option<Group>,
    pub(crate) refusal: Option<Refusal>,
    pub(crate) scratch_full: bool,
    /// The scratch directory in a private root, if files of it are wanted.
    pub(crate) scratch: Option<OwnedFd>,
    /// True if the supervisor was killed, so that processes may have survived.
    pub(crate) lost: bool,
    /// When the entry began, by the monotonic clock, in microseconds.
    pub(crate) begun_us: Option<u64>,
    /// Time that ending its processes took, and whether the kernel had then removed all of them.
    pub(crate) ending: Duration,
    pub(crate) gone: bool,
}

/// The facts that decide the verdict.
struct ExitFacts {
    status: i32,
    /// The time when the main process ended, or when the order to end it came.
    at_us: u64,
    by_itself: bool,
    lost: bool,
}

const ONLY_AT_THE_END: &str = "nothing is asked of a run that was taken apart at its end";

impl Running {
    pub(super) fn supervised(supervisor: Supervisor, [stdout, stderr]: [OwnedFd; 2]) -> Self {
        Self::new(ProcessHandle::Supervisor(supervisor), Some(stdout), Some(stderr), None)
    }

    fn new(handle: ProcessHandle, stdout: Option<OwnedFd>, stderr: Option<OwnedFd>, begun_us: Option<u64>) -> Self {
        Self {
            handle,
            stdout,
            stderr,
            refusal: None,
            scratch_full: false,
            scratch: None,
            begun_us,
            entry: None,
            over: None,
            closed: false,
            order: None,
        }
    }

    pub(super) fn from_group(mut child: Child, begun_us: u64, limits: &Limits) -> io::Result<Self> {
        let pid = Pid::from_child(&child);
        let (stdout, stderr) = (child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from));
        let watch = ExitWatch::new(child, limits.wall(), limits.grace());
        let watch = watch.inspect_err(|_| signal(pid, Signal::KILL))?;
        Ok(Self::new(ProcessHandle::Bare { pid, watch: Some(watch) }, stdout, stderr, Some(begun_us)))
    }

    /// The reading ends of standard output and standard error; they can be taken once.
    pub(crate) fn pipes(&mut self) -> Option<(OwnedFd, OwnedFd)> {
        self.stdout.take().zip(self.stderr.take())
    }

    /// Becomes readable when there is a message, above all when the main process has ended.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        match &self.handle {
            ProcessHandle::Supervisor(Supervisor { socket, .. }) => socket.as_fd(),
            ProcessHandle::Bare { watch, .. } => watch.as_ref().expect("it is there until the end").fd(),
            ProcessHandle::Gone => unreachable!("{ONLY_AT_THE_END}"),
        }
    }

    /// Receives the message that made [`Running::fd`] readable. Returns whether the run is over.
    pub(crate) fn is_over(&mut self) -> io::Result<bool> {
        let more = self.receive()?;
        Ok(!more || self.over.is_some() || self.reported())
    }

    /// Receives a message; `false` when there will be no more.
    fn receive(&mut self) -> io::Result<bool> {
        let ProcessHandle::Supervisor(Supervisor { socket, pidfd, ended, .. }) = &mut self.handle else {
            return Ok(false);
        };
        let mut bytes = [0; message::LENGTH];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
        match rustix::net::recvmsg(&*socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)
            .map(|got| got.bytes)
        {
            Ok(0) => {
                self.closed = true;
                return Ok(false);
            }
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
                Some(Message::ScratchAt(number)) => {
                    self.scratch = Some(pidfd_getfd(&*pidfd, number, PidfdGetfdFlags::empty())?);
                    rustix::net::send(&*socket, &[1], SendFlags::NOSIGNAL | SendFlags::DONTWAIT)?;
                }
                Some(Message::ScratchFull) => self.scratch_full = true,
                Some(Message::Over(over)) => self.over = Some(over),
                None => return Err(io::Error::other("unknown message from the supervisor")),
            },
            // The supervisor is gone before it read everything. Its earlier messages are still there.
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR | rustix::io::Errno::CONNRESET) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }

    /// True if the program was not executed, even if its start had been reported.
    pub(crate) fn was_refused(&self) -> bool {
        self.refusal.is_some()
    }

    /// The exit code with which the main process ended by itself, if it is known before [`Running::end`].
    pub(crate) fn exit_code(&self) -> Option<i32> {
        match &self.handle {
            ProcessHandle::Supervisor(Supervisor { ended: Some(ended), .. }) => {
                ended.by_itself.then(|| ExitStatus::from_raw(ended.status).code()).flatten()
            }
            ProcessHandle::Supervisor(_) => ExitStatus::from_raw(self.over?.status?).code(),
            ProcessHandle::Bare { pid, .. } => {
                let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
                waitid(WaitId::Pid(*pid), options).ok()??.exit_status()
            }
            ProcessHandle::Gone => None,
        }
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
        self.group().map(|group| group.notices().collect()).unwrap_or_default()
    }

    /// Takes a notice: `true` if the limit was reached.
    pub(crate) fn is_past(&self, notice: Notice) -> bool {
        self.group().is_some_and(|group| group.is_past(notice))
    }

    /// True if the limit on processes has to be polled, because its control group gives no notice.
    pub(crate) fn refuses_silently(&self) -> bool {
        self.group().is_some_and(Group::refuses_silently)
    }

    /// CPU time so far of all processes that ever ran in the control group.
    pub(crate) fn cpu_us(&self) -> Option<u64> {
        self.group()?.cpu_us()
    }

    /// The file that freezes and thaws all its processes, if it has a control group of version 2.
    pub(crate) fn freezer(&self) -> Option<std::fs::File> {
        self.group()?.freezer()
    }

    /// The process that is the ancestor of all others.
    pub(crate) fn root(&self) -> Pid {
        match &self.handle {
            ProcessHandle::Supervisor(Supervisor { pid, .. }) | ProcessHandle::Bare { pid, .. } => *pid,
            ProcessHandle::Gone => unreachable!("{ONLY_AT_THE_END}"),
        }
    }

    /// The living processes of the run.
    pub(crate) fn members(&self) -> Vec<i32> {
        let mut members = tree::descendants(self.root());
        if let ProcessHandle::Bare { pid, .. } = &self.handle {
            members.push(pid.as_raw_pid());
        }
        members
    }

    /// The main process, as long as it is still a copy of its supervisor, of which the kernel shows nothing. On a busy
    /// machine that can be long.
    pub(crate) fn unexecuted(&self) -> Option<i32> {
        // Without a supervisor, the standard library waits until it has executed its program.
        tree::unexecuted_first_child(self.supervisor()?.pid)
    }

    /// The process that adopts orphans of the run.
    pub(crate) fn adopter(&self) -> Option<Pid> {
        Some(self.supervisor()?.pid)
    }

    /// Waits until the run ends by itself; only used for a dry run, which is trusted to end.
    pub(super) fn end_after_itself(mut self) -> io::Result<RunEnd> {
        let begun = Instant::now();
        while ready_within(self.fd(), KILL_TIMEOUT.saturating_sub(begun.elapsed()))? && !self.is_over()? {}
        self.end_within(&ExitTimeout { begun: Instant::now(), most: KILL_TIMEOUT, interrupt: None })
    }

    /// Orders the end of every process that still lives, and returns immediately. [`Running::fd`] becomes readable when
    /// they have ended.
    pub(crate) fn order_end(&mut self) -> io::Result<()> {
        self.ordered().map(drop)
    }

    fn ordered(&mut self) -> io::Result<EndOrder> {
        if let Some(order) = self.order {
            return Ok(order);
        }
        let first = match &self.handle {
            ProcessHandle::Bare { watch, .. } => {
                let watch = watch.as_ref().expect("it is there until the end");
                poll_for(&mut [PollFd::new(&watch.fd(), PollFlags::IN)], Duration::ZERO)? == 0
            }
            // The order is first unless the supervisor has reported the end, or is gone.
            ProcessHandle::Supervisor(_) | ProcessHandle::Gone => self.over.is_none() && !self.closed,
        };
        let order = EndOrder { at_us: now_us(), first };
        self.order = Some(order);
        match &self.handle {
            // Before the process is reaped: until then its number, and so the group's, is not reused.
            ProcessHandle::Bare { pid, .. } => signal(*pid, Signal::KILL),
            ProcessHandle::Supervisor(Supervisor { socket, pidfd, group, network, .. }) => {
                // Without isolation, the entry may have stopped its supervisor.
                rustix::process::pidfd_send_signal(pidfd, Signal::CONT).ok();
                // Hanging up is the order to end; the supervisor's report can still come.
                rustix::net::shutdown(socket, Shutdown::Write).ok();
                // A supervisor without a PID namespace may need help against a tree that grows as fast as it is cut down.
                // The main process's own end is seen by then: what the group kills now was left behind.
                if let (Some(group), None, false) = (group, network, self.reported()) {
                    group.kill();
                }
            }
            ProcessHandle::Gone => {}
        }
        Ok(order)
    }

    /// Ends every process that still lives, and returns when none does. Killing is quick, but the kernel can take long to
    /// free what the processes held. The facts that decide the verdict are known before; the wait keeps the next run from
    /// sharing the processor with that work. An interrupt shortens it.
    pub(crate) fn end(self, interrupt: &Interrupt) -> io::Result<RunEnd> {
        self.end_within(&ExitTimeout { begun: Instant::now(), most: CLEANUP_TIMEOUT, interrupt: Some(interrupt) })
    }

    fn end_within(mut self, timeout: &ExitTimeout<'_>) -> io::Result<RunEnd> {
        let order = self.ordered()?;
        if let ProcessHandle::Bare { watch, .. } = &mut self.handle {
            let watch = watch.take().expect("the end comes once");
            let gone = timeout.until_ready(watch.fd())?;
            let killed = || Ok((ExitStatus::from_raw(Signal::KILL.as_raw()), order.at_us));
            let (status, ended_us) = if gone { watch.reap() } else { killed() }?;
            let wall_us = ended_us.saturating_sub(self.begun_us.unwrap_or_default());
            let by_itself = !order.first;
            let finish = RunEnd { status: Some(status), by_itself, wall_us, ..self.finish(None, timeout, gone) };
            return Ok(finish);
        }
        // Closed without a report means that there will be none.
        while !self.reported() && !self.closed && !timeout.left().is_zero() {
            if ready_within(self.fd(), HELP_DELAY.min(timeout.left()))? {
                self.receive()?;
                continue;
            }
            if self.entry.is_some() {
                // An entry of the same user may have removed what the supervisor needs to find its processes.
                tree::kill_below(self.root());
            }
            // A supervisor that has reported that the run is over waits for the kernel. Otherwise it does not respond.
            if self.over.is_none() && timeout.begun.elapsed() >= END_TIMEOUT {
                break;
            }
        }
        let ended = self.ended();
        if let ProcessHandle::Supervisor(Supervisor { pidfd, .. }) = &self.handle
            && ended.is_none()
            && self.refusal.is_none()
        {
            // In a PID namespace its death ends all processes.
            rustix::process::pidfd_send_signal(pidfd, Signal::KILL).ok();
            if let Some(entry) = self.entry {
                signal(entry, Signal::KILL);
            }
        }
        let facts = self.facts(order.first.then_some(order.at_us));
        let Some((leaving, exiting, group)) = self.take_supervisor() else {
            return Err(io::Error::other("a bare process group was ended above"));
        };
        let gone = ended.is_some() || leaving.wait_until_gone(timeout)?;
        exiting.add(leaving);
        let finish = RunEnd { reaped: ended, ..self.finish(group, timeout, gone) };
        Ok(match facts {
            Some(ExitFacts { status, at_us, by_itself, lost }) => RunEnd {
                status: Some(ExitStatus::from_raw(status)),
                // An end after the order may be a consequence of it, however quick it was.
                by_itself: by_itself && !(order.first && at_us >= order.at_us),
                wall_us: at_us.saturating_sub(finish.begun_us.unwrap_or(at_us)),
                lost,
                ..finish
            },
            None => finish,
        })
    }

    /// The facts that decide the verdict, from the first available source: the supervisor's report, its message before it
    /// ended the remaining processes, the judge's own order at `ordered_us`. `None` if a supervisor that no entry can reach
    /// has disappeared without a message, or if the entry never began.
    fn facts(&self, ordered_us: Option<u64>) -> Option<ExitFacts> {
        const KILLED: i32 = libc::SIGKILL;
        let ProcessHandle::Supervisor(Supervisor { watch, within_reach, .. }) = &self.handle else { return None };
        if let Some(FinalReport { status, ended_us, by_itself, .. }) = self.ended() {
            return Some(ExitFacts { status, at_us: ended_us, by_itself, lost: false });
        }
        if let Some(ExitReport { status, at_us }) = self.over {
            return Some(ExitFacts {
                status: status.unwrap_or(KILLED),
                at_us,
                by_itself: status.is_some(),
                lost: *within_reach,
            });
        }
        self.begun_us.filter(|_| self.refusal.is_none())?;
        let overdue = watch.as_ref().is_some_and(Watch::has_fired);
        match ordered_us {
            Some(at_us) => Some(ExitFacts { status: KILLED, at_us, by_itself: false, lost: *within_reach && !overdue }),
            None if overdue => Some(ExitFacts { status: KILLED, at_us: now_us(), by_itself: false, lost: false }),
            // Only the entry can have caused this; its main process dies with its supervisor.
            None if *within_reach => Some(ExitFacts { status: KILLED, at_us: now_us(), by_itself: true, lost: true }),
            None => None,
        }
    }

    /// Removes the supervisor; `None` if there is none.
    fn take_supervisor(&mut self) -> Option<(ExitingSupervisor, Exiting, Option<Group>)> {
        let handle = std::mem::replace(&mut self.handle, ProcessHandle::Gone);
        let ProcessHandle::Supervisor(Supervisor { pidfd, group, network, exiting, watch, .. }) = handle else {
            return None;
        };
        // Before the supervisor is reaped, so that its number is still its own.
        drop(watch);
        Some((ExitingSupervisor { pidfd, network }, exiting, group))
    }

    /// The known facts about a run whose end was not reported.
    fn finish(&mut self, group: Option<Group>, timeout: &ExitTimeout<'_>, gone: bool) -> RunEnd {
        RunEnd {
            group,
            refusal: self.refusal,
            scratch_full: self.scratch_full,
            scratch: self.scratch.take(),
            begun_us: self.begun_us,
            ending: timeout.begun.elapsed(),
            gone,
            ..RunEnd::default()
        }
    }

    fn supervisor(&self) -> Option<&Supervisor> {
        match &self.handle {
            ProcessHandle::Supervisor(supervisor) => Some(supervisor),
            ProcessHandle::Bare { .. } | ProcessHandle::Gone => None,
        }
    }

    fn group(&self) -> Option<&Group> {
        self.supervisor()?.group.as_ref()
    }

    fn ended(&self) -> Option<FinalReport> {
        self.supervisor()?.ended
    }

    fn reported(&self) -> bool {
        self.ended().is_some()
    }
}

#[cfg(test)]
mod tests;
