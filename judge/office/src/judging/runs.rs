//! Chooses the next run and has it executed, on this machine or on a cluster.

use judge_contest::open_contest::{Choice, team_of};
use judge_contest::schedule::{Engine, Stopped};
use judge_core::key::RunKey;
use judge_core::plan::Plan;
use judge_job::StopRequest;

use super::{Cluster, Judging, JudgingResources};
use crate::progress::{MAX_ATTEMPTS, allowed_attempts};
use crate::state::State;

impl Judging<'_> {
    /// Executes the next run, if one waits. First boards of new submissions come before all others; otherwise, teams share
    /// fairly.
    ///
    /// # Errors
    /// As [`judge_contest::open_contest::OpenContest::run_one`].
    pub fn run_next(
        &self,
        resources: &JudgingResources<'_>,
        slot: &[usize],
        interrupt: &dyn StopRequest,
    ) -> Result<Option<RunKey>, Stopped> {
        let engine = |_: &_, _: &_| -> Result<Box<dyn Engine>, Stopped> { Ok(Box::new(resources.engine)) };
        let run = |plan: &Plan| {
            let choose = |choice: Choice<'_>| self.choose(choice, plan);
            self.open_contest.run_some(engine, &[slot.to_vec()], interrupt, 1, choose)
        };
        Ok(self.next(run)?.pop())
    }

    /// Has a cluster execute the next runs, as many as it gets at a time.
    ///
    /// # Errors
    /// As [`judge_contest::open_contest::OpenContest::run_some`].
    pub fn run_batch(&self, cluster: &Cluster<'_>, interrupt: &dyn StopRequest) -> Result<Vec<RunKey>, Stopped> {
        self.next(|plan| {
            let choose = |choice: Choice<'_>| self.choose(choice, plan);
            self.open_contest.run_some(cluster.engine, &[], interrupt, cluster.at_a_time, choose)
        })
    }

    /// Has runs executed, unless nothing has changed since none was waiting. `run` gets the plan of the contest.
    fn next(&self, run: impl FnOnce(&Plan) -> Result<Vec<RunKey>, Stopped>) -> Result<Vec<RunKey>, Stopped> {
        let state = self.office.state().map_err(|error| Stopped::Engine(error.into()))?;
        let contents = self.open_contest.contents();
        // Submissions that are not judged when the results become final wait until they are reopened.
        if self.no_run.is_still(&state, &contents) || state.finalised().is_some() {
            return Ok(Vec::new());
        }
        self.repeat_judge_errors(&state);
        let made = run(&contents.plan)?;
        match made.is_empty() {
            true => self.no_run.since(state, &contents),
            false => self.refund(&made),
        }
        Ok(made)
    }

    /// Chooses the next run and charges its team for it.
    fn choose(&self, choice: Choice<'_>, plan: &Plan) -> Option<RunKey> {
        let mut order = self.handle.order();
        let is_new = choice.teams().any(|(_, team)| team.has_new());
        let teams = || choice.teams().filter(|(_, team)| !is_new || team.has_new());
        let least = teams().map(|(name, _)| order.runs.time(name)).min()?;
        let next = teams().filter(|(name, _)| order.runs.time(name) == least).map(|(_, team)| team);
        let next = choice.first_of(next, is_new)?;
        order.runs.charge(team_of(&next.entry), expected_ms(plan, &next));
        Some(next)
    }

    /// Refunds the difference if runs cost less than expected.
    fn refund(&self, made: &[RunKey]) {
        let contents = self.open_contest.contents();
        for key in made {
            let wall_us = contents.record(key).and_then(|record| record.wall_us).unwrap_or_default();
            let expected_ms = expected_ms(&contents.plan, key);
            self.handle.order().runs.refund(team_of(&key.entry), expected_ms.saturating_sub(wall_us / 1000));
        }
    }

    /// Sets how often judge errors are repeated: more often for entries that were released.
    pub(super) fn repeat_judge_errors(&self, state: &State) {
        let released = state.released().map(|one| (one.entry(), allowed_attempts(state, one)));
        self.open_contest.repeat_judge_errors(MAX_ATTEMPTS, released.collect());
    }
}

/// The time that a run is expected to cost, in milliseconds: the limit of its problem.
fn expected_ms(plan: &Plan, run: &RunKey) -> u64 {
    plan.problems.of(&run.board).map_or(0, |problem| problem.limits.wall_ms)
}
