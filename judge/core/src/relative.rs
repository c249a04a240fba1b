//! The relative score: the value of the best answer divided by that of the entry's answer, and 0 for an unsolved board.
//!
//! Planning competitions have used this score since 2008 (Helmert, Do and Refanidis, "IPC-2008 deterministic part"). It accounts
//! for failures: another solved board never lowers a sum, and a missing answer to a difficult board never raises a mean.
//!
//! Scores are whole billionths, so that sums do not depend on their order and equal entries tie exactly.

use judge_job::named;

/// The score of an answer as good as the best, in billionths.
pub const ONE: u64 = 1_000_000_000;

named! {
    /// The direction in which values are better.
    pub enum Direction {
        /// Less is better, such as fewer moves.
        Down = "down",
        /// More is better, such as more points.
        Up = "up",
    }
}

/// Returns the best of the known value and the values of answers; `None` without any.
pub fn best(values: impl Iterator<Item = u64>, known: Option<u64>, direction: Direction) -> Option<u64> {
    let all = values.chain(known);
    match direction {
        Direction::Down => all.min(),
        Direction::Up => all.max(),
    }
}

/// Computes the score of one answer in billionths, rounded to the nearest. `best` is at least as good as `own`.
///
/// If the best value is 0, an answer with 0 gets the full score and every other answer gets 0. No constant is added to the
/// values, so the decimals of points do not matter. This is rule 38 of docs/scoring.md.
pub fn answer_score(own: Option<u64>, best: Option<u64>, direction: Direction) -> u64 {
    let Some((own, best)) = own.zip(best) else { return 0 };
    let (part, whole) = match direction {
        Direction::Down => (u128::from(best), u128::from(own)),
        Direction::Up => (u128::from(own), u128::from(best)),
    };
    if part >= whole {
        return ONE;
    }
    let part = part * u128::from(ONE);
    u64::try_from((2 * part + whole) / (2 * whole)).unwrap_or(ONE)
}

/// Converts billionths to a share of 1.
pub fn share(billionths: u64) -> f64 {
    billionths as f64 / ONE as f64
}

/// Formats billionths with four decimals, rounded to the nearest: `1.6667`.
pub fn text(billionths: u64) -> String {
    let rounded = billionths.saturating_add(50_000) / 100_000;
    format!("{}.{:04}", rounded / 10_000, rounded % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scores of all entries on one board. `values` are those of their answers.
    fn board_scores(values: &[Option<u64>], known: Option<u64>, direction: Direction) -> Vec<u64> {
        let best = best(values.iter().flatten().copied(), known, direction);
        values.iter().map(|&own| answer_score(own, best, direction)).collect()
    }

    #[test]
    fn a_score_is_a_share_of_the_best() {
        let values = [Some(80), Some(100), None, Some(160)];
        assert_eq!(board_scores(&values, None, Direction::Down), [ONE, 800_000_000, 0, 500_000_000]);
        assert_eq!(board_scores(&values, Some(40), Direction::Down), [500_000_000, 400_000_000, 0, 250_000_000]);
        // An answer better than the best known one is the best.
        assert_eq!(board_scores(&values, Some(90), Direction::Down), [ONE, 800_000_000, 0, 500_000_000]);
        assert_eq!(board_scores(&[Some(3)], Some(1), Direction::Down), [333_333_333], "rounded to the nearest");
        assert_eq!(board_scores(&[None, None], None, Direction::Down), [0, 0]);
    }

    #[test]
    fn more_points_score_more() {
        let values = [Some(80), Some(100), None, Some(0)];
        assert_eq!(board_scores(&values, None, Direction::Up), [800_000_000, ONE, 0, 0]);
        assert_eq!(board_scores(&values, Some(200), Direction::Up), [400_000_000, 500_000_000, 0, 0]);
    }

    #[test]
    fn a_board_whose_best_is_zero_has_scores() {
        for values in [[Some(0), Some(4), None], [Some(0), Some(4000), None]] {
            assert_eq!(board_scores(&values, None, Direction::Down), [ONE, 0, 0], "decimals do not matter");
        }
        assert_eq!(board_scores(&[Some(0), None], None, Direction::Up), [ONE, 0]);
        assert_eq!(board_scores(&[Some(u64::MAX), Some(u64::MAX - 1)], None, Direction::Down), [ONE, ONE]);
    }
}
