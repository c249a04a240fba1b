//! The direction of a search: from the board, or backwards from perfection.
//!
//! A path from perfection back to the board, with every move undone, is a puzzle of the same kind. Name each tile after
//! the spot where it starts. Then the board is the goal, and the search begins at perfection, written in those names;
//! as a permutation of the spots it is the inverse of the board. Which direction has fewer positions to search differs
//! from board to board, by a factor of ten and more.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::position::{Packed, empty_in, inverse};

/// The direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// From the board, by moves.
    #[serde(rename = "from the board")]
    Forwards,
    /// From perfection, by undoing moves.
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
    /// The direction of the search from the other end.
    #[must_use]
    pub fn other(self) -> Direction {
        match self {
            Direction::Forwards => Direction::Backwards,
            Direction::Backwards => Direction::Forwards,
        }
    }

    /// The moves in this direction, and the goal of a board's search.
    pub fn geometry(self, board: Packed) -> Geometry {
        match self {
            Direction::Forwards => Geometry::new(SIDE),
            Direction::Backwards => Geometry::new(SIDE).reversed().ending_at(empty_in(&board.occupants())),
        }
    }

    /// The first position of a board's search.
    #[must_use]
    pub fn start(self, board: Packed) -> Packed {
        match self {
            Direction::Forwards => board,
            Direction::Backwards => inverse(board, SPOTS - 1),
        }
    }

    /// Converts the path that a search found to the path of the empty spot in an answer to the board.
    #[must_use]
    pub fn answer(self, mut path: Vec<u8>) -> Vec<u8> {
        if self == Direction::Backwards {
            path.reverse();
        }
        path
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use loyd_kit::{Board, Move};

    use super::*;
    use crate::position::{byte, move_between};

    #[test]
    fn an_undone_answer_leads_from_the_start_of_the_backward_search_to_its_goal() {
        // The empty spot at home, in a corner and elsewhere.
        let answers = [
            ("FBCDE KAGHJ PLMIO UQRNT VWXS+", "ddtdrtdluuurrrddddtlltlluu"),
            ("+ABCD GHIJE FKLMN QRSTO PUVWX", "llllurrrrullllurrrrullll"),
            ("ABCDE FGHIJ KL+MN PQRSO UVWXT", "lluu"),
        ];
        for (board, answer) in answers {
            let mut forwards: Board = board.parse().unwrap();
            let packed = Packed::from(&forwards);
            let mut path = vec![byte(forwards.empty().index())];
            for letter in answer.chars() {
                let made = Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap();
                forwards = forwards.after(made).unwrap();
                path.push(byte(forwards.empty().index()));
            }
            let geometry = Direction::Backwards.geometry(packed);
            let mut position = Direction::Backwards.start(packed);
            path.reverse();
            for step in path.windows(2).map(|step| [step[0], step[1]].map(usize::from)) {
                assert!(geometry.empty_after(step[0]).contains(&step[1]));
                let occupants = position.occupants();
                assert_eq!(empty_in(&occupants), step[0]);
                position = position.swapped(step[0], step[1], occupants[step[1]]);
            }
            let occupants = position.occupants();
            assert_eq!(empty_in(&occupants), geometry.end());
            assert!((0..24).all(|tile| usize::from(occupants[geometry.home(tile)]) == tile), "{board}");
            let answer = Direction::Backwards.answer(path);
            assert!(answer.windows(2).all(|step| move_between(step[0].into(), step[1].into()).is_some()));
        }
    }
}
