//! The gain of tables that take the empty spot into account.
//!
//! For groups of four tiles, it prints the mean over all positions of the table without the empty spot, of the tables
//! that include it near the goal, and of the exact cost of the group's own moves, for the best empty spot and for all
//! of them.

use std::collections::VecDeque;

use loyd_house::geometry::{Geometry, SIDE};
use loyd_house::table::Table;

/// Groups without and with the two tiles next to the last spot.
const GROUPS: [[u8; 4]; 5] = [[0, 1, 5, 6], [9, 13, 14, 19], [13, 14, 19, 23], [14, 18, 19, 23], [18, 19, 22, 23]];
/// Numbers of moves before the goal for which a table takes the empty spot into account.
const ENDINGS: [u8; 5] = [0, 1, 2, 4, 6];

pub(crate) fn run() -> Result<(), Box<dyn std::error::Error>> {
    let board = Geometry::new(SIDE);
    println!("homes: by ending {ENDINGS:?}; best empty spot, mean empty spot");
    for homes in GROUPS {
        let exact = with_empty_spot(&board, &homes);
        let (mut best, mut mean) = (Vec::new(), Vec::new());
        for known in exact.chunks_exact(board.spots()) {
            let known: Vec<f64> = known.iter().filter(|&&cost| cost != u8::MAX).map(|&cost| cost.into()).collect();
            if !known.is_empty() {
                best.push(known.iter().copied().fold(f64::MAX, f64::min));
                mean.push(average(&known));
            }
        }
        let mut resources = Vec::new();
        for ending in ENDINGS {
            let table = Table::build(&board, &homes, ending, 2)?;
            let values: Vec<f64> =
                table.values().iter().filter(|&&value| value != u8::MAX).map(|&value| value.into()).collect();
            resources.push(format!("{:.3}", average(&values)));
        }
        println!("{homes:?}: {}; {:.3}, {:.3}", resources.join(" "), average(&best), average(&mean));
    }
    Ok(())
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The cost of the group's own moves to the goal from every position of its tiles and the empty spot, which is the last
/// digit of the index; 255 if there is no such position.
fn with_empty_spot(board: &Geometry, homes: &[u8]) -> Vec<u8> {
    let spots = board.spots();
    let index =
        |tiles: &[usize], empty: usize| tiles.iter().chain([&empty]).fold(0, |index, spot| index * spots + spot);
    let mut costs = vec![u8::MAX; (0..=homes.len()).map(|_| spots).product()];
    let homes: Vec<usize> = homes.iter().map(|&home| home.into()).collect();
    let goal = index(&homes, board.end());
    costs[goal] = 0;
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some((state, cost)) = queue.pop_front() {
        if costs[state] < cost {
            continue;
        }
        let empty = state % spots;
        let mut tiles = vec![0; homes.len()];
        let mut rest = state / spots;
        for tile in tiles.iter_mut().rev() {
            *tile = rest % spots;
            rest /= spots;
        }
        // `before` is the empty spot one move earlier; the tile that stands there now came from `empty`.
        for &before in board.empty_before(empty) {
            let moved = tiles.iter().position(|&spot| spot == before);
            if let Some(tile) = moved {
                tiles[tile] = empty;
            }
            let (state, cost) = (index(&tiles, before), cost + u8::from(moved.is_some()));
            if cost < costs[state] {
                costs[state] = cost;
                if moved.is_some() { queue.push_back((state, cost)) } else { queue.push_front((state, cost)) }
            }
            if let Some(tile) = moved {
                tiles[tile] = before;
            }
        }
    }
    costs
}
