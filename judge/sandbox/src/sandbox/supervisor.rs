//! The supervisor: the process between the judge and a job, which lives for one run.
//!
//! It may be created before there is a run for it (`spare.rs`). It prepares the namespaces, starts the entry, reaps the
//! processes that the entry leaves behind, ends all of them, and reports. In a PID namespace it is PID 1, so its exit kills the
//! rest; elsewhere it is a subreaper and adopts orphans. It ends everything at the limit, when the judge orders it, and when
//! the judge is gone.
//!
//! Everything here runs in a clone of one thread of the judge: no allocation, no locks, no panics.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};
use rustix::fs::{Mode, OFlags, fstatvfs, open};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use rustix::process::{DumpableBehavior, Pid, Signal, WaitOptions, WaitStatus};
use rustix::time::ClockId;

use super::flat::Reader;
use super::launch::{Launch, RootTemplate, SOCKET};
use super::message::{AtStep as _, Done, ExitReport, FinalReport, Message, Refusal, Step};
use super::order::{ROOM, await_rest};
use super::steps::report;
use super::{entry, kill_tree, root, sys};
use crate::{clock_us, now_us};

/// Interval between checks of the scratch directory's free space, in microseconds.
const POLL_INTERVAL_US: u64 = 50_000;

/// The supervisor's whole life, with the bytes of its plan or of the plan's beginning: see `spare.rs`.
pub(super) fn supervise(plan: &[u8], descriptors: &[RawFd]) -> ! {
    if let Err(error) = sys::keep_only(descriptors) {
        // The socket is not yet where `report` expects it.
        let refused = Message::Refused(Refusal { step: Step::Descriptors, index: 0, error });
        let socket = descriptors.get(SOCKET.unsigned_abs() as usize).copied().unwrap_or(SOCKET);
        rustix::net::send(sys::kept(socket), &refused.encode(), SendFlags::NOSIGNAL).ok();
        sys::exit(0)
    }
    // The permissions of the new root and of the entry's files must not depend on the umask of the judge's shell.
    rustix::process::umask(Mode::WGRP | Mode::WOTH);
    report(carry_out(Reader::new(plan)).map_or_else(Message::Refused, Message::Ended));
    sys::exit(0)
}

/// Carries out a plan, whose rest may come later.
fn carry_out(mut plan: Reader<'_>) -> Done<FinalReport> {
    let foundation: Option<RootTemplate<'_>> = known(plan.read())?;
    tie_to_judge(foundation.is_some())?;
    // A zygote is not dumpable, and a user can only map itself through files in /proc that the user owns.
    rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable).ok();
    if let Some(foundation) = &foundation {
        root::begin(foundation)?;
    }
    if known(plan.read())? {
        return run(&known(plan.read())?, 0);
    }
    let mut room = sys::Room::new(ROOM).at_step(Step::Descriptors)?;
    let plan = await_rest(room.bytes()).at_step(Step::Descriptors)?;
    let before_us = clock_us(ClockId::ProcessCPUTime);
    run(&known(Reader::new(plan).read())?, before_us)
}

/// A part of a plan, or an error if no writer produced it.
fn known<T>(part: Option<T>) -> Done<T> {
    part.ok_or(Errno::INVAL).at_step(Step::Descriptors)
}

/// Sends the judge a descriptor of the scratch directory, which remains readable when the namespace is gone.
fn send_scratch(scratch: BorrowedFd<'_>) -> Result<(), Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let scratch = [scratch];
    control.push(SendAncillaryMessage::ScmRights(&scratch));
    let bytes = Message::Scratch.encode();
    match rustix::net::sendmsg(sys::kept(SOCKET), &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL) {
        Err(Errno::TOOMANYREFS) => offer_scratch(scratch[0]),
        sent => sent.map(drop),
    }
}

/// Lets the judge take the descriptor itself, which is permitted as long as this process can be traced.
fn offer_scratch(scratch: BorrowedFd<'_>) -> Result<(), Errno> {
    report(Message::ScratchAt(scratch.as_raw_fd()));
    loop {
        match rustix::net::recv(sys::kept(SOCKET), &mut [0; 8], RecvFlags::empty()) {
            Ok((1.., _)) => return Ok(()),
            // The judge has hung up.
            Ok(_) => return Err(Errno::TOOMANYREFS),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Carries out the plan of a run. The process had used `before_us` of processor time before.
fn run(plan: &Launch<'_>, before_us: u64) -> Done<FinalReport> {
    let judge = sys::kept(SOCKET);
    if plan.filter.is_none() {
        sys::reserve_stack();
    }
    let scratch = match &plan.root {
        Some(root) => {
            root::finish(plan, root)?;
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Some(open(plan.scratch, flags, Mode::empty()).at_step(Step::Scratch)?)
        }
        None => None,
    };
    if let Some(scratch) = scratch.as_ref().filter(|_| plan.send_scratch) {
        send_scratch(scratch.as_fd()).at_step(Step::Scratch)?;
    }
    // No entry may inspect this copy of the judge. Not earlier: a user can only map itself through files that the user
    // owns.
    match rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        // A judge that is itself an entry of a judge must stay dumpable, and reports that it isolates nothing.
        Err(Errno::PERM | Errno::INVAL) => {}
        set => set.at_step(Step::Tie)?,
    }
    let children = sys::child_events().at_step(Step::Monitor)?;
    let events = Events::new(judge, children.as_fd());
    let mut clock = Clock { plan, begun: sys::shared_number().at_step(Step::Monitor)?, warned_us: 0 };

    let group = plan.version_two().map(sys::kept);
    let entry = sys::clone(0, group, || entry::become_entry(plan, clock.begun)).at_step(Step::Fork)?;

    if plan.talks {
        rustix::stdio::dup2_stdin(rustix::stdio::stderr()).at_step(Step::Descriptors)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr()).at_step(Step::Descriptors)?;
    }

    let mut status = None;
    let mut full = false;
    while status.is_none() {
        let look = if scratch.is_some() && !full { POLL_INTERVAL_US } else { u64::MAX };
        let (order, ended) = events.within(clock.left_us().min(look)).at_step(Step::Monitor)?;
        if ended {
            status = reap(entry, children.as_fd());
        }
        if status.is_some() || order && has_hung_up(judge) || !clock.runs(entry) {
            break;
        }
        if let Some(scratch) = &scratch
            && !full
            && is_full(scratch.as_fd())
        {
            full = true;
            report(Message::ScratchFull);
        }
    }
    let ended_us = now_us();
    // Also counts if it has filled up since the last check.
    if let Some(scratch) = &scratch
        && !full
        && is_full(scratch.as_fd())
    {
        report(Message::ScratchFull);
    }
    let by_itself = status.is_some();
    // Mostly nothing is left: orphans become children of this process when their parent ends.
    let (mut last, mut left) = (None, 0);
    if !by_itself || !matches!(rustix::process::wait(WaitOptions::NOHANG), Err(Errno::CHILD)) {
        report(Message::Over(ExitReport { status, at_us: ended_us }));
        (last, left) = kill_tree(plan, entry);
    }
    let sys::Reaped { cpu_us, largest_bytes, involuntary_switches } = sys::reaped();
    Ok(FinalReport {
        status: status.or(last).unwrap_or(0),
        by_itself,
        ended_us,
        left,
        cpu_us,
        largest_bytes,
        involuntary_switches,
        warned_us: clock.warned_us,
        supervisor_cpu_us: clock_us(ClockId::ProcessCPUTime).saturating_sub(before_us),
    })
}

/// The run's clock. The supervisor keeps it, so that limits hold even if the judge is busy or stopped.
struct Clock<'a> {
    plan: &'a Launch<'a>,
    /// When the entry began, by the monotonic clock, in microseconds; 0 before. The entry's process sets it.
    begun: &'static AtomicU64,
    /// The time when the warning was sent; 0 if it was not.
    warned_us: u64,
}

impl Clock<'_> {
    /// Microseconds from the start to the next event: the limit, or the end of the grace period.
    fn next_us(&self) -> u64 {
        let Self { plan, warned_us, .. } = self;
        let grace = if *warned_us == 0 { 0 } else { plan.grace_us };
        plan.wall_us.saturating_add(grace)
    }

    /// Time to the next event, in microseconds. It need not be exact before the entry has begun.
    fn left_us(&self) -> u64 {
        match self.begun.load(Ordering::Relaxed) {
            0 => self.next_us().min(POLL_INTERVAL_US),
            begun => begun.saturating_add(self.next_us()).saturating_sub(now_us()),
        }
    }

    /// Warns the entry at the limit if it has a grace period; `false` when its time is over.
    fn runs(&mut self, entry: Pid) -> bool {
        if self.begun.load(Ordering::Relaxed) == 0 || self.left_us() > 0 {
            return true;
        }
        if self.warned_us > 0 || self.plan.grace_us == 0 {
            return false;
        }
        self.warned_us = now_us();
        rustix::process::kill_process_group(entry, Signal::TERM).ok();
        // The grace period counts from the limit, even if the warning was late.
        self.left_us() > 0
    }
}

/// Waits for the events of a supervisor: an order of the judge, and the end of a child.
enum Events<'a> {
    /// Used by default: `epoll` works even in a process whose limit on open files is 0, and an entry of the same user
    /// can set that limit.
    Epoll(OwnedFd),
    /// The fallback: an entry of the same user can use up the user's quota of `epoll`.
    Poll([BorrowedFd<'a>; 2]),
}

impl<'a> Events<'a> {
    const ORDER: u64 = 0;
    const CHILD: u64 = 1;
    /// The longest interval that fits the system call.
    const LONGEST_US: u64 = 3_600_000_000;

    fn new(judge: BorrowedFd<'a>, children: BorrowedFd<'a>) -> Self {
        let events = || {
            let events = epoll::create(epoll::CreateFlags::CLOEXEC)?;
            for (fd, name) in [(judge, Self::ORDER), (children, Self::CHILD)] {
                epoll::add(&events, fd, epoll::EventData::new_u64(name), epoll::EventFlags::IN)?;
            }
            Ok::<_, Errno>(events)
        };
        events().map_or(Self::Poll([judge, children]), Self::Epoll)
    }

    /// Waits at most this long. Returns whether there is an order of the judge, and whether a child has ended.
    fn within(&self, left_us: u64) -> Result<(bool, bool), Errno> {
        let left_us = left_us.min(Self::LONGEST_US).cast_signed();
        let wait = Timespec { tv_sec: left_us / 1_000_000, tv_nsec: left_us % 1_000_000 * 1000 };
        let events = match self {
            Self::Epoll(epoll) => {
                let mut events = [MaybeUninit::uninit(); 2];
                epoll::wait(epoll, &mut events[..], Some(&wait)).map(|(events, _)| {
                    let has = |name: u64| events.iter().any(|event| event.data.u64() == name);
                    (has(Self::ORDER), has(Self::CHILD))
                })
            }
            Self::Poll(fds) => {
                let mut fds = fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
                poll(&mut fds, Some(&wait)).map(|_| (!fds[0].revents().is_empty(), !fds[1].revents().is_empty()))
            }
        };
        match events {
            Err(Errno::INTR) => Ok((false, false)),
            events => events,
        }
    }
}

/// Makes a supervisor in a PID namespace die with the judge, which kills everything in the namespace. Without a PID
/// namespace it must not die, because it first has to end its processes; its socket shows the judge's end.
fn tie_to_judge(own_root: bool) -> Done {
    if !own_root {
        return rustix::process::set_child_subreaper(Some(rustix::process::getpid())).at_step(Step::Tie);
    }
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).at_step(Step::Tie)?;
    // The judge may have died before the tie was made.
    let mut fds = [PollFd::from_borrowed_fd(sys::kept(SOCKET), PollFlags::IN)];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).at_step(Step::Tie)?;
    if fds[0].revents().contains(PollFlags::HUP) { Err(Errno::CHILD).at_step(Step::Tie) } else { Ok(()) }
}

/// Reaps all children that have ended, and returns the wait status of the entry if it is among them.
fn reap(entry: Pid, children: BorrowedFd<'_>) -> Option<i32> {
    // The notice is taken first: a child that ends after the last wait gives a new one.
    rustix::io::read(children, &mut [0; 128]).ok();
    let mut status = None;
    while let Ok(Some((pid, ended))) = rustix::process::wait(WaitOptions::NOHANG) {
        if pid == entry {
            status = Some(ended.as_raw());
        }
    }
    status
}

/// Checks whether the judge has hung up: this is its order to end the run, or the judge is gone.
fn has_hung_up(judge: BorrowedFd<'_>) -> bool {
    !matches!(
        rustix::net::recv(judge, &mut [0; 8], RecvFlags::DONTWAIT),
        Ok((1.., _)) | Err(Errno::AGAIN | Errno::INTR)
    )
}

/// Checks whether no block or no inode is left.
fn is_full(scratch: BorrowedFd<'_>) -> bool {
    fstatvfs(scratch).is_ok_and(|system| system.f_bfree == 0 || system.f_ffree == 0)
}

/// Kills and reaps all processes that still live. Returns the entry's status if it is among them, and the number of
/// others.
fn kill_tree(plan: &Launch<'_>, entry: Pid) -> (Option<i32>, u64) {
    let mut status = None;
    let mut left = 0;
    let mut count = |pid: Pid, ended: WaitStatus| {
        if pid == entry {
            status = Some(ended.as_raw());
        } else if ended.terminating_signal() == Some(libc::SIGKILL) {
            left += 1;
        }
    };
    for turn in 0.. {
        if plan.root.is_some() {
            sys::kill_all_others();
        } else {
            kill_tree::kill_all(entry, turn > 0);
        }
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, ended))) => count(pid, ended),
            Ok(None) | Err(Errno::INTR) => {}
            Err(_) => break,
        }
        while let Ok(Some((pid, ended))) = rustix::process::wait(WaitOptions::NOHANG) {
            count(pid, ended);
        }
    }
    (status, left)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::os::unix::net::UnixDatagram;

    use super::*;

    #[test]
    fn events_arrive_whatever_waits_for_them() {
        let ((judge, order), (children, end)) = (UnixDatagram::pair().unwrap(), UnixDatagram::pair().unwrap());
        let fds = [judge.as_fd(), children.as_fd()];
        for events in [Events::new(fds[0], fds[1]), Events::Poll(fds)] {
            assert_eq!(events.within(0), Ok((false, false)));
            order.send(b"x").unwrap();
            assert_eq!(events.within(1_000_000), Ok((true, false)));
            end.send(b"x").unwrap();
            assert_eq!(events.within(1_000_000), Ok((true, true)));
            judge.recv(&mut [0]).unwrap();
            assert_eq!(events.within(1_000_000), Ok((false, true)));
            children.recv(&mut [0]).unwrap();
        }
    }
}
