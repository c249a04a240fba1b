//! Schedules of games.

use std::fmt;

use serde::{Deserialize, Serialize};

use judge_job::named;

/// The schedule of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Schedule {
    /// Every group of entries that fills the seats plays on every board.
    RoundRobin {
        /// True if every entry of a group is in every seat once. Otherwise, it plays one game per board, seated in the order of
        /// the contest file.
        mirror: bool,
    },
    /// Every competing entry plays on every board against every group of entries that do not compete. The group fills the other
    /// seats.
    Gauntlet {
        /// As in a round robin.
        mirror: bool,
    },
    /// All entries of the round play in one game on every board.
    All {
        /// As in a round robin.
        mirror: bool,
    },
    /// The best seed plays against the last, and the second against the last but one. Each pair plays with both seatings, and the
    /// better one advances. If the number of entries is odd, one entry has a bye.
    KnockOut {
        /// The decision between two entries with the same points.
        tie: Tie,
    },
}

named! {
    /// The decision between two entries of a knock-out round with the same points.
    #[derive(Default)]
    pub enum Tie {
        /// They play on all boards of the round. Then the better seed advances.
        #[default]
        Seed = "seed",
        /// They play on one board after the other until one has more points. After the last board, the better seed advances.
        Games = "games",
    }
}

impl Schedule {
    /// Returns true if every entry of a group is in every seat once.
    pub fn mirror(self) -> bool {
        match self {
            Self::RoundRobin { mirror } | Self::Gauntlet { mirror } | Self::All { mirror } => mirror,
            Self::KnockOut { .. } => true,
        }
    }

    /// Returns true if it pairs entries by their seeds.
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
