//! The four directions of a step, which answers write as letters.

/// The direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    pub(super) const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// Reads a letter of an answer.
    pub(super) fn read(letter: u8) -> Option<Self> {
        match letter {
            b'L' => Some(Self::Left),
            b'R' => Some(Self::Right),
            b'U' => Some(Self::Up),
            b'D' => Some(Self::Down),
            _ => None,
        }
    }

    pub(super) fn is_vertical(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }

    /// Returns the words for a place in this direction, to be followed by a square.
    pub(super) fn preposition(self) -> &'static str {
        match self {
            Self::Left => "left of",
            Self::Right => "right of",
            Self::Up => "above",
            Self::Down => "below",
        }
    }
}
