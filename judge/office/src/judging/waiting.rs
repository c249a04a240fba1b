//! The submissions that wait to be entered, computed from the results and the log: nothing else has to be remembered.

use std::collections::HashMap;

use judge_core::journal::{Build, Contents};
use judge_core::plan::Entry;
use judge_core::withdrawal::Cause;

use crate::reasons::cause;
use crate::state::{State, Submission};

/// The most attempts at a build or a run that ends in a judge error. After that, the submission is held.
pub const MAX_ATTEMPTS: u32 = 3;

/// The most attempts at each run of a submission: [`MAX_ATTEMPTS`] before it is held, and as many again after each
/// release.
pub(crate) fn allowed_attempts(state: &State, submission: &Submission) -> u32 {
    MAX_ATTEMPTS.saturating_mul(state.standing(submission.number).releases.saturating_add(1))
}

/// The submissions that are still to be entered: without an entry, with one whose build is not recorded, or released after
/// the judge failed on their build.
pub(crate) fn waiting<'s>(state: &'s State, contents: &Contents) -> Vec<&'s Submission> {
    let entries = contents.plan.entries_by_name();
    let builds = last_builds(contents);
    let build_of = |name: &str| builds.get(name).copied();
    let all = state.submissions().iter().map(|(_, submission)| submission);
    all.filter(|one| {
        state.is_to_be_judged(one) && !is_entered(one, entries.get(&*one.entry()).copied(), state, contents, &build_of)
    })
    .collect()
}

/// Tests whether a submission is still to be entered, as in [`waiting`].
pub(crate) fn waits(submission: &Submission, state: &State, contents: &Contents) -> bool {
    let name = submission.entry();
    let entry = contents.plan.entries.iter().find(|entry| entry.name == name).map(|entry| &**entry);
    state.is_to_be_judged(submission)
        && !is_entered(submission, entry, state, contents, &|name| build_of(contents, name))
}

fn is_entered<'c>(
    submission: &Submission,
    entry: Option<&Entry>,
    state: &State,
    contents: &Contents,
    build_of: &dyn Fn(&str) -> Option<&'c Build>,
) -> bool {
    let Some(entry) = entry else { return false };
    if contents.withdrawn.get(&entry.name).is_some_and(|it| cause(it) == Some(Cause::BuildErrors)) {
        // Each attempt records the entry once more.
        let attempts = contents.versions.get(&entry.name).map_or(0, |versions| versions.len());
        return attempts >= allowed_attempts(state, submission) as usize;
    }
    entry.build.is_none() || contents.withdrawn.contains_key(&entry.name) || build_of(&entry.name).is_some()
}

/// The number of the submission of an entry, from its name `TEAM.NUMBER`; `None` for an entry of the contest file.
pub fn number_of(entry: &str) -> Option<u32> {
    entry.rsplit_once('.')?.1.parse().ok()
}

/// The last build of an entry.
pub(crate) fn build_of<'c>(contents: &'c Contents, name: &str) -> Option<&'c Build> {
    contents.builds.iter().rev().map(|build| &**build).find(|build| build.entries.iter().any(|entry| entry == name))
}

/// The last build of each entry, for callers that need many.
fn last_builds(contents: &Contents) -> HashMap<&str, &Build> {
    let builds = contents.builds.iter().map(|build| &**build);
    builds.flat_map(|build| build.entries.iter().map(move |name| (&**name, build))).collect()
}
