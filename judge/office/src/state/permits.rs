//! Decides what may happen when results are final. Logs of earlier versions may contain other lines at that time, so this is
//! checked before a line is written, and never when it is read.

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

    /// Tests whether a line may be written now: while the results are final, only lines that cannot change them. Every writer
    /// is checked here, regardless of the origin of the request.
    ///
    /// # Errors
    /// [`Refusal::Finalised`].
    pub(crate) fn permits(&self, line: &Line) -> Result<(), Refusal> {
        let Some(since) = self.finalised() else { return Ok(()) };
        match line {
            // Who may look, what is said, and what everybody sees.
            Line::Registration { most: 0 }
            | Line::Thawed
            | Line::Message(_)
            | Line::Claimed { .. }
            // Nothing is recorded any more.
            | Line::RejudgeDropped
            // Refused with their own reason, or the way back.
            | Line::Office { .. }
            | Line::Final
            | Line::Reopened { .. } => Ok(()),
            Line::Team { .. }
            | Line::Registration { .. }
            | Line::Rules { .. }
            | Line::Extended { .. }
            | Line::Submitted(_)
            | Line::Decided { .. }
            | Line::Disqualified { .. }
            | Line::Reinstated { .. }
            | Line::RejudgeAsked
            | Line::RejudgeApproved { .. }
            | Line::Chosen { .. }
            | Line::Frozen { .. }
            | Line::Called { .. }
            | Line::Finals { .. }
            | Line::Published { .. }
            | Line::Passed { .. } => Err(Refusal::Finalised(since)),
        }
    }
}
