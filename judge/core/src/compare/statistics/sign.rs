//! The sign test, and the interval for a median that it implies.

use super::Interval;
use crate::compare::significance::SIGNIFICANT;

/// The fewest values with an interval. With five, even the least and the greatest enclose the median in only 94 % of samples.
pub const MIN_VALUES: usize = 6;

/// Computes the two-sided p of the exact sign test (Arbuthnott 1710; Conover, Practical Nonparametric Statistics, 3.4). It is the
/// probability of a count at least as uneven, if either side wins each pair with probability 1/2. The caller leaves out ties.
/// `None` without any pair.
pub fn sign_test(wins: usize, losses: usize) -> Option<f64> {
    let pairs = wins + losses;
    if pairs == 0 {
        return None;
    }
    // The sum of C(pairs, k) / 2^pairs. The halvings are spread over the sum, because 1/2^pairs alone may underflow a float, and
    // C(pairs, k) alone may overflow it.
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

/// Computes the probability that the sign test of this number of decided pairs has p below [`SIGNIFICANT`] if neither side is
/// better. It is 0 for at most five pairs, and otherwise at most [`SIGNIFICANT`].
pub fn chance_of_significance(decided: usize) -> f64 {
    let significant = |wins: usize| sign_test(wins, decided - wins).filter(|p| *p < SIGNIFICANT);
    // A count at least as uneven as the least uneven significant one has the p of that one as its probability.
    match least_even(decided, |wins| significant(wins).is_some()) {
        Some(wins) => significant(wins).unwrap_or_default(),
        None => 0.0,
    }
}

/// Computes the median. For an even number of values, it is the mean of the middle two. `None` without values.
pub fn median(values: &[i128]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let (low, high) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some((*low as f64 + *high as f64) / 2.0)
}

/// Computes a 95 % interval for the median of the distribution of the values. It reaches from the k-th least to the k-th greatest
/// value. k is the largest number for which the sign test rejects every median outside (Thompson 1936; Conover, 3.2). It covers
/// the median of any distribution with at least that probability, including ties. `None` below [`MIN_VALUES`] values.
pub fn median_interval(values: &[i128]) -> Option<Interval> {
    let below = least_even(values.len(), |wins| {
        sign_test(wins, values.len() - wins).is_some_and(|p| p <= 1.0 - super::CONFIDENCE + 1e-12)
    })?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    Some(Interval { low: sorted[below] as f64, high: sorted[sorted.len() - 1 - below] as f64 })
}

/// Returns the largest number of wins, below half of the pairs, that meets a condition. The condition must be true for all
/// numbers up to that one. `None` if it is true for none.
fn least_even(pairs: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut low, mut high) = (0, pairs.div_ceil(2));
    while low < high {
        let middle = low + (high - low) / 2;
        (low, high) = if holds(middle) { (middle + 1, high) } else { (low, middle) };
    }
    low.checked_sub(1)
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
        // With many pairs, the binomial distribution is normal. At 1.96 standard deviations from the middle, p is near 0.05.
        let pairs = 1_000_000;
        let p = sign_test(pairs / 2 + 980, pairs / 2 - 980).unwrap();
        assert!((p - 0.05).abs() < 2e-4, "{p}");
        assert_eq!(sign_test(5_000, 0), Some(0.0), "2^-4999 is below every float");
        assert_eq!(sign_test(100_000, 100_000), Some(1.0));
    }

    #[test]
    fn the_chance_of_significance_is_that_of_all_outcomes() {
        for pairs in 0..=14u32 {
            let p = |wins: u32| sign_test(wins as usize, (pairs - wins) as usize);
            let significant =
                (0..1u32 << pairs).filter(|outcome| p(outcome.count_ones()).is_some_and(|p| p < SIGNIFICANT));
            let expected = significant.count() as f64 / f64::from(1 << pairs);
            assert!((chance_of_significance(pairs as usize) - expected).abs() < 1e-12, "{pairs}");
        }
        assert_eq!(chance_of_significance(5), 0.0);
        assert!((0.03..SIGNIFICANT).contains(&chance_of_significance(200)));
    }

    #[test]
    fn the_interval_of_the_median_has_the_ranks_of_the_tables() {
        // Conover, table A3; R 4: qbinom(0.025, n, 0.5) gives the first rank: 1, 2, 3, 6, 18, 86.
        for (size, rank) in [(6, 1), (9, 2), (12, 3), (20, 6), (50, 18), (200, 86)] {
            let values: Vec<i128> = (1..=size).collect();
            let expected = Interval { low: rank as f64, high: (size + 1 - rank) as f64 };
            assert_eq!(median_interval(&values), Some(expected), "{size}");
        }
        assert_eq!(median_interval(&[1, 2, 3, 4, 5]), None);
        assert_eq!(median_interval(&[7; MIN_VALUES]), Some(Interval { low: 7.0, high: 7.0 }));
        assert_eq!((median(&[]), median(&[4]), median(&[9, 1, 4, 2])), (None, Some(4.0), Some(3.0)));
    }
}
