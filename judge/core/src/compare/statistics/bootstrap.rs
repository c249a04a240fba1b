//! The bootstrap: confidence intervals by resampling boards with replacement.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Interval;

/// Resamples per range: Efron and Tibshirani recommend thousands for percentiles (An Introduction to the Bootstrap, 1993,
/// chapter 13).
pub const RESAMPLES: usize = 2_000;

/// Computes the range of a statistic over resamples (Efron 1979). It draws [`RESAMPLES`] resamples, each of `size` numbers below
/// `size` with replacement. It drops the lowest and the highest 2.5 % of their statistics. Resamples without a statistic are left
/// out. `None` if more than 2.5 % are, and for fewer than two items.
///
/// The range describes the resamples. For few items, it is too narrow for a confidence interval.
pub fn resampled(size: usize, seed: u64, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Interval> {
    if size < 2 {
        return None;
    }
    let mut values: Vec<f64> = Resamples::new(size, seed).filter_map(|chosen| statistic(&chosen)).collect();
    if values.len() < RESAMPLES - RESAMPLES / 40 {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let cut = values.len() / 40;
    Some(Interval { low: values[cut], high: values[values.len() - 1 - cut] })
}

/// The resamples of items in strata: [`RESAMPLES`] lists, each with as many indices from a stratum as it has. Equal strata and an
/// equal seed give equal lists.
pub(crate) struct Resamples {
    random: ChaCha8Rng,
    strata: Vec<Range<usize>>,
    left: usize,
}

impl Resamples {
    pub(crate) fn new(size: usize, seed: u64) -> Self {
        Self::from_strata(if size > 0 { std::iter::once(0..size).collect() } else { Vec::new() }, seed)
    }

    /// Draws from each of these ranges, which must not be empty.
    pub(crate) fn from_strata(strata: Vec<Range<usize>>, seed: u64) -> Self {
        let left = if strata.is_empty() { 0 } else { RESAMPLES };
        Self { random: ChaCha8Rng::seed_from_u64(seed), strata, left }
    }
}

impl Iterator for Resamples {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let Self { random, strata, .. } = self;
        Some(
            strata
                .iter()
                .flat_map(|range| range.clone().map(|_| range.clone()))
                .map(|range| random.random_range(range))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(values: &[f64]) -> impl Fn(&[usize]) -> Option<f64> {
        move |chosen| Some(chosen.iter().map(|&at| values[at]).sum::<f64>() / chosen.len() as f64)
    }

    /// The range from all n^n equally probable resamples.
    fn enumerated(values: &[f64]) -> Interval {
        let mut sums = vec![0.0];
        for _ in values {
            sums = sums.iter().flat_map(|sum| values.iter().map(move |value| sum + value)).collect();
        }
        sums.sort_unstable_by(f64::total_cmp);
        let cut = sums.len() / 40;
        let mean = |sum: f64| sum / values.len() as f64;
        Interval { low: mean(sums[cut]), high: mean(sums[sums.len() - 1 - cut]) }
    }

    #[test]
    fn the_range_is_close_to_that_of_all_resamples() {
        for values in [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [-7.0, -2.0, 0.0, 1.0, 3.0, 10.0]] {
            let (drawn, all) = (resampled(6, 1995, mean(&values)).unwrap(), enumerated(&values));
            let step = 2.0 / values.len() as f64 + 1e-9;
            assert!((drawn.low - all.low).abs() <= step && (drawn.high - all.high).abs() <= step, "{drawn:?} {all:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_resamples() {
        let first = |seed| Resamples::new(9, seed).next();
        assert_eq!(first(7), first(7));
        assert_ne!(first(7), first(8));
        let strata = Resamples::from_strata(vec![0..3, 3..5], 1).take(50);
        assert!(strata.into_iter().all(|drawn| drawn.len() == 5
            && drawn[..3].iter().all(|at| *at < 3)
            && drawn[3..].iter().all(|at| *at >= 3)));
        assert_eq!((Resamples::new(9, 1).count(), Resamples::new(0, 1).count()), (RESAMPLES, 0));
    }

    #[test]
    fn a_statistic_that_is_often_missing_has_no_range() {
        let seldom = |chosen: &[usize]| (chosen[0] == 0).then_some(1.0);
        assert_eq!(resampled(10, 1, seldom), None);
        assert_eq!(resampled(10, 1, |_| Some(1.0)), Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(resampled(1, 1, |_| Some(1.0)), None);
    }
}
