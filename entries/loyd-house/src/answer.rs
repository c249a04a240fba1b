//! Answers as letters, and boards on one line, by the rules of `loyd_kit`.

use loyd_kit::{Board, Move, Spot, Tile};

use crate::geometry::SIDE;
use crate::position::moves;

/// The letters of a path of the empty spot, which begins with its first spot; `None` if a step is not a move.
pub fn to_letters(path: &[u8]) -> Option<String> {
    Some(moves(path)?.into_iter().map(Move::letter).collect())
}

/// The board after an answer; `None` if a letter is not a legal move. White space is ignored.
pub fn replay(board: &Board, answer: &str) -> Option<Board> {
    answer
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .try_fold(*board, |board, letter| board.after(Move::ALL.into_iter().find(|made| made.letter() == letter)?))
}

/// The board on one line, as five groups of five symbols.
pub fn one_line(board: &Board) -> String {
    let symbols: Vec<char> = Spot::all().map(|spot| board.at(spot).map_or('+', Tile::letter)).collect();
    symbols.chunks(SIDE).map(String::from_iter).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn an_answer_from_the_write_ups_is_replayed() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        assert_eq!(replay(&trap, "dddd rrrulluuurrrddddlllluuuu\n"), Some(Board::perfection()));
        assert_eq!(replay(&trap, "ddddd"), None, "off the board");
        assert_eq!(replay(&trap, "x"), None);
        assert_eq!(one_line(&trap), "FBCDE KAGHJ PLMIO UQRNT VWXS+");
    }

    #[test]
    fn a_path_is_converted_to_letters() {
        assert_eq!(to_letters(&[24, 19, 12, 17]).as_deref(), Some("dtu"));
        assert_eq!(to_letters(&[24, 12]).as_deref(), Some("t"));
        assert_eq!(to_letters(&[24, 0]), None);
    }
}
