//! The answer that is there at once: tile after tile by transports, as tilex did in 1995, from the outside in.
//!
//! It needs no table and never fails, so whatever comes later may fail.

use loyd_kit::lead::{place_by_transport, place_in_order};
use loyd_kit::{Board, Move};

use crate::position::byte;

/// The order in which the tiles are placed: corners, spots beside them, middles of the border, then the ring within.
const ORDER: &str = "AEUT BDFJOPVX CKNW GHILMQRS";
/// What is left to do then.
const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

/// A way of the empty spot to perfection, the spot it is on at first in front.
pub(crate) fn way(board: &Board) -> Vec<u8> {
    let mut way = vec![byte(board.empty().index())];
    if *board == Board::perfection() {
        return way;
    }
    let pattern = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let play = place_in_order(board, &pattern, ORDER, place_by_transport).expect("the order leaves every tile a way");
    let mut empty = board.empty();
    for made in play.moves().iter().chain(&CLOSING) {
        empty = made.empty_after(empty).expect("a play is legal");
        way.push(byte(empty.index()));
    }
    way
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::answer::{letters, replay};

    #[test]
    fn the_first_answer_solves_the_board() {
        for board in ["+XWVU TSRQP ONMLK JIHGF EDCBA", "BACDE FGHIJ KLMNO PQRST UVWX+"] {
            let board: Board = board.parse().unwrap();
            assert_eq!(replay(&board, &letters(&way(&board)).unwrap()), Some(Board::perfection()));
        }
        assert_eq!(way(&Board::perfection()), [24]);
    }
}
