//! Keeps the contest in agreement with the office: the entries that do not count are set aside, which is not recorded, as it follows from
//! the log.

use std::sync::{Arc, MutexGuard, PoisonError};

use judge_contest::open_contest::team_of;
use judge_core::key::RunKey;

use super::{Judging, JudgingError};
use crate::aside::{Open, Settling};
use crate::state::Submission;

impl Judging<'_> {
    /// Makes the contest agree with the counting submissions of every team, if the office has changed since the last
    /// time.
    pub(super) fn settle(&self) -> Result<(), JudgingError> {
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        // A struck board may change what counts for all.
        let (others, state) = (self.open_contest.events_of_others(), self.office.state()?);
        if settled.as_ref().is_some_and(|(seen, settled)| *seen == others && Arc::ptr_eq(settled, &state)) {
            return Ok(());
        }
        let before = settled.as_ref().filter(|(seen, _)| *seen == others);
        match before.and_then(|(_, before)| state.decided_since(before)) {
            None => self.settle_teams(None)?,
            Some((mut teams, submissions)) => {
                // What was decided on a team may concern any of its submissions; what was decided on one of them, only that one
                // and those that are looked at anyway.
                self.open().retain(|(other, _), _| !teams.contains(&**other));
                submissions.iter().for_each(|submission| self.look_at(submission));
                teams.extend(submissions.iter().map(|submission| &*submission.team));
                teams.into_iter().try_for_each(|team| self.settle_teams(Some(team)))?;
            }
        }
        *settled = Some((others, state));
        Ok(())
    }

    /// Settles the team of a submission that was just entered.
    pub(super) fn settle_entered(&self, submission: &Submission) -> Result<(), JudgingError> {
        self.look_at(submission);
        self.settle_teams(Some(&submission.team))
    }

    /// Has a submission examined when its team is settled the next time.
    fn look_at(&self, submission: &Submission) {
        if let Some(open) = self.open().get_mut(&(submission.team.clone(), submission.problem.clone())) {
            open.insert(submission.number);
        }
    }

    /// Makes the contest agree with the counting submission of a run's team for its problem, if the run could have changed that.
    pub(super) fn settle_after(&self, run: &RunKey) -> Result<(), JudgingError> {
        let team = team_of(&run.entry);
        let of_run = (team.to_owned(), run.problem().to_owned());
        let unsettled = self.open().get(&of_run).is_some_and(|open| open.len() > 1);
        if unsettled { self.settle_teams(Some(team)) } else { Ok(()) }
    }

    /// The submissions that are in the contest, by team. Its lock is held from reading the contest to setting entries aside, so that
    /// nothing older replaces what is newer.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the contest agree with the counting submissions of one team, or of all.
    pub(super) fn settle_teams(&self, only: Option<&str>) -> Result<(), JudgingError> {
        let mut open = self.open();
        let state = self.office.state()?;
        // Who does not play waits, and is set aside.
        self.name_players(&state)?;
        let contents = self.open_contest.contents();
        let known = only.map(|_| &*open);
        let Settling { aside, open: now } =
            Settling::new((&state, &contents, &self.office.ends(&state, &contents)), only, known);
        #[cfg(test)]
        EXAMINED.set(EXAMINED.get() + aside.len());
        self.open_contest.set_aside(aside);
        open.extend(now);
        Ok(())
    }
}

#[cfg(test)]
thread_local! {
    /// How many submissions this thread looked at to find out what counts.
    pub(super) static EXAMINED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
