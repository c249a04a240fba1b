//! Sets of cells as 64 bits: bit 8 × row + column, whatever the size of the board.

/// The number of rows, and of columns, of a set.
pub(crate) const SIDE: usize = 8;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIDE - 1);

/// The direction of a step, in the order in which the article tries them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// One column to the right.
    Right,
    /// One row up.
    Up,
    /// One column to the left.
    Left,
    /// One row down.
    Down,
}

impl Direction {
    /// All directions, in the order in which the article tries them.
    pub const ALL: [Self; 4] = [Self::Right, Self::Up, Self::Left, Self::Down];

    /// The letter used in answers.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::Right => 'R',
            Self::Up => 'U',
            Self::Left => 'L',
            Self::Down => 'D',
        }
    }

    /// The set after one step; cells that leave the 8 × 8 cells are dropped.
    pub fn step(self, cells: u64) -> u64 {
        match self {
            Self::Right => (cells & !LAST_COLUMN) << 1,
            Self::Up => cells >> SIDE,
            Self::Left => (cells & !FIRST_COLUMN) >> 1,
            Self::Down => cells << SIDE,
        }
    }

    /// The direction that takes a step back.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Down => Self::Up,
        }
    }
}

/// The cells of a rectangle, at most 8 × 8, with its top left corner in the first cell.
pub(crate) fn rectangle(height: usize, width: usize) -> u64 {
    let row = u64::MAX >> (64 - width);
    (0..height).fold(0, |cells, line| cells | row << (SIDE * line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_never_wraps_around_the_edge() {
        assert_eq!(Direction::Right.step(1 << 7 | 1), 1 << 1);
        assert_eq!(Direction::Left.step(1 << 8 | 1 << 9), 1 << 8);
        assert_eq!(Direction::Up.step(1 << 7 | 1 << 15), 1 << 7);
        assert_eq!(Direction::Down.step(1 << 56 | 1 << 55), 1 << 63);
    }

    #[test]
    fn the_largest_rectangle_is_every_cell() {
        assert_eq!(rectangle(8, 8), u64::MAX);
        assert_eq!(rectangle(2, 1), 0x0101);
    }
}
