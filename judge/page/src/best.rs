//! The best cell of each board, and the distance of other cells from it.

use std::cmp::Reverse;

use judge_core::points::Points;
use judge_core::relative::Direction;
use judge_core::results::Results;
use judge_core::score::{Row, RunCell};

/// The greatest distances of the steps from the best, in percent.
const STEPS: [i128; 4] = [5, 15, 30, 60];

/// The best answer to a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Best {
    /// The progress, in a game. Only answers with equal progress are compared by `value`.
    progress: Option<Points>,
    /// The figure by which answers are compared.
    value: Points,
}

impl Best {
    /// Finds the best of every board; `None` for a board without any progress.
    pub(super) fn from_boards(results: &Results) -> Vec<Option<Self>> {
        let less = results.scoring.direction() == Direction::Down;
        let best = |board: usize| {
            let reached = results.rows.iter().filter_map(|row| Self::from_cell(&row.cells[board]));
            let reached = reached.filter(|best| best.progress != Some(Points::zero(0)));
            let value = |best: &Self| if less { -best.value.units() } else { best.value.units() };
            // The first of equal ones.
            reached.min_by_key(|best| Reverse((best.progress, value(best))))
        };
        (0..results.boards.len()).map(best).collect()
    }

    /// Returns the figures of a legal answer.
    fn from_cell(cell: &RunCell) -> Option<Self> {
        let scoring = cell.scoring.as_deref()?;
        let progress = if scoring.cost.is_some() { Some(cell.figure(0)?) } else { None };
        Some(Self { progress, value: cell.figure(scoring.compared())? })
    }

    /// Returns the steps of a cell from the best: 0 if it is equal, then 1 to 4 if it is worse by at most 5, 15, 30 and 60
    /// percent. `None` for a cell that is farther away, did not reach the same progress, or failed. Points at or below 0
    /// have no distance.
    pub(super) fn steps(&self, cell: &RunCell) -> Option<usize> {
        let own = Self::from_cell(cell)?;
        let (best, worse) = (self.value.units(), own.value.units());
        if self.progress != own.progress {
            return None;
        }
        if best == worse {
            return Some(0);
        }
        let (less, more) = (best.min(worse), best.max(worse));
        let apart = more.saturating_sub(less).saturating_mul(100);
        STEPS.iter().position(|percent| less > 0 && apart <= percent * less).map(|step| step + 1)
    }
}

/// Returns the boards on which an entry is closest to the best and farthest from it, by index. At equal progress the
/// ratio of moves decides, otherwise progress. Ties go to the earlier board. `None` if all its boards are equally
/// close.
pub(super) fn extremes(row: &Row, best: &[Option<Best>]) -> Option<(usize, usize)> {
    // Custom figures have no common scale on different boards.
    if row.scoring.scores() {
        return None;
    }
    let judged = row.cells.iter().zip(best).enumerate().filter(|(_, (cell, best))| cell.judged() && best.is_some());
    let gaps: Vec<(usize, Gap)> =
        judged.filter_map(|(board, (cell, best))| Some((board, Gap::new(cell, best.as_ref()?)))).collect();
    let (closest, least) = gaps.iter().min_by_key(|(_, gap)| *gap)?;
    let (farthest, most) = gaps.iter().rev().max_by_key(|(_, gap)| *gap)?;
    (least != most).then_some((*closest, *farthest))
}

/// The distance of a cell from the best: missing progress, then moves, both in thousandths of the best's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Gap {
    missing: i128,
    moves: i128,
}

impl Gap {
    fn new(cell: &RunCell, best: &Best) -> Self {
        let share = |part: i128, whole: i128| part.saturating_mul(1000) / whole.max(1);
        let progress = |best: &Best| best.progress.map_or(0, Points::units);
        match Best::from_cell(cell) {
            Some(own) if own.progress == best.progress => {
                Self { missing: 0, moves: share(own.value.units(), best.value.units()) }
            }
            Some(own) => Self { missing: share(progress(best) - progress(&own), progress(best)), moves: 0 },
            // A failed run is farther than any other.
            None => Self { missing: 1000, moves: 0 },
        }
    }
}

/// Returns true if the best known answer to some board is recorded.
pub(super) fn has_known(results: &Results) -> bool {
    results.boards.iter().any(|board| board.known.is_some())
}

/// Returns true if the best known score of some board is recorded.
pub(super) fn has_best(results: &Results) -> bool {
    results.boards.iter().any(|board| board.best.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::code::Code;
    use judge_core::score::EntryHead;
    use judge_core::scoring::Scoring;
    use std::sync::Arc;

    fn best(progress: u64, moves: u64) -> Best {
        Best { progress: Some(Points::whole(progress)), value: Points::whole(moves) }
    }

    fn row(cells: &[(Option<Code>, u64, u64)]) -> Row {
        let scoring = Arc::new(Scoring::of_game(""));
        let cells = cells.iter().map(|&(code, progress, moves)| {
            let mut cell = RunCell::default();
            (cell.code, cell.scoring) = (code, Some(scoring.clone()));
            cell.metrics.figures = [progress, moves].map(|figure| Some(Points::whole(figure))).into();
            cell
        });
        let cells: Vec<RunCell> = cells.collect();
        Row::new(EntryHead::new("x"), cells, scoring.clone())
    }

    #[test]
    fn steps_from_the_best_are_shares_of_the_smaller_figure() {
        let of_moves = best(25, 100);
        let row = row(&[
            (None, 25, 100),
            (None, 25, 105),
            (None, 25, 106),
            (None, 25, 130),
            (None, 25, 160),
            (None, 25, 161),
            (None, 24, 100),
            (Some(Code::TimedOut), 25, 100),
        ]);
        let steps: Vec<Option<usize>> = row.cells.iter().map(|cell| of_moves.steps(cell)).collect();
        assert_eq!(steps, [Some(0), Some(1), Some(2), Some(3), Some(4), None, None, None]);
        // More points are better here: 80 of 100 is a quarter of 80 away.
        let points = |units: i64| Points::parse(&units.to_string(), 0).unwrap();
        let best = Best { progress: None, value: points(100) };
        let mut cell = RunCell::default();
        cell.scoring = Some(Scoring::new(Direction::Up, 0).into());
        let mut of = |units: i64| {
            cell.metrics.figures = [Some(points(units))].into();
            best.steps(&cell)
        };
        assert_eq!([of(100), of(99), of(80), of(0), of(-5)], [Some(0), Some(1), Some(3), None, None]);
    }

    #[test]
    fn closeness_is_the_ratio_to_the_best_with_failures_farthest() {
        let best = [Some(best(25, 100)), Some(best(25, 50)), None];
        assert_eq!(extremes(&row(&[(None, 25, 110), (None, 25, 60), (None, 0, 0)]), &best), Some((0, 1)));
        assert_eq!(extremes(&row(&[(None, 24, 10), (None, 25, 900), (None, 0, 0)]), &best), Some((1, 0)));
        assert_eq!(extremes(&row(&[(None, 3, 10), (Some(Code::TimedOut), 0, 0), (None, 0, 0)]), &best), Some((0, 1)));
        assert_eq!(
            extremes(&row(&[(None, 25, 100), (None, 25, 50), (None, 0, 0)]), &best),
            None,
            "both boards are equal to the best"
        );
    }
}
