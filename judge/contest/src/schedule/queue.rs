//! Runs that wait for an engine, which takes them one by one.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use judge_job::{StopFlag, StopRequest};

use super::PendingRun;

/// The interval at which an engine that waits for a run checks for a request to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// The runs that an engine is to execute, in order. While it executes some, others can be added, brought forward and cancelled. A
/// clone refers to the same queue. The engine ends when the queue is closed and empty.
#[derive(Clone, Default)]
pub struct Queue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    /// The stop requests of the runs that an engine has taken, by index in the order.
    taken: HashMap<usize, Arc<StopFlag>>,
    closed: bool,
    /// True if runs can also be cancelled after they were taken.
    cancellable: bool,
}

/// A run that waits.
struct Waiting {
    run: PendingRun,
    /// The request to stop the run, if another owner shares it.
    stop: Option<Arc<StopFlag>>,
}

impl From<PendingRun> for Waiting {
    fn from(run: PendingRun) -> Self {
        Self { run, stop: None }
    }
}

/// The effect of a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancelled {
    /// The run was waiting and has been removed from the queue.
    Waiting,
    /// An engine has taken the run and was asked to stop it. The run may still finish if it ends at this moment.
    Taken,
    /// The queue does not have the run: it is finished, or was never added.
    Unknown,
}

impl Queue {
    /// An open queue without runs.
    pub fn new() -> Self {
        let queue = Self::default();
        queue.state().cancellable = true;
        queue
    }

    /// A closed queue of these runs. They cannot be cancelled, so an engine need not check for requests to stop a run.
    pub fn fixed(runs: impl IntoIterator<Item = PendingRun>) -> Self {
        let queue = Self::default();
        {
            let mut state = queue.state();
            state.waiting.extend(runs.into_iter().map(Waiting::from));
            state.closed = true;
        }
        queue
    }

    /// A closed queue of these runs, each with the request to stop it.
    pub(crate) fn stoppable(runs: impl IntoIterator<Item = (PendingRun, Arc<StopFlag>)>) -> Self {
        let queue = Self::fixed([]);
        queue.state().waiting.extend(runs.into_iter().map(|(run, stop)| Waiting { run, stop: Some(stop) }));
        queue
    }

    /// Adds runs after the waiting ones.
    ///
    /// # Panics
    /// If the queue is closed.
    pub fn add(&self, runs: impl IntoIterator<Item = PendingRun>) {
        let mut state = self.state();
        assert!(!state.closed, "a closed queue takes no run");
        state.waiting.extend(runs.into_iter().map(Waiting::from));
        drop(state);
        self.0.changed.notify_all();
    }

    /// Cancels a run: it will not be recorded, unless it is finished at this moment.
    pub fn cancel(&self, index: usize) -> Cancelled {
        let mut state = self.state();
        let before = state.waiting.len();
        state.waiting.retain(|waiting| waiting.run.index != index);
        if state.waiting.len() < before {
            return Cancelled::Waiting;
        }
        match state.taken.get(&index) {
            Some(stop) => {
                stop.request();
                Cancelled::Taken
            }
            None => Cancelled::Unknown,
        }
    }

    /// Closes the queue: no further run is added, and engines end when it is empty.
    pub fn close(&self) {
        self.state().closed = true;
        self.0.changed.notify_all();
    }

    /// The number of runs that wait.
    pub fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    /// Removes the waiting runs for which `unwanted` is true, and returns them.
    pub(crate) fn remove(&self, unwanted: impl Fn(PendingRun) -> bool) -> Vec<PendingRun> {
        let mut state = self.state();
        let (removed, left): (VecDeque<_>, _) =
            std::mem::take(&mut state.waiting).into_iter().partition(|waiting| unwanted(waiting.run));
        state.waiting = left;
        removed.into_iter().map(|waiting| waiting.run).collect()
    }

    /// The number of runs that will leave the queue, if it is closed.
    pub(super) fn left(&self) -> Option<usize> {
        let state = self.state();
        state.closed.then_some(state.waiting.len())
    }

    /// The indices of the waiting runs, if the queue is closed.
    pub(super) fn indices(&self) -> Option<Vec<usize>> {
        let state = self.state();
        state.closed.then(|| state.waiting.iter().map(|waiting| waiting.run.index).collect())
    }

    /// Takes the next run. Waits for one while the queue is open and no stop is requested.
    pub(super) fn take(&self, interrupt: &dyn StopRequest) -> Option<TakenRun> {
        let mut state = self.state();
        loop {
            if interrupt.requested() {
                return None;
            }
            if let Some(run) = state.waiting.pop_front() {
                return Some(self.taken(&mut state, run));
            }
            if state.closed {
                return None;
            }
            state = self.0.changed.wait_timeout(state, STOP_INTERVAL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes all waiting runs, if any.
    pub(super) fn take_all(&self) -> Vec<TakenRun> {
        let mut state = self.state();
        std::mem::take(&mut state.waiting).into_iter().map(|run| self.taken(&mut state, run)).collect()
    }

    fn taken(&self, state: &mut State, Waiting { run, stop }: Waiting) -> TakenRun {
        let stop = stop.or_else(|| state.cancellable.then(Arc::default));
        if let Some(stop) = &stop {
            state.taken.insert(run.index, stop.clone());
        }
        TakenRun { run, stop, queue: self.clone() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic leaves a valid state: no code that may panic runs during a change.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run that an engine has taken. After it is dropped, it can no longer be cancelled.
pub struct TakenRun {
    run: PendingRun,
    stop: Option<Arc<StopFlag>>,
    queue: Queue,
}

impl TakenRun {
    /// The run, with its place in the order and its attempt.
    pub fn run(&self) -> PendingRun {
        self.run
    }

    /// The request to stop only this run; `None` if it cannot be cancelled.
    pub fn stop(&self) -> Option<&dyn StopRequest> {
        self.stop.as_deref().map(|stop| stop as &dyn StopRequest)
    }

    /// Tests whether the run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.requested())
    }
}

impl Drop for TakenRun {
    fn drop(&mut self) {
        let Some(stop) = &self.stop else { return };
        let mut state = self.queue.state();
        // The same run may have been added and taken again meanwhile.
        if state.taken.get(&self.run.index).is_some_and(|taken| Arc::ptr_eq(taken, stop)) {
            state.taken.remove(&self.run.index);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn run(index: usize) -> PendingRun {
        PendingRun { index, attempt: 1 }
    }

    fn take(queue: &Queue) -> usize {
        queue.take(&StopFlag::default()).unwrap().run().index
    }

    #[test]
    fn runs_leave_in_the_order_in_which_they_came() {
        let queue = Queue::new();
        queue.add([run(3), run(1)]);
        queue.add([run(2)]);
        assert_eq!([take(&queue), take(&queue), take(&queue)], [3, 1, 2]);
    }

    #[test]
    fn a_cancelled_run_that_waits_is_gone() {
        let queue = Queue::new();
        queue.add([run(0), run(1)]);
        assert_eq!(queue.cancel(0), Cancelled::Waiting);
        assert_eq!(queue.cancel(0), Cancelled::Unknown);
        assert_eq!((queue.waiting(), take(&queue)), (1, 1));
    }

    #[test]
    fn a_run_that_was_taken_is_asked_to_stop_alone() {
        let queue = Queue::new();
        queue.add([run(0), run(1)]);
        let (first, second) = (queue.take(&StopFlag::default()).unwrap(), queue.take(&StopFlag::default()).unwrap());
        assert_eq!(queue.cancel(1), Cancelled::Taken);
        assert_eq!((first.is_cancelled(), second.is_cancelled()), (false, true));
        drop(second);
        assert_eq!(queue.cancel(1), Cancelled::Unknown, "its turn is over");
    }

    #[test]
    fn the_end_of_an_earlier_turn_leaves_the_later_one() {
        let queue = Queue::new();
        queue.add([run(0), run(0)]);
        let (first, second) = (queue.take(&StopFlag::default()).unwrap(), queue.take(&StopFlag::default()).unwrap());
        drop(first);
        assert_eq!(queue.cancel(0), Cancelled::Taken);
        assert!(second.is_cancelled());
    }

    #[test]
    fn a_fixed_queue_ends_when_it_is_empty() {
        let queue = Queue::fixed([run(0)]);
        let turn = queue.take(&StopFlag::default()).unwrap();
        assert!(turn.stop().is_none(), "nothing looks for a request");
        assert_eq!(queue.left(), Some(0));
        assert!(queue.take(&StopFlag::default()).is_none());
    }

    #[test]
    fn what_waits_is_taken_or_removed_together() {
        let queue = Queue::new();
        assert!(queue.take_all().is_empty());
        queue.add((0..5).map(run));
        assert_eq!((queue.left(), queue.waiting()), (None, 5), "more may come");
        let removed: Vec<usize> = queue.remove(|run| run.index % 2 == 1).iter().map(|run| run.index).collect();
        assert_eq!(removed, [1, 3]);
        let taken = queue.take_all();
        assert_eq!(taken.iter().map(|taken| taken.run().index).collect::<Vec<_>>(), [0, 2, 4]);
        assert!(taken.iter().all(|taken| taken.stop().is_some_and(|stop| !stop.requested())));
        assert_eq!((queue.cancel(2), queue.cancel(1)), (Cancelled::Taken, Cancelled::Unknown));
        assert_eq!(taken.iter().map(TakenRun::is_cancelled).collect::<Vec<_>>(), [false, true, false]);
        queue.close();
        assert_eq!(queue.left(), Some(0));
    }

    #[test]
    #[should_panic(expected = "a closed queue takes no run")]
    fn a_closed_queue_takes_no_run() {
        Queue::fixed([run(0)]).add([run(1)]);
    }

    #[test]
    fn a_stop_comes_before_the_runs_that_wait() {
        let stop = StopFlag::default();
        stop.request();
        assert!(Queue::fixed([run(0)]).take(&stop).is_none());
    }

    #[test]
    fn an_engine_waits_for_a_run_until_the_queue_is_closed() {
        let queue = Queue::new();
        std::thread::scope(|scope| {
            let taken = scope.spawn(|| [queue.take(&StopFlag::default()), queue.take(&StopFlag::default())]);
            queue.add([run(5)]);
            queue.close();
            let [first, second] = taken.join().unwrap();
            assert_eq!((first.unwrap().run().index, second.is_none()), (5, true));
        });
    }

    #[test]
    fn a_stop_ends_the_wait_for_a_run() {
        let (queue, stop) = (Queue::new(), StopFlag::default());
        std::thread::scope(|scope| {
            let taken = scope.spawn(|| queue.take(&stop).is_none());
            stop.request();
            assert!(taken.join().unwrap());
        });
    }
}
