//! The two boards: squares, lines, steps of a moving piece, symmetries.
//!
//! Squares are numbered in reading order, from 0; the corners of the cross's frame are left out. So a set of squares is
//! one `u64` on either board. A line of squares is a mask: one `and` gives the pieces ahead of a moving piece, and one
//! count of zeros gives the nearest. All tables are computed at compile time.

use std::fmt;

/// The number of squares of the larger board; tables have a row for each.
pub(crate) const MAX_SQUARES: usize = 33;

/// Stands for no square in a table.
const NONE: u8 = u8::MAX;

/// One of the two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A square of 5 × 5.
    Square,
    /// The English cross: 33 squares, a 7 × 7 frame without its four 2 × 2 corners.
    Cross,
}

impl Shape {
    /// The tables of this board.
    pub fn geometry(self) -> &'static Geometry {
        static SQUARE: Geometry = Geometry::new(Shape::Square);
        static CROSS: Geometry = Geometry::new(Shape::Cross);
        match self {
            Shape::Square => &SQUARE,
            Shape::Cross => &CROSS,
        }
    }

    /// The number of rows, and of columns, of the frame.
    pub const fn side(self) -> usize {
        match self {
            Shape::Square => 5,
            Shape::Cross => 7,
        }
    }

    /// True if the board has a square at this row and column of the frame, counted from 0.
    pub const fn has(self, row: usize, column: usize) -> bool {
        let inside = row < self.side() && column < self.side();
        match self {
            Shape::Square => inside,
            Shape::Cross => inside && (2 <= row && row <= 4 || 2 <= column && column <= 4),
        }
    }
}

/// A square of a board, numbered in reading order from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The squares of a set in reading order.
pub fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let first = lowest(set)?;
        set &= set - 1;
        Some(first)
    })
}

/// The first square of a set in reading order.
#[expect(clippy::cast_possible_truncation, reason = "a count of zeros is at most 64")]
fn lowest(set: u64) -> Option<Square> {
    (set != 0).then(|| Square(set.trailing_zeros() as u8))
}

/// The last square of a set in reading order.
#[expect(clippy::cast_possible_truncation, reason = "a count of zeros is at most 64")]
fn highest(set: u64) -> Option<Square> {
    (set != 0).then(|| Square(63 - set.leading_zeros() as u8))
}

/// A direction in which a piece travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `L`: to a column with a lower number.
    Left,
    /// `R`: to a column with a higher number.
    Right,
    /// `U`: to a row with a lower number.
    Up,
    /// `D`: to a row with a higher number.
    Down,
}

impl Direction {
    /// All four, in the order searches try them.
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// The letter used in answers.
    pub const fn letter(self) -> char {
        match self {
            Direction::Left => 'L',
            Direction::Right => 'R',
            Direction::Up => 'U',
            Direction::Down => 'D',
        }
    }

    /// The direction with this letter.
    pub(crate) fn from_letter(letter: char) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.letter() == letter)
    }

    /// The direction that leads back.
    pub(crate) const fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }

    /// True if squares ahead have higher numbers.
    const fn ascends(self) -> bool {
        matches!(self, Direction::Right | Direction::Down)
    }
}

/// The end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The square the piece stops on.
    pub to: Square,
    /// The square of the piece that stops it.
    pub stopper: Square,
}

/// The tables of one board.
#[derive(Debug)]
pub struct Geometry {
    shape: Shape,
    count: usize,
    centre: Square,
    /// Row and column of each square, from 0.
    places: [(u8, u8); MAX_SQUARES],
    /// The square at each row and column of the frame.
    at: [[u8; 7]; 7],
    /// The neighbour of each square in each direction.
    next: [[u8; 4]; MAX_SQUARES],
    /// All squares ahead of each square in each direction.
    rays: [[u64; 4]; MAX_SQUARES],
    /// The image of each square under each symmetry; the first symmetry is the identity.
    symmetries: [[u8; MAX_SQUARES]; 8],
}

#[expect(clippy::cast_possible_truncation, reason = "rows, columns and squares are at most 33")]
impl Geometry {
    const fn new(shape: Shape) -> Self {
        let side = shape.side();
        let mut geometry = Geometry {
            shape,
            count: 0,
            centre: Square(0),
            places: [(0, 0); MAX_SQUARES],
            at: [[NONE; 7]; 7],
            next: [[NONE; 4]; MAX_SQUARES],
            rays: [[0; 4]; MAX_SQUARES],
            symmetries: [[NONE; MAX_SQUARES]; 8],
        };
        let mut place = 0;
        while place < side * side {
            let (row, column) = (place / side, place % side);
            if shape.has(row, column) {
                geometry.places[geometry.count] = (row as u8, column as u8);
                geometry.at[row][column] = geometry.count as u8;
                geometry.count += 1;
            }
            place += 1;
        }
        geometry.centre = Square(geometry.at[side / 2][side / 2]);
        let mut square = 0;
        while square < geometry.count {
            geometry.draw_lines(square);
            geometry.turn(square);
            square += 1;
        }
        geometry
    }

    const fn draw_lines(&mut self, square: usize) {
        let mut direction = 0;
        while direction < 4 {
            let (mut row, mut column) = (self.places[square].0 as usize, self.places[square].1 as usize);
            let mut first = true;
            loop {
                // Below 0 the number wraps to one outside every frame.
                match Direction::ALL[direction] {
                    Direction::Left => column = column.wrapping_sub(1),
                    Direction::Right => column += 1,
                    Direction::Up => row = row.wrapping_sub(1),
                    Direction::Down => row += 1,
                }
                if !self.shape.has(row, column) {
                    break;
                }
                let ahead = self.at[row][column];
                if first {
                    self.next[square][direction] = ahead;
                    first = false;
                }
                self.rays[square][direction] |= 1 << ahead;
            }
            direction += 1;
        }
    }

    const fn turn(&mut self, square: usize) {
        let last = self.shape.side() - 1;
        let mut symmetry = 0;
        while symmetry < 8 {
            let (mut row, mut column) = (self.places[square].0 as usize, self.places[square].1 as usize);
            if symmetry & 1 != 0 {
                row = last - row;
            }
            if symmetry & 2 != 0 {
                column = last - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            self.symmetries[symmetry][square] = self.at[row][column];
            symmetry += 1;
        }
    }
}

impl Geometry {
    /// The board that the tables are for.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of squares: 25 or 33.
    pub(crate) fn square_count(&self) -> usize {
        self.count
    }

    /// The set of all squares.
    pub fn all(&self) -> u64 {
        (1 << self.count) - 1
    }

    /// The square at which letter pieces leave.
    pub fn centre(&self) -> Square {
        self.centre
    }

    /// The square at row and column of the frame, from 0.
    pub fn square(&self, row: usize, column: usize) -> Option<Square> {
        let &square = self.at.get(row)?.get(column)?;
        (square != NONE).then_some(Square(square))
    }

    /// The square with a name such as `42`: row then column, from 1.
    pub fn named(&self, name: &str) -> Option<Square> {
        let digit = |at: usize| name.get(at..=at)?.parse::<usize>().ok()?.checked_sub(1);
        if name.len() == 2 { self.square(digit(0)?, digit(1)?) } else { None }
    }

    /// The square's name: row then column, from 1.
    pub fn name(&self, square: Square) -> impl fmt::Display {
        let (row, column) = self.places[square.index()];
        (row + 1) * 10 + column + 1
    }

    /// The neighbour in a direction.
    pub fn next(&self, square: Square, direction: Direction) -> Option<Square> {
        let next = self.next[square.index()][direction as usize];
        (next != NONE).then_some(Square(next))
    }

    /// Makes one step of the piece on `from`: it moves until the next square holds another piece. `None` if no piece
    /// stands ahead, or if one is adjacent. `occupied` may contain `from`.
    pub fn step(&self, occupied: u64, from: Square, direction: Direction) -> Option<Step> {
        let ahead = self.rays[from.index()][direction as usize] & occupied;
        let stopper = if direction.ascends() { lowest(ahead) } else { highest(ahead) }?;
        let to = Square(self.next[stopper.index()][direction.opposite() as usize]);
        (to != from).then_some(Step { to, stopper })
    }

    /// The squares from which a step in this direction ends on `to`; empty if no piece next to `to` stops it. `others`
    /// are the other pieces.
    #[inline]
    pub(crate) fn sources(&self, others: u64, to: Square, direction: Direction) -> u64 {
        match self.next(to, direction) {
            Some(stopper) if others & stopper.bit() != 0 => self.run(others, to, direction.opposite()),
            _ => 0,
        }
    }

    /// The free squares ahead, as far as the first piece.
    #[inline]
    fn run(&self, others: u64, from: Square, direction: Direction) -> u64 {
        let ray = self.rays[from.index()][direction as usize];
        let ahead = ray & others;
        match if direction.ascends() { lowest(ahead) } else { highest(ahead) } {
            Some(piece) => ray & !piece.bit() & !self.rays[piece.index()][direction as usize],
            None => ray,
        }
    }

    /// The image of a set under one of the eight symmetries, numbered from 0; the first is the identity.
    #[inline]
    pub fn image(&self, symmetry: usize, set: u64) -> u64 {
        let to = &self.symmetries[symmetry];
        squares(set).fold(0, |image, square| image | 1 << to[square.index()])
    }

    /// The inverse of a symmetry.
    pub(crate) fn inverse(&self, symmetry: usize) -> usize {
        // The quarter turns, a swap of rows and columns after one reflection, are each other's inverse. Each other
        // symmetry is its own.
        match symmetry {
            5 => 6,
            6 => 5,
            other => other,
        }
    }

    /// The images of a set under the eight symmetries, in a fixed order that begins with the identity.
    pub fn images(&self, set: u64) -> [u64; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|symmetry| self.image(symmetry, set))
    }
}

/// True if one set of squares begins earlier in reading order than another of the same size: the first square that they
/// do not share belongs to `one`.
#[inline]
pub(crate) fn begins_earlier(one: u64, other: u64) -> bool {
    let differ = one ^ other;
    one & differ & differ.wrapping_neg() != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_boards_have_all_their_squares() {
        for (shape, count, centre) in [(Shape::Square, 25, "33"), (Shape::Cross, 33, "44")] {
            let geometry = shape.geometry();
            assert_eq!(geometry.square_count(), count);
            assert_eq!(geometry.name(geometry.centre()).to_string(), centre);
            for square in squares(geometry.all()) {
                assert_eq!(geometry.named(&geometry.name(square).to_string()), Some(square));
            }
        }
        let cross = Shape::Cross.geometry();
        for corner in ["11", "22", "16", "77", "62", "80", "08", "4", "444"] {
            assert_eq!(cross.named(corner), None, "{corner}");
        }
    }

    #[test]
    fn a_step_ends_only_before_a_piece() {
        for shape in [Shape::Square, Shape::Cross] {
            let geometry = shape.geometry();
            for from in squares(geometry.all()) {
                for direction in Direction::ALL {
                    assert_eq!(geometry.step(from.bit(), from, direction), None);
                    // Tries each square ahead as the stopper, with a piece behind it that must not matter.
                    let mut end = from;
                    while let Some(stopper) = geometry.next(end, direction) {
                        let behind = geometry.next(stopper, direction).map_or(0, Square::bit);
                        let step = geometry.step(from.bit() | stopper.bit() | behind, from, direction);
                        let expected = (end != from).then_some(Step { to: end, stopper });
                        assert_eq!(step, expected);
                        end = stopper;
                    }
                }
            }
        }
    }

    #[test]
    fn the_eight_symmetries_keep_neighbours() {
        for shape in [Shape::Square, Shape::Cross] {
            let geometry = shape.geometry();
            let asymmetric = ["13", "24"].map(|name| geometry.named(name).map_or(0, Square::bit)).iter().sum();
            let mut images = geometry.images(asymmetric).to_vec();
            assert_eq!(images[0], asymmetric);
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), 8);
            for square in squares(geometry.all()) {
                let near = |square: Square| {
                    let around = Direction::ALL.into_iter().filter_map(move |to| geometry.next(square, to));
                    around.fold(0, |set, next| set | next.bit())
                };
                let turned = geometry.images(square.bit());
                for (image, around) in turned.into_iter().zip(geometry.images(near(square))) {
                    assert_eq!(squares(image).map(near).collect::<Vec<_>>(), [around]);
                }
            }
        }
    }
}
