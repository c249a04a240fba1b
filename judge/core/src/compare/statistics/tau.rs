//! Kendall's rank correlation, a measure of the agreement of two orders.

/// Computes Kendall's tau-b (Kendall 1945) of two orders of `size` items. It is the number of pairs ordered alike minus the
/// number ordered contrarily, divided by the geometric mean of the numbers of pairs that each order decides. For two items,
/// `signs` returns their order in each: negative, zero or positive. `None` if an order decides no pair.
pub fn tau_b(size: usize, signs: impl Fn(usize, usize) -> [i8; 2]) -> Option<f64> {
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
    fn tau_b_counts_the_pairs_that_are_decided() {
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
}
