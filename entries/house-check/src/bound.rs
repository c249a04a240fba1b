//! The lower bound for a position: sums of tables, for two partitions of the tiles.
//!
//! Each move moves one tile, so the bounds of groups that share no tile add up. Four rectangles of two by three spots
//! surround the centre, and rotations of the board turn them into each other. Moves stay moves under rotations and
//! reflections, so the table of one rectangle serves all of them. If the goal's empty spot is in a rectangle, that one
//! contains the tile of the centre instead, and has its own table with the ending. The reflected rectangles are the
//! second partition. The greater sum is the bound.

use std::sync::Arc;
use std::{array, cell::RefCell};

use crate::rules::{CENTRE, EMPTY, End, Position, Puzzle, SPOTS, byte};
use crate::table::Table;

/// Number of partitions of the tiles, each with its own tables.
pub(crate) const PARTITIONS: usize = 2;
/// Most groups of a partition.
const GROUPS: usize = 8;
/// Number of moves before the goal for which tables of a rectangle with the empty spot take it into account.
pub(crate) const ENDING: u8 = 4;

/// The groups of spots of the upper left rectangle.
pub(crate) type Rectangle = &'static [&'static [usize]];
/// Two groups of three: tables of 15,625 bytes, built in milliseconds.
pub(crate) const SMALL: Rectangle = &[&[0, 1, 2], &[5, 6, 7]];
/// One group of six: tables of 244 MB.
pub(crate) const LARGE: Rectangle = &[&[0, 1, 2, 5, 6, 7]];

/// All tables built so far; each is built once.
#[derive(Debug, Default)]
pub(crate) struct Library {
    built: RefCell<Vec<Built>>,
}

/// A table with its key.
type Built = (TableKey, Arc<Table>);

/// The properties that determine a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableKey {
    pub(crate) end: End,
    pub(crate) homes: Vec<usize>,
    /// The goal's empty spot; `None` if the table does not take it into account.
    pub(crate) hole: Option<usize>,
    pub(crate) ending: u8,
}

impl TableKey {
    /// The table of a rectangle's group, for a goal with this empty spot on the rectangle's board.
    pub(crate) fn from_group(end: End, group: &[usize], hole: usize, ending: u8) -> TableKey {
        let inside = group.contains(&hole);
        let homes = group.iter().map(|&home| if home == hole { CENTRE } else { home }).collect();
        TableKey { end, homes, hole: inside.then_some(hole), ending: if inside { ending } else { 0 } }
    }
}

impl Library {
    /// Returns a table, which is built if it is missing.
    pub(crate) fn table(&self, key: &TableKey) -> Arc<Table> {
        let known = self.built.borrow().iter().find(|(known, _)| known == key).map(|(_, table)| Arc::clone(table));
        known.unwrap_or_else(|| {
            // Without an ending the empty spot changes nothing.
            let table = Arc::new(Table::build(key.end, &key.homes, key.hole.unwrap_or(SPOTS - 1), key.ending));
            self.built.borrow_mut().push((key.clone(), Arc::clone(&table)));
            table
        })
    }
}

/// The bound for the positions of a puzzle.
#[derive(Debug)]
pub(crate) struct Bound {
    partitions: [Partition; PARTITIONS],
}

/// A partition of the tiles.
#[derive(Debug)]
struct Partition {
    tables: Vec<Arc<Table>>,
    /// The group of each tile.
    group: [u8; SPOTS],
    /// By tile and spot, the part of the index.
    part: [[u32; SPOTS]; SPOTS],
}

/// The index and the value of each group for a position, and the sums of the values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    index: [[u32; GROUPS]; PARTITIONS],
    value: [[u8; GROUPS]; PARTITIONS],
    pub(crate) sum: [u8; PARTITIONS],
}

/// The change of [`Sums`] by a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    group: [u8; PARTITIONS],
    index: [u32; PARTITIONS],
    value: [u8; PARTITIONS],
    sum: [u8; PARTITIONS],
}

impl Change {
    /// The bound after the move.
    pub(crate) fn bound(&self) -> u8 {
        self.sum[0].max(self.sum[1])
    }
}

impl Bound {
    /// The bound for a puzzle by tables of this rectangle.
    pub(crate) fn new(puzzle: &Puzzle, rectangle: Rectangle, library: &Library) -> Bound {
        let turn: [usize; SPOTS] = array::from_fn(|spot| spot % 5 * 5 + 4 - spot / 5);
        let reflect: [usize; SPOTS] = array::from_fn(|spot| spot % 5 * 5 + spot / 5);
        let partitions = [array::from_fn(|spot| spot), reflect].map(|mut image: [usize; SPOTS]| {
            let mut partition = Partition { tables: Vec::new(), group: [0; SPOTS], part: [[0; SPOTS]; SPOTS] };
            for _ in 0..4 {
                image = image.map(|spot| turn[spot]);
                for &group in rectangle {
                    partition.add(
                        &TableKey::from_group(puzzle.end, group, image[puzzle.hole], ENDING),
                        &image,
                        library,
                    );
                }
            }
            partition
        });
        Bound { partitions }
    }

    /// Looks up the bounds of all groups for a position and sums them.
    pub(crate) fn sums(&self, position: &Position) -> Sums {
        let mut sums = Sums::default();
        for (number, partition) in self.partitions.iter().enumerate() {
            for (spot, &tile) in position.iter().enumerate().filter(|&(_, &tile)| tile != EMPTY) {
                let tile = usize::from(tile);
                sums.index[number][usize::from(partition.group[tile])] += partition.part[tile][spot];
            }
            for (group, table) in partition.tables.iter().enumerate() {
                let value = table.values[sums.index[number][group] as usize];
                sums.value[number][group] = value;
                sums.sum[number] += value;
            }
        }
        sums
    }

    /// The change if a tile goes from one spot to another.
    #[inline]
    pub(crate) fn change(&self, sums: &Sums, tile: u8, from: usize, to: usize) -> Change {
        let tile = usize::from(tile);
        let mut change =
            Change { group: [0; PARTITIONS], index: [0; PARTITIONS], value: [0; PARTITIONS], sum: [0; PARTITIONS] };
        for (number, partition) in self.partitions.iter().enumerate() {
            let group = usize::from(partition.group[tile]);
            let index = sums.index[number][group] + partition.part[tile][to] - partition.part[tile][from];
            let value = partition.tables[group].values[index as usize];
            change.group[number] = partition.group[tile];
            change.index[number] = index;
            change.value[number] = value;
            change.sum[number] = sums.sum[number] - sums.value[number][group] + value;
        }
        change
    }
}

impl Sums {
    /// The lower bound on the moves to the goal.
    pub(crate) fn bound(&self) -> u8 {
        self.sum[0].max(self.sum[1])
    }

    /// Applies a change, and returns the one that undoes it.
    #[inline]
    pub(crate) fn apply(&mut self, change: &Change) -> Change {
        let mut undo = *change;
        undo.sum = self.sum;
        for partition in 0..PARTITIONS {
            let group = usize::from(change.group[partition]);
            undo.index[partition] = self.index[partition][group];
            undo.value[partition] = self.value[partition][group];
            self.index[partition][group] = change.index[partition];
            self.value[partition][group] = change.value[partition];
        }
        self.sum = change.sum;
        undo
    }
}

impl Partition {
    /// Adds the group of tiles whose homes have the table's homes as their images.
    fn add(&mut self, key: &TableKey, image: &[usize; SPOTS], library: &Library) {
        let mut weight = 1;
        for &home in key.homes.iter().rev() {
            let tile = image.iter().position(|&spot| spot == home).expect("an image of every spot");
            self.group[tile] = byte(self.tables.len());
            self.part[tile] = image.map(|spot| u32::from(byte(spot)) * weight);
            weight = weight.wrapping_mul(25);
        }
        self.tables.push(library.table(key));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::rules::parse;

    #[test]
    fn each_partition_contains_each_tile_once_wherever_the_empty_spot_ends() {
        let library = Library::default();
        for end in [End::Board, End::Goal] {
            for hole in 0..SPOTS {
                // A board whose empty spot is on `hole`; from the goal, that is where it ends.
                let mut symbols: Vec<char> = ('A'..='X').collect();
                symbols.insert(hole, '+');
                let puzzle = Puzzle::new(&parse(&String::from_iter(symbols)).unwrap(), end);
                let bound = Bound::new(&puzzle, SMALL, &library);
                for partition in &bound.partitions {
                    let used = (0..SPOTS).filter(|&tile| partition.part[tile] != [0; SPOTS]).collect::<Vec<_>>();
                    assert_eq!(used, (0..SPOTS).filter(|&spot| spot != puzzle.hole).collect::<Vec<_>>());
                    for group in 0..GROUPS {
                        let tiles = used.iter().filter(|&&tile| usize::from(partition.group[tile]) == group).count();
                        assert_eq!(tiles, 3, "{end:?} {hole}");
                    }
                }
                let goal: Position = array::from_fn(|spot| if spot == puzzle.hole { EMPTY } else { byte(spot) });
                assert_eq!(bound.sums(&goal).sum, [0, 0]);
            }
        }
    }
}
