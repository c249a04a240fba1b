//! The results of some entries on some boards.

use std::collections::HashSet;

use super::{BoardHead, Matches, Results, ResultsError};
use crate::key::RunKey;
use crate::plan::select;
use crate::ranking;
use crate::score::Row;

impl Results {
    /// The results of some entries on some boards, ranked again. Totals are sums over the cells. So a figure that a table
    /// contains only as a total becomes unknown.
    ///
    /// # Errors
    ///
    /// A board or an entry is unknown, or a selected entry took no part in the rounds of the selected boards.
    pub fn only(mut self, boards: Option<&[String]>, entries: Option<&[String]>) -> Result<Self, ResultsError> {
        if let Some(wanted) = entries {
            self.rows = select(self.rows, wanted, |row| &row.entry.name, "entry")?;
            let names: HashSet<&str> = self.rows.iter().flat_map(|row| row.entry.entries()).collect();
            self.faults.retain(|fault| names.contains(&*fault.entry));
            self.remarks.retain(|remark| names.contains(&*remark.entry));
            retain_games(&mut self.matches, |game| game.seats().any(|seat| names.contains(&**seat)));
        }
        if let Some(wanted) = boards {
            let columns: Vec<(usize, BoardHead)> = self.boards.drain(..).enumerate().collect();
            let all = columns.len();
            let kept = select(columns, wanted, |(_, board)| &board.name, "board")?;
            for row in &mut self.rows {
                row.cells = kept.iter().map(|(column, _)| row.cells[*column].clone()).collect();
                if !row.repeats.is_empty() {
                    row.repeats = kept.iter().map(|(column, _)| std::mem::take(&mut row.repeats[*column])).collect();
                }
                if kept.len() != all {
                    row.total = row.total_of(row.cells.iter());
                    (row.stated, row.stated_missing) = (Vec::new(), 0);
                }
            }
            self.boards = kept.into_iter().map(|(_, board)| board).collect();
            let names: HashSet<&str> = self.boards.iter().map(|board| board.name.as_str()).collect();
            self.faults.retain(|fault| names.contains(&*fault.board));
            self.remarks.retain(|remark| names.contains(&*remark.board));
            retain_games(&mut self.matches, |game| names.contains(&*game.board));
            if let Some(matches) = &mut self.matches {
                matches.knock_outs.retain(|round| self.boards.iter().any(|board| board.round == round.round));
            }
            // An entry that took no part in the rounds of these boards has no result on them.
            let took_part = |row: &Row| row.cells.is_empty() || row.cells.iter().any(|cell| !cell.not_planned);
            if let Some(row) = self.rows.iter().find(|row| entries.is_some() && !took_part(row)) {
                return Err(ResultsError::NoPart(row.entry.name.clone()));
            }
            self.rows.retain(took_part);
        }
        ranking::rank(&mut self.rows, &self.ranking);
        Ok(self)
    }
}

/// Removes the games for which `fits` returns false.
fn retain_games(matches: &mut Option<Matches>, fits: impl Fn(&RunKey) -> bool) {
    matches.iter_mut().for_each(|matches| matches.games.retain(|game| fits(&game.key)));
}
