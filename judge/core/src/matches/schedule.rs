//! Schedules: who plays whom.

use std::fmt;

use serde::{Deserialize, Serialize};

use judge_job::named;

/// Who plays whom in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Schedule {
    /// Every group of as many entries as there are seats plays on every board.
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
    /// All entries of the round play in one game on every board.
    All {
        /// As in a round robin.
        mirror: bool,
    },
    /// The best seed plays against the last, the second against the last but one, each in both seats, and the better of each pair goes
    /// on. If their number is odd, one entry has a bye.
    KnockOut {
        /// What decides between two with the same points.
        tie: Tie,
    },
}

named! {
    /// What decides between two entries of a knock-out round with the same points.
    #[derive(Default)]
    pub enum Tie {
        /// They play on all boards of the round; then the better seed goes on.
        #[default]
        Seed = "seed",
        /// They play on one board after the other until one has more points; after the last board, the better seed goes on.
        Games = "games",
    }
}

impl Schedule {
    /// True if every entry of a group is in every seat once.
    pub fn mirror(self) -> bool {
        match self {
            Self::RoundRobin { mirror } | Self::Gauntlet { mirror } | Self::All { mirror } => mirror,
            Self::KnockOut { .. } => true,
        }
    }

    /// True if it pairs entries by their seeds.
    pub fn is_knock_out(self) -> bool {
        matches!(self, Self::KnockOut { .. })
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
            Self::All { .. } => "all entries in one game",
            Self::KnockOut { tie: Tie::Seed } => return f.write_str("knock-out, a tie is won by the better seed"),
            Self::KnockOut { tie: Tie::Games } => return f.write_str("knock-out, a tie is played on the next board"),
        };
        write!(f, "{name}{}", if self.mirror() { ", each group in all seatings" } else { "" })
    }
}
