//! shift-breadth-first: the fewest moves by breadth-first search, in each of three metrics.
//!
//! The simplest search. Blocks of the same shape are interchangeable, so the classic board has 25,955 positions, and all
//! fit into memory. The letters of the blocks are restored when the answer is written. The option `--count` defines a
//! move: `moves` is any slide of one block, also around corners (81 on the classic board); `straight` is a slide in one
//! direction (90); `steps` is one unit step (116). Each word of the answer is one move in this metric.
//!
//! Cost: one hash table look-up per move; the classic board takes some milliseconds (`entries/shift/README.md`).
//! Good at: every board with up to seven million positions. Bad at: larger ones, whose positions do not fit into memory.
//!
//! Chosen here: of all answers with the fewest moves, one with the fewest unit steps. After nine tenths of the time
//! limit, or at seven million positions (some 550 MB), the program gives up. It then prints an empty answer and the
//! reason on standard error; the same for a board without an answer.

use std::ffi::OsString;
use std::iter;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use entry_common::{enter_with, time_limit};
use shift_kit::breadth_first::{Failure, Limits, solve};
use shift_kit::{Answer, Board, Metric};

/// The most positions, so that the program stays below 1 GiB.
const POSITIONS: usize = 7_000_000;

/// Solve a board of SHIFT in the fewest moves
#[derive(Parser)]
struct Arguments {
    /// The definition of one move
    #[arg(long, value_enum, default_value = "moves")]
    count: Count,
    /// The board file
    board: OsString,
}

#[derive(Clone, Copy, ValueEnum)]
enum Count {
    /// Any slide of one block, also around corners
    Moves,
    /// A slide of one block in one direction
    Straight,
    /// One unit step of one block
    Steps,
}

fn main() -> ExitCode {
    let Arguments { count, board } = Arguments::parse();
    let metric = match count {
        Count::Moves => Metric::Moves,
        Count::Straight => Metric::Straight,
        Count::Steps => Metric::Steps,
    };
    enter_with(iter::once(board), |board| search(board, metric))
}

fn search(board: &Board, metric: Metric) -> Answer {
    let limit = time_limit();
    let deadline = Instant::now().checked_add(limit - limit / 10);
    solve(board, metric, &Limits { deadline, positions: POSITIONS }).unwrap_or_else(|failure| {
        match failure {
            Failure::Unsolvable => eprintln!("X cannot reach its goal: all positions were searched"),
            Failure::OutOfMemory => eprintln!("gave up: more than {POSITIONS} positions"),
            Failure::OutOfTime => eprintln!("gave up: no time left"),
        }
        Answer::default()
    })
}
