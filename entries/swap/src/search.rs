//! Depth-first search in the order of the write-up, with a pruning rule supplied by the caller.

use std::fmt;

use crate::board::{Board, Move};
use crate::row::{MoveKind, Row};

/// Returns the first answer of a depth-first search that skips every move for which `prune` is true. `prune` receives
/// the row before the move.
///
/// The search ends, since no piece ever moves back.
///
/// # Panics
/// If `prune` excludes every answer.
pub fn depth_first(board: &Board, prune: impl Fn(&Row, MoveKind, Move) -> bool) -> Answer {
    let mut row = Row::start(board.pieces);
    let mut made: Vec<(MoveKind, Move)> = Vec::new();
    let mut undone = None;
    while !row.is_goal() {
        let allowed =
            |kind: MoveKind| row.legal(kind).filter(|&step| !prune(&row, kind, step)).map(|step| (kind, step));
        let next = match undone.take() {
            None => MoveKind::all().find_map(allowed),
            Some(last) => MoveKind::later(last).find_map(allowed),
        };
        if let Some((kind, step)) = next {
            row.make(step);
            made.push((kind, step));
        } else {
            let (kind, step) = made.pop().expect("at least one answer is not pruned");
            row.undo(step);
            undone = Some(kind);
        }
    }
    Answer(made.into_iter().map(|(_, step)| step).collect())
}

/// The moves of an answer, printed one per line.
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
    fn without_pruning_the_number_of_moves_made_doubles_with_each_further_piece() {
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
