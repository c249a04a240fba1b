//! The processors of one machine, shared by runs, builds and answers that are refereed again. Each executes one run at a time,
//! and only one build runs at a time. Waiting threads get their turns in the order of their arrival.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most processors that are distinguished.
const MAX: usize = 1024;

/// The processors of a machine, and the slot for builds.
#[derive(Debug)]
pub struct Processors {
    processors: Vec<TicketLock>,
    build: TicketLock,
}

impl Default for Processors {
    fn default() -> Self {
        Self { processors: (0..MAX).map(|_| TicketLock::default()).collect(), build: TicketLock::default() }
    }
}

/// The current turn: waiting threads get numbers in the order of their arrival.
#[derive(Debug, Default)]
struct TicketLock {
    state: Mutex<State>,
    over: Condvar,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    now: u64,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(super) struct TicketGuard<'p>(&'p TicketLock);

impl Processors {
    /// Waits for all processors of a slot, which has a number. An unpinned slot counts as the processor with its number.
    pub(super) fn slot(&self, number: usize, slot: &[usize]) -> Vec<TicketGuard<'_>> {
        let mut wanted = if slot.is_empty() { vec![number] } else { slot.to_vec() };
        wanted.iter_mut().for_each(|processor| *processor %= MAX);
        // A common order avoids deadlocks between threads that take several.
        wanted.sort_unstable();
        wanted.dedup();
        wanted.into_iter().map(|processor| self.processors[processor].wait()).collect()
    }

    /// Waits for the slot for builds.
    pub(super) fn build(&self) -> TicketGuard<'_> {
        self.build.wait()
    }

    /// Waits for everything, so that nothing else is executed meanwhile.
    pub(super) fn all(&self) -> Vec<TicketGuard<'_>> {
        std::iter::once(&self.build).chain(&self.processors).map(TicketLock::wait).collect()
    }
}

impl TicketLock {
    fn wait(&self) -> TicketGuard<'_> {
        let mut state = self.state();
        let mine = state.next;
        state.next += 1;
        while state.now != mine {
            state = self.over.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        TicketGuard(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TicketGuard<'_> {
    fn drop(&mut self) {
        self.0.state().now += 1;
        self.0.over.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn everybody_has_turns_alone_on_a_processor() {
        let (processors, inside) = (Processors::default(), AtomicUsize::new(0));
        let made: Vec<usize> = thread::scope(|scope| {
            let contest = |slot: &'static [usize]| {
                let mut made = 0;
                for _ in 0..100 {
                    let _turn = processors.slot(0, slot);
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    made += 1;
                }
                made
            };
            let threads = [[2, 0].as_slice(), &[1, 2], &[2]].map(|slot| scope.spawn(move || contest(slot)));
            threads.map(|thread| thread.join().expect("no panic")).to_vec()
        });
        assert_eq!(made, [100, 100, 100]);
    }

    #[test]
    fn who_wants_everything_waits_for_those_before() {
        let (processors, order) = (Processors::default(), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            let all = processors.all();
            let waits = |name: &'static str, slot: usize| {
                let next = || processors.processors[slot].state().next;
                let before = next();
                let (processors, order) = (&processors, &order);
                scope.spawn(move || {
                    let _turn = processors.slot(slot, &[]);
                    order.lock().expect("whole").push(name);
                });
                while next() == before {
                    thread::yield_now();
                }
            };
            ["first", "second", "third"].into_iter().for_each(|name| waits(name, 1));
            assert!(order.lock().expect("whole").is_empty());
            drop(all);
        });
        assert_eq!(order.into_inner().expect("whole"), ["first", "second", "third"]);
    }
}
