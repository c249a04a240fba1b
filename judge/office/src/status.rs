//! The status of a submission. Everything is computed from the office's log and the contest's journal; nothing is
//! stored.

use std::fmt;

use judge_contest::office::SealedFeedback;
use judge_core::journal::{Built, Contents};
use judge_core::withdrawal::Cause;

use crate::counting::{is_judged, is_over};
use crate::judging::{allowed_attempts, waits};
use crate::reasons::cause;
use crate::state::{State, Submission};
use crate::view::{Viewer, last_round};

/// The status of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It waits to be built.
    Queued,
    /// It does not build; the reason.
    DoesNotBuild(String),
    /// Its runs are being executed.
    Running {
        /// The number of its executed runs.
        made: usize,
        /// The number of its runs on the open boards.
        of: usize,
    },
    /// All its runs are executed, and it counts for its team.
    Counts,
    /// A later submission counts for its team.
    Superseded {
        /// Name of the entry that counts.
        by: String,
    },
    /// The judge failed on it too often; the organiser has to look at it.
    Held,
    /// It arrived late and is not judged.
    Late,
    /// The organiser judges it later; the reason, which may be empty.
    Waits(String),
    /// Its team cancelled it.
    Cancelled,
    /// The organiser does not count it; the reason, which may be empty.
    Ignored(String),
    /// The organiser has taken it out of the contest; the reason.
    Out(String),
}

impl Status {
    /// Tests whether its judgement has not ended: it waits, runs, or the organiser has to look at it.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self, Self::Queued | Self::Running { .. } | Self::Held | Self::Waits(_))
    }

    /// Tests whether it is still to be judged: it waits, runs, or is held after judge errors.
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::Queued | Self::Running { .. } | Self::Held)
    }
}

/// The status of each submission, in the order of their numbers; without `contents`, nothing of the contest has been
/// judged.
pub fn all<'s, 'c>(state: &'s State, contents: impl Into<Option<&'c Contents>>) -> Vec<(&'s Submission, Status)> {
    let Some(contents) = contents.into() else {
        return state.submissions().iter().map(|(_, submission)| (submission, unjudged(submission, state))).collect();
    };
    state.submissions().iter().map(|(_, submission)| (submission, of(submission, state, contents))).collect()
}

/// The status of one submission.
pub fn of(submission: &Submission, state: &State, contents: &Contents) -> Status {
    match waits(submission, state, contents) {
        true => Status::Queued,
        false => of_others(submission, state, contents),
    }
}

/// The last round of which a viewer may know whether a submission is in it, and how its runs ended. If teams see nothing of
/// sealed boards, they know neither the number of their runs there, nor which submissions have any. This also applies to a
/// round that opens while the board is frozen, as its entrants depend on hidden results.
pub fn known_round(viewer: &Viewer, state: &State, contents: &Contents) -> u32 {
    match (viewer, state.rules().sealed) {
        (Viewer::Organiser, _) => u32::MAX,
        (_, SealedFeedback::Nothing) => last_round(state, contents, viewer),
        (_, SealedFeedback::Code) => state.round_at_freeze(),
    }
}

/// The status of one submission, as far as a viewer may know.
pub fn as_seen_by(viewer: &Viewer, submission: &Submission, state: &State, contents: &Contents) -> Status {
    let last = known_round(viewer, state, contents);
    match waits(submission, state, contents) {
        true => Status::Queued,
        false => until_round(last, submission, state, contents),
    }
}

/// The status of a submission while nothing of the contest has been judged.
pub fn unjudged(submission: &Submission, state: &State) -> Status {
    decided(submission, state).unwrap_or(Status::Queued)
}

/// The status that follows from the decisions on a submission, if they determine it.
fn decided(submission: &Submission, state: &State) -> Option<Status> {
    let standing = state.gate(submission.number);
    if standing.cancelled {
        return Some(Status::Cancelled);
    }
    if let Some(because) = &standing.ignored {
        return Some(Status::Ignored(because.clone()));
    }
    if submission.late && !standing.admitted {
        return Some(Status::Late);
    }
    standing.held.clone().map(Status::Waits)
}

/// The status of a submission that does not wait to be built.
fn of_others(submission: &Submission, state: &State, contents: &Contents) -> Status {
    until_round(u32::MAX, submission, state, contents)
}

/// The status of a submission that does not wait to be built, from the runs of rounds up to `last`.
fn until_round(last: u32, submission: &Submission, state: &State, contents: &Contents) -> Status {
    let name = submission.entry();
    let runs = contents.runs_of(&name).filter(|&run| contents.key_of(run).is_some_and(|key| key.round <= last));
    from_runs(submission, state, contents, runs)
}

/// The status of a submission that does not wait to be built, from these runs of it.
pub(crate) fn from_runs(
    submission: &Submission,
    state: &State,
    contents: &Contents,
    runs: impl Iterator<Item = usize>,
) -> Status {
    if let Some(decided) = decided(submission, state) {
        return decided;
    }
    let name = submission.entry();
    if let Some(withdrawal) = contents.withdrawn.get(&name) {
        match cause(withdrawal) {
            Some(Cause::BuildErrors) => return Status::Held,
            Some(Cause::DoesNotBuild) => {
                let reason = contents.build_of(&name).map(|build| build.built.clone());
                return match reason {
                    Some(Built::Failed { reason }) => Status::DoesNotBuild(reason),
                    _ => Status::DoesNotBuild(withdrawal.reason.clone()),
                };
            }
            Some(Cause::Superseded { by }) => return Status::Superseded { by },
            // Decisions that were taken back a moment ago.
            Some(_) => {}
            None => return Status::Out(withdrawal.reason.clone()),
        }
    }
    let most = allowed_attempts(state, submission);
    let counted = |&run: &usize| contents.key_of(run).is_some_and(|key| !contents.struck.contains_key(&*key.board));
    // One that came back after its round has runs there that are not executed any more.
    let is_possible = |&run: &usize| !is_over(contents, run) || contents.record_of(run).is_some();
    let runs: Vec<usize> = runs.filter(counted).filter(is_possible).collect();
    let held = |&run: &usize| {
        contents.record_of(run).is_some_and(|run| run.is_judge_error()) && contents.attempts_of(run) >= most
    };
    if runs.iter().any(held) {
        return Status::Held;
    }
    match (runs.iter().filter(|&&run| is_judged(contents.record_of(run))).count(), runs.len()) {
        (made, of) if made == of => Status::Counts,
        (made, of) => Status::Running { made, of },
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued => f.write_str("queued"),
            Self::DoesNotBuild(_) => f.write_str("does not build"),
            Self::Running { made, of } => write!(f, "running, {made} of {of}"),
            Self::Counts => f.write_str("counts"),
            Self::Superseded { by } => write!(f, "superseded by {by}"),
            Self::Held => f.write_str("held: judge errors"),
            Self::Late => f.write_str("late"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Waits(because) if because.is_empty() => f.write_str("held"),
            Self::Waits(because) => write!(f, "held: {because}"),
            Self::Ignored(because) if because.is_empty() => f.write_str("ignored"),
            Self::Ignored(because) => write!(f, "ignored: {because}"),
            Self::Out(reason) => write!(f, "out: {reason}"),
        }
    }
}
