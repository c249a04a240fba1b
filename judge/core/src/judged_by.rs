//! What an answer is measured by: progress in a game, points, or acceptance.

use serde::{Deserialize, Serialize};

/// The measure of answers, which cells and totals show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    /// Progress and moves, as in the built-in games.
    #[default]
    Progress,
    /// Points that a referee gives.
    Score,
    /// An answer is accepted or not.
    Acceptance,
}

impl JudgedBy {
    /// Every way, in the order in which errors name them.
    pub const ALL: [Self; 3] = [Self::Progress, Self::Score, Self::Acceptance];

    /// The name in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Progress => "progress",
            Self::Score => "score",
            Self::Acceptance => "acceptance",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }

    /// True for progress and moves, which outputs do not mention.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub fn is_progress(&self) -> bool {
        *self == Self::Progress
    }
}
