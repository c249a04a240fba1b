//! twobits, by Warren Montgomery, April 1995, rebuilt from his write-up.
//!
//! The tiles are placed one by one, in an order that leaves each of them a path, so that they form
//! `ABCDE FGHIJ KL+MN PQRSO UVWXT`: four slides short of perfection, with the centre empty.
//! Each tile goes to its spot in one of two ways, whichever takes fewer moves: led there directly, or led to the centre,
//! the empty spot sent to the tile's spot, and the tile transported.
//! The empty spot goes by the centre, one transport, wherever that is shorter than walking.
//!
//! Complexity: no search over boards; a tile costs a few paths of the empty spot on 25 spots, a board some hundred of
//! them.
//! Good at: never failing, in well under a millisecond. Bad at: length. It looks at one tile at a time, moves others
//! away from good spots, and takes even a finished board apart to build the pattern.
//!
//! Left open by the write-up and chosen here:
//! - the pattern: he says near the end and the centre open; this is the one tilex describes in full.
//! - the order: the border from far to near (corners, spots next to them, middles), because a corner whose neighbours
//!   are both placed is walled in; then the ring inside in reading order.
//! - equally short ways: direct, which leaves more of the board where it was.

use std::process::ExitCode;

use loyd_kit::lead::{lead_shorter, place_all};
use loyd_kit::{Board, Move, enter};

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    place_all(board, lead_shorter)
}

#[cfg(test)]
#[path = "../../tests/all/stages.rs"]
mod stages;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_can_be_placed_in_this_order() {
        stages::assert_each_can_be_placed(lead_shorter);
    }
}
