//! An experiment: how much more tables would know that also know the empty spot.
//!
//! `cargo run --release --package loyd-house --example empty_spot`: for groups of four tiles, the mean over all
//! positions of the table that knows nothing of the empty spot, of those that know it near the goal, of the exact cost
//! of the group's own moves from the best place of the empty spot, and from all its places.

use std::collections::VecDeque;

use loyd_house::geometry::{Geometry, SIDE};
use loyd_house::table::Table;

/// Groups without and with the two tiles next to the last spot.
const GROUPS: [[u8; 4]; 5] = [[0, 1, 5, 6], [9, 13, 14, 19], [13, 14, 19, 23], [14, 18, 19, 23], [18, 19, 22, 23]];
/// How far before the goal a table knows of the empty spot.
const ENDINGS: [u8; 5] = [0, 1, 2, 4, 6];

fn main() -> std::io::Result<()> {
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
        let mut means = Vec::new();
        for ending in ENDINGS {
            let table = Table::build(&board, &homes, ending, 2)?;
            let values: Vec<f64> =
                table.cells().iter().filter(|&&value| value != u8::MAX).map(|&value| value.into()).collect();
            means.push(format!("{:.3}", average(&values)));
        }
        println!("{homes:?}: {}; {:.3}, {:.3}", means.join(" "), average(&best), average(&mean));
    }
    Ok(())
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The cost of the group's own moves to the goal from every position of its tiles and the empty spot, which is the
/// last digit of the index; 255 where there is none.
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
        // Where the empty spot was before the move that brought it here; what stands there now came from here.
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
