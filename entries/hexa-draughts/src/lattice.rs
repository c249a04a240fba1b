//! The triangular lattice in doubled coordinates: points, hops, distances.

use std::fmt;
use std::str::FromStr;

/// A point: row and column, both even or both odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Row, counted upwards; men start on rows up to 0.
    pub row: i32,
    /// Column, in halves of the distance between neighbours in a row.
    pub column: i32,
}

/// The offsets from a point to its six neighbours, in rows and columns.
pub const DIRECTIONS: [(i32, i32); 6] = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Point {
    /// The point of row `row` that all programs here use as the goal; any other point of the row is equivalent.
    pub fn goal(row: i32) -> Self {
        Self { row, column: row.rem_euclid(2) }
    }

    /// The point `steps` steps away in one of the [`DIRECTIONS`].
    pub fn step(self, (rows, columns): (i32, i32), steps: i32) -> Self {
        Self { row: self.row + steps * rows, column: self.column + steps * columns }
    }

    /// The number of steps to another point.
    pub fn distance(self, other: Self) -> i32 {
        let (rows, columns) = ((self.row - other.row).abs(), (self.column - other.column).abs());
        rows + ((columns - rows) / 2).max(0)
    }

    /// All points at most `radius` steps away, row by row.
    pub fn within(self, radius: i32) -> impl Iterator<Item = Self> {
        let rows = self.row - radius..=self.row + radius;
        let columns = self.column - 2 * radius..=self.column + 2 * radius;
        let square = rows.flat_map(move |row| columns.clone().map(move |column| Self { row, column }));
        square.filter(move |point| (point.row + point.column) % 2 == 0 && point.distance(self) <= radius)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.column)
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("invalid point `{text}`; expected ROW,COLUMN, both even or both odd");
        let (row, column) = text.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.parse().ok().filter(|number| (-1000..=1000).contains(number)).ok_or_else(wrong);
        let point = Self { row: number(row)?, column: number(column)? };
        if (point.row + point.column) % 2 == 0 { Ok(point) } else { Err(wrong()) }
    }
}

/// A hop: the man on `from` moves to `to`, and the man on `over`, between them, is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// The point that the man leaves.
    pub from: Point,
    /// The point of the removed man.
    pub over: Point,
    /// The point that the man lands on, which was empty.
    pub to: Point,
}

impl Hop {
    /// The hop that lands on `to` and starts two steps away in the direction `back`, one of [`DIRECTIONS`].
    pub fn onto(to: Point, back: (i32, i32)) -> Self {
        Self { from: to.step(back, 2), over: to.step(back, 1), to }
    }

    /// The last hop of every game in normal form to row `row`: onto the goal, from the left.
    pub fn last(row: i32) -> Self {
        Self::onto(Point::goal(row), (-1, -1))
    }

    /// The points that the hop touches.
    pub fn points(self) -> [Point; 3] {
        [self.from, self.over, self.to]
    }

    /// The points that the hop touches, each with the change of its number of men.
    pub fn changes(self) -> [(Point, i32); 3] {
        [(self.from, -1), (self.over, -1), (self.to, 1)]
    }
}

impl fmt::Display for Hop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>{}", self.from, self.to)
    }
}

impl FromStr for Hop {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("invalid hop `{text}`; expected ROW,COLUMN>ROW,COLUMN, two steps apart in a line");
        let (from, to) = text.split_once('>').ok_or_else(wrong)?;
        let (from, to): (Point, Point) = (from.parse()?, to.parse()?);
        let hops = DIRECTIONS.map(|back| Self::onto(to, back));
        hops.into_iter().find(|hop| hop.from == from).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_within_a_radius_form_a_hexagon() {
        for goal in [Point::goal(4), Point::goal(5)] {
            for radius in 0..5 {
                let count = i32::try_from(goal.within(radius).count()).expect("a small number");
                assert_eq!(count, 3 * radius * (radius + 1) + 1, "radius {radius}");
            }
        }
    }

    #[test]
    fn a_hop_spans_two_steps() {
        let point = Point { row: -3, column: 5 };
        for direction in DIRECTIONS {
            let hop = Hop::onto(point, direction);
            assert_eq!((point.distance(hop.over), point.distance(hop.from)), (1, 2));
        }
    }
}
