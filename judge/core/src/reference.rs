//! The reference for the runs of a board: whether it is known what solves the board, and the best answer.

use crate::relative::{self, Direction};
use crate::score::{Row, RunCell};

/// The reference for a board's runs.
pub(crate) struct Reference {
    /// True if there is a legal answer and it is not known whether it solves the board. By rule 9 of docs/scoring.md, this is
    /// never guessed.
    pub(crate) unknown: bool,
    /// The direction in which values are better.
    direction: Direction,
    /// True if only answers that solve the board have a value.
    of_solutions: bool,
    /// The best known or reached value; `None` without any.
    best: Option<u64>,
}

impl Reference {
    /// Finds the references of all boards of these rows. The best answer is that of an entry in the contest, or the best known
    /// one if it is better. `known` contains its value per board.
    pub(crate) fn from_boards(rows: &[Row], known: &[Option<u64>]) -> Vec<Self> {
        let Some(scoring) = rows.first().map(|row| &row.scoring) else { return Vec::new() };
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let direction = scoring.direction();
        let of_board = |board: usize| {
            let unknown = rows.iter().filter_map(|row| row.cells.get(board)).any(RunCell::may_solve);
            let in_contest = rows.iter().filter(|row| row.entry.withdrawn.is_none());
            let own = in_contest.filter_map(|row| value(row.cells.get(board)?));
            let best = relative::best(own, known.get(board).copied().flatten(), direction);
            Self { unknown, direction, of_solutions: scoring.cost.is_some(), best }
        };
        (0..width).map(of_board).collect()
    }

    /// Tests whether a run solves the board; `None` if it is not known.
    pub(crate) fn solved(&self, cell: &RunCell) -> Option<bool> {
        (!self.unknown).then(|| cell.solves())
    }

    /// Computes the relative score of a run in billionths; `None` if the run is missing. It is also `None` if only answers that
    /// solve the board have a score, and it is not known whether this one does.
    pub(crate) fn score(&self, cell: &RunCell) -> Option<u64> {
        let known = cell.not_planned || cell.judged() && !(self.of_solutions && self.unknown);
        known.then(|| relative::answer_score(value(cell), self.best, self.direction))
    }
}

/// Returns the value of an answer for its relative score, in its smallest unit.
pub(crate) fn value(cell: &RunCell) -> Option<u64> {
    // A negative value counts as 0, because it cannot be a share.
    cell.compared().map(|value| u64::try_from(value.units()).unwrap_or(0))
}

#[cfg(test)]
impl Reference {
    /// The reference for a board about which only its runs are known.
    pub(crate) fn of_runs() -> Self {
        Self { unknown: false, direction: Direction::Down, of_solutions: true, best: None }
    }
}
