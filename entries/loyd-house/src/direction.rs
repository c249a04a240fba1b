//! From which end a board is searched.
//!
//! The way from perfection back to the board, every move taken back, is a puzzle of the same kind. Name each tile after
//! the spot it stands on at first: then the board is the goal, and perfection, as it looks in those names, is where the
//! search begins; as a permutation of the spots it is the inverse of the board. Tables for moves taken back know no
//! board either, as long as the empty spot is at the same place at both ends. Which end has fewer positions to search
//! differs from board to board, by a factor of ten and more.

use serde::{Deserialize, Serialize};

use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::position::{EMPTY, Packed, byte};

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

impl Direction {
    /// The board with the moves that are made in this direction.
    pub fn geometry(self) -> Geometry {
        match self {
            Direction::Forwards => Geometry::new(SIDE),
            Direction::Backwards => Geometry::new(SIDE).reversed(),
        }
    }

    /// Where the search for an answer to a board begins; `None` if it cannot be searched in this direction, which asks
    /// for the empty spot on the last spot.
    pub fn start(self, board: Packed) -> Option<Packed> {
        if self == Direction::Forwards {
            return Some(board);
        }
        let mut inverse = [EMPTY; SPOTS];
        for (spot, occupant) in board.occupants().into_iter().enumerate() {
            inverse[usize::from(occupant)] = byte(spot);
        }
        (inverse[usize::from(EMPTY)] == EMPTY).then(|| Packed::new(&inverse))
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
    use super::*;
    use crate::position::{empty_in, named};

    #[test]
    fn an_answer_taken_back_leads_from_where_the_search_backwards_begins_to_the_goal() {
        let board: loyd_kit::Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let mut position = Direction::Backwards.start(Packed::from(&board)).unwrap();
        let mut way = vec![24];
        let mut forwards = board;
        for letter in "ddtdrtdluuurrrddddtlltlluu".chars() {
            forwards =
                forwards.after(loyd_kit::Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap()).unwrap();
            way.push(byte(forwards.empty().index()));
        }
        way.reverse();
        for step in way.windows(2).map(|step| [step[0], step[1]].map(usize::from)) {
            assert!(Direction::Backwards.geometry().empty_after(step[0]).contains(&step[1]));
            let occupants = position.occupants();
            assert_eq!(empty_in(&occupants), step[0]);
            position = position.swapped(step[0], step[1], occupants[step[1]]);
        }
        assert_eq!(position, Packed::goal());
        let answer = Direction::Backwards.answer(way);
        assert!(answer.windows(2).all(|step| named(step[0].into(), step[1].into()).is_some()));
    }

    #[test]
    fn it_asks_for_the_empty_spot_at_home() {
        let board: loyd_kit::Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().unwrap();
        assert_eq!(Direction::Backwards.start(Packed::from(&board)), None);
        assert_eq!(Direction::Backwards.start(Packed::goal()), Some(Packed::goal()));
    }
}
