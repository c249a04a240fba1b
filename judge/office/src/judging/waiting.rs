//! The submissions that wait to be entered. They are computed from the results and the log, so no other state is needed.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::journal::ContestState;

use crate::progress::Progress;
use crate::queue::FairQueue;
use crate::state::{State, Submission};

/// The submissions that are still to be entered: without an entry, with an entry whose build is not recorded, or released after
/// the judge failed on their build.
pub(crate) fn waiting<'s>(state: &'s State, contents: &ContestState) -> Vec<&'s Submission> {
    let all = state.submissions().iter().map(|(_, submission)| submission);
    all.filter(|one| waits(one, state, contents)).collect()
}

/// Tests whether a submission is still to be entered, as in [`waiting`].
pub(crate) fn waits(submission: &Submission, state: &State, contents: &ContestState) -> bool {
    may_be_built(submission, state) && !is_entered(submission, state, contents)
}

/// Tests whether a submission may be built, because no decision prevents it.
fn may_be_built(submission: &Submission, state: &State) -> bool {
    state.gate(submission.number).is_open() && state.out(&submission.team).is_none()
}

fn is_entered(submission: &Submission, state: &State, contents: &ContestState) -> bool {
    Progress::of_build(submission, state, contents) != Some(Progress::Queued)
}

/// The submissions that may have to be built, by team. Each is checked until it is entered; only an entry event can enter it.
#[derive(Default)]
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
        while let Some((_, submission)) = state.submissions().get(self.seen) {
            self.seen += 1;
            self.add(submission);
        }
        // Only released submissions can wait again after they were entered.
        state.released().for_each(|submission| self.add(submission));
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

    fn add(&mut self, submission: &Submission) {
        self.of_teams.entry(submission.team.clone()).or_default().insert(submission.number);
    }
}
