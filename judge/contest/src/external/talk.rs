//! A referee that stays alive and talks to the entry, and the decision which side caused the end of the talk.

use std::path::Path;

use judge_core::external::{ACCEPTED, Blame, OverriddenResult, Protocol, TalkClock, blame, remarks};
use judge_core::figure::RefereeFigures;
use judge_core::journal::Pass;
use judge_core::plan::Board;
use judge_core::referee::Ruling;
use judge_core::stream::Stream;
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_job::{End, Interrupted, Job, Outcome, StopRequest, Talk};

use super::call::{FinishedCall, PassInput, RefereeInput};
use super::{External, Failure};
use crate::guard::catch_panic;

/// An execution of an entry that has ended, with the ruling on it.
pub(crate) struct PassOutcome {
    /// The outcome of the entry.
    pub(crate) outcome: Outcome,
    /// The time in which it was the entry's turn, in microseconds; `None` without a talk.
    pub(crate) own_us: Option<u64>,
    /// The times of the passes; empty if there can be only one.
    pub(crate) passes: Vec<Pass>,
    /// The verdict, with the last position of the talk, intermediate positions and remarks.
    pub(crate) ruling: Ruling,
    /// True if the referee ruled or failed, so that the verdict does not follow from the entry's end alone.
    pub(crate) by_referee: bool,
    /// The stream of its answers, if the contest takes one.
    pub(crate) stream: Option<Stream>,
    /// The call that requests another pass.
    pub(crate) next: Option<FinishedCall>,
}

impl PassOutcome {
    /// An execution that has ended, without a talk, passes or a stream.
    pub(crate) fn new(outcome: Outcome, ruling: Ruling, by_referee: bool) -> Self {
        Self { outcome, own_us: None, passes: Vec::new(), ruling, by_referee, stream: None, next: None }
    }
}

/// The ruling on a pass after which another one follows.
pub(super) fn to_be_continued() -> Ruling {
    Ruling::from(Verdict::Solved(RefereeFigures::default()))
}

impl External<'_> {
    /// Has the referee talk to an entry. The transcript is written to a file.
    pub(super) fn run_talk(
        &self,
        board: &Board,
        mut entry: Job,
        stop: Option<&dyn StopRequest>,
        transcript: &Path,
        before: Option<PassInput<'_>>,
    ) -> Result<Result<PassOutcome, String>, Interrupted> {
        let (mut referee, folder) = match self.job(&self.command, Some(board), RefereeInput::Talk, before) {
            Ok(made) => made,
            Err(Failure::Retryable(reason) | Failure::Final(reason)) => return Ok(Err(reason)),
            Err(Failure::Interrupted) => return Err(Interrupted),
        };
        let linger_ms = referee.limits.wall_ms;
        let own_ms = (self.referee.talk == Some(TalkClock::Own)).then_some(entry.limits.wall_ms);
        if own_ms.is_some() {
            // The entry's own time, and all the time that the referee may take.
            entry.limits.wall_ms = entry.limits.wall_ms.saturating_add(linger_ms);
        }
        // The referee waits as long as the entry takes, and has its own time in addition.
        let shared_ms = entry.limits.wall_ms.saturating_add(entry.limits.grace_ms);
        referee.limits.wall_ms = shared_ms.saturating_add(linger_ms).saturating_add(linger_ms);
        let accepts = if self.referee.protocol == Protocol::Kattis { ACCEPTED } else { 0 };
        let mut talk = Talk::refereed(referee, entry, vec![accepts], linger_ms);
        (talk.sides[1].own_ms, talk.sides[1].lines) = (own_ms, self.referee.lines);
        talk.transcript = Some(transcript.to_owned());
        let held = match catch_panic("the executor", || Ok(self.context.executor.converse(&talk, stop))) {
            Ok(held) => held?,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut sides = held.sides.into_iter();
        let (Some(referee), Some(entry)) = (sides.next(), sides.next()) else {
            return Ok(Err("the executor returned no outcome of both programs".into()));
        };
        let called = FinishedCall { outcome: referee.outcome.clone(), folder };
        // After the shared wall-clock limit, and when the talk is over, the referee's exit code is ignored.
        let unasked = referee.cut.is_some() || called.outcome.end == End::TimedOut;
        let asks = !unasked && self.asks_for_pass(&called);
        let ruled = (!unasked).then(|| if asks { Ok(to_be_continued()) } else { self.ruling(&called, board) });
        let result = match &ruled {
            None => OverriddenResult::Nothing,
            Some(Ok(ruling)) if matches!(ruling.verdict, Verdict::Wrong { .. } | Verdict::IllegalMove { .. }) => {
                OverriddenResult::Rejects
            }
            Some(Ok(_)) => OverriddenResult::Accepts,
            Some(Err(Failure::Retryable(reason) | Failure::Final(reason))) => OverriddenResult::Failed(reason.clone()),
            Some(Err(Failure::Interrupted)) => return Err(Interrupted),
        };
        let blamed = blame(&referee, &entry, &result);
        // The files that the referee left are shown in any case, whichever program is to blame.
        let mut ruling = match ruled {
            Some(Ok(ruling)) => ruling,
            _ => Ruling::from(Verdict::TimedOut),
        };
        let by_referee = !matches!(blamed, Blame::Entry(_));
        let next = (asks && blamed == Blame::Ruling).then_some(called);
        match blamed {
            Blame::Ruling => {}
            Blame::Referee(reason) => {
                ruling = Ruling::from(Verdict::JudgeError { reason: JudgeFailure::Referee(reason) });
            }
            Blame::Entry(end) => {
                ruling.verdict = Verdict::from_end(&end).unwrap_or(Verdict::TimedOut);
                ruling.picture = None;
            }
        }
        ruling.notes.extend(remarks(&referee, &entry, &result));
        let own_us = Some(entry.own_us);
        Ok(Ok(PassOutcome { own_us, next, ..PassOutcome::new(entry.outcome, ruling, by_referee) }))
    }
}
