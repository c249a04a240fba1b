//! The final rounds: their boards are sealed until then, nothing else runs meanwhile, and the order is that of every contest,
//! board after board with the same load for all.

use judge_contest::schedule::Stopped;
use judge_job::StopRequest;

use super::{Judging, JudgingError, LOOK_AGAIN, Site};

impl Judging<'_> {
    /// Makes what is left of the open round, and all rounds after it once their time has come, until a stop is requested if it is
    /// `forever`.
    pub(super) fn finals(
        &self,
        site: &Site<'_>,
        interrupt: &dyn StopRequest,
        forever: bool,
    ) -> Result<(), JudgingError> {
        let (mut opened, mut over) = (true, false);
        while !interrupt.requested() {
            if std::mem::take(&mut opened) {
                let _all = site.processors.all();
                let ended = match &site.cluster {
                    None => self.conduct.run_round(site.engine, site.slots, interrupt),
                    Some(cluster) => (cluster.engine)(&self.conduct.contest(), &self.conduct.contents())
                        .and_then(|engine| self.conduct.run_round(&*engine, &[], interrupt)),
                };
                match ended {
                    Err(Stopped::Interrupted) => return Ok(()),
                    ended => ended?,
                }
            }
            // After the clock, so that a round that has closed is public.
            let state = self.office.tick()?;
            if !over
                && state
                    .rules()
                    .in_round(self.conduct.contents().round() + 1)
                    .opens
                    .is_none_or(|at| at <= self.office.now())
            {
                opened = self.conduct.open_next_round()?.is_some();
                over = !opened;
            }
            if opened || self.rejudge_next(site, interrupt, &|| interrupt.requested())? {
                continue;
            }
            if !forever {
                break;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        Ok(())
    }
}
