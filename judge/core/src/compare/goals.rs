//! The progress that solves each board, guessed if no result records it.

use std::collections::BTreeMap;

use super::Source;
use crate::results::BoardHead;
use crate::score::RunCell;

/// The progress that solves each board, by the board's name.
#[derive(Debug, Default)]
pub struct Goals {
    /// Goals that the results record.
    recorded: BTreeMap<String, u64>,
    /// The most progress of any entry on a board, for boards whose goal is not recorded.
    pub guessed: BTreeMap<String, u64>,
}

impl Goals {
    /// Collects the goals of all boards in the sources.
    pub fn from_sources(sources: &[Source]) -> Self {
        let mut goals = Self::default();
        let mut reached: BTreeMap<String, u64> = BTreeMap::new();
        for results in sources.iter().map(|source| &source.results) {
            let cells = results.rows.iter().flat_map(|row| results.boards.iter().zip(&row.cells));
            for (board, cell) in cells {
                if let Some(of) = cell.of {
                    goals.recorded.insert(board.name.clone(), of);
                }
                if let Some(progress) = cell.metrics.progress.filter(|_| cell.code.is_none()) {
                    let most = reached.entry(board.name.clone()).or_default();
                    *most = progress.max(*most);
                }
            }
        }
        goals.guessed = reached.into_iter().filter(|(board, _)| !goals.recorded.contains_key(board)).collect();
        goals
    }

    /// Pairs a cell with the progress that solves its board.
    pub fn with_goal<'c>(&self, board: &BoardHead, cell: &'c RunCell) -> (&'c RunCell, Option<u64>) {
        let goal = self.recorded.get(&board.name).or(self.guessed.get(&board.name));
        (cell, cell.of.or(goal.copied()))
    }
}
