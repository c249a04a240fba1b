//! The frame of an entry: the board's path in, the answer out.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::board::Board;
use crate::moves::Move;

/// Runs a strategy as a program: reads the board from the file that is the only argument, and prints
/// the strategy's moves on one line of standard output.
///
/// Exit code 0 if an answer was printed. Exit code 2, one line on standard error and nothing on
/// standard output, if the argument, the file or the board is unusable or the answer cannot be written.
pub fn enter(strategy: impl FnOnce(&Board) -> Vec<Move>) -> ExitCode {
    let answered = read_board(env::args_os().skip(1))
        .and_then(|board| print_answer(&strategy(&board)).map_err(|e| format!("cannot print the answer: {e}")));
    match answered {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn read_board(mut arguments: impl Iterator<Item = OsString>) -> Result<Board, String> {
    let (Some(path), None) = (arguments.next(), arguments.next()) else {
        return Err("give the path of a board file as the only argument".to_owned());
    };
    let path = PathBuf::from(path);
    let text = fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    text.parse().map_err(|e| format!("no board in {}: {e}", path.display()))
}

fn print_answer(moves: &[Move]) -> io::Result<()> {
    let line: String = moves.iter().map(|made| made.letter()).collect();
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
