//! The permutation test of a ranking by sign flips.

use std::cell::LazyCell;
use std::iter;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of differences from which flips are drawn at random; below it, all are counted.
pub const EXACT_BELOW: usize = 20;
/// Random flips per test. With the observed signs they are 10,000.
pub const FLIPS: usize = 9_999;
/// Flips that are drawn and summed together. Their signs for 1,000 boards fit the first cache of a processor.
const TOGETHER: usize = 128;

/// Computes the two-sided p of the sign-flip test (Fisher, The Design of Experiments, 1935, 21) of a ranking. For each figure of
/// the ranking, in deciding order, `gains` has the lead of one of two entries on each board. Exchanging the two on a board
/// changes its sign in all figures. p is the share of all choices of exchanged boards for which one of the two ranks at least as
/// far above the other. As for places, the first figure whose sum differs decides. So a late figure counts for little if an
/// earlier one differs on single boards. Boards without a difference are left out; `None` if no board is left.
///
/// Below [`EXACT_BELOW`] differences, it counts all choices. Above, it draws [`FLIPS`] of them and adds the observed one to both
/// counts (Phipson and Smyth 2010). If none of these is as far, p is Hoeffding's upper bound of the exact value if that is
/// smaller (Hoeffding 1963).
///
/// # Panics
///
/// If the figures have different numbers of boards.
pub fn sign_flip_test(gains: &[Vec<i128>], seed: u64) -> Option<f64> {
    let figures: Vec<&Vec<i128>> = gains.iter().filter(|gains| gains.iter().any(|gain| *gain != 0)).collect();
    let all = figures.first()?.len();
    assert!(figures.iter().all(|gains| gains.len() == all), "a gain per figure and board");
    let boards: Vec<usize> = (0..all).filter(|&board| figures.iter().any(|gains| gains[board] != 0)).collect();
    let figures: Vec<Vec<i64>> = figures.into_iter().map(|gains| small(gains, &boards)).collect();
    let observed: Vec<i64> = normalized(figures.iter().map(|gains| gains.iter().sum())).collect();
    // The first figure that differs decides, so the others are seldom needed.
    let flips: Vec<LazyCell<Flips, _>> =
        figures.iter().map(|gains| LazyCell::new(|| Flips::from_gains(gains))).collect();
    let is_far = |(signs, first): (&[u8], i64)| {
        let others = flips[1..].iter().map(|flips| flips.sum(signs));
        normalized(iter::once(first).chain(others)).ge(observed.iter().copied())
    };
    let bytes = boards.len().div_ceil(8);
    if boards.len() < EXACT_BELOW {
        // By symmetry, half of all choices have a plus for the last board.
        let half = 1u64 << (boards.len() - 1);
        let choices = (0..half).map(u64::to_le_bytes);
        let far = choices.filter(|signs| is_far((&signs[..bytes], flips[0].sum(signs)))).count();
        return Some(far as f64 / half as f64);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut far = 0;
    let mut signs = vec![0u8; bytes * TOGETHER];
    for begun in (0..FLIPS).step_by(TOGETHER) {
        let signs = &mut signs[..bytes * TOGETHER.min(FLIPS - begun)];
        signs.chunks_mut(bytes).for_each(|signs| random.fill_bytes(signs));
        far += signs.chunks(bytes).zip(flips[0].sums(signs, bytes)).filter(|drawn| is_far(*drawn)).count();
    }
    let drawn = (far + 1) as f64 / (FLIPS + 1) as f64;
    Some(if far == 0 { drawn.min(hoeffding(observed[0], &figures[0])) } else { drawn })
}

/// The gains on these boards as 64-bit numbers whose sums also fit. Gains that are too large lose their last bits.
fn small(gains: &[i128], boards: &[usize]) -> Vec<i64> {
    let sum = boards.iter().fold(0u128, |sum, &board| sum.saturating_add(gains[board].unsigned_abs()));
    let shift = (128 - sum.leading_zeros()).saturating_sub(62);
    boards.iter().map(|&board| i64::try_from(gains[board] >> shift).unwrap_or(i64::MAX)).collect()
}

/// Changes the signs of all sums if the first one that is not 0 is negative.
fn normalized(sums: impl Iterator<Item = i64>) -> impl Iterator<Item = i64> {
    let mut sign = 0;
    sums.map(move |sum| {
        if sign == 0 {
            sign = sum.signum();
        }
        sum * sign
    })
}

/// The sums of groups of eight differences, for every choice of their signs. Groups without a difference are left out: a figure
/// often differs on few boards. No sum of sums overflows, see [`small`].
struct Flips {
    /// The byte of a choice with the signs of each group.
    places: Vec<usize>,
    sums: Vec<[i64; 256]>,
}

impl Flips {
    fn from_gains(gains: &[i64]) -> Self {
        let differing = gains.chunks(8).enumerate().filter(|(_, eight)| eight.iter().any(|gain| *gain != 0));
        let groups = differing.map(|(place, eight)| {
            let mut sums = [eight.iter().sum::<i64>(); 256];
            for signs in 1..sums.len() {
                // The choice differs from an earlier one by its lowest minus. The last group may have fewer than eight
                // differences.
                let turned = eight.get(signs.trailing_zeros() as usize).map_or(0, |gain| 2 * gain);
                sums[signs] = sums[signs & (signs - 1)] - turned;
            }
            (place, sums)
        });
        let (places, sums) = groups.unzip();
        Self { places, sums }
    }

    /// Computes the sum for a choice of signs: a bit per difference, 1 for a minus.
    fn sum(&self, signs: &[u8]) -> i64 {
        let groups = self.sums.iter().zip(&self.places);
        groups.map(|(sums, &place)| sums[usize::from(signs[place])]).fold(0, i64::wrapping_add)
    }

    /// Computes the sums for several choices, each of this many bytes. Four groups after four stay in the processor's cache for
    /// all choices: fewer would add to each total more often, more would not fit.
    fn sums(&self, signs: &[u8], bytes: usize) -> Vec<i64> {
        let mut totals = vec![0_i64; signs.len() / bytes];
        let (fours, others) = self.sums.as_chunks::<4>();
        let (places, other_places) = self.places.as_chunks::<4>();
        for ([a, b, c, d], places) in fours.iter().zip(places) {
            for (total, signs) in totals.iter_mut().zip(signs.chunks_exact(bytes)) {
                let [i, j, k, l] = places.map(|place| usize::from(signs[place]));
                *total = total.wrapping_add(a[i]).wrapping_add(b[j]).wrapping_add(c[k]).wrapping_add(d[l]);
            }
        }
        for (sums, &place) in others.iter().zip(other_places) {
            for (total, signs) in totals.iter_mut().zip(signs.chunks_exact(bytes)) {
                *total = total.wrapping_add(sums[usize::from(signs[place])]);
            }
        }
        totals
    }
}

/// Computes Hoeffding's bound. The probability that a sum with random signs is at least that far from 0 is at most 2·exp(-sum² /
/// 2Σd²).
fn hoeffding(sum: i64, sizes: &[i64]) -> f64 {
    let sum = sum.max(0) as f64;
    let squares: f64 = sizes.iter().map(|size| (*size as f64) * (*size as f64)).sum();
    2.0 * exp_of_minus(sum * sum / (2.0 * squares))
}

/// Computes an upper bound of exp(-x) for x of 0 or more. The platform's own function may differ in the last digit.
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

    fn p(gains: &[i128]) -> Option<f64> {
        sign_flip_test(&[gains.to_vec()], 1)
    }

    #[test]
    fn few_differences_are_counted_exactly() {
        assert_eq!(sign_flip_test(&[], 1), None);
        assert_eq!(p(&[]), None);
        assert_eq!(p(&[0, 0]), None);
        assert_eq!(p(&[3]), Some(1.0));
        // All have one sign: only both extremes are as far from 0.
        assert_eq!(p(&[1, 2, 3, 4, 5]), Some(2.0 / 32.0));
        assert_eq!(p(&[0, -1, -2, -3, -4, -5, -6, 0]), Some(2.0 / 64.0));
        // scipy.stats.permutation_test(([3, -1, 4, 1, -5, 9, 2],), numpy.sum, permutation_type="samples"): 0.359375.
        assert_eq!(p(&[3, -1, 4, 1, -5, 9, 2]), Some(0.359375));
    }

    #[test]
    fn the_exact_test_agrees_with_a_naive_enumeration() {
        let first: Vec<i128> = vec![1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0];
        let second: Vec<i128> = vec![12, -3, 7, 7, -20, 1, 4, -4, 15, 2, 9, -11];
        let sums = |figures: &[Vec<i128>], signs: u32| -> Vec<i128> {
            let flip = |at: usize, value: i128| if signs >> at & 1 == 1 { -value } else { value };
            let sums: Vec<i128> = figures
                .iter()
                .map(|gains| gains.iter().enumerate().map(|(at, value)| flip(at, *value)).sum())
                .collect();
            let turned: Vec<i128> = sums.iter().map(|sum| -sum).collect();
            sums.max(turned)
        };
        for size in 1..=second.len() {
            for figures in [vec![second[..size].to_vec()], vec![first[..size].to_vec(), second[..size].to_vec()]] {
                let observed = sums(&figures, 0);
                let far = (0..1u32 << size).filter(|signs| sums(&figures, *signs) >= observed).count();
                let expected = far as f64 / f64::from(1u32 << size);
                assert_eq!(sign_flip_test(&figures, 1), Some(expected), "{size}, {} figures", figures.len());
            }
        }
    }

    #[test]
    fn a_later_figure_decides_nothing_while_an_earlier_one_could_be_chance() {
        // Each solves a board that the other one does not, and one needs fewer moves on all other boards.
        let (mut solved, mut moves) = (vec![0; 100], vec![5; 100]);
        (solved[0], solved[1], moves[0], moves[1]) = (1, -1, 0, 0);
        assert!(sign_flip_test(&[solved, moves.clone()], 1).unwrap() > 0.45);
        assert!(sign_flip_test(&[vec![0; 100], moves], 1).unwrap() < 1e-10);
    }

    #[test]
    fn drawn_flips_are_close_to_all_flips() {
        // Nineteen differences are counted exactly. A twentieth that is too small to matter makes the same test draw.
        let counted: Vec<i128> = (0..19).map(|at| (at * 37 % 23 - 8) * 1_000_000 + at * at * 7_919).collect();
        let drawn = [counted.clone(), vec![1]].concat();
        let [exact, near] = [counted, drawn].map(|values| sign_flip_test(&[values], 7).unwrap());
        // Three standard errors of a share of 10,000.
        assert!((exact - near).abs() < 3.0 * (exact * (1.0 - exact) / 10_000.0).sqrt() + 1e-4, "{exact} {near}");
        assert_eq!(sign_flip_test(&[vec![5; 30]], 7), sign_flip_test(&[vec![5; 30]], 7));
    }

    #[test]
    fn sums_of_drawn_signs_are_those_of_the_differences() {
        // Groups of eight without a difference, and a last group of three.
        for differing in [vec![], vec![17], vec![0, 9, 40, 66], (0..67).collect::<Vec<usize>>()] {
            let mut gains = vec![0_i64; 67];
            differing.iter().for_each(|&board| gains[board] = 5 - i64::try_from(board * board % 97).unwrap());
            let (flips, bytes) = (Flips::from_gains(&gains), gains.len().div_ceil(8));
            let signs: Vec<u8> = (0..bytes * 30).map(|at| u8::try_from(at * 167 % 251).unwrap()).collect();
            let expected: Vec<i64> = signs
                .chunks(bytes)
                .map(|signs| {
                    let sign = |board: usize| if signs[board / 8] >> (board % 8) & 1 == 1 { -1 } else { 1 };
                    gains.iter().enumerate().map(|(board, gain)| sign(board) * gain).sum()
                })
                .collect();
            assert_eq!(flips.sums(&signs, bytes), expected, "{differing:?}");
            assert_eq!(
                signs.chunks(bytes).map(|signs| flips.sum(signs)).collect::<Vec<_>>(),
                expected,
                "{differing:?}"
            );
        }
    }

    #[test]
    fn a_p_below_the_resolution_of_the_flips_is_an_upper_bound() {
        let p = sign_flip_test(&[vec![10; 200]], 1).unwrap();
        assert!(p > 2.0 * 0.5f64.powi(200) && p < 1e-40, "{p}");
        assert!((exp_of_minus(1.0) - (-1.0f64).exp()).abs() < 1e-5 && exp_of_minus(1.0) >= (-1.0f64).exp());
        assert_eq!((exp_of_minus(0.0), exp_of_minus(1e9)), (1.0, 0.0));
    }

    #[test]
    fn gains_of_any_size_have_sums() {
        let large = i128::from(u64::MAX);
        assert_eq!(p(&[large, large, large, large, large, -1]), Some(2.0 / 32.0));
    }
}
