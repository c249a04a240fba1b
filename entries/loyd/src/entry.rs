//! A strategy as a program, on top of [`entry_common`].

use std::env;
use std::ffi::OsString;
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
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match take_seed(&mut arguments) {
        Ok(seed) => entry_common::enter_with(arguments, |board| Line(strategy(board, random::seeded(seed)))),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Removes `--seed N` from the front of the arguments.
fn take_seed(arguments: &mut Vec<OsString>) -> Result<u64, String> {
    if arguments.first().is_none_or(|first| first != "--seed") {
        return Ok(random::SEED);
    }
    let given = arguments.get(1).and_then(|text| text.to_str()?.parse().ok());
    let seed = given.ok_or("--seed needs a whole number from 0 to 18446744073709551615")?;
    arguments.drain(..2);
    Ok(seed)
}

/// Moves as the letters of an answer.
struct Line(Vec<Move>);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|made| write!(f, "{}", made.letter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(arguments: &[&str]) -> (Result<u64, String>, usize) {
        let mut arguments = arguments.iter().map(OsString::from).collect();
        (take_seed(&mut arguments), arguments.len())
    }

    #[test]
    fn a_seed_stands_before_the_board_and_is_optional() {
        assert_eq!(taken(&["board.txt"]), (Ok(random::SEED), 1));
        assert_eq!(taken(&["--seed", "7", "board.txt"]), (Ok(7), 1));
        assert!(taken(&["--seed", "seven", "board.txt"]).0.is_err_and(|message| message.contains("whole number")));
        assert!(taken(&["--seed"]).0.is_err());
    }
}
