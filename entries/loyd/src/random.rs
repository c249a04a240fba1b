//! Random numbers that are the same every time.
//!
//! A randomised strategy takes its seed from `--seed N` on its command line, see [`crate::enter_seeded`].

use rand::SeedableRng;

use crate::board::Board;

/// The generator of all strategies; its numbers do not depend on the machine or the version.
pub type Random = rand_chacha::ChaCha8Rng;

/// The default seed: the year of the contest.
pub const SEED: u64 = 1995;

/// The generator for a seed.
pub fn seeded(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// A generator whose numbers depend on the board alone, so that a randomised score of a board is always the same.
pub fn for_board(board: &Board) -> Random {
    let mut seed = <Random as SeedableRng>::Seed::default();
    for (byte, of_key) in seed.iter_mut().zip(board.key().0.to_le_bytes()) {
        *byte = of_key;
    }
    Random::from_seed(seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn a_seed_decides_the_numbers() {
        let drawn = |mut random: Random| random.random::<u64>();
        assert_eq!(drawn(seeded(7)), drawn(seeded(7)));
        assert_ne!(drawn(seeded(7)), drawn(seeded(8)));
    }

    #[test]
    fn a_board_decides_the_numbers() {
        let drawn = |mut random: Random| random.random::<u64>();
        let near: Board = "ABCDE FGHIJ KLMNO PQRS+ UVWXT".parse().expect("a board");
        assert_eq!(drawn(for_board(&near)), drawn(for_board(&near)));
        assert_ne!(drawn(for_board(&near)), drawn(for_board(&Board::perfection())));
    }
}
