//! Depth-first search in the order of the write-up, for strategies that differ in what they give up early.

use std::fmt;

use crate::board::{Board, Move};
use crate::row::{Row, Try};

/// The first answer that a depth-first search meets. A move for which `hopeless` holds on the row before it is not made.
///
/// No piece ever goes back, so no row comes twice on a way and the search ends.
///
/// # Panics
/// If every answer is given up.
pub fn depth_first(board: &Board, hopeless: impl Fn(&Row, Try, Move) -> bool) -> Answer {
    let mut row = Row::start(board.pieces);
    let mut made: Vec<(Try, Move)> = Vec::new();
    let mut given_up = None;
    while !row.is_goal() {
        let fit = |way: Try| row.legal(way).filter(|&step| !hopeless(&row, way, step)).map(|step| (way, step));
        let next = match given_up.take() {
            None => Try::all().find_map(fit),
            Some(last) => Try::later(last).find_map(fit),
        };
        if let Some((way, step)) = next {
            row.make(step);
            made.push((way, step));
        } else {
            let (way, step) = made.pop().expect("some answer is never given up");
            row.take_back(step);
            given_up = Some(way);
        }
    }
    Answer(made.into_iter().map(|(_, step)| step).collect())
}

/// The moves of an answer, printed one a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer(pub Vec<Move>);

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn without_giving_up_early_the_moves_made_double_with_each_further_piece() {
        for (pieces, expected) in [(1, 3), (2, 14), (3, 36), (10, 7_280), (16, 439_730), (17, 866_679)] {
            let made = Cell::new(0);
            depth_first(&Board { pieces }, |_, _, _| {
                made.set(made.get() + 1);
                false
            });
            assert_eq!(made.get(), expected, "n = {pieces}");
        }
    }
}
