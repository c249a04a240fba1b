//! Beam search: at every number of moves only the most promising positions are kept.
//!
//! The sum of both views' look-ups orders the positions. A position is kept as 32 packed bytes with its table values,
//! so that a child costs two look-ups. Every finished level keeps only four bytes per position, its parent and the last
//! empty spot, which is enough to reconstruct the answer.
//!
//! Threads share a level by parents while they expand it, and by the hash of the child while they choose: each keeps
//! its share of the best, and equal positions always meet in one share.

use std::mem;

use rustc_hash::FxHashSet;

use crate::clock::Deadline;
use crate::heuristic::{Heuristic, MOST_TABLES, VIEWS};
use crate::parallel::each;
use crate::position::{Packed, byte, empty_in};

/// Bytes per position of width and move of depth.
pub const LINK_BYTES: usize = size_of::<u32>();
/// Further bytes per position of width: two levels, candidates with room to grow, hashes.
pub const WIDTH_BYTES: usize = 2 * size_of::<Node>() + 8 * size_of::<Candidate>() + 32;
/// Width of the widest beam whose links fit four bytes.
pub const WIDEST: usize = 1 << (u32::BITS - SPOT_BITS);
/// Bits of a spot in a link.
const SPOT_BITS: u32 = 5;
/// Number of positions that are expanded together.
const BATCH: usize = 32;
/// Number of batches between two checks of the clock.
const BATCHES_PER_CHECK: usize = 128;

/// The settings of a beam.
#[derive(Clone, Copy, Debug)]
pub struct BeamSettings {
    /// Positions kept per level.
    pub width: usize,
    /// Most moves of a useful answer.
    pub most_moves: usize,
    /// Number of threads.
    pub threads: usize,
    /// Time limit.
    pub deadline: Deadline,
}

/// A position in the beam.
#[derive(Clone, Copy, Debug)]
struct Node {
    packed: Packed,
    /// The values of its look-ups, by view and table.
    values: [[u8; MOST_TABLES]; VIEWS],
}

/// A child that may be chosen. The list that contains it gives its score.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    hash: u64,
    parent: u32,
    /// The next spot of the empty spot.
    to: u8,
    /// The new values of the two look-ups that change.
    changed: [u8; VIEWS],
}

/// A child before it is a candidate.
#[derive(Clone, Copy, Debug)]
struct Child {
    candidate: Candidate,
    /// By view, the table with the tile that moves.
    table: [usize; VIEWS],
    /// By view, the index in that table.
    index: [u32; VIEWS],
    /// By view, the sum of the values in all other tables.
    others: [u8; VIEWS],
}

/// Candidates by score.
type Scores = Vec<Vec<Candidate>>;
/// Candidates by the thread that chooses among them.
type Found = Vec<Scores>;
/// Largest score: two views of eight tables with values below 32.
const SCORES: usize = 512;

/// Finds an answer: the path of the empty spot, starting with its first spot; `None` if the beam meets no answer within
/// its settings.
pub fn search(heuristic: &Heuristic, start: Packed, settings: BeamSettings) -> Option<Vec<u8>> {
    let values = heuristic.values(&start.occupants());
    let mut beam =
        Beam { heuristic, settings, level: Vec::new(), links: Vec::new(), found: vec![Vec::new(); settings.threads] };
    beam.level.push(Node { packed: start, values: values.value });
    let goal = heuristic.goal();
    for depth in 0..=settings.most_moves {
        if let Some(place) = beam.level.iter().position(|node| node.packed == goal) {
            return Some(beam.path(place));
        }
        if beam.level.is_empty() || !beam.advance(depth) {
            return None;
        }
    }
    None
}

struct Beam<'a> {
    heuristic: &'a Heuristic,
    settings: BeamSettings,
    level: Vec<Node>,
    /// For every level except the first, each position's parent and the empty spot in the parent.
    links: Vec<Vec<u32>>,
    /// The candidates of each thread. The lists are reused, as fresh memory for them takes a tenth of the time.
    found: Vec<Found>,
}

impl Beam<'_> {
    /// Replaces the level by the best of its children; `false` after the deadline.
    fn advance(&mut self, depth: usize) -> bool {
        let threads = self.settings.threads;
        let share = self.level.len().div_ceil(threads).max(1);
        let mut found = mem::take(&mut self.found);
        let this = &*self;
        let parts: Vec<_> = found.iter_mut().zip((0..).step_by(share)).collect();
        let in_time = each(parts, |(found, from)| this.expand(from, share, depth, found));
        if in_time.contains(&false) {
            return false;
        }
        let lists = &found;
        let chosen = each((0..threads).collect(), |part| this.choose(lists, part));
        let (levels, links): (Vec<_>, Vec<_>) = chosen.into_iter().unzip();
        self.level = levels.concat();
        self.links.push(links.concat());
        self.found = found;
        true
    }

    /// Fills `found` with the children of some positions; `false` after the deadline.
    ///
    /// The look-ups of many positions follow each other directly, so that the processor waits for a dozen cache misses
    /// at once.
    fn expand(&self, from: usize, count: usize, depth: usize, found: &mut Found) -> bool {
        found.resize_with(self.settings.threads, || vec![Vec::new(); SCORES]);
        found.iter_mut().flatten().for_each(Vec::clear);
        let most = self.settings.most_moves - depth;
        let end = (from + count).min(self.level.len());
        let mut children = Vec::new();
        for (batch, begin) in (from..end).step_by(BATCH).enumerate() {
            if batch % BATCHES_PER_CHECK == 0 && self.settings.deadline.passed() {
                return false;
            }
            children.clear();
            for number in begin..end.min(begin + BATCH) {
                self.children(number, &mut children);
            }
            for Child { candidate, table, index, .. } in &mut children {
                candidate.changed = std::array::from_fn(|view| self.heuristic.value(view, table[view], index[view]));
            }
            for Child { candidate, others, .. } in &children {
                let sums: [u8; VIEWS] = std::array::from_fn(|view| others[view] + candidate.changed[view]);
                if usize::from(sums[0].max(sums[1])) < most {
                    let part = usize::try_from(candidate.hash >> 40).expect("24 bits") % self.settings.threads;
                    found[part][sums.map(usize::from).iter().sum::<usize>()].push(*candidate);
                }
            }
        }
        true
    }

    /// Adds a position's children, without the values that have to be looked up.
    fn children(&self, number: usize, children: &mut Vec<Child>) {
        let node = &self.level[number];
        let occupants = node.packed.occupants();
        let index = self.heuristic.indices(&occupants);
        let sums = node.values.map(|values| values.iter().sum::<u8>());
        let empty = empty_in(&occupants);
        let came_from = self.links.last().map(|links| links[number] & ((1 << SPOT_BITS) - 1));
        let parent = u32::try_from(number).expect("a level is at most WIDEST");
        for &to in self.heuristic.board().empty_after(empty) {
            // The move back would undo the last swap.
            if came_from == Some(u32::from(byte(to))) {
                continue;
            }
            let tile = occupants[to];
            let hash = node.packed.swapped(empty, to, tile).hash();
            let candidate = Candidate { hash, parent, to: byte(to), changed: [0; VIEWS] };
            let mut child = Child { candidate, table: [0; VIEWS], index: [0; VIEWS], others: sums };
            for (view, index) in index.iter().enumerate() {
                let (table, index) = self.heuristic.index_after(view, index, usize::from(tile), to, empty);
                (child.table[view], child.index[view]) = (table, index);
                child.others[view] -= node.values[view][table];
            }
            children.push(child);
        }
    }

    /// The best distinct positions of one thread's share, with their links.
    fn choose(&self, expanded: &[Found], part: usize) -> (Vec<Node>, Vec<u32>) {
        let width = self.settings.width.div_ceil(self.settings.threads);
        let total: usize = expanded.iter().flat_map(|found| &found[part]).map(Vec::len).sum();
        let mut seen = FxHashSet::default();
        seen.reserve(total.min(width));
        let mut level = Vec::with_capacity(total.min(width));
        let mut links = Vec::with_capacity(total.min(width));
        for score in 0..SCORES {
            for candidate in expanded.iter().flat_map(|found| &found[part][score]) {
                if level.len() == width {
                    return (level, links);
                }
                if seen.insert(candidate.hash) {
                    let (node, empty) = self.child(candidate);
                    level.push(node);
                    links.push(candidate.parent << SPOT_BITS | u32::from(empty));
                }
            }
        }
        (level, links)
    }

    /// The child, and the empty spot in its parent.
    fn child(&self, candidate: &Candidate) -> (Node, u8) {
        let mut node = self.level[candidate.parent as usize];
        let occupants = node.packed.occupants();
        let empty = empty_in(&occupants);
        let tile = occupants[usize::from(candidate.to)];
        node.packed = node.packed.swapped(empty, usize::from(candidate.to), tile);
        for view in 0..VIEWS {
            node.values[view][self.heuristic.group(view, usize::from(tile))] = candidate.changed[view];
        }
        (node, byte(empty))
    }

    /// The path to the position with this number in the current level.
    fn path(&self, number: usize) -> Vec<u8> {
        let occupants = self.level[number].packed.occupants();
        let empty = empty_in(&occupants);
        let mut path = vec![byte(empty)];
        let mut number = number;
        for links in self.links.iter().rev() {
            let link = links[number];
            path.push(u8::try_from(link & ((1 << SPOT_BITS) - 1)).expect("five bits"));
            number = usize::try_from(link >> SPOT_BITS).expect("an index");
        }
        path.reverse();
        path
    }
}

/// The width of the widest beam that fits `bytes`, if an answer has at most `moves` moves.
pub fn widest(bytes: usize, moves: usize) -> usize {
    (bytes / (WIDTH_BYTES + moves * LINK_BYTES)).min(WIDEST)
}
