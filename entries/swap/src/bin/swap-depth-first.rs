//! swap-depth-first: the recursive search of the n-game's write-up, reconstructed from its C program.
//!
//! The search tries moves in a fixed order: black pieces from left to right, then red ones from left to right. For each
//! piece it tries one square first and then a hop. It stops at the first row that is the goal. Every path there has
//! n(n + 2) moves, so the first answer found is a shortest one.
//!
//! Cost: memory for n(n + 2) moves. Time doubles with each further piece, since a wrong move shows only when no piece can
//! move (n = 10: 7,280 moves made for an answer of 120; n = 20: 6.7 million; n = 28: 1,600 million).
//! Good at: n up to 20, immediately. Bad at: n above 30. The write-up's program ended there too: it had room for 1,000
//! moves.
//!
//! Our copy of the write-up has gaps. Chosen here:
//! - The program checks for the goal before it tries a move.
//! - Moves are on a stack instead of in a recursion. Only the four squares around the empty one are tried, since no other
//!   piece can move. The order of moves is the same.

use std::process::ExitCode;

use entry_common::enter;
use swap_kit::{Board, depth_first};

fn main() -> ExitCode {
    enter(|board: &Board| depth_first(board, |_, _, _| false))
}
