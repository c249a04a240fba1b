//! Statistics of paired figures: the exact sign test, and the percentile bootstrap of a mean.
//!
//! Everything is in basic arithmetic and a seeded ChaCha8, so that every machine comes to the same digits.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Resamples of a bootstrap, the thousands that Efron and Tibshirani ask for where percentiles are wanted
/// (An Introduction to the Bootstrap, 1993, chapter 13).
pub const RESAMPLES: usize = 10_000;
/// The share of resampled means that an interval holds.
pub const CONFIDENCE: f64 = 0.95;
/// How many resampled means are cut off at either end: 2.5 %.
const CUT: usize = RESAMPLES / 40;

/// An interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The two-sided p of the exact sign test (Arbuthnott 1710; Conover, Practical Nonparametric Statistics, 3.4): how
/// probable a tally at least as uneven is where either side of every pair wins with probability 1/2. Ties are left
/// out before. `None` without a single decided pair.
pub(super) fn sign_test(wins: usize, losses: usize) -> Option<f64> {
    let pairs = wins + losses;
    if pairs == 0 {
        return None;
    }
    // The sum of C(pairs, k) / 2^pairs. The halvings are spread over the sum, for 1/2^pairs alone may be too small for
    // a float and C(pairs, k) alone too large.
    let (mut term, mut tail, mut halvings) = (1.0, 0.0, pairs);
    for k in 0..=wins.min(losses) {
        tail += term;
        term *= (pairs - k) as f64 / (k + 1) as f64;
        while halvings > 0 && term > 1.0 {
            (term, tail, halvings) = (term / 2.0, tail / 2.0, halvings - 1);
        }
    }
    while halvings > 0 && tail > 0.0 {
        (tail, halvings) = (tail / 2.0, halvings - 1);
    }
    Some((2.0 * tail).min(1.0))
}

/// The mean; `None` of nothing.
pub(super) fn mean(values: &[i128]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<i128>() as f64 / values.len() as f64)
}

/// The percentile bootstrap interval of the mean; see [`bootstrap`]. `None` of fewer than two values, which say nothing
/// of their spread.
pub(super) fn bootstrap_mean(values: &[i128], seed: u64) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let sum =
        |chosen: &[usize]| Some(chosen.iter().map(|&value| values[value]).sum::<i128>() as f64 / chosen.len() as f64);
    bootstrap(values.len(), seed, sum)
}

/// The percentile bootstrap interval of a figure (Efron 1979): the figures of [`RESAMPLES`] resamples, each as many
/// numbers below `size` drawn with replacement, without the lowest and the highest 2.5 % of them. Resamples that have no
/// such figure are left out; `None` if more than 2.5 % are.
pub(super) fn bootstrap(size: usize, seed: u64, figure: impl Fn(&[usize]) -> Option<f64>) -> Option<Interval> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen = vec![0; size];
    let mut figures: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            chosen.fill_with(|| random.random_range(0..size));
            figure(&chosen)
        })
        .collect();
    if figures.len() < RESAMPLES - CUT {
        return None;
    }
    figures.sort_unstable_by(f64::total_cmp);
    let cut = figures.len() / 40;
    Some(Interval { low: figures[cut], high: figures[figures.len() - 1 - cut] })
}

/// Kendall's tau-b (Kendall 1945): of all pairs of `size` things the ordered alike less the ordered contrarily, by the
/// geometric mean of how many pairs either order decides. `signs` says of two things how each order has them: negative,
/// zero or positive. `None` where an order decides nothing.
pub(super) fn tau_b(size: usize, signs: impl Fn(usize, usize) -> [i8; 2]) -> Option<f64> {
    let (mut alike, mut decided) = (0i64, [0u64; 2]);
    for a in 0..size {
        for b in a + 1..size {
            let [first, second] = signs(a, b);
            alike += i64::from(first.signum() * second.signum());
            decided[0] += u64::from(first != 0);
            decided[1] += u64::from(second != 0);
        }
    }
    let [first, second] = decided.map(|pairs| pairs as f64);
    (first > 0.0 && second > 0.0).then(|| alike as f64 / (first * second).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Option<f64>, b: f64) -> bool {
        a.is_some_and(|a| (a - b).abs() <= 1e-12 * b)
    }

    #[test]
    fn the_sign_test_gives_the_binomial_tails() {
        assert_eq!(sign_test(0, 0), None);
        assert_eq!(sign_test(1, 0), Some(1.0));
        // Five of five, four of five, by hand: 2·1/32 and 2·6/32.
        assert_eq!(sign_test(5, 0), Some(0.0625));
        assert_eq!(sign_test(1, 4), Some(0.375));
        assert_eq!(sign_test(3, 3), Some(1.0));
        // Siegel, Nonparametric Statistics (1956), table D: x = 3 of N = 14, one-tailed p = .029: 470/16384.
        assert!(close(sign_test(11, 3), 2.0 * 470.0 / 16384.0));
        // R 4: binom.test(9, 10)$p.value = 0.021484375, which is 22/1024.
        assert!(close(sign_test(9, 1), 22.0 / 1024.0));
    }

    #[test]
    fn the_sign_test_counts_what_a_naive_enumeration_counts() {
        for pairs in 1..=14u32 {
            for wins in 0..=pairs {
                let uneven = |wins: u32| wins.abs_diff(pairs - wins);
                let as_uneven = (0..1u32 << pairs).filter(|outcome| uneven(outcome.count_ones()) >= uneven(wins));
                let expected = as_uneven.count() as f64 / f64::from(1 << pairs);
                assert!(close(sign_test(wins as usize, (pairs - wins) as usize), expected), "{wins} of {pairs}");
            }
        }
    }

    #[test]
    fn the_sign_test_neither_overflows_nor_loses_its_way_with_many_pairs() {
        // With many pairs the binomial is normal: 1.96 standard deviations off the middle, p is near 0.05.
        let pairs = 1_000_000;
        let p = sign_test(pairs / 2 + 980, pairs / 2 - 980).unwrap();
        assert!((p - 0.05).abs() < 2e-4, "{p}");
        assert_eq!(sign_test(5_000, 0), Some(0.0), "2^-4999 is below every float");
        assert_eq!(sign_test(100_000, 100_000), Some(1.0));
    }

    /// The interval from all n^n equally probable resamples.
    fn enumerated(values: &[i128]) -> Interval {
        let mut sums = vec![0];
        for _ in values {
            sums = sums.iter().flat_map(|sum| values.iter().map(move |value| sum + value)).collect();
        }
        sums.sort_unstable();
        let cut = sums.len() / 40;
        let mean = |sum: i128| sum as f64 / values.len() as f64;
        Interval { low: mean(sums[cut]), high: mean(sums[sums.len() - 1 - cut]) }
    }

    #[test]
    fn the_bootstrap_comes_near_the_interval_of_all_resamples() {
        // Metrics without gaps where the cuts fall; one resampled mean of 10,000 more or less moves them by a step.
        for values in [vec![1, 2, 3, 4, 5, 6], vec![-7, -2, 0, 1, 3, 10], vec![0, 1, 1, 2, 2, 3, 5]] {
            let (drawn, all) = (bootstrap_mean(&values, 1995).unwrap(), enumerated(&values));
            let step = 1.0 / values.len() as f64 + 1e-9;
            assert!((drawn.low - all.low).abs() <= step && (drawn.high - all.high).abs() <= step, "{drawn:?} {all:?}");
        }
    }

    #[test]
    fn the_bootstrap_depends_on_values_and_seed_alone() {
        let values = [4, -1, 9, 12, 3, 3, 8];
        assert_eq!(bootstrap_mean(&values, 7), bootstrap_mean(&values, 7));
        let moved: Vec<i128> = values.iter().map(|value| value + 100).collect();
        let (here, there) = (bootstrap_mean(&values, 7).unwrap(), bootstrap_mean(&moved, 7).unwrap());
        assert!((there.low - here.low - 100.0).abs() < 1e-9 && (there.high - here.high - 100.0).abs() < 1e-9);
        // Seen from the other side the interval is the same, turned round.
        let turned: Vec<i128> = values.iter().map(|value| -value).collect();
        let turned = bootstrap_mean(&turned, 7).unwrap();
        assert_eq!((turned.low, turned.high), (-here.high, -here.low));
        assert!(here.low <= mean(&values).unwrap() && mean(&values).unwrap() <= here.high);
    }

    #[test]
    fn few_values_have_no_interval() {
        assert_eq!((mean(&[]), bootstrap_mean(&[], 1)), (None, None));
        assert_eq!((mean(&[3]), bootstrap_mean(&[3], 1)), (Some(3.0), None));
        assert_eq!(bootstrap_mean(&[2, 2, 2], 1), Some(Interval { low: 2.0, high: 2.0 }));
        let most = i128::from(u64::MAX);
        assert_eq!(bootstrap_mean(&[most, most], 1).unwrap().low, u64::MAX as f64);
    }

    #[test]
    fn tau_b_counts_pairs_and_knows_ties() {
        let tau = |first: &[i32], second: &[i32]| {
            let sign = |of: &[i32], a: usize, b: usize| of[a].cmp(&of[b]) as i8;
            tau_b(first.len(), |a, b| [sign(first, a, b), sign(second, a, b)])
        };
        assert_eq!(tau(&[1, 2, 3, 4], &[1, 2, 3, 4]), Some(1.0));
        assert_eq!(tau(&[1, 2, 3, 4], &[4, 3, 2, 1]), Some(-1.0));
        // By hand: five pairs alike, one not.
        assert!(close(tau(&[1, 2, 3, 4], &[1, 2, 4, 3]), 4.0 / 6.0));
        // R 4: cor(c(1,2,2,3), c(1,2,3,3), method = "kendall") = 0.8: four pairs alike, five decided by either.
        assert!(close(tau(&[1, 2, 2, 3], &[1, 2, 3, 3]), 0.8));
        assert_eq!(tau(&[1, 1], &[1, 2]), None);
    }

    #[test]
    fn a_bootstrap_of_a_figure_that_is_often_missing_is_none() {
        let seldom = |chosen: &[usize]| (chosen[0] == 0).then_some(1.0);
        assert_eq!(bootstrap(10, 1, seldom), None);
        assert_eq!(bootstrap(10, 1, |_| Some(1.0)), Some(Interval { low: 1.0, high: 1.0 }));
    }
}
