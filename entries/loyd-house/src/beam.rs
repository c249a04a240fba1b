//! Beam search: from level to level of moves only the most promising positions are kept.
//!
//! The guide is the sum of both views' look-ups. Positions are kept as 32 packed bytes with the values they had, so
//! that a child costs two look-ups; of every level only four bytes a position stay behind, which is the parent and
//! where the empty spot was, enough to read the answer off at the end.
//!
//! Threads share a level by parents while they expand it, and by the hash of the child while they choose: each keeps
//! its share of the best, and two positions that are the same always meet in one share.

use std::mem;
use std::thread;

use rustc_hash::FxHashSet;

use crate::clock::Deadline;
use crate::guide::{Guide, MOST_TABLES, VIEWS};
use crate::position::{Packed, byte, empty_in};

/// Bytes a search needs for each position of width and each move of depth.
pub const LINK_BYTES: usize = size_of::<u32>();
/// Bytes a search needs for each position of width besides: two levels, candidates with room to grow, hashes.
pub const WIDTH_BYTES: usize = 2 * size_of::<Node>() + 8 * size_of::<Candidate>() + 32;
/// The widest beam whose links fit four bytes.
pub const WIDEST: usize = 1 << (u32::BITS - SPOT_BITS);
/// Bits of a spot in a link.
const SPOT_BITS: u32 = 5;
/// How many parents are expanded between two looks at the clock.
const BATCH: usize = 4096;

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
        let in_time = thread::scope(|scope| {
            let parts = found.iter_mut().zip((0..).step_by(share));
            let expand = |(found, from)| scope.spawn(move || this.expand(from, share, depth, found));
            let workers: Vec<_> = parts.map(expand).collect();
            workers.into_iter().all(|worker| worker.join().expect("an expansion does not panic"))
        });
        if !in_time {
            return false;
        }
        let lists = &found;
        let chosen: Vec<(Vec<Node>, Vec<u32>)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|part| scope.spawn(move || this.choose(lists, part))).collect();
            workers.into_iter().map(|worker| worker.join().expect("a choice does not panic")).collect()
        });
        let (levels, links): (Vec<_>, Vec<_>) = chosen.into_iter().unzip();
        self.level = levels.concat();
        self.links.push(links.concat());
        self.found = found;
        true
    }

    /// The children of some positions, in place of what was found before; false if the time is up.
    fn expand(&self, from: usize, count: usize, depth: usize, found: &mut Found) -> bool {
        let threads = self.order.threads;
        found.resize_with(threads, || vec![Vec::new(); SCORES]);
        found.iter_mut().flatten().for_each(Vec::clear);
        let most = self.order.most_moves - depth;
        for (number, node) in self.level.iter().enumerate().skip(from).take(count) {
            if number % BATCH == 0 && self.order.deadline.passed() {
                return false;
            }
            let occupants = node.packed.occupants();
            let index = self.guide.indices(&occupants);
            let sums = node.values.map(|values| values.iter().sum::<u8>());
            let empty = empty_in(&occupants);
            let came_from = self.links.last().map(|links| links[number] & ((1 << SPOT_BITS) - 1));
            for &to in self.guide.board().empty_after(empty) {
                // The way back is always the same swap.
                if came_from == Some(u32::from(byte(to))) {
                    continue;
                }
                let tile = occupants[to];
                let mut changed = [0; VIEWS];
                let mut after = sums;
                for view in 0..VIEWS {
                    let (table, _, value) = self.guide.moved(view, &index[view], usize::from(tile), to, empty);
                    changed[view] = value;
                    after[view] = after[view] - node.values[view][table] + value;
                }
                if usize::from(after[0].max(after[1])) >= most {
                    continue;
                }
                let hash = node.packed.swapped(empty, to, tile).hash();
                let part = usize::try_from(hash >> 40).expect("24 bits") % threads;
                let score = after.map(usize::from).iter().sum::<usize>();
                let parent = u32::try_from(number).expect("a level is at most WIDEST");
                found[part][score].push(Candidate { hash, parent, to: byte(to), changed });
            }
        }
        true
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
