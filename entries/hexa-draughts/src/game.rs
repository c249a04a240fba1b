//! The board file, and a game as an answer.

use std::fmt;
use std::str::FromStr;

use crate::lattice::{Hop, Point};

/// A board: the row to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The row, 1 or more.
    pub row: i32,
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["row", number] = words[..] else {
            return Err("expected `row N`".to_owned());
        };
        match number.parse() {
            Ok(row @ 1..=20) => Ok(Self { row }),
            _ => Err(format!("invalid row `{number}`; expected 1 to 20")),
        }
    }
}

/// A game: an army and its hops. The default is an empty game, which prints as an empty string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Game {
    /// The start points of the men.
    pub men: Vec<Point>,
    /// The hops in the order in which they are made.
    pub hops: Vec<Hop>,
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.men.is_empty() {
            return Ok(());
        }
        f.write_str("men")?;
        self.men.iter().try_for_each(|man| write!(f, " {man}"))?;
        f.write_str("\nhops")?;
        self.hops.iter().try_for_each(|hop| write!(f, " {hop}"))
    }
}
