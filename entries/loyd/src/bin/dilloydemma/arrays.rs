//! The nine arrays of penalties of the second technique, one penalty for every tile on every spot.

use loyd_kit::{Penalties, Spot, Tile};

use super::lists::Lists;

/// Three measures of a tile's distance, each with three ways to weight the tiles by their rank in the priority lists:
/// nearly flat, even, and steep.
pub(crate) fn arrays(lists: &Lists) -> Vec<Penalties> {
    let measures: [fn(Tile, Spot) -> i32; 3] = [
        |tile, spot| 2 * i32::from(spot.moves_to(tile.home())),
        |tile, spot| 2 * i32::from(spot.distance(tile.home())),
        |tile, spot| i32::from(spot.moves_to(tile.home())) + i32::from(spot != tile.home()),
    ];
    let weights: [fn(i32) -> i32; 3] = [|rank| 48 - rank / 2, |rank| 32 - rank, |rank| 8 + (24 - rank).pow(2) / 8];
    let pairs = measures.into_iter().flat_map(|measure| weights.map(|weight| (measure, weight)));
    pairs
        .map(|(measure, weight)| Penalties::new(|tile, spot| weight(rank(lists, tile)) * measure(tile, spot)))
        .collect()
}

/// The rank of a tile in the lists; `S`, `T` and `X` come last, as they can be out of place until the end.
fn rank(lists: &Lists, tile: Tile) -> i32 {
    let rank = if matches!(tile.letter(), 'S' | 'T' | 'X') { 24 } else { lists.rank(tile) };
    i32::try_from(rank).expect("a rank of at most 24")
}
