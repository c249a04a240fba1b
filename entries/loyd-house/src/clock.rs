//! How much time is left, for searches that have to stop in the middle.

use std::time::{Duration, Instant};

/// A point in time at which a search gives up.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// So long from now.
    pub fn after(time: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(time))
    }

    /// Never.
    pub fn never() -> Deadline {
        Deadline(None)
    }

    /// Whether it is past.
    pub fn passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// The time until then; none if it is past, the longest there is if it never comes.
    pub fn left(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}
