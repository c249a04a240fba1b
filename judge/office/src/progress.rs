//! The progress of judging a submission. It follows from the records of its build and its runs.

use judge_core::journal::{Built, ContestState, Record};
use judge_core::withdrawal::Withdrawal;

use crate::state::{State, Submission};

/// The round whose runs decide which submission counts, and the only one that takes new submissions.
pub(crate) const FIRST_ROUND: u32 = 1;
/// The most attempts at a build or a run that ends in a judge error. After that, the submission is held.
pub const MAX_ATTEMPTS: u32 = 3;

/// The most attempts at each run of a submission: [`MAX_ATTEMPTS`] before it is held, and the same number after each release.
pub(crate) fn allowed_attempts(state: &State, submission: &Submission) -> u32 {
    MAX_ATTEMPTS.saturating_mul(state.gate(submission.number).releases.saturating_add(1))
}

/// The progress of a submission, regardless of decisions on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress<'c> {
    /// It waits to be built.
    Queued,
    /// It waited to be built when a later round opened, and only the first round takes new entries.
    TooLate,
    /// It does not build; the reason.
    Unbuildable(&'c str),
    /// The judge failed on its build or on a run, and no attempt is left.
    Stuck,
    /// It is built, and some of its runs are not executed yet.
    Ready { finished: usize, of: usize },
    /// All its runs are executed.
    Judged,
}

impl<'c> Progress<'c> {
    /// The progress of a submission that is not built; `None` once it is, or if it needs no build.
    pub(crate) fn of_build(submission: &Submission, state: &State, contents: &'c ContestState) -> Option<Self> {
        let name = submission.entry();
        let queued = if contents.round() > FIRST_ROUND { Self::TooLate } else { Self::Queued };
        let Some(entry) = contents.entry(&name) else { return Some(queued) };
        match contents.build_of(&name).map(|build| &build.built) {
            Some(Built::Succeeded) => None,
            Some(Built::Failed { reason }) => Some(Self::Unbuildable(reason)),
            Some(Built::JudgeError { .. }) => {
                // Each attempt records the entry again.
                let attempts = contents.versions.get(&name).map_or(0, |versions| versions.len());
                let again = attempts < allowed_attempts(state, submission) as usize;
                Some(if again { queued } else { Self::Stuck })
            }
            None => entry.build.is_some().then_some(queued),
        }
    }

    /// The progress of a submission that is built, from these runs of it.
    pub(crate) fn of_runs(
        submission: &Submission,
        state: &State,
        contents: &ContestState,
        runs: impl Iterator<Item = usize>,
    ) -> Self {
        let most = allowed_attempts(state, submission);
        let counted = |&run: &usize| contents.key_of(run).is_some_and(|key| !contents.struck.contains_key(&*key.board));
        // A submission that came back after its round has runs there that will not be executed.
        let is_possible = |&run: &usize| !is_over(contents, run) || contents.record_of(run).is_some();
        let (mut finished, mut of) = (0, 0);
        for run in runs.filter(counted).filter(is_possible) {
            let record = contents.record_of(run);
            if record.is_some_and(|record| record.is_judge_error()) && contents.attempts_of(run) >= most {
                return Self::Stuck;
            }
            of += 1;
            finished += usize::from(is_judged(record));
        }
        if finished == of { Self::Judged } else { Self::Ready { finished, of } }
    }
}

/// The withdrawal of an entry, unless it is only set aside.
pub(crate) fn withdrawn<'c>(contents: &'c ContestState, entry: &str) -> Option<&'c Withdrawal> {
    contents.withdrawn.get(entry).filter(|withdrawal| !withdrawal.aside)
}

/// Tests whether a run belongs to a round that is over, so that it will not be executed.
pub(crate) fn is_over(contents: &ContestState, run: usize) -> bool {
    contents.key_of(run).is_some_and(|key| key.round < contents.round())
}

/// Tests whether a record is a verdict on the entry.
pub(crate) fn is_judged(record: Option<&Record>) -> bool {
    record.is_some_and(|record| !record.is_judge_error())
}
