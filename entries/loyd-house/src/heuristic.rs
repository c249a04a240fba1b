//! The lower bound on the moves left.
//!
//! The tiles are divided into groups, and a position is looked up group by group. Rotated or reflected about the centre
//! the puzzle is the same except for the last empty spot, so a table can serve a group that is an image of its own. A
//! position is looked up by two such partitions, its *views*: as a rule the same tables, on the position as it is and
//! mirrored. The greater sum of the two is the bound.

use std::sync::Arc;

use crate::geometry::{Geometry, SPOTS};
use crate::groups::TILES;
use crate::position::{EMPTY, Packed, byte};
use crate::symmetry::{Symmetry, identity, mirror};
use crate::table::Table;

/// Number of partitions by which a position is looked up.
pub const VIEWS: usize = 2;
/// Most groups in a partition.
pub const MAX_TABLES: usize = 8;

/// A group of tiles: those whose homes have the homes of a table as their images.
#[derive(Clone, Debug)]
pub struct Group {
    /// The table that the group's part of a position is looked up in.
    pub table: Arc<Table>,
    /// The image of each spot on the table's board.
    pub image: Symmetry,
}

/// Two partitions of the tiles with their tables, and the parts of their indices.
#[derive(Debug)]
pub struct Heuristic {
    board: Geometry,
    /// The tables of each view, one per group.
    tables: [Vec<Arc<Table>>; VIEWS],
    /// By view and tile: the group of the tile.
    group: [[u8; TILES]; VIEWS],
    /// By view, tile and spot: the part of the index.
    part: [[[u32; SPOTS]; TILES]; VIEWS],
}

/// Index and value of every table, by view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// The indices into the tables.
    pub index: [[u32; MAX_TABLES]; VIEWS],
    /// The values at the indices.
    pub value: [[u8; MAX_TABLES]; VIEWS],
    /// The sum of the values of each view.
    pub sum: [u8; VIEWS],
}

impl Values {
    /// The lower bound on the moves left.
    pub fn bound(&self) -> u8 {
        self.sum[0].max(self.sum[1])
    }
}

impl Heuristic {
    /// Makes a heuristic from these tables, which were built for this board, on a position as it is and mirrored;
    /// `None` unless they contain every tile once and the mirror keeps the goal.
    pub fn new(board: Geometry, tables: Vec<Table>) -> Option<Heuristic> {
        let tables: Vec<Arc<Table>> = tables.into_iter().map(Arc::new).collect();
        let seen = |image: Symmetry| tables.iter().cloned().map(|table| Group { table, image }).collect();
        let goal_stays = usize::from(mirror()[board.end()]) == board.end();
        Heuristic::of(board, [seen(identity()), seen(mirror())]).filter(|_| goal_stays)
    }

    /// Makes a heuristic from two partitions; `None` unless each contains every tile once.
    pub fn of(board: Geometry, views: [Vec<Group>; VIEWS]) -> Option<Heuristic> {
        const NONE: u8 = u8::MAX;
        let mut group = [[NONE; TILES]; VIEWS];
        let mut part = [[[0; SPOTS]; TILES]; VIEWS];
        for (view, groups) in views.iter().enumerate() {
            for (number, Group { table, image }) in groups.iter().enumerate() {
                let mut weight = 1;
                for &home in table.homes().iter().rev() {
                    let tile = (0..TILES).find(|&tile| image[board.home(tile)] == home)?;
                    if number >= MAX_TABLES || group[view][tile] != NONE {
                        return None;
                    }
                    group[view][tile] = byte(number);
                    part[view][tile] = image.map(|spot| u32::from(spot) * weight);
                    weight = weight.wrapping_mul(u32::try_from(SPOTS).ok()?);
                }
            }
        }
        let tables = views.map(|groups| groups.into_iter().map(|group| group.table).collect());
        (!group.as_flattened().contains(&NONE)).then_some(Heuristic { board, tables, group, part })
    }

    /// The board, with the moves of the search's direction.
    pub fn board(&self) -> &Geometry {
        &self.board
    }

    /// The position with every tile at home.
    pub fn goal(&self) -> Packed {
        let mut occupants = [EMPTY; SPOTS];
        for tile in 0..TILES {
            occupants[self.board.home(tile)] = byte(tile);
        }
        occupants[self.board.end()] = EMPTY;
        Packed::new(&occupants)
    }

    /// All tables, each once although groups share them.
    pub fn tables(&self) -> Vec<&Arc<Table>> {
        let mut tables: Vec<&Arc<Table>> = Vec::new();
        for table in self.tables.iter().flatten() {
            if !tables.iter().any(|known| Arc::ptr_eq(known, table)) {
                tables.push(table);
            }
        }
        tables
    }

    /// The values of all tables, by view and group.
    pub(crate) fn slices(&self) -> [[&[u8]; MAX_TABLES]; VIEWS] {
        self.tables
            .each_ref()
            .map(|tables| std::array::from_fn(|number| tables.get(number).map_or(&[] as &[u8], |table| table.values())))
    }

    /// Number of tiles in the largest table.
    pub fn tiles(&self) -> usize {
        self.tables.iter().flatten().map(|table| table.homes().len()).max().unwrap_or(0)
    }

    /// The number of a tile's group in a view.
    pub fn group(&self, view: usize, tile: usize) -> usize {
        usize::from(self.group[view][tile])
    }

    /// Looks up a position, given by the occupant of each spot, in all tables.
    pub fn values(&self, occupants: &[u8; SPOTS]) -> Values {
        let mut values = Values { index: self.indices(occupants), ..Values::default() };
        for view in 0..VIEWS {
            for (number, table) in self.tables[view].iter().enumerate() {
                let value = table.values()[values.index[view][number] as usize];
                values.value[view][number] = value;
                values.sum[view] += value;
            }
        }
        values
    }

    /// The indices of a position in all tables.
    fn indices(&self, occupants: &[u8; SPOTS]) -> [[u32; MAX_TABLES]; VIEWS] {
        let mut index = [[0; MAX_TABLES]; VIEWS];
        for (spot, &occupant) in occupants.iter().enumerate() {
            let tile = usize::from(occupant);
            if tile < TILES {
                for view in 0..VIEWS {
                    index[view][usize::from(self.group[view][tile])] += self.part[view][tile][spot];
                }
            }
        }
        index
    }

    /// By spot, the part of a tile in the index of its group.
    pub(crate) fn parts(&self, view: usize, tile: usize) -> &[u32; SPOTS] {
        &self.part[view][tile]
    }

    /// Number of groups, in the view with more of them.
    pub fn groups(&self) -> usize {
        self.tables.iter().map(Vec::len).max().unwrap_or(0)
    }
}
