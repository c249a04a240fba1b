//! The four directions of a step, which answers write as letters, and moves of several steps.

use crate::game::show_byte;

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
    fn read(letter: u8) -> Option<Self> {
        match letter {
            b'L' => Some(Self::Left),
            b'R' => Some(Self::Right),
            b'U' => Some(Self::Up),
            b'D' => Some(Self::Down),
            _ => None,
        }
    }

    /// Takes the steps of a move, one after the other. `step` continues from a square, or returns the reason why it cannot.
    /// Returns the last place. The error names the first illegal step and the reason.
    pub(super) fn walk<Place>(
        from: Place,
        steps: &[u8],
        mut step: impl FnMut(Place, Self) -> Result<Place, String>,
    ) -> Result<Place, String> {
        if steps.is_empty() {
            return Err("a move needs at least one step: L, R, U or D".into());
        }
        steps.iter().enumerate().try_fold(from, |at, (index, &letter)| {
            let direction = Self::read(letter).ok_or_else(|| "steps are L, R, U and D".to_owned());
            let made = direction.and_then(|direction| step(at, direction));
            made.map_err(|reason| format!("step {} `{}`: {reason}", index + 1, show_byte(letter)))
        })
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
