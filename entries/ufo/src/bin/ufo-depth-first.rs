//! ufo-depth-first: the article's modified depth-first search, which finds all best answers.
//!
//! It follows the solver of the article of 1999, which "uses a modified depth-first search" and "finds all minimum-move,
//! minimum-step solutions". The article does not describe the modification. This search deepens move by move and keeps a
//! table of refuted positions. `ufo_kit::depth_first` describes the method, the choices and the cost.
//!
//! The entry prints one of the answers; `ufo-all` prints all of them and their number.
//! Good at: all best answers at the cost of one. Bad at: boards without an answer, which it searches several times.

use std::process::ExitCode;

use entry_common::{enter, time_limit};
use ufo_kit::answer::Answer;
use ufo_kit::large::AnyBoard;
use ufo_kit::search::Limits;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &AnyBoard) -> Answer {
    board.depth_first(&Limits::for_entry(time_limit()))
}
