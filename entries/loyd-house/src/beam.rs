//! Beam search: at every number of moves only the most promising positions are kept.
//!
//! The estimate orders the positions. A position is kept as 68 bytes with its table values, so that a child costs
//! only the look-ups that change. Every finished level keeps only four bytes per position, its parent and the last
//! empty spot, which is enough to reconstruct the answer.
//!
//! Threads share a level by the hash of its positions. Each expands its share, and chooses the best for its share of the
//! next level from the children that all found; equal positions always meet in one share, with equal scores.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::buckets::Buckets;
use crate::clock::Deadline;
use crate::estimate::{Estimate, GROUPS, IMAGES, LOOKS, PARTS, ROOM, SCORES, digits};
use crate::geometry::SPOTS;
use crate::hashes::{Hashes, Seen};
use crate::parallel::each;
use crate::position::{EMPTY, Packed, byte, empty_in};

/// Bytes per position of width and move of depth.
pub const LINK_BYTES: usize = size_of::<u32>();
/// Further bytes per position of width: two levels, candidates, hashes.
pub const WIDTH_BYTES: usize = 2 * size_of::<Node>() + 5 * size_of::<Candidate>() + 32;
/// Width of the widest beam whose links fit four bytes.
pub const WIDEST: usize = 1 << (u32::BITS - SPOT_BITS);
/// Bits of a spot in a link.
const SPOT_BITS: u32 = 5;
/// Number of positions that are expanded together.
const BATCH: usize = 32;
/// Number of batches between two checks of the clock.
const BATCHES_PER_CHECK: usize = 128;
/// Look-ups that a move changes: one per look by tiles, two per look by spots.
const CHANGES: usize = 3 * IMAGES;
/// Children whose score is so much greater than the worst of the last level are not kept, as hardly one is chosen.
const SLACK: usize = 9 * PARTS / 2;
/// Width of the first level of a paced beam that is not complete, before its speed is known.
const FIRST_WIDTH: usize = 1_000;
/// Number of last levels that take next to no time, as the bound excludes most positions.
const QUICK_LEVELS: usize = 6;

/// The width of a beam.
#[derive(Clone, Copy, Debug)]
pub enum Width {
    /// This many positions per level.
    Fixed(usize),
    /// As many positions per level as let the beam end at its deadline, at most this number.
    Paced(usize),
}

/// The settings of a beam.
#[derive(Clone, Copy, Debug)]
pub struct BeamSettings<'a> {
    /// Most positions to keep per level.
    pub width: Width,
    /// Most moves of a useful answer. Another search may lower it.
    pub most_moves: &'a AtomicUsize,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// The moment at which the beam must stop.
    pub deadline: Deadline,
}

/// A position in the beam.
#[derive(Clone, Copy, Debug)]
struct Node {
    occupants: [u8; SPOTS],
    empty: u8,
    /// The empty spot before the last move.
    before: u8,
    /// The correction of its estimate.
    correction: i16,
    hash: u32,
    /// The values of its look-ups, by look and group.
    values: [[u8; GROUPS]; LOOKS],
}

impl Node {
    /// Only the goal has no moves left by any look.
    fn is_goal(&self) -> bool {
        self.values.as_flattened().iter().all(|&value| value == 0)
    }
}

/// A child that may be chosen. The list that contains it gives its score.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    hash: u32,
    /// The number of its parent in the parent's share.
    parent: u32,
    /// The next spot of the empty spot.
    to: u8,
    /// The new values of the look-ups that change: by tiles, then two per look by spots.
    changed: [u8; CHANGES],
}

/// A child before it is a candidate.
#[derive(Clone, Copy, Debug)]
struct Child {
    candidate: Candidate,
    /// The groups to look up.
    group: [u8; CHANGES],
    /// The indices in their tables.
    index: [u32; CHANGES],
    /// By look, the sum of the values of all other groups.
    others: [u8; LOOKS],
    /// The correction of its estimate.
    correction: i16,
    /// By look by spots, 255 if the tile moves from one group to another, and 0 if there is only one change.
    second: [u8; IMAGES],
}

/// The look of each change.
const LOOK_OF: [usize; CHANGES] = {
    let mut looks = [0; CHANGES];
    let mut change = 0;
    while change < CHANGES {
        looks[change] = if change < IMAGES { change } else { IMAGES + (change - IMAGES) / 2 };
        change += 1;
    }
    looks
};

/// Candidates by the thread that chooses among them.
type Found = Vec<Buckets<Candidate>>;

/// Finds an answer: the path of the empty spot, starting with its first spot; `None` if the beam meets no answer within
/// its settings.
pub fn search(estimate: &Estimate, start: Packed, settings: BeamSettings<'_>) -> Option<Vec<u8>> {
    let mut beam = Beam::new(estimate, start, settings);
    let mut done = beam.levels[0][0].is_goal();
    let mut depth = 0;
    loop {
        if done {
            return Some(beam.path());
        }
        let most = settings.most_moves.load(Ordering::Relaxed);
        if depth >= most || beam.levels.iter().all(Vec::is_empty) {
            return None;
        }
        done = beam.advance(most - depth)?;
        depth += 1;
    }
}

struct Beam<'a> {
    estimate: &'a Estimate,
    slices: [[&'a [u8]; GROUPS]; LOOKS],
    hashes: Hashes,
    settings: BeamSettings<'a>,
    /// The width of the next level.
    width: usize,
    /// The greatest score of children that are kept.
    limit: usize,
    /// The time per position of the levels so far.
    cost: Option<f64>,
    /// The positions of the level, by share. If the goal is among them, it is the first of its share.
    levels: Vec<Vec<Node>>,
    /// The memory of the level before.
    spare: Vec<Vec<Node>>,
    /// For every level except the first, each position's parent and the empty spot in the parent.
    links: Vec<Vec<u32>>,
    /// The candidates by the thread that found them. Their memory is reused.
    found: Vec<Found>,
}

/// The positions that a thread chose.
struct Chosen {
    level: Vec<Node>,
    links: Vec<u32>,
    /// The score of the last one.
    worst: usize,
    /// True if the goal is one of them.
    done: bool,
}

impl<'a> Beam<'a> {
    fn new(estimate: &'a Estimate, start: Packed, settings: BeamSettings<'a>) -> Beam<'a> {
        let threads = settings.threads.max(1);
        let occupants = start.occupants();
        let empty = byte(empty_in(&occupants));
        let hashes = Hashes::new();
        let hash = hashes.of(&occupants);
        let mut levels = vec![Vec::new(); threads];
        let (values, correction) = (estimate.values(&occupants), estimate.correction(&occupants));
        levels[0].push(Node { occupants, empty, before: empty, correction, hash, values });
        Beam {
            estimate,
            slices: estimate.slices(),
            hashes,
            settings,
            width: 0,
            limit: SCORES - 1,
            cost: None,
            levels,
            spare: vec![Vec::new(); threads],
            links: Vec::new(),
            found: (0..threads).map(|_| (0..threads).map(|_| Buckets::new(SCORES)).collect()).collect(),
        }
    }

    /// Replaces the level by the best of its children, with `most` moves left at most. Returns `true` if the goal is
    /// among them, and `None` after the deadline.
    fn advance(&mut self, most: usize) -> Option<bool> {
        let begun = Instant::now();
        let expanded: usize = self.levels.iter().map(Vec::len).sum();
        self.width = self.next_width(most);
        let mut found = mem::take(&mut self.found);
        let this = &*self;
        let in_time =
            each(found.iter_mut().zip(&self.levels).collect(), |(found, level)| this.expand(level, most, found));
        if in_time.contains(&false) {
            return None;
        }
        let spare = mem::take(&mut self.spare);
        let (this, lists) = (&*self, &found);
        let chosen = each(spare.into_iter().enumerate().collect(), |(part, level)| this.choose(lists, part, level));
        self.found = found;
        let full = chosen.iter().all(|chosen| chosen.level.len() >= self.share());
        let worst = chosen.iter().map(|chosen| chosen.worst).max().unwrap_or(0);
        self.limit = if full { (worst + SLACK).min(SCORES - 1) } else { SCORES - 1 };
        let done = chosen.iter().any(|chosen| chosen.done);
        let (levels, links): (Vec<_>, Vec<_>) = chosen.into_iter().map(|chosen| (chosen.level, chosen.links)).unzip();
        self.spare = mem::replace(&mut self.levels, levels);
        self.links.push(links.concat());
        if expanded >= FIRST_WIDTH {
            #[expect(clippy::cast_precision_loss, reason = "a width is below 2^27")]
            let cost = begun.elapsed().as_secs_f64() / expanded as f64;
            self.cost = Some(self.cost.map_or(cost, |known| 0.5 * known + 0.5 * cost));
        }
        Some(done)
    }

    /// The width of the next level, with `most` moves left at most.
    fn next_width(&self, most: usize) -> usize {
        match (self.settings.width, self.cost) {
            (Width::Fixed(width), _) => width,
            (Width::Paced(widest), None) => widest.min(FIRST_WIDTH),
            (Width::Paced(widest), Some(cost)) => {
                let left = self.settings.deadline.left().min(Duration::from_secs(1 << 30)).as_secs_f64();
                let levels = u32::try_from(most.saturating_sub(QUICK_LEVELS).max(2)).unwrap_or(u32::MAX);
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of positions")]
                let width = (left / f64::from(levels) / cost) as usize;
                width.clamp(FIRST_WIDTH / 10, widest.max(FIRST_WIDTH / 10))
            }
        }
    }

    /// Positions that one share of a level has room for.
    fn share(&self) -> usize {
        self.width.div_ceil(self.levels.len())
    }

    /// Fills `found` with the children of some positions; `false` after the deadline.
    ///
    /// The look-ups of many positions follow each other directly, so that the processor waits for a dozen cache misses
    /// at once.
    fn expand(&self, level: &[Node], most: usize, found: &mut Found) -> bool {
        found.iter_mut().for_each(Buckets::clear);
        let mut children = Vec::new();
        for (batch, nodes) in level.chunks(BATCH).enumerate() {
            if batch % BATCHES_PER_CHECK == 0 && self.settings.deadline.passed() {
                return false;
            }
            children.clear();
            for (number, node) in (batch * BATCH..).zip(nodes) {
                self.children(number, node, &mut children);
            }
            for Child { candidate, group, index, .. } in &mut children {
                for change in 0..CHANGES {
                    let table = self.slices[LOOK_OF[change]][usize::from(group[change]) % GROUPS];
                    candidate.changed[change] = table[index[change] as usize];
                }
            }
            for Child { candidate, others, correction, second, .. } in &children {
                let changed = &candidate.changed;
                let (mut sum, mut bound) = (0, 0);
                for look in 0..IMAGES {
                    let by_tiles = others[look] + changed[look];
                    let [first, other] = [changed[IMAGES + 2 * look], changed[IMAGES + 2 * look + 1]];
                    let by_spots = others[IMAGES + look] + first + (other & second[look]);
                    sum += usize::from(by_tiles) + usize::from(by_spots);
                    bound = bound.max(by_tiles).max(by_spots);
                }
                let score = Estimate::score(sum, bound, *correction);
                if usize::from(bound) < most && score <= self.limit {
                    found[self.part(candidate.hash)].push(score, *candidate);
                }
            }
        }
        true
    }

    /// The share of a position.
    #[inline]
    fn part(&self, hash: u32) -> usize {
        // The lowest bit is not part of what positions are compared by.
        (hash >> 1) as usize % self.levels.len()
    }

    /// Adds a position's children, without the values that have to be looked up.
    #[inline]
    fn children(&self, number: usize, node: &Node, children: &mut Vec<Child>) {
        let (spot_of, occupants) = digits(&node.occupants);
        let empty = usize::from(node.empty);
        // No look exceeds 255 moves.
        let sums = node.values.map(|values| values.iter().fold(0, |sum: u8, &value| sum.wrapping_add(value)));
        let parent = u32::try_from(number).expect("a level is at most WIDEST");
        let by_spots = self.estimate.by_spots();
        let entered = by_spots.each_ref().map(|look| look.index(look.group(empty), &occupants));
        for &to in self.estimate.board().empty_after(empty) {
            // The move back would undo the last swap.
            if to == usize::from(node.before) {
                continue;
            }
            let tile = occupants[to % ROOM];
            let hash = self.hashes.after(node.hash, empty, to, tile);
            let candidate = Candidate { hash, parent, to: byte(to), changed: [0; CHANGES] };
            let (group, index) = ([0; CHANGES], [0; CHANGES]);
            let correction = node.correction + self.estimate.corrected(tile, to, empty);
            let mut child = Child { candidate, group, index, others: sums, correction, second: [0; IMAGES] };
            for (number, look) in self.estimate.by_tiles().iter().enumerate() {
                let group = look.group(tile.into());
                let moved = look.change(tile.into(), byte(to), node.empty);
                child.group[number] = byte(group);
                child.index[number] = look.index(group, &spot_of).wrapping_add(moved);
                child.others[number] = child.others[number].wrapping_sub(node.values[number][group]);
            }
            for (number, look) in by_spots.iter().enumerate() {
                let (left, filled) = (look.change(to, tile, EMPTY), look.change(empty, EMPTY, tile));
                let groups = [look.group(to), look.group(empty)];
                let (place, values) = (IMAGES + 2 * number, &node.values[IMAGES + number]);
                // If both spots are in one group, both look-ups are the group's.
                let different = if groups[0] == groups[1] { 0 } else { u32::MAX };
                child.index[place] =
                    look.index(groups[0], &occupants).wrapping_add(left).wrapping_add(filled & !different);
                child.index[place + 1] = entered[number].wrapping_add(filled).wrapping_add(left & !different);
                [child.group[place], child.group[place + 1]] = groups.map(byte);
                child.second[number] = if different == 0 { 0 } else { u8::MAX };
                let before = values[groups[0]].wrapping_add(values[groups[1]] & child.second[number]);
                child.others[IMAGES + number] = child.others[IMAGES + number].wrapping_sub(before);
            }
            children.push(child);
        }
    }

    /// The best distinct positions of one thread's share. `level` is memory for them.
    fn choose(&self, expanded: &[Found], part: usize, mut level: Vec<Node>) -> Chosen {
        level.clear();
        let width = self.share();
        let mut links = Vec::with_capacity(width.min(4 * self.links.last().map_or(1, Vec::len)));
        let mut seen = Seen::default();
        let mut worst = 0;
        for score in 0..=self.limit {
            let total: usize = expanded.iter().map(|found| found[part].len(score)).sum();
            if total == 0 {
                continue;
            }
            if level.len() == width {
                break;
            }
            worst = score;
            seen.clear(total);
            let mut offset = 0;
            'shares: for (found, parents) in expanded.iter().zip(&self.levels) {
                for candidate in found[part].items(score) {
                    if !seen.insert(candidate.hash) {
                        continue;
                    }
                    let parent = &parents[candidate.parent as usize];
                    level.push(self.child(parent, candidate));
                    links.push((offset + candidate.parent) << SPOT_BITS | u32::from(parent.empty));
                    if level.len() == width {
                        break 'shares;
                    }
                }
                offset += u32::try_from(parents.len()).expect("a level is at most WIDEST");
            }
            if score == 0 {
                return Chosen { level, links, worst, done: true };
            }
        }
        Chosen { level, links, worst, done: false }
    }

    /// The child of a position.
    #[inline]
    fn child(&self, parent: &Node, candidate: &Candidate) -> Node {
        let mut node = *parent;
        let (to, empty) = (usize::from(candidate.to), usize::from(parent.empty));
        let tile = parent.occupants[to];
        node.occupants[empty] = tile;
        node.occupants[to] = EMPTY;
        (node.empty, node.before, node.hash) = (candidate.to, parent.empty, candidate.hash);
        node.correction += self.estimate.corrected(tile, to, empty);
        for (number, look) in self.estimate.by_tiles().iter().enumerate() {
            node.values[number][look.group(tile.into())] = candidate.changed[number];
        }
        for (number, look) in self.estimate.by_spots().iter().enumerate() {
            for (place, spot) in (IMAGES + 2 * number..).zip([to, empty]) {
                node.values[IMAGES + number][look.group(spot)] = candidate.changed[place];
            }
        }
        node
    }

    /// The path to the goal in the current level.
    fn path(&self) -> Vec<u8> {
        let (mut number, mut empty) = (0, 0);
        for level in &self.levels {
            match level.first() {
                Some(node) if node.is_goal() => {
                    empty = node.empty;
                    break;
                }
                _ => number += level.len(),
            }
        }
        let mut path = vec![empty];
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;
    use crate::gap_table::GapTables;
    use crate::groups::GAP_THREES;

    fn foxy() -> Packed {
        Packed::from(&"THEQU ICKBR OWNFX JMPSV LADG+".parse::<loyd_kit::Board>().unwrap())
    }

    #[test]
    fn a_level_has_distinct_positions_with_their_own_values_in_the_order_of_scores() {
        let tables = GapTables::both(GAP_THREES, 2).unwrap().map(Arc::new);
        for (estimate, threads) in Estimate::both(foxy(), &tables).iter().zip([1, 3]) {
            let most_moves = &AtomicUsize::new(120);
            let settings = BeamSettings { width: Width::Fixed(300), most_moves, threads, deadline: Deadline::never() };
            let mut beam = Beam::new(estimate, estimate.direction().start(foxy()), settings);
            for depth in 0..40 {
                assert_eq!(beam.advance(120 - depth), Some(false));
                let mut seen = HashSet::new();
                for share in &beam.levels {
                    let mut before = 0;
                    for node in share {
                        assert!(seen.insert(node.occupants));
                        assert_eq!(node.values, estimate.values(&node.occupants));
                        assert_eq!(usize::from(node.empty), empty_in(&node.occupants));
                        assert_eq!(node.hash, beam.hashes.of(&node.occupants));
                        assert_eq!(node.correction, estimate.correction(&node.occupants));
                        let looks = node.values.map(|values| values.iter().map(|&value| usize::from(value)).sum());
                        let score =
                            Estimate::score(looks.iter().sum(), byte(*looks.iter().max().unwrap()), node.correction);
                        assert!(before <= score);
                        before = score;
                    }
                }
                assert!(seen.len() <= 300 && (depth < 8 || seen.len() > 280), "{} after {depth}", seen.len());
            }
        }
    }

    #[test]
    fn a_paced_beam_ends_in_time_with_a_legal_answer() {
        let tables = GapTables::both(GAP_THREES, 2).unwrap().map(Arc::new);
        let [estimate, _] = Estimate::both(foxy(), &tables);
        let most_moves = &AtomicUsize::new(140);
        for milliseconds in [0, 300] {
            let deadline = Deadline::after(Duration::from_millis(milliseconds));
            let settings = BeamSettings { width: Width::Paced(20_000), most_moves, threads: 1, deadline };
            let found = search(&estimate, foxy(), settings);
            assert!(milliseconds > 0 || found.is_none());
            if let Some(path) = found {
                assert!(crate::position::moves(&path).is_some() && !deadline.passed());
            }
        }
    }
}
