//! Shares the machine between live runs and rejudged answers. Live runs come first, but a rejudging makes progress even in a
//! contest without pauses. After some runs it gets a turn, during which no run is executed.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The number of runs between two turns of a rejudging, per processor.
const RUNS_PER_TURN: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Share(Mutex<Turns>);

#[derive(Debug, Default)]
struct Turns {
    /// The threads that execute a run or look for one.
    live: usize,
    /// The number of runs since the last turn.
    made: usize,
    /// True while no run may begin, because a rejudging has its turn or is about to.
    paused: bool,
    /// The number of answers that may still begin in this turn; `None` between turns.
    left: Option<usize>,
    /// The threads with an answer of this turn.
    busy: HashSet<ThreadId>,
}

/// A thread that executes a run or looks for one.
pub(super) struct Live<'a>(&'a Share);

impl Drop for Live<'_> {
    fn drop(&mut self) {
        self.0.turns().live -= 1;
    }
}

impl Share {
    /// Begins to look for a run; `None` while no run may begin.
    pub(super) fn begin_live(&self) -> Option<Live<'_>> {
        let mut turns = self.turns();
        if turns.paused {
            return None;
        }
        turns.live += 1;
        Some(Live(self))
    }

    /// Notes that this number of runs was executed.
    pub(super) fn count_runs(&self, runs: usize) {
        self.turns().made += runs;
    }

    /// Tests whether this thread may referee an answer now. Its previous answer, if any, is over. True if no run is live and no
    /// turn is under way.
    pub(super) fn may_rejudge(&self, is_live: bool, at_a_time: usize) -> bool {
        let mut turns = self.turns();
        turns.busy.remove(&thread::current().id());
        turns.end_if_over();
        if !is_live && turns.left.is_none() {
            turns.paused = false;
            return true;
        }
        if turns.left.is_none() && turns.made >= RUNS_PER_TURN * at_a_time {
            turns.paused = true;
            if turns.live > 0 {
                return false;
            }
            turns.left = Some(at_a_time);
        }
        match &mut turns.left {
            Some(left) if *left > 0 => {
                *left -= 1;
                turns.busy.insert(thread::current().id());
                true
            }
            _ => false,
        }
    }

    /// Notes that this thread no longer has an answer and does not request one.
    pub(super) fn rest(&self) {
        let mut turns = self.turns();
        turns.busy.remove(&thread::current().id());
        turns.end_if_over();
    }

    /// Ends the turn: the rejudging is over.
    pub(super) fn end(&self) {
        let mut turns = self.turns();
        turns.busy.clear();
        (turns.left, turns.paused) = (None, false);
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    fn end_if_over(&mut self) {
        if self.left == Some(0) && self.busy.is_empty() {
            (self.left, self.paused, self.made) = (None, false, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_begins_in_the_turn_of_a_rejudging() {
        let share = Share::default();
        assert!(share.may_rejudge(false, 2), "nothing is live");
        assert!(!share.may_rejudge(true, 2));
        share.count_runs(RUNS_PER_TURN * 2 - 1);
        assert!(!share.may_rejudge(true, 2) && share.begin_live().is_some(), "runs come first");
        let live = share.begin_live();
        share.count_runs(1);
        assert!(!share.may_rejudge(true, 2), "a run is under way");
        assert!(share.begin_live().is_none(), "and no other one begins");
        drop(live);
        assert!(share.may_rejudge(true, 2) && share.begin_live().is_none());
        thread::scope(|scope| assert!(scope.spawn(|| share.may_rejudge(true, 2)).join().unwrap()));
        // The other thread still has its answer when this one asks for another.
        assert!(!share.may_rejudge(true, 2) && share.begin_live().is_none());
        share.end();
        assert!(share.begin_live().is_some(), "the rejudging is over");
    }

    #[test]
    fn a_turn_ends_with_its_last_answer() {
        let share = Share::default();
        for _ in 0..3 {
            share.count_runs(RUNS_PER_TURN);
            assert!(share.may_rejudge(true, 1));
            assert!(share.begin_live().is_none());
            share.rest();
            assert!(share.begin_live().is_some());
            assert!(!share.may_rejudge(true, 1), "the next turn is after as many runs");
        }
    }
}
