//! Names of entries and boards, and the keys of runs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The name of an entry or a board. A million runs share the few names there are.
pub type Name = Arc<str>;

/// The index of a run: everything about it is found by this.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunKey {
    /// Number of the round, from 1.
    pub round: u32,
    /// Name of the entry, unique in the contest.
    pub entry: Name,
    /// Name of the board, unique over all rounds.
    pub board: Name,
    /// The repeat, from 1: `--repeat K` makes K runs of each entry on each board.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub repeat: u32,
}

impl RunKey {
    /// The first repeat of an entry's run on a board.
    pub fn new(round: u32, entry: impl Into<Name>, board: impl Into<Name>) -> Self {
        Self { round, entry: entry.into(), board: board.into(), repeat: 1 }
    }
}

/// The number of the first of several.
pub(crate) fn first() -> u32 {
    1
}

/// Tests for the number of the first.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(crate) fn is_first(number: &u32) -> bool {
    *number == 1
}
