//! The counters of the server.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The counters of the server since its start.
#[derive(Default)]
pub(crate) struct Metrics(Mutex<Counts>);

#[derive(Default)]
pub(crate) struct Counts {
    /// Completed requests by the pattern of their route and the status code.
    pub(crate) requests: BTreeMap<(String, u16), u64>,
    /// The total time until the heads of all responses.
    pub(crate) seconds: f64,
    /// Uploads by their outcome.
    pub(crate) submissions: BTreeMap<&'static str, u64>,
}

impl Metrics {
    /// The present counts.
    pub(crate) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a completed request by the pattern of its route.
    pub(crate) fn request(&self, route: &str, code: u16, took: Duration) {
        let mut counts = self.counts();
        *counts.requests.entry((route.to_owned(), code)).or_default() += 1;
        counts.seconds += took.as_secs_f64();
    }

    /// Counts the outcome of an upload: `accepted`, `repeated` or `refused`.
    pub(crate) fn submission(&self, outcome: &'static str) {
        let mut counts = self.counts();
        *counts.submissions.entry(outcome).or_default() += 1;
    }
}
