//! Decides which lines are allowed while results are final. Logs of earlier versions may contain other lines at that time. So
//! this is checked before a line is written, and never when it is read.

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

    /// Tests whether a line may be written now. While the results are final, only lines that cannot change them may. Every writer
    /// is checked here, regardless of the origin of the request.
    ///
    /// # Errors
    /// [`Refusal::Finalised`].
    pub(crate) fn permits(&self, line: &Line) -> Result<(), Refusal> {
        let Some(since) = self.finalised() else { return Ok(()) };
        match line {
            // Access, messages, and the public view.
            Line::Registration { most: 0 }
            | Line::Thawed
            | Line::Message(_)
            | Line::Claimed { .. }
            // A dropped rejudging records nothing.
            | Line::RejudgeDropped
            // These are refused for other reasons, or reopen the results.
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
