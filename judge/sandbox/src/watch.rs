//! Noticing that a process has ended, as something `poll` can wait for.
//!
//! On Linux that is a pidfd. Where there is none, a thread waits for the process and closes a pipe when it is gone.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, Timespec, poll};
use wait_timeout::ChildExt as _;

/// A child process whose end can be waited for with `poll`.
pub(super) enum ExitWatch {
    /// The process is reaped by [`ExitWatch::reap`], so its number stays its own until then.
    Pidfd { child: Child, pidfd: OwnedFd },
    /// The thread reaps the process as soon as it ends.
    Thread { ended: OwnedFd, waiter: JoinHandle<io::Result<Option<ExitStatus>>> },
}

impl ExitWatch {
    /// Watches by pidfd where that is wanted and the system has one, else by a thread that gives up after `at_most`.
    pub(super) fn new(child: Child, by_pidfd: bool, at_most: Duration) -> io::Result<Self> {
        match pidfd(&child).filter(|_| by_pidfd) {
            Some(pidfd) => Ok(Self::Pidfd { child, pidfd }),
            None => Self::by_thread(child, at_most),
        }
    }

    /// Watches by a thread. It gives up after `at_most`, so that a process which even SIGKILL does not end (one
    /// asleep in a broken file system, say) cannot keep the thread for ever.
    fn by_thread(mut child: Child, at_most: Duration) -> io::Result<Self> {
        let (ended, tell) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let waiter = std::thread::Builder::new().name("waiter".into()).spawn(move || {
            let status = child.wait_timeout(at_most);
            drop(tell);
            status
        })?;
        Ok(Self::Thread { ended, waiter })
    }

    /// Becomes readable, or hung up, when the process has ended.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Pidfd { pidfd, .. } => pidfd.as_fd(),
            Self::Thread { ended, .. } => ended.as_fd(),
        }
    }

    /// The exit status of a process that has ended; `None` when a watching thread had given up on it.
    pub(super) fn reap(self) -> io::Result<Option<ExitStatus>> {
        match self {
            Self::Pidfd { mut child, .. } => child.wait().map(Some),
            Self::Thread { waiter, .. } => waiter.join().expect("the waiter only waits and cannot panic"),
        }
    }
}

fn pidfd(child: &Child) -> Option<OwnedFd> {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

/// `poll` that takes an interruption by a signal for "nothing ready".
pub fn poll_for(fds: &mut [PollFd<'_>], left: Duration) -> io::Result<usize> {
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
