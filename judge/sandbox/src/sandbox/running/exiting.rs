//! Waits for killed processes, and for supervisors that are about to exit.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::WaitIdOptions;

use super::super::network::Network;
use crate::{Interrupt, StopRequest as _, poll_for};

/// Time that a process may take to vanish after SIGKILL if the judge must not wait longer: after an interrupt, at the end of the
/// judge, in a dry run.
pub(super) const KILL_TIMEOUT: Duration = Duration::from_secs(10);
/// Time after which the judge helps a supervisor to end its processes.
pub(super) const HELP_DELAY: Duration = Duration::from_millis(300);

/// The time to wait for the end of killed processes.
pub(super) struct ExitTimeout<'a> {
    pub(super) begun: Instant,
    pub(super) most: Duration,
    pub(super) interrupt: Option<&'a Interrupt>,
}

impl ExitTimeout<'_> {
    pub(super) fn left(&self) -> Duration {
        let interrupted = self.interrupt.is_some_and(Interrupt::requested);
        let most = if interrupted { self.most.min(KILL_TIMEOUT) } else { self.most };
        most.saturating_sub(self.begun.elapsed())
    }

    /// Waits for a descriptor; `false` if the time is over first.
    pub(super) fn until_ready(&self, fd: BorrowedFd<'_>) -> io::Result<bool> {
        loop {
            let left = self.left();
            if ready_within(fd, HELP_DELAY.min(left))? {
                return Ok(true);
            }
            if left.is_zero() {
                return Ok(false);
            }
        }
    }
}

/// Supervisors that have reported the end of their processes and are about to exit. The end of these supervisors and of
/// their namespaces takes a moment, for which the judge need not wait. Dropping this waits for all of them.
#[derive(Clone, Default)]
pub(in crate::sandbox) struct Exiting(Arc<Mutex<Vec<ExitingSupervisor>>>);

impl Exiting {
    pub(super) fn add(&self, leaving: ExitingSupervisor) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(leaving);
    }

    #[cfg(test)]
    pub(in crate::sandbox) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Reaps the supervisors that have exited.
    pub(in crate::sandbox) fn reap(&self) {
        let mut leaving = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        leaving.retain(|supervisor| !ready_within(supervisor.pidfd.as_fd(), Duration::ZERO).unwrap_or(false));
    }
}

/// A supervisor that is about to exit, and the network that its exit frees.
pub(super) struct ExitingSupervisor {
    pub(super) pidfd: OwnedFd,
    pub(super) network: Option<Network>,
}

impl ExitingSupervisor {
    /// Waits until it is gone, and, if it has a PID namespace, all processes below it.
    pub(super) fn wait_until_gone(&self, timeout: &ExitTimeout<'_>) -> io::Result<bool> {
        timeout.until_ready(self.pidfd.as_fd())
    }
}

impl Drop for ExitingSupervisor {
    fn drop(&mut self) {
        // It has reported everything, so an error changes nothing.
        if !ready_within(self.pidfd.as_fd(), KILL_TIMEOUT).unwrap_or(false) {
            return;
        }
        let gone = rustix::process::WaitId::PidFd(self.pidfd.as_fd());
        if rustix::process::waitid(gone, WaitIdOptions::EXITED).is_ok()
            && let Some(network) = self.network.take()
        {
            network.release();
        }
    }
}

pub(super) fn ready_within(fd: BorrowedFd<'_>, time: Duration) -> io::Result<bool> {
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
