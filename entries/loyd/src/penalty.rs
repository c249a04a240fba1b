//! Tables of penalties: the penalty of a tile on a spot, and of a whole board.
//!
//! Most searches score a board by a sum over its tiles, each tile by its spot alone. They differ in the table.

use crate::board::{Board, Tile};
use crate::spot::Spot;

/// A penalty for every tile on every spot; the empty spot has none.
#[derive(Clone, Debug)]
pub struct Penalties([[i32; 25]; 25]);

impl Penalties {
    /// Builds the table from `cost(tile, spot)`.
    pub fn new(cost: impl Fn(Tile, Spot) -> i32) -> Penalties {
        let mut table = [[0; 25]; 25];
        for tile in Tile::all() {
            for spot in Spot::all() {
                table[tile.home().index()][spot.index()] = cost(tile, spot);
            }
        }
        Penalties(table)
    }

    /// The penalty of one tile on one spot.
    pub fn of(&self, tile: Tile, spot: Spot) -> i32 {
        self.0[tile.home().index()][spot.index()]
    }

    /// The penalty of a board: the sum over its tiles.
    pub fn total(&self, board: &Board) -> i32 {
        Tile::all().map(|tile| self.of(tile, board.spot_of(tile))).sum()
    }

    /// The change of a board's penalty when the tile on `from` goes to the empty spot; 0 if `from` is empty.
    pub fn change(&self, board: &Board, from: Spot) -> i32 {
        board.at(from).map_or(0, |tile| self.of(tile, board.empty()) - self.of(tile, from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;

    #[test]
    fn changes_add_up_to_the_total() {
        let table = Penalties::new(|tile, spot| i32::from(tile.home().distance(spot)).pow(2));
        let mut board = Board::perfection();
        let mut total = table.total(&board);
        assert_eq!(total, 0);
        for step in 0..500_usize {
            let made = Move::ALL[step * step % 7 % 5];
            if let Some(from) = made.empty_after(board.empty()) {
                total += table.change(&board, from);
                board.pull(from);
            }
            assert_eq!(total, table.total(&board));
        }
    }
}
