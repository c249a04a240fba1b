//! The interface of the searches to positions: bit boards ([`crate::position::Bits`]) or lists of squares
//! ([`crate::large::Lists`]).

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Deref;

use crate::geometry::Direction;

/// The pieces that a search moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movable {
    /// All pieces, as the rules allow.
    All,
    /// The letter pieces only.
    Letters,
}

/// A representation of the positions on one board, and the moves on it. It is copied freely.
pub trait Representation: Copy {
    /// A square of the board.
    type Square: Copy + Eq + Debug;
    /// A piece of a position, by the square or the place that it has there.
    type Piece: Copy;
    /// The squares of the pieces, without labels.
    type Position: Copy + Eq + Debug;
    /// A position in the form that tables store.
    type Key: Copy + Eq + Hash + Debug;
    /// The squares that one move of a piece can end on.
    type Stops: Deref<Target = [Stop<Self::Square>]>;

    /// The square at which letter pieces leave.
    fn centre(&self) -> Self::Square;

    /// The key of a position.
    fn key(position: Self::Position) -> Self::Key;

    /// The position with this key.
    fn position(key: Self::Key) -> Self::Position;

    /// Counts the letter pieces on the board.
    fn letters(position: Self::Position) -> u32;

    /// Lists pieces that may move, always in the same order.
    fn pieces(&self, position: Self::Position, movable: Movable) -> impl Iterator<Item = Self::Piece>;

    /// The piece on a square, which is not empty.
    fn piece_on(position: Self::Position, square: Self::Square) -> Self::Piece;

    /// The square of a piece.
    fn square(position: Self::Position, piece: Self::Piece) -> Self::Square;

    /// True if the piece is a letter piece.
    fn is_letter(position: Self::Position, piece: Self::Piece) -> bool;

    /// Makes one step of a piece from a square that its move has reached; `None` if no piece stops it, or if one is
    /// adjacent.
    fn step(
        &self,
        position: Self::Position,
        piece: Self::Piece,
        from: Self::Square,
        direction: Direction,
    ) -> Option<Self::Square>;

    /// Finds the squares that one move of a piece can end on.
    fn stops(&self, position: Self::Position, piece: Self::Piece) -> Self::Stops;

    /// The position after a piece moves to a square; a letter piece that stops on the centre leaves.
    fn after(&self, position: Self::Position, piece: Self::Piece, to: Self::Square) -> Self::Position;

    /// The square that the move between two positions emptied, and the one it filled; `None` if the piece left.
    ///
    /// # Panics
    /// If no piece moved.
    fn moved(before: Self::Position, after: Self::Position) -> (Self::Square, Option<Self::Square>);
}

/// A board with labelled pieces, whose positions have a representation.
pub trait Labelled: Clone {
    /// The form in which a search stores positions of this board.
    type Representation: Representation;

    /// The representation of the positions on this board.
    fn representation(&self) -> Self::Representation;

    /// The pieces without their labels.
    fn position(&self) -> PositionOf<Self>;

    /// The label of the piece on a square.
    fn label_on(&self, square: SquareOf<Self>) -> Option<char>;

    /// Moves a piece to a square; a letter piece on the centre leaves the board.
    fn put(&mut self, label: char, to: SquareOf<Self>);
}

/// The position type of a labelled board.
pub type PositionOf<B> = <<B as Labelled>::Representation as Representation>::Position;
/// The square type of a labelled board.
pub type SquareOf<B> = <<B as Labelled>::Representation as Representation>::Square;

/// A square that one move of a piece can end on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop<Square> {
    /// The square on which the piece stops.
    pub to: Square,
    /// The fewest steps that lead there.
    pub steps: u32,
    /// The number of paths with that many steps.
    pub paths: u64,
}

/// All squares that one move of a piece can end on, nearest first; `ROOM` is one more than the most of them.
#[derive(Debug)]
pub struct Stops<Square, const ROOM: usize> {
    /// The start square, then the stops.
    found: [Stop<Square>; ROOM],
    count: usize,
}

impl<Square: Copy + Eq, const ROOM: usize> Stops<Square, ROOM> {
    /// Finds the stops of a piece. `step` makes one step from a square; a move ends at `exit`, if the piece has one.
    #[inline]
    pub fn find(from: Square, exit: Option<Square>, step: impl Fn(Square, Direction) -> Option<Square>) -> Self {
        let start = Stop { to: from, steps: 0, paths: 1 };
        let mut stops = Stops { found: [start; ROOM], count: 1 };
        // Stops are expanded nearest first, so each square is found with its fewest steps.
        let mut next = 0;
        while next < stops.count {
            let stop = stops.found[next];
            next += 1;
            if exit == Some(stop.to) {
                continue;
            }
            for direction in Direction::ALL {
                if let Some(to) = step(stop.to, direction) {
                    stops.reach(to, stop);
                }
            }
        }
        stops
    }

    #[inline]
    fn reach(&mut self, to: Square, by: Stop<Square>) {
        let known = &mut self.found[..self.count];
        match known.iter_mut().rev().find(|stop| stop.to == to) {
            Some(stop) if stop.steps == by.steps + 1 => stop.paths += by.paths,
            Some(_) => {}
            None => {
                self.found[self.count] = Stop { to, steps: by.steps + 1, paths: by.paths };
                self.count += 1;
            }
        }
    }
}

impl<Square, const ROOM: usize> Deref for Stops<Square, ROOM> {
    type Target = [Stop<Square>];

    /// The stops, without the start square.
    #[inline]
    fn deref(&self) -> &[Stop<Square>] {
        &self.found[1..self.count]
    }
}
