//! swap-depth-first: the recursive search of the n-game's write-up, rebuilt from its program in C.
//!
//! Every row's moves are tried in one fixed order, black pieces from left to right, then red ones from left to right,
//! each one square on and then a hop; the first row that is the goal ends the search. Every way there has n(n + 2)
//! moves, so the first one found is a shortest one.
//!
//! Cost: memory for n(n + 2) moves. Time doubles with each further piece: a wrong move shows only when nothing can
//! move any more (n = 10: 7,280 moves made for an answer of 120; n = 20: 6.7 million; n = 28: 1,600 million).
//! Good at: n up to 20, at once. Bad at: n beyond 30, where the write-up's program ended as well: it had room for 1,000
//! moves.
//!
//! Left open by the copy, which has gaps, and chosen here:
//! - the goal is looked for before any move is tried.
//! - the moves made are kept on a stack instead of in a recursion, and only the four squares around the empty one are
//!   looked at: no other piece can move. The order of trying is the same.

use std::process::ExitCode;

use entry_common::enter;
use swap_kit::{Board, depth_first};

fn main() -> ExitCode {
    enter(|board: &Board| depth_first(board, |_, _, _| false))
}
