//! What a table can know about the last moves: that the empty spot has to get home as well.
//!
//! Without the empty spot a position of a group says too little about the end. The last move of every answer is made by
//! one of the two tiles that belong next to the last spot, and the empty spot walks there from the centre, past tiles
//! that stand right afterwards. A group with those tiles can be held to that: its positions near the goal are searched
//! together with the empty spot, and the sweeps over the rest of the table begin where that search stopped. In the end
//! the empty spot is forgotten: a position is worth what its best place gives. For a group with both tiles that adds
//! 0.9 moves to the mean bound; to keep the empty spot in the index would add another 0.01, at 20 times the memory
//! (`examples/empty_spot.rs`).

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::geometry::Geometry;

/// The positions of a group near its goal: its moves to the goal from each, the empty spot being at the best place.
///
/// Those of cost `depth` are the seeds of everything further away: whoever comes from there passes one of them.
#[derive(Debug)]
pub(crate) struct Ending {
    /// Least cost, at most `depth`, by the spots of the tiles.
    pub(crate) costs: FxHashMap<Vec<u8>, u8>,
    /// Positions that are reached with exactly `depth` for some place of the empty spot.
    pub(crate) seeds: Vec<Vec<u8>>,
}

impl Ending {
    /// Searches backwards from the goal of the tiles with these homes, up to `depth` moves of theirs.
    ///
    /// Moves of other tiles cost nothing and change nothing but where the empty spot is. A transport is taken back
    /// only while the centre is empty, and to any spot.
    pub(crate) fn search(board: &Geometry, homes: &[u8], depth: u8) -> Ending {
        let goal = (homes.to_vec(), board.end());
        let mut best = FxHashMap::from_iter([(goal.clone(), 0)]);
        let mut queue = VecDeque::from([(goal, 0)]);
        while let Some(((tiles, empty), cost)) = queue.pop_front() {
            if best.get(&(tiles.clone(), empty)).is_some_and(|&least| least < cost) {
                continue;
            }
            for &before in board.empty_before(empty) {
                let mut tiles = tiles.clone();
                let moved = tiles.iter().position(|&spot| usize::from(spot) == before);
                if let Some(tile) = moved {
                    tiles[tile] = u8::try_from(empty).expect("a spot fits a byte");
                }
                let cost = cost + u8::from(moved.is_some());
                let state = (tiles, before);
                if cost > depth || best.get(&state).is_some_and(|&least| least <= cost) {
                    continue;
                }
                best.insert(state.clone(), cost);
                if moved.is_some() {
                    queue.push_back((state, cost));
                } else {
                    queue.push_front((state, cost));
                }
            }
        }
        let mut costs = FxHashMap::default();
        let mut seeds = Vec::new();
        for ((tiles, _), cost) in best {
            if cost == depth {
                seeds.push(tiles.clone());
            }
            costs.entry(tiles).and_modify(|least: &mut u8| *least = cost.min(*least)).or_insert(cost);
        }
        Ending { costs, seeds }
    }
}
