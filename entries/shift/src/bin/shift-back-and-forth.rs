//! shift-back-and-forth: the search of the article "solving the SHIFT puzzle"; our copy does not name the author.
//!
//! A depth-first search up to 200 unit steps, block by block and direction by direction. It never repeats a position on
//! the path (backward history) and skips positions that failed at this depth or an earlier one (forward history). No
//! block returns to cells that it was the last to leave (BAF test), and X never moves upward.
//! `shift_kit::back_and_forth` has the details.
//!
//! Cost: at worst each position once per depth. The classic board takes a tenth of a second, and its answer has 200
//! steps. Good at: low memory use, and finding some answer. Bad at: short answers, since it takes the first one. It finds
//! no answer to a board on which X has to move upward. Its other tests depend on the path to a position, so it can also
//! miss answers near the limit.
//!
//! The article leaves some points open. Chosen here:
//! - The limit is that of the article's program, `absmaxmoveNr = 200`. Its text takes 150 as an example; with that limit
//!   the answer to the classic board has 148 steps.
//! - A block that covers two cells at once fails the BAF test only if it was the last to leave both.
//! - The forward history is a hash table with one entry per position instead of the article's four lists, and is not
//!   limited to 30,000 entries. The stacks of the BAF test can grow beyond 50. The classic board needs 22,030 and 24.
//! - The answer writes each step as a move, as the article counts.
//! - After nine tenths of the time limit the program gives up and prints an empty answer.

use std::process::ExitCode;
use std::time::Instant;

use entry_common::{enter, time_limit};
use shift_kit::back_and_forth::{Outcome, solve};
use shift_kit::{Answer, Board};

/// The most moves: the highest move number of the article's program.
const LIMIT: usize = 200;

fn main() -> ExitCode {
    enter(search)
}

fn search(board: &Board) -> Answer {
    let limit = time_limit();
    let (outcome, work) = solve(board, LIMIT, Instant::now().checked_add(limit - limit / 10));
    match outcome {
        Outcome::Solved(answer) => return answer,
        Outcome::Exhausted => eprintln!("no answer of at most {LIMIT} moves after {} steps tried", work.steps),
        Outcome::OutOfTime => eprintln!("no time left after {} steps tried", work.steps),
    }
    Answer::default()
}
