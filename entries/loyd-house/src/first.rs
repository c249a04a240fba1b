//! The first answer: tile after tile by transports, as tilex did in 1995, from the outside in.
//!
//! It needs no table and never fails, so every later step may fail.

use loyd_kit::lead::{place_by_transport, place_in_order};
use loyd_kit::{Board, Move};

use crate::position::byte;

/// The order in which the tiles are placed: corners, spots next to them, middles of the border, then the ring inside.
const ORDER: &str = "AEUT BDFJOPVX CKNW GHILMQRS";
/// The moves after the last tile is placed.
const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

/// A path of the empty spot to perfection, starting with its first spot.
pub(crate) fn path(board: &Board) -> Vec<u8> {
    let mut path = vec![byte(board.empty().index())];
    if *board == Board::perfection() {
        return path;
    }
    let pattern = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let play = place_in_order(board, &pattern, ORDER, place_by_transport).expect("in this order every tile has a path");
    let mut empty = board.empty();
    for made in play.moves().iter().chain(&CLOSING) {
        empty = made.empty_after(empty).expect("a play is legal");
        path.push(byte(empty.index()));
    }
    path
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::answer::{replay, to_letters};

    #[test]
    fn the_first_answer_solves_the_board() {
        for board in ["+XWVU TSRQP ONMLK JIHGF EDCBA", "BACDE FGHIJ KLMNO PQRST UVWX+"] {
            let board: Board = board.parse().unwrap();
            assert_eq!(replay(&board, &to_letters(&path(&board)).unwrap()), Some(Board::perfection()));
        }
        assert_eq!(path(&Board::perfection()), [24]);
    }
}
