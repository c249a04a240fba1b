//! What the runs of a board are measured by: the progress that solves it, and the best answer.

use crate::relative::{self, Direction};
use crate::score::{Row, RunCell};

/// The measure of a board's runs.
pub(crate) struct Reference {
    /// The progress that solves it; `None` if it is not recorded, which is never guessed.
    pub(crate) goal: Option<u64>,
    /// True if there is a legal answer, and nothing says whether it solves the board.
    pub(crate) unknown: bool,
    /// Which of two values is better.
    direction: Direction,
    /// True if its values are points.
    scored: bool,
    /// The best value that is known or was reached; `None` without any.
    best: Option<u64>,
}

impl Reference {
    /// The reference of a board of which nothing is known but what its runs say.
    pub(crate) fn of_runs() -> Self {
        Self { goal: None, unknown: false, direction: Direction::Down, scored: false, best: None }
    }

    /// Finds the references of all boards of these rows. The best answer is one of an entry that is in the contest, or the
    /// best known one, given by its value per board, if that is better.
    pub(crate) fn from_boards(rows: &[Row], known: &[Option<u64>]) -> Vec<Self> {
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let points = rows.iter().find_map(|row| row.scoring.as_ref()).map(|scoring| scoring.direction());
        let of_board = |board: usize| {
            let cells = || rows.iter().filter_map(move |row| row.cells.get(board));
            let goal = cells().find_map(|cell| cell.of);
            let unknown = goal.is_none() && cells().any(|cell| cell.code.is_none() && cell.judged());
            let in_contest = rows.iter().filter(|row| row.entry.withdrawn.is_none());
            let own = in_contest.filter_map(|row| value(row.cells.get(board)?, goal, points.is_some()));
            let known = known.get(board).copied().flatten();
            let direction = points.unwrap_or(Direction::Down);
            let best = relative::best(own, known, direction);
            Self { goal, unknown, direction, scored: points.is_some(), best }
        };
        (0..width).map(of_board).collect()
    }

    /// Tests whether a run solves the board; `None` if that is not known.
    pub(crate) fn solved(&self, cell: &RunCell) -> Option<bool> {
        (!self.unknown).then(|| cell.solves(cell.of.or(self.goal)))
    }

    /// Computes the relative score of a run in billionths; `None` if the run is missing, or if it is not known whether it solves
    /// the board, and only answers that do have one.
    pub(crate) fn score(&self, cell: &RunCell) -> Option<u64> {
        let own = value(cell, self.goal, self.scored);
        let known = cell.not_planned || cell.judged() && (self.scored || !self.unknown);
        known.then(|| relative::answer_score(own, self.best, self.direction))
    }
}

/// Returns the value of an answer for its relative score: its points in a contest that has them, else its moves if it solves
/// its board.
pub(crate) fn value(cell: &RunCell, goal: Option<u64>, scored: bool) -> Option<u64> {
    if scored {
        // Less than nothing is not a share of anything.
        return cell.points().map(|points| u64::try_from(points.units()).unwrap_or(0));
    }
    cell.metrics.moves.filter(|_| cell.solves(cell.of.or(goal)))
}
