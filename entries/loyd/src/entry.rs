//! A strategy as a program, on top of [`entry_common`].

use std::fmt;
use std::process::ExitCode;

use crate::board::Board;
use crate::moves::Move;
use crate::random::{self, Random};

/// Runs a strategy as a program, as [`entry_common::enter`] does; prints its moves on one line.
pub fn enter(strategy: impl FnOnce(&Board) -> Vec<Move>) -> ExitCode {
    entry_common::enter(|board| Line(strategy(board)))
}

/// Runs a strategy that may find no answer, as [`entry_common::enter_or_pass`] does: it returns moves or a reason.
pub fn enter_or_pass<Reason: fmt::Display>(strategy: impl FnOnce(&Board) -> Result<Vec<Move>, Reason>) -> ExitCode {
    entry_common::enter_or_pass(|board| strategy(board).map(Line))
}

/// Runs a randomised strategy. `--seed N` before the board's path sets the seed; the default is [`random::SEED`].
pub fn enter_seeded(strategy: impl FnOnce(&Board, Random) -> Vec<Move>) -> ExitCode {
    let expected = "a whole number from 0 to 18446744073709551615";
    entry_common::enter_with_option("--seed", expected, |board, seed: Option<u64>| {
        Line(strategy(board, random::seeded(seed.unwrap_or(random::SEED))))
    })
}

/// Moves as the letters of an answer.
struct Line(Vec<Move>);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|made| write!(f, "{}", made.letter()))
    }
}
