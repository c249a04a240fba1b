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
}

impl Default for Schedule {
    fn default() -> Self {
        Self::RoundRobin { mirror: true }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::RoundRobin { mirror } = self;
        write!(f, "round robin{}", if *mirror { ", each group in all seatings" } else { "" })
    }
}
