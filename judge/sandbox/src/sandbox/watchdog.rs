//! Ends runs that both their supervisor and their monitor fail to end.
//!
//! The supervisor ends a run at its limit; if the supervisor is stopped, the monitor does. The monitor reads files that
//! the kernel generates from the job's state, writes to disks, and shares its thread with other work, so it may hang. So a
//! separate thread, which does nothing else, ends a run long after its limit.

use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, pidfd_send_signal};

use crate::{Limits, now_us, tree};

/// Time after the limit and the grace period: more than the preparation and the end of a run may take.
const WATCHDOG_DELAY: Duration = Duration::from_secs(90);

/// The thread, which is started with the first run, and the runs that it watches.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
    timeout: Duration,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    runs: Vec<Arc<Watched>>,
    /// The time of the thread's next check; `None` while there is no thread.
    looks_us: Option<u64>,
    closed: bool,
}

/// One run that the thread watches.
struct Watched {
    supervisor: Pid,
    pidfd: OwnedFd,
    /// True if the supervisor is process 1 of a PID namespace, which ends with it.
    own_root: bool,
    due_us: u64,
    fired: AtomicBool,
}

/// A watched run, until this is dropped.
pub(super) struct Watch {
    shared: Arc<Shared>,
    run: Arc<Watched>,
}

impl Default for Watchdog {
    fn default() -> Self {
        Self { shared: Arc::default(), timeout: WATCHDOG_DELAY }
    }
}

impl Watchdog {
    #[cfg(test)]
    fn with_delay(timeout: Duration) -> Self {
        Self { shared: Arc::default(), timeout }
    }

    /// Watches a run that begins now. `None` if the system cannot provide a descriptor or thread for that.
    pub(super) fn watch(&self, supervisor: Pid, pidfd: &OwnedFd, own_root: bool, limits: &Limits) -> Option<Watch> {
        let timeout = u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX);
        let wait_ms = limits.wall_ms.saturating_add(limits.grace_ms).saturating_add(timeout);
        let due_us = now_us().saturating_add(wait_ms.saturating_mul(1000));
        let run = Watched { supervisor, pidfd: pidfd.try_clone().ok()?, own_root, due_us, fired: false.into() };
        let run = Arc::new(run);
        let mut state = self.shared.lock();
        match state.looks_us {
            // Its next check is early enough, even if the run that it waits for is over by then.
            Some(looks_us) if looks_us <= due_us => {}
            Some(_) => self.shared.changed.notify_one(),
            None => {
                let shared = Arc::clone(&self.shared);
                std::thread::Builder::new().name("watchdog".into()).spawn(move || shared.keep_watch()).ok()?;
            }
        }
        state.looks_us = Some(state.looks_us.unwrap_or(u64::MAX).min(due_us));
        state.runs.push(Arc::clone(&run));
        drop(state);
        Some(Watch { shared: Arc::clone(&self.shared), run })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loop of the thread: it waits for the next run that is due, and ends it if it still exists.
    fn keep_watch(&self) {
        let mut state = self.lock();
        while !state.closed {
            let now_us = now_us();
            for run in state.runs.iter().filter(|run| run.due_us <= now_us) {
                run.end();
            }
            let later = state.runs.iter().map(|run| run.due_us).filter(|due_us| *due_us > now_us);
            let looks_us = later.min().unwrap_or(u64::MAX);
            state.looks_us = Some(looks_us);
            let wait = Duration::from_micros((looks_us - now_us).min(1 << 50));
            state = self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Watched {
    /// Kills everything. The process numbers cannot have been reused yet: the supervisor is reaped only after the watch
    /// ends.
    fn end(&self) {
        self.fired.store(true, Ordering::Relaxed);
        if !self.own_root {
            tree::kill_below(self.supervisor);
        }
        pidfd_send_signal(&self.pidfd, Signal::KILL).ok();
    }
}

impl Watch {
    /// Checks whether the run was ended because it was overdue.
    pub(super) fn has_fired(&self) -> bool {
        self.run.fired.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.lock().runs.retain(|run| !Arc::ptr_eq(run, &self.run));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::process::{Child, Command};
    use std::time::Instant;

    use rustix::event::{PollFd, PollFlags};

    use super::*;
    use crate::sandbox::{Sandbox, Start, find};
    use crate::{Job, Tier, inherited, poll_for};

    fn sleeper() -> (Child, Pid, OwnedFd) {
        let child = Command::new("sleep").arg("600").spawn().unwrap();
        let pid = Pid::from_child(&child);
        let pidfd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).unwrap();
        (child, pid, pidfd)
    }

    #[test]
    fn only_an_overdue_run_is_ended() {
        let limits = |wall_ms| Limits::default().with_wall_ms(wall_ms);
        let watchdog = Watchdog::with_delay(Duration::from_millis(10));
        let (mut early, early_pid, early_fd) = sleeper();
        let (mut late, late_pid, late_fd) = sleeper();
        let (mut over, over_pid, over_fd) = sleeper();
        let kept = watchdog.watch(late_pid, &late_fd, true, &limits(3_600_000)).unwrap();
        let fired = watchdog.watch(early_pid, &early_fd, false, &limits(10)).unwrap();
        drop(watchdog.watch(over_pid, &over_fd, true, &limits(10)).unwrap());
        assert!(!early.wait().unwrap().success() && fired.has_fired());
        assert!(late.try_wait().unwrap().is_none() && !kept.has_fired());
        assert!(over.try_wait().unwrap().is_none());
        for child in [&mut late, &mut over] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn a_run_that_no_monitor_follows_ends_though_its_supervisor_is_stopped() {
        let program = find("sleep".as_ref(), &inherited("PATH").unwrap()).unwrap().into();
        for tier in [Tier::Namespaces, Tier::Landlock, Tier::ProcessGroup] {
            let folder = tempfile::tempdir().unwrap();
            let base = folder.path().join("root");
            std::fs::create_dir(&base).unwrap();
            let mut sandbox = Sandbox::new(tier, base);
            sandbox.watchdog = Watchdog::with_delay(Duration::from_millis(100));
            let mut job = Job::new(["sleep", "600"], folder.path().join("out"), folder.path().join("err"));
            // Long enough for this test to stop the supervisor before it enforces the limit.
            job.limits.wall_ms = 3000;
            let scratch = (!sandbox.has_own_root()).then(|| folder.path());
            let start = Start {
                program: &program,
                job: &job,
                user: None,
                environment: Vec::new(),
                wire: None,
                talks: false,
                scratch,
            };
            let mut running = sandbox.start(&start).ok().unwrap();
            let begun = Instant::now();
            while running.begun_us().is_none() {
                poll_for(&mut [PollFd::from_borrowed_fd(running.fd(), PollFlags::IN)], WATCHDOG_DELAY).unwrap();
                assert!(!running.is_over().unwrap() && begun.elapsed() < WATCHDOG_DELAY, "{tier:?}");
            }
            rustix::process::kill_process(running.root(), Signal::STOP).unwrap();
            while tree::Times::default().sample(&running.members(), None).tasks > 0 {
                assert!(begun.elapsed() < WATCHDOG_DELAY, "{tier:?}: it still runs");
                std::thread::sleep(Duration::from_millis(5));
            }
            let finish = running.end(&crate::Interrupt::never().unwrap()).unwrap();
            assert!(finish.status.is_some_and(|status| !status.success()) && !finish.by_itself, "{tier:?}");
        }
    }
}
