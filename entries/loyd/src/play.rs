//! A board together with the moves that led to it.

use crate::board::Board;
use crate::moves::Move;

/// A board that is being solved. It accepts only legal moves, so a strategy that plays here prints only legal moves.
#[derive(Clone, Debug)]
pub struct Play {
    board: Board,
    moves: Vec<Move>,
}

impl Play {
    /// The play on this board before the first move.
    pub fn new(board: Board) -> Play {
        Play { board, moves: Vec::new() }
    }

    /// The board after the moves so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The moves so far, oldest first.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Makes a move.
    ///
    /// # Panics
    /// If the move is illegal here. That is a bug in the strategy, and a crash is easier to find than a wrong answer.
    pub fn make(&mut self, made: Move) {
        self.board = self.board.after(made).expect("a strategy plays legal moves only");
        self.moves.push(made);
    }

    /// Makes these moves one after the other.
    ///
    /// # Panics
    /// As [`Play::make`].
    pub fn make_all(&mut self, made: &[Move]) {
        for &one in made {
            self.make(one);
        }
    }

    /// The answer: all moves made.
    pub fn into_moves(self) -> Vec<Move> {
        self.moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_recorded_as_they_are_made() {
        let mut play = Play::new(Board::perfection());
        play.make_all(&[Move::Down, Move::Up]);
        assert_eq!(play.board(), &Board::perfection());
        assert_eq!(play.moves(), [Move::Down, Move::Up]);
        assert_eq!(play.into_moves(), [Move::Down, Move::Up]);
    }

    #[test]
    #[should_panic(expected = "a strategy plays legal moves only")]
    fn an_illegal_move_panics() {
        Play::new(Board::perfection()).make(Move::Up);
    }
}
