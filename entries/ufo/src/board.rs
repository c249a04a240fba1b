//! A board with labelled pieces: 5 × 5 or the cross.

use std::fmt;
use std::str::FromStr;

use crate::geometry::{Geometry, Shape, Square, squares};
use crate::pieces::{LETTERS, NUMBERS, Pieces, symbols};
use crate::position::{Bits, Position};
use crate::representation::Labelled;

/// Labelled pieces on one of the two boards.
///
/// [`str::parse`] reads a board and ignores white space between the symbols. `Display` writes a board file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    pieces: Pieces<Square>,
}

impl Board {
    /// Creates a board. The pieces must have different labels and stand on different squares.
    pub fn new(shape: Shape, pieces: Vec<(char, Square)>) -> Board {
        Board { shape, pieces: Pieces::new(pieces) }
    }

    /// Labels the pieces of a position in reading order: letter pieces from X, number pieces from 1.
    pub fn labelled(shape: Shape, position: Position) -> Board {
        let letters = LETTERS.into_iter().zip(squares(position.letters));
        let numbers = NUMBERS.into_iter().zip(squares(position.numbers));
        Board::new(shape, letters.chain(numbers).collect())
    }

    /// The tables of this board's shape.
    pub fn geometry(&self) -> &'static Geometry {
        self.shape.geometry()
    }

    /// The pieces, ordered by label.
    pub fn pieces(&self) -> &[(char, Square)] {
        self.pieces.as_slice()
    }

    /// The pieces without their labels.
    pub fn position(&self) -> Position {
        let set = |letters: bool| self.pieces.squares(letters).fold(0, |set, square| set | square.bit());
        Position { letters: set(true), numbers: set(false) }
    }

    /// The square of the piece with this label; `None` if it is not on the board.
    pub fn square_of(&self, label: char) -> Option<Square> {
        self.pieces.square_of(label)
    }

    /// The label of the piece on a square.
    pub fn label_on(&self, square: Square) -> Option<char> {
        self.pieces.label_on(square)
    }

    /// Moves a piece to a square; a letter piece on the centre leaves the board.
    pub fn put(&mut self, label: char, to: Square) {
        self.pieces.put(label, to, self.geometry().centre());
    }
}

impl Labelled for Board {
    type Representation = Bits<'static>;

    fn representation(&self) -> Bits<'static> {
        Bits::of(self.geometry())
    }

    fn position(&self) -> Position {
        self.position()
    }

    fn label_on(&self, square: Square) -> Option<char> {
        self.label_on(square)
    }

    fn put(&mut self, label: char, to: Square) {
        self.put(label, to);
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.write(f, self.shape.side(), |row, column| self.geometry().square(row, column))
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let symbols = symbols(text);
        let shape = match symbols.len() {
            25 => Shape::Square,
            49 => Shape::Cross,
            other => return Err(format!("{other} symbols; expected 5 rows of 5, or 7 rows of 7 for the cross")),
        };
        let geometry = shape.geometry();
        let square = |row, column| geometry.square(row, column);
        Ok(Board { shape, pieces: Pieces::read(&symbols, shape.side(), geometry.centre(), square)? })
    }
}
