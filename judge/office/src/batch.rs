//! One write of the log for all submissions that wait at the same time: each is decided on the state after those before it, and one
//! sync of the log and of the private texts serves all. No call returns before that sync has ended.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::OfficeError;
use crate::line::Line;
use crate::log::{Batch, Log};
use crate::state::State;

/// The log of an office for all threads of a process.
pub(crate) struct SharedLog {
    log: Mutex<Log>,
    door: Mutex<Door>,
    moved: Condvar,
}

/// Where threads meet that add to the log at the same time.
#[derive(Default)]
struct Door {
    /// True while a thread waits for the log, gathers a batch, and writes it. The next batch gathers meanwhile.
    is_led: bool,
    /// The threads that wait to join a batch.
    waiting: usize,
    /// The batch of the thread that has locked the log.
    open: Option<Open>,
}

/// A batch that others can join. Its outcome is whether it is on disk.
struct Open {
    batch: Batch,
    outcome: Arc<OnceLock<bool>>,
}

impl From<Log> for SharedLog {
    fn from(log: Log) -> Self {
        Self { log: Mutex::new(log), door: Mutex::default(), moved: Condvar::new() }
    }
}

impl SharedLog {
    /// Locks the log for this thread.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Log> {
        // A panic leaves a valid state: lines are applied to a copy, which replaces the state as a whole.
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while<'d>(&self, door: MutexGuard<'d, Door>, holds: impl FnMut(&mut Door) -> bool) -> MutexGuard<'d, Door> {
        self.moved.wait_while(door, holds).unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Log::append`], together with all threads that call this while one of them waits for the log. If what they add together
    /// cannot be written, each adds its lines alone, so `decide` is called again.
    pub(crate) fn append_together<T>(
        &self,
        at: u64,
        by: Option<&str>,
        decide: impl Fn(&State) -> Result<(Vec<Line>, T), OfficeError>,
    ) -> Result<T, OfficeError> {
        let mut door = self.door();
        door.waiting += 1;
        door = self.wait_while(door, |door| door.is_led && door.open.is_none());
        // Before it decides, which may panic.
        door.waiting -= 1;
        let added = match &mut door.open {
            Some(Open { batch, outcome }) => {
                let (added, outcome) = (batch.add(at, by, &decide), outcome.clone());
                self.moved.notify_all();
                let answer = added?;
                drop(self.wait_while(door, |_| outcome.get().is_none()));
                (outcome.get() == Some(&true)).then_some(Ok(answer))
            }
            None => {
                door.is_led = true;
                drop(door);
                self.lead(at, by, &decide)
            }
        };
        added.unwrap_or_else(|| {
            let mut log = self.lock();
            log.set_organiser(by);
            log.append(at, decide)
        })
    }

    /// Locks the log, lets all threads that wait join the batch, and writes it. `None` if it cannot be written.
    fn lead<T>(
        &self,
        at: u64,
        by: Option<&str>,
        decide: impl Fn(&State) -> Result<(Vec<Line>, T), OfficeError>,
    ) -> Option<Result<T, OfficeError>> {
        let outcome = Arc::new(OnceLock::new());
        let _leading = Leading { shared: self, outcome: &outcome };
        let added = self.lock().append_batch(|batch| {
            let answer = batch.add(at, by, &decide);
            let mut door = self.door();
            door.open = Some(Open { batch: std::mem::take(batch), outcome: outcome.clone() });
            self.moved.notify_all();
            door = self.wait_while(door, |door| door.waiting > 0);
            if let Some(open) = door.open.take() {
                *batch = open.batch;
            }
            answer
        });
        outcome.set(added.is_ok()).ok();
        added.ok()
    }
}

/// Ends a batch even if its thread panics.
struct Leading<'s> {
    shared: &'s SharedLog,
    outcome: &'s OnceLock<bool>,
}

impl Drop for Leading<'_> {
    fn drop(&mut self) {
        let mut door = self.shared.door();
        self.outcome.set(false).ok();
        (door.is_led, door.open) = (false, None);
        self.shared.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use judge_contest::log::SimulatedDisk;
    use tempfile::TempDir;

    use super::*;
    use crate::log::path_of;

    const THREADS: usize = 8;

    fn begun() -> (TempDir, PathBuf, SharedLog) {
        let folder = tempfile::tempdir().unwrap();
        let office = folder.path().join(crate::FOLDER);
        let log = Log::create(&office, 7).unwrap();
        (folder, path_of(&office), log.into())
    }

    fn team(name: &str) -> Line {
        Line::Team { team: name.into(), registered: false }
    }

    /// Lets these teams be added by a thread each, which meet while this one has the log. Returns what each decided on: the number
    /// of teams, and the bytes of the log on disk.
    fn added(shared: &SharedLog, log: &std::path::Path, teams: &[String]) -> Vec<Result<(usize, u64), OfficeError>> {
        std::thread::scope(|scope| {
            let held = shared.lock();
            let decide = |state: &State, name: &str| {
                let seen = (state.teams().len(), fs::metadata(log).unwrap().len());
                Ok((vec![team(name)], seen))
            };
            let threads: Vec<_> = teams
                .iter()
                .map(|name| scope.spawn(move || shared.append_together(9, None, |state| decide(state, name))))
                .collect();
            while shared.door().waiting + 1 < teams.len() {
                std::thread::yield_now();
            }
            drop(held);
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    fn names() -> Vec<String> {
        (0..THREADS).map(|number| format!("t{number}")).collect()
    }

    #[test]
    fn those_that_wait_at_the_same_time_are_written_together() {
        let (folder, log, shared) = begun();
        let before = fs::metadata(&log).unwrap().len();
        let mut seen: Vec<_> = added(&shared, &log, &names()).into_iter().map(Result::unwrap).collect();
        seen.sort_unstable();
        let one_after_the_other: Vec<_> = (0..THREADS).map(|teams| (teams, before)).collect();
        assert_eq!(seen, one_after_the_other, "each sees those before it, of which nothing is on disk");
        let read = Log::open(&folder.path().join(crate::FOLDER)).unwrap();
        assert_eq!((read.state().teams().len(), read.lines()), (THREADS, THREADS as u64 + 1));
        // A thread that is alone does not wait.
        shared.append_together(9, None, |_| Ok((vec![team("late")], ()))).unwrap();
        assert_eq!(shared.lock().state().teams().len(), THREADS + 1);
    }

    #[test]
    fn a_refusal_concerns_only_its_thread() {
        let (_folder, log, shared) = begun();
        let same: Vec<String> = (0..THREADS).map(|number| format!("t{}", number / 2)).collect();
        let added = added(&shared, &log, &same);
        assert_eq!(added.iter().filter(|added| added.is_ok()).count(), THREADS / 2);
        assert!(added.iter().flat_map(|added| added.as_ref().err()).all(|error| !error.is_full()));
        assert_eq!(shared.lock().state().teams().len(), THREADS / 2);
    }

    #[test]
    fn what_does_not_fit_together_is_written_alone_as_far_as_it_fits() {
        let (folder, log, shared) = begun();
        shared.lock().pretend(SimulatedDisk { takes: Some(400), keeps: false, error: None });
        let before = fs::metadata(&log).unwrap().len();
        assert!(added(&shared, &log, &names()).iter().all(Result::is_ok));
        assert!(fs::metadata(&log).unwrap().len() > before + 400, "together it does not fit");
        shared.lock().pretend(SimulatedDisk { takes: Some(0), keeps: false, error: None });
        let more: Vec<String> = names().iter().map(|name| format!("more-{name}")).collect();
        assert!(added(&shared, &log, &more).into_iter().all(|added| added.unwrap_err().is_full()));
        shared.lock().pretend(SimulatedDisk::default());
        assert!(added(&shared, &log, &more).iter().all(Result::is_ok));
        assert_eq!(Log::open(&folder.path().join(crate::FOLDER)).unwrap().state().teams().len(), 2 * THREADS);
    }

    #[test]
    fn a_thread_that_panics_keeps_nobody_waiting() {
        let (_folder, _, shared) = begun();
        let panics = || shared.append_together::<()>(9, None, |_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        shared.append_together(9, None, |_| Ok((vec![team("ada")], ()))).unwrap();
    }
}
