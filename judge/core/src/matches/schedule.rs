//! Schedules: who plays whom.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who plays whom in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Schedule {
    /// Every group of so many entries as there are seats plays on every board.
    RoundRobin {
        /// True if every entry of a group is in every seat once; else it plays one game per board, seated in the order of the
        /// contest file.
        mirror: bool,
    },
    /// Every entry that competes plays on every board against every group of those that do not, which fill the other seats.
    Gauntlet {
        /// As in a round robin.
        mirror: bool,
    },
}

impl Schedule {
    /// True if every entry of a group is in every seat once.
    pub fn mirror(self) -> bool {
        let (Self::RoundRobin { mirror } | Self::Gauntlet { mirror }) = self;
        mirror
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self::RoundRobin { mirror: true }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::RoundRobin { .. } => "round robin",
            Self::Gauntlet { .. } => "gauntlet: each entry that competes against those that do not",
        };
        write!(f, "{name}{}", if self.mirror() { ", each group in all seatings" } else { "" })
    }
}
