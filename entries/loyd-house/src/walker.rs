//! The depth-first search of one thread.
//!
//! A processor waits for memory and for mispredicted branches, not for arithmetic. So the search expands the last
//! positions of a stack together. Each step of an expansion is a loop over all of their children, without branches that
//! depend on values: the look-ups by the first view, those by the second for children that pass, the second bound for
//! those with the empty spot in the centre. The processor overlaps the cache misses of a loop. Which children pass is
//! arithmetic on the length of a list.

use crate::automaton::State;
use crate::geometry::{CENTRE, SPOTS};
use crate::heuristic::{Heuristic, MOST_TABLES, VIEWS};
use crate::ida::{Pruning, Root};
use crate::position::{EMPTY, byte, empty_in};

/// Number of positions that are expanded together.
const BATCH: usize = 32;
/// Most children of a batch. With reversed moves the empty spot goes from the centre to all others.
const CHILDREN: usize = BATCH * (SPOTS - 1);

/// A position whose children are still to be searched. `GROUPS` is the number of tables of a view, or more.
#[derive(Clone, Copy, Debug)]
struct Open<const GROUPS: usize> {
    occupants: [u8; SPOTS],
    empty: u8,
    /// The moves left.
    left: u8,
    /// By view, the sum of the values.
    sum: [u8; VIEWS],
    value: [[u8; GROUPS]; VIEWS],
    index: [[u32; GROUPS]; VIEWS],
    state: State,
    /// The number of the root from which the search came here.
    root: u32,
}

/// A child of a position, and the look-ups that change with it.
#[derive(Clone, Copy, Debug, Default)]
struct Child {
    /// The place of its parent in the pool.
    parent: u32,
    to: u8,
    tile: u8,
    /// The value to be looked up must be below this.
    limit: u8,
    table: [u8; VIEWS],
    value: [u8; VIEWS],
    index: [u32; VIEWS],
    state: State,
}

/// How the search from some roots ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walked {
    /// No root leads to the goal within the threshold.
    Nothing,
    /// The root with this number does.
    Goal(usize),
    /// The search was stopped.
    Stopped,
}

/// The search of one thread.
#[derive(Debug)]
pub(crate) struct Walker<'a, const GROUPS: usize> {
    pruning: Pruning<'a>,
    /// The values of all tables, by view.
    tables: [[&'a [u8]; MOST_TABLES]; VIEWS],
    /// All positions, each in a place of its own until it is expanded.
    pool: Vec<Open<GROUPS>>,
    /// The places of the pool that are free.
    free: Vec<u32>,
    /// The places of the positions that are to be expanded.
    stack: Vec<u32>,
    /// The places of the children that pass, until their parents are off the stack.
    next: Vec<u32>,
    children: Box<[Child; CHILDREN]>,
    /// The numbers of the children that pass.
    passing: Box<[u16; CHILDREN]>,
    /// Positions looked up.
    pub(crate) nodes: u64,
}

impl<'a, const GROUPS: usize> Walker<'a, GROUPS> {
    pub(crate) fn new(pruning: Pruning<'a>) -> Walker<'a, GROUPS> {
        Walker {
            pruning,
            tables: pruning.heuristic.slices(),
            pool: Vec::new(),
            free: Vec::new(),
            stack: Vec::new(),
            next: Vec::new(),
            children: Box::new([Child::default(); CHILDREN]),
            passing: Box::new([0; CHILDREN]),
            nodes: 0,
        }
    }

    /// Searches from these roots until the goal is reached or `is_over`, which learns the number of nodes.
    pub(crate) fn search(&mut self, roots: &[Root], is_over: impl Fn(u64) -> bool) -> Walked {
        let mut roots = (0..).zip(roots);
        self.pool.clear();
        self.free.clear();
        self.stack.clear();
        loop {
            while self.stack.len() < BATCH
                && let Some((number, root)) = roots.next()
            {
                let place = self.free.pop().unwrap_or_else(|| add(&mut self.pool));
                self.pool[place as usize] = Open::new(self.pruning.heuristic, root, number);
                self.stack.push(place);
            }
            if self.stack.is_empty() {
                return Walked::Nothing;
            }
            if is_over(self.nodes) {
                return Walked::Stopped;
            }
            if let Some(root) = self.expand() {
                return Walked::Goal(root as usize);
            }
        }
    }

    /// Replaces the last positions of the stack by those of their children that may lead to the goal. Returns the
    /// root of the goal if it is one of those positions.
    fn expand(&mut self) -> Option<u32> {
        let Pruning { heuristic, dual, automaton } = self.pruning;
        let Walker { tables, pool, free, stack, next, children, passing, .. } = self;
        let from = stack.len().saturating_sub(BATCH);
        let mut count = 0;
        for &parent in &stack[from..] {
            let open = &pool[parent as usize];
            if open.sum[0] == 0 {
                return Some(open.root);
            }
            for step in automaton.steps(open.state) {
                let tile = open.occupants[usize::from(step.to())];
                let mut child = Child { parent, to: step.to(), tile, state: step.state(), ..Child::default() };
                open.index_of::<0>(heuristic, &mut child);
                children[count] = child;
                count += 1;
            }
        }
        self.nodes += count as u64;
        let mut kept = 0;
        for (number, child) in (0..).zip(&mut children[..count]) {
            child.value[0] = tables[0][usize::from(child.table[0])][child.index[0] as usize];
            passing[kept] = number;
            kept += usize::from(child.value[0] < child.limit);
        }
        for &number in &passing[..kept] {
            let child = &mut children[usize::from(number)];
            pool[child.parent as usize].index_of::<1>(heuristic, child);
        }
        let looked_up = kept;
        kept = 0;
        for place in 0..looked_up {
            let number = passing[place];
            let child = &mut children[usize::from(number)];
            child.value[1] = tables[1][usize::from(child.table[1])][child.index[1] as usize];
            passing[kept] = number;
            kept += usize::from(child.value[1] < child.limit);
        }
        for &number in &passing[..kept] {
            let child = &children[usize::from(number)];
            let place = free.pop().unwrap_or_else(|| add(pool));
            pool[place as usize] = pool[child.parent as usize];
            let open = &mut pool[place as usize];
            open.enter(child);
            if usize::from(child.to) == CENTRE && dual.is_some_and(|dual| dual.exceeds(&open.occupants, open.left)) {
                free.push(place);
            } else {
                next.push(place);
            }
        }
        // One by one: a copy of whole blocks would wait until the processor has stored what was just pushed.
        while stack.len() > from {
            free.extend(stack.pop());
        }
        while let Some(place) = next.pop() {
            stack.push(place);
        }
        None
    }
}

/// Adds a place to the pool.
#[cold]
fn add<const GROUPS: usize>(pool: &mut Vec<Open<GROUPS>>) -> u32 {
    let place = u32::try_from(pool.len()).expect("a depth-first search has few open positions");
    pool.push(Open::default());
    place
}

impl<const GROUPS: usize> Open<GROUPS> {
    fn default() -> Open<GROUPS> {
        Open {
            occupants: [EMPTY; SPOTS],
            empty: 0,
            left: 0,
            sum: [0; VIEWS],
            value: [[0; GROUPS]; VIEWS],
            index: [[0; GROUPS]; VIEWS],
            state: State::default(),
            root: 0,
        }
    }

    fn new(heuristic: &Heuristic, root: &Root, number: u32) -> Open<GROUPS> {
        let occupants = root.packed.occupants();
        let values = heuristic.values(&occupants);
        Open {
            occupants,
            empty: byte(empty_in(&occupants)),
            left: root.left,
            sum: values.sum,
            value: values.value.map(|value| std::array::from_fn(|group| value[group])),
            index: values.index.map(|index| std::array::from_fn(|group| index[group])),
            state: root.state,
            root: number,
        }
    }

    /// Computes a child's look-up by a view.
    #[inline(always)]
    fn index_of<const VIEW: usize>(&self, heuristic: &Heuristic, child: &mut Child) {
        let (tile, to, empty) = (usize::from(child.tile), usize::from(child.to), usize::from(self.empty));
        let (table, change) = heuristic.change(VIEW, tile, to, empty);
        child.table[VIEW] = byte(table);
        child.index[VIEW] = self.index[VIEW][table].wrapping_add(change);
        child.limit = self.left - (self.sum[VIEW] - self.value[VIEW][table]);
    }

    /// Makes the move to a child.
    #[inline(always)]
    fn enter(&mut self, child: &Child) {
        self.occupants[usize::from(self.empty)] = child.tile;
        self.occupants[usize::from(child.to)] = EMPTY;
        self.empty = child.to;
        self.left -= 1;
        for view in 0..VIEWS {
            let (table, value) = (usize::from(child.table[view]), child.value[view]);
            self.sum[view] = self.sum[view] - self.value[view][table] + value;
            self.value[view][table] = value;
            self.index[view][table] = child.index[view];
        }
        self.state = child.state;
    }
}
