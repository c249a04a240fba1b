//! Quotas of submissions, questions and choices of a team. Failures of the judge are never charged to a team. A cancelled
//! submission still counts, except as waiting, because its upload is stored and its intake, and possibly its build, was work.

use judge_core::date::Date;
use judge_core::journal::ContestState;

use crate::OfficeError;
use crate::ends::Ends;
use crate::state::{HOUR, State, Submission, is_recent};
use crate::submission_state::{SubmissionState, SubmissionStates};
use crate::view::Viewer;

const DAY: u64 = 24 * HOUR;

/// What a submission is to the judge.
#[derive(PartialEq, Eq)]
enum Work {
    /// It waits or runs.
    Active,
    /// It does not build.
    Failed,
    /// No work is left, or it waits for a decision.
    Done,
}

/// Checks an upload of this size for a problem. It arrived at the first moment; the second moment is now. Each problem has its
/// own quotas, so a team that has used up one can still try the others.
pub(crate) fn check(
    state: &State,
    (contents, ends): (Option<&ContestState>, Ends),
    (team, problem): (&str, &str),
    bytes: u64,
    (arrived, now): (u64, u64),
) -> Result<(), OfficeError> {
    let quota = &state.rules().limit;
    // A refusal must not reveal what the team's pages hide.
    let viewer = Viewer::Team(team.to_owned());
    let states = SubmissionStates::new(&viewer, state, contents).with_ends(ends);
    let work = |one| match states.end(one) {
        Some(end) if end.is_unbuildable() => Some(Work::Failed),
        Some(end) if !end.is_running() || states.is_superseded(one) => Some(Work::Done),
        _ => match states.of(one) {
            SubmissionState::Stuck => None,
            SubmissionState::Unbuildable(_) => Some(Work::Failed),
            shown if shown.is_active() => Some(Work::Active),
            _ => Some(Work::Done),
        },
    };
    let all = state.submissions_of(team, problem).filter_map(|(at, one)| Some((at, one, work(one)?)));
    let all: Vec<(u64, &Submission, Work)> = all.collect();
    // Days begin with the contest, so that they are the same for everyone.
    let begin = state.rules().times.opens.unwrap_or_default() % DAY;
    let day = |at: u64| at.saturating_add(DAY - begin) / DAY;
    let tomorrow = (day(arrived) + 1) * DAY - (DAY - begin);
    let today = || all.iter().filter(|(at, _, _)| day(*at) == day(arrived));
    let exceeded = |reason: String, next: Option<u64>| Err(OfficeError::Quota { what: "submissions", reason, next });
    let at = |moment: u64| Date::from_unix(moment).to_string();
    // This uses a clock that is never set back, so that a team need not wait for the old time to come again.
    let last = all.iter().map(|(_, one, _)| state.arrival(one.number).0).max();
    let since = last.map(|last| state.on_steady_clock(arrived, now).saturating_sub(last));
    if let Some((every, left)) = quota
        .every
        .zip(since)
        .and_then(|(every, since)| Some((every, every.checked_sub(since)?)))
        .filter(|(_, left)| *left > 0)
    {
        let next = arrived.saturating_add(left);
        return exceeded(format!("one submission in {every} s; the next one from {}", at(next)), Some(next));
    }
    if let Some(most) = quota.per_day.filter(|&most| today().count() >= most as usize) {
        return exceeded(format!("{most} submissions in a day; the next one from {}", at(tomorrow)), Some(tomorrow));
    }
    let failed = || today().filter(|(_, _, shown)| *shown == Work::Failed).count();
    if let Some(most) = quota.builds_failed.filter(|&most| failed() >= most as usize) {
        let reason = format!("{most} submissions in a day that do not build; the next one from {}", at(tomorrow));
        return exceeded(reason, Some(tomorrow));
    }
    let waiting = all.iter().filter(|(_, _, shown)| *shown == Work::Active).count();
    if let Some(most) = quota.waiting.filter(|&most| waiting >= most as usize) {
        return exceeded(format!("{most} submissions that are not judged yet; the next one when one of them is"), None);
    }
    let stored: u64 = all.iter().map(|(_, one, _)| one.bytes).sum();
    if let Some(most) = quota.bytes.filter(|&most| stored.saturating_add(bytes) > most) {
        return exceeded(format!("{most} bytes in all, of which {stored} are used"), None);
    }
    Ok(())
}

/// Checks another question of a team.
pub(crate) fn check_question(state: &State, team: &str, now: u64) -> Result<(), OfficeError> {
    let last = state.messages().iter().rev().map_while(|(at, message)| is_recent(*at, now).then_some((*at, message)));
    let own = last.filter(|(_, message)| message.from.as_deref() == Some(team)).map(|(at, _)| at);
    of_hour("questions", own, state.rules().limit.questions)
}

/// Checks another choice of a team.
pub(crate) fn check_choice(state: &State, team: &str, now: u64) -> Result<(), OfficeError> {
    let all = state.teams().get(team).map_or(&[][..], |team| &team.choices);
    let last = all.iter().rev().copied().take_while(|&at| is_recent(at, now));
    of_hour("choices", last, state.rules().limit.choices)
}

/// Checks that one more is allowed after those of the last hour, given newest first.
fn of_hour(what: &'static str, mut recent: impl Iterator<Item = u64>, most: Option<u32>) -> Result<(), OfficeError> {
    let Some(most) = most else { return Ok(()) };
    match recent.nth((most as usize).saturating_sub(1)) {
        None => Ok(()),
        Some(oldest) => {
            let next = oldest.saturating_add(HOUR);
            let reason = format!("{most} {what} in an hour; the next one from {}", Date::from_unix(next));
            Err(OfficeError::Quota { what, reason, next: Some(next) })
        }
    }
}
