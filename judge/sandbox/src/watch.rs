//! Processes without a supervisor: threads of the judge detect their end and enforce their time limit.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use wait_timeout::ChildExt as _;

use super::now_us;

/// The longest wait for the exit status of a process that has ended.
const REAP_TIMEOUT: Duration = Duration::from_secs(5);

/// A child process that leads its group and whose end can be awaited with `poll`.
pub(super) struct ExitWatch {
    child: Child,
    /// Hung up when the process has ended.
    ended: OwnedFd,
    /// Returns the time of the end, by the monotonic clock, in microseconds.
    waiter: JoinHandle<u64>,
    timekeeper: JoinHandle<()>,
}

impl ExitWatch {
    /// Watches a process from now on: it is warned at the limit if there is a grace period, and killed when its time is
    /// over.
    pub(super) fn new(child: Child, limit: Duration, grace: Duration) -> io::Result<Self> {
        let pid = Pid::from_child(&child);
        let (ended, open) = pipe_with(PipeFlags::CLOEXEC)?;
        let waiter = std::thread::Builder::new().name("waiter".into()).spawn(move || {
            // Not reaped yet: until `reap`, its number, which is also its group's, is not reused.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
            let now_us = now_us();
            drop(open);
            now_us
        })?;
        let end = ended.try_clone()?;
        let timekeeper = std::thread::Builder::new().name("timekeeper".into()).spawn(move || {
            let over = |time| poll_for(&mut [PollFd::new(&end, PollFlags::IN)], time).is_ok_and(|ready| ready > 0);
            if over(limit) {
                return;
            }
            if !grace.is_zero() {
                kill_process_group(pid, Signal::TERM).ok();
                if over(grace) {
                    return;
                }
            }
            kill_process_group(pid, Signal::KILL).ok();
        })?;
        Ok(Self { child, ended, waiter, timekeeper })
    }

    /// Hung up when the process has ended.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.ended.as_fd()
    }

    /// The exit status of a process that has ended, and the time of its end, by the monotonic clock, in microseconds.
    pub(super) fn reap(mut self) -> io::Result<(ExitStatus, u64)> {
        let lost = |_| io::Error::other("a thread that watched it died");
        let ended_us = self.waiter.join().map_err(lost)?;
        // Before the number can belong to another process.
        self.timekeeper.join().map_err(lost)?;
        // It has ended, so this returns immediately; if the system lost it, the judge stops waiting.
        let status =
            self.child.wait_timeout(REAP_TIMEOUT)?.ok_or_else(|| io::Error::other("its exit status is lost"))?;
        Ok((status, ended_us))
    }
}

/// Waits until some of these descriptors are readable or hung up, and returns which; none if the time is over first or a
/// signal arrived.
///
/// # Errors
///
/// The system's, such as for too many descriptors.
pub fn wait_readable<const N: usize>(on: [BorrowedFd<'_>; N], at_most: Duration) -> io::Result<[bool; N]> {
    let mut fds = on.each_ref().map(|fd| PollFd::new(fd, PollFlags::IN));
    poll_for(&mut fds, at_most)?;
    Ok(fds.map(|fd| !fd.revents().is_empty()))
}

/// Waits until a descriptor accepts bytes, and returns whether it does: false if the time is over first or a signal
/// arrived.
///
/// # Errors
///
/// The system's.
pub fn wait_writable(on: impl AsFd, at_most: Duration) -> io::Result<bool> {
    Ok(poll_for(&mut [PollFd::new(&on, PollFlags::OUT)], at_most)? > 0)
}

/// Calls `poll`; an interruption by a signal counts as nothing being ready.
pub(super) fn poll_for(fds: &mut [PollFd<'_>], left: Duration) -> io::Result<usize> {
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
