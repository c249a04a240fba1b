//! Makes the results agree with the submissions that count: other entries are withdrawn, for a cause that is later taken
//! back with the withdrawal.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, MutexGuard, PoisonError};

use judge_contest::conduct::team_of;
use judge_core::journal::{Contents, Line};
use judge_core::key::RunKey;

use super::{Judging, JudgingError};
use crate::counting::OfTeam;
use crate::orders::{self, Decided};
use crate::reasons::{back, is_kind, of_log, out};
use crate::state::{State, Submission};

impl Judging<'_> {
    /// Makes the results agree with the counting submissions of every team, if the office has changed since the last
    /// time.
    pub(super) fn settle(&self) -> Result<(), JudgingError> {
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.office.state()?;
        if settled.as_ref().is_some_and(|settled| Arc::ptr_eq(settled, &state)) {
            return Ok(());
        }
        let before = settled.as_deref();
        if before.is_none_or(|before| state.has_other_orders(before)) {
            self.conduct.update(orders::due(&state, &self.conduct.contents()))?;
        }
        match before.and_then(|before| state.teams_changed_since(before)) {
            None => self.settle_teams(None)?,
            Some(teams) => {
                for team in teams {
                    // What was decided on its submissions may concern any of them.
                    self.open().remove(team);
                    self.settle_teams(Some(team))?;
                }
            }
        }
        *settled = Some(state);
        Ok(())
    }

    /// Settles the team of a submission that was just entered.
    pub(super) fn settle_entered(&self, submission: &Submission) -> Result<(), JudgingError> {
        let mut open = self.open();
        if let Some(open) = open.get_mut(&submission.team) {
            open.insert(submission.number);
        }
        drop(open);
        self.settle_teams(Some(&submission.team))
    }

    /// Makes the results of a run's team agree with its counting submission, if the run could have changed that.
    pub(super) fn settle_after(&self, run: &RunKey) -> Result<(), JudgingError> {
        let team = team_of(&run.entry);
        let unsettled = self.open().get(team).is_some_and(|open| open.len() > 1);
        if unsettled { self.settle_teams(Some(team)) } else { Ok(()) }
    }

    /// The submissions that are in the contest, by team. Its lock is held from reading what is withdrawn to recording what changes of
    /// that: to withdraw an entry twice is refused.
    pub(super) fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the results agree with the counting submissions of one team, or of all.
    pub(super) fn settle_teams(&self, only: Option<&str>) -> Result<(), JudgingError> {
        let mut open = self.open();
        let (state, contents) = (self.office.state()?, self.conduct.contents());
        let known = only.and_then(|team| open.get(team));
        let Settling { lines, open: now } = Settling::new(&state, &contents, only, known);
        self.conduct.update(lines)?;
        open.extend(now);
        Ok(())
    }
}

/// What makes the results agree with what counts.
pub(super) struct Settling {
    /// The events that do.
    pub(super) lines: Vec<Line>,
    /// The submissions that are in the contest then, of the teams that it was found out for.
    open: Open,
}

/// Numbers of submissions by team.
pub(super) type Open = HashMap<String, BTreeSet<u32>>;

impl Settling {
    /// Finds it out for one team, of which these submissions were in the contest if that is `known`, or for all.
    pub(super) fn new(state: &State, contents: &Contents, only: Option<&str>, known: Option<&BTreeSet<u32>>) -> Self {
        let (mut lines, mut all_open) = (Vec::new(), Open::new());
        let disqualified = orders::disqualified(state);
        let teams = state.teams().iter().filter(|(name, _)| only.is_none_or(|only| *only == ***name));
        for (name, team) in teams.filter(|(_, team)| !team.submissions.is_empty()) {
            let of_team = OfTeam { state, contents, team };
            let mut open = BTreeSet::new();
            for (submission, wanted) in of_team.settled(known) {
                let entry = submission.entry();
                let withdrawal = contents.withdrawn.get(&entry);
                let mut now = withdrawal.map(of_log);
                match orders::of_entry(&entry, withdrawal, disqualified.get(&**name)) {
                    Some(Decided::Out(line)) => {
                        if let Some(line) = line {
                            lines.extend(now.is_some().then(|| back(&entry)));
                            lines.push(line);
                        }
                        continue;
                    }
                    Some(Decided::Back) => {
                        lines.push(back(&entry));
                        now = None;
                    }
                    None => {}
                }
                match (now, wanted) {
                    // Not ours: it does not build, is held after judge errors, or the organiser took it out.
                    (Some(None), _) => {}
                    (None, None) => drop(open.insert(submission.number)),
                    (Some(Some(_)), None) => {
                        lines.push(back(&entry));
                        open.insert(submission.number);
                    }
                    (None, Some(wanted)) => lines.push(out(&entry, wanted)),
                    (Some(Some(now)), Some(wanted)) if is_kind(&now, &wanted) => {}
                    (Some(Some(_)), Some(wanted)) => {
                        lines.extend([back(&entry), out(&entry, wanted)]);
                    }
                }
            }
            all_open.insert(name.to_string(), open);
        }
        Self { lines, open: all_open }
    }
}
