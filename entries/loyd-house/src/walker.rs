//! The depth-first search of one thread.
//!
//! A processor waits for memory and for mispredicted branches, not for arithmetic. So the search expands the last
//! positions of a stack together. Each step of an expansion is a loop over all of their children, without branches that
//! depend on values: the allowed moves, the look-ups by one view, those by the other for children that pass, and the
//! second bound for those with the empty spot in the centre. The processor overlaps the cache misses of a loop. Which
//! children pass is arithmetic on the length of a list.
//!
//! A child is looked up first by the view that has the greater sum at its parent. About 36 of 100 children pass it, and
//! 94 of 100 of those pass the other.

use crate::automaton::{STEPS_COPIED, State, Step};
use crate::dual::Dual;
use crate::geometry::{CENTRE, SPOTS};
use crate::groups::TILES;
use crate::heuristic::{Heuristic, MAX_TABLES, VIEWS};
use crate::position::{EMPTY, Packed, byte, empty_in};
use crate::pruning::Pruning;

/// Number of positions that are expanded together.
const BATCH: usize = 32;
/// Most children of a batch, and room for a whole copy of steps. With reversed moves the empty spot goes from the centre
/// to all others.
const CHILDREN: usize = BATCH * (SPOTS - 1) + STEPS_COPIED;
/// Spots and tiles, rounded up to a power of two: an index modulo this needs no check.
const PADDED: usize = 32;

/// A position from which a thread searches on.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) packed: Packed,
    /// State of the automaton after the path.
    pub(crate) state: State,
    pub(crate) path: Vec<u8>,
    /// Moves that may follow the path.
    pub(crate) left: u8,
    /// The number of the tail that leads on from the goal.
    pub(crate) tail: u32,
}

/// A position whose children are still to be searched. `GROUPS` is the number of tables of a view, or more.
#[derive(Clone, Copy, Debug)]
struct Open<const GROUPS: usize> {
    occupants: [u8; PADDED],
    empty: u8,
    /// Moves that may follow the path here.
    left: u8,
    /// The view with the greater sum.
    first: u8,
    /// By view, the moves left less the sum of the values.
    slack: [u8; VIEWS],
    value: [[u8; GROUPS]; VIEWS],
    index: [[u32; GROUPS]; VIEWS],
    state: State,
    /// The number of the root from which the search came here.
    root: u32,
}

/// By view and tile, the number of the table, and by spot the part of the index.
#[derive(Debug)]
struct Parts {
    /// The number of the view times [`MAX_TABLES`], and the number of the group.
    table: [[u8; PADDED]; VIEWS],
    part: [[[u32; PADDED]; PADDED]; VIEWS],
}

/// A look-up of a child: the table, with the number of its view and group, the new index, and the value. Before the
/// look-up it has the number that the value must be below.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    index: u32,
    value: u8,
    table: u8,
}

/// The outcome of a search from some roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walked {
    /// No root leads to the goal within the threshold.
    Nothing,
    /// The root with this number does.
    Goal(usize),
    /// The search was interrupted.
    Stopped,
}

/// The search of one thread.
#[derive(Debug)]
pub(crate) struct Walker<'a, const GROUPS: usize> {
    pruning: Pruning<'a>,
    parts: Box<Parts>,
    /// The values of all tables, by view.
    tables: [[&'a [u8]; MAX_TABLES]; VIEWS],
    /// Those of the table, if one serves all groups.
    only: Option<&'a [u8]>,
    stack: Vec<Open<GROUPS>>,
    /// The positions that are expanded together.
    batch: Box<[Open<GROUPS>; BATCH]>,
    /// By child, its parent's place in the batch.
    parents: Box<[u8; CHILDREN]>,
    /// By child, the step from its parent.
    steps: Box<[Step; CHILDREN]>,
    /// By child, its look-ups: by its parent's first view, and by the other if it passes.
    looks: Box<[[Look; CHILDREN]; VIEWS]>,
    /// The numbers of the children that pass.
    passing: Box<[u16; CHILDREN]>,
    /// Number of positions that were looked up.
    pub(crate) nodes: u64,
}

impl<'a, const GROUPS: usize> Walker<'a, GROUPS> {
    pub(crate) fn new(pruning: Pruning<'a>) -> Walker<'a, GROUPS> {
        let heuristic = pruning.heuristic;
        let only = match heuristic.tables().as_slice() {
            [table] => Some(table.values()),
            _ => None,
        };
        Walker {
            pruning,
            parts: Box::new(Parts::new(heuristic)),
            tables: heuristic.slices(),
            only,
            stack: Vec::new(),
            batch: Box::new([Open::default(); BATCH]),
            parents: Box::new([0; CHILDREN]),
            steps: Box::new([Step::default(); CHILDREN]),
            looks: Box::new([[Look::default(); CHILDREN]; VIEWS]),
            passing: Box::new([0; CHILDREN]),
            nodes: 0,
        }
    }

    /// Searches from these roots until the goal is reached or `is_over`, which receives the number of nodes.
    pub(crate) fn search(&mut self, roots: &[Root], is_over: impl Fn(u64) -> bool) -> Walked {
        let mut roots = (0..).zip(roots);
        self.stack.clear();
        loop {
            while self.stack.len() < BATCH
                && let Some((number, root)) = roots.next()
            {
                self.stack.push(Open::new(self.pruning.heuristic, root, number));
            }
            if self.stack.is_empty() {
                return Walked::Nothing;
            }
            if is_over(self.nodes) {
                return Walked::Stopped;
            }
            let goal = if let Some(only) = self.only {
                self.expand(|_, index| only[index as usize])
            } else {
                let tables = self.tables;
                self.expand(|table, index| tables.as_flattened()[usize::from(table)][index as usize])
            };
            if let Some(root) = goal {
                return Walked::Goal(root as usize);
            }
        }
    }

    /// Replaces the last positions of the stack by those of their children that may lead to the goal. Returns the
    /// root of the goal if it is one of those positions. `value` reads a table.
    #[inline(always)]
    fn expand(&mut self, value: impl Fn(u8, u32) -> u8) -> Option<u32> {
        let Pruning { dual, automaton, .. } = self.pruning;
        let Walker { parts, stack, batch, parents, steps, looks, passing, .. } = self;
        let [first_looks, second_looks] = &mut **looks;
        let from = stack.len().saturating_sub(BATCH);
        let mut count = 0;
        for (place, open) in (0..).zip(&stack[from..]) {
            if open.slack[0] == open.left {
                return Some(open.root);
            }
            batch[usize::from(place) % BATCH] = *open;
            let (number, mut rest) = automaton.steps_and_more(open.state);
            let end = count + number;
            while count < end {
                let (some, more) =
                    rest.split_first_chunk::<STEPS_COPIED>().expect("the last steps are followed by room");
                steps[count..count + STEPS_COPIED].copy_from_slice(some);
                parents[count..count + STEPS_COPIED].copy_from_slice(&[place; STEPS_COPIED]);
                rest = more;
                count += STEPS_COPIED;
            }
            count = end;
        }
        stack.truncate(from);
        self.nodes += count as u64;
        let parent_of = |child: u16| &batch[usize::from(parents[usize::from(child)]) % BATCH];
        let mut kept = 0;
        for (child, look) in (0..).zip(&mut first_looks[..count]) {
            let parent = parent_of(child);
            *look = parent.look(parts, parent.first_view(), steps[usize::from(child)]);
        }
        for (child, look) in (0..).zip(&mut first_looks[..count]) {
            let found = value(look.table, look.index);
            passing[kept] = child;
            kept += usize::from(found < look.value);
            look.value = found;
        }
        let looked_up = kept;
        kept = 0;
        for &child in &passing[..looked_up] {
            let parent = parent_of(child);
            second_looks[usize::from(child)] = parent.look(parts, 1 - parent.first_view(), steps[usize::from(child)]);
        }
        for place in 0..looked_up {
            let child = passing[place];
            let look = &mut second_looks[usize::from(child)];
            let found = value(look.table, look.index);
            passing[kept] = child;
            kept += usize::from(found < look.value);
            look.value = found;
        }
        for &child in &passing[..kept] {
            // Changed where it is: a copy of what was just written would wait for the processor's stores.
            stack.push(*parent_of(child));
            let open = stack.last_mut().expect("just pushed");
            let number = usize::from(child);
            open.enter(steps[number], first_looks[number], second_looks[number]);
            if usize::from(open.empty) == CENTRE && dual.is_some_and(|dual| open.exceeded(dual)) {
                stack.pop();
            }
        }
        None
    }
}

impl Parts {
    fn new(heuristic: &Heuristic) -> Parts {
        let mut parts = Parts { table: [[0; PADDED]; VIEWS], part: [[[0; PADDED]; PADDED]; VIEWS] };
        for view in 0..VIEWS {
            for tile in 0..TILES {
                parts.table[view][tile] = byte(view * MAX_TABLES + heuristic.group(view, tile));
                parts.part[view][tile][..SPOTS].copy_from_slice(heuristic.parts(view, tile));
            }
        }
        parts
    }
}

impl<const GROUPS: usize> Open<GROUPS> {
    fn default() -> Open<GROUPS> {
        Open {
            occupants: [EMPTY; PADDED],
            empty: 0,
            left: 0,
            first: 0,
            slack: [0; VIEWS],
            value: [[0; GROUPS]; VIEWS],
            index: [[0; GROUPS]; VIEWS],
            state: State::default(),
            root: 0,
        }
    }

    fn new(heuristic: &Heuristic, root: &Root, number: u32) -> Open<GROUPS> {
        let occupants = root.packed.occupants();
        let values = heuristic.values(&occupants);
        let mut open = Open {
            empty: byte(empty_in(&occupants)),
            left: root.left,
            first: u8::from(values.sum[1] > values.sum[0]),
            slack: values.sum.map(|sum| root.left - sum),
            value: values.value.map(|value| std::array::from_fn(|group| value[group])),
            index: values.index.map(|index| std::array::from_fn(|group| index[group])),
            state: root.state,
            root: number,
            ..Open::default()
        };
        open.occupants[..SPOTS].copy_from_slice(&occupants);
        open
    }

    #[inline(always)]
    fn first_view(&self) -> usize {
        usize::from(self.first) % VIEWS
    }

    /// The look-up of a child by a view, with the number that its value must be below.
    #[inline(always)]
    fn look(&self, parts: &Parts, view: usize, step: Step) -> Look {
        let to = usize::from(step.to()) % PADDED;
        let tile = usize::from(self.occupants[to]) % PADDED;
        let table = parts.table[view][tile];
        let group = usize::from(table) % GROUPS;
        let part = &parts.part[view][tile];
        let change = part[usize::from(self.empty) % PADDED].wrapping_sub(part[to]);
        let index = self.index[view][group].wrapping_add(change);
        // Nothing wraps: a value and the slack are parts of the moves left.
        let limit = self.value[view][group].wrapping_add(self.slack[view]);
        Look { index, value: limit, table }
    }

    /// Makes the step to a child that passes, with its look-ups by this position's first view and the other.
    #[inline(always)]
    fn enter(&mut self, step: Step, first: Look, second: Look) {
        let (empty, to) = (usize::from(self.empty) % PADDED, usize::from(step.to()) % PADDED);
        self.occupants[empty] = self.occupants[to];
        self.occupants[to] = EMPTY;
        self.empty = step.to();
        self.left -= 1;
        let view = self.first_view();
        self.see(view, first);
        self.see(1 - view, second);
        self.first = u8::from(self.slack[1] < self.slack[0]);
        self.state = step.state();
    }

    #[inline(always)]
    fn see(&mut self, view: usize, look: Look) {
        let group = usize::from(look.table) % GROUPS;
        // Nothing wraps: the sum was the limit, and the value is below it.
        self.slack[view] = self.slack[view].wrapping_add(self.value[view][group]).wrapping_sub(look.value + 1);
        self.value[view][group] = look.value;
        self.index[view][group] = look.index;
    }

    /// Returns `true` if the second bound exceeds the moves left. The empty spot must be in the centre.
    fn exceeded(&self, dual: &Dual) -> bool {
        dual.exceeds(self.occupants.first_chunk().expect("a spot each"), self.left)
    }
}
