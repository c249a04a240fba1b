//! Decides which submission of each team counts for each problem. The decision is computed from the office's log and the
//! contest's journal, and is never stored. All others are set aside in the contest, so that they take no place and are not run.
//!
//! The runs of the first round decide, for every viewer. Later rounds are sealed, and only the counting submissions take part in
//! them.

use std::collections::BTreeSet;

use judge_contest::office::Counts;
use judge_core::journal::{ContestState, Record};
use judge_core::map::Map;
use judge_core::results::Results;
use judge_core::verdict::Verdict;
use judge_core::withdrawal::Withdrawal;

use crate::ends::{End, Ends, How};
use crate::judgement_type::JudgementType;
use crate::progress::{FIRST_ROUND, Progress, allowed_attempts, is_over, withdrawn};
use crate::state::{Choices, State, Submission, Team};

/// A team's submissions to a problem.
pub(crate) struct TeamSubmissions<'a> {
    pub(crate) state: &'a State,
    pub(crate) contents: &'a ContestState,
    pub(crate) team: &'a Team,
    /// The identifier of the problem.
    pub(crate) problem: &'a str,
    /// The known ends of submissions.
    pub(crate) ends: &'a Ends,
}

impl TeamSubmissions<'_> {
    /// The number of the submission that counts, among those that a view sees. `chosen` is the team's choice in this view.
    /// `entrants` is the last round whose entrants the view may know.
    pub(crate) fn counting(
        &self,
        sees: &dyn Fn(&Submission) -> bool,
        chosen: Option<u32>,
        entrants: u32,
    ) -> Option<u32> {
        if is_of_matches(self.contents) {
            return self.player(sees);
        }
        let is_candidate = |one: &&Submission| sees(one) && self.is_candidate(one);
        // A submission in a later round was chosen for it. A later ruling must not lead to a submission without runs there. A
        // view that does not see everything must not learn which submission it is.
        let is_later = |one: &&Submission| self.is_in_later_round(one, entrants);
        let sees_all = || chosen == self.chosen(&self.team.chosen) && self.submissions().all(sees);
        let only_later = self.contents.round() > FIRST_ROUND
            && sees_all()
            && self.submissions().filter(is_later).any(|one| is_candidate(&one));
        let fits = |one: &&Submission| is_candidate(one) && (!only_later || is_later(one));
        let latest = || self.latest(|| self.submissions().rev().filter(fits));
        match rule(self.state, self.contents) {
            Counts::Latest => latest(),
            Counts::FirstAccepted => self.first_accepted(self.submissions().filter(fits)).or_else(latest),
            Counts::Chosen => {
                let chosen = self.submissions().find(|one| Some(one.number) == chosen).filter(fits);
                chosen.map(|one| one.number).or_else(latest)
            }
            Counts::Best => self.best(&self.submissions().filter(fits).collect::<Vec<_>>()).or_else(latest),
        }
    }

    /// The submissions of the team to the problem, in the order of their arrival.
    fn submissions(&self) -> impl DoubleEndedIterator<Item = &Submission> {
        self.team.submissions_to(self.problem).iter().filter_map(|&number| Some(self.state.submission(number)?.1))
    }

    /// The submission that the team has chosen.
    fn chosen(&self, choices: &Choices) -> Option<u32> {
        choices.get(self.problem).copied()
    }

    /// Tests whether a submission could count: it is entered, builds, and was not removed by a decision.
    fn is_candidate(&self, submission: &Submission) -> bool {
        match self.end(submission) {
            Some(end) => matches!(end.how, How::Running { .. } | How::Judged { .. }),
            None => {
                self.state.gate(submission.number).is_open()
                    && Progress::of_build(submission, self.state, self.contents).is_none()
            }
        }
    }

    fn end(&self, submission: &Submission) -> Option<End> {
        self.ends.of(submission, self.state, self.contents)
    }

    /// The submissions that count now, in the full view and in the public view.
    pub(crate) fn counting_now(&self) -> Counting {
        let public = |one: &Submission| self.state.is_public(one.number);
        Counting {
            all: self.counting(&|_| true, self.chosen(&self.team.chosen), u32::MAX),
            public: self.counting(&public, self.chosen(&self.team.publicly_chosen), self.state.round_at_freeze()),
        }
    }

    /// In a contest of matches, the latest player among the submissions that a view sees.
    fn player(&self, sees: &dyn Fn(&Submission) -> bool) -> Option<u32> {
        self.last(&|one| sees(one) && self.state.is_called(one.number))
    }

    fn last(&self, fits: &dyn Fn(&Submission) -> bool) -> Option<u32> {
        self.submissions().rev().find(|one| fits(one) && self.is_candidate(one)).map(|one| one.number)
    }

    /// The submission of the team that plays, or will play, instead of this one; `None` if this one plays.
    fn plays_instead_of(&self, one: &Submission, counting: Counting) -> Option<u32> {
        let public = |one: &Submission| self.state.is_public(one.number);
        let next = self.last(&|_| true);
        let playing = [counting.all, counting.public, next, self.last(&public)];
        if playing.contains(&Some(one.number)) { None } else { next }
    }

    /// The submission that counts instead of a built one, if no view waits for that one.
    pub(crate) fn superseded_by(&self, one: &Submission, counting: impl FnOnce() -> Counting) -> Option<u32> {
        if is_of_matches(self.contents) {
            return self.plays_instead_of(one, counting());
        }
        let is_complete = self.is_complete(one);
        // If the best one counts or the team chooses, each submission is judged to its end. If answers are accepted or not, each
        // one may solve the problem or add a penalty.
        if !is_complete && rule(self.state, self.contents) != Counts::Latest {
            return None;
        }
        let counting = counting();
        let by = counting.all.filter(|by| *by != one.number)?;
        (is_complete || !self.is_awaited(one, counting)).then_some(by)
    }

    /// Tests whether a view waits for a submission, if the latest one counts.
    fn is_awaited(&self, one: &Submission, counting: Counting) -> bool {
        let arrival = |number| self.state.arrival(number);
        let newer = |than: Option<u32>| than.is_none_or(|than| arrival(one.number) >= arrival(than));
        // While the board is frozen, every public submission is judged to its end. The moment at which another one supersedes it
        // depends on the work for hidden submissions. Only the state at the freeze is the same for all.
        let frozen = || self.state.frozen().is_some() && !self.was_superseded_at_freeze(one);
        newer(counting.all) || (self.state.is_public(one.number) && (newer(counting.public) || frozen()))
    }

    /// Tests whether a later public submission had visibly started before the board was frozen.
    fn was_superseded_at_freeze(&self, one: &Submission) -> bool {
        let (Some(froze), _) = self.state.froze_and_thawed() else { return false };
        let before = |record: &Record| record.at.is_some_and(|at| at.unix() < froze);
        let arrival = self.state.arrival(one.number);
        let later = self.submissions().rev().take_while(|other| self.state.arrival(other.number) > arrival);
        later.filter(|other| self.state.is_public(other.number)).any(|other| {
            self.deciding(other)
                .filter_map(|run| self.contents.record_of(run))
                .any(|record| is_start(record) && before(record))
        })
    }

    /// The last submission that has visibly started. A submission that cannot be started does not replace one that can.
    /// Candidates come last first.
    fn latest<'c, I: Iterator<Item = &'c Submission>>(&self, candidates: impl Fn() -> I) -> Option<u32> {
        let starts = |wanted: Option<bool>| candidates().find(|one| self.starts(one) == wanted).map(|one| one.number);
        starts(Some(true)).or_else(|| starts(None)).or_else(|| starts(Some(false)))
    }

    fn best(&self, candidates: &[&Submission]) -> Option<u32> {
        let judged: Vec<&Submission> = candidates.iter().copied().filter(|one| self.is_complete(one)).collect();
        let names: Vec<String> = judged.iter().map(|one| one.entry()).collect();
        let alone = names.iter().map(String::as_str).collect();
        let out: Map<String, Withdrawal> = judged.iter().filter_map(|one| self.out(one)).collect();
        let results = Results::from_entries_until(self.contents, &alone, &out, FIRST_ROUND);
        let place = |name: &str| {
            let row = results.rows.iter().find(|row| row.entry.name == name);
            row.and_then(|row| row.place).unwrap_or(usize::MAX)
        };
        // Of equal ones, the earliest counts.
        let best = judged.iter().zip(&names).min_by_key(|(one, name)| (place(name), self.state.arrival(one.number)));
        best.map(|(one, _)| one.number)
    }

    fn first_accepted<'c>(&self, mut candidates: impl Iterator<Item = &'c Submission>) -> Option<u32> {
        let accepted = |one: &Submission| match self.end(one) {
            Some(End { how: How::Judged { is_accepted, .. }, is_out }) => is_accepted && !is_out,
            _ => self.is_complete(one) && self.is_accepted(one) && self.out(one).is_none(),
        };
        candidates.find(|one| accepted(one)).map(|one| one.number)
    }

    /// Tests whether every deciding run of a submission was accepted, and there is one.
    fn is_accepted(&self, submission: &Submission) -> bool {
        let mut runs = self.deciding(submission).filter(|run| !self.is_struck(*run)).peekable();
        runs.peek().is_some()
            && runs.all(|run| {
                self.contents.record_of(run).is_some_and(|record| JudgementType::of(record) == JudgementType::Accepted)
            })
    }

    /// Tests whether a submission could be started; `None` if none of its runs is judged yet.
    fn starts(&self, submission: &Submission) -> Option<bool> {
        let counted = self.deciding(submission).filter(|run| !self.is_struck(*run));
        let records = counted.filter_map(|run| self.contents.record_of(run));
        let mut judged = records.filter(|record| !record.is_judge_error()).peekable();
        judged.peek()?;
        Some(judged.any(is_start))
    }

    /// Tests whether all deciding runs of a submission are done. Runs of a round that is over will not be executed.
    pub(crate) fn is_complete(&self, submission: &Submission) -> bool {
        match self.end(submission).map(|end| end.how) {
            Some(How::Judged { .. }) => return true,
            Some(How::Running { is_complete }) => return is_complete,
            _ => {}
        }
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

    /// The entered submissions that may be in the contest. Without `known`, these are all of them. Otherwise, they are the first
    /// counting submission and all later ones, and the known ones before it. `known` has the submissions that were in the contest
    /// when it last agreed with this state of the office.
    pub(crate) fn looked_at(
        &self,
        known: Option<&BTreeSet<u32>>,
        counting: impl FnOnce() -> Counting,
    ) -> impl Iterator<Item = &Submission> {
        let numbers = self.submissions().map(|submission| submission.number);
        let looked_at: Vec<u32> = match known {
            None => numbers.collect(),
            Some(known) => {
                let Counting { all, public } = counting();
                let first = [all, public].into_iter().flatten().map(|number| self.state.arrival(number)).min();
                let is_before = |number: &u32| first.is_none_or(|first| self.state.arrival(*number) < first);
                let later = numbers.rev().take_while(|number| !is_before(number));
                known.iter().copied().filter(is_before).chain(later).collect()
            }
        };
        let looked_at = looked_at.into_iter().filter_map(|number| Some(self.state.submission(number)?.1));
        looked_at.filter(|one| self.contents.entry(&one.entry()).is_some())
    }

    /// The reason why a submission is out of the contest whatever counts, with the name of its entry.
    fn out(&self, submission: &Submission) -> Option<(String, Withdrawal)> {
        out(self.state, self.contents, submission).map(|out| (submission.entry(), out))
    }
}

/// Tests whether the submissions of a contest are players that play each other.
pub fn is_of_matches(contents: &ContestState) -> bool {
    contents.plan.match_rules.is_some()
}

/// The submissions of a team that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counting {
    /// In the full view.
    pub(crate) all: Option<u32>,
    /// In the public view.
    pub(crate) public: Option<u32>,
}

/// Tests whether a record shows that the entry can be started.
fn is_start(record: &Record) -> bool {
    !record.is_judge_error() && !matches!(record.verdict, Verdict::CouldNotStart { .. })
}

/// The rule for the submission of a team that counts. If answers are accepted or not, it is the first accepted one, even if an
/// older log has another rule.
pub fn rule(state: &State, contents: &ContestState) -> Counts {
    if is_pass_fail(contents) { Counts::FirstAccepted } else { state.rules().counts }
}

/// Tests whether a contest counts only accepted answers: a submission is accepted on all boards, or rejected.
pub fn is_pass_fail(contents: &ContestState) -> bool {
    contents.plan.figures().accepts()
}

/// The reason why the organiser has removed a submission from the contest: its team is out, or only its entry.
pub(crate) fn out(state: &State, contents: &ContestState, submission: &Submission) -> Option<Withdrawal> {
    let of_team = state.out(&submission.team).map(Withdrawal::disqualified);
    of_team.or_else(|| withdrawn(contents, &submission.entry()).cloned())
}
