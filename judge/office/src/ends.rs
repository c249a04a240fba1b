//! How the judgements of submissions have ended. That is computed from the log, and remembered until something happens to the
//! submission: boards and queues that show all submissions need not examine all runs.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use judge_core::chunks::Chunks;
use judge_core::journal::ContestState;

use crate::judgement_type::JudgementType;
use crate::line::number_of;
use crate::progress::{FIRST_ROUND, Progress, allowed_attempts, withdrawn};
use crate::state::{State, Submission};

/// How the judgement of a submission has ended, or that it runs, for every viewer who may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) how: How,
    /// True if its team is disqualified, or the organiser has removed it from the contest.
    pub(crate) is_out: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// It is cancelled or ignored, or arrived late and is not admitted.
    Decided,
    /// It does not build.
    Unbuildable,
    /// It is built, and runs of the first round have no verdict.
    Running {
        /// True if they have had all attempts.
        is_complete: bool,
    },
    /// All its runs of the first round have a verdict.
    Judged {
        /// The outcome of the first repeats, if answers are accepted or not.
        outcome: JudgementType,
        /// True if all repeats were accepted.
        is_accepted: bool,
    },
}

impl End {
    /// The end of a submission, regardless of other submissions; `None` while it is queued, held or stuck.
    fn of(submission: &Submission, state: &State, contents: &ContestState) -> Option<Self> {
        let (gate, entry) = (state.gate(submission.number), submission.entry());
        let is_out = state.out(&submission.team).is_some() || withdrawn(contents, &entry).is_some();
        let end = |how| Some(Self { how, is_out });
        if gate.cancelled || gate.ignored.is_some() || (gate.late && !gate.admitted) {
            return end(How::Decided);
        }
        if gate.held.is_some() {
            return None;
        }
        match Progress::of_build(submission, state, contents) {
            Some(Progress::Unbuildable(_)) => return end(How::Unbuildable),
            Some(_) => return None,
            None => {}
        }
        let most = allowed_attempts(state, submission);
        let (mut outcome, mut is_accepted, mut is_complete, mut is_running) = (None, true, true, false);
        for run in contents.runs_of(&entry) {
            let key = contents.key_of(run)?;
            if key.round > FIRST_ROUND || contents.struck.contains_key(&*key.board) {
                continue;
            }
            let Some(record) = contents.record_of(run).filter(|record| !record.is_judge_error()) else {
                is_complete &= contents.record_of(run).is_some() && contents.attempts_of(run) >= most;
                is_accepted = false;
                is_running |= key.repeat == 1;
                continue;
            };
            let of_run = JudgementType::of(record);
            is_accepted &= of_run == JudgementType::Accepted;
            if key.repeat == 1 {
                let before = outcome.filter(|before| *before != JudgementType::Accepted);
                outcome = Some(before.unwrap_or(of_run));
            }
        }
        match outcome {
            // Runs of a round that is over may be missing.
            _ if is_running => {
                (contents.round() == FIRST_ROUND).then_some(Self { how: How::Running { is_complete }, is_out })
            }
            Some(outcome) if is_complete => end(How::Judged { outcome, is_accepted }),
            _ => None,
        }
    }

    /// Tests whether it does not build, and no decision applies to it.
    pub(crate) fn is_unbuildable(self) -> bool {
        self.how == How::Unbuildable && !self.is_out
    }

    /// Tests whether it is built, and no decision applies to it.
    pub(crate) fn is_built(self) -> bool {
        matches!(self.how, How::Running { .. } | How::Judged { .. }) && !self.is_out
    }

    /// Tests whether its judgement continues, unless another submission counts.
    pub(crate) fn is_running(self) -> bool {
        matches!(self.how, How::Running { .. }) && !self.is_out
    }

    /// The end in the terms of the Contest API, if answers are accepted or not; `None` if another submission may count.
    pub(crate) fn outcome(self) -> Option<JudgementType> {
        match self.how {
            _ if self.is_out => Some(JudgementType::Cancelled),
            How::Judged { outcome, .. } => Some(outcome),
            How::Unbuildable => Some(JudgementType::Compile),
            How::Decided => Some(JudgementType::Cancelled),
            How::Running { .. } => None,
        }
    }
}

/// The ends at one moment.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    /// The end of each submission, by number. It is computed when somebody asks for it first.
    of_submissions: Chunks<OnceLock<Option<End>>>,
    /// The entries of the contest file.
    own: Option<Arc<BTreeSet<String>>>,
}

impl Ends {
    /// The end of a submission; `None` while its judgement continues, and if it is not known here.
    pub(crate) fn of(&self, submission: &Submission, state: &State, contents: &ContestState) -> Option<End> {
        let known = self.of_submissions.get(usize::try_from(submission.number.checked_sub(1)?).ok()?)?;
        *known.get_or_init(|| End::of(submission, state, contents))
    }

    /// The names of the entries that are no submissions.
    pub(crate) fn own_entries(&self, state: &State, contents: &ContestState) -> Arc<BTreeSet<String>> {
        let names = || contents.plan.entries.iter().map(|entry| &entry.name);
        self.own
            .clone()
            .unwrap_or_else(|| Arc::new(names().filter(|name| !is_of_submission(name, state)).cloned().collect()))
    }

    fn forget(&mut self, number: u32) {
        let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        if let Some(known) = index.and_then(|index| self.of_submissions.get_mut(index)) {
            *known = OnceLock::new();
        }
    }
}

/// The ends at the last moment that anybody asked for.
#[derive(Default)]
pub(crate) struct EndsMemo(Mutex<Option<(Arc<State>, ContestState, Ends)>>);

impl EndsMemo {
    /// The ends at a moment. It costs what has happened since the last call.
    pub(crate) fn at(&self, state: &Arc<State>, contents: &ContestState) -> Ends {
        // The result of a player depends on the other players.
        if contents.plan.match_rules.is_some() {
            return Ends::default();
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let followed = known.take().and_then(|(before, then, mut ends)| {
            let entries = contents.entries_changed_since(&then)?;
            entries.iter().filter_map(|entry| number_of(entry)).for_each(|number| ends.forget(number));
            state.submissions_decided_since(&before).for_each(|number| ends.forget(number));
            let own = entries.iter().filter(|entry| !is_of_submission(entry, state));
            let own = own.filter(|entry| contents.entry(entry).is_some()).map(|entry| entry.to_string());
            Arc::make_mut(ends.own.as_mut()?).extend(own);
            Some(ends)
        });
        let mut ends = followed.unwrap_or_default();
        ends.own = Some(ends.own_entries(state, contents));
        (ends.of_submissions.len()..state.submissions().len()).for_each(|_| ends.of_submissions.push(OnceLock::new()));
        *known = Some((state.clone(), contents.clone(), ends.clone()));
        ends
    }
}

/// Tests whether an entry is a submission. One that was just entered may be later than the state.
fn is_of_submission(entry: &str, state: &State) -> bool {
    let is_of_team = |team: &str| state.teams().contains_key(team);
    number_of(entry).is_some_and(|number| match state.submission(number) {
        Some((_, submission)) => submission.entry() == *entry,
        None => entry.rsplit_once('.').is_some_and(|(team, _)| is_of_team(team)),
    })
}
