//! The run's clock. It starts with the entry; the time of its preparation does not count.

use std::time::Duration;

use crate::{Limits, now_us};

/// Longest time that the preparation of a run may take.
pub(super) const PREPARATION: Duration = Duration::from_secs(60);

/// The judge's view of a run's time. The supervisor enforces the limit itself; the judge also ends the run, in case the
/// supervisor was stopped.
pub(super) struct Clock {
    /// When the preparation began, by the monotonic clock, in microseconds.
    prepared_us: u64,
    /// When the entry began; `None` before.
    pub(super) begun_us: Option<u64>,
    limits: Limits,
}

impl Clock {
    /// A clock whose preparation begins now.
    pub(super) fn new(limits: Limits) -> Self {
        Self { prepared_us: now_us(), begun_us: None, limits }
    }

    /// Time until the end of the grace period, or of the preparation.
    pub(super) fn left(&self) -> Duration {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let ends_us = match self.begun_us {
            Some(begun) => begun.saturating_add(end_of_grace_us(&self.limits)),
            None => self.prepared_us.saturating_add(micros(PREPARATION)),
        };
        Duration::from_micros(ends_us.saturating_sub(now_us()))
    }
}

/// Microseconds from the start to the limit.
pub(super) fn limit_us(limits: &Limits) -> u64 {
    limits.wall_ms.saturating_mul(1000)
}

/// Microseconds from the start to the end of the grace period, in which an answer still counts.
pub(super) fn end_of_grace_us(limits: &Limits) -> u64 {
    limits.wall_ms.saturating_add(limits.grace_ms).saturating_mul(1000)
}
