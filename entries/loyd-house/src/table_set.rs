//! The table sets for the search from the board, from small ones to large ones.

use std::io;

use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::groups::{FIVES, FOURS, Partition, THREES};
use crate::heuristic::Heuristic;
use crate::parallel::queue;
use crate::pinwheel::{self, SIX};
use crate::store;
use crate::table::{ENDING, Table};

/// A set of tables, named after the number of tiles in its largest groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableSet {
    /// Tables of at most three tiles, those of [`THREES`].
    Threes,
    /// Tables of at most four tiles, those of [`FOURS`].
    Fours,
    /// Tables of at most five tiles, those of [`FIVES`].
    Fives,
    /// Tables of six tiles, the pinwheel of [`SIX`].
    Sixes,
}

impl TableSet {
    /// All sets, the smallest first.
    pub const ALL: [TableSet; 4] = [TableSet::Threes, TableSet::Fours, TableSet::Fives, TableSet::Sixes];

    /// The cost of building the set: milliseconds on the machine of the README, of which only the ratios matter.
    pub fn cost(self) -> u32 {
        match self {
            TableSet::Threes => 1,
            TableSet::Fours => 15,
            TableSet::Fives => 390,
            TableSet::Sixes => 4_700,
        }
    }

    /// Number of moves before the goal for which the tables take the empty spot into account. Four moves would take
    /// longer than building small tables, and add almost nothing to two.
    pub(crate) fn ending(self) -> u8 {
        match self {
            TableSet::Threes | TableSet::Fours => 2,
            TableSet::Fives | TableSet::Sixes => ENDING,
        }
    }

    /// Size of the tables in bytes.
    pub fn bytes(self) -> usize {
        match self.partition() {
            Some(partition) => partition.homes().map(|homes| homes.iter().map(|_| SPOTS).product::<usize>()).sum(),
            // One table for three rectangles, and one for the rectangle in which the empty spot ends.
            None => 2 * pinwheel::BYTES,
        }
    }

    /// Builds the tables and their heuristic.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn heuristic(self, threads: usize) -> io::Result<Heuristic> {
        let board = Geometry::new(SIDE);
        let heuristic = if let Some(partition) = self.partition() {
            let homes: Vec<Vec<u8>> = partition.homes().collect();
            let tables = queue(homes.iter(), threads, |homes| Table::build(&board, homes, self.ending(), 1));
            let tables = tables.into_iter().collect::<io::Result<_>>()?;
            Heuristic::new(board, tables)
        } else {
            pinwheel::heuristic(&board, SIX, &pinwheel::build(&board, SIX, threads)?)
        };
        Ok(heuristic.expect("every tile once"))
    }

    /// The set with tables of these tiles.
    pub(crate) fn of(letters: &[&str]) -> Option<TableSet> {
        let rectangle = store::letters(SIX[0]);
        TableSet::ALL.into_iter().find(|set| match set.partition() {
            Some(partition) => partition.groups == letters,
            None => letters.first().is_some_and(|first| *first == rectangle),
        })
    }

    fn partition(self) -> Option<Partition> {
        match self {
            TableSet::Threes => Some(THREES),
            TableSet::Fours => Some(FOURS),
            TableSet::Fives => Some(FIVES),
            TableSet::Sixes => None,
        }
    }
}
