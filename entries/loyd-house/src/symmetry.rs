//! Turns and reflections of the board about its centre, under which moves stay moves.

use crate::geometry::{SIDE, SPOTS};
use crate::position::byte;

/// The image of every spot.
pub type Symmetry = [u8; SPOTS];

/// Every spot stays where it is.
pub fn identity() -> Symmetry {
    std::array::from_fn(byte)
}

/// The reflection in the main diagonal, which leaves the last spot where it is.
pub fn mirror() -> Symmetry {
    std::array::from_fn(|spot| byte(spot % SIDE * SIDE + spot / SIDE))
}

/// A quarter turn, clockwise.
pub fn turn() -> Symmetry {
    std::array::from_fn(|spot| byte(spot % SIDE * SIDE + SIDE - 1 - spot / SIDE))
}

/// One after the other.
pub fn then(first: &Symmetry, second: &Symmetry) -> Symmetry {
    first.map(|spot| second[usize::from(spot)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{CENTRE, Geometry};

    #[test]
    fn symmetries_keep_moves_and_the_centre_and_the_mirror_keeps_the_last_spot() {
        for board in [Geometry::new(SIDE), Geometry::new(SIDE).reversed()] {
            for symmetry in [identity(), mirror(), turn()] {
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
        assert_eq!(turn()[..3], [4, 9, 14], "the first row becomes the last column");
        assert_eq!((0..4).fold(identity(), |turned, _| then(&turned, &turn())), identity());
    }
}
