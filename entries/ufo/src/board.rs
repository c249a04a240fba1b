//! A board with labelled pieces, read from and written as the text of a board file.

use std::fmt;
use std::str::FromStr;

use crate::geometry::{Geometry, Shape, Square, squares};
use crate::position::Position;

/// The letter pieces in order.
pub const LETTERS: [char; 3] = ['X', 'Y', 'Z'];
/// The number pieces in order.
pub const NUMBERS: [char; 9] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
/// A square without a piece.
pub(crate) const EMPTY: char = '.';
/// A place in the corners of the frame, outside the cross.
pub(crate) const OUTSIDE: char = '#';

/// True if this is the label of a letter piece, which leaves at the centre.
pub fn is_letter(label: char) -> bool {
    LETTERS.contains(&label)
}

/// Labelled pieces on one of the two boards.
///
/// [`str::parse`] reads a board and ignores white space between the symbols. `Display` writes a board file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    /// Each piece once, ordered by label.
    pieces: Vec<(char, Square)>,
}

impl Board {
    /// Creates a board. The pieces must have different labels and stand on different squares.
    pub fn new(shape: Shape, mut pieces: Vec<(char, Square)>) -> Board {
        pieces.sort_unstable();
        Board { shape, pieces }
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
        &self.pieces
    }

    /// The pieces without their labels.
    pub fn position(&self) -> Position {
        let set = |letters: bool| {
            let some = self.pieces.iter().filter(|(label, _)| is_letter(*label) == letters);
            some.fold(0, |set, (_, square)| set | square.bit())
        };
        Position { letters: set(true), numbers: set(false) }
    }

    /// The square of the piece with this label; `None` if it is not on the board.
    pub fn square_of(&self, label: char) -> Option<Square> {
        self.pieces.iter().find(|(other, _)| *other == label).map(|(_, square)| *square)
    }

    /// The label of the piece on a square.
    pub fn label_on(&self, square: Square) -> Option<char> {
        self.pieces.iter().find(|(_, stands)| *stands == square).map(|(label, _)| *label)
    }

    /// Moves a piece to a square; a letter piece on the centre leaves the board.
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
                None => OUTSIDE,
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
            other => return Err(format!("{other} symbols; expected 5 rows of 5, or 7 rows of 7 for the cross")),
        };
        let geometry = shape.geometry();
        let mut pieces: Vec<(char, Square)> = Vec::new();
        for (place, &symbol) in symbols.iter().enumerate() {
            let (row, column) = (place / shape.side(), place % shape.side());
            let refused = |reason: String| Err(format!("row {}, column {}: {reason}", row + 1, column + 1));
            let Some(square) = geometry.square(row, column) else {
                if symbol == OUTSIDE {
                    continue;
                }
                return refused(format!("unexpected {symbol:?}; the cross has no square here, write #"));
            };
            let taken = pieces.iter().any(|(label, _)| *label == symbol);
            if let Err(reason) = check_piece(symbol, taken, square == geometry.centre()) {
                return refused(reason);
            }
            if symbol != EMPTY {
                pieces.push((symbol, square));
            }
        }
        check_letters(&pieces)?;
        Ok(Board::new(shape, pieces))
    }
}

/// Checks a symbol on a square of a board; `taken` if the piece stands on another square already.
pub(crate) fn check_piece(symbol: char, taken: bool, on_centre: bool) -> Result<(), String> {
    match symbol {
        EMPTY => Ok(()),
        _ if !is_letter(symbol) && !NUMBERS.contains(&symbol) => {
            Err(format!("unexpected {symbol:?}; use X Y Z, 1 to 9, or . for an empty square"))
        }
        _ if taken => Err(format!("duplicate piece {symbol:?}; give every piece once")),
        _ if is_letter(symbol) && on_centre => {
            Err(format!("letter piece {symbol:?} on the centre; start it on another square"))
        }
        _ => Ok(()),
    }
}

/// Checks that a letter piece is on the board.
pub(crate) fn check_letters<Square>(pieces: &[(char, Square)]) -> Result<(), String> {
    match pieces.iter().any(|(label, _)| is_letter(*label)) {
        true => Ok(()),
        false => Err("no letter piece; give at least one of X Y Z".to_owned()),
    }
}
