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

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::clock::Deadline;
use crate::heuristic::MAX_TABLES;
use crate::parallel::{each, queue};
use crate::position::{Packed, byte, empty_in};
use crate::pruning::Pruning;
use crate::split::{Far, Reached};
use crate::walker::{Root, Walked, Walker};

/// Number of positions after which the breadth-first step ends.
const FRONTIER: usize = 50_000;
/// Number of moves before which it does not end in a split search. Most of its nodes come from few goals, and the threads
/// have to share those too.
const SPLIT_LEVELS: u8 = 10;
/// Number of positions after which it ends before that.
const MAX_ROOTS: usize = 1_000_000;
/// Number of roots that a thread takes at a time.
const PIECE: usize = 200;
/// Number of nodes of a thread between two checks of the clock; some milliseconds.
const NODES_PER_CHECK: u64 = 1 << 16;

/// The outcome of the search of a threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every answer has more moves.
    Nothing,
    /// The path of the empty spot in an answer, starting with its first spot.
    Answer(Vec<u8>),
    /// The deadline passed before the threshold was searched.
    Stopped,
}

/// The result of the search of a threshold.
#[derive(Clone, Debug)]
pub struct Search {
    /// The outcome of the search of the threshold.
    pub outcome: Outcome,
    /// Number of positions that were looked up.
    pub nodes: u64,
}

/// A search: its bounds and rules, and the positions where it begins.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The bounds and rules that exclude positions.
    pub pruning: Pruning<'a>,
    /// The positions from which the search begins.
    pub origin: Origin<'a>,
}

/// The positions from which a search begins.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// This position alone.
    Position(Packed),
    /// At each position that the other end can reach with the empty spot in the centre; see [`crate::split`].
    Centre(Far<'a>),
}

/// Searches for an answer of at most `threshold` moves, which must have the parity of the board's answers.
pub fn search(task: &Task<'_>, threshold: u8, threads: usize, deadline: Deadline) -> Search {
    resume(task, threshold, threads, deadline, &mut Pieces::default(), &|_| {})
}

/// The pieces of a threshold's search: the roots in groups of 200, in the order of the breadth-first step. The
/// nodes of a piece do not depend on threads or time, so a search can continue from the pieces of an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces(Vec<Option<u64>>);

impl Pieces {
    /// Number of pieces without an answer, and of all pieces.
    pub fn progress(&self) -> (usize, usize) {
        (self.0.iter().flatten().count(), self.0.len())
    }

    fn nodes(&self) -> u64 {
        self.0.iter().flatten().sum()
    }
}

/// Searches as [`search`] does, without the pieces that were searched before. Calls `on_piece` after each piece.
pub fn resume(
    task: &Task<'_>,
    threshold: u8,
    threads: usize,
    deadline: Deadline,
    pieces: &mut Pieces,
    on_piece: &(dyn Fn(&Pieces) + Sync),
) -> Search {
    let Frontier { roots, tails, answer, nodes } = breadth_first(task, threshold, threads, FRONTIER);
    if let Some(path) = answer {
        return Search { outcome: Outcome::Answer(path), nodes };
    }
    let pruning = task.pruning;
    let work = Work { pruning, roots, tails, deadline, on_piece };
    work.restrict(pieces);
    let outcome = if pruning.heuristic.groups() <= 4 {
        work.run::<4>(threads, pieces)
    } else {
        work.run::<MAX_TABLES>(threads, pieces)
    };
    Search { outcome, nodes: nodes + pieces.nodes() }
}

/// The depth-first part of a threshold's search.
struct Work<'a> {
    pruning: Pruning<'a>,
    roots: Vec<Root>,
    tails: Vec<Vec<u8>>,
    deadline: Deadline,
    on_piece: &'a (dyn Fn(&Pieces) + Sync),
}

impl Work<'_> {
    /// Makes a list of pieces fit these roots; one of another length belongs to another search.
    fn restrict(&self, pieces: &mut Pieces) {
        let count = self.roots.len().div_ceil(PIECE);
        if pieces.0.len() != count {
            pieces.0 = vec![None; count];
        }
    }

    /// Searches all pieces that are not done, which the threads share.
    fn run<const GROUPS: usize>(&self, threads: usize, pieces: &mut Pieces) -> Outcome {
        let todo: Vec<usize> = (0..pieces.0.len()).filter(|&piece| pieces.0[piece].is_none()).collect();
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let answer = Mutex::new(None);
        let pieces = Mutex::new(pieces);
        each(vec![(); threads], |()| {
            while !stop.load(Ordering::Relaxed) {
                let Some(&piece) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let roots = &self.roots[piece * PIECE..self.roots.len().min((piece + 1) * PIECE)];
                let mut walker = Walker::<GROUPS>::new(self.pruning);
                let next_check = Cell::new(NODES_PER_CHECK);
                let is_over = |nodes| {
                    if nodes >= next_check.get() {
                        next_check.set(nodes + NODES_PER_CHECK);
                        if self.deadline.passed() {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                    stop.load(Ordering::Relaxed)
                };
                match walker.search(roots, is_over) {
                    Walked::Nothing => {
                        let mut pieces = pieces.lock().expect("no thread panics with the pieces");
                        pieces.0[piece] = Some(walker.nodes);
                        (self.on_piece)(&pieces);
                    }
                    Walked::Goal(root) => {
                        *answer.lock().expect("no thread panics with the answer") = Some(roots[root].clone());
                        stop.store(true, Ordering::Relaxed);
                    }
                    Walked::Stopped => {}
                }
            }
        });
        match answer.into_inner().expect("no thread panicked") {
            Some(root) => Outcome::Answer(joined(trace::<GROUPS>(self.pruning, root), &self.tails)),
            None if stop.into_inner() => Outcome::Stopped,
            None => Outcome::Nothing,
        }
    }
}

/// The path of the answer that the search finds from a root. The search keeps no paths. So it is repeated from the
/// children, and again from the children of the one that leads to the goal.
fn trace<const GROUPS: usize>(pruning: Pruning<'_>, mut root: Root) -> Root {
    let goal = pruning.heuristic.goal();
    while root.packed != goal {
        let mut children = Vec::new();
        expand(pruning, &root, |_| true, &mut children);
        let Walked::Goal(child) = Walker::<GROUPS>::new(pruning).search(&children, |_| false) else {
            unreachable!("a child of the root leads to the goal")
        };
        root = children.swap_remove(child);
    }
    root
}

/// The path of an answer: the path of a root at the goal, and the tail from there.
fn joined(mut root: Root, tails: &[Vec<u8>]) -> Vec<u8> {
    root.path.extend(tails[root.tail as usize].iter().rev().skip(1));
    root.path
}

/// The result of the breadth-first step.
struct Frontier {
    roots: Vec<Root>,
    /// The paths from the other end to the goals, with the goal's empty spot last; a whole search has one of length 1.
    tails: Vec<Vec<u8>>,
    /// An answer, if one is that short.
    answer: Option<Vec<u8>>,
    nodes: u64,
}

/// The positions after the same few moves, each by the first path that leads there, in the automaton's order (see the
/// module's documentation): at least `frontier`, if there are so many. For a split search these are positions on the way
/// to each of its goals, after at least [`SPLIT_LEVELS`] moves unless there are too many.
fn breadth_first(task: &Task<'_>, threshold: u8, threads: usize, frontier: usize) -> Frontier {
    let Task { pruning, origin } = *task;
    let (starts, levels, mut nodes) = match origin {
        Origin::Position(start) => (vec![(start, vec![byte(pruning.heuristic.board().end())])], 0, 1),
        Origin::Centre(far) => {
            let Reached { answer, starts, nodes } = far.reach(threshold);
            if answer.is_some() {
                return Frontier { roots: Vec::new(), tails: Vec::new(), answer, nodes };
            }
            (starts, SPLIT_LEVELS, nodes)
        }
    };
    let goal = pruning.heuristic.goal();
    let mut trees = Vec::new();
    let mut tails = Vec::new();
    for (number, (start, tail)) in (0..).zip(starts) {
        let empty = empty_in(&start.occupants());
        let left = threshold - byte(tail.len() - 1);
        let path = vec![byte(empty)];
        let root = Root { packed: start, state: pruning.automaton.start(empty), path, left, tail: number };
        tails.push(tail);
        if start == goal {
            return Frontier { roots: Vec::new(), answer: Some(joined(root, &tails)), tails, nodes };
        }
        if pruning.bound(&start.occupants()) <= left {
            trees.push(Tree { seen: FxHashSet::from_iter([start]), roots: vec![root] });
        }
    }
    let mut answer = None;
    for level in 0..threshold {
        let count: usize = trees.iter().map(|tree| tree.roots.len()).sum();
        if count == 0 || count >= MAX_ROOTS || (count >= frontier && level >= levels) {
            break;
        }
        trees = queue(trees.into_iter(), threads, |tree| tree.grown(pruning));
        let mut roots = trees.iter().flat_map(|tree| &tree.roots);
        if let Some(found) = roots.find(|root| root.packed == goal) {
            answer = Some(joined(found.clone(), &tails));
            break;
        }
    }
    nodes += trees.iter().map(|tree| tree.seen.len() as u64 - 1).sum::<u64>();
    let roots = trees.into_iter().flat_map(|tree| tree.roots).collect();
    Frontier { roots, tails, answer, nodes }
}

/// The positions that were reached on the way to one goal.
struct Tree {
    /// The positions of all levels.
    seen: FxHashSet<Packed>,
    /// Those of the last level.
    roots: Vec<Root>,
}

impl Tree {
    /// The tree with another level.
    fn grown(mut self, pruning: Pruning<'_>) -> Tree {
        let mut next = Vec::new();
        for root in &self.roots {
            expand(pruning, root, |child| self.seen.insert(child), &mut next);
        }
        Tree { roots: next, ..self }
    }
}

/// Adds the children of a root that are `wanted` and within the moves left by all bounds.
fn expand(pruning: Pruning<'_>, root: &Root, mut wanted: impl FnMut(Packed) -> bool, children: &mut Vec<Root>) {
    let occupants = root.packed.occupants();
    let empty = empty_in(&occupants);
    let left = root.left - 1;
    for step in pruning.automaton.steps(root.state) {
        let to = usize::from(step.to());
        let packed = root.packed.swapped(empty, to, occupants[to]);
        if wanted(packed) && pruning.bound(&packed.occupants()) <= left {
            let path = [root.path.as_slice(), &[step.to()]].concat();
            children.push(Root { packed, state: step.state(), path, left, tail: root.tail });
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::table_set::TableSet;

    /// The first path to each position after this many moves, without automaton: level by level, in the order of moves.
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
        for (length, frontier) in [(6, FRONTIER), (9, FRONTIER), (11, 10 * FRONTIER)] {
            let automaton = Automaton::new(heuristic.board(), length, 2);
            let pruning = Pruning { heuristic: &heuristic, dual: None, automaton: &automaton };
            for board in ["FBCDE KAGHJ PLMIO UQRNT VWXS+", "VTUWQ EOSRB NM+FP JDXKG HICLA"] {
                let start = Packed::from(&board.parse::<loyd_kit::Board>().unwrap());
                // No bound exceeds 200, so nothing but the automaton and the comparison of positions excludes any.
                let task = Task { pruning, origin: Origin::Position(start) };
                let Frontier { roots: kept, answer, .. } = breadth_first(&task, 200, 2, frontier);
                assert_eq!(answer, None);
                let moves = kept[0].path.len() - 1;
                assert!(
                    moves > length,
                    "beyond {length} moves the automaton lets different paths to one position pass"
                );
                let expected = first_paths(pruning, start, moves);
                assert!(kept.len() >= frontier && kept.len() == expected.len());
                for (root, (packed, path)) in kept.iter().zip(expected) {
                    assert_eq!((root.packed, &root.path), (packed, &path), "{board}, length {length}");
                    let first = automaton.start(usize::from(path[0]));
                    let state = path[1..].iter().fold(first, |state, to| {
                        automaton.steps(state).iter().find(|step| step.to() == *to).unwrap().state()
                    });
                    assert_eq!(root.state, state);
                }
            }
        }
    }

    #[test]
    fn a_search_goes_on_from_its_pieces_with_the_same_nodes() {
        let heuristic = TableSet::Threes.heuristic(1).unwrap();
        let automaton = Automaton::new(heuristic.board(), 6, 2);
        let pruning = Pruning { heuristic: &heuristic, dual: None, automaton: &automaton };
        let start = Packed::from(&"THEQU ICKBR OWNFX JMPSV LADG+".parse::<loyd_kit::Board>().unwrap());
        let threshold = crate::proof::lowest(&heuristic, start) + 6;
        let (calls, mut pieces) = (AtomicUsize::new(0), Pieces::default());
        let run = |pieces: &mut Pieces, deadline| {
            calls.store(0, Ordering::Relaxed);
            let count = |_: &Pieces| {
                calls.fetch_add(1, Ordering::Relaxed);
            };
            let task = Task { pruning, origin: Origin::Position(start) };
            let found = resume(&task, threshold, 2, deadline, pieces, &count);
            (found.outcome, found.nodes, calls.load(Ordering::Relaxed))
        };
        let (outcome, nodes, all) = run(&mut pieces, Deadline::never());
        assert_eq!((outcome, pieces.progress()), (Outcome::Nothing, (all, all)));
        assert!(all > 10 && nodes > 1_000_000, "{all} pieces, {nodes} nodes");
        for piece in pieces.0.iter_mut().step_by(3) {
            *piece = None;
        }
        let left = all.div_ceil(3);
        let (outcome, ..) = run(&mut pieces, Deadline::after(std::time::Duration::ZERO));
        assert_eq!(outcome, Outcome::Stopped);
        let done = pieces.progress().0;
        assert_eq!(run(&mut pieces, Deadline::never()), (Outcome::Nothing, nodes, all - done));
        assert!(done < all && done >= all - left);
        // The pieces of another search are not used.
        let mut other = Pieces(vec![Some(1); all + 1]);
        assert_eq!(run(&mut other, Deadline::never()), (Outcome::Nothing, nodes, all));
    }

    #[test]
    fn an_answer_is_traced_from_the_root_that_leads_to_it() {
        let heuristic = TableSet::Threes.heuristic(1).unwrap();
        let automaton = Automaton::new(heuristic.board(), 6, 2);
        let pruning = Pruning { heuristic: &heuristic, dual: None, automaton: &automaton };
        // A board of 26 moves, the first of which lead to more positions than the breadth-first step takes.
        let board: loyd_kit::Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let task = Task { pruning, origin: Origin::Position(Packed::from(&board)) };
        let found = search(&task, 26, 2, Deadline::never());
        let Outcome::Answer(path) = found.outcome else { panic!("{found:?}") };
        let letters = crate::answer::to_letters(&path).unwrap();
        assert_eq!(letters.len(), 26);
        assert_eq!(crate::answer::replay(&board, &letters), Some(loyd_kit::Board::perfection()));
    }
}
