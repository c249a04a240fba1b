//! The submissions that do not count, as entries that are set aside. This is computed from the log whenever somebody asks, and never
//! stored: by the judge while it works, and by every reader of results.

use std::collections::{BTreeSet, HashMap};

use judge_core::journal::ContestState;
use judge_core::withdrawal::Withdrawal;

use crate::counting::TeamSubmissions;
use crate::ends::Ends;
use crate::state::State;
use crate::submission_state::SubmissionStates;
use crate::viewer::Viewer;

/// What makes the contest agree with what counts.
pub(crate) struct Settling {
    /// What sets each entry aside; `None` if it is in the contest.
    pub(crate) aside: Vec<(String, Option<Withdrawal>)>,
    /// The submissions that are in the contest then, of the teams that it was found out for.
    pub(crate) open: Open,
}

/// Numbers of submissions by team and problem.
pub(crate) type Open = HashMap<(String, String), BTreeSet<u32>>;

impl Settling {
    /// Finds it out for one team, of which these submissions were in the contest if that is `known`, or for all.
    pub(crate) fn new(
        (state, contents, ends): (&State, &ContestState, &Ends),
        only: Option<&str>,
        known: Option<&Open>,
    ) -> Self {
        let (mut aside, mut all_open) = (Vec::new(), Open::new());
        let states = SubmissionStates::new(&Viewer::Organiser, state, contents).with_ends(ends.clone());
        let teams: Vec<_> = match only {
            Some(only) => state.teams().get_key_value(only).into_iter().collect(),
            None => state.teams().iter().collect(),
        };
        let teams = teams.into_iter().filter(|(_, team)| !team.submissions.is_empty());
        let of_problems = teams.flat_map(|team| contents.plan.problems.iter().map(move |problem| (team, &*problem.id)));
        for ((name, team), problem) in of_problems {
            let (mut open, key) = (BTreeSet::new(), (name.to_string(), problem.to_owned()));
            let (of_team, known) =
                (TeamSubmissions { state, contents, team, problem, ends }, known.and_then(|known| known.get(&key)));
            for submission in of_team.looked_at(known, || states.counting_of(name, team, problem)) {
                let out = states.set_aside_reason(submission);
                if out.is_none() {
                    open.insert(submission.number);
                }
                aside.push((submission.entry(), out));
            }
            all_open.insert(key, open);
        }
        Self { aside, open: all_open }
    }
}

/// The contest with the entries set aside that do not count, as the office has it.
pub(crate) fn as_counted(state: &State, contents: ContestState) -> ContestState {
    let Settling { aside, .. } = Settling::new((state, &contents, &Ends::default()), None, None);
    contents.with_aside(aside)
}
