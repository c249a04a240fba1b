//! Random boards for the experiments.

use loyd_house::geometry::SPOTS;
use loyd_house::position::byte;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

/// The occupant of each spot.
pub(crate) type Occupants = [u8; SPOTS];

/// A random board, each with the same probability.
pub(crate) fn shuffled(random: &mut ChaCha8Rng) -> Occupants {
    let mut occupants: Occupants = std::array::from_fn(byte);
    occupants.shuffle(random);
    occupants
}
