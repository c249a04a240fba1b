//! swap-direct: the answer written down, without a search.
//!
//! The shortest answer has a plain shape, well known among solvers of frogs and toads. The colours take turns, 2n + 1 of
//! them, black first. Turn t hops h = min(t, 2n - t) times; before the middle turn it ends with a step of one square,
//! after it, it begins with one. So the hops grow 0, 1, 2 … n and shrink again: n² hops and 2n steps in all. Whoever
//! moves goes into the empty square, so that square and the turn are all there is to know.
//!
//! Complexity: O(1) a move and in memory; the answer is n(n + 2) moves long and printed as it comes about.
//! Good at: everything here; n = 1,000 is 1,002,000 moves in a blink. Bad at: any other start than this one.
//!
//! Chosen: black begins. The other shortest answer is the mirror of this one.

use std::fmt;
use std::iter;
use std::mem;
use std::process::ExitCode;

use entry_common::enter;
use swap_kit::{Board, Colour, Move};

fn main() -> ExitCode {
    enter(|&board: &Board| Turns(board))
}

/// The answer to a board, made while it is printed.
struct Turns(Board);

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        moves(self.0.pieces).try_for_each(|step| writeln!(f, "{step}"))
    }
}

/// The moves of all turns, for that many pieces of a colour.
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
