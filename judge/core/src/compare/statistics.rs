//! Statistics of paired values: tests, an interval for the median, a correction for several tests, resampling, and Kendall's
//! tau-b.
//!
//! They use only basic arithmetic, square roots and a seeded ChaCha8, so that every machine computes the same digits.
//! `results/statistics.md` records the coverage of the intervals and the error rates of the tests.

mod bootstrap;
mod flips;
mod holm;
mod sequential;
mod sign;
mod tau;

use serde::Serialize;

pub(super) use bootstrap::Resamples;
pub use bootstrap::{RESAMPLES, resampled};
pub use flips::{EXACT_BELOW, FLIPS, sign_flip_test};
pub use holm::holm;
pub use sequential::BettingTest;
pub use sign::{MIN_VALUES, chance_of_significance, median, median_interval, sign_test};
pub use tau::tau_b;

/// The confidence of an interval, and the share of resampled values within a range.
pub const CONFIDENCE: f64 = 0.95;

/// An interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end, which belongs to it.
    pub low: f64,
    /// Its upper end, which belongs to it.
    pub high: f64,
}

/// Computes the mean; `None` without values.
pub fn mean(values: &[i128]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<i128>() as f64 / values.len() as f64)
}
