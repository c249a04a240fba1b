//! Deadlines, for searches that have to stop in the middle.

use std::time::{Duration, Instant};

/// The time at which a search stops.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// A deadline after this time from now.
    pub fn after(time: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(time))
    }

    /// A deadline that never passes.
    pub fn never() -> Deadline {
        Deadline(None)
    }

    /// Returns `true` after the deadline.
    pub fn passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// The time left; zero after the deadline, [`Duration::MAX`] if it never passes.
    pub fn left(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}
