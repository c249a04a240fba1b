//! The state of a submission, as lists, pages, boards, quotas and the Contest API show it. One function derives it from the
//! office's log and the contest's journal; no part of it is stored.
//!
//! [`Gate`](crate::state::Gate) has the decisions on a submission, and `Progress` has the progress of its judging. A decision
//! hides the progress as long as it applies.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use judge_contest::office::SealedFeedback;
use judge_core::journal::ContestState;
use judge_core::key::Name;
use judge_core::withdrawal::Withdrawal;

use crate::counting::{Counting, TeamSubmissions, is_of_matches};
use crate::ends::{End, Ends};
use crate::line::number_of;
use crate::progress::{Progress, withdrawn};
use crate::state::{State, Submission, Team};
use crate::viewer::{Viewer, last_round};

/// The state of a submission. If several states would apply, the first of this list does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubmissionState {
    /// Its team cancelled it.
    Cancelled,
    /// The organiser has decided that it does not count; the reason, which may be empty.
    Ignored(String),
    /// Its team is disqualified, or the organiser has removed it from the contest; the reason.
    Out(String),
    /// It arrived late and is not judged.
    Late,
    /// It could be judged only after the final rounds had begun, such as after a release, and is not judged.
    TooLate,
    /// The organiser holds it for later; the reason, which may be empty.
    Held(String),
    /// Another submission counts for its team, and no view waits for this one.
    Superseded {
        /// Name of the entry that counts.
        by: String,
    },
    /// The judge failed on it too often; the organiser has to act.
    Stuck,
    /// It does not build; the reason.
    Unbuildable(String),
    /// It waits to be built.
    Queued,
    /// Its runs are being executed.
    Running {
        /// The number of its executed runs.
        finished: usize,
        /// The number of its runs on the open boards.
        of: usize,
    },
    /// A player that is built, and waits for the next games.
    Waits,
    /// All its runs are executed, and it counts for its team.
    Counts,
}

impl SubmissionState {
    /// Tests whether its judgement has not ended: it waits, runs, or needs an action of the organiser.
    pub(crate) fn is_pending(&self) -> bool {
        self.is_unfinished() || matches!(self, Self::Held(_))
    }

    /// Tests whether it is still to be judged: it waits, runs, or the judge failed on it too often.
    pub fn is_unfinished(&self) -> bool {
        self.is_active() || matches!(self, Self::Stuck | Self::Waits)
    }

    /// Tests whether it changes without an action: it waits or runs.
    pub fn is_active(&self) -> bool {
        matches!(self, Self::Queued | Self::Running { .. })
    }
}

/// The runs of a submission that a [`SubmissionStates`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedRuns {
    /// All runs of the rounds up to this one.
    Until(u32),
    /// The first repeats of the first round.
    First,
}

/// The submissions at one moment, for one viewer.
#[derive(Debug)]
pub struct SubmissionStates<'a> {
    state: &'a State,
    contents: Option<&'a ContestState>,
    runs: CountedRuns,
    ends: Ends,
    /// The counting submissions, for the teams and problems that were requested.
    counting: RefCell<HashMap<(Name, String), Counting>>,
}

impl<'a> SubmissionStates<'a> {
    /// The states for a viewer. Without `contents`, nothing of the contest has been judged.
    pub fn new(viewer: &Viewer, state: &'a State, contents: impl Into<Option<&'a ContestState>>) -> Self {
        let contents = contents.into();
        let last = contents.map_or(u32::MAX, |contents| known_round(viewer, state, contents));
        Self { state, contents, runs: CountedRuns::Until(last), ends: Ends::default(), counting: RefCell::default() }
    }

    /// The states by the first repeats of the first round, which everyone may see.
    pub(crate) fn of_first_round(state: &'a State, contents: &'a ContestState) -> Self {
        let runs = CountedRuns::First;
        Self { state, contents: Some(contents), runs, ends: Ends::default(), counting: RefCell::default() }
    }

    /// Uses these known ends of submissions.
    #[must_use]
    pub fn with_ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// The end of a submission, if it is known.
    pub(crate) fn end(&self, submission: &Submission) -> Option<End> {
        let contents = self.contents.filter(|contents| self.runs == CountedRuns::First || contents.round() == 1)?;
        self.ends.of(submission, self.state, contents)
    }

    /// The state of each submission, with its time of arrival, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u64, &'a Submission, SubmissionState)> {
        self.state.submissions().iter().map(|(at, submission)| (*at, submission, self.of(submission)))
    }

    /// The state of a submission.
    pub fn of(&self, submission: &'a Submission) -> SubmissionState {
        let end = self.end(submission);
        let is_judged = end.is_some_and(|end| end.is_built() && !end.is_running());
        let built = self.contents.filter(|_| end.is_some_and(End::is_built));
        let contents = match built.map_or_else(|| self.before_runs(submission), Err) {
            Ok(shown) => return shown,
            Err(contents) => contents,
        };
        match self.superseded_by(submission, contents) {
            Some(by) => SubmissionState::Superseded { by },
            None if is_judged => SubmissionState::Counts,
            None if Self::waits(submission, contents) => SubmissionState::Waits,
            None => match self.progress(submission, contents) {
                Progress::Stuck => SubmissionState::Stuck,
                Progress::Ready { finished, of } => SubmissionState::Running { finished, of },
                Progress::Queued | Progress::TooLate | Progress::Unbuildable(_) | Progress::Judged => {
                    SubmissionState::Counts
                }
            },
        }
    }

    /// Tests whether the judgement of a submission has not ended, like [`Self::of`]. If all its runs are executed, other
    /// submissions need not be examined.
    pub(crate) fn is_pending(&self, submission: &'a Submission) -> bool {
        if let Some(end) = self.end(submission) {
            return end.is_running() && !self.is_superseded(submission);
        }
        match self.before_runs(submission) {
            Ok(shown) => shown.is_pending(),
            Err(contents) if is_of_matches(contents) => self.of(submission).is_pending(),
            Err(contents) => self.progress(submission, contents) != Progress::Judged && !self.is_superseded(submission),
        }
    }

    /// Tests whether a submission does not build, and no decision applies to it.
    pub(crate) fn is_unbuildable(&self, submission: &Submission) -> bool {
        match self.end(submission) {
            Some(end) => end.is_unbuildable(),
            None => matches!(self.before_runs(submission), Ok(SubmissionState::Unbuildable(_))),
        }
    }

    /// The reason why a submission is set aside, so that it takes no place and is not run; `None` if it is in the contest.
    pub(crate) fn set_aside_reason(&self, submission: &'a Submission) -> Option<Withdrawal> {
        let is_built = || {
            let contents = self.contents?;
            Progress::of_build(submission, self.state, contents).is_none().then_some(())
        };
        let reason = match self.of(submission) {
            SubmissionState::Running { .. } | SubmissionState::Counts => return None,
            // Its other runs may still be executed.
            SubmissionState::Stuck => return is_built().is_none().then(|| Withdrawal::new(BUILD_ERRORS)),
            SubmissionState::Out(because) => return Some(Withdrawal::disqualified(because)),
            SubmissionState::Cancelled => "cancelled by its team".to_owned(),
            // The results may be published, but the reason is private to the team.
            SubmissionState::Ignored(_) => "ignored by the organiser".to_owned(),
            SubmissionState::Late | SubmissionState::TooLate => "late".to_owned(),
            SubmissionState::Held(_) => "held by the organiser".to_owned(),
            SubmissionState::Superseded { by } => format!("superseded by {by}"),
            SubmissionState::Unbuildable(_) => "does not build".to_owned(),
            SubmissionState::Queued => "waits to be built".to_owned(),
            SubmissionState::Waits => "waits for the next games".to_owned(),
        };
        Some(Withdrawal::new(reason))
    }

    /// The state of a submission, if it does not depend on its runs. Otherwise, the error is the contest.
    fn before_runs(&self, submission: &Submission) -> Result<SubmissionState, &'a ContestState> {
        let gate = self.state.gate(submission.number);
        if gate.cancelled {
            return Ok(SubmissionState::Cancelled);
        }
        if let Some(because) = &gate.ignored {
            return Ok(SubmissionState::Ignored(because.clone()));
        }
        let of_team = self.state.out(&submission.team);
        let withdrawn = || Some(&*withdrawn(self.contents?, &submission.entry())?.reason);
        if let Some(because) = of_team.or_else(withdrawn) {
            return Ok(SubmissionState::Out(because.to_owned()));
        }
        if gate.late && !gate.admitted {
            return Ok(SubmissionState::Late);
        }
        if let Some(because) = &gate.held {
            return Ok(SubmissionState::Held(because.clone()));
        }
        let Some(contents) = self.contents else { return Ok(SubmissionState::Queued) };
        match Progress::of_build(submission, self.state, contents) {
            None | Some(Progress::Ready { .. } | Progress::Judged) => Err(contents),
            Some(Progress::Queued) => Ok(SubmissionState::Queued),
            Some(Progress::TooLate) => Ok(SubmissionState::TooLate),
            Some(Progress::Stuck) => Ok(SubmissionState::Stuck),
            Some(Progress::Unbuildable(reason)) => Ok(SubmissionState::Unbuildable(reason.to_owned())),
        }
    }

    /// Tests whether a player that is not superseded does not play yet.
    fn waits(submission: &Submission, contents: &ContestState) -> bool {
        let entry = submission.entry();
        is_of_matches(contents) && !contents.players.iter().flatten().any(|player| **player == *entry)
    }

    /// Tests whether a run counts for the progress of a submission. In the public view, games with hidden players do not count.
    fn is_awaited(&self, run: usize, submission: &Submission, contents: &ContestState) -> bool {
        let Some(key) = contents.key_of(run).filter(|key| key.against.is_some()) else { return true };
        let is_known = |seat: &Name| {
            let number = number_of(seat).filter(|number| self.state.submission(*number).is_some());
            number.is_none_or(|number| number == submission.number || self.state.is_public(number))
        };
        // Its own entry is excluded, because it is set aside until it plays.
        let mut others = key.seats().filter(|seat| ***seat != *submission.entry());
        contents.rank_of(run).is_some()
            && !contents.struck.contains_key(&*key.board)
            && !others.any(|seat| contents.withdrawn.contains_key(&**seat))
            && (self.runs != CountedRuns::First || key.seats().all(is_known))
    }

    fn progress(&self, submission: &Submission, contents: &'a ContestState) -> Progress<'a> {
        let is_seen = |&run: &usize| {
            contents.key_of(run).is_some_and(|key| match self.runs {
                CountedRuns::Until(last) => key.round <= last,
                CountedRuns::First => (key.round, key.repeat) == (1, 1),
            })
        };
        let runs = contents.runs_of(&submission.entry()).filter(is_seen);
        let runs = runs.filter(|&run| self.is_awaited(run, submission, contents));
        Progress::of_runs(submission, self.state, contents, runs)
    }

    /// The entry that counts for the team instead of a built submission, if no view waits for that submission.
    fn superseded_by(&self, submission: &Submission, contents: &'a ContestState) -> Option<String> {
        let by = self.number_instead_of(submission, contents)?;
        Some(self.state.submission(by)?.1.entry())
    }

    /// Tests whether another submission counts for the team instead of a built one, and no view waits for that one.
    pub(crate) fn is_superseded(&self, submission: &Submission) -> bool {
        self.contents.is_some_and(|contents| self.number_instead_of(submission, contents).is_some())
    }

    fn number_instead_of(&self, submission: &Submission, contents: &'a ContestState) -> Option<u32> {
        let (name, team) = self.state.teams().get_key_value(&*submission.team)?;
        let problem = &*submission.problem;
        let of_team = TeamSubmissions { state: self.state, contents, team, problem, ends: &self.ends };
        of_team.superseded_by(submission, || self.counting_of(name, team, problem))
    }

    /// The counting submissions of a team for a problem.
    pub(crate) fn counting_of(&self, name: &Name, team: &Team, problem: &str) -> Counting {
        let Some(contents) = self.contents else { return Counting::default() };
        let (state, ends) = (self.state, &self.ends);
        let counting = || TeamSubmissions { state, contents, team, problem, ends }.counting_now();
        *self.counting.borrow_mut().entry((name.clone(), problem.to_owned())).or_insert_with(counting)
    }
}

const BUILD_ERRORS: &str = "held after judge errors of its build";

/// The last round in which a viewer may see whether a submission takes part, and how its runs ended. If teams see nothing of
/// sealed boards, they see neither the number of their runs there, nor which submissions have runs. This also applies to a round
/// that opens while the board is frozen, because its entrants depend on hidden results.
pub fn known_round(viewer: &Viewer, state: &State, contents: &ContestState) -> u32 {
    match (viewer, state.rules().sealed) {
        (Viewer::Organiser, _) => u32::MAX,
        (_, SealedFeedback::Nothing) => last_round(state, contents, viewer),
        (_, SealedFeedback::Code) => state.round_at_freeze(),
    }
}

impl fmt::Display for SubmissionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Queued => f.write_str("queued"),
            Self::Unbuildable(_) => f.write_str("does not build"),
            Self::Running { finished, of } => write!(f, "running, {finished} of {of}"),
            Self::Waits => f.write_str("waits for the next games"),
            Self::Counts => f.write_str("counts"),
            Self::Superseded { by } => write!(f, "superseded by {by}"),
            Self::Stuck => f.write_str("held: judge errors"),
            Self::Late => f.write_str("late"),
            Self::TooLate => f.write_str("not judged: the final rounds had begun"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Held(because) if because.is_empty() => f.write_str("held"),
            Self::Held(because) => write!(f, "held: {because}"),
            Self::Ignored(because) if because.is_empty() => f.write_str("ignored"),
            Self::Ignored(because) => write!(f, "ignored: {because}"),
            Self::Out(reason) => write!(f, "out: {reason}"),
        }
    }
}
