//! ufo-breadth-first: a best answer by breadth-first search over bit boards.
//!
//! The simplest search, used for its speed and to check the other one. Pieces of a kind are interchangeable, so a
//! position is two sets of squares, and the piece ahead of a moving piece is the nearest bit of a line. The search visits
//! positions layer by layer and stores the fewest steps that reach each. Labels are restored when the answer is written.
//! `ufo_kit::breadth_first` has the details. On boards that are neither 5 × 5 nor the cross a position is a list of squares
//! instead (`ufo_kit::large`).
//!
//! Cost: one hash table look-up per move. Of 10,000 boards of the groups up to 1-5, 2-4 and 3-3, the hardest takes 3 ms
//! and a typical one 2 µs. Good at: every board of the article, including those of 22 moves. Bad at: open boards with so
//! many pieces that their positions do not fit into memory; the answer is then empty.
//!
//! Chosen here: the best answer has the fewest moves and, among those, the fewest steps, as in the article. After nine
//! tenths of the time limit, or at 14 million positions, the program gives up and prints an empty answer.

use std::process::ExitCode;

use entry_common::{enter, time_limit};
use ufo_kit::answer::Answer;
use ufo_kit::large::AnyBoard;
use ufo_kit::search::Limits;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &AnyBoard) -> Answer {
    board.breadth_first(&Limits::for_entry(time_limit()))
}
