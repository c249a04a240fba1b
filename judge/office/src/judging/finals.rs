//! The final rounds: their boards are sealed until then, nothing else runs meanwhile, and the order is that of every contest,
//! board after board with the same load for all.

use judge_contest::schedule::Stopped;
use judge_job::StopRequest;

use super::{Judging, JudgingError, LOOK_AGAIN, Site};

impl Judging<'_> {
    /// Makes what is left of the open round, and all rounds after it, until a stop is requested if it is `forever`.
    pub(super) fn finals(
        &self,
        site: &Site<'_>,
        interrupt: &dyn StopRequest,
        forever: bool,
    ) -> Result<(), JudgingError> {
        loop {
            match self.conduct.run_round(site.engine, site.slots, interrupt) {
                Err(Stopped::Interrupted) => return Ok(()),
                ended => ended?,
            }
            if self.conduct.open_next_round()?.is_none() {
                break;
            }
        }
        while !interrupt.requested() {
            if !self.rejudge_next(site, interrupt, &|| interrupt.requested())? {
                if !forever {
                    break;
                }
                std::thread::sleep(LOOK_AGAIN);
            }
        }
        Ok(())
    }
}
