//! The boards of UFO, their squares, and the steps of pieces.

use std::fmt;
use std::ops::RangeInclusive;

use crate::game::{BoardError, show_byte};
use crate::games::direction::Direction;

/// The symbol of an empty square in board files.
pub(super) const EMPTY: u8 = b'.';
/// A cell of the frame that is not a square of the cross.
pub(super) const CORNER: u8 = b'#';
/// The labels of pieces: three letter pieces, nine number pieces.
pub(super) const PIECES: &[u8; 12] = b"XYZ123456789";

/// Returns true for a letter piece, which has to leave the board.
pub(super) fn is_letter(piece: u8) -> bool {
    piece.is_ascii_uppercase()
}

/// The sides that a square board can have. They are odd, so that it has a centre.
pub(super) const SIDES: RangeInclusive<usize> = 3..=255;

/// The shape of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A square board whose side is an odd number in [`SIDES`].
    Plain(usize),
    /// The English cross of peg solitaire: 33 squares in a frame of 7 × 7.
    Cross,
}

impl Shape {
    /// Returns the number of rows of the frame, and of cells per row.
    fn side(self) -> usize {
        match self {
            Self::Plain(side) => side,
            Self::Cross => 7,
        }
    }

    fn has(self, square: Square) -> bool {
        let middle = |line: usize| (2..5).contains(&line);
        match self {
            Self::Plain(side) => square.row < side && square.column < side,
            Self::Cross => square.row < 7 && square.column < 7 && (middle(square.row) || middle(square.column)),
        }
    }
}

/// A cell of the frame, by row and column from 0. The displayed name counts from 1: `42` is row 4, column 2, and `4,12`
/// is row 4, column 12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Square {
    row: usize,
    column: usize,
}

impl Square {
    /// Returns the rows and columns between two squares.
    pub(super) fn distance(self, other: Self) -> usize {
        self.row.abs_diff(other.row) + self.column.abs_diff(other.column)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = if self.row.max(self.column) < 9 { "" } else { "," };
        write!(f, "{}{comma}{}", self.row + 1, self.column + 1)
    }
}

/// The reason why a piece cannot step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    /// This piece is on the next square.
    Blocked(u8),
    /// No piece on that line stops it.
    RunsOff,
}

/// A position: the content of each square.
#[derive(Debug, Clone)]
pub(super) struct Board {
    shape: Shape,
    /// All cells of the frame in reading order.
    cells: Vec<u8>,
}

impl Board {
    /// Returns a board without pieces.
    pub(super) fn empty(shape: Shape) -> Self {
        let cells = squares(shape.side()).map(|square| if shape.has(square) { EMPTY } else { CORNER });
        Self { shape, cells: cells.collect() }
    }

    /// Parses rows separated by white space, as many as a row has cells. Seven rows with a `#` form the cross.
    pub(super) fn parse(text: &[u8]) -> Result<Self, BoardError> {
        let rows = || text.split(u8::is_ascii_whitespace).filter(|row| !row.is_empty());
        let shape = match rows().next().map(<[u8]>::len) {
            Some(7) if text.contains(&CORNER) => Shape::Cross,
            Some(side) if side % 2 == 1 && SIDES.contains(&side) => Shape::Plain(side),
            Some(cells) => {
                let reason = "a board has an odd number of rows, 3 to 255, each with as many cells and without spaces";
                return Err(BoardError::at(0, cells, format!("the row ends here: {reason}")));
            }
            None => {
                return Err(BoardError::whole(
                    "the board is empty: 5 rows of 5 cells, or another odd number, are needed",
                ));
            }
        };
        let side = shape.side();
        let mut board = Self::empty(shape);
        let mut read = 0;
        for (row, cells) in rows().enumerate() {
            if row == side {
                return Err(BoardError::at(
                    row,
                    0,
                    format!("unexpected `{}` after the last of {side} rows", show_byte(cells[0])),
                ));
            }
            for (column, &symbol) in cells.iter().take(side).enumerate() {
                board.set(Square { row, column }, symbol).map_err(|reason| BoardError::at(row, column, reason))?;
            }
            if cells.len() > side {
                return Err(BoardError::at(row, side, format!("the row has more than {side} cells")));
            }
            if cells.len() < side {
                return Err(BoardError::at(
                    row,
                    cells.len(),
                    format!("the row ends after {} of {side} cells", cells.len()),
                ));
            }
            read += 1;
        }
        if read < side {
            return Err(BoardError::at(read, 0, format!("the board ends after {read} of {side} rows")));
        }
        if !board.pieces().any(|(label, _)| is_letter(label)) {
            return Err(BoardError::whole("no letter piece is on the board: X, Y or Z is needed"));
        }
        Ok(board)
    }

    /// Places a symbol of a board file. The error is the reason why the start position cannot have it there.
    fn set(&mut self, square: Square, symbol: u8) -> Result<(), String> {
        let shown = show_byte(symbol);
        match (symbol, self.shape.has(square)) {
            (CORNER, false) => {}
            (CORNER, true) => {
                return Err("unexpected `#`: it fills the corners of the cross, and this is a square".into());
            }
            (EMPTY | b'X'..=b'Z' | b'1'..=b'9', false) => {
                return Err(format!("unexpected `{shown}` in a corner of the cross: write `#`"));
            }
            (EMPTY, true) => {}
            (piece, true) if PIECES.contains(&piece) => {
                if let Some(first) = self.find(piece) {
                    let (row, column) = (first.row + 1, first.column + 1);
                    return Err(format!("duplicate `{shown}`, first used in row {row}, column {column}"));
                }
                if is_letter(piece) && square == self.centre() {
                    return Err(format!("unexpected `{shown}` on the centre, where letter pieces leave the board"));
                }
                self.put(square, piece);
            }
            _ => {
                let hint = if matches!(symbol, b'x'..=b'z') { " in capital letters" } else { "" };
                let known = format!("pieces are X, Y, Z{hint} and 1 to 9, `.` is empty");
                return Err(format!("unexpected `{shown}`: {known}"));
            }
        }
        Ok(())
    }

    /// Returns the number of rows of the frame, and of cells per row.
    pub(super) fn side(&self) -> usize {
        self.shape.side()
    }

    /// Returns the square where letter pieces leave the board.
    pub(super) fn centre(&self) -> Square {
        let middle = self.side() / 2;
        Square { row: middle, column: middle }
    }

    /// Returns all cells of the frame in reading order, including corners.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Square, u8)> {
        squares(self.side()).zip(self.cells.iter().copied())
    }

    /// Returns the pieces in reading order.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (u8, Square)> {
        self.cells().filter(|(_, cell)| PIECES.contains(cell)).map(|(square, piece)| (piece, square))
    }

    /// Returns the square of a piece.
    pub(super) fn find(&self, piece: u8) -> Option<Square> {
        self.pieces().find(|&(label, _)| label == piece).map(|(_, square)| square)
    }

    /// Puts a piece on a square, or empties it.
    pub(super) fn put(&mut self, square: Square, content: u8) {
        let cell = self.index(square);
        self.cells[cell] = content;
    }

    /// Returns the next square in a direction; `None` at the edge.
    pub(super) fn next(&self, Square { row, column }: Square, direction: Direction) -> Option<Square> {
        let (row, column) = match direction {
            Direction::Left => (Some(row), column.checked_sub(1)),
            Direction::Right => (Some(row), Some(column + 1)),
            Direction::Up => (row.checked_sub(1), Some(column)),
            Direction::Down => (Some(row + 1), Some(column)),
        };
        Some(Square { row: row?, column: column? }).filter(|&square| self.shape.has(square))
    }

    /// Returns the square at which a piece stops if it leaves this one in a direction.
    pub(super) fn slide(&self, from: Square, direction: Direction) -> Result<Square, Stuck> {
        let mut at = from;
        loop {
            let next = self.next(at, direction).ok_or(Stuck::RunsOff)?;
            match self.cells[self.index(next)] {
                EMPTY => at = next,
                piece if at == from => return Err(Stuck::Blocked(piece)),
                _ => return Ok(at),
            }
        }
    }

    /// Returns the index of a square in reading order, including corners.
    pub(super) fn index(&self, square: Square) -> usize {
        square.row * self.side() + square.column
    }
}

/// Writes the text of a board file.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.side()) {
            writeln!(f, "{}", String::from_utf8_lossy(row))?;
        }
        Ok(())
    }
}

/// Returns the cells of a frame in reading order.
fn squares(side: usize) -> impl Iterator<Item = Square> {
    (0..side * side).map(move |cell| Square { row: cell / side, column: cell % side })
}
