//! What solves a board, which a table does not tell.

use std::collections::BTreeMap;

use super::Source;
use crate::results::BoardHead;
use crate::score::Cell;

/// The progress that solves each board, by its name.
#[derive(Debug, Default)]
pub struct Goals {
    /// As runs tell it.
    told: BTreeMap<String, u64>,
    /// The most progress of anybody, where no run tells.
    pub guessed: BTreeMap<String, u64>,
}

impl Goals {
    /// The goals that the sources record.
    pub fn of(sources: &[Source]) -> Self {
        let mut goals = Self::default();
        let mut reached: BTreeMap<String, u64> = BTreeMap::new();
        for results in sources.iter().map(|source| &source.results) {
            let cells = results.rows.iter().flat_map(|row| results.boards.iter().zip(&row.cells));
            for (board, cell) in cells {
                if let Some(of) = cell.of {
                    goals.told.insert(board.name.clone(), of);
                }
                if let Some(progress) = cell.figures.progress.filter(|_| cell.code.is_none()) {
                    let most = reached.entry(board.name.clone()).or_default();
                    *most = progress.max(*most);
                }
            }
        }
        goals.guessed = reached.into_iter().filter(|(board, _)| !goals.told.contains_key(board)).collect();
        goals
    }

    /// A cell with the progress that solves its board.
    pub fn of_cell<'c>(&self, board: &BoardHead, cell: &'c Cell) -> (&'c Cell, Option<u64>) {
        let goal = self.told.get(&board.name).or(self.guessed.get(&board.name));
        (cell, cell.of.or(goal.copied()))
    }
}
