//! The state of a proof: its direction, its tables, and the thresholds searched so far.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::automaton::Automaton;
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::dual::Dual;
use crate::geometry::{CENTRE, SPOTS};
use crate::heuristic::Heuristic;
use crate::ida::{self, Origin, Outcome, Search, Task};
use crate::pinwheel::{self, Rectangle};
use crate::position::{Packed, byte};
use crate::pruning::Pruning;
use crate::split::Far;
use crate::table::{self, Table};

/// One threshold of the proof, searched completely without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold {
    /// The threshold: every answer has more moves.
    pub moves: u8,
    /// Number of positions that were looked up.
    pub nodes: u64,
    /// Milliseconds that the search took.
    pub milliseconds: u64,
}

/// The bounds of a split search from the near end; see [`crate::split`].
#[derive(Debug)]
pub struct Near {
    heuristic: Heuristic,
    dual: Dual,
}

/// A proof in progress: the data that it searches with, and the thresholds so far.
#[derive(Debug)]
pub struct Proof {
    /// The direction of the search.
    pub direction: Direction,
    /// The heuristic for that direction; for the other one if the search is split.
    pub heuristic: Arc<Heuristic>,
    /// The second bound, from tables for undone moves.
    pub dual: Option<Dual>,
    /// The bounds of the part with the centre as its goal, if the search is split.
    pub near: Option<Near>,
    /// The automaton that excludes paths from the search.
    pub automaton: Automaton,
    /// The thresholds that were searched without an answer, the lowest first.
    pub thresholds: Vec<Threshold>,
    start: Packed,
    threshold: u8,
}

impl Proof {
    /// Starts a proof at the lowest threshold that the tables allow.
    pub(crate) fn new(
        direction: Direction,
        board: Packed,
        heuristic: Arc<Heuristic>,
        dual: Option<Dual>,
        length: usize,
        threads: usize,
    ) -> Proof {
        let start = direction.start(board);
        let automaton = Automaton::new(heuristic.board(), length, threads);
        let threshold = lowest(&heuristic, start);
        Proof { direction, heuristic, dual, near: None, automaton, thresholds: Vec::new(), start, threshold }
    }

    /// Starts a split proof. `direction` is the direction of the search from the near end, `far` the heuristic for
    /// the other one, and `tables` are the rectangle's from the near and the far end, any last empty spot.
    pub fn split(
        direction: Direction,
        board: Packed,
        far: Arc<Heuristic>,
        rectangle: Rectangle,
        tables: [Vec<Arc<Table>>; 2],
        length: usize,
        threads: usize,
    ) -> Proof {
        let [near_tables, far_tables] = tables;
        let geometry = direction.geometry(board);
        let automaton = Automaton::new(&geometry, length, threads);
        let geometry = geometry.ending_at(CENTRE);
        let heuristic = pinwheel::heuristic(&geometry, rectangle, &near_tables).expect("the rectangle's tables");
        let near = Some(Near { heuristic, dual: Dual::new(&geometry, far_tables) });
        let start = direction.other().start(board);
        let dual = Some(Dual::new(far.board(), near_tables));
        let threshold = lowest(&far, start);
        Proof { direction, heuristic: far, dual, near, automaton, thresholds: Vec::new(), start, threshold }
    }

    /// The search of a threshold.
    pub fn task(&self) -> Task<'_> {
        let Proof { heuristic, dual, near, automaton, start, .. } = self;
        match near {
            None => {
                let pruning = Pruning { heuristic, dual: dual.as_ref(), automaton };
                Task { pruning, origin: Origin::Position(*start) }
            }
            Some(near) => {
                let pruning = Pruning { heuristic: &near.heuristic, dual: Some(&near.dual), automaton };
                let dual = dual.as_ref().expect("a split proof has a second bound");
                Task { pruning, origin: Origin::Centre(Far { heuristic, dual, start: *start }) }
            }
        }
    }

    /// The bound by the tables alone, raised to the parity of the board's answers.
    pub(crate) fn lowest(&self) -> u8 {
        lowest(&self.heuristic, self.start)
    }

    /// The next threshold to search.
    pub fn threshold(&self) -> u8 {
        self.threshold
    }

    /// Searches the next threshold, and advances to the one after it if there is no answer.
    pub(crate) fn search(&mut self, threads: usize, deadline: Deadline) -> Outcome {
        let begun = Instant::now();
        let Search { outcome, nodes } = ida::search(&self.task(), self.threshold, threads, deadline);
        if outcome == Outcome::Nothing {
            let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.thresholds.push(Threshold { moves: self.threshold, nodes, milliseconds });
            self.threshold += 2;
        }
        match outcome {
            Outcome::Answer(path) => Outcome::Answer(self.direction.answer(path)),
            other => other,
        }
    }

    /// Searches all thresholds below `threshold`; `false` if that fails before the deadline.
    pub(crate) fn catch_up(&mut self, threshold: u8, threads: usize, deadline: Deadline) -> bool {
        while self.threshold < threshold {
            if self.search(threads, deadline) != Outcome::Nothing {
                return false;
            }
        }
        true
    }

    /// Nodes of the last threshold, 0 if there is none.
    pub(crate) fn last_nodes(&self) -> u64 {
        self.thresholds.last().map_or(0, |threshold| threshold.nodes)
    }

    /// All tables, each once, those of the heuristic first.
    pub(crate) fn tables(&self) -> Vec<&Arc<Table>> {
        let mut tables = self.heuristic.tables();
        let near = self.near.iter().map(|near| &near.dual);
        for table in self.dual.iter().chain(near).flat_map(Dual::tables) {
            if !tables.iter().any(|known| Arc::ptr_eq(known, table)) {
                tables.push(table);
            }
        }
        tables
    }

    /// Size of all tables in bytes.
    pub(crate) fn bytes(&self) -> usize {
        table::bytes(self.tables())
    }
}

/// The lowest threshold: the bound by the tables alone, raised to the parity of the board's answers.
pub fn lowest(heuristic: &Heuristic, start: Packed) -> u8 {
    let bound = heuristic.values(&start.occupants()).bound();
    bound + (bound ^ parity(start) ^ parity(heuristic.goal())) % 2
}

/// The parity of the moves of every answer: each move swaps the empty spot with a tile.
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
