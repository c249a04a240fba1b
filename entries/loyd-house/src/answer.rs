//! Answers as text, and boards in one line, by the kit's own rules.

use loyd_kit::{Board, Move, Spot, Tile};

use crate::geometry::SIDE;
use crate::position::moves;

/// The letters of a way of the empty spot, which begins with the spot it is on at first; `None` if a step is no move.
pub fn letters(way: &[u8]) -> Option<String> {
    Some(moves(way)?.into_iter().map(Move::letter).collect())
}

/// The board after an answer; `None` if it holds a move that is none or illegal. White space does not count.
pub fn replay(board: &Board, answer: &str) -> Option<Board> {
    answer
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .try_fold(*board, |board, letter| board.after(Move::ALL.into_iter().find(|made| made.letter() == letter)?))
}

/// The board as five times five symbols.
pub fn line(board: &Board) -> String {
    let symbols: Vec<char> = Spot::all().map(|spot| board.at(spot).map_or('+', Tile::letter)).collect();
    symbols.chunks(SIDE).map(String::from_iter).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_replayed_as_the_write_ups_say() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        assert_eq!(replay(&trap, "dddd rrrulluuurrrddddlllluuuu\n"), Some(Board::perfection()));
        assert_eq!(replay(&trap, "ddddd"), None, "off the board");
        assert_eq!(replay(&trap, "x"), None);
        assert_eq!(line(&trap), "FBCDE KAGHJ PLMIO UQRNT VWXS+");
    }

    #[test]
    fn a_way_is_spelt_in_moves() {
        assert_eq!(letters(&[24, 19, 12, 17]).as_deref(), Some("dtu"));
        assert_eq!(letters(&[24, 12]).as_deref(), Some("t"));
        assert_eq!(letters(&[24, 0]), None);
    }
}
