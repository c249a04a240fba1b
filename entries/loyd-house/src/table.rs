//! Pattern databases: of a group of tiles, how many moves of its own tiles it needs at least from each position.
//!
//! Every move moves one tile, so the values of groups that share no tile may be added up and stay a lower bound. The
//! index of a position is a number with one digit a tile, to the base of the spots. It wastes the positions with two
//! tiles on one spot, half of all for six tiles, but a move changes it by a single addition, and the sweeps that build
//! the table need it so.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::cells::Cells;
use crate::ending::Ending;
use crate::geometry::Geometry;
use crate::relax::{UNREACHED, relax};

/// How many of its own moves before the goal a group's position is still searched together with the empty spot. More
/// adds nothing (`examples/empty_spot.rs`).
pub const ENDING: u8 = 4;

/// The table of one group.
#[derive(Debug)]
pub struct Table {
    homes: Vec<u8>,
    ending: u8,
    cells: Cells,
}

impl Table {
    /// Builds the table of the tiles that belong on these spots. With `ending` 0 it knows nothing of the empty spot;
    /// else it knows of it in positions with at most so many moves to go.
    ///
    /// # Errors
    /// If there is not enough memory for one byte a position.
    ///
    /// # Panics
    /// If there are fewer than three tiles, or the board has more than 25 spots.
    pub fn build(board: &Geometry, homes: &[u8], ending: u8, threads: usize) -> io::Result<Table> {
        let size = homes.iter().map(|_| board.spots()).product();
        let mut cells = Cells::zeroed(size)?;
        cells.fill(UNREACHED);
        let near = Ending::search(board, homes, ending);
        for seed in &near.seeds {
            cells[index(board, seed)] = ending;
        }
        relax(&mut cells, board, homes.len(), threads);
        for (tiles, cost) in &near.costs {
            cells[index(board, tiles)] = *cost;
        }
        Ok(Table { homes: homes.to_vec(), ending, cells })
    }

    /// A table of these tiles whose values were kept; `None` if their number does not fit.
    pub fn from_cells(board: &Geometry, homes: Vec<u8>, ending: u8, cells: Cells) -> Option<Table> {
        let size: usize = homes.iter().map(|_| board.spots()).product();
        (cells.len() == size).then_some(Table { homes, ending, cells })
    }

    /// The spots its tiles belong on, the one of the highest digit first.
    pub fn homes(&self) -> &[u8] {
        &self.homes
    }

    /// How many moves before the goal it knows of the empty spot.
    pub fn ending(&self) -> u8 {
        self.ending
    }

    /// The values by index; 255 where two tiles share a spot.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The value of the position with the tiles on these spots, in the order of [`Table::homes`].
    pub fn value(&self, board: &Geometry, tiles: &[u8]) -> u8 {
        self.cells[index(board, tiles)]
    }

    /// SHA-256 of the homes and all values, in hexadecimal digits.
    pub fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.homes);
        hash.update(&*self.cells);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Bytes of tables, each of which counts once.
pub fn bytes<'a>(tables: impl IntoIterator<Item = &'a Arc<Table>>) -> usize {
    let sizes: BTreeMap<_, usize> = tables.into_iter().map(|table| (Arc::as_ptr(table), table.cells().len())).collect();
    sizes.values().sum()
}

/// The number of a position.
fn index(board: &Geometry, tiles: &[u8]) -> usize {
    tiles.iter().fold(0, |index, &spot| index * board.spots() + usize::from(spot))
}
