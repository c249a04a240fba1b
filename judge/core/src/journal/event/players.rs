//! The players of a contest of matches between teams.

use serde::{Deserialize, Serialize};

use crate::key::Name;

/// The players of the first round of a contest in which entries play only once they are named. In each table, all play by the
/// schedule of the round. Two tables exist while the public view does not have the latest player of a team. Games of earlier
/// tables that are in none of these no longer count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Players {
    /// The entries of each table, in the order of their seats.
    pub tables: Vec<Vec<Name>>,
}
