//! A start position as a board file writes it, and moves as an answer writes them.

use std::fmt;
use std::str::FromStr;

/// A start position: that many black pieces, an empty square, as many red ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Pieces of a colour, at least 1.
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
            Err("a board is a row such as BBB.RRR, as many black pieces as red ones")
        }
    }
}

/// A piece that goes into the empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The square it leaves.
    pub from: usize,
    /// The square that was empty.
    pub to: usize,
}

/// One pair of an answer, such as `3 -> 4`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from + 1, self.to + 1)
    }
}
