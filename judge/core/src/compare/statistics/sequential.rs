//! A sign test that may stop at any time.

use crate::compare::significance::SIGNIFICANT;

/// A sign test by betting, whose result is valid at any time.
///
/// A gambler begins with 1 and bets on the next board against the claim that either side wins it with probability 1/2. The share
/// of the capital on a side is the share of boards that it has won, counted from one each (Laplace's rule). If the claim is
/// right, the capital is a martingale. Then it ever reaches 1/p with probability at most p (Ville, Étude critique de la notion de
/// collectif, 1939). Robbins (Annals of Mathematical Statistics 41, 1970) and Ramdas, Grünwald, Vovk and Shafer (Statistical
/// Science 38, 2023) describe such tests. Ties are left out.
///
/// The order of the boards must not depend on their results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BettingTest {
    wins: usize,
    losses: usize,
    capital: f64,
    most: f64,
}

impl Default for BettingTest {
    fn default() -> Self {
        Self { wins: 0, losses: 0, capital: 1.0, most: 1.0 }
    }
}

impl BettingTest {
    /// Adds a board that one side won: the first side if `win` is true.
    pub fn add(&mut self, win: bool) {
        let side = if win { &mut self.wins } else { &mut self.losses };
        let before = *side as f64;
        *side += 1;
        // A fair bet doubles the share of the capital on the winning side.
        self.capital *= 2.0 * (before + 1.0) / (self.wins + self.losses + 1) as f64;
        self.most = self.most.max(self.capital);
    }

    /// The boards that the first side won, and those that the second won.
    pub fn tally(&self) -> (usize, usize) {
        (self.wins, self.losses)
    }

    /// The two-sided p: 1 divided by the largest capital so far. It is valid however often it is read.
    pub fn p(&self) -> f64 {
        1.0 / self.most
    }

    /// Tests whether one side wins significantly more boards: p is at most [`SIGNIFICANT`].
    pub fn decided(&self) -> bool {
        self.p() <= SIGNIFICANT
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn after(results: &[bool]) -> BettingTest {
        let mut test = BettingTest::default();
        results.iter().for_each(|win| test.add(*win));
        test
    }

    #[test]
    fn the_capital_is_that_of_the_uniform_mixture() {
        // 2^n w! l! / (n + 1)!: for 3 of 4, 16 · 6 · 1 / 120.
        let test = after(&[true, true, false, true]);
        assert!((test.capital - 0.8).abs() < 1e-12);
        assert_eq!(test.tally(), (3, 1));
        assert!((test.p() - 3.0 / 4.0).abs() < 1e-12, "after the second win it was 4 · 2 / 6");
        // At least eight of eight are needed: 2^7 / 8 is 16, 2^8 / 9 is 28.4.
        assert!(!after(&[true; 7]).decided() && after(&[true; 8]).decided() && after(&[false; 8]).decided());
    }

    /// The probability that the test ever decides within this number of boards, if either side wins each with probability 1/2. It
    /// sums over all paths.
    fn exact_error(boards: usize) -> f64 {
        let mut error = 0.0;
        // The probability of each number of wins without a decision so far, with its capital.
        let mut undecided = vec![(1.0, 1.0)];
        for played in 0..boards {
            let mut next = vec![(0.0, 0.0); undecided.len() + 1];
            for (wins, (probability, capital)) in undecided.into_iter().enumerate().filter(|(_, (p, _))| *p > 0.0) {
                for (add, before) in [(1, wins), (0, played - wins)] {
                    let capital = capital * 2.0 * (before + 1) as f64 / (played + 2) as f64;
                    if capital >= 1.0 / SIGNIFICANT {
                        error += probability / 2.0;
                    } else {
                        next[wins + add].0 += probability / 2.0;
                        next[wins + add].1 = capital;
                    }
                }
            }
            undecided = next;
        }
        error
    }

    #[test]
    fn it_errs_as_rarely_as_its_level() {
        let error = exact_error(2_000);
        assert!((0.01..SIGNIFICANT).contains(&error), "{error}");
        let mut random = ChaCha8Rng::seed_from_u64(1995);
        let mut decided = |share: f64, boards: usize| {
            const TRIALS: usize = 4_000;
            let trial = |_: &usize| {
                let mut test = BettingTest::default();
                (0..boards).any(|_| {
                    test.add(f64::from(random.next_u32()) < share * 2f64.powi(32));
                    test.decided()
                })
            };
            (0..TRIALS).filter(trial).count() as f64 / TRIALS as f64
        };
        // Read after every board, with equally good sides: within three standard errors of the exact value.
        let simulated = decided(0.5, 1_000);
        assert!((simulated - exact_error(1_000)).abs() < 3.0 * (0.05f64 * 0.95 / 4_000.0).sqrt(), "{simulated}");
        let found = decided(0.75, 100);
        assert!(found > 0.95, "three of four boards are won: {found}");
    }
}
