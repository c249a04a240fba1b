//! SHIFT, known as Klotski: rectangular blocks slide on a full board until the big one, `X`, is out.
//!
//! Only rules, pure. A *step* moves a block one cell left, right, up or down, onto free cells. A *move* is any number of steps of
//! one block, in any directions. Two words in a row about the same block are two moves. A move that ends where it began is legal
//! and counts. The board is solved if `X` is on its goal at the end of the answer. Moves after `X` reaches its goal are legal and
//! count.
//!
//! An answer consists of words such as `G-DR`: a block, a dash, its steps.

mod board;
mod generator;

use crate::figure::Figure;
use crate::game::{
    BoardError, Game, GameInfo, Generator, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, Score,
    check_scramble, show_byte,
};
use crate::picture::{Picture, PictureCell};

use super::direction::Direction;
use super::words::{self, Play};
use board::{Board, Corner, Obstacle, TARGET};

/// This game's row in the list of games.
pub(super) static INFO: GameInfo = GameInfo {
    name: "shift",
    title: "SHIFT / Klotski",
    figures: Figure::of_game(["big blocks out", "moves", "unit steps"]),
    distance: "steps to the goal",
    man: None,
    rules_help: "no house rules",
    generators: &[(Generator::Scramble, "MOVES")],
    open: |rules| super::without_rules(rules).map(|()| Box::new(Shift) as Box<dyn Game>),
};

struct Shift;

impl Game for Shift {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Start { board: Board::parse(board)? }))
    }

    fn make(&self, spec: &GeneratorSpec) -> Result<String, GeneratorError> {
        match spec {
            GeneratorSpec::Scramble { moves, seed } => {
                check_scramble(*moves)?;
                Ok(generator::scrambled(*moves, *seed))
            }
            GeneratorSpec::Phrase(_) | GeneratorSpec::Random { .. } | GeneratorSpec::Size(_) => {
                Err(GeneratorError::unsupported(&INFO, spec, "other placements of blocks may have no answer"))
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
        let position = Position { board: self.board.clone(), moves: 0, steps: 0, touched: 0 };
        Box::new(Play::new(position))
    }

    /// The big block on its goal.
    fn goal(&self) -> Vec<Option<char>> {
        let goal = self.board.goal_footprint();
        self.board.cells().map(|(cell, _)| (goal & cell.bit() != 0).then_some(TARGET.into())).collect()
    }
}

/// The current board and the cost of the moves so far.
struct Position {
    board: Board,
    moves: u64,
    steps: u64,
    /// The cells of the last moved block, before and after its move, as bits.
    touched: u64,
}

impl words::Position for Position {
    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
        self.play(word).map_err(|reason| self.illegal(word, reason))
    }

    fn index(&self) -> u64 {
        self.moves + 1
    }

    fn score(&self) -> Score {
        let Position { board, moves, steps, .. } = self;
        Score { progress: u64::from(board.is_solved()), of: 1, moves: *moves, tie_break: *steps }
    }

    /// Counts the unit steps of the big block to its goal, ignoring other blocks.
    fn distance(&self) -> u64 {
        self.board.distance() as u64
    }

    fn picture(&self) -> Picture {
        let Position { board, touched, .. } = self;
        let cells = board
            .cells()
            .map(|(cell, label)| PictureCell { label: Some(label.into()), touched: touched & cell.bit() != 0 });
        Picture { width: board.width(), cells: cells.collect() }
    }
}

impl Position {
    /// Plays a move. An illegal one changes nothing; the error is the reason.
    fn play(&mut self, word: &[u8]) -> Result<(), String> {
        let &[label, b'-', ref steps @ ..] = word else {
            return Err("a move is a block, a dash and its steps, such as G-DR".into());
        };
        if !label.is_ascii_uppercase() {
            return Err(format!("unexpected `{}`: blocks are the letters A to Z", show_byte(label)));
        }
        let from = self.board.find(label).ok_or_else(|| format!("no block {} is on this board", char::from(label)))?;
        let to = Direction::walk(from, steps, |at, direction| self.step(label, at, direction))?;
        self.touched = self.board.footprint(label);
        self.board.put(label, to);
        self.touched |= self.board.footprint(label);
        self.moves += 1;
        self.steps += steps.len() as u64;
        Ok(())
    }

    /// Returns the block's corner after a step.
    fn step(&self, label: u8, at: Corner, direction: Direction) -> Result<Corner, String> {
        self.board.step(label, at, direction).map_err(|obstacle| match obstacle {
            Obstacle::Edge => format!("block {} is at the edge of the board", char::from(label)),
            Obstacle::Block { label, cell } => format!("block {} is in the way, in {cell}", char::from(label)),
        })
    }
}
