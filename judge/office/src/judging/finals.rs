//! The final rounds. Their boards are sealed until then, and nothing else runs meanwhile. Runs have the usual order of contests,
//! board by board with the same load for all. The organiser's decisions are executed at any time, even when the rounds are over.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use judge_contest::schedule::Stopped;
use judge_job::{StopFlag, StopRequest};

use super::{Judging, JudgingError, JudgingResources, POLL_INTERVAL, StopOf};

impl Judging<'_> {
    /// Executes the remaining runs of the open round, and of all later rounds once their time has come. With `forever`, it
    /// continues until a stop is requested.
    pub(super) fn finals(
        &self,
        resources: &JudgingResources<'_>,
        interrupt: &dyn StopRequest,
        forever: bool,
    ) -> Result<(), JudgingError> {
        let (mut waits, mut over, mut looked_at) = (true, false, None);
        while !interrupt.requested() {
            resources.check()?;
            // The results of a contest do not change once they are final.
            let is_final = self.office.state()?.finalised().is_some();
            if !is_final && std::mem::take(&mut waits) {
                match self.make_round(resources, interrupt) {
                    Err(JudgingError::Stopped(Stopped::Interrupted)) => return Ok(()),
                    ended => ended?,
                }
            }
            // This follows the clock, so that a round that has closed is public.
            let state = self.office.tick()?;
            self.settle()?;
            // A reinstated board has runs to execute before the next round opens.
            let contents = self.open_contest.contents();
            if looked_at.as_ref().is_none_or(|before| !contents.is_still(before)) {
                waits = !contents.select(|record| record.is_none()).is_empty();
                looked_at = Some(contents);
                if waits {
                    continue;
                }
            }
            if !over
                && !is_final
                && state
                    .rules()
                    .in_round(self.open_contest.contents().round() + 1)
                    .opens
                    .is_none_or(|at| state.has_come(at, self.office.now()))
            {
                // The entrants of the next round follow from it.
                self.settle_teams(None)?;
                waits = self.open_contest.open_next_round()?.is_some();
                over = !waits;
            }
            if (waits && !is_final) || self.rejudge_next(resources, interrupt, &|| interrupt.requested())? {
                continue;
            }
            self.handle.mark_running();
            if !forever {
                break;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Executes the remaining runs of the open round, and executes decisions between its runs.
    fn make_round(&self, resources: &JudgingResources<'_>, interrupt: &dyn StopRequest) -> Result<(), JudgingError> {
        let _all = resources.processors.all();
        let ended = AtomicBool::new(false);
        let stop = StopOf { user: interrupt, own: StopFlag::default() };
        let follow = || {
            while !ended.load(Ordering::SeqCst) {
                resources.check().inspect_err(|_| stop.request())?;
                self.settle().inspect_err(|_| stop.request())?;
                std::thread::sleep(POLL_INTERVAL);
            }
            Ok::<_, JudgingError>(())
        };
        let (made, followed) = std::thread::scope(|scope| {
            let following = scope.spawn(follow);
            let made = match &resources.cluster {
                None => self.open_contest.run_round(resources.engine, resources.slots, &stop),
                Some(cluster) => (cluster.engine)(&self.open_contest.contest(), &self.open_contest.contents())
                    .and_then(|engine| self.open_contest.run_round(&*engine, &[], &stop)),
            };
            ended.store(true, Ordering::SeqCst);
            (made, following.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        followed?;
        made?;
        // Finished runs may have changed which submissions count in the next round.
        self.settle_teams(None)
    }
}
