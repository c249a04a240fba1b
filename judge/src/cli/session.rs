//! A contest that is run, resumed or updated.

mod execution;
mod live_files;
mod outlook;
mod recorded;

use std::path::Path;

use super::directory::can_be_guessed;
use super::host::command_failure;
use super::message::Message;
use super::rejudge::{TALKS_AGAIN, is_interactive};
use super::{Failure, say};
use judge_contest::Contest;
use judge_contest::session::{Needed, Options};
use judge_core::changes::ChangeError;
use judge_report::with_hint_for;
use judge_sandbox::LocalExecutor;

pub(super) use execution::ExecutionOptions;
pub(super) use outlook::{fall, opens, sealed_round};
pub(super) use recorded::RecordedContest;

/// A contest ready to run: new, or with some of its runs executed.
pub(super) struct Session<'a> {
    pub(super) open: judge_contest::session::Session,
    pub(super) executor: LocalExecutor<'a>,
}

impl Session<'_> {
    /// Opens the next round if it can begin, and reports that.
    pub(super) fn open_next_round(&self) -> Result<bool, Failure> {
        let before = self.open.open_contest.contents().round();
        let round = self.open.open_contest.open_next_round().map_err(|error| command_failure(&error))?;
        round.iter().for_each(|round| say(&opens(round, before)));
        Ok(round.is_some())
    }

    /// Opens again the first round whose games no longer follow from the results, and reports that.
    pub(super) fn follow_results(&self) -> Result<(), Failure> {
        let before = self.open.open_contest.contents();
        if let Some(round) = self.open.open_contest.follow_results().map_err(|error| command_failure(&error))? {
            say(&opens(&round, before.round()));
            fall(&before, &self.open.open_contest.contents()).iter().for_each(|line| say(line));
        }
        Ok(())
    }
}

/// The options to prepare a contest whose results are kept.
pub(super) fn preparation(results: &Path, needed: Needed, checks_boards: bool) -> Options {
    Options { needed, keeps_logs: true, keeps_programs: true, checks_boards, can_be_guessed: can_be_guessed(results) }
}

pub(super) fn cannot(contest: &Contest, reason: impl Message) -> Failure {
    Failure::input(format!("{}: {}", contest.path.display(), reason.message()))
}

/// The failure for a change of the contest that these results cannot adopt, with the remedy.
pub(super) fn cannot_change(contest: &Contest, results: &Path, error: &ChangeError) -> Failure {
    if matches!(error, ChangeError::OtherReferee) && is_interactive(contest) {
        return cannot(contest, format!("{error}; {TALKS_AGAIN}"));
    }
    cannot(contest, with_hint_for(error, error.hint().as_ref(), Some(results)))
}
