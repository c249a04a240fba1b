//! A strategy as a program.

use std::fmt;
use std::process::ExitCode;

use crate::board::Board;
use crate::moves::Move;

/// Runs a strategy as a program, in the frame that all entries share; its moves are printed on one line.
pub fn enter(strategy: impl FnOnce(&Board) -> Vec<Move>) -> ExitCode {
    entry_frame::enter(|board| Line(strategy(board)))
}

/// Moves as an answer writes them.
struct Line(Vec<Move>);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|made| write!(f, "{}", made.letter()))
    }
}
