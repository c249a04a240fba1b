//! The permutation test of paired differences by sign flips.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of differences from which flips are drawn at random; below it, all are counted.
pub const EXACT_BELOW: usize = 20;
/// Random flips per test. With the observed signs they are 10,000.
pub const FLIPS: usize = 9_999;

/// Computes the two-sided p of the sign-flip test (Fisher, The Design of Experiments, 1935, 21): the share of all choices
/// of signs for which the sum of the differences is at least as far from 0. Differences of 0 change nothing and are left
/// out; `None` without any other.
///
/// Below [`EXACT_BELOW`] differences it counts all choices. Above, it draws [`FLIPS`] of them and adds the observed one
/// to both counts (Phipson and Smyth 2010). If none of these is as far from 0, p is Hoeffding's upper bound of the exact
/// value, if that is smaller (Hoeffding 1963). `slack` is the rounding error of a sum: sums that are closer count as
/// equal.
///
/// # Panics
///
/// If the sum of the differences, all with the same sign, exceeds 64 bits.
pub fn sign_flip_test(differences: &[i64], slack: i64, seed: u64) -> Option<f64> {
    let sizes: Vec<i64> = differences.iter().map(|difference| difference.abs()).filter(|size| *size > 0).collect();
    if sizes.is_empty() {
        return None;
    }
    let least = differences.iter().sum::<i64>().abs() - slack;
    let flips = Flips::from_sizes(&sizes);
    if sizes.len() < EXACT_BELOW {
        // By symmetry, the choices with a plus for the last difference are half of all.
        let half = 1u64 << (sizes.len() - 1);
        let far = (0..half).filter(|signs| flips.sum(&signs.to_le_bytes()).abs() >= least).count();
        return Some(far as f64 / half as f64);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut signs = vec![0u8; flips.sums.len()];
    let mut far = 0;
    for _ in 0..FLIPS {
        random.fill_bytes(&mut signs);
        far += usize::from(flips.sum(&signs).abs() >= least);
    }
    let drawn = (far + 1) as f64 / (FLIPS + 1) as f64;
    Some(if far == 0 { drawn.min(hoeffding(least, &sizes)) } else { drawn })
}

/// The sums of eight differences each, for every choice of their signs.
struct Flips {
    sums: Vec<[i64; 256]>,
}

impl Flips {
    fn from_sizes(sizes: &[i64]) -> Self {
        let sums = sizes.chunks(8).map(|eight| {
            let mut sums = [0; 256];
            for (signs, sum) in sums.iter_mut().enumerate() {
                let signed =
                    eight.iter().enumerate().map(|(at, size)| if signs >> at & 1 == 1 { -size } else { *size });
                *sum = signed.sum();
            }
            sums
        });
        Self { sums: sums.collect() }
    }

    /// Computes the sum for a choice of signs: a bit per difference, 1 for a minus.
    fn sum(&self, signs: &[u8]) -> i64 {
        self.sums.iter().zip(signs).map(|(sums, signs)| sums[usize::from(*signs)]).sum()
    }
}

/// Computes Hoeffding's bound: the probability that a sum with random signs is at least that far from 0 is at most
/// 2·exp(-sum² / 2Σd²).
fn hoeffding(sum: i64, sizes: &[i64]) -> f64 {
    let sum = sum.max(0) as f64;
    let squares: f64 = sizes.iter().map(|size| (*size as f64) * (*size as f64)).sum();
    2.0 * exp_of_minus(sum * sum / (2.0 * squares))
}

/// Computes exp(-x) from above for x of 0 or more. The platform's own function may differ in the last digit.
fn exp_of_minus(x: f64) -> f64 {
    let mut halvings = 0;
    let mut part = x;
    while part > 0.01 {
        (part, halvings) = (part / 2.0, halvings + 1);
    }
    // 1 - x + x²/2 is above exp(-x), and so are its squares.
    let mut value = 1.0 - part + part * part / 2.0;
    for _ in 0..halvings {
        value *= value;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_differences_are_counted_exactly() {
        let p = |differences: &[i64]| sign_flip_test(differences, 0, 1);
        assert_eq!(p(&[]), None);
        assert_eq!(p(&[0, 0]), None);
        assert_eq!(p(&[3]), Some(1.0));
        // All of one sign: only both extremes are as far from 0.
        assert_eq!(p(&[1, 2, 3, 4, 5]), Some(2.0 / 32.0));
        assert_eq!(p(&[0, -1, -2, -3, -4, -5, -6, 0]), Some(2.0 / 64.0));
        // scipy.stats.permutation_test(([3, -1, 4, 1, -5, 9, 2],), numpy.sum, permutation_type="samples"): 0.359375.
        assert_eq!(p(&[3, -1, 4, 1, -5, 9, 2]), Some(0.359375));
    }

    #[test]
    fn the_exact_test_agrees_with_a_naive_enumeration() {
        let values: Vec<i64> = vec![12, -3, 7, 7, -20, 1, 4, -4, 15, 2, 9, -11];
        for size in 1..=values.len() {
            let values = &values[..size];
            let sum = |signs: u32| -> i64 {
                values.iter().enumerate().map(|(at, value)| if signs >> at & 1 == 1 { -value } else { *value }).sum()
            };
            let far = (0..1u32 << size).filter(|signs| sum(*signs).abs() >= sum(0).abs()).count();
            let expected = far as f64 / f64::from(1u32 << size);
            assert_eq!(sign_flip_test(values, 0, 1), Some(expected), "{size}");
        }
    }

    #[test]
    fn drawn_flips_are_close_to_all_flips() {
        // Nineteen differences are counted, and a twentieth that is too small to matter makes the same test draw.
        let counted: Vec<i64> = (0..19).map(|at| (at * 37 % 23 - 8) * 1000).collect();
        let drawn = [counted.clone(), vec![1]].concat();
        let [exact, near] = [counted, drawn].map(|values| sign_flip_test(&values, 2, 7).unwrap());
        // Three standard deviations of a share of 10,000.
        assert!((exact - near).abs() < 3.0 * (exact * (1.0 - exact) / 10_000.0).sqrt() + 1e-4, "{exact} {near}");
        assert_eq!(sign_flip_test(&[5; 30], 0, 7), sign_flip_test(&[5; 30], 0, 7));
    }

    #[test]
    fn a_p_below_the_resolution_of_the_flips_is_an_upper_bound() {
        let p = sign_flip_test(&[10; 200], 0, 1).unwrap();
        assert!(p > 2.0 * 0.5f64.powi(200) && p < 1e-40, "{p}");
        assert!((exp_of_minus(1.0) - (-1.0f64).exp()).abs() < 1e-5 && exp_of_minus(1.0) >= (-1.0f64).exp());
        assert_eq!((exp_of_minus(0.0), exp_of_minus(1e9)), (1.0, 0.0));
    }

    #[test]
    fn sums_within_the_slack_are_equal() {
        // Thirds rounded up to billionths: 333,333,334 three times is no farther from 0 than a whole.
        let values = [333_333_334, 333_333_334, 333_333_334, -1_000_000_000];
        assert_eq!(sign_flip_test(&values, 4, 1), Some(1.0));
    }
}
