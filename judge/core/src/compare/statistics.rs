//! Statistics of paired values: the exact sign test, the percentile bootstrap, and Kendall's tau-b.
//!
//! They use basic arithmetic and a seeded ChaCha8 only, so every machine computes the same digits.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Resamples per bootstrap: Efron and Tibshirani recommend thousands for percentiles (An Introduction to the Bootstrap,
/// 1993, chapter 13).
pub const RESAMPLES: usize = 10_000;
/// The share of resampled values within an interval.
pub const CONFIDENCE: f64 = 0.95;
/// The number of resampled values cut off at either end: 2.5 %.
const CUT: usize = RESAMPLES / 40;

/// An interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Computes the two-sided p of the exact sign test (Arbuthnott 1710; Conover, Practical Nonparametric Statistics, 3.4):
/// the probability of a tally at least as uneven, if either side wins each pair with probability 1/2. The caller leaves
/// out ties. `None` without any pair.
pub(super) fn sign_test(wins: usize, losses: usize) -> Option<f64> {
    let pairs = wins + losses;
    if pairs == 0 {
        return None;
    }
    // The sum of C(pairs, k) / 2^pairs. The halvings are spread over the sum: 1/2^pairs alone may underflow a float,
    // and C(pairs, k) alone may overflow it.
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

/// Computes the mean; `None` without values.
pub(super) fn mean(values: &[i128]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<i128>() as f64 / values.len() as f64)
}

/// Computes the percentile bootstrap interval of the mean, see [`bootstrap`]; `None` for fewer than two values, which
/// have no spread.
pub(super) fn bootstrap_mean(values: &[i128], seed: u64) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let sum =
        |chosen: &[usize]| Some(chosen.iter().map(|&value| values[value]).sum::<i128>() as f64 / chosen.len() as f64);
    bootstrap(values.len(), seed, sum)
}

/// Computes the percentile bootstrap interval of a statistic (Efron 1979): draws [`RESAMPLES`] resamples, each of
/// `size` numbers below `size` with replacement, and drops the lowest and the highest 2.5 % of their statistics.
/// Resamples without a statistic are left out; `None` if more than 2.5 % are.
pub(super) fn bootstrap(size: usize, seed: u64, statistic: impl Fn(&[usize]) -> Option<f64>) -> Option<Interval> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen = vec![0; size];
    let mut values: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| {
            chosen.fill_with(|| random.random_range(0..size));
            statistic(&chosen)
        })
        .collect();
    if values.len() < RESAMPLES - CUT {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let cut = values.len() / 40;
    Some(Interval { low: values[cut], high: values[values.len() - 1 - cut] })
}

/// Computes Kendall's tau-b (Kendall 1945) of two orders of `size` things: pairs ordered alike minus pairs ordered
/// contrarily, divided by the geometric mean of the numbers of pairs that each order decides. For two things, `signs`
/// returns their order in each: negative, zero or positive. `None` if an order decides no pair.
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
    fn the_sign_test_agrees_with_a_naive_enumeration() {
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
    fn the_sign_test_neither_overflows_nor_loses_precision_with_many_pairs() {
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
    fn the_bootstrap_is_close_to_the_interval_of_all_resamples() {
        // Values without gaps at the cuts; one resampled mean of 10,000 more or less moves an end by one step.
        for values in [vec![1, 2, 3, 4, 5, 6], vec![-7, -2, 0, 1, 3, 10], vec![0, 1, 1, 2, 2, 3, 5]] {
            let (drawn, all) = (bootstrap_mean(&values, 1995).unwrap(), enumerated(&values));
            let step = 1.0 / values.len() as f64 + 1e-9;
            assert!((drawn.low - all.low).abs() <= step && (drawn.high - all.high).abs() <= step, "{drawn:?} {all:?}");
        }
    }

    #[test]
    fn the_bootstrap_depends_only_on_values_and_seed() {
        let values = [4, -1, 9, 12, 3, 3, 8];
        assert_eq!(bootstrap_mean(&values, 7), bootstrap_mean(&values, 7));
        let moved: Vec<i128> = values.iter().map(|value| value + 100).collect();
        let (here, there) = (bootstrap_mean(&values, 7).unwrap(), bootstrap_mean(&moved, 7).unwrap());
        assert!((there.low - here.low - 100.0).abs() < 1e-9 && (there.high - here.high - 100.0).abs() < 1e-9);
        // Negated values give the negated interval, with its ends swapped.
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
    fn tau_b_counts_pairs_and_handles_ties() {
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
    fn a_bootstrap_of_a_statistic_that_is_often_missing_is_none() {
        let seldom = |chosen: &[usize]| (chosen[0] == 0).then_some(1.0);
        assert_eq!(bootstrap(10, 1, seldom), None);
        assert_eq!(bootstrap(10, 1, |_| Some(1.0)), Some(Interval { low: 1.0, high: 1.0 }));
    }
}
