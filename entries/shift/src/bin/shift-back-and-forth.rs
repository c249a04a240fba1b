//! shift-back-and-forth: the search of the article "solving the SHIFT puzzle", whose author the copy does not name.
//!
//! Depth first to 150 unit steps, block by block and direction by direction. No position twice on the way (backward
//! history), none that failed at this depth or an earlier one (forward history), no block back onto cells that it was
//! the last to leave (BAF test), X never upward. `shift_kit::back_and_forth` tells how.
//!
//! Cost: at worst each position once at each depth; the classic board takes a tenth of a second or two, and its answer
//! has 148 steps. Good at: memory, and any answer at all. Bad at: short answers, as it takes the first one; and the
//! tests depend on the way a position was reached, so it can miss every answer within the limit.
//!
//! Left open by the article and chosen here: a block that covers two cells at once fails the BAF test only if it was
//! the last to leave both; the forward history has no 30,000 entries at most, and hash tables in place of its four
//! lists (which changes nothing but the time); stacks of the BAF test grow beyond 50. The answer writes each step as a
//! move, as the article counts. Within a tenth of the time limit it gives up and prints an empty answer.

use std::process::ExitCode;
use std::time::Instant;

use entry_common::{enter, time_limit};
use shift_kit::back_and_forth::{Outcome, solve};
use shift_kit::{Answer, Board};

/// The most moves, as in the article.
const LIMIT: usize = 150;

fn main() -> ExitCode {
    enter(search)
}

fn search(board: &Board) -> Answer {
    let limit = time_limit();
    let (outcome, steps) = solve(board, LIMIT, Instant::now().checked_add(limit - limit / 10));
    match outcome {
        Outcome::Solved(answer) => return answer,
        Outcome::Exhausted => eprintln!("no answer of at most {LIMIT} moves after {steps} steps tried"),
        Outcome::OutOfTime => eprintln!("no time left after {steps} steps tried"),
    }
    Answer::default()
}
