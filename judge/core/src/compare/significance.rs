//! The level of significance, a test of one pair, and the notation of probabilities. All outputs share them.

use serde::Serialize;

/// A result with a smaller p is called more than chance.
pub const SIGNIFICANT: f64 = 0.05;
/// A smaller p is written as a bound.
pub const LEAST_SHOWN: f64 = 0.001;

/// A test of one pair in its family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Test {
    /// Two-sided p; `None` if no board decides.
    pub p: Option<f64>,
    /// p after Holm's correction for all tests of its kind in its family: the pairs of the same two sources, or of the
    /// same source.
    pub corrected: Option<f64>,
    /// The number of these tests. A pair without a p has no test.
    pub tests: usize,
}

impl Test {
    /// Returns true if the corrected p is below [`SIGNIFICANT`].
    pub fn significant(&self) -> bool {
        self.corrected.is_some_and(|p| p < SIGNIFICANT)
    }
}

/// A probability as outputs write it: `0.38`, `0.002`, `< 0.001`.
pub fn probability(p: f64) -> String {
    match p {
        p if p < LEAST_SHOWN => format!("< {LEAST_SHOWN}"),
        p if p < 0.1 => format!("{p:.3}"),
        p => format!("{p:.2}"),
    }
}

/// A probability after `p`: `= 0.38`, `< 0.001`.
pub fn equals(p: f64) -> String {
    if p < LEAST_SHOWN { probability(p) } else { format!("= {}", probability(p)) }
}
