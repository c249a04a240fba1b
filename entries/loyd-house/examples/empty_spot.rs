//! An experiment: how much more tables would know that also know the empty spot.
//!
//! `cargo run --release --package loyd-house --example empty_spot`: for groups of five tiles, the mean over all
//! positions of the ordinary table, of the exact cost of the group's own moves from the best place of the empty spot,
//! and the mean of that cost over all places of the empty spot.

use std::collections::VecDeque;

use loyd_house::geometry::Geometry;
use loyd_house::table::Table;

fn main() -> std::io::Result<()> {
    let board = Geometry::new(5);
    println!("{:24} {:>8} {:>10} {:>10}", "homes", "table", "best empty", "mean empty");
    for homes in [
        [13, 14, 18, 19, 23],
        [9, 14, 18, 19, 23],
        [0, 1, 5, 6, 10],
        [2, 3, 4, 7, 8],
        [15, 16, 20, 21, 22],
        [9, 13, 14, 18, 19],
    ] {
        let table = Table::build(&board, &homes, 2)?;
        let exact = with_empty_spot(&board, &homes);
        let (mut count, mut plain, mut best, mut mean) = (0.0, 0.0, 0.0, 0.0);
        for (value, known) in table.cells().iter().zip(exact.chunks_exact(board.spots())) {
            let known: Vec<u8> = known.iter().copied().filter(|&cost| cost != u8::MAX).collect();
            let Some(least) = known.iter().min() else { continue };
            assert!(value <= least, "the table is a lower bound");
            count += 1.0;
            plain += f64::from(*value);
            best += f64::from(*least);
            mean += known.iter().map(|&cost| f64::from(cost)).sum::<f64>() / known.len() as f64;
        }
        println!("{:24} {:8.3} {:10.3} {:10.3}", format!("{homes:?}"), plain / count, best / count, mean / count);
    }
    Ok(())
}

/// The cost of the group's own moves to the goal from every position of its tiles and the empty spot, which is the
/// last digit of the index; 255 where there is none.
fn with_empty_spot(board: &Geometry, homes: &[usize]) -> Vec<u8> {
    let spots = board.spots();
    let index =
        |tiles: &[usize], empty: usize| tiles.iter().chain([&empty]).fold(0, |index, spot| index * spots + spot);
    let mut costs = vec![u8::MAX; (0..=homes.len()).map(|_| spots).product()];
    let goal = index(homes, board.last());
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
