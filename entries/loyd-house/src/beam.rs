//! Beam search: from level to level of moves only the most promising positions are kept.
//!
//! The guide is the sum of both views' look-ups. Positions are kept as 32 packed bytes with the values they had, so
//! that a child costs two look-ups; of every level only four bytes a position stay behind, which is the parent and
//! where the empty spot was, enough to read the answer off at the end.
//!
//! Threads share a level by parents while they expand it, and by the hash of the child while they choose: each keeps
//! its share of the best, and two positions that are the same always meet in one share.

use std::mem;

use rustc_hash::FxHashSet;

use crate::clock::Deadline;
use crate::guide::{Guide, MOST_TABLES, VIEWS};
use crate::parallel::each;
use crate::position::{Packed, byte, empty_in};

/// Bytes a search needs for each position of width and each move of depth.
pub const LINK_BYTES: usize = size_of::<u32>();
/// Bytes a search needs for each position of width besides: two levels, candidates with room to grow, hashes.
pub const WIDTH_BYTES: usize = 2 * size_of::<Node>() + 8 * size_of::<Candidate>() + 32;
/// The widest beam whose links fit four bytes.
pub const WIDEST: usize = 1 << (u32::BITS - SPOT_BITS);
/// Bits of a spot in a link.
const SPOT_BITS: u32 = 5;
/// How many positions are expanded together.
const BATCH: usize = 32;
/// How many batches are expanded between two looks at the clock.
const PATIENCE: usize = 128;

/// What a beam is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// Positions kept a level.
    pub width: usize,
    /// An answer with more moves is of no use.
    pub most_moves: usize,
    /// Threads to use.
    pub threads: usize,
    /// When to give up.
    pub deadline: Deadline,
}

/// A position in the beam.
#[derive(Clone, Copy, Debug)]
struct Node {
    packed: Packed,
    /// By view and table, view by view; the first view ends where the tables do.
    values: [[u8; MOST_TABLES]; VIEWS],
}

/// A child that may be chosen. It stands in the list of its score.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    hash: u64,
    parent: u32,
    /// Where the empty spot goes.
    to: u8,
    /// The two values that change.
    changed: [u8; VIEWS],
}

/// A child before it is a candidate.
#[derive(Clone, Copy, Debug)]
struct Child {
    candidate: Candidate,
    /// By view, the table that the tile which moves is in.
    table: [usize; VIEWS],
    /// What to look up there.
    index: [u32; VIEWS],
    /// The sum of the values in all other tables.
    others: [u8; VIEWS],
}

/// Candidates by score.
type Scores = Vec<Vec<Candidate>>;
/// Candidates by the thread that is to choose among them.
type Found = Vec<Scores>;
/// Largest score: two views of eight tables with values below 32.
const SCORES: usize = 512;

/// The way of the empty spot in the shortest answer the beam meets, the spot it starts on first; `None` if there is
/// none within the order.
pub fn search(guide: &Guide, start: Packed, order: Order) -> Option<Vec<u8>> {
    let values = guide.values(&start.occupants());
    let mut beam = Beam { guide, order, level: Vec::new(), links: Vec::new(), found: vec![Vec::new(); order.threads] };
    beam.level.push(Node { packed: start, values: values.value });
    let goal = guide.goal();
    for depth in 0..=order.most_moves {
        if let Some(place) = beam.level.iter().position(|node| node.packed == goal) {
            return Some(beam.way(place));
        }
        if beam.level.is_empty() || !beam.advance(depth) {
            return None;
        }
    }
    None
}

struct Beam<'a> {
    guide: &'a Guide,
    order: Order,
    level: Vec<Node>,
    /// Of every level but the first, each position's parent and where the empty spot was in it.
    links: Vec<Vec<u32>>,
    /// What each thread finds in a level. The lists are kept, since fresh memory for them is a tenth of the time.
    found: Vec<Found>,
}

impl Beam<'_> {
    /// Replaces the level by the best of its children; false if the time is up.
    fn advance(&mut self, depth: usize) -> bool {
        let threads = self.order.threads;
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

    /// The children of some positions, in place of what was found before; false if the time is up.
    ///
    /// The look-ups of many positions come one after another with nothing between them, so that the processor waits for
    /// a dozen cache misses at once.
    fn expand(&self, from: usize, count: usize, depth: usize, found: &mut Found) -> bool {
        found.resize_with(self.order.threads, || vec![Vec::new(); SCORES]);
        found.iter_mut().flatten().for_each(Vec::clear);
        let most = self.order.most_moves - depth;
        let end = (from + count).min(self.level.len());
        let mut children = Vec::new();
        for (batch, begin) in (from..end).step_by(BATCH).enumerate() {
            if batch % PATIENCE == 0 && self.order.deadline.passed() {
                return false;
            }
            children.clear();
            for number in begin..end.min(begin + BATCH) {
                self.children(number, &mut children);
            }
            for Child { candidate, table, index, .. } in &mut children {
                candidate.changed = std::array::from_fn(|view| self.guide.value(view, table[view], index[view]));
            }
            for Child { candidate, others, .. } in &children {
                let sums: [u8; VIEWS] = std::array::from_fn(|view| others[view] + candidate.changed[view]);
                if usize::from(sums[0].max(sums[1])) < most {
                    let part = usize::try_from(candidate.hash >> 40).expect("24 bits") % self.order.threads;
                    found[part][sums.map(usize::from).iter().sum::<usize>()].push(*candidate);
                }
            }
        }
        true
    }

    /// All that is known of a position's children before their values are looked up.
    fn children(&self, number: usize, children: &mut Vec<Child>) {
        let node = &self.level[number];
        let occupants = node.packed.occupants();
        let index = self.guide.indices(&occupants);
        let sums = node.values.map(|values| values.iter().sum::<u8>());
        let empty = empty_in(&occupants);
        let came_from = self.links.last().map(|links| links[number] & ((1 << SPOT_BITS) - 1));
        let parent = u32::try_from(number).expect("a level is at most WIDEST");
        for &to in self.guide.board().empty_after(empty) {
            // The way back is always the same swap.
            if came_from == Some(u32::from(byte(to))) {
                continue;
            }
            let tile = occupants[to];
            let hash = node.packed.swapped(empty, to, tile).hash();
            let candidate = Candidate { hash, parent, to: byte(to), changed: [0; VIEWS] };
            let mut child = Child { candidate, table: [0; VIEWS], index: [0; VIEWS], others: sums };
            for (view, index) in index.iter().enumerate() {
                let (table, index) = self.guide.index_after(view, index, usize::from(tile), to, empty);
                (child.table[view], child.index[view]) = (table, index);
                child.others[view] -= node.values[view][table];
            }
            children.push(child);
        }
    }

    /// The best different positions of one thread's share, with their links.
    fn choose(&self, expanded: &[Found], part: usize) -> (Vec<Node>, Vec<u32>) {
        let width = self.order.width.div_ceil(self.order.threads);
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

    /// The child, and where the empty spot was in its parent.
    fn child(&self, candidate: &Candidate) -> (Node, u8) {
        let mut node = self.level[candidate.parent as usize];
        let occupants = node.packed.occupants();
        let empty = empty_in(&occupants);
        let tile = occupants[usize::from(candidate.to)];
        node.packed = node.packed.swapped(empty, usize::from(candidate.to), tile);
        for view in 0..VIEWS {
            node.values[view][self.guide.group(view, usize::from(tile))] = candidate.changed[view];
        }
        (node, byte(empty))
    }

    /// The way to the position with this number in the present level.
    fn way(&self, number: usize) -> Vec<u8> {
        let occupants = self.level[number].packed.occupants();
        let empty = empty_in(&occupants);
        let mut way = vec![byte(empty)];
        let mut number = number;
        for links in self.links.iter().rev() {
            let link = links[number];
            way.push(u8::try_from(link & ((1 << SPOT_BITS) - 1)).expect("five bits"));
            number = usize::try_from(link >> SPOT_BITS).expect("an index");
        }
        way.reverse();
        way
    }
}

/// The widest beam for so many bytes, if an answer has at most `moves`.
pub fn widest(bytes: usize, moves: usize) -> usize {
    (bytes / (WIDTH_BYTES + moves * LINK_BYTES)).min(WIDEST)
}
