//! ufo-all: lists every best answer to a board, one per line, and their number: the n of the article's "1 of n".
//!
//! A tool, not an entry of a contest; it uses the search of `ufo-depth-first`. Two answers differ if they have different
//! moves, the same moves in another order, or different steps in a move. This definition reproduces the printed numbers.

use std::fmt;
use std::process::ExitCode;

use entry_common::{enter, time_limit};
use ufo_kit::answer::Answer;
use ufo_kit::depth_first::search;
use ufo_kit::large::AnyBoard;
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

fn list(board: &AnyBoard) -> List {
    let limits = Limits::for_entry(time_limit());
    match board {
        AnyBoard::Bits(board) => {
            let (outcome, search) = search(board, &limits);
            List::new(&outcome, || search.answers(board, SHOWN))
        }
        AnyBoard::Lists(board) => {
            let (outcome, search) = search(board, &limits);
            List::new(&outcome, || search.answers(board, SHOWN))
        }
    }
}

impl List {
    /// The list of an outcome; `answers` lists the best answers of a solved board.
    fn new<P>(outcome: &Outcome<P>, answers: impl FnOnce() -> Vec<Answer>) -> List {
        let (answers, summary) = match outcome {
            Outcome::Solved(best) => (answers(), format!("{}, {} such answers", best.cost, best.count)),
            Outcome::Unsolvable => (Vec::new(), "no answer".to_owned()),
            Outcome::GaveUp => (Vec::new(), "gave up: too many positions, or no time left".to_owned()),
        };
        List { answers, summary }
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.answers.iter().try_for_each(|answer| writeln!(f, "{answer}"))?;
        f.write_str(&self.summary)
    }
}
