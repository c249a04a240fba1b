//! Paths of the empty spot that no search has to follow, because another path leads to the same position.
//!
//! A path permutes the tiles in a way that depends only on its spots. So paths from one spot with the same
//! permutation are interchangeable. All paths of up to some number of moves are enumerated, first the shorter ones,
//! then by the numbers of their spots. A path with the permutation of an earlier one is excluded, also as a part of a
//! longer one.
//!
//! No answer is lost: of the answers of at most *n* moves, take the first one in that order. If it contained an
//! excluded path, replacing that path by the earlier one would give an answer that comes before the first.
//!
//! The excluded paths become an automaton that reads spots, by the algorithm of Aho and Corasick (1975). A state is the
//! longest part at the end of what was read that begins an excluded path.

use std::collections::{HashSet, VecDeque};
use std::ops::Range;

use crate::rules::{EMPTY, End, Position, SPOTS, byte, step};

/// Instead of a state: the path is excluded.
pub(crate) const EXCLUDED: u32 = u32::MAX;
/// Instead of a node of the tree: no node.
const NO_NODE: u32 = u32::MAX;

/// A state: the place of its row in the automaton's table.
pub(crate) type State = u32;

/// The automaton for the moves from one end.
pub(crate) struct Automaton {
    /// By empty spot, the spots where it can be one move later.
    pub(crate) steps: [Vec<usize>; SPOTS],
    /// For each state a row: the state after each step of its empty spot.
    next: Vec<State>,
    /// By empty spot, the state of a path that begins there.
    begin: [State; SPOTS],
}

impl Automaton {
    /// Excludes paths of up to this many moves from an end.
    pub(crate) fn new(end: End, moves: usize) -> Automaton {
        let steps: [Vec<usize>; SPOTS] =
            std::array::from_fn(|empty| (0..SPOTS).filter(|&to| step(end, empty, to)).collect());
        let mut tree = Tree::new();
        for start in 0..SPOTS {
            excluded_from(start, moves, &steps, &mut |path| tree.add(path));
        }
        tree.link();
        tree.automaton(steps)
    }

    /// The state of a path that begins on a spot.
    pub(crate) fn begin(&self, empty: usize) -> State {
        self.begin[empty]
    }

    /// The state after each step of [`Automaton::steps`], for a state whose path ends on `empty`.
    #[inline]
    pub(crate) fn after(&self, state: State, empty: usize) -> &[State] {
        &self.next[state as usize..][..self.steps[empty].len()]
    }
}

/// Finds the paths from a spot with the permutation of an earlier path, except those with an excluded beginning.
fn excluded_from(start: usize, moves: usize, steps: &[Vec<usize>; SPOTS], found: &mut dyn FnMut(&[u8])) {
    let mut before: Position = std::array::from_fn(byte);
    before[start] = EMPTY;
    let mut seen = HashSet::from([before]);
    // Each path with the tiles after it, in order.
    let mut level = vec![(vec![byte(start)], before)];
    for _ in 0..moves {
        let mut next = Vec::new();
        for (path, tiles) in &level {
            let empty = usize::from(path[path.len() - 1]);
            for &to in &steps[empty] {
                let mut after = *tiles;
                after.swap(empty, to);
                let path = [path.as_slice(), &[byte(to)]].concat();
                if seen.insert(after) { next.push((path, after)) } else { found(&path) }
            }
        }
        level = next;
    }
}

/// The tree of all beginnings of excluded paths.
struct Tree {
    nodes: Vec<Node>,
}

struct Node {
    /// By spot, the node after it.
    next: [u32; SPOTS],
    /// The node of the longest part at the end of this node's path that is another node's path.
    shorter: u32,
    /// The last spot of the path.
    spot: u8,
    /// The path ends with an excluded one.
    excluded: bool,
}

impl Tree {
    /// The root, and below it a path of one spot for each.
    fn new() -> Tree {
        let node = |spot: u8| Node { next: [NO_NODE; SPOTS], shorter: 0, spot, excluded: false };
        let mut nodes = vec![node(EMPTY)];
        nodes.extend((0..SPOTS).map(|spot| node(byte(spot))));
        nodes[0].next = std::array::from_fn(|spot| u32::from(byte(spot + 1)));
        Tree { nodes }
    }

    fn add(&mut self, path: &[u8]) {
        let mut at = 0;
        for &spot in path {
            let next = self.nodes[at].next[usize::from(spot)];
            at = if next == NO_NODE {
                let new = self.nodes.len();
                self.nodes.push(Node { next: [NO_NODE; SPOTS], shorter: 0, spot, excluded: false });
                self.nodes[at].next[usize::from(spot)] = u32::try_from(new).expect("fewer than 4 billion beginnings");
                new
            } else {
                next as usize
            };
        }
        self.nodes[at].excluded = true;
    }

    /// Finds the node after each spot, also where the tree has none, from the shortest paths to the longest.
    fn link(&mut self) {
        let mut queue: VecDeque<usize> = (1..=SPOTS).collect();
        while let Some(at) = queue.pop_front() {
            let shorter = self.nodes[at].shorter as usize;
            self.nodes[at].excluded |= self.nodes[shorter].excluded;
            for spot in 0..SPOTS {
                let otherwise = self.nodes[shorter].next[spot];
                let next = self.nodes[at].next[spot];
                if next == NO_NODE {
                    self.nodes[at].next[spot] = otherwise;
                } else {
                    self.nodes[next as usize].shorter = otherwise;
                    queue.push_back(next as usize);
                }
            }
        }
    }

    /// The table of all nodes that are not excluded.
    fn automaton(&self, steps: [Vec<usize>; SPOTS]) -> Automaton {
        let mut rows = vec![EXCLUDED; self.nodes.len()];
        let mut length = 0;
        for (row, node) in rows.iter_mut().zip(&self.nodes).skip(1).filter(|(_, node)| !node.excluded) {
            *row = u32::try_from(length).expect("fewer than 4 billion steps");
            length += steps[usize::from(node.spot)].len();
        }
        let mut next = Vec::with_capacity(length);
        for (_, node) in rows.iter().zip(&self.nodes).skip(1).filter(|(row, _)| **row != EXCLUDED) {
            next.extend(steps[usize::from(node.spot)].iter().map(|&to| rows[node.next[to] as usize]));
        }
        let of_one_spot: Range<usize> = 1..SPOTS + 1;
        Automaton { steps, next, begin: std::array::from_fn(|spot| rows[of_one_spot.start + spot]) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    /// The tiles after each path of this many moves from a spot that the automaton lets pass, or after all paths
    /// without one.
    fn reached(end: End, start: usize, moves: usize, automaton: Option<&Automaton>) -> Vec<(usize, Position)> {
        let mut tiles: Position = std::array::from_fn(byte);
        tiles[start] = EMPTY;
        let mut level = vec![(start, automaton.map_or(0, |automaton| automaton.begin(start)), tiles)];
        let mut all = vec![(0, tiles)];
        for number in 1..=moves {
            let mut next = Vec::new();
            for (empty, state, tiles) in level {
                for (at, to) in (0..SPOTS).filter(|&to| step(end, empty, to)).enumerate() {
                    let state = automaton.map_or(0, |automaton| automaton.after(state, empty)[at]);
                    if state != EXCLUDED {
                        let mut after = tiles;
                        after.swap(empty, to);
                        next.push((to, state, after));
                    }
                }
            }
            all.extend(next.iter().map(|(_, _, tiles)| (number, *tiles)));
            level = next;
        }
        all
    }

    #[test]
    fn what_passes_reaches_every_position_in_as_few_moves() {
        for end in [End::Board, End::Goal] {
            // Includes longer paths than those that were enumerated.
            let automaton = Automaton::new(end, 4);
            for start in [0, 7, 12, 24] {
                let mut least: HashMap<Position, usize> = HashMap::new();
                for (moves, tiles) in reached(end, start, 6, None) {
                    least.entry(tiles).or_insert(moves);
                }
                let passing: HashSet<(usize, Position)> =
                    reached(end, start, 6, Some(&automaton)).into_iter().collect();
                assert!(least.iter().all(|(tiles, moves)| passing.contains(&(*moves, *tiles))), "{end:?} {start}");
            }
        }
    }

    #[test]
    fn no_two_paths_of_the_enumerated_lengths_that_pass_do_the_same() {
        for end in [End::Board, End::Goal] {
            let automaton = Automaton::new(end, 6);
            for start in 0..SPOTS {
                let passing = reached(end, start, 6, Some(&automaton));
                let different: HashSet<Position> = passing.iter().map(|(_, tiles)| *tiles).collect();
                assert_eq!(passing.len(), different.len(), "{end:?} {start}");
            }
        }
    }
}
