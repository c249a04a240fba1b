//! Pattern databases: for a group of tiles, the least number of its own moves to the goal from each position.
//!
//! Every move moves one tile, so the values of groups that share no tile can be added and stay a lower bound. The index
//! of a position is a number with one digit per tile, to the base of the number of spots. It wastes the positions with
//! two tiles on one spot, half of all for six tiles. In return a move changes it by a single addition, and the sweeps
//! that build the table need it.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::buffer::Buffer;
use crate::ending::Ending;
use crate::geometry::Geometry;
use crate::relax::{UNREACHED, relax};

/// Number of a group's own moves before the goal for which its positions are searched together with the empty spot.
/// More adds nothing (`examples/experiments/empty_spot.rs`).
pub const ENDING: u8 = 4;

/// The table of one group.
#[derive(Debug)]
pub struct Table {
    homes: Vec<u8>,
    ending: u8,
    values: Buffer,
}

impl Table {
    /// Builds the table of the tiles with these homes. It takes the empty spot into account in positions with at most
    /// `ending` moves to go, and nowhere if that is 0.
    ///
    /// # Errors
    /// If there is not enough memory for one byte per position.
    ///
    /// # Panics
    /// If there are fewer than three tiles, or the board has more than 25 spots.
    pub fn build(board: &Geometry, homes: &[u8], ending: u8, threads: usize) -> io::Result<Table> {
        let size = homes.iter().map(|_| board.spots()).product();
        let mut values = Buffer::zeroed(size)?;
        values.fill(UNREACHED);
        let near = Ending::search(board, homes, ending);
        for seed in &near.seeds {
            values[index(board, seed)] = ending;
        }
        relax(&mut values, board, homes.len(), threads);
        for (tiles, cost) in &near.costs {
            values[index(board, tiles)] = *cost;
        }
        Ok(Table { homes: homes.to_vec(), ending, values })
    }

    /// Makes a table of these tiles from stored values; `None` if their number is wrong.
    pub fn from_values(board: &Geometry, homes: Vec<u8>, ending: u8, values: Buffer) -> Option<Table> {
        let size: usize = homes.iter().map(|_| board.spots()).product();
        (values.len() == size).then_some(Table { homes, ending, values })
    }

    /// The homes of its tiles, beginning with the tile of the highest digit.
    pub fn homes(&self) -> &[u8] {
        &self.homes
    }

    /// Number of moves before the goal for which it takes the empty spot into account.
    pub fn ending(&self) -> u8 {
        self.ending
    }

    /// The values by index; 255 if two tiles share a spot.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The value of the position with the tiles on these spots, in the order of [`Table::homes`].
    pub fn value(&self, board: &Geometry, tiles: &[u8]) -> u8 {
        self.values[index(board, tiles)]
    }

    /// SHA-256 of the homes and all values, in hexadecimal digits.
    pub fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.homes);
        hash.update(&*self.values);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Total size of tables in bytes; each distinct table counts once.
pub fn bytes<'a>(tables: impl IntoIterator<Item = &'a Arc<Table>>) -> usize {
    let sizes: BTreeMap<_, usize> =
        tables.into_iter().map(|table| (Arc::as_ptr(table), table.values().len())).collect();
    sizes.values().sum()
}

/// The index of a position.
fn index(board: &Geometry, tiles: &[u8]) -> usize {
    tiles.iter().fold(0, |index, &spot| index * board.spots() + usize::from(spot))
}
