//! The bounds and rules that exclude positions from a search.

use crate::automaton::Automaton;
use crate::dual::Dual;
use crate::geometry::SPOTS;
use crate::heuristic::Heuristic;

/// The bounds and rules that exclude positions from the search.
#[derive(Clone, Copy, Debug)]
pub struct Pruning<'a> {
    /// The bound for every position.
    pub heuristic: &'a Heuristic,
    /// A second bound for positions with the empty spot in the centre.
    pub dual: Option<&'a Dual>,
    /// The automaton whose steps a search may take.
    pub automaton: &'a Automaton,
}

impl Pruning<'_> {
    /// The greatest of all lower bounds on the moves from a position.
    pub(crate) fn bound(self, occupants: &[u8; SPOTS]) -> u8 {
        let dual = self.dual.and_then(|dual| dual.bound(occupants)).unwrap_or(0);
        self.heuristic.values(occupants).bound().max(dual)
    }
}
