//! Square boards of any odd size, and both searches on them.
//!
//! The bit boards of the other modules have tables for 5 × 5 and the cross. A larger board has as few pieces, so a
//! position here lists their squares. The piece ahead of a moving piece is the nearest of at most eleven others on its
//! line, whatever the size of the board.
//!
//! The searches are those of [`breadth_first`](crate::breadth_first) and [`depth_first`](crate::depth_first), with the
//! same order of moves and the same limits. Cost: about ten times as much per move, and 40 bytes per position.

mod search;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::answer::{Answer, Move};
use crate::board::{self, EMPTY, LETTERS, NUMBERS, OUTSIDE, is_letter};
use crate::geometry::Direction;
use crate::search::Limits;

pub use search::Search;

/// The largest number of rows.
pub const LARGEST_SIDE: usize = 255;

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

const PIECES: usize = LETTERS.len() + NUMBERS.len();
/// The places of the letter pieces in a position; the number pieces follow.
const LETTER_PLACES: Range<usize> = 0..LETTERS.len();

impl Position {
    /// Lists the places and squares of the pieces on the board.
    fn pieces(&self) -> impl Iterator<Item = (usize, Square)> {
        self.pieces.iter().copied().enumerate().filter(|(_, square)| *square != Square::NONE)
    }

    /// Counts the letter pieces on the board.
    fn letters(&self) -> u32 {
        LETTER_PLACES.map(|place| u32::from(self.pieces[place] != Square::NONE)).sum()
    }

    /// The position after a piece moves to a square; a letter piece that stops on the centre leaves.
    fn after(mut self, place: usize, to: Square, centre: Square) -> Position {
        let (letters, numbers) = self.pieces.split_at_mut(LETTERS.len());
        if let Some(letter) = letters.get_mut(place) {
            *letter = if to == centre { Square::NONE } else { to };
            letters.sort_unstable();
        } else {
            numbers[place - LETTERS.len()] = to;
            numbers.sort_unstable();
        }
        self
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

    /// Lists the squares that one move of a piece can end on, nearest first.
    fn stops(&self, place: usize, centre: Square) -> Vec<Stop> {
        let mut stops = vec![Stop { to: self.pieces[place], steps: 0, paths: 1 }];
        let mut next = 0;
        while let Some(&stop) = stops.get(next) {
            next += 1;
            if LETTER_PLACES.contains(&place) && stop.to == centre {
                continue;
            }
            for to in Direction::ALL.into_iter().filter_map(|direction| self.step(place, stop.to, direction)) {
                match stops.iter_mut().find(|known| known.to == to) {
                    Some(known) if known.steps == stop.steps + 1 => known.paths += stop.paths,
                    Some(_) => {}
                    None => stops.push(Stop { to, steps: stop.steps + 1, paths: stop.paths }),
                }
            }
        }
        stops.remove(0);
        stops
    }

    /// Lists the moves of these pieces, and the position after each.
    fn moves(self, places: Range<usize>, centre: Square) -> impl Iterator<Item = (Square, Stop, Position)> {
        let pieces: Vec<(usize, Square)> = self.pieces().filter(|(place, _)| places.contains(place)).collect();
        pieces.into_iter().flat_map(move |(place, from)| {
            let stops = self.stops(place, centre).into_iter();
            stops.map(move |stop| (from, stop, self.after(place, stop.to, centre)))
        })
    }
}

/// A square that one move of a piece can end on.
#[derive(Debug, Clone, Copy)]
struct Stop {
    to: Square,
    /// The fewest steps that lead there.
    steps: u32,
    /// The number of paths with that many steps.
    paths: u64,
}

/// Labelled pieces on a square board of an odd size.
///
/// [`str::parse`] reads a board and ignores white space between the symbols. `Display` writes a board file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    side: u8,
    /// Each piece once, ordered by label.
    pieces: Vec<(char, Square)>,
}

impl Board {
    fn centre(&self) -> Square {
        Square { row: self.side / 2, column: self.side / 2 }
    }

    /// The pieces without their labels.
    pub fn position(&self) -> Position {
        let mut pieces = [Square::NONE; PIECES];
        let (letters, numbers) = pieces.split_at_mut(LETTERS.len());
        for (kind, places) in [(true, letters), (false, numbers)] {
            let squares = self.pieces.iter().filter(|(label, _)| is_letter(*label) == kind).map(|(_, square)| *square);
            places.iter_mut().zip(squares).for_each(|(place, square)| *place = square);
            places.sort_unstable();
        }
        Position { pieces }
    }

    /// Makes a move, with the label that the piece has.
    fn make(&mut self, from: Square, to: Square, steps: Vec<Direction>) -> Move {
        let centre = self.centre();
        let index = self.pieces.iter().position(|(_, square)| *square == from).expect("a move starts on a piece");
        let (piece, square) = &mut self.pieces[index];
        let made = Move { piece: *piece, steps };
        *square = to;
        if is_letter(*piece) && to == centre {
            self.pieces.remove(index);
        }
        made
    }

    /// Lists the steps of every shortest move from a square to another, in the order of [`Direction::ALL`].
    fn shortest_moves(&self, from: Square, to: Square) -> Vec<Vec<Direction>> {
        let position = self.position();
        let (place, _) = position.pieces().find(|(_, square)| *square == from).expect("a move starts on a piece");
        let mut layer = vec![(from, Vec::new())];
        let mut seen = vec![from];
        while !layer.is_empty() && layer.iter().all(|(stop, _)| *stop != to) {
            let mut next = Vec::new();
            for (stop, path) in &layer {
                if LETTER_PLACES.contains(&place) && *stop == self.centre() {
                    continue;
                }
                for direction in Direction::ALL {
                    match position.step(place, *stop, direction) {
                        Some(end) if !seen.contains(&end) => next.push((end, [path.as_slice(), &[direction]].concat())),
                        _ => {}
                    }
                }
            }
            seen.extend(next.iter().map(|(stop, _)| *stop));
            layer = next;
        }
        layer.into_iter().filter(|(stop, _)| *stop == to).map(|(_, path): (_, Vec<Direction>)| path).collect()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.side {
            let label_on = |column| self.pieces.iter().find(|(_, square)| *square == Square { row, column });
            let symbols = (0..self.side).map(|column| label_on(column).map_or(EMPTY, |(label, _)| *label));
            writeln!(f, "{}", symbols.collect::<String>())?;
        }
        Ok(())
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Board, String> {
        let symbols: Vec<char> = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        let rows = symbols.len().isqrt();
        let side = u8::try_from(rows).ok().filter(|_| rows * rows == symbols.len() && rows >= 3 && rows % 2 == 1);
        let side = side.ok_or_else(|| {
            let expected = format!("expected an odd number of rows, 3 to {LARGEST_SIDE}, each with as many symbols");
            format!("{} symbols; {expected}", symbols.len())
        })?;
        let mut board = Board { side, pieces: Vec::new() };
        let squares = (0..side).flat_map(|row| (0..side).map(move |column| Square { row, column }));
        for (square, symbol) in squares.zip(symbols) {
            let taken = board.pieces.iter().any(|(label, _)| *label == symbol);
            let centre = square == board.centre();
            board::check_piece(symbol, taken, centre).map_err(|reason| {
                format!("row {}, column {}: {reason}", usize::from(square.row) + 1, usize::from(square.column) + 1)
            })?;
            if symbol != EMPTY {
                board.pieces.push((symbol, square));
            }
        }
        board::check_letters(&board.pieces)?;
        board.pieces.sort_unstable();
        Ok(board)
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
            AnyBoard::Bits(board) => {
                let idle = crate::position::Idle::default();
                crate::breadth_first::solve(board.geometry(), board.position(), idle, limits).answer(board)
            }
            AnyBoard::Lists(board) => board.breadth_first(limits).answer(board),
        }
    }

    /// Finds a best answer by depth-first search; empty if there is none or the limits stop the search.
    pub fn depth_first(&self, limits: &Limits) -> Answer {
        match self {
            AnyBoard::Bits(board) => crate::depth_first::search(board, limits).0.answer(board),
            AnyBoard::Lists(board) => board.depth_first(limits).0.answer(board),
        }
    }
}

impl FromStr for AnyBoard {
    type Err = String;

    fn from_str(text: &str) -> Result<AnyBoard, String> {
        let symbols = text.chars().filter(|symbol| !symbol.is_whitespace()).count();
        // Only the cross has corners: 49 symbols without any are 7 × 7.
        if symbols == 25 || symbols == 49 && text.contains(OUTSIDE) {
            text.parse().map(AnyBoard::Bits)
        } else {
            text.parse().map(AnyBoard::Lists)
        }
    }
}
