//! What a proof rests on: from which end it searches, its tables, and how far it has come.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::automaton::Automaton;
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::dual::Dual;
use crate::geometry::SPOTS;
use crate::guide::Guide;
use crate::ida::{self, Outcome, Pruning, Search};
use crate::position::{Packed, byte};
use crate::table::{self, Table};

/// One threshold of the proof, searched to its end without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold {
    /// No answer has at most so many moves.
    pub moves: u8,
    /// Positions looked up for that.
    pub nodes: u64,
    /// Milliseconds it took.
    pub milliseconds: u64,
}

/// What a proof rests on, and the next threshold it has to search.
#[derive(Debug)]
pub struct Grounds {
    /// From which end it searches.
    pub direction: Direction,
    /// The tables for that direction.
    pub guide: Arc<Guide>,
    /// The table for the other one.
    pub dual: Option<Dual>,
    /// The ways that are left out.
    pub automaton: Automaton,
    /// The thresholds it has searched without an answer, the lowest first.
    pub thresholds: Vec<Threshold>,
    start: Packed,
    threshold: u8,
}

impl Grounds {
    /// To begin with the threshold that the tables allow.
    pub(crate) fn new(
        direction: Direction,
        board: Packed,
        guide: Arc<Guide>,
        dual: Option<Dual>,
        ways: usize,
    ) -> Grounds {
        let start = direction.start(board);
        let automaton = Automaton::new(guide.board(), ways);
        let threshold = lowest(&guide, start);
        Grounds { direction, guide, dual, automaton, thresholds: Vec::new(), start, threshold }
    }

    /// The next threshold.
    pub fn threshold(&self) -> u8 {
        self.threshold
    }

    /// Searches the next threshold, and goes on to the one after it if there is no answer.
    pub(crate) fn search(&mut self, threads: usize, deadline: Deadline) -> Outcome {
        let begun = Instant::now();
        let pruning = Pruning { guide: &self.guide, dual: self.dual.as_ref(), automaton: &self.automaton };
        let Search { outcome, nodes } = ida::search(pruning, self.start, self.threshold, threads, deadline);
        if outcome == Outcome::Nothing {
            let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.thresholds.push(Threshold { moves: self.threshold, nodes, milliseconds });
            self.threshold += 2;
        }
        match outcome {
            Outcome::Answer(way) => Outcome::Answer(self.direction.answer(way)),
            other => other,
        }
    }

    /// Searches all thresholds below one; false if the time runs out.
    pub(crate) fn catch_up(&mut self, threshold: u8, threads: usize, deadline: Deadline) -> bool {
        while self.threshold < threshold {
            if self.search(threads, deadline) != Outcome::Nothing {
                return false;
            }
        }
        true
    }

    /// Nodes of the last threshold.
    pub(crate) fn last_nodes(&self) -> u64 {
        self.thresholds.last().map_or(0, |threshold| threshold.nodes)
    }

    /// All tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.guide.tables().into_iter().chain(self.dual.iter().flat_map(Dual::tables))
    }

    /// Bytes of all tables.
    pub(crate) fn bytes(&self) -> usize {
        table::bytes(self.tables())
    }
}

/// The bound by the tables alone, raised to the parity of the board's answers.
pub fn lowest(guide: &Guide, start: Packed) -> u8 {
    let bound = guide.values(&start.occupants()).bound();
    bound + (bound ^ parity(start) ^ parity(guide.goal())) % 2
}

/// The parity of every way's length to perfection: each move swaps the empty spot with something.
pub fn parity(position: Packed) -> u8 {
    let mut occupants = position.occupants();
    let mut swaps = 0;
    for spot in 0..SPOTS {
        while occupants[spot] != byte(spot) {
            let home = usize::from(occupants[spot]);
            occupants.swap(spot, home);
            swaps += 1;
        }
    }
    swaps % 2
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn packed(text: &str) -> Packed {
        Packed::from(&text.parse::<loyd_kit::Board>().unwrap())
    }

    #[test]
    fn the_parity_is_that_of_known_answers() {
        assert_eq!(parity(Packed::goal()), 0);
        assert_eq!(parity(packed("FBCDE KAGHJ PLMIO UQRNT VWXS+")), 0, "28 moves in the write-up");
        assert_eq!(parity(packed("BACDE FGHIJ KLMNO PQRST UVWX+")), 1, "21 moves");
        assert_eq!(parity(packed("NOWIS THEMF RALGD CUBJK PQVX+")), 1, "odd in the published table");
    }
}
