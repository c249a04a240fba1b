//! Makes the results agree with the submissions that count: other entries are withdrawn, for a cause that is later taken
//! back with the withdrawal.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use judge_core::journal::{Contents, Line};
use judge_core::key::RunKey;

use super::{Judging, JudgingError, team_of};
use crate::counting::OfTeam;
use crate::orders::{self, Decided};
use crate::reasons::{back, is_kind, of_log, out};
use crate::state::State;

impl Judging<'_> {
    /// Makes the results agree with the counting submissions of every team, if the office has changed since the last
    /// time.
    pub(super) fn settle(&self) -> Result<(), JudgingError> {
        let mut settled = self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.office.state()?;
        if settled.as_ref().is_some_and(|settled| Arc::ptr_eq(settled, &state)) {
            return Ok(());
        }
        self.conduct.update(orders::due(&state, &self.conduct.contents()))?;
        self.settle_teams(None)?;
        *settled = Some(state);
        Ok(())
    }

    pub(super) fn settle_team(&self, team: &str) -> Result<(), JudgingError> {
        self.settle_teams(Some(team))
    }

    /// Makes the results of a run's team agree with its counting submission, if the run could have changed that.
    pub(super) fn settle_after(&self, run: &RunKey) -> Result<(), JudgingError> {
        let team = team_of(&run.entry);
        let unsettled = self.unsettled.lock().unwrap_or_else(PoisonError::into_inner).contains(team);
        if unsettled { self.settle_team(team) } else { Ok(()) }
    }

    /// Makes the results agree with the counting submissions of one team, or of all.
    pub(super) fn settle_teams(&self, only: Option<&str>) -> Result<(), JudgingError> {
        // Before anything is read: another thread may have withdrawn an entry meanwhile, and to withdraw it twice is refused.
        let mut unsettled = self.unsettled.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, contents) = (self.office.state()?, self.conduct.contents());
        let settling = Settling::new(&state, &contents, only);
        for (team, open) in settling.open {
            if open > 1 {
                unsettled.insert(team.to_owned())
            } else {
                unsettled.remove(team)
            };
        }
        Ok(self.conduct.update(settling.lines)?)
    }
}

/// The changes that make the results agree with the counting submissions.
pub(super) struct Settling<'s> {
    /// The events of these changes.
    pub(super) lines: Vec<Line>,
    /// The examined teams, each with the number of its entries that are in the contest afterwards.
    open: Vec<(&'s str, usize)>,
}

impl<'s> Settling<'s> {
    /// Computes the changes for one team, or for all.
    pub(super) fn new(state: &'s State, contents: &Contents, only: Option<&str>) -> Self {
        let entered: HashSet<&str> = contents.plan.entries.iter().map(|entry| &*entry.name).collect();
        let (mut lines, mut all_open) = (Vec::new(), Vec::new());
        let disqualified = orders::disqualified(state);
        let teams = state.teams().iter().filter(|(name, _)| only.is_none_or(|only| *only == ***name));
        for (name, team) in teams.filter(|(_, team)| !team.submissions.is_empty()) {
            let of_team = OfTeam { state, contents, entered: &entered, team };
            let mut open = 0;
            for (entry, wanted) in of_team.settled() {
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
                    (None, None) => open += 1,
                    (Some(Some(_)), None) => {
                        lines.push(back(&entry));
                        open += 1;
                    }
                    (None, Some(wanted)) => lines.push(out(&entry, wanted)),
                    (Some(Some(now)), Some(wanted)) if is_kind(&now, &wanted) => {}
                    (Some(Some(_)), Some(wanted)) => {
                        lines.extend([back(&entry), out(&entry, wanted)]);
                    }
                }
            }
            all_open.push((&**name, open));
        }
        Self { lines, open: all_open }
    }
}
