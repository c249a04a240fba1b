//! The two boards of UFO, their squares, and how far a piece travels on them.

use std::fmt;

use crate::game::{BoardError, show_byte};
use crate::games::direction::Direction;

/// An empty square.
pub(super) const EMPTY: u8 = b'.';
/// A cell of the frame around the cross that is no square of it.
pub(super) const CORNER: u8 = b'#';
/// The labels of pieces: three letter pieces, nine number pieces.
pub(super) const PIECES: &[u8; 12] = b"XYZ123456789";

/// Whether a piece is one that has to leave the board.
pub(super) fn is_letter(piece: u8) -> bool {
    piece.is_ascii_uppercase()
}

/// Which squares there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// 5 × 5.
    Plain,
    /// The English cross of peg solitaire: 33 squares in a frame of 7 × 7.
    Cross,
}

impl Shape {
    /// Cells in a row of the frame, and rows.
    fn side(self) -> usize {
        match self {
            Self::Plain => 5,
            Self::Cross => 7,
        }
    }

    fn has(self, square: Square) -> bool {
        let middle = |line: usize| (2..5).contains(&line);
        match self {
            Self::Plain => square.row < 5 && square.column < 5,
            Self::Cross => square.row < 7 && square.column < 7 && (middle(square.row) || middle(square.column)),
        }
    }
}

/// A cell of the frame, by row and column from 0. It is shown as the sources name it, from 1: `42` is row 4, column 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Square {
    row: usize,
    column: usize,
}

impl Square {
    /// Rows and columns between two squares.
    pub(super) fn distance(self, other: Self) -> usize {
        self.row.abs_diff(other.row) + self.column.abs_diff(other.column)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.row + 1, self.column + 1)
    }
}

/// Why a piece cannot step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    /// This piece stands on the next square.
    Blocked(u8),
    /// No piece on that line stops it.
    RunsOff,
}

/// A position: what stands on each square.
#[derive(Debug, Clone)]
pub(super) struct Board {
    shape: Shape,
    /// All cells of the frame in reading order.
    cells: Vec<u8>,
}

impl Board {
    /// A board of this shape without a piece.
    pub(super) fn empty(shape: Shape) -> Self {
        let cells = squares(shape.side()).map(|square| if shape.has(square) { EMPTY } else { CORNER });
        Self { shape, cells: cells.collect() }
    }

    /// Reads rows separated by white space: five of five cells, or seven of seven.
    pub(super) fn parse(text: &[u8]) -> Result<Self, BoardError> {
        let at = |row: usize, column: usize, reason: String| BoardError {
            row: Some(row + 1),
            column: Some(column + 1),
            reason,
        };
        let nowhere = |reason: &str| BoardError { row: None, column: None, reason: reason.into() };
        let rows = || text.split(u8::is_ascii_whitespace).filter(|row| !row.is_empty());
        let shape = match rows().next().map(<[u8]>::len) {
            Some(5) => Shape::Plain,
            Some(7) => Shape::Cross,
            Some(cells) => {
                let reason = "a board has 5 rows of 5 cells, or 7 rows of 7 for the cross, no blanks in a row";
                return Err(at(0, cells, format!("the row ends here: {reason}")));
            }
            None => return Err(nowhere("the board is empty: 5 rows of 5 cells, or 7 of 7 for the cross, belong here")),
        };
        let side = shape.side();
        let mut board = Self::empty(shape);
        let mut read = 0;
        for (row, cells) in rows().enumerate() {
            if row == side {
                return Err(at(row, 0, format!("`{}` stands after the last of {side} rows", show_byte(cells[0]))));
            }
            for (column, &symbol) in cells.iter().take(side).enumerate() {
                board.set(Square { row, column }, symbol).map_err(|reason| at(row, column, reason))?;
            }
            if cells.len() > side {
                return Err(at(row, side, format!("the row goes on after {side} cells")));
            }
            if cells.len() < side {
                return Err(at(row, cells.len(), format!("the row ends after {} of {side} cells", cells.len())));
            }
            read += 1;
        }
        if read < side {
            return Err(at(read, 0, format!("the board ends after {read} of {side} rows")));
        }
        if !board.pieces().any(|(label, _)| is_letter(label)) {
            return Err(nowhere("no letter piece stands on the board: X, Y or Z must"));
        }
        Ok(board)
    }

    /// Puts down a symbol of a board file, or says why it cannot stand there at the start.
    fn set(&mut self, square: Square, symbol: u8) -> Result<(), String> {
        let shown = show_byte(symbol);
        match (symbol, self.shape.has(square)) {
            (CORNER, false) => {}
            (CORNER, true) => return Err("`#` fills the corners of the cross; this is a square".into()),
            (EMPTY | b'X'..=b'Z' | b'1'..=b'9', false) => {
                return Err(format!("`{shown}` stands in a corner where the cross has no square: write `#`"));
            }
            (EMPTY, true) => {}
            (piece, true) if PIECES.contains(&piece) => {
                if let Some(first) = self.find(piece) {
                    let (row, column) = (first.row + 1, first.column + 1);
                    return Err(format!("`{shown}` stands a second time, first in row {row}, column {column}"));
                }
                if is_letter(piece) && square == self.centre() {
                    return Err(format!("`{shown}` stands on the centre, where no letter piece begins"));
                }
                self.put(square, piece);
            }
            _ => {
                let hint = if matches!(symbol, b'x'..=b'z') { " in capital letters" } else { "" };
                let known = format!("pieces are X, Y, Z{hint} and 1 to 9, `.` is empty");
                return Err(format!("`{shown}` is no symbol of a board: {known}"));
            }
        }
        Ok(())
    }

    /// Cells in a row of the frame, and rows.
    pub(super) fn side(&self) -> usize {
        self.shape.side()
    }

    /// The square where letter pieces leave.
    pub(super) fn centre(&self) -> Square {
        let middle = self.side() / 2;
        Square { row: middle, column: middle }
    }

    /// All cells of the frame in reading order, the corners among them.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Square, u8)> {
        squares(self.side()).zip(self.cells.iter().copied())
    }

    /// The pieces in reading order.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (u8, Square)> {
        self.cells().filter(|(_, cell)| PIECES.contains(cell)).map(|(square, piece)| (piece, square))
    }

    /// Where a piece stands.
    pub(super) fn find(&self, piece: u8) -> Option<Square> {
        self.pieces().find(|&(label, _)| label == piece).map(|(_, square)| square)
    }

    /// Makes a square hold a piece or nothing.
    pub(super) fn put(&mut self, square: Square, content: u8) {
        let cell = self.index(square);
        self.cells[cell] = content;
    }

    /// The next square that way, if the board goes on there.
    pub(super) fn next(&self, Square { row, column }: Square, direction: Direction) -> Option<Square> {
        let (row, column) = match direction {
            Direction::Left => (Some(row), column.checked_sub(1)),
            Direction::Right => (Some(row), Some(column + 1)),
            Direction::Up => (row.checked_sub(1), Some(column)),
            Direction::Down => (Some(row + 1), Some(column)),
        };
        Some(Square { row: row?, column: column? }).filter(|&square| self.shape.has(square))
    }

    /// Where a piece on this square stops when it travels that way.
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

    /// The place of a square in reading order, the corners counted.
    pub(super) fn index(&self, square: Square) -> usize {
        square.row * self.side() + square.column
    }
}

/// The text of a board file.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.side()) {
            writeln!(f, "{}", String::from_utf8_lossy(row))?;
        }
        Ok(())
    }
}

/// The cells of a frame in reading order.
fn squares(side: usize) -> impl Iterator<Item = Square> {
    (0..side * side).map(move |cell| Square { row: cell / side, column: cell % side })
}
