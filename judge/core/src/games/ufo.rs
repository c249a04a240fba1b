//! UFO, by Hiroshi Yamamoto, 1998, sold as Lunar Lockout: a moving piece stops only at another piece. Boards are 5 × 5 squares,
//! squares of any other odd size, and the English cross.
//!
//! Only rules, pure. In a *step*, a piece travels left, right, up or down until the next square has another piece; if no piece is
//! on that line, the step is illegal. A *move* is one or more steps of one piece. A letter piece that stops on the centre leaves
//! the board, which ends its move; it may pass over the centre. The board is solved if no letter piece is left; later moves are
//! legal and count.
//!
//! A move continues only with a turn of 90 degrees, as in every answer in the article that analysed the puzzle. So a step cannot
//! go straight on, which would not move the piece. Nor can it go straight back, which reaches only squares that a shorter move
//! reaches. A step that does not move the piece is illegal. An answer consists of words such as `X-DRU 1-DR X-D`: a piece, a
//! dash, its steps.

mod board;
mod generator;

use crate::figure::Figure;
use crate::game::{
    BoardError, Game, GameInfo, Generator, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, Score, show_byte,
};
use crate::picture::{Picture, PictureCell};

use super::direction::Direction;
use super::words::{self, Play};
use board::{Board, CORNER, EMPTY, PIECES, Square, Stuck, is_letter};

/// This game's row in the list of games.
pub(super) static INFO: GameInfo = GameInfo {
    name: "ufo",
    title: "UFO / Lunar Lockout",
    figures: Figure::of_game(["letter pieces out", "moves", "steps"]),
    distance: "squares to the centre",
    man: None,
    rules_help: "no house rules",
    generators: &[
        (Generator::Random, "(drawn until some piece can move and every letter piece might get out)"),
        (
            Generator::Pieces,
            "LETTERS-NUMBERS, after cross: or a size such as 9x9: for another board than 5x5 (default 1-5)",
        ),
    ],
    open: |rules| super::without_rules(rules).map(|()| Box::new(Ufo) as Box<dyn Game>),
};

struct Ufo;

impl Game for Ufo {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Start { board: Board::parse(board)? }))
    }

    fn make(&self, spec: &GeneratorSpec) -> Result<String, GeneratorError> {
        match spec {
            GeneratorSpec::Random { seed, pieces } => {
                generator::random(*seed, pieces.as_deref()).map(|board| board.to_string())
            }
            GeneratorSpec::Phrase(_) | GeneratorSpec::Scramble { .. } | GeneratorSpec::Size(_) => {
                Err(GeneratorError::unsupported(&INFO, spec, "its boards are drawn from pieces and a seed"))
            }
        }
    }
}

/// A parsed board, from which replays start.
struct Start {
    board: Board,
}

impl Puzzle for Start {
    fn start(&self) -> Box<dyn Replay> {
        let letters = self.board.pieces().map(|(label, _)| label).filter(|&label| is_letter(label)).collect();
        let position = Position { board: self.board.clone(), letters, moves: 0, steps: 0, last: None };
        Box::new(Play::new(position))
    }

    /// The centre, with the first letter piece that leaves the board there.
    fn goal(&self) -> Vec<Option<char>> {
        let centre = self.board.centre();
        let letter = self.board.pieces().map(|(label, _)| label).find(|&label| is_letter(label));
        self.board.cells().map(|(square, _)| letter.filter(|_| square == centre).map(char::from)).collect()
    }
}

/// The current board and the cost of the moves so far.
struct Position {
    board: Board,
    /// The letter pieces at the start.
    letters: Vec<u8>,
    moves: u64,
    steps: u64,
    /// The start and the end of the last move. The end is the centre if a letter piece left the board.
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

    /// Sums the rows and columns between the letter pieces and the centre.
    fn distance(&self) -> u64 {
        let centre = self.board.centre();
        let letters = self.board.pieces().filter(|&(label, _)| is_letter(label));
        letters.map(|(_, at)| at.distance(centre)).sum::<usize>() as u64
    }

    fn picture(&self) -> Picture {
        let Position { board, last, .. } = self;
        let touched = |square| last.is_some_and(|(from, to)| square == from || square == to);
        let cells = board.cells().map(|(square, label)| PictureCell {
            label: (label != CORNER).then_some(label.into()),
            touched: touched(square),
        });
        Picture { width: board.side(), cells: cells.collect() }
    }
}

impl Position {
    /// Plays a move. An illegal one changes nothing; the error is the reason.
    fn play(&mut self, word: &[u8]) -> Result<(), String> {
        let &[label, b'-', ref steps @ ..] = word else {
            return Err("a move is a piece, a dash and its steps, such as X-DRU".into());
        };
        if !PIECES.contains(&label) {
            return Err(format!("unexpected `{}`: pieces are X, Y, Z and 1 to 9", show_byte(label)));
        }
        let shown = char::from(label);
        let from = self.board.find(label).ok_or_else(|| match self.letters.contains(&label) {
            true => format!("piece {shown} has left the board"),
            false => format!("no piece {shown} is on this board"),
        })?;
        // The piece's own square is free for its later steps.
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

    /// Returns the square after these steps of a piece, which is not on the board meanwhile.
    fn walk(&self, label: u8, from: Square, steps: &[u8]) -> Result<Square, String> {
        let mut previous = None::<Direction>;
        Direction::walk(from, steps, |at, direction| {
            if let Some(previous) = previous.replace(direction) {
                if is_letter(label) && at == self.board.centre() {
                    let reason = "left the board when it stopped on the centre, which ended its move";
                    return Err(format!("piece {} {reason}", char::from(label)));
                }
                if previous.is_vertical() == direction.is_vertical() {
                    return Err("a move continues only with a turn of 90 degrees".into());
                }
            }
            self.board.slide(at, direction).map_err(|stuck| match stuck {
                Stuck::Blocked(by) => {
                    format!("it cannot leave {at}: piece {} is on the next square", char::from(by))
                }
                Stuck::RunsOff => format!("no piece {} {at} stops it", direction.preposition()),
            })
        })
    }
}
