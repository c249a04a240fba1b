//! Whether the judgement of a submission is over, and why. The board counts by it what is pending, and the Contest API shows it.

use std::collections::HashMap;

use judge_core::journal::{Build, Built, Contents};
use judge_core::plan::Entry;
use judge_core::withdrawal::Cause;

use crate::counting::{is_judged, is_over, runs};
use crate::judging::last_builds;
use crate::reasons::cause;
use crate::state::{State, Submission};

/// The end of the judgement of a submission that does not wait to be built.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It goes on, or the organiser has to look at it.
    Pending,
    /// The submission does not count, whatever was found out.
    Cancelled,
    /// It can never run.
    Unbuilt,
    /// All its runs are judged.
    Complete,
    /// Another submission counts, so that it was not judged to its end; the entry of that one.
    Superseded(String),
}

/// The ends of the judgements of one state.
pub(super) struct Ends<'a> {
    state: &'a State,
    contents: &'a Contents,
    entries: HashMap<&'a str, &'a Entry>,
    pub(super) builds: HashMap<&'a str, &'a Build>,
}

impl<'a> Ends<'a> {
    pub(super) fn new(state: &'a State, contents: &'a Contents) -> Self {
        Self { state, contents, entries: contents.plan.entries_by_name(), builds: last_builds(contents) }
    }

    /// The end of a submission, whose runs on the boards of the first round are asked for only if they decide.
    pub(super) fn of(&self, submission: &Submission, is_complete: impl FnOnce() -> bool) -> End {
        let (entry, standing) = (submission.entry(), self.state.standing(submission.number));
        if standing.cancelled || standing.ignored.is_some() || self.is_late(submission) {
            return End::Cancelled;
        }
        if standing.held.is_some() {
            // Whatever was found out before: the organiser has to look at it.
            return End::Pending;
        }
        if self.is_unbuilt(&entry) {
            return End::Unbuilt;
        }
        if is_complete() {
            return End::Complete;
        }
        match self.contents.withdrawn.get(&entry).map(cause) {
            None | Some(Some(Cause::BuildErrors | Cause::Held)) => End::Pending,
            Some(Some(Cause::Superseded { by })) => End::Superseded(by),
            Some(_) => End::Cancelled,
        }
    }

    /// Tests whether no run of a submission in the first round is to be waited for. `runs` are all of them.
    pub(super) fn is_complete(&self, entry: &str, runs: impl IntoIterator<Item = usize>) -> bool {
        let is_in = !self.contents.withdrawn.contains_key(entry);
        // What comes back into the contest after the round gets no run there any more.
        let is_made =
            |run: usize| is_judged(self.contents.records.by_run(run)) || (is_in && is_over(self.contents, run));
        let mut runs = runs.into_iter().peekable();
        (is_in || runs.peek().is_some()) && runs.all(is_made)
    }

    /// Tests whether the judgement of a submission is pending. Only of one in the contest, or held, the runs are looked at: a look
    /// at all runs of a large contest takes long.
    pub(super) fn is_pending(&self, submission: &Submission) -> bool {
        let entry = submission.entry();
        let withdrawal = self.contents.withdrawn.get(&entry).map(cause);
        let may_go_on = matches!(withdrawal, None | Some(Some(Cause::BuildErrors | Cause::Held)));
        let of_first = |run: &usize| {
            let key = self.contents.order.get(*run);
            key.is_some_and(|key| (key.round, key.repeat) == (1, 1) && !self.contents.struck.contains_key(&*key.board))
        };
        let is_complete = || may_go_on && self.is_complete(&entry, runs(self.contents, &entry).filter(of_first));
        self.of(submission, is_complete) == End::Pending
    }

    /// Tests whether an entry can never run: its build failed, or its files are no program.
    fn is_unbuilt(&self, entry: &str) -> bool {
        let failed = self.builds.get(entry).is_some_and(|build| matches!(build.built, Built::Failed { .. }));
        let withdrawal = self.contents.withdrawn.get(entry);
        // What could not be unpacked has no folder.
        let unpacked = self.entries.get(entry).is_some_and(|entry| entry.folder.is_some());
        failed || withdrawal.and_then(cause) == Some(Cause::DoesNotBuild) || (withdrawal.is_some() && !unpacked)
    }

    /// Tests whether a submission came after the end and is not judged.
    pub(super) fn is_late(&self, submission: &Submission) -> bool {
        submission.late && !self.state.standing(submission.number).admitted
    }
}
