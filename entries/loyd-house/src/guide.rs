//! The lower bound on the moves that are left, and the guide of the beam, both from the same look-ups.
//!
//! The mirror image of the board in the main diagonal is a puzzle of the same kind: slides change their names,
//! transports stay, and the goal is its own image. So a position is looked up twice, as it is and mirrored: two *views*
//! with the same tables. The greater sum of the two is the bound. Their sum says more than either and guides the beam,
//! but is no bound.

use crate::geometry::{Geometry, SPOTS};
use crate::groups::TILES;
use crate::table::Table;

/// A position as it is, and mirrored.
pub const VIEWS: usize = 2;
/// Most tables in use at a time.
pub const MOST_TABLES: usize = 8;

/// All tables of a partition of the tiles, and how tiles enter their indices.
#[derive(Debug)]
pub struct Guide {
    board: Geometry,
    tables: Vec<Table>,
    /// By view and tile: the table that knows it.
    group: [[u8; TILES]; VIEWS],
    /// By view, tile and spot: its part of the index.
    part: [[[u32; SPOTS]; TILES]; VIEWS],
}

/// Index and value of every table, by view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Indices into the tables.
    pub index: [[u32; MOST_TABLES]; VIEWS],
    /// What stands there.
    pub value: [[u8; MOST_TABLES]; VIEWS],
    /// The sum of the values of each view.
    pub sum: [u8; VIEWS],
}

impl Values {
    /// No answer is shorter.
    pub fn bound(&self) -> u8 {
        self.sum[0].max(self.sum[1])
    }
}

impl Guide {
    /// Whether these tables hold every tile once.
    pub fn covers(tables: &[Table]) -> bool {
        let mut homes: Vec<u8> = tables.iter().flat_map(|table| table.homes()).copied().collect();
        homes.sort_unstable();
        tables.len() <= MOST_TABLES && homes.into_iter().map(usize::from).eq(0..TILES)
    }

    /// The guide by these tables, which were built for this board; `None` unless they hold every tile once.
    pub fn new(board: Geometry, tables: Vec<Table>) -> Option<Guide> {
        if !Guide::covers(&tables) {
            return None;
        }
        let mut group = [[0; TILES]; VIEWS];
        let mut part = [[[0; SPOTS]; TILES]; VIEWS];
        for (number, table) in (0..).zip(&tables) {
            let mut weight = 1;
            for &home in table.homes().iter().rev() {
                let home = usize::from(home);
                let image = board.mirrored(home);
                group[0][home] = number;
                group[1][image] = number;
                for (spot, there) in (0..SPOTS).map(|spot| (spot, board.mirrored(spot))) {
                    part[0][home][spot] = u32::try_from(spot).ok()? * weight;
                    part[1][image][spot] = u32::try_from(there).ok()? * weight;
                }
                weight *= u32::try_from(SPOTS).ok()?;
            }
        }
        Some(Guide { board, tables, group, part })
    }

    /// The board as its moves are made here.
    pub fn board(&self) -> &Geometry {
        &self.board
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The number of the table that knows a tile in a view.
    pub fn group(&self, view: usize, tile: usize) -> usize {
        usize::from(self.group[view][tile])
    }

    /// Looks everything up for a position, given by who stands on each spot.
    pub fn values(&self, occupants: &[u8; SPOTS]) -> Values {
        let mut values = Values { index: self.indices(occupants), ..Values::default() };
        for view in 0..VIEWS {
            for (number, table) in self.tables.iter().enumerate() {
                let value = table.cells()[values.index[view][number] as usize];
                values.value[view][number] = value;
                values.sum[view] += value;
            }
        }
        values
    }

    /// The indices of a position in all tables.
    pub fn indices(&self, occupants: &[u8; SPOTS]) -> [[u32; MOST_TABLES]; VIEWS] {
        let mut index = [[0; MOST_TABLES]; VIEWS];
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

    /// In one view, after a tile went from one spot to another: the number of its table, the new index and value.
    #[inline]
    pub fn moved(
        &self,
        view: usize,
        index: &[u32; MOST_TABLES],
        tile: usize,
        from: usize,
        to: usize,
    ) -> (usize, u32, u8) {
        let number = usize::from(self.group[view][tile]);
        let part = &self.part[view][tile];
        let index = index[number].wrapping_add(part[to]).wrapping_sub(part[from]);
        (number, index, self.tables[number].cells()[index as usize])
    }
}
