//! The last moves in a table: the empty spot has to get home as well.
//!
//! Without the empty spot a position of a group contains too little about the end. The last move of every answer moves
//! one of the two tiles that belong next to the last spot, and the empty spot walks there from the centre, past tiles
//! that are in place afterwards. A group with those tiles can take that into account. Its positions near the goal are
//! searched together with the empty spot, and the sweeps over the rest of the table begin where that search stopped. In
//! the end the empty spot is dropped: the value of a position is that of its best empty spot. For a group with both
//! tiles this adds 0.9 moves to the mean bound; keeping the empty spot in the index would add another 0.01, at 20 times
//! the memory (`examples/experiments/empty_spot.rs`).

use rustc_hash::FxHashMap;

use crate::geometry::Geometry;
use crate::position::byte;

/// Bits of a spot in the number of a position.
const BITS: usize = 5;

/// The positions of a group near its goal, by the spots of its tiles.
#[derive(Debug)]
pub(crate) struct Ending {
    /// The moves of the group to the goal from each position, at most `depth`, for the best empty spot.
    pub(crate) costs: Vec<(Vec<u8>, u8)>,
    /// The positions that take exactly `depth` for some empty spot. Paths from farther away pass one of them.
    pub(crate) seeds: Vec<Vec<u8>>,
}

impl Ending {
    /// Searches backwards from the goal of the tiles with these homes, up to `depth` of their moves.
    ///
    /// Moves of other tiles are free and change only the empty spot. A transport is undone only while the centre is
    /// empty, and to any spot. So the empty spots with which one position is reached form a bit set, which is extended
    /// as far as free spots lead.
    pub(crate) fn search(board: &Geometry, homes: &[u8], depth: u8) -> Ending {
        let before: Vec<u32> = (0..board.spots()).map(|spot| bits(board.empty_before(spot))).collect();
        let mut reached: FxHashMap<u32, u32> = FxHashMap::default();
        let (mut costs, mut seeds) = (Vec::new(), Vec::new());
        let mut level = FxHashMap::from_iter([(number(homes), 1 << board.end())]);
        for cost in 0..=depth {
            let mut next = FxHashMap::default();
            for (position, empties) in level {
                let tiles = spots(position, homes.len());
                let taken = tiles.iter().fold(0, |taken, tile| taken | 1 << tile);
                let known = reached.get(&position).copied();
                let fresh = fill(empties & !known.unwrap_or(0), taken | known.unwrap_or(0), &before);
                if fresh == 0 {
                    continue;
                }
                if known.is_none() {
                    costs.push((tiles.clone(), cost));
                }
                if cost == depth {
                    seeds.push(tiles.clone());
                }
                reached.insert(position, fresh | known.unwrap_or(0));
                for empty in ones(fresh) {
                    for spot in ones(before[empty] & taken) {
                        let mut tiles = tiles.clone();
                        let moved = tiles.iter_mut().find(|tile| usize::from(**tile) == spot);
                        *moved.expect("a tile is on the spot") = byte(empty);
                        *next.entry(number(&tiles)).or_default() |= 1 << spot;
                    }
                }
            }
            level = next;
        }
        Ending { costs, seeds }
    }
}

/// All spots that the empty spot reaches from `from` without entering `walls`.
fn fill(from: u32, walls: u32, before: &[u32]) -> u32 {
    let (mut all, mut last) = (from, from);
    while last != 0 {
        last = ones(last).fold(0, |reached, spot| reached | before[spot]) & !(all | walls);
        all |= last;
    }
    all
}

/// The bit set of these spots.
fn bits(spots: &[usize]) -> u32 {
    spots.iter().fold(0, |bits, spot| bits | 1 << spot)
}

/// The spots of a bit set.
fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let spot = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (spot < u32::BITS).then_some(spot as usize)
    })
}

/// The spots of up to six tiles as one number.
fn number(tiles: &[u8]) -> u32 {
    tiles.iter().rev().fold(0, |number, &tile| number << BITS | u32::from(tile))
}

fn spots(number: u32, tiles: usize) -> Vec<u8> {
    (0..tiles).map(|tile| byte((number >> (BITS * tile)) as usize % (1 << BITS))).collect()
}
