//! The row during play, and the moves into its empty square.

use crate::board::Move;

/// The colour of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Black pieces, which move right.
    Black,
    /// Red pieces, which move left.
    Red,
}

/// One of the four kinds of move into the empty square, numbered in the order of the write-up's program: black pieces
/// from left to right, then red ones. Of two black pieces, the one that hops is further left; of two red pieces, the one
/// that moves one square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveKind(usize);

impl MoveKind {
    const OFFSETS: [(Colour, isize); 4] =
        [(Colour::Black, -2), (Colour::Black, -1), (Colour::Red, 1), (Colour::Red, 2)];

    /// All four kinds in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::OFFSETS.len()).map(Self)
    }

    /// The kinds after this one, in order.
    pub(crate) fn later(self) -> impl Iterator<Item = Self> {
        Self::all().skip(self.0 + 1)
    }

    /// The colour of the moved piece.
    pub fn colour(self) -> Colour {
        Self::OFFSETS[self.0].0
    }

    /// The distance from the empty square to the piece; negative to the left.
    fn offset(self) -> isize {
        Self::OFFSETS[self.0].1
    }
}

/// The pieces on the squares of the row.
#[derive(Debug, Clone)]
pub struct Row {
    squares: Vec<Option<Colour>>,
    empty: usize,
    /// The number of pieces that have not passed the middle yet; 0 at the goal.
    remaining: usize,
}

impl Row {
    /// Creates the row before the first move.
    pub fn start(pieces: usize) -> Self {
        let squares = [vec![Some(Colour::Black); pieces], vec![None], vec![Some(Colour::Red); pieces]].concat();
        Self { squares, empty: pieces, remaining: 2 * pieces }
    }

    /// True if all pieces have changed sides.
    pub(crate) fn is_goal(&self) -> bool {
        self.remaining == 0
    }

    /// The piece on each square.
    pub fn squares(&self) -> &[Option<Colour>] {
        &self.squares
    }

    /// Returns the move of this kind if it is legal.
    pub fn legal(&self, kind: MoveKind) -> Option<Move> {
        let from = self.empty.checked_add_signed(kind.offset()).filter(|&from| from < self.squares.len())?;
        let own = Some(kind.colour());
        let between = self.squares[usize::midpoint(from, self.empty)];
        let valid_hop = kind.offset().abs() == 1 || between != own && between.is_some();
        (self.squares[from] == own && valid_hop).then_some(Move { from, to: self.empty })
    }

    /// Makes a move, which must be legal.
    pub(crate) fn make(&mut self, Move { from, to }: Move) {
        self.remaining -= usize::from(self.passes_middle(from, to));
        self.squares.swap(from, to);
        self.empty = from;
    }

    /// Takes back a move, which must be the last one made.
    pub(crate) fn undo(&mut self, Move { from, to }: Move) {
        self.squares.swap(from, to);
        self.empty = to;
        self.remaining += usize::from(self.passes_middle(from, to));
    }

    /// True if the piece reaches its goal half by this move; the direction of the move gives its colour.
    fn passes_middle(&self, from: usize, to: usize) -> bool {
        let middle = self.squares.len() / 2;
        if from < to { from <= middle && to > middle } else { from >= middle && to < middle }
    }
}
