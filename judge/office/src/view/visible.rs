//! The part of a problem that a view may see: the submission of each team that counts in it, and the data of all
//! others.

use std::collections::{BTreeMap, HashMap, HashSet};

use judge_core::journal::ContestState;

use super::{Viewer, last_round};
use crate::counting::TeamSubmissions;
use crate::ends::Ends;
use crate::progress::is_judged;
use crate::state::{Choices, State, Submission, Team};
use crate::submission_state::SubmissionStates;

/// The permissions of a view.
pub(super) struct Visibility<'a> {
    /// The viewer who determines the visible rounds.
    pub(super) rounds: &'a Viewer,
    /// Tests whether the view shows the result of a submission.
    pub(super) sees: &'a dyn Fn(&State, &Submission) -> bool,
    /// The choices of a team in this view.
    pub(super) chosen: &'a dyn for<'t> Fn(&str, &'t Team) -> &'t Choices,
    /// The last round whose entrants the view may know. While the board is frozen, later entrants depend on hidden results.
    pub(super) entrants: &'a dyn Fn(&State) -> u32,
    /// The known ends of submissions.
    pub(super) ends: &'a Ends,
}

impl Visibility<'_> {
    pub(super) fn last_round(&self, state: &State, contents: &ContestState) -> u32 {
        last_round(state, contents, self.rounds)
    }
}

/// The part of a problem that a view may see.
pub(super) struct Visible<'s> {
    /// The entries of the table.
    pub(super) entries: HashSet<String>,
    /// The submission that counts for its team with its time, by entry.
    pub(super) counting: HashMap<String, (u64, &'s Submission)>,
    pub(super) teams: BTreeMap<&'s str, Numbers>,
}

/// The submissions of a team in one view.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbers {
    pub(super) submissions: usize,
    pub(super) pending: usize,
    /// The submission that counts, and its time.
    pub(super) counts: Option<(u32, u64)>,
    /// True if the last visible submission does not build.
    pub(super) unbuilt: bool,
}

impl<'s> Visible<'s> {
    pub(super) fn new(state: &'s State, contents: &ContestState, problem: &str, sight: &Visibility<'_>) -> Self {
        // For the counting submission, the runs in a later round count as well. In a round that the viewer does not see, the
        // entrants may depend on hidden data.
        let round = contents.round().min(sight.last_round(state, contents));
        let misses = |entry: &str| {
            let open =
                |&run: &usize| contents.key_of(run).is_some_and(|key| key.round == round && contents.counts(&key));
            let made = |run: usize| is_judged(contents.record_of(run));
            contents.runs_of(entry).filter(open).any(|run| !made(run))
        };
        let states = SubmissionStates::of_first_round(state, contents).with_ends(sight.ends.clone());
        let own = sight.ends.own_entries(state, contents);
        let own = own.iter().filter(|name| contents.entry(name).is_some_and(|entry| entry.is_for(problem))).cloned();
        let (mut entries, mut counting): (HashSet<String>, HashMap<_, _>) = (own.collect(), HashMap::new());
        let mut teams: BTreeMap<&str, Numbers> = BTreeMap::new();
        for (name, team) in state.teams() {
            let of_team = teams.entry(name).or_default();
            let submissions = TeamSubmissions { state, contents, team, problem, ends: sight.ends };
            let counts = submissions.counting(
                &|submission| (sight.sees)(state, submission),
                (sight.chosen)(name, team).get(problem).copied(),
                (sight.entrants)(state),
            );
            for (at, submission) in state.submissions_of(name, problem) {
                of_team.submissions += 1;
                if !(sight.sees)(state, submission) {
                    of_team.pending += 1;
                    continue;
                }
                of_team.unbuilt = states.is_unbuildable(submission);
                let is_counted = counts == Some(submission.number);
                let in_later_round = || round > 1 && is_counted && misses(&submission.entry());
                of_team.pending += usize::from(states.is_pending(submission) || in_later_round());
                if is_counted {
                    let entry = submission.entry();
                    of_team.counts = Some((submission.number, at));
                    entries.insert(entry.clone());
                    counting.insert(entry, (at, submission));
                }
            }
        }
        Self { entries, counting, teams }
    }
}
