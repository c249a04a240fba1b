//! Iterative deepening: the proof that every answer has more moves than a threshold.
//!
//! All answers to a board have the same parity, so the threshold rises by two. The search of a threshold has two steps.
//! The first is breadth-first from the board, without duplicates, up to some ten thousand positions. The second is
//! depth-first from each of those, which the threads share. It never follows a path that the automaton excludes, and
//! never enters a position whose bounds exceed the moves left.
//!
//! **One order.** The breadth-first step keeps one path to each position, and the automaton excludes paths. Together they
//! lose no answer only because both prefer the same path: fewer moves first, then the order of moves in
//! [`Geometry::empty_after`](crate::geometry::Geometry::empty_after). The automaton's steps have that order, so the paths
//! of a level have it too, and the first path that reaches a position is the first of all. Let an answer be the first of
//! the shortest ones. Each of its beginnings is the first path to its position, or an earlier answer would exist. So it is
//! the path that the first step keeps, with its state, and the automaton excludes none of the rest. If the first step kept
//! another path, the automaton could exclude all ways on: it would refer to a path that was not kept. A test compares the
//! kept paths with a plain enumeration.
//!
//! A *node* is a position that was looked up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashSet;

use crate::automaton::Automaton;
use crate::clock::Deadline;
use crate::dual::Dual;
use crate::geometry::SPOTS;
use crate::heuristic::{Heuristic, MOST_TABLES, VIEWS, Values};
use crate::parallel::each;
use crate::position::{EMPTY, Packed, byte, empty_in};

/// Number of positions after which the breadth-first step ends.
const FRONTIER: usize = 50_000;
/// Number of nodes of a thread between two checks of the clock; some milliseconds.
const NODES_PER_CHECK: u64 = 1 << 16;

/// The bounds and rules that exclude positions from the search.
#[derive(Clone, Copy, Debug)]
pub struct Pruning<'a> {
    /// The bound for every position.
    pub heuristic: &'a Heuristic,
    /// A second bound for positions with the empty spot in the centre.
    pub dual: Option<&'a Dual>,
    /// The allowed paths.
    pub automaton: &'a Automaton,
}

/// The outcome of the search of a threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every answer has more moves.
    Nothing,
    /// The path of the empty spot in an answer, starting with its first spot.
    Answer(Vec<u8>),
    /// The deadline passed.
    Stopped,
}

/// The result of the search of a threshold.
#[derive(Clone, Debug)]
pub struct Search {
    /// The outcome.
    pub outcome: Outcome,
    /// Positions looked up.
    pub nodes: u64,
}

/// Searches for an answer of at most `threshold` moves, which must have the parity of the board's answers.
pub fn search(pruning: Pruning<'_>, start: Packed, threshold: u8, threads: usize, deadline: Deadline) -> Search {
    let (frontier, found, nodes) = breadth_first(pruning, start, threshold);
    if let Some(path) = found {
        return Search { outcome: Outcome::Answer(path), nodes };
    }
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let answer = Mutex::new(None);
    let counts = each(vec![(); threads], |()| {
        let mut walker = Walker::new(pruning, deadline, &stop);
        while !stop.load(Ordering::Relaxed) {
            let Some(root) = frontier.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if walker.search(root, threshold) {
                let mut path = root.path.clone();
                path.extend(walker.path.iter().rev());
                *answer.lock().expect("no thread panics with the answer") = Some(path);
                stop.store(true, Ordering::Relaxed);
            }
        }
        walker.nodes
    });
    let outcome = match answer.into_inner().expect("no thread panicked") {
        Some(path) => Outcome::Answer(path),
        None if stop.into_inner() => Outcome::Stopped,
        None => Outcome::Nothing,
    };
    Search { outcome, nodes: nodes + counts.iter().sum::<u64>() }
}

/// A position from which a thread searches on.
#[derive(Clone, Debug)]
struct Root {
    packed: Packed,
    /// The automaton's state.
    state: u32,
    path: Vec<u8>,
}

/// The positions after the same few moves, each by the first path that leads there, in the automaton's order (see the
/// module's documentation); or an answer, if one is that short.
/// Also returns the number of nodes.
fn breadth_first(pruning: Pruning<'_>, start: Packed, threshold: u8) -> (Vec<Root>, Option<Vec<u8>>, u64) {
    let Pruning { heuristic, dual, automaton } = pruning;
    let goal = heuristic.goal();
    let empty = empty_in(&start.occupants());
    let mut level = vec![Root { packed: start, state: automaton.start(empty), path: vec![byte(empty)] }];
    let mut seen = FxHashSet::from_iter([start]);
    let mut nodes = 1;
    if start == goal {
        return (Vec::new(), Some(level.swap_remove(0).path), nodes);
    }
    for left in (0..threshold).rev() {
        let mut next = Vec::new();
        for root in &level {
            let occupants = root.packed.occupants();
            let empty = empty_in(&occupants);
            for step in automaton.steps(root.state) {
                let to = usize::from(step.to);
                let packed = root.packed.swapped(empty, to, occupants[to]);
                if !seen.insert(packed) {
                    continue;
                }
                nodes += 1;
                let occupants = packed.occupants();
                let dual = dual.and_then(|dual| dual.bound(&occupants)).unwrap_or(0);
                if heuristic.values(&occupants).bound().max(dual) <= left {
                    let mut path = root.path.clone();
                    path.push(step.to);
                    if packed == goal {
                        return (Vec::new(), Some(path), nodes);
                    }
                    next.push(Root { packed, state: step.state, path });
                }
            }
        }
        level = next;
        if level.len() >= FRONTIER || level.is_empty() {
            break;
        }
    }
    (level, None, nodes)
}

/// The depth-first search of one thread.
struct Walker<'a> {
    pruning: Pruning<'a>,
    /// The values of all tables, by view and group.
    tables: [[&'a [u8]; MOST_TABLES]; VIEWS],
    deadline: Deadline,
    stop: &'a AtomicBool,
    occupants: [u8; SPOTS],
    values: Values,
    /// A stack with the children of all positions on the current path.
    children: Vec<Child>,
    nodes: u64,
    /// The number of nodes at which the clock is checked next.
    next_check: u64,
    /// The rest of the path to the goal, last spot first, once it is found.
    path: Vec<u8>,
}

/// A child, and the look-ups that change with it.
#[derive(Clone, Copy, Debug, Default)]
struct Child {
    to: u8,
    state: u32,
    table: [u8; VIEWS],
    index: [u32; VIEWS],
    value: [u8; VIEWS],
    sum: [u8; VIEWS],
}

impl<'a> Walker<'a> {
    fn new(pruning: Pruning<'a>, deadline: Deadline, stop: &'a AtomicBool) -> Walker<'a> {
        Walker {
            pruning,
            tables: pruning.heuristic.slices(),
            deadline,
            stop,
            occupants: [EMPTY; SPOTS],
            values: Values::default(),
            children: Vec::new(),
            nodes: 0,
            next_check: NODES_PER_CHECK,
            path: Vec::new(),
        }
    }

    /// Returns `true` if the goal is within the threshold from this position.
    fn search(&mut self, root: &Root, threshold: u8) -> bool {
        self.occupants = root.packed.occupants();
        self.values = self.pruning.heuristic.values(&self.occupants);
        let left = threshold - byte(root.path.len() - 1);
        let empty = empty_in(&self.occupants);
        self.values.bound() <= left && self.descend(empty, root.state, left)
    }

    /// Searches all children with `left` moves left; `true` if the goal was found.
    fn descend(&mut self, empty: usize, state: u32, left: u8) -> bool {
        if self.values.sum[0] == 0 {
            return true;
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + NODES_PER_CHECK;
            if self.deadline.passed() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        let automaton = self.pruning.automaton;
        let steps = automaton.steps(state);
        self.nodes += steps.len() as u64;
        // The look-ups by a view follow each other without branches, so that their cache misses overlap. Only children that
        // pass the first view are looked up by the second.
        let begin = self.children.len();
        let mut end = begin;
        self.children.resize(begin + steps.len(), Child::default());
        for step in steps {
            let mut child = Child { to: step.to, state: step.state, ..Child::default() };
            self.look_up::<0>(&mut child, empty);
            self.children[end] = child;
            end += usize::from(child.sum[0] < left);
        }
        let passed = end;
        end = begin;
        for number in begin..passed {
            let mut child = self.children[number];
            self.look_up::<1>(&mut child, empty);
            self.children[end] = child;
            end += usize::from(child.sum[1] < left);
        }
        let mut found = false;
        for number in begin..end {
            let child = self.children[number];
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            if self.enter(empty, &child, left - 1) {
                self.path.push(child.to);
                found = true;
                break;
            }
        }
        self.children.truncate(begin);
        found
    }

    /// Looks up a child by a view.
    #[inline(always)]
    fn look_up<const VIEW: usize>(&self, child: &mut Child, empty: usize) {
        let tile = usize::from(self.occupants[usize::from(child.to)]);
        let (values, heuristic) = (&self.values, self.pruning.heuristic);
        let (table, index) = heuristic.index_after(VIEW, &values.index[VIEW], tile, usize::from(child.to), empty);
        let value = self.tables[VIEW][table][index as usize];
        child.table[VIEW] = byte(table);
        child.index[VIEW] = index;
        child.value[VIEW] = value;
        child.sum[VIEW] = values.sum[VIEW] - values.value[VIEW][table] + value;
    }

    /// Makes the move, searches its children, and undoes it.
    fn enter(&mut self, empty: usize, child: &Child, left: u8) -> bool {
        let to = usize::from(child.to);
        let mut before = *child;
        before.sum = self.values.sum;
        for view in 0..VIEWS {
            let table = usize::from(child.table[view]);
            before.index[view] = self.values.index[view][table];
            before.value[view] = self.values.value[view][table];
        }
        self.occupants.swap(empty, to);
        let bound = self.pruning.dual.and_then(|dual| dual.bound(&self.occupants));
        let beyond = bound.is_some_and(|bound| bound > left);
        let mut found = false;
        if !beyond {
            self.replace(child);
            found = self.descend(to, child.state, left);
            self.replace(&before);
        }
        self.occupants.swap(empty, to);
        found
    }

    #[inline]
    fn replace(&mut self, by: &Child) {
        for view in 0..VIEWS {
            let table = usize::from(by.table[view]);
            self.values.index[view][table] = by.index[view];
            self.values.value[view][table] = by.value[view];
        }
        self.values.sum = by.sum;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::table_set::TableSet;

    /// The first path to each position after so many moves, without automaton: level by level, in the order of moves.
    fn first_paths(pruning: Pruning<'_>, start: Packed, moves: usize) -> Vec<(Packed, Vec<u8>)> {
        let mut level = vec![(start, vec![byte(empty_in(&start.occupants()))])];
        let mut seen = FxHashSet::from_iter([start]);
        for _ in 0..moves {
            let mut next = Vec::new();
            for (packed, path) in level {
                let occupants = packed.occupants();
                let empty = empty_in(&occupants);
                for &to in pruning.heuristic.board().empty_after(empty) {
                    let after = packed.swapped(empty, to, occupants[to]);
                    if seen.insert(after) {
                        next.push((after, [path.as_slice(), &[byte(to)]].concat()));
                    }
                }
            }
            level = next;
        }
        level
    }

    #[test]
    fn the_breadth_first_step_keeps_the_first_path_to_each_position_at_the_lengths_in_use() {
        let heuristic = TableSet::Threes.heuristic(1).unwrap();
        for length in [6, 9] {
            let automaton = Automaton::new(heuristic.board(), length);
            let pruning = Pruning { heuristic: &heuristic, dual: None, automaton: &automaton };
            for board in ["FBCDE KAGHJ PLMIO UQRNT VWXS+", "VTUWQ EOSRB NM+FP JDXKG HICLA"] {
                let start = Packed::from(&board.parse::<loyd_kit::Board>().unwrap());
                // No bound exceeds 200, so nothing but the automaton and the comparison of positions excludes any.
                let (kept, answer, _) = breadth_first(pruning, start, 200);
                assert_eq!(answer, None);
                let moves = kept[0].path.len() - 1;
                assert!(
                    moves > length,
                    "beyond {length} moves the automaton lets different paths to one position pass"
                );
                let expected = first_paths(pruning, start, moves);
                assert!(kept.len() >= FRONTIER && kept.len() == expected.len());
                for (root, (packed, path)) in kept.iter().zip(expected) {
                    assert_eq!((root.packed, &root.path), (packed, &path), "{board}, length {length}");
                    let first = automaton.start(usize::from(path[0]));
                    let state = path[1..].iter().fold(first, |state, to| {
                        automaton.steps(state).iter().find(|step| step.to == *to).unwrap().state
                    });
                    assert_eq!(root.state, state);
                }
            }
        }
    }
}
