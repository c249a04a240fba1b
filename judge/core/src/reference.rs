//! What the runs of a board are measured by: the progress that solves it, and the best answer.

use crate::relative::{self, Direction};
use crate::score::{Row, RunCell};

/// The measure of a board's runs.
pub(crate) struct Reference {
    /// The progress that solves it. If it is unknown, as in a table, it is the most progress that a legal answer reached;
    /// `None` without any.
    pub(crate) goal: Option<u64>,
    /// True if the goal is not recorded.
    pub(crate) guessed: bool,
    /// Which of two values is better.
    direction: Direction,
    /// True if its values are points.
    scored: bool,
    /// The best value that is known or was reached; `None` without any.
    best: Option<u64>,
}

impl Reference {
    /// The reference of a board of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self { goal: None, guessed: false, direction: Direction::Down, scored: false, best: None }
    }

    /// Finds the references of all boards of these rows. The best answer is one of an entry that is in the contest, or the
    /// best known one, given by its value per board, if that is better.
    pub(crate) fn from_boards(rows: &[Row], known: &[Option<u64>]) -> Vec<Self> {
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let direction = rows.iter().find_map(|row| row.scoring.as_ref()).map(|scoring| scoring.direction);
        let of_board = |board: usize| {
            let cells = || rows.iter().filter_map(move |row| row.cells.get(board));
            let reached = cells().filter(|cell| cell.code.is_none()).filter_map(|cell| cell.metrics.progress);
            let recorded = cells().find_map(|cell| cell.of);
            let goal = recorded.or_else(|| reached.max());
            let in_contest = rows.iter().filter(|row| row.entry.withdrawn.is_none());
            let own = in_contest.filter_map(|row| value(row.cells.get(board)?, goal, direction.is_some()));
            let known = known.get(board).copied().flatten();
            let scored = direction.is_some();
            let direction = direction.unwrap_or(Direction::Down);
            let best = relative::best(own, known, direction);
            Self { goal, guessed: recorded.is_none() && goal.is_some(), direction, scored, best }
        };
        (0..width).map(of_board).collect()
    }

    /// Computes the relative score of a run in billionths.
    pub(crate) fn score(&self, cell: &RunCell) -> u64 {
        relative::answer_score(value(cell, self.goal, self.scored), self.best, self.direction)
    }
}

/// Returns the value of an answer for its relative score: its points in a contest that has them, else its moves if it solves
/// its board.
pub(crate) fn value(cell: &RunCell, goal: Option<u64>, scored: bool) -> Option<u64> {
    if scored {
        // Less than nothing is not a share of anything.
        return cell.metrics.points.map(|points| u64::try_from(points.units()).unwrap_or(0));
    }
    cell.metrics.moves.filter(|_| cell.solves(cell.of.or(goal)))
}
