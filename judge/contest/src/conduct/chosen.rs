//! Runs that a caller chooses among those that can be executed.

use std::collections::HashMap;

use judge_core::key::RunKey;
use judge_job::StopRequest;

use super::Conduct;
use crate::schedule::{Engine, Queue, Runner, Stopped};

impl Conduct {
    /// Has an engine execute one run of the open round: the one that `choose` names by its index among those that wait, of which
    /// there may be none. Returns its key, or `None` if no run was chosen. Several threads can do this at a time, each with
    /// logical processors of its own in `slot`; without any, the run is not pinned.
    ///
    /// # Errors
    /// As [`Self::run_round`].
    pub fn run_one(
        &self,
        engine: &dyn Engine,
        slot: &[usize],
        interrupt: &dyn StopRequest,
        choose: impl FnOnce(&[&RunKey]) -> Option<usize>,
    ) -> Result<Option<RunKey>, Stopped> {
        let mut state = self.state();
        let turn = state.next_of(choose);
        let contents = state.journal.contents();
        let (contest, unbuilt) = (state.contest.clone(), state.unbuilt.clone());
        drop(state);
        self.deliver();
        let Some(turn) = turn else { return Ok(None) };
        let (key, slots) = (turn.key.clone(), [slot.to_vec()]);
        let runner = Runner::new(&contest, &contents.order, &self.results, &slots);
        let runner = runner.without(unbuilt).ruled_by(contents.referee.clone());
        let queue = Queue::fixed([turn.run]);
        let (ended, _) = self.make(&runner, &queue, HashMap::from([(turn.run.index, turn)]), engine, interrupt);
        ended.map(|()| Some(key))
    }

    /// Has an engine execute the runs of the open round for which `wanted` holds, one at a time on each of these slots. The
    /// others wait.
    ///
    /// # Errors
    /// As [`Self::run_round`].
    pub fn run_those(
        &self,
        engine: &dyn Engine,
        slots: &[Vec<usize>],
        interrupt: &dyn StopRequest,
        wanted: &(dyn Fn(&RunKey) -> bool + Sync),
    ) -> Result<(), Stopped> {
        let work = |slot: &Vec<usize>| {
            let next = |waiting: &[&RunKey]| waiting.iter().position(|key| wanted(key));
            while self.run_one(engine, slot, interrupt, next)?.is_some() {}
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = slots.iter().map(|slot| scope.spawn(move || work(slot))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("the engine's panics are caught"))
        })
    }
}
