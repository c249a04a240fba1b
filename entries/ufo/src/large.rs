//! Square boards of any odd size.
//!
//! The bit boards of the other modules have tables for 5 × 5 and the cross. A larger board has as few pieces, so a
//! position here lists their squares. The piece ahead of a moving piece is the nearest of at most eleven others on its
//! line, whatever the size of the board.
//!
//! The searches [`breadth_first`] and [`depth_first`] are the same for both.
//! Cost: about ten times as much per move, and 40 bytes per position.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::answer::Answer;
use crate::board;
use crate::breadth_first;
use crate::depth_first;
use crate::geometry::Direction;
use crate::pieces::{LETTERS, NUMBERS, OUTSIDE, Pieces, symbols};
use crate::representation::{Labelled, Movable, Representation, Stops};
use crate::search::Limits;

/// The largest number of rows.
const LARGEST_SIDE: usize = 255;

const PIECES: usize = LETTERS.len() + NUMBERS.len();
/// The places of the letter pieces in a position; the number pieces follow.
const LETTER_PLACES: Range<usize> = 0..LETTERS.len();
/// One more than the most stops of a move: each is next to one of the other pieces, on one of its four sides.
const MAX_STOPS: usize = 1 + 4 * (PIECES - 1);

/// A square, by row and column from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    row: u8,
    column: u8,
}

impl Square {
    /// Stands for the square of a piece that is not on the board; sorts last.
    const NONE: Square = Square { row: u8::MAX, column: u8::MAX };
}

/// The squares of the letter pieces still on the board and of the number pieces, without labels: each kind in reading
/// order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [Square; PIECES],
}

impl Position {
    /// Lists the places and squares of the pieces on the board.
    fn pieces(&self) -> impl Iterator<Item = (usize, Square)> {
        self.pieces.iter().copied().enumerate().filter(|(_, square)| *square != Square::NONE)
    }

    /// Makes one step of a piece from a square that its move has reached; `None` if no piece stands ahead, or if one is
    /// adjacent.
    fn step(&self, place: usize, from: Square, direction: Direction) -> Option<Square> {
        let others = self.pieces().filter(|(other, _)| *other != place).map(|(_, square)| square);
        let in_row = |other: &Square| other.row == from.row;
        let in_column = |other: &Square| other.column == from.column;
        let columns = |other: Square| other.column;
        let rows = |other: Square| other.row;
        let to = match direction {
            Direction::Left => {
                let ahead = others.filter(in_row).map(columns).filter(|&column| column < from.column).max()?;
                Square { column: ahead + 1, ..from }
            }
            Direction::Right => {
                let ahead = others.filter(in_row).map(columns).filter(|&column| column > from.column).min()?;
                Square { column: ahead - 1, ..from }
            }
            Direction::Up => {
                let ahead = others.filter(in_column).map(rows).filter(|&row| row < from.row).max()?;
                Square { row: ahead + 1, ..from }
            }
            Direction::Down => {
                let ahead = others.filter(in_column).map(rows).filter(|&row| row > from.row).min()?;
                Square { row: ahead - 1, ..from }
            }
        };
        (to != from).then_some(to)
    }
}

/// Lists of squares: the positions on a square board.
#[derive(Debug, Clone, Copy)]
pub struct Lists {
    centre: Square,
}

impl Representation for Lists {
    type Square = Square;
    /// Its place in the list.
    type Piece = usize;
    type Position = Position;
    type Key = Position;
    type Stops = Stops<Square, MAX_STOPS>;

    fn centre(&self) -> Square {
        self.centre
    }

    fn key(position: Position) -> Position {
        position
    }

    fn position(key: Position) -> Position {
        key
    }

    fn letters(position: Position) -> u32 {
        LETTER_PLACES.map(|place| u32::from(position.pieces[place] != Square::NONE)).sum()
    }

    fn pieces(&self, position: Position, movable: Movable) -> impl Iterator<Item = usize> {
        let places = match movable {
            Movable::All => 0..PIECES,
            Movable::Letters => LETTER_PLACES,
        };
        places.filter(move |&place| position.pieces[place] != Square::NONE)
    }

    fn piece_on(position: Position, square: Square) -> usize {
        let found = position.pieces().find(|(_, stands)| *stands == square);
        found.map(|(place, _)| place).expect("a piece stands on the square")
    }

    fn square(position: Position, place: usize) -> Square {
        position.pieces[place]
    }

    fn is_letter(_: Position, place: usize) -> bool {
        LETTER_PLACES.contains(&place)
    }

    fn step(&self, position: Position, place: usize, from: Square, direction: Direction) -> Option<Square> {
        position.step(place, from, direction)
    }

    fn stops(&self, position: Position, place: usize) -> Self::Stops {
        let exit = Self::is_letter(position, place).then_some(self.centre);
        Stops::find(position.pieces[place], exit, |from, direction| position.step(place, from, direction))
    }

    fn after(&self, mut position: Position, place: usize, to: Square) -> Position {
        let (letters, numbers) = position.pieces.split_at_mut(LETTERS.len());
        if let Some(letter) = letters.get_mut(place) {
            *letter = if to == self.centre { Square::NONE } else { to };
            letters.sort_unstable();
        } else {
            numbers[place - LETTERS.len()] = to;
            numbers.sort_unstable();
        }
        position
    }

    fn moved(before: Position, after: Position) -> (Square, Option<Square>) {
        let only = |one: &Position, other: &Position| {
            let mut squares = one.pieces().map(|(_, square)| square);
            squares.find(|square| other.pieces().all(|(_, there)| there != *square))
        };
        (only(&before, &after).expect("a piece left its square"), only(&after, &before))
    }
}

/// Labelled pieces on a square board of an odd size.
///
/// [`str::parse`] reads a board and ignores white space between the symbols. `Display` writes a board file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    side: u8,
    pieces: Pieces<Square>,
}

/// The centre of a board with this many rows.
fn centre(side: u8) -> Square {
    Square { row: side / 2, column: side / 2 }
}

/// The square at a row and a column, counted from 0; `None` beyond the largest board.
fn square(row: usize, column: usize) -> Option<Square> {
    Some(Square { row: u8::try_from(row).ok()?, column: u8::try_from(column).ok()? })
}

impl Labelled for Board {
    type Representation = Lists;

    fn representation(&self) -> Lists {
        Lists { centre: centre(self.side) }
    }

    fn position(&self) -> Position {
        let mut pieces = [Square::NONE; PIECES];
        let (letters, numbers) = pieces.split_at_mut(LETTERS.len());
        for (kind, places) in [(true, letters), (false, numbers)] {
            places.iter_mut().zip(self.pieces.squares(kind)).for_each(|(place, square)| *place = square);
            places.sort_unstable();
        }
        Position { pieces }
    }

    fn label_on(&self, square: Square) -> Option<char> {
        self.pieces.label_on(square)
    }

    fn put(&mut self, label: char, to: Square) {
        self.pieces.put(label, to, centre(self.side));
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.write(f, usize::from(self.side), square)
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let symbols = symbols(text);
        let rows = symbols.len().isqrt();
        let side = u8::try_from(rows).ok().filter(|_| rows * rows == symbols.len() && rows >= 3 && rows % 2 == 1);
        let side = side.ok_or_else(|| {
            let expected = format!("expected an odd number of rows, 3 to {LARGEST_SIDE}, each with as many symbols");
            format!("{} symbols; {expected}", symbols.len())
        })?;
        Ok(Board { side, pieces: Pieces::read(&symbols, rows, centre(side), square)? })
    }
}

/// A board of any size, with the representation that suits it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyBoard {
    /// 5 × 5 or the cross: bit boards.
    Bits(board::Board),
    /// Any other odd size: lists of squares.
    Lists(Board),
}

impl AnyBoard {
    /// Finds a best answer by breadth-first search; empty if there is none or the limits stop the search.
    pub fn breadth_first(&self, limits: &Limits) -> Answer {
        match self {
            AnyBoard::Bits(board) => breadth_first::search(board, limits).answer(board),
            AnyBoard::Lists(board) => breadth_first::search(board, limits).answer(board),
        }
    }

    /// Finds a best answer by depth-first search; empty if there is none or the limits stop the search.
    pub fn depth_first(&self, limits: &Limits) -> Answer {
        match self {
            AnyBoard::Bits(board) => depth_first::search(board, limits).0.answer(board),
            AnyBoard::Lists(board) => depth_first::search(board, limits).0.answer(board),
        }
    }
}

impl FromStr for AnyBoard {
    type Err = String;

    fn from_str(text: &str) -> Result<AnyBoard, String> {
        let symbols = symbols(text).len();
        // Only the cross has corners: 49 symbols without any are 7 × 7.
        if symbols == 25 || symbols == 49 && text.contains(OUTSIDE) {
            text.parse().map(AnyBoard::Bits)
        } else {
            text.parse().map(AnyBoard::Lists)
        }
    }
}
