//! Has an engine execute the runs of the open round: all of them, or those that the caller chooses.

use std::collections::HashMap;
use std::sync::Arc;

use judge_core::journal::{ContestState, Record};
use judge_core::key::RunKey;
use judge_job::StopRequest;

use super::state::State;
use super::waiting::Choice;
use super::{OpenContest, RunLease};
use crate::Contest;
use crate::schedule::{Engine, FinishedRun, OutputSync, Queue, Recorder, Runner, Stopped};

impl OpenContest {
    /// Has an engine execute all runs of the open round, and repeat suspect ones. `slots` has the logical processors for each of
    /// the parallel runs, see [`Runner::new`].
    ///
    /// # Errors
    /// [`Stopped`] if the contest stops before its end. Finished runs are on disk.
    pub fn run_round(
        &self,
        engine: &dyn Engine,
        slots: &[Vec<usize>],
        interrupt: &dyn StopRequest,
    ) -> Result<(), Stopped> {
        self.state().passes.begin_round();
        // Once even without a run, because an engine may have something to finish.
        let mut more = self.pass(engine, slots, interrupt, true)?;
        while more {
            more = self.pass(engine, slots, interrupt, false)?;
        }
        Ok(())
    }

    /// Has an engine execute the runs that can be handed out now, once. Returns true if one of them was executed.
    ///
    /// # Errors
    /// As [`Self::run_round`].
    pub fn run_pass(
        &self,
        engine: &dyn Engine,
        slots: &[Vec<usize>],
        interrupt: &dyn StopRequest,
    ) -> Result<bool, Stopped> {
        self.pass(engine, slots, interrupt, true)
    }

    /// Has an engine execute one run of the open round. `choose` returns its index among the waiting runs, whose list may be
    /// empty. Returns its key, or `None` if no run was chosen. Several threads can call this at a time, each with other logical
    /// processors in `slot`. If `slot` is empty, the run is not pinned.
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
        let mut choose = Some(choose);
        let next = |state: &mut State| choose.take().and_then(|choose| state.next_in_order(choose));
        let made = self.run_chosen(|_, _| Ok(Box::new(engine)), &[slot.to_vec()], interrupt, 1, next)?;
        Ok(made.into_iter().next())
    }

    /// Has an engine execute at most `most` runs of the open round. The engine is created for the contest at that moment.
    /// `choose` returns the runs one after the other, and `None` to end. Returns their keys. Runs that are not chosen cost
    /// nothing.
    ///
    /// # Errors
    /// As [`Self::run_round`], and the errors of `engine`.
    pub fn run_some<'e>(
        &self,
        engine: impl FnOnce(&Contest, &ContestState) -> Result<Box<dyn Engine + 'e>, Stopped>,
        slots: &[Vec<usize>],
        interrupt: &dyn StopRequest,
        most: usize,
        mut choose: impl FnMut(Choice<'_>) -> Option<RunKey>,
    ) -> Result<Vec<RunKey>, Stopped> {
        self.run_chosen(engine, slots, interrupt, most, |state| state.next_of(&mut choose))
    }

    fn run_chosen<'e>(
        &self,
        engine: impl FnOnce(&Contest, &ContestState) -> Result<Box<dyn Engine + 'e>, Stopped>,
        slots: &[Vec<usize>],
        interrupt: &dyn StopRequest,
        most: usize,
        mut next: impl FnMut(&mut State) -> Option<RunLease>,
    ) -> Result<Vec<RunKey>, Stopped> {
        let (mut handed, mut keys, mut runs) = (LeasedRuns::none(self), Vec::new(), Vec::new());
        let mut state = self.state();
        while keys.len() < most
            && let Some(lease) = next(&mut state)
        {
            runs.push(lease.stoppable(keys.len()));
            keys.push(lease.key.clone());
            handed.leases.insert(handed.leases.len(), lease);
        }
        let contents = state.journal.contents();
        let (contest, unbuilt) = (state.contest.clone(), state.unbuilt.clone());
        drop(state);
        self.deliver();
        if keys.is_empty() {
            return Ok(keys);
        }
        let engine = engine(&contest, &contents)?;
        let runner = Runner::of_some(&contest, &contents, &keys, &self.results, slots);
        let runner = runner.without(unbuilt).ruled_by(contents.referees.clone());
        let (ended, _) = self.execute(&runner, &Queue::stoppable(runs), handed, &*engine, interrupt);
        ended.map(|()| keys)
    }

    /// Tests whether a run is waiting.
    pub fn has_waiting(&self) -> bool {
        let mut state = self.state();
        state.fill();
        let waits = !state.passes.waiting.is_empty();
        drop(state);
        self.deliver();
        waits
    }

    /// Tests whether a run is handed out.
    pub fn has_under_way(&self) -> bool {
        !self.state().passes.none_under_way()
    }

    /// Has an engine execute the runs of the open round for which `wanted` is true, one at a time on each of these slots. The
    /// others wait.
    ///
    /// # Errors
    /// As [`Self::run_round`].
    #[allow(clippy::missing_panics_doc, reason = "the engine's panics are caught")]
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

    /// Has an engine execute the runs of a queue, and takes back the runs that it does not execute. The second value is true if
    /// a run was handed in.
    fn execute(
        &self,
        runner: &Runner<'_>,
        queue: &Queue,
        handed: LeasedRuns<'_>,
        engine: &dyn Engine,
        interrupt: &dyn StopRequest,
    ) -> (Result<(), Stopped>, bool) {
        let syncing = OutputSync::new(&self.results);
        let mut recorder = PassRecorder { handed, syncing, progress: false };
        let ended = runner.run_queue(engine, queue, interrupt, &mut recorder, |event| {
            self.state().announce(|| event.into());
            self.deliver();
        });
        (ended, recorder.progress)
    }

    /// Executes a pass as [`Self::run_pass`]. Without a run to execute, the engine is called only if `always` is true.
    fn pass(
        &self,
        engine: &dyn Engine,
        slots: &[Vec<usize>],
        interrupt: &dyn StopRequest,
        always: bool,
    ) -> Result<bool, Stopped> {
        let mut handed = LeasedRuns::none(self);
        let mut state = self.state();
        let (mut keys, mut runs) = (Vec::new(), Vec::new());
        while let Some(lease) = state.next() {
            runs.push(lease.stoppable(keys.len()));
            keys.push(lease.key.clone());
            handed.leases.insert(handed.leases.len(), lease);
        }
        let contents = state.journal.contents();
        let (contest, unbuilt) = (state.contest.clone(), state.unbuilt.clone());
        let (queue, keys): (_, Arc<[RunKey]>) = (Queue::stoppable(runs), keys.into());
        state.passes.queue_changed = false;
        state.queue = Some((queue.clone(), keys.clone()));
        drop(state);
        let has_queue = HasQueue(self);
        self.deliver();
        if handed.leases.is_empty() && !always {
            return Ok(false);
        }
        let runner = Runner::of_some(&contest, &contents, &keys, &self.results, slots);
        let runner = runner.without(unbuilt).ruled_by(contents.referees.clone());
        let (ended, progress) = self.execute(&runner, &queue, handed, engine, interrupt);
        drop(has_queue);
        ended.map(|()| progress || self.state().passes.queue_changed)
    }
}

/// Runs that were handed out, by their index in the engine's list. The remaining ones are requeued at its end, also after a
/// panic: a run that stays under way would never be executed.
struct LeasedRuns<'a> {
    open_contest: &'a OpenContest,
    leases: HashMap<usize, RunLease>,
}

impl<'a> LeasedRuns<'a> {
    fn none(open_contest: &'a OpenContest) -> Self {
        Self { open_contest, leases: HashMap::new() }
    }
}

impl Drop for LeasedRuns<'_> {
    fn drop(&mut self) {
        let mut state = self.open_contest.state();
        self.leases.values().for_each(|lease| state.passes.requeue(lease));
    }
}

/// A pass whose queue can be changed by decisions. When dropped, it removes the queue.
struct HasQueue<'a>(&'a OpenContest);

impl Drop for HasQueue<'_> {
    fn drop(&mut self) {
        self.0.state().queue = None;
    }
}

/// Records the runs of one pass of an engine.
struct PassRecorder<'a> {
    /// The current runs.
    handed: LeasedRuns<'a>,
    syncing: OutputSync<'a>,
    /// True if a run was handed in.
    progress: bool,
}

impl Recorder for PassRecorder<'_> {
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        let lease = |run: FinishedRun| Some((self.handed.leases.remove(&run.record.seq.checked_sub(1)?)?, run));
        let runs: Vec<_> = finished.into_iter().filter_map(lease).collect();
        self.progress |= !runs.is_empty();
        self.handed.open_contest.state().record(runs, &mut self.syncing)
    }
}
