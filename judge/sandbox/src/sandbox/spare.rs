//! Spare supervisors: created while nothing waits for them, and given the plan of a run when it arrives.
//!
//! A supervisor's clone, its namespaces and the foundation of its root do not depend on the run, and are the larger part
//! of the cost of starting one. A spare has already done this work and waits for the rest of its plan. Like any
//! supervisor, it is tied to the judge. It holds no descriptor except its socket, and knows nothing about a run.
//!
//! A spare keeps the mounts that the machine had when the spare was created. So no spare is used, or kept, for longer
//! than a moment.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::flat::Writer;
use super::network::Network;
use super::order;
use super::sys;
use super::zygote::{PendingSupervisor, Zygotes};

/// Time for which a spare may be used.
const MAX_AGE: Duration = Duration::from_secs(2);

/// The spares of a sandbox, and the thread that ends unused ones.
pub(super) struct Spares(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// The processors of the thread that created the sandbox, before any thread was pinned for a run; `None` if
    /// unknown.
    processors: Option<CpuSet>,
}

#[derive(Default)]
struct State {
    idle: Vec<Spare>,
    /// True if the thread exists.
    kept: bool,
    closed: bool,
}

/// The judge's handle of a supervisor without a run.
struct Spare {
    /// The order for it; `None` once its result is known, which is the number of the supervisor if it exists.
    ordered: Option<PendingSupervisor>,
    pid: Option<Pid>,
    socket: Option<OwnedFd>,
    network: Option<Network>,
    made: Instant,
}

/// The judge's handle of a supervisor that has its plan.
pub(super) struct Started {
    pub(super) pid: Pid,
    pub(super) pidfd: OwnedFd,
    pub(super) socket: OwnedFd,
    pub(super) network: Option<Network>,
}

impl Spares {
    /// No spares yet, for a sandbox that the calling thread creates.
    pub(super) fn new() -> Self {
        let processors = sched_getaffinity(None).ok();
        Self(Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), processors }))
    }

    /// Has a zygote create a spare with this foundation, in the namespaces that `flags` name, on the processors of the
    /// calling thread. Does not wait for it. There are at most as many spares as processors, and none if they are not
    /// possible.
    pub(super) fn add(&self, zygotes: &Zygotes, (flags, network): (libc::c_int, Option<Network>), foundation: &Writer) {
        let most = self.0.processors.map_or(1, |processors| processors.count() as usize);
        let few = self.0.lock().idle.len() < most;
        let spare = few.then(|| Spare::order(zygotes, flags, network.as_ref(), foundation)).flatten();
        let Some((ordered, socket)) = spare else { return network.into_iter().for_each(Network::release) };
        let spare = Spare { ordered: Some(ordered), pid: None, socket: Some(socket), network, made: Instant::now() };
        let mut state = self.0.lock();
        state.idle.push(spare);
        if !state.kept {
            let shared = Arc::clone(&self.0);
            state.kept = std::thread::Builder::new().name("spares".into()).spawn(move || shared.keep()).is_ok();
        }
    }

    /// Has a spare carry out a plan with these descriptors, on the processors of the calling thread. It already has the
    /// fourth descriptor, its socket. `None` if there is no suitable spare.
    pub(super) fn start(&self, zygotes: &Zygotes, plan: &[u8], descriptors: &[BorrowedFd<'_>]) -> Option<Started> {
        if plan.len() > order::ROOM {
            return None;
        }
        loop {
            let spare = self.0.lock().idle.pop()?;
            if spare.made.elapsed() < MAX_AGE
                && let Some(started) = spare.start(zygotes, plan, descriptors)
            {
                return Some(started);
            }
        }
    }

    /// Process numbers of the spares; waits until they exist.
    #[cfg(test)]
    pub(super) fn idle(&self, zygotes: &Zygotes) -> Vec<Pid> {
        self.0.lock().idle.iter_mut().filter_map(|spare| spare.pid(zygotes)).collect()
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        let idle = std::mem::take(&mut state.idle);
        drop(state);
        self.0.changed.notify_one();
        drop(idle);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loop of the thread: it ends spares that are too old, until none is left.
    fn keep(&self) {
        // The thread that started this one may be bound to the processors of a run.
        if let Some(processors) = &self.processors {
            sched_setaffinity(None, processors).ok();
        }
        let mut state = self.lock();
        while !state.closed && !state.idle.is_empty() {
            let (old, young): (Vec<_>, Vec<_>) =
                std::mem::take(&mut state.idle).into_iter().partition(|spare| spare.made.elapsed() >= MAX_AGE);
            state.idle = young;
            let wait = state.idle.iter().map(|spare| MAX_AGE.saturating_sub(spare.made.elapsed())).min();
            if old.is_empty() {
                state =
                    self.changed.wait_timeout(state, wait.unwrap_or(MAX_AGE)).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            drop(state);
            drop(old);
            state = self.lock();
        }
        state.kept = false;
    }
}

impl Spare {
    fn order(
        zygotes: &Zygotes,
        flags: libc::c_int,
        network: Option<&Network>,
        foundation: &Writer,
    ) -> Option<(PendingSupervisor, OwnedFd)> {
        let (judge, supervisor) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).ok()?;
        let mut plan = foundation.clone();
        plan.flag(false);
        // The same socket takes the places of the standard descriptors.
        let descriptors: Vec<BorrowedFd<'_>> =
            [supervisor.as_fd(); 4].into_iter().chain(network.map(Network::fd)).collect();
        Some((zygotes.order(flags, sys::bytes_of(plan.words()), &descriptors)?, judge))
    }

    /// Waits until it exists, and returns its process number; `None` if it could not be created.
    fn pid(&mut self, zygotes: &Zygotes) -> Option<Pid> {
        if let Some(ordered) = self.ordered.take() {
            self.pid = zygotes.answered(ordered).ok();
        }
        self.pid
    }

    /// Has it carry out a plan; `None` if it is gone, or the plan cannot be sent.
    fn start(mut self, zygotes: &Zygotes, plan: &[u8], descriptors: &[BorrowedFd<'_>]) -> Option<Started> {
        let pid = self.pid(zygotes)?;
        let socket = self.socket.take()?;
        let give = || {
            let pidfd = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
            sched_setaffinity(Some(pid), &sched_getaffinity(None)?)?;
            // Without isolation, an entry may have stopped it.
            rustix::process::pidfd_send_signal(&pidfd, Signal::CONT)?;
            order::send_plan(socket.as_fd(), plan, descriptors)?;
            Ok::<_, Errno>(pidfd)
        };
        let pidfd = give().ok()?;
        // It is no longer a spare.
        self.pid = None;
        Some(Started { pid, pidfd, socket, network: self.network.take() })
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        let Some(pid) = self.ordered.take().map_or(self.pid, |ordered| ordered.end().ok()) else { return };
        // Nothing else waits for it, so the number is still its own.
        rustix::process::kill_process(pid, Signal::KILL).ok();
        if rustix::process::waitpid(Some(pid), WaitOptions::empty()).is_ok() {
            self.network.take().into_iter().for_each(Network::release);
        }
    }
}

#[cfg(test)]
mod tests;
