//! The row in play, and what can go into its empty square.

use crate::board::Move;

/// Whose a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Goes right.
    Black,
    /// Goes left.
    Red,
}

/// One of the four things that can happen to the empty square, numbered in the order in which the write-up's program
/// comes to them: black pieces from left to right, then red ones. Of two black pieces the one that hops stands further
/// left, of two red ones the one that goes one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Try(usize);

impl Try {
    const OFFSETS: [(Colour, isize); 4] =
        [(Colour::Black, -2), (Colour::Black, -1), (Colour::Red, 1), (Colour::Red, 2)];

    /// All of them in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::OFFSETS.len()).map(Self)
    }

    /// Those that come after this one, in order.
    pub fn later(self) -> impl Iterator<Item = Self> {
        Self::all().skip(self.0 + 1)
    }

    /// Whose piece moves.
    pub fn colour(self) -> Colour {
        Self::OFFSETS[self.0].0
    }

    /// Squares from the empty one to the piece.
    fn offset(self) -> isize {
        Self::OFFSETS[self.0].1
    }
}

/// What stands on each square.
#[derive(Debug, Clone)]
pub struct Row {
    squares: Vec<Option<Colour>>,
    empty: usize,
    /// Pieces that have not passed the middle yet; the goal has none.
    astray: usize,
}

impl Row {
    /// The row before the first move.
    pub fn start(pieces: usize) -> Self {
        let squares = [vec![Some(Colour::Black); pieces], vec![None], vec![Some(Colour::Red); pieces]].concat();
        Self { squares, empty: pieces, astray: 2 * pieces }
    }

    /// Whether all pieces have changed sides.
    pub fn is_goal(&self) -> bool {
        self.astray == 0
    }

    /// What stands on each square.
    pub fn squares(&self) -> &[Option<Colour>] {
        &self.squares
    }

    /// The move that a try comes to, if the rules allow it.
    pub fn legal(&self, way: Try) -> Option<Move> {
        let from = self.empty.checked_add_signed(way.offset()).filter(|&from| from < self.squares.len())?;
        let own = Some(way.colour());
        let between = self.squares[usize::midpoint(from, self.empty)];
        let hops_well = way.offset().abs() == 1 || between != own && between.is_some();
        (self.squares[from] == own && hops_well).then_some(Move { from, to: self.empty })
    }

    /// Makes a move that is legal.
    pub fn make(&mut self, Move { from, to }: Move) {
        self.astray -= usize::from(self.passes_middle(from, to));
        self.squares.swap(from, to);
        self.empty = from;
    }

    /// Takes back the last move.
    pub fn take_back(&mut self, Move { from, to }: Move) {
        self.squares.swap(from, to);
        self.empty = to;
        self.astray += usize::from(self.passes_middle(from, to));
    }

    /// Whether a piece comes to its own half by this move. Which colour it has, the direction tells.
    fn passes_middle(&self, from: usize, to: usize) -> bool {
        let middle = self.squares.len() / 2;
        if from < to { from <= middle && to > middle } else { from >= middle && to < middle }
    }
}
