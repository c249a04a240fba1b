//! What may happen when: for each kind of line, what must be true of the contest's phases before it. Every line is checked here before
//! it is written. Most conditions are checked again when a log is read.
//!
//! Other refusals depend on one submission, team or message, and stand where the line is applied. Those that depend on more than
//! the log stand with the writer: results are not final before all is judged, a rejudging is dropped or approved unless it was
//! recorded meanwhile (both need the contest), and quotas apply only to teams.

use super::{Refusal, State};
use crate::line::{Dated, Decision, Line};

/// What must be true before a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    NotBegun,
    Begun,
    NotFinal,
    /// As [`Self::NotFinal`], for the line that makes them final.
    NotYetFinal,
    Final,
    Opened,
    NotFrozen,
    Frozen,
    FinalRoundsNotBegun,
    /// As [`Self::FinalRoundsNotBegun`], even if no line says yet that they have.
    FinalRoundsNotDue,
    FinalRoundsBegun,
    RegistrationOpen,
    RejudgingRequested,
}

use Condition::{
    Begun, Final, FinalRoundsBegun, FinalRoundsNotBegun, FinalRoundsNotDue, Frozen, NotBegun, NotFinal, NotFrozen,
    NotYetFinal, Opened, RegistrationOpen, RejudgingRequested,
};

/// The conditions of each kind of line. `docs/file-formats.md` has the same table.
pub(super) fn conditions(line: &Line) -> &'static [Condition] {
    match line {
        Line::Office { .. } => &[NotBegun],
        Line::Team { registered: false, .. } => &[Begun, NotFinal],
        Line::Team { registered: true, .. } => &[Begun, NotFinal, RegistrationOpen],
        Line::Registration { most: 0 } => &[Begun],
        Line::Registration { .. } => &[Begun, NotFinal],
        Line::Rules { .. } => &[Begun, NotFinal],
        Line::Extended { .. } => &[Begun, NotFinal],
        Line::Submitted(_) => SUBMITTED,
        Line::Decided { decision: Decision::Admitted, .. } => &[Begun, NotFinal, FinalRoundsNotBegun],
        Line::Decided { .. } => &[Begun, NotFinal],
        Line::Disqualified { .. } => &[Begun, NotFinal],
        Line::Reinstated { .. } => &[Begun, NotFinal],
        Line::RejudgeAsked => &[Begun, NotFinal],
        Line::RejudgeApproved { .. } => &[Begun, NotFinal, RejudgingRequested],
        Line::RejudgeDropped => &[Begun, RejudgingRequested],
        Line::Chosen { .. } => &[Begun, NotFinal, FinalRoundsNotDue],
        Line::Frozen { .. } => &[Begun, NotFinal, NotFrozen],
        Line::Called { .. } => &[Begun, NotFinal],
        Line::Thawed => &[Begun, Frozen],
        Line::Finals { .. } => &[Begun, NotFinal, FinalRoundsNotBegun],
        Line::Published { .. } => &[Begun, NotFinal, FinalRoundsBegun],
        Line::Passed { .. } => &[Begun, NotFinal],
        Line::Final => &[Begun, NotYetFinal],
        Line::Reopened { .. } => &[Begun, Final],
        Line::Message(_) => &[Begun],
        Line::Claimed { .. } => &[Begun],
    }
}

const SUBMITTED: &[Condition] = &[Begun, NotFinal, Opened];

impl Condition {
    /// Tests whether each log meets it. Those of earlier versions went on after results were final, and the clock decides what is due.
    fn is_of_log(self) -> bool {
        !matches!(self, NotFinal | Opened | FinalRoundsNotDue)
    }

    /// Checks it before a line, which happens now and is about an arrival.
    fn check(self, state: &State, (arrived, now): (u64, u64), line: Option<&Line>) -> Result<(), Refusal> {
        let refused = match self {
            NotBegun => state.has_begun().then_some(Refusal::SecondBeginning),
            Begun => (!state.has_begun()).then_some(Refusal::NoBeginning),
            NotFinal => state.finalised().map(Refusal::Finalised),
            NotYetFinal => state.finalised().map(|_| Refusal::Final),
            Final => state.finalised().is_none().then_some(Refusal::NotFinal),
            Opened => state.not_open(arrived, now).map(Refusal::NotOpen),
            NotFrozen => state.frozen().map(|_| Refusal::Frozen),
            Frozen => state.frozen().is_none().then_some(Refusal::NotFrozen),
            FinalRoundsNotBegun => state.finals().then(|| state.too_late(line)),
            FinalRoundsNotDue => state.finals_come(now).then_some(Refusal::FinalsBegun),
            FinalRoundsBegun => (!state.finals()).then_some(Refusal::FinalsNotBegun),
            RegistrationOpen => match state.registration() {
                None => Some(Refusal::RegistrationClosed),
                Some(link) => (link.used >= link.most).then_some(Refusal::LinkUsedUp(link.most)),
            },
            RejudgingRequested => state.rejudging.is_none().then_some(Refusal::NothingAsked),
        };
        refused.map_or(Ok(()), Err)
    }
}

impl State {
    /// Tests whether a line may be written now. Every writer is checked here.
    ///
    /// # Errors
    /// The first of its [`conditions`] that is not met.
    pub(crate) fn permits(&self, dated: &Dated) -> Result<(), Refusal> {
        self.meets(dated, |_| true)
    }

    /// Tests whether a line may be in a log after the earlier ones.
    pub(super) fn follows(&self, dated: &Dated) -> Result<(), Refusal> {
        self.meets(dated, Condition::is_of_log)
    }

    fn meets(&self, Dated { at, line }: &Dated, applies: impl Fn(Condition) -> bool) -> Result<(), Refusal> {
        let arrived = match line {
            Line::Submitted(submission) => submission.arrived.unwrap_or(*at),
            _ => *at,
        };
        let applies = conditions(line).iter().filter(|condition| applies(**condition));
        applies.copied().try_for_each(|condition| condition.check(self, (arrived, *at), Some(line)))
    }

    /// Tests whether a submission that has arrived may be accepted now, before its upload is stored.
    ///
    /// # Errors
    /// As for its line.
    pub(crate) fn may_submit(&self, arrived: u64, now: u64) -> Result<(), Refusal> {
        SUBMITTED.iter().try_for_each(|condition| condition.check(self, (arrived, now), None))
    }

    /// Refuses to change results that are final. This is the condition of the contest's own events, such as rulings and struck
    /// boards, which are no lines of the office.
    ///
    /// # Errors
    /// [`Refusal::Finalised`].
    pub fn check_not_final(&self) -> Result<(), Refusal> {
        NotFinal.check(self, (0, 0), None)
    }

    /// The refusal of what only happens before the final rounds.
    fn too_late(&self, line: Option<&Line>) -> Refusal {
        match line {
            Some(Line::Decided { number, .. }) => match self.submission(*number) {
                None => Refusal::UnknownSubmission(*number),
                Some((_, submission)) => {
                    let reason = "cannot be judged any more: the final rounds have begun";
                    Refusal::Decision { entry: submission.entry(), reason }
                }
            },
            _ => Refusal::Finals,
        }
    }
}

#[cfg(test)]
mod tests;
