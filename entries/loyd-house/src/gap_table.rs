//! Tables of groups from which one tile may be missing, for the estimate that orders a beam.
//!
//! The goal has 24 tiles on 25 spots, and the missing one differs from board to board when moves are undone. A group of
//! spots lacks a tile while the empty spot is in it. So the index has one more digit, for a tile that is missing, and
//! those entries contain the distances of the other tiles. The tables take no ending into account. In return a rotated
//! or mirrored group can use them, wherever the empty spot ends, and they are the same for all boards.

use std::io;

use crate::buffer::Buffer;
use crate::direction::Direction;
use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::groups::Partition;
use crate::parallel::queue;
use crate::position::byte;
use crate::table::Table;

/// The base of the index: a digit per spot, and one for a missing tile.
pub const BASE: usize = SPOTS + 1;
/// The digit of a missing tile.
pub const MISSING: usize = SPOTS;

/// The table of one group.
#[derive(Debug)]
pub struct GapTable {
    homes: Vec<u8>,
    values: Buffer,
}

impl GapTable {
    /// Builds the table of the tiles with these homes, for the moves of a board.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn build(board: &Geometry, homes: &[u8]) -> io::Result<GapTable> {
        let mut values = Buffer::zeroed(homes.iter().map(|_| BASE).product())?;
        let complete = distances(board, homes)?;
        let without = |gap: usize| distances(board, &[&homes[..gap], &homes[gap + 1..]].concat());
        let gaps: Vec<Vec<u8>> = (0..homes.len()).map(without).collect::<io::Result<_>>()?;
        let (last, leading) = gaps.split_last().expect("a group has a tile");
        // A row has all digits of the last tile. The other tables have its entries together as well.
        let mut digits = vec![0; homes.len() - 1];
        for entries in values.chunks_exact_mut(BASE) {
            let present = digits.iter().filter(|&&digit| digit != MISSING);
            let index = present.fold(0, |index, digit| index * SPOTS + digit);
            let mut missing = digits.iter().enumerate().filter(|(_, digit)| **digit == MISSING).map(|(place, _)| place);
            match (missing.next(), missing.next()) {
                (None, _) => {
                    entries[..SPOTS].copy_from_slice(&complete[index * SPOTS..][..SPOTS]);
                    entries[MISSING] = last[index];
                }
                (Some(gap), None) => entries[..SPOTS].copy_from_slice(&leading[gap][index * SPOTS..][..SPOTS]),
                // No more than one tile is missing.
                _ => {}
            }
            for digit in digits.iter_mut().rev() {
                *digit = (*digit + 1) % BASE;
                if *digit > 0 {
                    break;
                }
            }
        }
        Ok(GapTable { homes: homes.to_vec(), values })
    }

    /// The homes of its tiles, beginning with the tile of the highest digit.
    pub fn homes(&self) -> &[u8] {
        &self.homes
    }

    /// The values of the table, by index.
    pub fn values(&self) -> &[u8] {
        &self.values
    }
}

/// The tables of a partition of all spots, for one direction.
#[derive(Debug)]
pub struct GapTables {
    /// The direction of the moves.
    pub direction: Direction,
    /// One table per group of the partition.
    pub tables: Vec<GapTable>,
}

impl GapTables {
    /// Builds the tables for both directions.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn both(partition: Partition, threads: usize) -> io::Result<[GapTables; 2]> {
        let directions = [Direction::Forwards, Direction::Backwards];
        let groups: Vec<Vec<u8>> = partition.homes().collect();
        let work = directions.iter().flat_map(|&direction| groups.iter().map(move |homes| (direction, homes)));
        let tables = queue(work, threads, |(direction, homes)| GapTable::build(&moves(direction), homes));
        let mut tables = tables.into_iter();
        let mut of = |direction| -> io::Result<GapTables> {
            let tables = tables.by_ref().take(groups.len()).collect::<io::Result<_>>()?;
            Ok(GapTables { direction, tables })
        };
        Ok([of(Direction::Forwards)?, of(Direction::Backwards)?])
    }

    /// Size of all tables in bytes.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.values.len()).sum()
    }
}

/// The moves of a direction. The tables do not depend on the last empty spot.
fn moves(direction: Direction) -> Geometry {
    match direction {
        Direction::Forwards => Geometry::new(SIDE),
        Direction::Backwards => Geometry::new(SIDE).reversed(),
    }
}

/// The distances of any number of tiles to their homes, by an index to the base of the number of spots.
fn distances(board: &Geometry, homes: &[u8]) -> io::Result<Vec<u8>> {
    if homes.len() >= 3 {
        return Ok(Table::build(board, homes, 0, 1)?.values().to_vec());
    }
    // The sweeps need three tiles.
    let index = |tiles: &[u8]| tiles.iter().fold(0, |index, &spot| index * SPOTS + usize::from(spot));
    let mut distances = vec![u8::MAX; homes.iter().map(|_| SPOTS).product()];
    distances[index(homes)] = 0;
    let mut level = vec![homes.to_vec()];
    for distance in 1.. {
        let mut next = Vec::new();
        for tiles in &level {
            for place in 0..tiles.len() {
                // The empty spot goes where the tile came from.
                for &from in board.empty_after(tiles[place].into()) {
                    let mut tiles = tiles.clone();
                    if tiles.contains(&byte(from)) {
                        continue;
                    }
                    tiles[place] = byte(from);
                    if distances[index(&tiles)] == u8::MAX {
                        distances[index(&tiles)] = distance;
                        next.push(tiles);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Ok(distances)
}
