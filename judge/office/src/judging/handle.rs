//! The observable state of the judging while it continues: the current build, and forecasts for submissions.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use judge_core::journal::ContestState;
use judge_job::Tier;

use super::waiting::Queued;
use crate::queue::FairQueue;
use crate::state::State;

/// The most recent builds on which a forecast is based.
const LAST_BUILDS: usize = 20;

/// A handle to observe the judging from other threads. Clones share its state.
#[derive(Debug, Clone, Default)]
pub struct Handle(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// The number of the submission that is being built; 0 for none.
    building: AtomicU32,
    order: Mutex<Order>,
    queued: Mutex<Queued>,
    /// The reason why judging has stopped.
    stalled: Mutex<Option<String>>,
    isolated: Mutex<Option<Isolated>>,
    /// Notices about the contest for the organiser, since it was opened.
    notices: Mutex<Vec<String>>,
}

/// The isolation of what teams hand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolated {
    /// The isolation of builds.
    pub builds: Tier,
    /// The isolation of runs; `None` on a cluster, whose nodes decide on it.
    pub runs: Option<Tier>,
    /// What the isolation of earlier runs had and this one lacks, as a fragment; `None` if it lacks nothing.
    pub lost: Option<String>,
}

/// The order of the next builds and runs.
#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) builds: FairQueue,
    pub(super) runs: FairQueue,
}

/// A forecast of the time at which a submission will be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    /// The number of submissions that are built before it.
    pub before: usize,
    /// The seconds until then; `None` if nothing has been built yet.
    pub seconds: Option<u64>,
}

impl Handle {
    /// Notes that judging has stopped for a reason, a fragment. It will be retried.
    pub fn stalls(&self, reason: &str) {
        *self.stalled() = Some(reason.to_owned());
    }

    /// Notes that judging continues.
    pub(super) fn mark_running(&self) {
        *self.stalled() = None;
    }

    /// The reason why judging has stopped, for the organiser, as a fragment; `None` if it continues.
    pub fn stop_reason(&self) -> Option<String> {
        self.stalled().clone()
    }

    fn stalled(&self) -> MutexGuard<'_, Option<String>> {
        self.0.stalled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the notices for the organiser about the contest that was opened.
    pub fn notes(&self, notices: Vec<String>) {
        *self.0.notices.lock().unwrap_or_else(PoisonError::into_inner) = notices;
    }

    /// The notices about the contest for the organiser, one sentence each.
    pub fn notices(&self) -> Vec<String> {
        self.0.notices.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes the isolation that submissions have from now on. Returns false if it has not changed.
    pub fn isolates(&self, isolated: Isolated) -> bool {
        self.isolation().replace(isolated.clone()) != Some(isolated)
    }

    /// The isolation of submissions; `None` before any can be judged.
    pub fn isolated(&self) -> Option<Isolated> {
        self.isolation().clone()
    }

    fn isolation(&self) -> MutexGuard<'_, Option<Isolated>> {
        self.0.isolated.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the submission that is being built.
    pub fn building(&self) -> Option<u32> {
        Some(self.0.building.load(Ordering::SeqCst)).filter(|&number| number > 0)
    }

    /// The forecast for a waiting submission, if no other one arrives; `None` if it does not wait.
    pub fn forecast(&self, state: &State, contents: &ContestState, number: u32) -> Option<Forecast> {
        let (mut queue, building) = (self.order().builds.clone(), self.building());
        let mut of_teams = self.queued().waiting(state, contents);
        of_teams.values_mut().for_each(|of_team| of_team.retain(|one| Some(one.number) != building));
        let mut before = usize::from(building.is_some());
        loop {
            let firsts = of_teams.values().filter_map(|of_team| of_team.front().copied());
            let next = firsts.min_by_key(|first| (queue.time(&first.team), first.number))?;
            if next.number == number {
                break;
            }
            of_teams.get_mut(&*next.team)?.pop_front();
            queue.charge(&next.team, super::BUILD_LIMIT_MS);
            before += 1;
        }
        let mut took: Vec<u64> =
            contents.builds.iter().rev().filter_map(|build| build.wall_us).take(LAST_BUILDS).collect();
        took.sort_unstable();
        let median = took.get(took.len() / 2).copied();
        Some(Forecast { before, seconds: median.map(|us| us.saturating_mul(before as u64).div_ceil(1_000_000)) })
    }

    pub(super) fn builds(&self, number: u32) {
        self.0.building.store(number, Ordering::SeqCst);
    }

    /// The submissions that may have to be built. The lock of the order is taken first.
    pub(super) fn queued(&self) -> MutexGuard<'_, Queued> {
        self.0.queued.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn order(&self) -> MutexGuard<'_, Order> {
        self.0.order.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
