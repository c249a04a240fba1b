//! The submissions that wait to be entered. They are computed from the results and the log, so no other state is needed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use judge_core::journal::ContestState;

use crate::progress::Progress;
use crate::queue::FairQueue;
use crate::state::{State, Submission};

/// Tests whether a submission may be built, because no decision prevents it.
fn may_be_built(submission: &Submission, state: &State) -> bool {
    state.gate(submission.number).is_open() && state.out(&submission.team).is_none()
}

fn is_entered(submission: &Submission, state: &State, contents: &ContestState) -> bool {
    Progress::of_build(submission, state, contents) != Some(Progress::Queued)
}

/// The submissions that may have to be built, by team. Each is checked until it is entered; only an entry event can enter it.
#[derive(Debug, Default)]
pub(super) struct Queued {
    /// The number of submissions that were seen.
    seen: usize,
    of_teams: BTreeMap<String, BTreeSet<u32>>,
}

impl Queued {
    /// The next submission among the waiting ones. Those of a team are in the order of their numbers.
    pub(super) fn next<'s>(
        &mut self,
        state: &'s State,
        contents: &ContestState,
        queue: &FairQueue,
    ) -> Option<&'s Submission> {
        self.follow(state);
        let mut first: Option<((u64, u32), &Submission)> = None;
        for (team, numbers) in &mut self.of_teams {
            let time = queue.time(team);
            let may_be_first = |number: u32| first.is_none_or(|(before, _)| (time, number) < before);
            let mut entered = Vec::new();
            for &number in numbers.iter().take_while(|number| may_be_first(**number)) {
                let Some((_, submission)) = state.submission(number) else { continue };
                if is_entered(submission, state, contents) {
                    entered.push(number);
                } else if may_be_built(submission, state) {
                    first = Some(((time, number), submission));
                    break;
                }
            }
            for number in entered {
                numbers.remove(&number);
            }
        }
        self.of_teams.retain(|_, numbers| !numbers.is_empty());
        first.map(|(_, submission)| submission)
    }

    /// The submissions that wait to be entered, by team, in the order of their numbers.
    pub(super) fn waiting<'s>(
        &mut self,
        state: &'s State,
        contents: &ContestState,
    ) -> BTreeMap<&'s str, VecDeque<&'s Submission>> {
        self.follow(state);
        let is_left = |&number: &u32| {
            state.submission(number).is_none_or(|(_, submission)| !is_entered(submission, state, contents))
        };
        self.of_teams.values_mut().for_each(|numbers| numbers.retain(is_left));
        let of_team = |numbers: &BTreeSet<u32>| {
            let all = numbers.iter().filter_map(|&number| Some(state.submission(number)?.1));
            let waiting: VecDeque<&Submission> = all.filter(|one| may_be_built(one, state)).collect();
            Some((&*waiting.front()?.team, waiting))
        };
        self.of_teams.values().filter_map(of_team).collect()
    }

    /// Adds the submissions that are new in a state.
    fn follow(&mut self, state: &State) {
        while let Some((_, submission)) = state.submissions().get(self.seen) {
            self.seen += 1;
            self.add(submission);
        }
        // Only released submissions can wait again after they were entered.
        state.released().for_each(|submission| self.add(submission));
    }

    fn add(&mut self, submission: &Submission) {
        self.of_teams.entry(submission.team.clone()).or_default().insert(submission.number);
    }
}
