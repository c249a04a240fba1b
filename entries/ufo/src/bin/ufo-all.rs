//! ufo-all: lists every best answer to a board, one per line, and their number: the n of the article's "1 of n".
//!
//! A tool, not an entry of a contest; it uses the search of `ufo-depth-first`. Two answers differ if they have different
//! moves, the same moves in another order, or different steps in a move. This definition reproduces the printed numbers.

use std::fmt;
use std::process::ExitCode;

use entry_common::{enter, time_limit};
use ufo_kit::answer::Answer;
use ufo_kit::board::Board;
use ufo_kit::depth_first::search;
use ufo_kit::search::{Limits, Outcome};

/// The most answers that are printed; the summary always states the number of all.
const SHOWN: usize = 1000;

fn main() -> ExitCode {
    enter(list)
}

/// The best answers, and the summary below them.
struct List {
    answers: Vec<Answer>,
    summary: String,
}

fn list(board: &Board) -> List {
    let (outcome, search) = search(board, &Limits::for_entry(time_limit()));
    let summary = match &outcome {
        Outcome::Solved(best) => format!("{}, {} such answers", best.cost, best.count),
        Outcome::Unsolvable => "no answer".to_owned(),
        Outcome::GaveUp => "gave up: too many positions, or no time left".to_owned(),
    };
    let answers = if outcome.cost().is_some() { search.answers(board, SHOWN) } else { Vec::new() };
    List { answers, summary }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.answers.iter().try_for_each(|answer| writeln!(f, "{answer}"))?;
        f.write_str(&self.summary)
    }
}
