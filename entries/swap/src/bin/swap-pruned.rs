//! swap-pruned: the search of the n-game's write-up with one look ahead, of 2026.
//!
//! The search of swap-depth-first in the same order, but a piece never stops right behind one of its own colour, unless
//! that one and all beyond it are home: two of a colour in a row let nobody pass, and what comes after is lost with
//! few exceptions. Every way to the goal has n(n + 2) moves, so the answer is a shortest one whatever is left out.
//!
//! Cost: one look along the pieces that are home, O(n) a move; memory for n(n + 2) moves. It makes hardly a wrong move:
//! 450 for the 440 of n = 20, where swap-depth-first makes 6.7 million.
//! Good at: n in the hundreds, at once; n = 1,000 as well. Bad at: nothing on these boards, but swap-direct needs no
//! search at all.
//!
//! Left open: that the rule never shuts out both answers is not proved here; it was tried for n = 1 to 200.

use std::process::ExitCode;

use entry_common::enter;
use swap_kit::row::Try;
use swap_kit::{Board, Colour, Move, Row, depth_first};

fn main() -> ExitCode {
    enter(|board: &Board| depth_first(board, stops_behind_its_own))
}

/// Whether a piece comes to stand right behind one of its colour that is not home for good.
fn stops_behind_its_own(row: &Row, way: Try, step: Move) -> bool {
    let own = Some(way.colour());
    let ahead = match way.colour() {
        Colour::Black => &row.squares()[step.to + 1..],
        Colour::Red => &row.squares()[..step.to],
    };
    let next = match way.colour() {
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
    fn hardly_a_wrong_move_is_made() {
        let made_for = |pieces| {
            let made = Cell::new(0);
            depth_first(&Board { pieces }, |row, way, step| {
                let hopeless = stops_behind_its_own(row, way, step);
                made.set(made.get() + usize::from(!hopeless));
                hopeless
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
