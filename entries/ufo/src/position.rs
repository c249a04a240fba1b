//! A position without labels, and its moves.
//!
//! Exchanging two letter pieces, or two number pieces, changes neither the possible moves nor their cost. Positions
//! without labels are fewer; labels are restored when an answer is written.

use crate::geometry::{Direction, Geometry, MAX_SQUARES, Square, squares};
use crate::representation::{Movable, Representation, Stops};

/// The squares of the letter pieces still on the board and of the number pieces, as sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Letter pieces, at most three.
    pub letters: u64,
    /// The squares of number pieces, as bits.
    pub numbers: u64,
}

/// Bits of the key that hold the number pieces.
const NUMBER_BITS: u32 = 33;
/// Bits of the key for each letter piece; 0 stands for no piece.
const LETTER_BITS: u32 = 6;

impl Position {
    /// The squares of all pieces, as bits.
    pub(crate) fn occupied(self) -> u64 {
        self.letters | self.numbers
    }

    /// The position in 51 bits.
    pub fn key(self) -> u64 {
        let letters =
            squares(self.letters).fold(0, |packed, square| packed << LETTER_BITS | (square.index() as u64 + 1));
        letters << NUMBER_BITS | self.numbers
    }

    /// The position with this key.
    pub fn from_key(key: u64) -> Position {
        let mut letters = 0;
        let mut packed = key >> NUMBER_BITS;
        while packed != 0 {
            letters |= 1 << ((packed & ((1 << LETTER_BITS) - 1)) - 1);
            packed >>= LETTER_BITS;
        }
        Position { letters, numbers: key & ((1 << NUMBER_BITS) - 1) }
    }

    /// The position after the piece on `from` moves to `to`; a letter piece that stops on the centre leaves.
    #[must_use]
    pub fn after(self, geometry: &Geometry, from: Square, to: Square) -> Position {
        if self.letters & from.bit() == 0 {
            Position { numbers: self.numbers ^ from.bit() ^ to.bit(), ..self }
        } else {
            let arrived = if to == geometry.centre() { 0 } else { to.bit() };
            Position { letters: self.letters ^ from.bit() | arrived, ..self }
        }
    }
}

/// Lists the placements of `letters` letter pieces next to these number pieces; none uses the centre.
pub fn placements(geometry: &Geometry, numbers: u64, letters: usize) -> Vec<u64> {
    let free = geometry.all() & !numbers & !geometry.centre().bit();
    let mut sets = vec![0_u64];
    for _ in 0..letters {
        // In ascending order of squares, so that each set occurs once.
        let larger = |set: &u64| squares(free).filter(move |s| s.bit() > *set).map(move |s| *set | s.bit()).collect();
        sets = sets.iter().flat_map(|set| -> Vec<u64> { larger(set) }).collect();
    }
    sets
}

/// Bit boards: positions as two sets of squares.
#[derive(Debug, Clone, Copy)]
pub struct Bits<'board> {
    /// The tables of the board.
    pub geometry: &'board Geometry,
    /// The pieces that a search leaves idle, as a set: they do not move, and no step may end against them.
    ///
    /// A number piece is insignificant in some best answer exactly if the problem has an equally good answer with that
    /// piece idle.
    pub idle: u64,
}

impl<'board> Bits<'board> {
    /// The positions of a board with no idle piece.
    pub fn of(geometry: &'board Geometry) -> Self {
        Bits { geometry, idle: 0 }
    }

    #[inline]
    fn step_past(&self, others: u64, from: Square, direction: Direction) -> Option<Square> {
        let step = self.geometry.step(others, from, direction)?;
        (step.stopper.bit() & self.idle == 0).then_some(step.to)
    }
}

impl Representation for Bits<'_> {
    type Square = Square;
    type Piece = Square;
    type Position = Position;
    type Key = u64;
    type Stops = Stops<Square, MAX_SQUARES>;

    fn centre(&self) -> Square {
        self.geometry.centre()
    }

    fn key(position: Position) -> u64 {
        position.key()
    }

    fn position(key: u64) -> Position {
        Position::from_key(key)
    }

    fn letters(position: Position) -> u32 {
        position.letters.count_ones()
    }

    #[inline]
    fn pieces(&self, position: Position, movable: Movable) -> impl Iterator<Item = Square> {
        let pieces = match movable {
            Movable::All => position.occupied(),
            Movable::Letters => position.letters,
        };
        squares(pieces & !self.idle)
    }

    fn piece_on(_: Position, square: Square) -> Square {
        square
    }

    fn square(_: Position, piece: Square) -> Square {
        piece
    }

    fn is_letter(position: Position, piece: Square) -> bool {
        position.letters & piece.bit() != 0
    }

    fn step(&self, position: Position, piece: Square, from: Square, direction: Direction) -> Option<Square> {
        self.step_past(position.occupied() & !piece.bit(), from, direction)
    }

    #[inline]
    fn stops(&self, position: Position, piece: Square) -> Self::Stops {
        let others = position.occupied() & !piece.bit();
        let exit = Self::is_letter(position, piece).then_some(self.centre());
        Stops::find(piece, exit, |from, direction| self.step_past(others, from, direction))
    }

    #[inline]
    fn after(&self, position: Position, piece: Square, to: Square) -> Position {
        position.after(self.geometry, piece, to)
    }

    fn moved(before: Position, after: Position) -> (Square, Option<Square>) {
        let only = |one: Position, other: Position| squares(one.occupied() & !other.occupied()).next();
        (only(before, after).expect("a piece left its square"), only(after, before))
    }
}
