//! Tables: for each way to place a few tiles, a lower bound on the moves of these tiles to their homes.
//!
//! The array has one digit per tile, to the base 25: the spot of that tile. A sweep compares each entry with those that one
//! move of one of the tiles of the first digits leads to, and lowers it to 1 more than the least. For these tiles a sweep
//! compares long rows, which is fast. So between two sweeps the last digits are moved to the front, and each sweep treats
//! half of the tiles. Sweeps are repeated until two in sequence, which treat all tiles, change nothing. They are the proof
//! that the table is a lower bound: no entry exceeds any that follows it by more than one, and the entries with which the
//! sweeps began contain their bounds. So it does not matter how the others were found.
//!
//! **The ending.** Near the goal it matters where the empty spot is. Let the cost of a placement with an empty spot be the
//! moves of the table's tiles to the goal, while other tiles move freely. [`near`] finds all costs up to `ending`. On any
//! path to the goal the cost falls from move to move by at most one. So a path that begins above `ending` passes a
//! placement with exactly that cost for some empty spot, and the sweeps begin with those. An entry with a known cost
//! contains the least of any empty spot.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::rules::{End, SPOTS, byte, step};

/// The value of entries with two tiles on one spot. They are not placements.
const NONE: u8 = u8::MAX;
/// The value of placements that no sweep has reached yet.
const UNKNOWN: u8 = NONE - 1;
/// Rows and columns that are rotated together.
const SQUARE: usize = 64;
/// Columns of the array that a sweep treats together, so that they stay in a cache.
const COLUMNS: usize = 1 << 12;

/// The table of a few tiles.
#[derive(Debug)]
pub(crate) struct Table {
    /// The home of each tile, beginning with the tile of the highest digit.
    pub(crate) homes: Vec<usize>,
    /// The bound for each placement of the tiles, by its number.
    pub(crate) values: Vec<u8>,
}

impl Table {
    /// Builds the table of the tiles with these homes, for the moves from one end and a goal with this empty spot.
    pub(crate) fn build(end: End, homes: &[usize], hole: usize, ending: u8) -> Table {
        let mut values = vec![UNKNOWN; homes.iter().map(|_| SPOTS).product()];
        let costs = near(end, homes, hole, ending);
        for placement in costs.iter().filter(|(_, costs)| costs.contains(&ending)).map(|(placement, _)| placement) {
            values[number(placement)] = ending;
        }
        exclude(&mut values, 0);
        // A tile goes where the empty spot is, which comes to the tile's spot.
        let spots = 0..SPOTS;
        let pairs = spots.clone().flat_map(|from| spots.clone().map(move |to| (from, to)));
        let steps: Vec<(usize, usize)> = pairs.filter(|&(from, to)| step(end, to, from)).collect();
        let (first, last) = (homes.len().div_ceil(2), homes.len() / 2);
        let numbers = |digits: usize| values.len() / SPOTS.pow(u32::from(byte(homes.len() - digits)));
        let (of_first, of_last) = (numbers(first), numbers(last));
        let (mut unchanged, mut rotated) = (0, false);
        loop {
            unchanged = if sweep(&mut values, &steps, first) { 0 } else { unchanged + 1 };
            if unchanged >= 2 && !rotated {
                break;
            }
            values = rotate(&values, if rotated { of_first } else { of_last });
            rotated = !rotated;
        }
        for (placement, costs) in &costs {
            values[number(placement)] = *costs.iter().min().expect("a cost for each placement");
        }
        Table { homes: homes.to_vec(), values }
    }

    /// SHA-256 of homes and values, in hexadecimal digits.
    pub(crate) fn checksum(&self) -> String {
        let homes: Vec<u8> = self.homes.iter().map(|&home| byte(home)).collect();
        hexadecimal(&Sha256::new().chain_update(homes).chain_update(&self.values).finalize())
    }
}

/// The bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The number of a placement.
fn number(placement: &[u8]) -> usize {
    placement.iter().fold(0, |number, &spot| number * SPOTS + usize::from(spot))
}

/// Excludes the entries with two tiles on one spot; the tiles before this part stand on `taken`.
fn exclude(values: &mut [u8], taken: u32) {
    let width = values.len() / SPOTS;
    for (spot, part) in values.chunks_exact_mut(width).enumerate() {
        if taken & 1 << spot != 0 {
            part.fill(NONE);
        } else if width > 1 {
            exclude(part, taken | 1 << spot);
        }
    }
}

/// Moves the last digits of all numbers to the front; `parts` is how many numbers they form.
fn rotate(values: &[u8], parts: usize) -> Vec<u8> {
    let mut rotated = vec![0; values.len()];
    let height = values.len() / parts;
    // Square after square, because entries next to each other in one array are far from each other in the other one.
    for top in (0..height).step_by(SQUARE) {
        for left in (0..parts).step_by(SQUARE) {
            let rows = SQUARE.min(height - top);
            for column in left..parts.min(left + SQUARE) {
                let places = &mut rotated[column * height + top..][..rows];
                for (place, row) in places.iter_mut().zip(values[top * parts..].chunks_exact(parts)) {
                    *place = row[column];
                }
            }
        }
    }
    rotated
}

/// Lowers each entry to at most 1 more than any entry that one move of one of the first `tiles` tiles leads to; true if
/// anything changed. `steps` has the spots between which a tile goes in one move.
fn sweep(values: &mut [u8], steps: &[(usize, usize)], tiles: usize) -> bool {
    let mut changed = false;
    let mut width = values.len();
    for _ in 0..tiles {
        width /= SPOTS;
        for block in values.chunks_exact_mut(SPOTS * width) {
            for column in (0..width).step_by(COLUMNS) {
                let columns = column..width.min(column + COLUMNS);
                for &(from, to) in steps {
                    let (low, high) = block.split_at_mut(from.max(to) * width);
                    let other = from.min(to) * width;
                    let (low, high) = (&mut low[other..other + width][columns.clone()], &mut high[columns.clone()]);
                    let (entries, after) = if from < to { (low, high) } else { (high, low) };
                    changed |= lower(entries, after);
                }
            }
        }
    }
    changed
}

/// Lowers entries to 1 more than those after a move; true if anything changed.
fn lower(entries: &mut [u8], after: &[u8]) -> bool {
    let mut difference = 0;
    for (entry, after) in entries.iter_mut().zip(after) {
        // Without a branch, the compiler treats many entries at a time.
        let excluded = if *entry == NONE { NONE } else { 0 };
        let lowered = (*entry).min(after.saturating_add(1)) | excluded;
        difference |= *entry ^ lowered;
        *entry = lowered;
    }
    difference != 0
}

/// The costs of all placements up to `most`, for the empty spots that have one: a search backwards from the goal.
fn near(end: End, homes: &[usize], hole: usize, most: u8) -> HashMap<Vec<u8>, Vec<u8>> {
    const FAR: u8 = u8::MAX;
    let goal: Vec<u8> = homes.iter().map(|&home| byte(home)).collect();
    // By placement, the cost for each empty spot.
    let mut costs: HashMap<Vec<u8>, [u8; SPOTS]> = HashMap::new();
    let mut level = vec![(goal, hole)];
    for cost in 0..=most {
        let mut next = Vec::new();
        while let Some((placement, empty)) = level.pop() {
            let known = &mut costs.entry(placement.clone()).or_insert([FAR; SPOTS])[empty];
            if *known <= cost {
                continue;
            }
            *known = cost;
            // The move before took the empty spot from `before` to `empty`, and the tile on `before` came from `empty`.
            for before in (0..SPOTS).filter(|&before| step(end, before, empty)) {
                let mut earlier = placement.clone();
                match earlier.iter_mut().find(|spot| usize::from(**spot) == before) {
                    Some(tile) => {
                        *tile = byte(empty);
                        next.push((earlier, before));
                    }
                    None => level.push((earlier, before)),
                }
            }
        }
        level = next;
    }
    let known = |costs: [u8; SPOTS]| costs.into_iter().filter(|&cost| cost != FAR).collect();
    costs.into_iter().map(|(placement, costs)| (placement, known(costs))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost of each placement of two tiles, by a search that includes the empty spot everywhere.
    fn exact(end: End, homes: [usize; 2], hole: usize) -> HashMap<Vec<u8>, u8> {
        let least = |costs: Vec<u8>| costs.into_iter().min().expect("a cost");
        near(end, &homes, hole, 200).into_iter().map(|(placement, costs)| (placement, least(costs))).collect()
    }

    /// The distance of each placement to the goal if the empty spot does not matter.
    fn distances(end: End, homes: [usize; 2]) -> HashMap<Vec<u8>, u8> {
        let goal: Vec<u8> = homes.iter().map(|&home| byte(home)).collect();
        let mut found = HashMap::from([(goal.clone(), 0)]);
        let mut queue = std::collections::VecDeque::from([goal]);
        while let Some(placement) = queue.pop_front() {
            let next = found[&placement] + 1;
            for tile in 0..2 {
                for from in (0..SPOTS).filter(|&from| step(end, usize::from(placement[tile]), from)) {
                    let mut before = placement.clone();
                    before[tile] = byte(from);
                    if before[0] != before[1] && !found.contains_key(&before) {
                        found.insert(before.clone(), next);
                        queue.push_back(before);
                    }
                }
            }
        }
        found
    }

    #[test]
    fn a_table_bounds_the_costs_from_below() {
        for (end, homes, hole) in [
            (End::Board, [19, 23], 24),
            (End::Board, [0, 7], 24),
            (End::Goal, [12, 1], 0),
            (End::Goal, [6, 11], 12),
            (End::Goal, [7, 12], 2),
        ] {
            let (most, least) = (exact(end, homes, hole), distances(end, homes));
            for ending in [0, 2, 4] {
                let table = Table::build(end, &homes, hole, ending);
                let mut placements = 0;
                for (index, &value) in table.values.iter().enumerate() {
                    let placement = vec![byte(index / SPOTS), byte(index % SPOTS)];
                    let (Some(&most), Some(&least)) = (most.get(&placement), least.get(&placement)) else {
                        assert_eq!((value, placement[0]), (NONE, placement[1]));
                        continue;
                    };
                    placements += 1;
                    assert!(least <= value && value <= most, "{homes:?} {placement:?}: {least} {value} {most}");
                    assert!(ending > 0 || value == least);
                    assert!(most > ending || value == most, "{homes:?} {placement:?}");
                }
                assert_eq!(placements, 600);
            }
        }
    }
}
