//! Depth-first search for an answer within a number of moves. Paths that lead where an earlier one leads are
//! excluded, see `automaton.rs`. Positions are not remembered.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use sha2::{Digest as _, Sha256};

use crate::automaton::{Automaton, EXCLUDED, State};
use crate::bound::{Bound, Change, Sums};
use crate::rules::{EMPTY, Position, SPOTS};

/// Number of beginnings with most moves left that is enough for threads to share.
const BEGINNINGS: usize = 100_000;
/// Number of positions between two checks of the clock.
const PER_CHECK: u64 = 1 << 16;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every answer has more moves.
    Nothing,
    /// There is an answer with at most the given moves.
    Answer,
    /// The deadline passed before the search was complete.
    Stopped,
}

/// A position to search from, and the moves that may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) start: Position,
    pub(crate) left: u8,
}

/// The moves and the bound, which all searches share.
pub(crate) struct Searcher<'a> {
    pub(crate) automaton: &'a Automaton,
    pub(crate) bound: &'a Bound,
    pub(crate) threads: usize,
    pub(crate) deadline: Option<Instant>,
}

/// The beginnings of a search that are searched one after the other.
pub(crate) struct Beginnings {
    all: Vec<Beginning>,
}

struct Beginning {
    position: Position,
    empty: usize,
    state: State,
    left: u8,
}

impl Beginnings {
    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// A hash of them: searches with equal hashes have equal beginnings.
    pub(crate) fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for beginning in &self.all {
            hash.update(beginning.position);
            hash.update(beginning.state.to_le_bytes());
            hash.update([beginning.left]);
        }
        crate::table::hexadecimal(&hash.finalize())
    }
}

/// The beginnings that have been searched.
struct Done {
    /// All before this one.
    before: usize,
    /// Some after it, each with the positions looked up for it.
    others: BTreeMap<usize, u64>,
    /// The positions looked up for all before it.
    nodes: u64,
}

impl Searcher<'_> {
    /// The beginnings that the bound does not exclude, those with most moves left first; `None` if a root is an
    /// answer already. Each move left multiplies the time by about four. So the beginnings with most moves left are
    /// replaced by their successors until there are enough of them for the threads to share, and none takes long
    /// after an interruption.
    pub(crate) fn beginnings(&self, roots: &[Root]) -> Option<Beginnings> {
        let mut by_left: BTreeMap<u8, Vec<Beginning>> = BTreeMap::new();
        for root in roots {
            let empty = root.start.iter().position(|&tile| tile == EMPTY).expect("an empty spot");
            let state = self.automaton.begin(empty);
            let beginning = self.passing(Beginning { position: root.start, empty, state, left: root.left })?;
            by_left.entry(root.left).or_default().extend(beginning);
        }
        while let Some(longest) = by_left.last_entry().filter(|longest| longest.get().len() < BEGINNINGS) {
            let (left, longest) = longest.remove_entry();
            for Beginning { position, empty, state, .. } in longest {
                let steps = self.automaton.steps[empty].iter().zip(self.automaton.after(state, empty));
                for (&to, &state) in steps.filter(|(_, state)| **state != EXCLUDED && left > 0) {
                    let mut after = position;
                    after.swap(empty, to);
                    let beginning = self.passing(Beginning { position: after, empty: to, state, left: left - 1 })?;
                    by_left.entry(left - 1).or_default().extend(beginning);
                }
            }
        }
        Some(Beginnings { all: by_left.into_values().rev().flatten().collect() })
    }

    /// The beginning, unless the bound excludes it; the outer `None` for an answer.
    fn passing(&self, beginning: Beginning) -> Option<Option<Beginning>> {
        match self.bound.sums(&beginning.position).bound() {
            // Only the goal has a bound of 0.
            0 => None,
            bound => Some((bound <= beginning.left).then_some(beginning)),
        }
    }

    /// Searches beginnings from the given one on; also returns the number of positions looked up. After each one, `saved` gets
    /// the number of the first that is not done, and the positions looked up for those before it.
    pub(crate) fn search(
        &self,
        beginnings: &Beginnings,
        from: usize,
        saved: &(dyn Fn(usize, u64) + Sync),
    ) -> (Found, u64) {
        let (next, stop) = (AtomicUsize::new(from), AtomicBool::new(false));
        let result = Mutex::new((Found::Nothing, 0));
        let done = Mutex::new(Done { before: from, others: BTreeMap::new(), nodes: 0 });
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut walker = Walker::new(self, &stop);
                    let mut found = Found::Nothing;
                    while !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(beginning) = beginnings.all.get(number) else { break };
                        let before = walker.nodes;
                        if walker.follow(beginning) {
                            found = Found::Answer;
                            stop.store(true, Ordering::Relaxed);
                        } else if !stop.load(Ordering::Relaxed) {
                            done.lock().unwrap_or_else(PoisonError::into_inner).add(
                                number,
                                walker.nodes - before,
                                saved,
                            );
                        }
                    }
                    if walker.late {
                        found = Found::Stopped;
                    }
                    let mut result = result.lock().expect("no thread panics with the result");
                    result.1 += walker.nodes;
                    if found == Found::Answer || result.0 == Found::Nothing {
                        result.0 = found;
                    }
                });
            }
        });
        result.into_inner().expect("no thread panicked")
    }
}

impl Done {
    fn add(&mut self, number: usize, nodes: u64, saved: &(dyn Fn(usize, u64) + Sync)) {
        self.others.insert(number, nodes);
        while let Some(nodes) = self.others.remove(&self.before) {
            self.before += 1;
            self.nodes += nodes;
        }
        saved(self.before, self.nodes);
    }
}

/// The search of one thread.
struct Walker<'a> {
    automaton: &'a Automaton,
    bound: &'a Bound,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    position: Position,
    sums: Sums,
    /// A stack with the moves from all positions of the current path, each with the state after it.
    moves: Vec<(usize, State, Change)>,
    nodes: u64,
    next_check: u64,
    late: bool,
}

impl<'a> Walker<'a> {
    fn new(searcher: &Searcher<'a>, stop: &'a AtomicBool) -> Walker<'a> {
        Walker {
            automaton: searcher.automaton,
            bound: searcher.bound,
            deadline: searcher.deadline,
            stop,
            position: [EMPTY; SPOTS],
            sums: Sums::default(),
            moves: Vec::new(),
            nodes: 0,
            next_check: PER_CHECK,
            late: false,
        }
    }

    /// Searches on after a beginning; true if an answer continues it.
    fn follow(&mut self, beginning: &Beginning) -> bool {
        self.position = beginning.position;
        self.sums = self.bound.sums(&self.position);
        self.descend(beginning.empty, beginning.state, beginning.left)
    }

    /// Searches all moves with `left` moves left; true if the goal was found.
    fn descend(&mut self, empty: usize, state: State, left: u8) -> bool {
        // Only the goal has a bound of 0.
        if self.sums.sum[0] == 0 {
            return true;
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + PER_CHECK;
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.late = true;
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        // All look-ups start before the first is used, so that the waits for memory overlap.
        let begin = self.moves.len();
        for (&to, &after) in self.automaton.steps[empty].iter().zip(self.automaton.after(state, empty)) {
            if after != EXCLUDED {
                self.moves.push((to, after, self.bound.change(&self.sums, self.position[to], to, empty)));
            }
        }
        let end = self.moves.len();
        self.nodes += (end - begin) as u64;
        let mut found = false;
        for number in begin..end {
            let (to, after, change) = self.moves[number];
            if change.bound() >= left || found || self.stop.load(Ordering::Relaxed) {
                continue;
            }
            let undo = self.sums.apply(&change);
            self.position.swap(empty, to);
            found = self.descend(to, after, left - 1);
            self.position.swap(empty, to);
            self.sums.apply(&undo);
        }
        self.moves.truncate(begin);
        found
    }
}
