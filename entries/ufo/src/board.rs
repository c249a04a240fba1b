//! A board with its labels, read from the text of a board file and written as one.

use std::fmt;
use std::str::FromStr;

use crate::geometry::{Geometry, Shape, Square, squares};
use crate::position::Position;

/// The letter pieces in order.
pub const LETTERS: [char; 3] = ['X', 'Y', 'Z'];
/// The number pieces in order.
pub const NUMBERS: [char; 9] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
/// A hole without a piece.
const EMPTY: char = '.';
/// A corner of the cross.
const NO_HOLE: char = '#';

/// Whether pieces with this label leave at the centre.
pub fn is_letter(label: char) -> bool {
    LETTERS.contains(&label)
}

/// Labelled pieces on one of the two boards.
///
/// Read one with [`str::parse`]; white space between the symbols does not matter. Its `Display` is a board file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    /// Each piece once, in the order of their labels.
    pieces: Vec<(char, Square)>,
}

impl Board {
    /// A board with these pieces, which must have different labels and stand on different squares.
    pub fn new(shape: Shape, mut pieces: Vec<(char, Square)>) -> Board {
        pieces.sort_unstable();
        Board { shape, pieces }
    }

    /// A board with the labels given in reading order, to the letter pieces from X and to the number pieces from 1.
    pub fn labelled(shape: Shape, position: Position) -> Board {
        let letters = LETTERS.into_iter().zip(squares(position.letters));
        let numbers = NUMBERS.into_iter().zip(squares(position.numbers));
        Board::new(shape, letters.chain(numbers).collect())
    }

    /// The tables of its shape.
    pub fn geometry(&self) -> &'static Geometry {
        self.shape.geometry()
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[(char, Square)] {
        &self.pieces
    }

    /// Its pieces without their labels.
    pub fn position(&self) -> Position {
        let set = |letters: bool| {
            let some = self.pieces.iter().filter(|(label, _)| is_letter(*label) == letters);
            some.fold(0, |set, (_, square)| set | square.bit())
        };
        Position { letters: set(true), numbers: set(false) }
    }

    /// Where the piece with this label stands; `None` if it is not on the board.
    pub fn square_of(&self, label: char) -> Option<Square> {
        self.pieces.iter().find(|(other, _)| *other == label).map(|(_, square)| *square)
    }

    /// The label of the piece on a square.
    pub fn label_on(&self, square: Square) -> Option<char> {
        self.pieces.iter().find(|(_, stands)| *stands == square).map(|(label, _)| *label)
    }

    /// Puts a piece elsewhere; a letter piece put on the centre leaves.
    pub fn put(&mut self, label: char, to: Square) {
        if is_letter(label) && to == self.geometry().centre() {
            self.pieces.retain(|(other, _)| *other != label);
        } else if let Some((_, square)) = self.pieces.iter_mut().find(|(other, _)| *other == label) {
            *square = to;
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.shape.side();
        for row in 0..side {
            let symbols = (0..side).map(|column| match self.geometry().square(row, column) {
                None => NO_HOLE,
                Some(square) => self.label_on(square).unwrap_or(EMPTY),
            });
            writeln!(f, "{}", symbols.collect::<String>())?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let symbols: Vec<char> = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        let shape = match symbols.len() {
            25 => Shape::Square,
            49 => Shape::Cross,
            other => return Err(format!("{other} symbols; give 5 rows of 5, or 7 rows of 7 for the cross")),
        };
        let geometry = shape.geometry();
        let mut pieces: Vec<(char, Square)> = Vec::new();
        for (place, &symbol) in symbols.iter().enumerate() {
            let (row, column) = (place / shape.side(), place % shape.side());
            let refused = |reason: &str| Err(format!("row {}, column {}: {symbol:?} {reason}", row + 1, column + 1));
            let Some(square) = geometry.square(row, column) else {
                if symbol == NO_HOLE {
                    continue;
                }
                return refused("where the cross has no hole; write # there");
            };
            match symbol {
                EMPTY => {}
                _ if !is_letter(symbol) && !NUMBERS.contains(&symbol) => {
                    return refused("is no piece; use X Y Z, 1 to 9, and . for an empty hole");
                }
                _ if pieces.iter().any(|(label, _)| *label == symbol) => {
                    return refused("for the second time; give every piece once");
                }
                _ if is_letter(symbol) && square == geometry.centre() => {
                    return refused("on the centre, where no letter piece starts");
                }
                _ => pieces.push((symbol, square)),
            }
        }
        if !pieces.iter().any(|(label, _)| is_letter(*label)) {
            return Err("no letter piece; one of X Y Z at least is needed".to_owned());
        }
        Ok(Board::new(shape, pieces))
    }
}
