//! Nilssonized, by V. Raghavan, April 1995, rebuilt from his write-up.
//!
//! A plain best-first search after Nilsson: OPEN holds the boards to be expanded, CLOSED those that have been, and a
//! hash table finds a board in either. The next board of OPEN is the one with the least sum of two heuristics: the
//! number of tiles out of place, and the steps of all tiles to their places along rows and columns. He wanted a
//! solution, not the solution.
//!
//! Complexity: some ten thousand boards as a rule, each with five moves; it can be a hundred times as many, and the
//! memory for boards is the only bound.
//! Good at: finding some answer from almost anywhere, without a plan and within a second. Bad at: length. Its answers
//! are the longest of all, full of detours that looked good one move at a time.
//!
//! Left open by the write-up and chosen here:
//! - the weight of the moves made so far: none. He calls it A*, where they count like a heuristic; but with all three
//!   added up the answers are about as short as shufflemania's, after millions of boards (`results/strategies.md`). The
//!   published ones have 236 to 387 moves and took sixteen seconds per board on average.
//! - the weights of the heuristics: one each. More for the tiles out of place means more transports than were
//!   published, more for the distances means fewer.
//! - equals: the board found first, as OPEN is a list.
//! - a board found again by a shorter path is put back on OPEN with it, as Nilsson has it.

use std::process::ExitCode;

use loyd_kit::best_first::BOARDS;
use loyd_kit::{BestFirst, Board, Move, NotFound, Penalties, Revisit, Ties, enter_or_pass};

/// The weight of the moves made so far.
const WEIGHT: i32 = 0;

fn main() -> ExitCode {
    enter_or_pass(|board| solve(board, WEIGHT, BOARDS))
}

/// The search with this weight of the moves made so far. It keeps at most `boards`.
pub(crate) fn solve(board: &Board, weight: i32, boards: usize) -> Result<Vec<Move>, NotFound> {
    let heuristics = heuristics();
    BestFirst { boards, ..BestFirst::for_perfection(Ties::Oldest, Revisit::Reopen) }
        .search(board, |board, moves| heuristics.total(board) + weight * moves.cast_signed())
}

/// One for a tile out of place, and one for every step to its place.
fn heuristics() -> Penalties {
    Penalties::new(|tile, spot| i32::from(spot != tile.home()) + i32::from(spot.distance(tile.home())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_far_shorter_if_the_moves_made_count() {
        let lengths = ["FBCDE KAGHJ PLMIO UQRNT VWXS+", "BACDE FGHIJ KLMNO PQRST UVWX+"].map(|text| {
            let board: Board = text.parse().expect("a board");
            [WEIGHT, 1].map(|weight| solve(&board, weight, BOARDS).map(|answer| answer.len()))
        });
        assert_eq!(lengths, [[Ok(84), Ok(30)], [Ok(59), Ok(25)]]);
    }

    #[test]
    fn a_position_costs_misplaced_tiles_plus_steps() {
        let swapped: Board = "BACDE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let turned: Board = "EBCDA FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        assert_eq!(heuristics().total(&Board::perfection()), 0);
        assert_eq!(heuristics().total(&swapped), 2 + 2);
        assert_eq!(heuristics().total(&turned), 2 + 8);
    }
}
