//! Labelled pieces on the squares of a board, read from and written as the text of a board file.

use std::fmt;

/// The letter pieces in order.
pub(crate) const LETTERS: [char; 3] = ['X', 'Y', 'Z'];
/// The number pieces in order.
pub(crate) const NUMBERS: [char; 9] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
/// A square without a piece.
pub(crate) const EMPTY: char = '.';
/// A place in the corners of the frame, outside the cross.
pub(crate) const OUTSIDE: char = '#';

/// True if this is the label of a letter piece, which leaves at the centre.
pub(crate) fn is_letter(label: char) -> bool {
    LETTERS.contains(&label)
}

/// The symbols of a board file; white space between them has no meaning.
pub(crate) fn symbols(text: &str) -> Vec<char> {
    text.chars().filter(|symbol| !symbol.is_whitespace()).collect()
}

/// Each piece once with its square, ordered by label.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Pieces<Square>(Vec<(char, Square)>);

impl<Square: Copy + Ord> Pieces<Square> {
    /// Creates the list. The pieces must have different labels and stand on different squares.
    pub(crate) fn new(mut pieces: Vec<(char, Square)>) -> Self {
        pieces.sort_unstable();
        Pieces(pieces)
    }

    /// Reads the symbols of a board of `side` rows. `square` gives the square at a row and a column, counted from 0;
    /// `None` outside the board.
    pub(crate) fn read(
        symbols: &[char],
        side: usize,
        centre: Square,
        square: impl Fn(usize, usize) -> Option<Square>,
    ) -> Result<Self, String> {
        let mut pieces: Vec<(char, Square)> = Vec::new();
        for (place, &symbol) in symbols.iter().enumerate() {
            let (row, column) = (place / side, place % side);
            let square = square(row, column);
            let taken = pieces.iter().any(|(label, _)| *label == symbol);
            check(symbol, taken, square.map(|square| square == centre))
                .map_err(|reason| format!("row {}, column {}: {reason}", row + 1, column + 1))?;
            if let Some(square) = square.filter(|_| symbol != EMPTY) {
                pieces.push((symbol, square));
            }
        }
        if !pieces.iter().any(|(label, _)| is_letter(*label)) {
            return Err("no letter piece; give at least one of X Y Z".to_owned());
        }
        Ok(Pieces::new(pieces))
    }

    /// Writes the rows of a board file, as [`Pieces::read`] reads them.
    pub(crate) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        side: usize,
        square: impl Fn(usize, usize) -> Option<Square>,
    ) -> fmt::Result {
        for row in 0..side {
            let symbols = (0..side).map(|column| match square(row, column) {
                None => OUTSIDE,
                Some(square) => self.label_on(square).unwrap_or(EMPTY),
            });
            writeln!(f, "{}", symbols.collect::<String>())?;
        }
        Ok(())
    }

    /// The pieces, ordered by label.
    pub(crate) fn as_slice(&self) -> &[(char, Square)] {
        &self.0
    }

    /// Lists the squares of the letter pieces, or of the number pieces.
    pub(crate) fn squares(&self, letters: bool) -> impl Iterator<Item = Square> {
        self.0.iter().filter(move |(label, _)| is_letter(*label) == letters).map(|(_, square)| *square)
    }

    /// The square of the piece with this label; `None` if it is not on the board.
    pub(crate) fn square_of(&self, label: char) -> Option<Square> {
        self.0.iter().find(|(other, _)| *other == label).map(|(_, square)| *square)
    }

    /// The label of the piece on a square.
    pub(crate) fn label_on(&self, square: Square) -> Option<char> {
        self.0.iter().find(|(_, stands)| *stands == square).map(|(label, _)| *label)
    }

    /// Moves a piece to a square; a letter piece on the centre leaves the board.
    pub(crate) fn put(&mut self, label: char, to: Square, centre: Square) {
        if is_letter(label) && to == centre {
            self.0.retain(|(other, _)| *other != label);
        } else if let Some((_, square)) = self.0.iter_mut().find(|(other, _)| *other == label) {
            *square = to;
        }
    }
}

/// Checks a symbol. `taken`: the piece stands on another square already. `centre`: whether the symbol is on the centre;
/// `None` if the board has no square here.
fn check(symbol: char, taken: bool, centre: Option<bool>) -> Result<(), String> {
    match (symbol, centre) {
        (OUTSIDE, None) | (EMPTY, Some(_)) => Ok(()),
        (_, None) => Err(format!("unexpected {symbol:?}; the cross has no square here, write #")),
        _ if !is_letter(symbol) && !NUMBERS.contains(&symbol) => {
            Err(format!("unexpected {symbol:?}; use X Y Z, 1 to 9, or . for an empty square"))
        }
        _ if taken => Err(format!("duplicate piece {symbol:?}; give every piece once")),
        (_, Some(true)) if is_letter(symbol) => {
            Err(format!("letter piece {symbol:?} on the centre; start it on another square"))
        }
        _ => Ok(()),
    }
}
