//! swap-pruned: the search of the n-game's write-up with a pruning rule, 2026.
//!
//! The search and its order are those of swap-depth-first, with one rule: a piece never stops directly behind another of
//! its colour unless that piece and all pieces beyond it are at their goal. Two adjacent pieces of a colour let no other
//! piece pass, so such a position is lost, with few exceptions. Every path to the goal has n(n + 2) moves, so the answer
//! is a shortest one whatever the rule excludes.
//!
//! Cost: one scan of the pieces at their goal, O(n) per move; memory for n(n + 2) moves. Wrong moves are rare: the search
//! makes 450 moves for the 440 of n = 20, where swap-depth-first makes 6.7 million.
//! Good at: n in the hundreds, immediately; n = 1,000 too. Bad at: no board of this game, but swap-direct needs no search.
//!
//! Not proved: that the rule never excludes both answers. Tests cover n = 1 to 200.

use std::process::ExitCode;

use entry_common::enter;
use swap_kit::row::MoveKind;
use swap_kit::{Board, Colour, Move, Row, depth_first};

fn main() -> ExitCode {
    enter(|board: &Board| depth_first(board, stops_behind_its_own))
}

/// True if the move places a piece directly behind one of its colour that is not at its goal.
fn stops_behind_its_own(row: &Row, kind: MoveKind, step: Move) -> bool {
    let own = Some(kind.colour());
    let ahead = match kind.colour() {
        Colour::Black => &row.squares()[step.to + 1..],
        Colour::Red => &row.squares()[..step.to],
    };
    let next = match kind.colour() {
        Colour::Black => ahead.first(),
        Colour::Red => ahead.last(),
    };
    next == Some(&own) && ahead.iter().any(|&square| square != own)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn wrong_moves_are_rare() {
        let made_for = |pieces| {
            let made = Cell::new(0);
            depth_first(&Board { pieces }, |row, kind, step| {
                let pruned = stops_behind_its_own(row, kind, step);
                made.set(made.get() + usize::from(!pruned));
                pruned
            });
            made.get()
        };
        assert_eq!(made_for(20), 450);
        for pieces in 1..=100 {
            let wrong = made_for(pieces) - pieces * (pieces + 2);
            assert!(wrong <= pieces, "n = {pieces}: {wrong}");
        }
    }
}
