//! From which end a board is searched.
//!
//! The way from perfection back to the board, every move taken back, is a puzzle of the same kind. Name each tile after
//! the spot it stands on at first: then the board is the goal, and perfection, as it looks in those names, is where the
//! search begins; as a permutation of the spots it is the inverse of the board. Which end has fewer positions to search
//! differs from board to board, by a factor of ten and more.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::position::{EMPTY, Packed, byte, empty_in};

/// From which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// From the board, with the moves as they are.
    #[serde(rename = "from the board")]
    Forwards,
    /// From perfection, with the moves taken back.
    #[serde(rename = "from perfection")]
    Backwards,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Forwards => "from the board",
            Direction::Backwards => "from perfection",
        })
    }
}

impl Direction {
    /// The other end.
    #[must_use]
    pub fn other(self) -> Direction {
        match self {
            Direction::Forwards => Direction::Backwards,
            Direction::Backwards => Direction::Forwards,
        }
    }

    /// The moves in this direction, and the goal where a board is searched in it.
    pub fn geometry(self, board: Packed) -> Geometry {
        match self {
            Direction::Forwards => Geometry::new(SIDE),
            Direction::Backwards => Geometry::new(SIDE).reversed().ending_at(empty_in(&board.occupants())),
        }
    }

    /// Where the search for an answer to a board begins.
    #[must_use]
    pub fn start(self, board: Packed) -> Packed {
        if self == Direction::Forwards {
            return board;
        }
        let occupants = board.occupants();
        let empty = byte(empty_in(&occupants));
        let mut inverse = [EMPTY; SPOTS];
        for (spot, occupant) in (0..).zip(occupants) {
            // Whoever stands where the empty spot ends forwards is named after where it begins.
            inverse[usize::from(occupant)] = if spot == EMPTY { empty } else { spot };
        }
        inverse[usize::from(EMPTY)] = EMPTY;
        Packed::new(&inverse)
    }

    /// The way of the empty spot in an answer to the board, by the way that was found.
    #[must_use]
    pub fn answer(self, mut way: Vec<u8>) -> Vec<u8> {
        if self == Direction::Backwards {
            way.reverse();
        }
        way
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use loyd_kit::{Board, Move};

    use super::*;
    use crate::position::named;

    #[test]
    fn an_answer_taken_back_leads_from_where_the_search_backwards_begins_to_the_goal() {
        // The empty spot at home, in a corner and elsewhere.
        let answers = [
            ("FBCDE KAGHJ PLMIO UQRNT VWXS+", "ddtdrtdluuurrrddddtlltlluu"),
            ("+ABCD GHIJE FKLMN QRSTO PUVWX", "llllurrrrullllurrrrullll"),
            ("ABCDE FGHIJ KL+MN PQRSO UVWXT", "lluu"),
        ];
        for (board, answer) in answers {
            let mut forwards: Board = board.parse().unwrap();
            let packed = Packed::from(&forwards);
            let mut way = vec![byte(forwards.empty().index())];
            for letter in answer.chars() {
                let made = Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap();
                forwards = forwards.after(made).unwrap();
                way.push(byte(forwards.empty().index()));
            }
            let geometry = Direction::Backwards.geometry(packed);
            let mut position = Direction::Backwards.start(packed);
            way.reverse();
            for step in way.windows(2).map(|step| [step[0], step[1]].map(usize::from)) {
                assert!(geometry.empty_after(step[0]).contains(&step[1]));
                let occupants = position.occupants();
                assert_eq!(empty_in(&occupants), step[0]);
                position = position.swapped(step[0], step[1], occupants[step[1]]);
            }
            let occupants = position.occupants();
            assert_eq!(empty_in(&occupants), geometry.end());
            assert!((0..24).all(|tile| usize::from(occupants[geometry.home(tile)]) == tile), "{board}");
            let answer = Direction::Backwards.answer(way);
            assert!(answer.windows(2).all(|step| named(step[0].into(), step[1].into()).is_some()));
        }
    }
}
