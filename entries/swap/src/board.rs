//! The start position of a board file, and the moves of an answer.

use std::fmt;
use std::str::FromStr;

/// A start position: black pieces, an empty square, and as many red pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Pieces per colour, at least 1.
    pub pieces: usize,
}

impl FromStr for Board {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let row = text.trim();
        let pieces = row.len() / 2;
        if pieces > 0 && row == "B".repeat(pieces) + "." + &"R".repeat(pieces) {
            Ok(Self { pieces })
        } else {
            Err("invalid row; expected for example BBB.RRR, with as many black pieces as red ones")
        }
    }
}

/// A move of a piece into the empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: usize,
    /// The square that was empty.
    pub to: usize,
}

/// Writes one pair of an answer, such as `3 -> 4`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from + 1, self.to + 1)
    }
}
