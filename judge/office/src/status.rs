//! How far a submission is. Everything is computed from the office's log and the contest's journal; nothing is stored.

use std::fmt;

use judge_core::journal::{Built, Contents};

use crate::judging::{DOES_NOT_BUILD, HELD, MAX_ATTEMPTS, SUPERSEDED, build_of, waiting};
use crate::state::{State, Submission};

/// How far a submission is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It waits to be built.
    Queued,
    /// It does not build; the reason.
    DoesNotBuild(String),
    /// Its runs are being made.
    Running {
        /// Runs that are made.
        made: usize,
        /// All its runs.
        of: usize,
    },
    /// All its runs are made, and it counts for its team.
    Counts,
    /// A later submission counts for its team.
    Superseded {
        /// The entry that counts.
        by: String,
    },
    /// The judge failed on it too often; the organiser has to look at it.
    Held,
    /// The organiser has taken it out of the contest; the reason.
    Out(String),
}

/// How far each submission is, oldest first.
pub fn all<'s>(state: &'s State, contents: &Contents) -> Vec<(&'s Submission, Status)> {
    let queued: Vec<u32> = waiting(state.submissions().iter().map(|(_, submission)| submission), contents)
        .iter()
        .map(|s| s.number)
        .collect();
    let status = |submission: &Submission| match queued.binary_search(&submission.number) {
        Ok(_) => Status::Queued,
        Err(_) => of_entered(&submission.entry(), contents),
    };
    state.submissions().iter().map(|(_, submission)| (submission, status(submission))).collect()
}

/// How far one submission is.
pub fn of(submission: &Submission, contents: &Contents) -> Status {
    if waiting(std::iter::once(submission), contents).is_empty() {
        return of_entered(&submission.entry(), contents);
    }
    Status::Queued
}

fn of_entered(name: &str, contents: &Contents) -> Status {
    if let Some(withdrawal) = contents.withdrawn.get(name) {
        if withdrawal.reason == HELD {
            return Status::Held;
        }
        if withdrawal.reason == DOES_NOT_BUILD {
            let reason = build_of(contents, name).map(|build| build.built.clone());
            return match reason {
                Some(Built::Failed { reason }) => Status::DoesNotBuild(reason),
                _ => Status::DoesNotBuild(withdrawal.reason.clone()),
            };
        }
        return match withdrawal.reason.strip_prefix(SUPERSEDED) {
            Some(by) if !withdrawal.disqualified => Status::Superseded { by: by.to_owned() },
            _ => Status::Out(withdrawal.reason.clone()),
        };
    }
    let runs: Vec<usize> = (0..contents.order.len())
        .filter(|&index| *contents.order[index].entry == *name && contents.counts(&contents.order[index]))
        .collect();
    let made = |&&index: &&usize| contents.records.of_run(index).is_some_and(|run| !run.is_judge_error());
    let held = |&index: &usize| {
        let fails = contents.records.of_run(index).is_some_and(|run| run.is_judge_error());
        fails && contents.attempts[index] >= MAX_ATTEMPTS
    };
    if runs.iter().any(held) {
        return Status::Held;
    }
    match (runs.iter().filter(made).count(), runs.len()) {
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
            Self::Out(reason) => write!(f, "out: {reason}"),
        }
    }
}
