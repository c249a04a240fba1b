//! shift-breadth-first: the fewest moves, by breadth-first search, for each of the three ways to count them.
//!
//! The plain way. The classic board has 25,955 positions with same-shaped blocks alike, so all can be kept. Which
//! blocks are alike does not matter for the count; the letters come back when the answer is written. What is one move
//! is an option: `--count moves` any slide of one block, round corners too (81 on the classic board), `straight` a
//! slide in one direction (90), `steps` one unit step (116). One word of the answer is one move so counted.
//!
//! Cost: one look-up in a hash table a move; the classic board takes some milliseconds (`entries/shift/README.md`).
//! Good at: every board with up to seven million positions. Bad at: larger ones, whose positions outgrow the memory.
//!
//! Chosen here: of all answers with the fewest moves, one with the fewest unit steps. Within a tenth of the time limit,
//! or with seven million positions (some 550 MB), it gives up, says so and prints an empty answer; so for a board that
//! has none.

use std::ffi::OsString;
use std::iter;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use entry_common::{enter_with, time_limit};
use shift_kit::breadth_first::{Bounds, Failure, solve};
use shift_kit::{Answer, Board, Count};

/// Positions kept at most, so that a run stays below 1 GiB.
const POSITIONS: usize = 7_000_000;

/// Solve a board of SHIFT in the fewest moves
#[derive(Parser)]
struct Arguments {
    /// What is one move
    #[arg(long, value_enum, default_value = "moves")]
    count: Counted,
    /// The board: a text file
    board: OsString,
}

#[derive(Clone, Copy, ValueEnum)]
enum Counted {
    /// Any slide of one block, round corners as well
    Moves,
    /// A slide of one block in one direction
    Straight,
    /// One unit step of one block
    Steps,
}

fn main() -> ExitCode {
    let Arguments { count, board } = Arguments::parse();
    let count = match count {
        Counted::Moves => Count::Moves,
        Counted::Straight => Count::Straight,
        Counted::Steps => Count::Steps,
    };
    enter_with(iter::once(board), |board| search(board, count))
}

fn search(board: &Board, count: Count) -> Answer {
    let limit = time_limit();
    let deadline = Instant::now().checked_add(limit - limit / 10);
    solve(board, count, &Bounds { deadline, positions: POSITIONS }).unwrap_or_else(|failure| {
        match failure {
            Failure::Unsolvable => eprintln!("X cannot reach its goal: every position was seen"),
            Failure::OutOfMemory => eprintln!("gave up: more than {POSITIONS} positions"),
            Failure::OutOfTime => eprintln!("gave up: no time left"),
        }
        Answer::default()
    })
}
