//! Rotations and reflections of the board about its centre, under which moves stay moves.

use crate::geometry::{SIDE, SPOTS};
use crate::position::byte;

/// The image of every spot.
pub type Symmetry = [u8; SPOTS];

/// The symmetry that keeps every spot.
pub fn identity() -> Symmetry {
    std::array::from_fn(byte)
}

/// The reflection in the main diagonal, which keeps the last spot.
pub fn mirror() -> Symmetry {
    std::array::from_fn(|spot| byte(spot % SIDE * SIDE + spot / SIDE))
}

/// A clockwise rotation by 90 degrees.
pub fn quarter_turn() -> Symmetry {
    std::array::from_fn(|spot| byte(spot % SIDE * SIDE + SIDE - 1 - spot / SIDE))
}

/// All symmetries of the board.
pub fn all() -> [Symmetry; 8] {
    let mut turned = identity();
    let mut symmetries = [turned; 8];
    for pair in symmetries.chunks_exact_mut(2) {
        pair.copy_from_slice(&[turned, compose(&turned, &mirror())]);
        turned = compose(&turned, &quarter_turn());
    }
    symmetries
}

/// Two symmetries, one after the other.
pub fn compose(first: &Symmetry, second: &Symmetry) -> Symmetry {
    first.map(|spot| second[usize::from(spot)])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::geometry::{CENTRE, Geometry};

    #[test]
    fn symmetries_keep_legal_moves() {
        for board in [Geometry::new(SIDE), Geometry::new(SIDE).reversed()] {
            for symmetry in all() {
                let image = |spot: usize| usize::from(symmetry[spot]);
                assert_eq!(image(CENTRE), CENTRE);
                for spot in 0..SPOTS {
                    let mut there: Vec<usize> = board.targets(spot).iter().map(|&to| image(to)).collect();
                    let mut expected = board.targets(image(spot)).to_vec();
                    there.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(there, expected);
                }
            }
        }
        assert_eq!(usize::from(mirror()[SPOTS - 1]), SPOTS - 1);
        assert_eq!(quarter_turn()[..3], [4, 9, 14], "the first row becomes the last column");
        assert_eq!(all().into_iter().collect::<HashSet<_>>().len(), 8);
        assert_eq!((0..4).fold(identity(), |turned, _| compose(&turned, &quarter_turn())), identity());
    }
}
