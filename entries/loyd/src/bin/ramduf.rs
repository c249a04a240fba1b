//! ramduf, by Randy Saint, April 1995, rebuilt from his write-up.
//!
//! Branch and bound: a list of boards, sorted by EST_COST + NUM_MOVES. The top one is popped, its moves are put into
//! the list, and so on until the top one has an EST_COST of 0.
//! EST_COST is the square of each tile's Euclidean distance to its place, twice for the top row and the left column,
//! one and a half times for the second ones, once for the 3 x 3 in the lower right corner, so that the board fills up
//! from the upper left. A tree of visited boards keeps any from entering the list twice.
//!
//! Complexity: from a hundred thousand boards to as many as memory holds, five moves each.
//! Good at: short answers where the squares lead straight to them. Bad at: the boards where they do not. With the last
//! tiles in the wrong order it fills its store of visited boards and ends without an answer, as on one board of five
//! then.
//!
//! Left open by the write-up and chosen here:
//! - the order of equal boards: the newest first, as if the list were searched from the top.
//! - a tile's factor: that of its own row and column, not of where it stands, and the greater of the two.
//! - a visited board that is found by a shorter path: it stays as it was, as the tree only records that it was visited.
//! - the moves count once against squares of whole steps; everything is counted twice to avoid halves.

use std::process::ExitCode;

use loyd_kit::best_first::BOARDS;
use loyd_kit::{BestFirst, Board, Move, NotFound, Penalties, Revisit, Ties, enter_or_pass};

/// Weight of NUM_MOVES, as EST_COST is counted in halves.
const HALVES: i32 = 2;
/// The factors of the first row and column, the second ones, and the rest, in halves.
const FACTORS: [i32; 3] = [4, 3, 2];

fn main() -> ExitCode {
    enter_or_pass(|board| solve(board, FACTORS, BOARDS))
}

/// The search with these factors, in halves. It keeps at most `boards`.
pub(crate) fn solve(board: &Board, factors: [i32; 3], boards: usize) -> Result<Vec<Move>, NotFound> {
    let est_cost = est_cost(factors);
    BestFirst { boards, ..BestFirst::for_perfection(Ties::Newest, Revisit::Drop) }
        .search(board, |board, num_moves| est_cost.total(board) + HALVES * num_moves.cast_signed())
}

/// Squares of Euclidean distances, in halves, with these factors.
fn est_cost(factors: [i32; 3]) -> Penalties {
    Penalties::new(|tile, spot| {
        let home = tile.home();
        let factor = factors[usize::from(home.row().min(home.column()).min(2))];
        let rows = i32::from(home.row().abs_diff(spot.row()));
        let columns = i32::from(home.column().abs_diff(spot.column()));
        factor * (rows * rows + columns * columns)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd_kit::{Spot, Tile};

    #[test]
    fn the_square_of_the_distance_counts_less_further_in() {
        let cost = |letter, spot| {
            let tile = Tile::from_letter(letter).expect("a letter");
            est_cost(FACTORS).of(tile, Spot::new(spot).expect("on the board"))
        };
        assert_eq!(cost('A', 24), 2 * HALVES * 32);
        assert_eq!(cost('U', 24), 2 * HALVES * 16);
        assert_eq!(cost('G', 12), 3 * HALVES / 2 * 2);
        assert_eq!(cost('V', 20), 3 * HALVES / 2, "the second column counts, though it is the last row");
        assert_eq!(cost('M', 23), HALVES * 5);
        assert_eq!(cost('M', 12), 0);
    }
}
