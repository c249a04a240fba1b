//! swap-direct: a direct construction of the answer, without a search.
//!
//! The structure of the shortest answer is well known. The colours alternate in 2n + 1 turns, black first. Turn t has
//! h = min(t, 2n - t) hops. Turns before the middle one end with a move of one square; turns after it begin with one. So
//! the number of hops grows 0, 1, 2 … n and shrinks again: n² hops and 2n moves of one square in total. Every move goes
//! into the empty square, so the turn and the empty square determine the move.
//!
//! Complexity: O(1) time per move and O(1) memory; the answer of n(n + 2) moves is printed during its construction.
//! Good at: all boards of this game; n = 1,000 has 1,002,000 moves. Bad at: any other start position.
//!
//! Chosen here: black begins. The other shortest answer is the mirror image of this one.

use std::fmt;
use std::iter;
use std::mem;
use std::process::ExitCode;

use entry_common::enter;
use swap_kit::{Board, Colour, Move};

fn main() -> ExitCode {
    enter(|&board: &Board| Turns(board))
}

/// The answer to a board, constructed while it is printed.
struct Turns(Board);

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        moves(self.0.pieces).try_for_each(|step| writeln!(f, "{step}"))
    }
}

/// The moves of all turns for `pieces` pieces per colour.
fn moves(pieces: usize) -> impl Iterator<Item = Move> {
    let turns = (0..=2 * pieces).flat_map(move |turn| {
        let colour = if turn % 2 == 0 { Colour::Black } else { Colour::Red };
        let hops = iter::repeat_n(2, turn.min(2 * pieces - turn));
        let first = (turn > pieces).then_some(1);
        let last = (turn < pieces).then_some(1);
        first.into_iter().chain(hops).chain(last).map(move |squares| (colour, squares))
    });
    turns.scan(pieces, |empty, (colour, squares)| {
        let from = match colour {
            Colour::Black => *empty - squares,
            Colour::Red => *empty + squares,
        };
        Some(Move { from, to: mem::replace(empty, from) })
    })
}
