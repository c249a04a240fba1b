//! The tables for a board's moves as they are, from small ones to large ones.

use std::io;

use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::groups::{FIVES, FOURS, Partition, THREES};
use crate::guide::Guide;
use crate::parallel::queue;
use crate::pinwheel::{self, SIX};
use crate::store;
use crate::table::{ENDING, Table};

/// One set of tables, by how many tiles its largest groups have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// [`THREES`].
    Threes,
    /// [`FOURS`].
    Fours,
    /// [`FIVES`].
    Fives,
    /// The pinwheel of [`SIX`].
    Sixes,
}

impl Stage {
    /// All of them, the smallest first.
    pub const ALL: [Stage; 4] = [Stage::Threes, Stage::Fours, Stage::Fives, Stage::Sixes];

    /// What building them costs: milliseconds on the machine of the README, which matter by their ratio.
    pub fn cost(self) -> u32 {
        match self {
            Stage::Threes => 1,
            Stage::Fours => 15,
            Stage::Fives => 390,
            Stage::Sixes => 4_700,
        }
    }

    /// How many moves before the goal the tables know of the empty spot. To find out four takes longer than to build
    /// small tables, and adds next to nothing to two.
    pub(crate) fn ending(self) -> u8 {
        match self {
            Stage::Threes | Stage::Fours => 2,
            Stage::Fives | Stage::Sixes => ENDING,
        }
    }

    /// Bytes of the tables.
    pub fn bytes(self) -> usize {
        match self.partition() {
            Some(partition) => partition.homes().map(|homes| homes.iter().map(|_| SPOTS).product::<usize>()).sum(),
            // The rectangle, and the one in which the empty spot ends.
            None => 2 * pinwheel::BYTES,
        }
    }

    /// Builds the tables, and the guide by them.
    ///
    /// # Errors
    /// If there is not enough memory for one.
    pub fn guide(self, threads: usize) -> io::Result<Guide> {
        let board = Geometry::new(SIDE);
        let guide = if let Some(partition) = self.partition() {
            let homes: Vec<Vec<u8>> = partition.homes().collect();
            let tables = queue(homes.iter(), threads, |homes| Table::build(&board, homes, self.ending(), 1));
            let tables = tables.into_iter().collect::<io::Result<_>>()?;
            Guide::new(board, tables)
        } else {
            pinwheel::guide(&board, SIX, &pinwheel::build(&board, SIX, threads)?)
        };
        Ok(guide.expect("every tile once"))
    }

    /// The stage with tables of these tiles.
    pub(crate) fn of(letters: &[&str]) -> Option<Stage> {
        let rectangle = store::letters(SIX[0]);
        Stage::ALL.into_iter().find(|stage| match stage.partition() {
            Some(partition) => partition.groups == letters,
            None => letters.first().is_some_and(|first| *first == rectangle),
        })
    }

    fn partition(self) -> Option<Partition> {
        match self {
            Stage::Threes => Some(THREES),
            Stage::Fours => Some(FOURS),
            Stage::Fives => Some(FIVES),
            Stage::Sixes => None,
        }
    }
}
