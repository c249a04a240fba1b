//! The correction of p-values for the number of tests.

/// Corrects the p-values of a family of tests (Holm 1979). The k-th smallest of m is multiplied by m + 1 - k, and no result is
/// below that of a smaller value. If no effect exists, the probability that any corrected value is below a level is at most that
/// level. Missing values do not count as tests.
pub fn holm(family: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut tests: Vec<(usize, f64)> = family.iter().enumerate().filter_map(|(at, p)| Some((at, (*p)?))).collect();
    tests.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut corrected = vec![None; family.len()];
    let mut least = 0.0f64;
    for (rank, &(at, p)) in tests.iter().enumerate() {
        least = least.max((p * (tests.len() - rank) as f64).min(1.0));
        corrected[at] = Some(least);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_value_is_corrected_most() {
        // R 4: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") = 0.03 0.06 0.06 0.02.
        let corrected = holm(&[Some(0.01), Some(0.04), None, Some(0.03), Some(0.005)]);
        let expected = [Some(0.03), Some(0.06), None, Some(0.06), Some(0.02)];
        for (corrected, expected) in corrected.iter().zip(expected) {
            assert_eq!(corrected.is_some(), expected.is_some());
            assert!((corrected.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12, "{corrected:?} {expected:?}");
        }
        assert_eq!(holm(&[Some(0.3)]), [Some(0.3)]);
        assert_eq!(holm(&[Some(0.9), Some(0.8)]), [Some(1.0), Some(1.0)]);
        assert_eq!(holm(&[]), [] as [Option<f64>; 0]);
    }
}
