//! Sets of cells as 64 bits: bit 8 × row + column, whatever the size of the board.

/// Rows and columns a set has room for.
pub const SIDE: usize = 8;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIDE - 1);

/// Which way a step goes, in the order in which the article tries them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// One column on.
    Right,
    /// One row back.
    Up,
    /// One column back.
    Left,
    /// One row on.
    Down,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Right, Self::Up, Self::Left, Self::Down];

    /// As an answer writes it.
    pub fn letter(self) -> char {
        match self {
            Self::Right => 'R',
            Self::Up => 'U',
            Self::Left => 'L',
            Self::Down => 'D',
        }
    }

    /// The set one step on; what leaves the 8 × 8 cells is gone.
    pub fn step(self, cells: u64) -> u64 {
        match self {
            Self::Right => (cells & !LAST_COLUMN) << 1,
            Self::Up => cells >> SIDE,
            Self::Left => (cells & !FIRST_COLUMN) >> 1,
            Self::Down => cells << SIDE,
        }
    }

    /// The way back.
    pub fn opposite(self) -> Self {
        match self {
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Left => Self::Right,
            Self::Down => Self::Up,
        }
    }
}

/// The cells of a rectangle with its top left corner in the first cell; at most 8 × 8.
pub fn rectangle(height: usize, width: usize) -> u64 {
    let row = u64::MAX >> (64 - width);
    (0..height).fold(0, |cells, line| cells | row << (SIDE * line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_never_leads_round_the_edge() {
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
