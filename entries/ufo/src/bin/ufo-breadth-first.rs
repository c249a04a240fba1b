//! ufo-breadth-first: the best answer by breadth-first search over bit boards.
//!
//! The plain way, here for its speed and as a check of the other. Pieces of a kind are interchangeable for what a
//! position is worth, so a position is two sets of squares, and the piece ahead of a travelling one is the nearest bit
//! of a line. Layer by layer over moves, each position with the fewest steps that reach it; labels come back when the
//! answer is written. `ufo_kit::breadth_first` tells more.
//!
//! Cost: one look-up in a hash table a move. Of the groups up to 1-5, 2-4 and 3-3 the hardest of 10,000 boards takes
//! 3 ms and a usual one 2 µs. Good at: every board of the article, those of 22 moves included. Bad at: open boards with
//! so many pieces that their positions outgrow the memory: it then answers nothing.
//!
//! Chosen here: best is the fewest moves and, among those, the fewest steps, as in the article. When nine tenths of the
//! time limit are gone, or at 14 million positions, it gives up and prints an empty answer.

use std::process::ExitCode;

use entry_common::{enter, time_limit};
use ufo_kit::answer::Answer;
use ufo_kit::board::Board;
use ufo_kit::breadth_first;
use ufo_kit::position::Idle;
use ufo_kit::search::Bounds;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Answer {
    let bounds = Bounds::of_entry(time_limit());
    breadth_first::solve(board.geometry(), board.position(), Idle::default(), &bounds).answer(board)
}
