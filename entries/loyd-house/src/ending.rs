//! What a table can know about the last moves: that the empty spot has to get home as well.
//!
//! Without the empty spot a position of a group says too little about the end. The last move of every answer is made by
//! one of the two tiles that belong next to the last spot, and the empty spot walks there from the centre, past tiles
//! that stand right afterwards. A group with those tiles can be held to that: its positions near the goal are searched
//! together with the empty spot, and the sweeps over the rest of the table begin where that search stopped. In the end
//! the empty spot is forgotten: a position is worth what its best place gives. For a group with both tiles that adds
//! 0.9 moves to the mean bound; to keep the empty spot in the index would add another 0.01, at 20 times the memory
//! (`examples/empty_spot.rs`).

use rustc_hash::FxHashMap;

use crate::geometry::Geometry;
use crate::position::byte;

/// Bits of a spot in the number of a position.
const BITS: usize = 5;

/// The positions of a group near its goal, by the spots of its tiles.
#[derive(Debug)]
pub(crate) struct Ending {
    /// Its moves to the goal from each, at most `depth`, the empty spot being at the best place.
    pub(crate) costs: Vec<(Vec<u8>, u8)>,
    /// Those that take exactly `depth` for some place of the empty spot. Whoever comes from further away passes one.
    pub(crate) seeds: Vec<Vec<u8>>,
}

impl Ending {
    /// Searches backwards from the goal of the tiles with these homes, up to `depth` moves of theirs.
    ///
    /// Moves of other tiles cost nothing and change nothing but where the empty spot is. A transport is taken back
    /// only while the centre is empty, and to any spot. So the places of the empty spot that one position is reached
    /// with are a set of bits, which is filled as far as free spots lead.
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
                        *moved.expect("a tile takes the spot") = byte(empty);
                        *next.entry(number(&tiles)).or_default() |= 1 << spot;
                    }
                }
            }
            level = next;
        }
        Ending { costs, seeds }
    }
}

/// All spots that the empty spot reaches from some, but for those it must not enter.
fn fill(from: u32, walls: u32, before: &[u32]) -> u32 {
    let (mut all, mut last) = (from, from);
    while last != 0 {
        last = ones(last).fold(0, |reached, spot| reached | before[spot]) & !(all | walls);
        all |= last;
    }
    all
}

/// The set of some spots.
fn bits(spots: &[usize]) -> u32 {
    spots.iter().fold(0, |bits, spot| bits | 1 << spot)
}

/// The spots of a set.
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
