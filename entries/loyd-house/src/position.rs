//! Packed positions of the whole board, and answers as paths of the empty spot.

use loyd_kit::{Board, Move, Spot};

use crate::geometry::{CENTRE, SPOTS};

/// The empty spot as an occupant; its home is the last spot.
pub const EMPTY: u8 = 24;
/// Bits of one occupant in a packed position.
const BITS: u32 = 5;

/// The occupant of each spot, as the number of its home, five bits per spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed(pub u128);

impl Packed {
    /// Packs the occupants of all spots.
    pub fn new(occupants: &[u8; SPOTS]) -> Packed {
        Packed(occupants.iter().rev().fold(0, |bits, &occupant| bits << BITS | u128::from(occupant)))
    }

    /// The goal, called perfection, in packed form.
    pub fn goal() -> Packed {
        Packed::from(&Board::perfection())
    }

    /// The occupant of each spot.
    pub fn occupants(self) -> [u8; SPOTS] {
        let mut bits = self.0;
        [(); SPOTS].map(|()| {
            let occupant = u8::try_from(bits & 31).expect("five bits");
            bits >>= BITS;
            occupant
        })
    }

    /// The position after the empty spot went from `empty` to `to`, the spot of `tile`.
    #[must_use]
    pub fn swapped(self, empty: usize, to: usize, tile: u8) -> Packed {
        let difference = u128::from(tile ^ EMPTY);
        Packed(self.0 ^ difference << (BITS * shift(empty)) ^ difference << (BITS * shift(to)))
    }

    /// A hash of 64 well-mixed bits.
    pub fn hash(self) -> u64 {
        let [low, high] = [0, 64].map(|shift| u64::try_from(self.0 >> shift & u128::from(u64::MAX)).expect("64 bits"));
        let mixed =
            (low ^ high.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
    }
}

fn shift(spot: usize) -> u32 {
    u32::try_from(spot).expect("a spot is below 25")
}

impl From<&Board> for Packed {
    fn from(board: &Board) -> Packed {
        let mut occupants = [EMPTY; SPOTS];
        for (occupant, spot) in occupants.iter_mut().zip(Spot::all()) {
            *occupant = board.at(spot).map_or(EMPTY, |tile| byte(tile.home().index()));
        }
        Packed::new(&occupants)
    }
}

/// A position seen from its other end: the goal of `position`, whose empty spot is on `end`, in the names of a puzzle
/// whose goal is `position`. As permutations of the spots the two are inverse.
#[must_use]
pub fn inverse(position: Packed, end: usize) -> Packed {
    let occupants = position.occupants();
    let last = SPOTS - 1;
    let empty = byte(empty_in(&occupants));
    let mut inverse = [EMPTY; SPOTS];
    for (spot, tile) in (0..).zip(occupants) {
        if tile != EMPTY {
            // The tile of the empty spot of a goal belongs on the last spot.
            let home = if usize::from(tile) == end { last } else { usize::from(tile) };
            inverse[home] = if usize::from(spot) == last { empty } else { spot };
        }
    }
    Packed::new(&inverse)
}

/// The number of the spot without a tile.
pub fn empty_in(occupants: &[u8; SPOTS]) -> usize {
    occupants.iter().position(|&occupant| occupant == EMPTY).expect("a board has an empty spot")
}

/// Converts a number of a spot or of moves to a byte.
pub fn byte(number: usize) -> u8 {
    u8::try_from(number).expect("below 256")
}

/// The move that takes the empty spot from one spot to another; `None` if there is none. Next to the centre a slide and
/// a transport have the same effect; this returns the slide, for fewer transports.
pub fn move_between(empty: usize, to: usize) -> Option<Move> {
    let (empty, to) = (Spot::new(empty)?, Spot::new(to)?);
    Move::slide(to, empty).or((to.index() == CENTRE && empty != to).then_some(Move::Transport))
}

/// The moves of a path of the empty spot, which begins with its first spot; `None` if a step is not a move.
pub fn moves(path: &[u8]) -> Option<Vec<Move>> {
    path.windows(2).map(|step| move_between(usize::from(step[0]), usize::from(step[1]))).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_packed_position_is_unpacked_unchanged() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let packed = Packed::from(&trap);
        assert_eq!(Packed::new(&packed.occupants()), packed);
        for (occupant, symbol) in packed.occupants().into_iter().zip("FBCDEKAGHJPLMIOUQRNTVWXS".bytes()) {
            assert_eq!(occupant, symbol - b'A');
        }
        assert_eq!(empty_in(&packed.occupants()), 24);
    }

    #[test]
    fn the_inverse_of_an_inverse_is_the_position() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let elsewhere: Board = "VTUWQ EOSRB NM+FP JDXKG HICLA".parse().unwrap();
        for position in [trap, elsewhere].map(|board| Packed::from(&board)) {
            let there = inverse(position, SPOTS - 1);
            assert_eq!(empty_in(&there.occupants()), SPOTS - 1);
            assert_eq!(inverse(there, empty_in(&position.occupants())), position);
        }
        assert_eq!(inverse(Packed::goal(), SPOTS - 1), Packed::goal());
    }

    #[test]
    fn a_swap_is_a_move_of_the_library() {
        let mut kit = Board::perfection();
        let mut packed = Packed::goal();
        for step in 0..1_000_usize {
            let made = Move::ALL[step * step % 7 % 5];
            let Some(next) = kit.after(made) else { continue };
            let (empty, to) = (kit.empty().index(), next.empty().index());
            packed = packed.swapped(empty, to, packed.occupants()[to]);
            assert_eq!(kit.after(move_between(empty, to).unwrap()), Some(next));
            assert_eq!(packed, Packed::from(&next));
            kit = next;
        }
    }
}
