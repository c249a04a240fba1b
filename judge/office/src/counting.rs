//! Decides which submission of each team counts. This is computed from the office's log and the contest's journal, and never
//! stored: withdrawing the others only makes other commands show the same places.
//!
//! The runs of the first round decide, for every viewer: later rounds are sealed, and only the submissions that count take
//! part in them.

use std::collections::BTreeSet;

use judge_contest::office::Counts;
use judge_core::journal::{Contents, Record};
use judge_core::map::Map;
use judge_core::results::Results;
use judge_core::verdict::Verdict;
use judge_core::withdrawal::{Cause, Withdrawal};

use crate::judging::allowed_attempts;
use crate::outcome::Outcome;
use crate::reasons::{is_unbuilt, of_log};
use crate::state::{State, Submission, Team};

/// A team's submissions as one view sees them.
pub(crate) struct OfTeam<'a> {
    pub(crate) state: &'a State,
    pub(crate) contents: &'a Contents,
    pub(crate) team: &'a Team,
}

impl OfTeam<'_> {
    /// The number of the submission that counts among those that this view sees. `chosen` is the team's choice in this view,
    /// and `entrants` is the last round whose entrants the view may know.
    pub(crate) fn counting(
        &self,
        sees: &dyn Fn(&Submission) -> bool,
        chosen: Option<u32>,
        entrants: u32,
    ) -> Option<u32> {
        let rule = rule(self.state, self.contents);
        if rule == Counts::Latest && self.contents.round() == FIRST_ROUND {
            return self.latest(|| self.submissions().rev().filter(|one| sees(one) && self.is_candidate(one)));
        }
        let mut candidates: Vec<&Submission> =
            self.submissions().filter(|one| sees(one) && self.is_candidate(one)).collect();
        // One that is in a later round has been chosen: another ruling must not lead to one that has no runs there. A view from
        // which something is hidden does not get to know which one it is.
        let sees_all = || candidates.len() > 1 && chosen == self.team.chosen && self.all_are_seen(sees);
        if sees_all() && candidates.iter().any(|one| self.is_in_later_round(one, entrants)) {
            candidates.retain(|one| self.is_in_later_round(one, entrants));
        }
        let latest = || self.latest(|| candidates.iter().rev().copied());
        match rule {
            Counts::Latest => latest(),
            Counts::FirstAccepted => self.first_accepted(&candidates).or_else(latest),
            Counts::Chosen => {
                chosen.filter(|chosen| candidates.iter().any(|one| one.number == *chosen)).or_else(latest)
            }
            Counts::Best => self.best(&candidates).or_else(latest),
        }
    }

    fn all_are_seen(&self, sees: &dyn Fn(&Submission) -> bool) -> bool {
        self.submissions().all(sees)
    }

    /// The submissions of the team in the order in which they arrived.
    fn submissions(&self) -> impl DoubleEndedIterator<Item = &Submission> {
        self.team.submissions.iter().filter_map(|&number| Some(self.state.submission(number)?.1))
    }

    /// Tests whether a submission could count: it is entered, builds, and was not taken out by a person.
    pub(crate) fn is_candidate(&self, submission: &Submission) -> bool {
        let entry = submission.entry();
        self.state.is_to_be_judged(submission)
            && self.contents.entry(&entry).is_some()
            && !self.contents.withdrawn.get(&entry).is_some_and(is_unbuilt)
    }

    /// The last one that was seen to start; one that cannot be started does not replace one that can. Candidates come last first.
    fn latest<'c, I: Iterator<Item = &'c Submission>>(&self, candidates: impl Fn() -> I) -> Option<u32> {
        let starts = |wanted: Option<bool>| candidates().find(|one| self.starts(one) == wanted).map(|one| one.number);
        starts(Some(true)).or_else(|| starts(None)).or_else(|| starts(Some(false)))
    }

    fn best(&self, candidates: &[&Submission]) -> Option<u32> {
        let judged: Vec<&Submission> = candidates.iter().copied().filter(|one| self.is_complete(one)).collect();
        let names: Vec<String> = judged.iter().map(|one| one.entry()).collect();
        let alone = names.iter().map(String::as_str).collect();
        let out: Map<String, Withdrawal> = names.iter().filter_map(|name| out(self.contents, name)).collect();
        let results = Results::from_entries_until(self.contents, &alone, &out, FIRST_ROUND);
        let place = |name: &str| {
            let row = results.rows.iter().find(|row| row.entry.name == name);
            row.and_then(|row| row.place).unwrap_or(usize::MAX)
        };
        // Of equal ones, the first that arrived.
        let best = judged.iter().zip(&names).min_by_key(|(one, name)| (place(name), self.state.arrival(one.number)));
        best.map(|(one, _)| one.number)
    }

    fn first_accepted(&self, candidates: &[&Submission]) -> Option<u32> {
        let is_out = |one: &Submission| out(self.contents, &one.entry()).is_some();
        let accepted = |one: &Submission| self.is_complete(one) && self.is_accepted(one) && !is_out(one);
        candidates.iter().find(|one| accepted(one)).map(|one| one.number)
    }

    /// Tests whether every deciding run of a submission was accepted.
    fn is_accepted(&self, submission: &Submission) -> bool {
        let mut runs = self.deciding(submission).filter(|run| !self.is_struck(*run));
        runs.all(|run| self.contents.record_of(run).is_some_and(|record| Outcome::of(record) == Outcome::Accepted))
    }

    /// Tests whether a submission could be started: `None` if no run of it is judged yet.
    fn starts(&self, submission: &Submission) -> Option<bool> {
        let mut judged = self
            .deciding(submission)
            .filter_map(|run| self.contents.record_of(run))
            .filter(|record| !record.is_judge_error())
            .peekable();
        judged.peek()?;
        Some(judged.any(|record| !matches!(record.verdict, Verdict::CouldNotStart { .. })))
    }

    /// Tests whether no deciding run of a submission is still to be executed. Runs of a round that is over are not executed any
    /// more.
    pub(crate) fn is_complete(&self, submission: &Submission) -> bool {
        let most = allowed_attempts(self.state, submission);
        let over = |run: usize| match self.contents.record_of(run) {
            Some(record) if record.is_judge_error() => self.contents.attempts_of(run) >= most,
            record => record.is_some(),
        };
        self.deciding(submission).all(|run| self.is_struck(run) || over(run) || is_over(self.contents, run))
    }

    /// The runs of a submission that decide whether it counts.
    fn deciding(&self, submission: &Submission) -> impl Iterator<Item = usize> {
        let in_first = |&run: &usize| self.contents.key_of(run).is_some_and(|key| key.round == FIRST_ROUND);
        self.contents.runs_of(&submission.entry()).filter(in_first)
    }

    /// Tests whether a submission is in one of the later rounds up to this one.
    fn is_in_later_round(&self, submission: &Submission, last: u32) -> bool {
        let is_later =
            |run: usize| self.contents.key_of(run).is_some_and(|key| key.round > FIRST_ROUND && key.round <= last);
        self.contents.round() > FIRST_ROUND && self.contents.runs_of(&submission.entry()).any(is_later)
    }

    fn is_struck(&self, run: usize) -> bool {
        self.contents.key_of(run).is_some_and(|key| self.contents.struck.contains_key(&*key.board))
    }

    /// What should have become of each entry of the team: `None` if it is in the contest, else why it is not. With the numbers of those
    /// that were `open` when everything agreed with this state of the office, only what may have changed since then.
    pub(crate) fn settled(&self, open: Option<&BTreeSet<u32>>) -> Vec<(&Submission, Option<Cause>)> {
        let (all, public) = (
            self.counting(&|_| true, self.team.chosen, u32::MAX),
            self.counting(
                &|one| self.state.is_public(one.number),
                self.team.publicly_chosen,
                self.state.round_at_freeze(),
            ),
        );
        let counts = all.and_then(|number| self.state.submission(number)).map(|(_, one)| one);
        let by = counts.map(Submission::entry);
        // What neither view counts or waits for stays out, unless the office decides otherwise.
        let first = [all, public].into_iter().flatten().map(|number| self.state.arrival(number)).min();
        let numbers = &self.team.submissions;
        let is_before = |number: &u32| first.is_none_or(|first| self.state.arrival(*number) < first);
        let (before, later) = numbers.split_at(numbers.partition_point(is_before));
        let before: Vec<u32> = match open {
            None => before.to_vec(),
            Some(open) => open.iter().copied().filter(is_before).collect(),
        };
        let looked_at = before.iter().chain(later).filter_map(|&number| Some(self.state.submission(number)?.1));
        let entered = looked_at.filter(|one| self.contents.entry(&one.entry()).is_some());
        let own = |one: &Submission| {
            let standing = self.state.standing(one.number);
            if let Some(because) = &standing.ignored {
                return Some(Cause::Ignored { because: because.clone() });
            }
            if standing.cancelled {
                return Some(Cause::Cancelled);
            }
            if standing.held.is_some() {
                return Some(Cause::Held);
            }
            let by = by.as_ref().filter(|by| **by != one.entry())?;
            let arrival = |number| self.state.arrival(number);
            let newer = |than: Option<u32>| than.is_none_or(|than| arrival(one.number) >= arrival(than));
            let is_public = self.state.is_public(one.number);
            // While the board is frozen, every public submission is judged to its end: how far one comes before another
            // supersedes it depends on the work that hidden ones make.
            let frozen = self.state.frozen().is_some() && !self.contents.withdrawn.contains_key(&one.entry());
            // What a view waits for is judged to its end, whatever another view shows; in a final round, nothing is.
            let awaited = match rule(self.state, self.contents) {
                Counts::Latest => newer(all) || (is_public && (frozen || newer(public))),
                // Where answers are accepted or not, each one may solve the problem or cost time.
                Counts::Best | Counts::Chosen | Counts::FirstAccepted => true,
            };
            (!awaited || self.is_complete(one)).then(|| Cause::Superseded { by: by.clone() })
        };
        entered.map(|one| (one, own(one))).collect()
    }
}

/// The round whose runs decide which submission counts.
const FIRST_ROUND: u32 = 1;

/// The rule for the submission of a team that counts. If answers are accepted or not, it is the first accepted one, even if an
/// older log has another rule.
pub fn rule(state: &State, contents: &Contents) -> Counts {
    if is_pass_fail(contents) { Counts::FirstAccepted } else { state.rules().counts }
}

/// Tests whether a contest counts only accepted answers: a submission is accepted on all boards, or rejected.
pub fn is_pass_fail(contents: &Contents) -> bool {
    contents.plan.figures().accepts()
}

/// Tests whether a run is of a round that is over: it is not made any more.
pub(crate) fn is_over(contents: &Contents, run: usize) -> bool {
    contents.key_of(run).is_some_and(|key| key.round < contents.round())
}

/// Tests whether a record is a verdict on the entry.
pub(crate) fn is_judged(record: Option<&Record>) -> bool {
    record.is_some_and(|record| !record.is_judge_error())
}

/// The reason why the organiser has taken an entry out of the contest, with its name.
pub(crate) fn out(contents: &Contents, entry: &str) -> Option<(String, Withdrawal)> {
    let withdrawal = contents.withdrawn.get(entry)?;
    of_log(withdrawal).is_none().then(|| (entry.to_owned(), withdrawal.clone()))
}
