//! Chooses the next run and has it executed, on this machine or on a cluster.

use std::collections::HashSet;

use judge_contest::schedule::Stopped;
use judge_core::journal::Record;
use judge_core::key::RunKey;
use judge_job::StopRequest;

use super::{Cluster, Judging, MAX_ATTEMPTS, Site, allowed_attempts, number_of, team_of};
use crate::queue::Waiting;

impl Judging<'_> {
    /// Executes the next run, if one waits: first boards of new submissions before all others, and otherwise fair between
    /// teams.
    ///
    /// # Errors
    /// As [`judge_contest::conduct::Conduct::run_one`].
    pub fn run_next(
        &self,
        site: &Site<'_>,
        slot: &[usize],
        interrupt: &dyn StopRequest,
    ) -> Result<Option<RunKey>, Stopped> {
        let run = |held: &HashSet<String>, expected| {
            let choose = |keys: &[&RunKey]| self.choose(keys, held, expected);
            Ok(self.conduct.run_one(site.engine, slot, interrupt, choose)?.into_iter().collect())
        };
        Ok(self.next(run)?.pop())
    }

    /// Has a cluster execute the next runs, as many as it gets at a time.
    ///
    /// # Errors
    /// As [`judge_contest::conduct::Conduct::run_some`].
    pub fn run_batch(&self, cluster: &Cluster<'_>, interrupt: &dyn StopRequest) -> Result<Vec<RunKey>, Stopped> {
        self.next(|held, expected| {
            let choose = |keys: &[&RunKey]| self.choose(keys, held, expected);
            self.conduct.run_some(cluster.engine, &[], interrupt, cluster.at_a_time, choose)
        })
    }

    /// Has runs executed, unless nothing has happened since there were none to execute. `run` gets the held entries, and the
    /// expected time of a run in milliseconds.
    fn next(
        &self,
        run: impl FnOnce(&HashSet<String>, u64) -> Result<Vec<RunKey>, Stopped>,
    ) -> Result<Vec<RunKey>, Stopped> {
        let state = self.office.state().map_err(|error| Stopped::Engine(error.into()))?;
        let contents = self.conduct.contents();
        // What is not judged when the results become final waits until they are not final any more.
        if self.no_run.is_still(&state, &contents) || state.finalised().is_some() {
            return Ok(Vec::new());
        }
        let (held, most) = self.held()?;
        self.conduct.repeat_judge_errors(most);
        let expected = self.conduct.contest().plan.limits.wall_ms;
        let made = run(&held, expected)?;
        match made.is_empty() {
            true => self.no_run.since(state, &contents),
            false => self.refund(&made, expected),
        }
        Ok(made)
    }

    /// Chooses the next run and charges its team for it.
    fn choose(&self, keys: &[&RunKey], held: &HashSet<String>, expected_ms: u64) -> Option<usize> {
        let mut order = self.handle.order();
        let free = (0..keys.len()).filter(|&key| !held.contains(&*keys[key].entry)).collect::<Vec<_>>();
        let pieces = free.iter().map(|&key| {
            let entry = &keys[key].entry;
            Waiting { team: team_of(entry), urgent: !order.begun.contains(&**entry) }
        });
        let next = free[order.runs.choose(pieces)?];
        let entry = &keys[next].entry;
        order.begun.insert(entry.to_string());
        order.runs.charge(team_of(entry), expected_ms);
        Some(next)
    }

    /// Refunds the difference if runs cost less than expected.
    fn refund(&self, made: &[RunKey], expected_ms: u64) {
        let contents = self.conduct.contents();
        for key in made {
            let wall_us = contents.record(key).and_then(|record| record.wall_us).unwrap_or_default();
            self.handle.order().runs.refund(team_of(&key.entry), expected_ms.saturating_sub(wall_us / 1000));
        }
    }

    /// The entries whose judge errors are no longer repeated, and the largest number of attempts of any entry: released
    /// entries have more attempts.
    pub(super) fn held(&self) -> Result<(HashSet<String>, u32), Stopped> {
        let state = self.office.state().map_err(|error| Stopped::Engine(error.into()))?;
        let most = state.released().map(|one| allowed_attempts(&state, one)).max();
        let Some(most) = most else { return Ok((HashSet::new(), MAX_ATTEMPTS)) };
        let contents = self.conduct.contents();
        let failed = contents.records.iter().filter(|record| record.is_judge_error());
        let is_held = |record: &&Record| {
            let number = number_of(&record.key.entry).and_then(|number| state.submission(number));
            let allowed = number.map_or(MAX_ATTEMPTS, |(_, one)| allowed_attempts(&state, one));
            contents.index_of(&record.key).is_some_and(|run| contents.attempts[run] >= allowed)
        };
        Ok((failed.filter(is_held).map(|record| record.key.entry.to_string()).collect(), most))
    }
}
