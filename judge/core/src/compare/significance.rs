//! The level of significance and the notation of probabilities, shared by every output.

/// A tally with a smaller p is called more than chance.
pub const SIGNIFICANT: f64 = 0.05;
/// A smaller p is written as a bound.
pub const LEAST_SHOWN: f64 = 0.001;

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
