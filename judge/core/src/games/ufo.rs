//! UFO, by Hiroshi Yamamoto, 1998, sold as Lunar Lockout: only a piece stops a piece, on 5 × 5 squares or on the
//! English cross.
//!
//! Rules only, pure. A *step*: a piece travels left, right, up or down until the next square holds another piece;
//! without one on that line it cannot go. A *move*: one or more steps of one piece. A letter piece that stops on the
//! centre leaves the board and its move ends; passing over the centre is allowed. Solved when no letter piece is left;
//! moves after that are legal and count.
//!
//! The article that analysed the puzzle lets a move go on by a turn of 90 degrees, and every answer that it prints does
//! so. Hence neither straight on, which would move nothing, nor straight back, which leads to no square that a shorter
//! move does not reach. A step that moves nothing is illegal.
//!
//! An answer is words such as `X-DRU 1-DR X-D`: a piece, a dash, its steps.

mod board;
mod recipe;

use crate::game::{
    BoardError, Game, GameInfo, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, Score, ScoreLabels,
    show_byte,
};
use crate::picture::{Cell, Picture};

use super::direction::Direction;
use super::words::{self, Play};
use board::{Board, CORNER, EMPTY, PIECES, Square, Stuck, is_letter};

/// This game's row.
pub(super) static INFO: GameInfo = GameInfo {
    name: "ufo",
    title: "UFO / Lunar Lockout",
    words: ScoreLabels {
        progress: "letter pieces out",
        moves: "moves",
        tie_break: "steps",
        distance: "squares to the centre",
    },
    rules_help: "no house rules",
    generators_help: "--random, --pieces LETTERS-NUMBERS or cross:LETTERS-NUMBERS (default 1-5)",
    open: |rules| super::without_rules(rules).map(|()| Box::new(Ufo) as Box<dyn Game>),
};

struct Ufo;

impl Game for Ufo {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Start { board: Board::parse(board)? }))
    }

    fn make(&self, recipe: &GeneratorSpec) -> Result<String, GeneratorError> {
        match recipe {
            GeneratorSpec::Random { seed, pieces } => {
                recipe::random(*seed, pieces.as_deref()).map(|board| board.to_string())
            }
            GeneratorSpec::Phrase(_) | GeneratorSpec::Scramble { .. } | GeneratorSpec::Size(_) => {
                Err(GeneratorError::of(&INFO, "the pieces and the seed make the board"))
            }
        }
    }
}

/// A board that was read.
struct Start {
    board: Board,
}

impl Puzzle for Start {
    fn start(&self) -> Box<dyn Replay> {
        let letters = self.board.pieces().map(|(label, _)| label).filter(|&label| is_letter(label)).collect();
        let position = Position { board: self.board.clone(), letters, moves: 0, steps: 0, last: None };
        Box::new(Play::new(position))
    }
}

/// The board in play and what the moves so far have cost.
struct Position {
    board: Board,
    /// The letter pieces that the board began with.
    letters: Vec<u8>,
    moves: u64,
    steps: u64,
    /// Where the last move began and ended; for a letter piece that went out, the end is the centre.
    last: Option<(Square, Square)>,
}

impl words::Position for Position {
    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
        self.play(word).map_err(|reason| self.illegal(word, reason))
    }

    fn index(&self) -> u64 {
        self.moves + 1
    }

    fn score(&self) -> Score {
        let Position { board, letters, moves, steps, .. } = self;
        let out = letters.iter().filter(|&&letter| board.find(letter).is_none()).count() as u64;
        Score { progress: out, of: letters.len() as u64, moves: *moves, tie_break: *steps }
    }

    /// Rows and columns between the letter pieces and the centre.
    fn distance(&self) -> u64 {
        let centre = self.board.centre();
        let letters = self.board.pieces().filter(|&(label, _)| is_letter(label));
        letters.map(|(_, at)| at.distance(centre)).sum::<usize>() as u64
    }

    fn picture(&self) -> Picture {
        let Position { board, last, .. } = self;
        let touched = |square| last.is_some_and(|(from, to)| square == from || square == to);
        let cells = board
            .cells()
            .map(|(square, label)| Cell { label: (label != CORNER).then_some(label.into()), touched: touched(square) });
        Picture { width: board.side(), cells: cells.collect() }
    }
}

impl Position {
    /// Makes a move, or says why it is illegal and leaves everything as it was.
    fn play(&mut self, word: &[u8]) -> Result<(), String> {
        let &[label, b'-', ref steps @ ..] = word else {
            return Err("a move is a piece, a dash and its steps, such as X-DRU".into());
        };
        if !PIECES.contains(&label) {
            return Err(format!("`{}` is no piece: pieces are X, Y, Z and 1 to 9", show_byte(label)));
        }
        let shown = char::from(label);
        let from = self.board.find(label).ok_or_else(|| match self.letters.contains(&label) {
            true => format!("piece {shown} has left the board"),
            false => format!("there is no piece {shown} on this board"),
        })?;
        if steps.is_empty() {
            return Err("a move has at least one step, L, R, U or D".into());
        }
        // The square it leaves is free for its own later steps.
        self.board.put(from, EMPTY);
        match self.walk(label, from, steps) {
            Ok(to) => {
                let out = is_letter(label) && to == self.board.centre();
                self.board.put(to, if out { EMPTY } else { label });
                self.moves += 1;
                self.steps += steps.len() as u64;
                self.last = Some((from, to));
                Ok(())
            }
            Err(reason) => {
                self.board.put(from, label);
                Err(reason)
            }
        }
    }

    /// Where these steps lead a piece that was taken off the board.
    fn walk(&self, label: u8, from: Square, steps: &[u8]) -> Result<Square, String> {
        let (mut at, mut previous) = (from, None::<Direction>);
        for (index, &step) in steps.iter().enumerate() {
            let fault = |reason: String| Err(format!("step {} `{}`: {reason}", index + 1, show_byte(step)));
            let Some(direction) = Direction::read(step) else {
                return fault("steps are L, R, U and D".into());
            };
            if let Some(previous) = previous {
                if is_letter(label) && at == self.board.centre() {
                    let reason = "leaves the board when it stops on the centre, its move ends there";
                    return fault(format!("piece {} {reason}", char::from(label)));
                }
                if previous.is_vertical() == direction.is_vertical() {
                    return fault("a move goes on with a turn of 90 degrees only".into());
                }
            }
            at = match self.board.slide(at, direction) {
                Ok(to) => to,
                Err(Stuck::Blocked(by)) => {
                    return fault(format!("it cannot leave {at}: piece {} stands on the next square", char::from(by)));
                }
                Err(Stuck::RunsOff) => {
                    return fault(format!("no piece {} {at} stops it before the edge", direction.beside()));
                }
            };
            previous = Some(direction);
        }
        Ok(at)
    }
}
