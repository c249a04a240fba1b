//! What may happen when results are final. Logs of earlier versions have other lines then, so this is asked before a line is written, and
//! never when it is read.

use super::{Refusal, State};
use crate::line::Line;

impl State {
    /// Refuses to change results that are final.
    ///
    /// # Errors
    /// [`Refusal::Finalised`].
    pub fn check_not_final(&self) -> Result<(), Refusal> {
        self.finalised().map_or(Ok(()), |since| Err(Refusal::Finalised(since)))
    }

    /// Tests whether a line may be written now: after the results became final, only what cannot change them, until they are not final
    /// any more. Whoever writes passes this, by whichever way it was asked for.
    ///
    /// # Errors
    /// [`Refusal::Finalised`].
    pub(crate) fn permits(&self, line: &Line) -> Result<(), Refusal> {
        let Some(since) = self.finalised() else { return Ok(()) };
        match line {
            // Who may look, what is said, and what everybody sees.
            Line::Token { .. }
            | Line::Revoked { .. }
            | Line::OrganiserRevoked
            | Line::Registration { hash: None, .. }
            | Line::Thawed
            | Line::Message(_)
            | Line::Claimed { .. }
            | Line::Notifying { .. }
            | Line::NotifyFailed { .. }
            // Nothing is recorded any more.
            | Line::RejudgeDropped
            | Line::RejudgeDone
            // Refused with a reason of their own, or the way back.
            | Line::Office { .. }
            | Line::Final
            | Line::Reopened { .. } => Ok(()),
            Line::Team { .. }
            | Line::Registration { hash: Some(_), .. }
            | Line::Rules { .. }
            | Line::Extended { .. }
            | Line::Submitted(_)
            | Line::Decided { .. }
            | Line::Ordered(_)
            | Line::RejudgeAsked
            | Line::RejudgeApproved { .. }
            | Line::Chosen { .. }
            | Line::Frozen { .. }
            | Line::Finals { .. }
            | Line::Published { .. }
            | Line::Passed { .. } => Err(Refusal::Finalised(since)),
        }
    }
}
