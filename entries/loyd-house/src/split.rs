//! The search for an answer in two parts, split at the centre.
//!
//! A table ignores the empty spot, so it counts none of the moves that bring the empty spot home, and those are part
//! of every answer. Therefore an answer is split where the empty spot visits the centre for the last time. A
//! breadth-first search from the far end finds all positions from which the empty spot gets home without the centre;
//! they are few. For each of them, the search from the near end asks for an answer to *that* position, with the moves
//! that are left. There the empty spot ends in the centre, so the four rectangles of the pinwheel contain all tiles,
//! by one table, and no moves of the empty spot are missing.
//!
//! From either end the other is the far one: backwards, an answer is split at the first visit.
//!
//! An answer that never visits the centre is found by the breadth-first search. Every other one has a last visit, and
//! its beginning is at least as long as the shortest path to that position. So a threshold has an answer if and only if
//! one of the two searches finds one.

use rustc_hash::FxHashSet;

use crate::dual::Dual;
use crate::geometry::CENTRE;
use crate::heuristic::Heuristic;
use crate::position::{Packed, byte, empty_in, inverse};

/// The far end of a split search.
#[derive(Clone, Copy, Debug)]
pub struct Far<'a> {
    /// The bound for positions on the way from the far end.
    pub heuristic: &'a Heuristic,
    /// The second bound for those with the empty spot in the centre.
    pub dual: &'a Dual,
    /// The first position, in the direction from the far end.
    pub start: Packed,
}

/// The result of the search from the far end.
#[derive(Debug)]
pub(crate) struct Reached {
    /// The path of an answer that does not visit the centre, if there is one, as the near end writes it.
    pub(crate) answer: Option<Vec<u8>>,
    /// The start of the near search for each position with the empty spot in the centre, and the path from the far end
    /// to that position; the shortest paths first.
    pub(crate) starts: Vec<(Packed, Vec<u8>)>,
    /// Number of positions that were looked up.
    pub(crate) nodes: u64,
}

impl Far<'_> {
    /// Finds all positions with the empty spot in the centre that are reached without an earlier visit there, and
    /// that may be part of an answer of at most `threshold` moves.
    pub(crate) fn reach(&self, threshold: u8) -> Reached {
        let board = self.heuristic.board();
        let goal = self.heuristic.goal();
        let empty = empty_in(&self.start.occupants());
        let mut seen = FxHashSet::from_iter([self.start]);
        let mut level = vec![(self.start, vec![byte(empty)])];
        let mut starts = Vec::new();
        if self.start == goal {
            return Reached { answer: level.pop().map(|(_, path)| path), starts, nodes: 1 };
        }
        if empty == CENTRE {
            starts.append(&mut level);
        }
        for left in (0..threshold).rev() {
            let mut next = Vec::new();
            for (packed, path) in &level {
                let occupants = packed.occupants();
                let empty = empty_in(&occupants);
                for &to in board.empty_after(empty) {
                    let after = packed.swapped(empty, to, occupants[to]);
                    if !seen.insert(after) {
                        continue;
                    }
                    let occupants = after.occupants();
                    let dual = self.dual.bound(&occupants).unwrap_or(0);
                    if self.heuristic.values(&occupants).bound().max(dual) > left {
                        continue;
                    }
                    let path = [path.as_slice(), &[byte(to)]].concat();
                    if after == goal {
                        let answer = Some(path.into_iter().rev().collect());
                        return Reached { answer, starts: Vec::new(), nodes: seen.len() as u64 };
                    }
                    if to == CENTRE { &mut starts } else { &mut next }.push((after, path));
                }
            }
            level = next;
        }
        for (packed, _) in &mut starts {
            *packed = inverse(*packed, board.end());
        }
        Reached { answer: None, starts, nodes: seen.len() as u64 }
    }
}
