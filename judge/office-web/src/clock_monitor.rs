//! Detects steps of the clock by comparing the wall clock, which decides on times, with a clock that cannot be set.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The least difference that counts as a step, in seconds. The wall clock is read in whole seconds.
const STEP: i64 = 2;
/// The time over which the clocks are compared. A slow correction within it is not a step, and earlier differences are
/// forgotten.
const WINDOW: Duration = Duration::from_secs(60);

/// The known state of the two clocks.
pub(crate) struct ClockMonitor {
    /// The start of the other clock.
    begun: Instant,
    compared: Mutex<Option<ClockOffset>>,
    last: AtomicI64,
}

#[derive(Clone, Copy)]
struct ClockOffset {
    /// The wall clock minus the other one, in seconds.
    ahead: i64,
    at: Duration,
}

impl Default for ClockMonitor {
    fn default() -> Self {
        Self { begun: Instant::now(), compared: Mutex::default(), last: AtomicI64::default() }
    }
}

impl ClockMonitor {
    /// Compares the wall clock, in seconds, with the other one. Returns the step, if any.
    pub(crate) fn look(&self, wall: u64) -> Option<i64> {
        self.compare(wall, self.begun.elapsed())
    }

    fn compare(&self, wall: u64, since_start: Duration) -> Option<i64> {
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = wall.cast_signed().saturating_sub(since_start.as_secs().cast_signed());
        let before = *compared.get_or_insert(ClockOffset { ahead, at: since_start });
        let step = ahead.saturating_sub(before.ahead);
        let is_step = step.abs() >= STEP;
        if is_step || since_start.saturating_sub(before.at) >= WINDOW {
            *compared = Some(ClockOffset { ahead, at: since_start });
        }
        if is_step {
            self.last.store(step, Ordering::Relaxed);
        }
        is_step.then_some(step)
    }

    /// The last step in seconds; 0 if none has occurred.
    pub(crate) fn last(&self) -> i64 {
        self.last.load(Ordering::Relaxed)
    }
}

/// The line of the log about a step.
pub(crate) fn message(step: i64) -> String {
    let (way, seconds) = (if step < 0 { "back" } else { "forward" }, step.unsigned_abs());
    format!("the clock went {way} by {seconds} s: it was set, or the machine slept; recorded times stay")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_noticed_and_a_clock_that_is_corrected_slowly_has_none() {
        let steps = ClockMonitor::default();
        let look = |wall: u64, ms: u64| steps.compare(1_795_435_200 + wall, Duration::from_millis(ms));
        // The clock is read at any part of a second.
        assert!((0..100).all(|second| look(second, second * 1000 + 37 * second % 1000).is_none()));
        assert_eq!((look(100 + 3600, 100_000), steps.last()), (Some(3600), 3600), "an hour forward");
        assert_eq!(look(101 + 3600, 101_000), None, "once");
        assert_eq!((look(102, 102_000), steps.last()), (Some(-3600), -3600), "and back");
        // A drift of one second per minute and a half, for an hour.
        assert!((103..3600).all(|second| look(second + second / 90, second * 1000).is_none()));
        assert_eq!(steps.last(), -3600);
    }
}
