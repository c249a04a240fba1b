//! Iterative deepening: the proof that no answer has at most so many moves.
//!
//! All answers to a board have the same parity, so the threshold rises by two. A threshold is searched in two steps.
//! First breadth-first from the board, where every position is met once, until there are some ten thousand; then
//! depth-first from each, which the threads share out among themselves. A way that the automaton knows to be a later
//! one is never walked, and a position whose bounds do not fit into what is left is never entered.
//!
//! A *node* is a position that was looked up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashSet;

use crate::automaton::Automaton;
use crate::clock::Deadline;
use crate::dual::Dual;
use crate::geometry::{CENTRE, SPOTS};
use crate::guide::{Guide, VIEWS, Values};
use crate::parallel::each;
use crate::position::{EMPTY, Packed, byte, empty_in};

/// How many positions the breadth-first part gathers before the threads take over.
const FRONTIER: usize = 50_000;
/// How many nodes a thread searches between two looks at the clock; some milliseconds.
const PATIENCE: u64 = 1 << 16;

/// What keeps a search small.
#[derive(Clone, Copy, Debug)]
pub struct Pruning<'a> {
    /// The bound of every position.
    pub guide: &'a Guide,
    /// A second bound for those with the empty spot in the centre.
    pub dual: Option<&'a Dual>,
    /// The ways that are walked.
    pub automaton: &'a Automaton,
}

/// What came of one threshold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No answer has at most that many moves.
    Nothing,
    /// The way of the empty spot in an answer, its first spot first.
    Answer(Vec<u8>),
    /// The time ran out.
    Stopped,
}

/// One threshold, searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// What came of it.
    pub outcome: Outcome,
    /// Positions looked up.
    pub nodes: u64,
}

/// Searches for an answer of at most `threshold` moves, which must have the parity of the board's answers.
pub fn search(pruning: Pruning<'_>, start: Packed, threshold: u8, threads: usize, deadline: Deadline) -> Search {
    let (frontier, found, nodes) = gather(pruning, start, threshold);
    if let Some(way) = found {
        return Search { outcome: Outcome::Answer(way), nodes };
    }
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let answer = Mutex::new(None);
    let counts = each(vec![(); threads], |()| {
        let mut walker = Walker::new(pruning, deadline, &stop);
        while !stop.load(Ordering::Relaxed) {
            let Some(root) = frontier.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if walker.search(root, threshold) {
                let mut way = root.way.clone();
                way.extend(walker.way.iter().rev());
                *answer.lock().expect("no thread panics with the answer") = Some(way);
                stop.store(true, Ordering::Relaxed);
            }
        }
        walker.nodes
    });
    let outcome = match answer.into_inner().expect("no thread panicked") {
        Some(way) => Outcome::Answer(way),
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
    way: Vec<u8>,
}

/// The positions after the same few moves, each met by the first way that leads there; or an answer, if one is that
/// short. Gives the number of nodes as well.
fn gather(pruning: Pruning<'_>, start: Packed, threshold: u8) -> (Vec<Root>, Option<Vec<u8>>, u64) {
    let Pruning { guide, dual, automaton } = pruning;
    let goal = guide.goal();
    let empty = empty_in(&start.occupants());
    let mut level = vec![Root { packed: start, state: automaton.start(empty), way: vec![byte(empty)] }];
    let mut seen = FxHashSet::from_iter([start]);
    let mut nodes = 1;
    if start == goal {
        return (Vec::new(), Some(level.swap_remove(0).way), nodes);
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
                let dual = dual.filter(|_| to == CENTRE).map_or(0, |dual| dual.bound(&occupants));
                if guide.values(&occupants).bound().max(dual) <= left {
                    let mut way = root.way.clone();
                    way.push(step.to);
                    if packed == goal {
                        return (Vec::new(), Some(way), nodes);
                    }
                    next.push(Root { packed, state: step.state, way });
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

/// A thread's depth-first search.
struct Walker<'a> {
    pruning: Pruning<'a>,
    deadline: Deadline,
    stop: &'a AtomicBool,
    occupants: [u8; SPOTS],
    values: Values,
    /// The children of the positions on the way, those of the last one at the end.
    children: Vec<Child>,
    nodes: u64,
    /// At how many nodes the clock is looked at again.
    next_look: u64,
    /// The rest of the way to the goal, last spot first, once it is found.
    way: Vec<u8>,
}

/// A child and what changes with it.
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
            deadline,
            stop,
            occupants: [EMPTY; SPOTS],
            values: Values::default(),
            children: Vec::new(),
            nodes: 0,
            next_look: PATIENCE,
            way: Vec::new(),
        }
    }

    /// Whether the goal is within the threshold from here.
    fn search(&mut self, root: &Root, threshold: u8) -> bool {
        self.occupants = root.packed.occupants();
        self.values = self.pruning.guide.values(&self.occupants);
        let left = threshold - byte(root.way.len() - 1);
        let empty = empty_in(&self.occupants);
        self.values.bound() <= left && self.descend(empty, root.state, left)
    }

    /// Searches all ways on with `left` moves, of which there is at least one.
    fn descend(&mut self, empty: usize, state: u32, left: u8) -> bool {
        if self.values.sum[0] == 0 {
            return true;
        }
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + PATIENCE;
            if self.deadline.passed() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        let automaton = self.pruning.automaton;
        let steps = automaton.steps(state);
        self.nodes += steps.len() as u64;
        // All look-ups are begun before the first is needed, so that their misses overlap.
        let begin = self.children.len();
        for step in steps {
            let child = self.child(empty, step.to, step.state);
            self.children.push(child);
        }
        let end = self.children.len();
        let mut found = false;
        for number in begin..end {
            let child = self.children[number];
            if child.sum[0].max(child.sum[1]) >= left {
                continue;
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            if self.enter(empty, &child, left - 1) {
                self.way.push(child.to);
                found = true;
                break;
            }
        }
        self.children.truncate(begin);
        found
    }

    #[inline]
    fn child(&self, empty: usize, to: u8, state: u32) -> Child {
        let tile = usize::from(self.occupants[usize::from(to)]);
        let mut child = Child { to, state, ..Child::default() };
        for view in 0..VIEWS {
            let (values, guide) = (&self.values, self.pruning.guide);
            let (table, index) = guide.index_after(view, &values.index[view], tile, usize::from(to), empty);
            let value = guide.value(view, table, index);
            child.table[view] = byte(table);
            child.index[view] = index;
            child.value[view] = value;
            child.sum[view] = values.sum[view] - values.value[view][table] + value;
        }
        child
    }

    /// Makes the move, searches on, and takes it back.
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
        let beyond = to == CENTRE && self.pruning.dual.is_some_and(|dual| dual.bound(&self.occupants) > left);
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
