use std::process::ExitCode;
use std::time::Instant;

use entry_frame::{enter, time_limit};
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
