//! The two boards: squares, lines, where a travelling piece stops, symmetries.
//!
//! Squares are numbered in reading order, from 0, over the holes alone, so that a set of them is one `u64` on either
//! board. A line of squares is a mask too: what stands ahead of a piece is one `and`, the nearest of it one count of
//! zeros. All tables are made at compile time.

use std::fmt;

/// Holes of the larger board; tables have a row for each.
pub const MOST_HOLES: usize = 33;

/// Where a table has no square.
const NONE: u8 = u8::MAX;

/// One of the two boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// 5 × 5.
    Square,
    /// The English cross: 33 holes in a 7 × 7 frame whose four 2 × 2 corners are no holes.
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

    /// Rows, and columns, of the frame.
    pub const fn side(self) -> usize {
        match self {
            Shape::Square => 5,
            Shape::Cross => 7,
        }
    }

    /// Whether the frame has a hole there; row and column from 0.
    pub const fn has(self, row: usize, column: usize) -> bool {
        let inside = row < self.side() && column < self.side();
        match self {
            Shape::Square => inside,
            Shape::Cross => inside && (2 <= row && row <= 4 || 2 <= column && column <= 4),
        }
    }
}

/// A hole of a board, numbered in reading order from 0.
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

/// A direction of travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `L`: to lower columns.
    Left,
    /// `R`: to higher columns.
    Right,
    /// `U`: to lower rows.
    Up,
    /// `D`: to higher rows.
    Down,
}

impl Direction {
    /// All four, in the order searches try them.
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// The letter an answer writes it with.
    pub const fn letter(self) -> char {
        match self {
            Direction::Left => 'L',
            Direction::Right => 'R',
            Direction::Up => 'U',
            Direction::Down => 'D',
        }
    }

    /// The direction with this letter.
    pub fn from_letter(letter: char) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.letter() == letter)
    }

    /// The way back.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }

    /// Whether squares ahead have higher numbers.
    const fn ascends(self) -> bool {
        matches!(self, Direction::Right | Direction::Down)
    }
}

/// Where a step ends, and against what.
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
    holes: usize,
    centre: Square,
    /// Row and column of each hole, from 0.
    places: [(u8, u8); MOST_HOLES],
    /// The hole at each row and column of the frame.
    at: [[u8; 7]; 7],
    /// For each hole and direction its neighbour.
    next: [[u8; 4]; MOST_HOLES],
    /// For each hole and direction all holes ahead.
    rays: [[u64; 4]; MOST_HOLES],
    /// For each symmetry the hole that each hole goes to; the first symmetry moves nothing.
    symmetries: [[u8; MOST_HOLES]; 8],
}

#[expect(clippy::cast_possible_truncation, reason = "rows, columns and holes are below 33")]
impl Geometry {
    const fn new(shape: Shape) -> Self {
        let side = shape.side();
        let mut geometry = Geometry {
            shape,
            holes: 0,
            centre: Square(0),
            places: [(0, 0); MOST_HOLES],
            at: [[NONE; 7]; 7],
            next: [[NONE; 4]; MOST_HOLES],
            rays: [[0; 4]; MOST_HOLES],
            symmetries: [[NONE; MOST_HOLES]; 8],
        };
        let mut place = 0;
        while place < side * side {
            let (row, column) = (place / side, place % side);
            if shape.has(row, column) {
                geometry.places[geometry.holes] = (row as u8, column as u8);
                geometry.at[row][column] = geometry.holes as u8;
                geometry.holes += 1;
            }
            place += 1;
        }
        geometry.centre = Square(geometry.at[side / 2][side / 2]);
        let mut hole = 0;
        while hole < geometry.holes {
            geometry.draw_lines(hole);
            geometry.turn(hole);
            hole += 1;
        }
        geometry
    }

    const fn draw_lines(&mut self, hole: usize) {
        let mut direction = 0;
        while direction < 4 {
            let (mut row, mut column) = (self.places[hole].0 as usize, self.places[hole].1 as usize);
            let mut first = true;
            loop {
                // Off the low edge wraps to a number that no frame has.
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
                    self.next[hole][direction] = ahead;
                    first = false;
                }
                self.rays[hole][direction] |= 1 << ahead;
            }
            direction += 1;
        }
    }

    const fn turn(&mut self, hole: usize) {
        let last = self.shape.side() - 1;
        let mut symmetry = 0;
        while symmetry < 8 {
            let (mut row, mut column) = (self.places[hole].0 as usize, self.places[hole].1 as usize);
            if symmetry & 1 != 0 {
                row = last - row;
            }
            if symmetry & 2 != 0 {
                column = last - column;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            self.symmetries[symmetry][hole] = self.at[row][column];
            symmetry += 1;
        }
    }
}

impl Geometry {
    /// Which board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of holes: 25 or 33.
    pub fn holes(&self) -> usize {
        self.holes
    }

    /// All holes as a set.
    pub fn all(&self) -> u64 {
        (1 << self.holes) - 1
    }

    /// The square where letter pieces leave.
    pub fn centre(&self) -> Square {
        self.centre
    }

    /// The square at row and column of the frame, from 0.
    pub fn square(&self, row: usize, column: usize) -> Option<Square> {
        let &hole = self.at.get(row)?.get(column)?;
        (hole != NONE).then_some(Square(hole))
    }

    /// The square named so: row then column, from 1, such as `42`.
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

    /// One step of the piece on `from`: it travels until the next square holds another piece. `None` if nothing
    /// stands on that line, or right beside it. `occupied` may hold `from` itself or not.
    pub fn step(&self, occupied: u64, from: Square, direction: Direction) -> Option<Step> {
        let ahead = self.rays[from.index()][direction as usize] & occupied;
        let stopper = if direction.ascends() { lowest(ahead) } else { highest(ahead) }?;
        let to = Square(self.next[stopper.index()][direction.opposite() as usize]);
        (to != from).then_some(Step { to, stopper })
    }

    /// Where a piece may have stood before a step that way ended on `to`, for all such squares: empty if nothing stands
    /// beside `to` to stop it. `others` are the other pieces.
    #[inline]
    pub fn sources(&self, others: u64, to: Square, direction: Direction) -> u64 {
        match self.next(to, direction) {
            Some(stopper) if others & stopper.bit() != 0 => self.run(others, to, direction.opposite()),
            _ => 0,
        }
    }

    /// The free squares ahead, up to the first piece.
    #[inline]
    fn run(&self, others: u64, from: Square, direction: Direction) -> u64 {
        let ray = self.rays[from.index()][direction as usize];
        let ahead = ray & others;
        match if direction.ascends() { lowest(ahead) } else { highest(ahead) } {
            Some(piece) => ray & !piece.bit() & !self.rays[piece.index()][direction as usize],
            None => ray,
        }
    }

    /// The set as one of the eight symmetries, numbered from 0, leaves it; the first moves nothing.
    #[inline]
    pub fn image(&self, symmetry: usize, set: u64) -> u64 {
        let to = &self.symmetries[symmetry];
        squares(set).fold(0, |image, square| image | 1 << to[square.index()])
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self, symmetry: usize) -> usize {
        // Both quarter turns, a swap of rows and columns after one reflection, undo each other; all others themselves.
        match symmetry {
            5 => 6,
            6 => 5,
            other => other,
        }
    }

    /// The set as each of the eight symmetries leaves it, itself first; a set of the same index in another call went
    /// through the same symmetry.
    pub fn images(&self, set: u64) -> [u64; 8] {
        [0, 1, 2, 3, 4, 5, 6, 7].map(|symmetry| self.image(symmetry, set))
    }
}

/// Whether one set of squares begins earlier in reading order than another of the same size: it has the first square
/// that they do not share.
#[inline]
pub fn begins_earlier(one: u64, other: u64) -> bool {
    let differ = one ^ other;
    one & differ & differ.wrapping_neg() != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_boards_have_their_holes_and_their_centre() {
        for (shape, holes, centre) in [(Shape::Square, 25, "33"), (Shape::Cross, 33, "44")] {
            let geometry = shape.geometry();
            assert_eq!(geometry.holes(), holes);
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
    fn a_step_ends_before_the_next_piece_and_never_without_one() {
        for shape in [Shape::Square, Shape::Cross] {
            let geometry = shape.geometry();
            for from in squares(geometry.all()) {
                for direction in Direction::ALL {
                    assert_eq!(geometry.step(from.bit(), from, direction), None);
                    // Walked square by square: a stopper so far ahead, and one behind it that must not matter.
                    let mut travelled = from;
                    while let Some(stopper) = geometry.next(travelled, direction) {
                        let behind = geometry.next(stopper, direction).map_or(0, Square::bit);
                        let step = geometry.step(from.bit() | stopper.bit() | behind, from, direction);
                        let expected = (travelled != from).then_some(Step { to: travelled, stopper });
                        assert_eq!(step, expected);
                        travelled = stopper;
                    }
                }
            }
        }
    }

    #[test]
    fn the_eight_symmetries_are_different_and_keep_neighbours() {
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
                    let beside = Direction::ALL.into_iter().filter_map(move |to| geometry.next(square, to));
                    beside.fold(0, |set, next| set | next.bit())
                };
                let turned = geometry.images(square.bit());
                for (image, beside) in turned.into_iter().zip(geometry.images(near(square))) {
                    assert_eq!(squares(image).map(near).collect::<Vec<_>>(), [beside]);
                }
            }
        }
    }
}
