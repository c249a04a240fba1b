//! Random numbers that are the same every time.
//!
//! A strategy that decides by chance takes its seed from `--seed N` on its command line, see [`crate::enter_seeded`].

use rand::SeedableRng;

/// The generator all strategies draw from; its numbers do not change with the machine or the version.
pub type Random = rand_chacha::ChaCha8Rng;

/// The seed where none is given: the year of the contest.
pub const SEED: u64 = 1995;

/// The generator for a seed.
pub fn seeded(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}
