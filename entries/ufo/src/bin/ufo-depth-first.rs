//! ufo-depth-first: the article's modified depth-first search, which finds all best answers.
//!
//! After the solver of the article of 1999, which "uses a modified depth-first search" and "finds all minimum-move,
//! minimum-step solutions". How it was modified is left open; here it deepens move by move and keeps a table of what
//! was refuted. `ufo_kit::depth_first` tells how, what was chosen and what it costs.
//!
//! As an entry it prints one of the answers; `ufo-all` prints all of them and how many there are.
//! Good at: all best answers at the price of one. Bad at: boards without an answer, which it sees out several times.

use std::process::ExitCode;

use entry_common::{enter, time_limit};
use ufo_kit::answer::Answer;
use ufo_kit::board::Board;
use ufo_kit::depth_first::search;
use ufo_kit::search::Bounds;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Answer {
    search(board, &Bounds::of_entry(time_limit())).0.answer(board)
}
