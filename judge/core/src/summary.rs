//! Summaries of rows: figures per board, and scores that account for failures.

use serde::Serialize;

use crate::reference::Reference;
use crate::relative;
use crate::results::Results;
use crate::score::{Row, RunCell};

/// The summaries of a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Summaries {
    /// A summary per row, in the order of the rows.
    pub rows: Vec<Summary>,
    /// The boards for which it is unknown what solves them.
    pub without_goal: Vec<String>,
}

/// Figures of an entry over its boards. The means of moves and tie-breaks omit failures. Score and PAR2 account for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Boards with a judged run.
    pub boards: usize,
    /// Boards solved; `None` if boards cannot be solved, or if it is unknown what solves one.
    pub solved: Option<usize>,
    /// The sum of the relative scores of the boards, see [`crate::relative`], with 0 for an unsolved board. The best value of a
    /// board is the best known one or, if it is better, the best of all entries. `None` if it is unknown what solves a board.
    #[serde(rename = "relative_to_best_known")]
    pub score: Option<f64>,
    /// Mean time in microseconds, in which an unsolved board counts twice the limit. `None` without boards, if a time or a limit
    /// is unknown, or if boards cannot be solved.
    pub par2_us: Option<u64>,
    /// Mean cost of the solutions, such as moves; `None` without solutions or without a cost.
    pub mean_moves: Option<f64>,
    /// Mean of the next figure, the tie-break, over the solutions; `None` if one of them lacks it.
    pub mean_tie_break: Option<f64>,
    /// Median time of all boards in microseconds, the lower of the two in the middle. `None` without boards, or if one time is
    /// unknown.
    pub median_time_us: Option<u64>,
    /// Boards whose time is suspect.
    pub suspect: usize,
}

impl Summaries {
    /// Summarizes the rows of a table, without missing runs and judge errors.
    pub fn from_results(results: &Results) -> Self {
        let known = results.boards.iter().map(|head| head.best_value());
        let references = Reference::from_boards(&results.rows, &known.collect::<Vec<_>>());
        let without_goal = results.boards.iter().zip(&references).filter(|(_, reference)| reference.unknown);
        let without_goal: Vec<String> = without_goal.map(|(board, _)| board.name.clone()).collect();
        let solving = results.solving() && without_goal.is_empty();
        Self { rows: results.rows.iter().map(|row| Summary::new(row, &references, solving)).collect(), without_goal }
    }
}

impl Summary {
    fn new(row: &Row, references: &[Reference], solving: bool) -> Self {
        let judged: Vec<(&RunCell, &Reference)> =
            row.cells.iter().zip(references).filter(|(cell, _)| cell.judged()).collect();
        let cells = || judged.iter().map(|(cell, _)| *cell);
        let solved: Vec<&RunCell> = cells().filter(|cell| cell.solves()).collect();
        let counted = row.scoring.cost.is_some() && references.iter().all(|reference| !reference.unknown);
        let mean = |at: usize| {
            let solved = if counted { solved.as_slice() } else { &[] };
            let sum = solved.iter().try_fold(0.0, |sum, cell| Some(sum + cell.figure(at)?.to_f64()))?;
            (!solved.is_empty()).then(|| sum / solved.len() as f64)
        };
        let mut times: Option<Vec<u64>> = judged.iter().map(|(cell, _)| cell.metrics.time_us).collect();
        Self {
            boards: judged.len(),
            solved: solving.then_some(solved.len()),
            score: judged
                .iter()
                .map(|(cell, reference)| reference.score(cell))
                .sum::<Option<u64>>()
                .map(relative::share),
            par2_us: par2_us(row, cells()).filter(|_| solving),
            mean_moves: mean(row.scoring.compared()),
            mean_tie_break: mean(row.scoring.compared() + 1),
            median_time_us: times.as_mut().and_then(|times| {
                times.sort_unstable();
                times.get(times.len().saturating_sub(1) / 2).copied()
            }),
            suspect: judged.iter().filter(|(cell, _)| cell.suspect).count(),
        }
    }
}

/// Computes the mean of the PAR2 times. A table may contain the total time of an entry without single times. The total suffices
/// for a row that solved all its boards.
pub(crate) fn par2_us<'a>(row: &Row, runs: impl Iterator<Item = &'a RunCell> + Clone) -> Option<u64> {
    let times = runs.clone().map(penalized_us).collect::<Option<Vec<u64>>>();
    let sum = times.map(|times| times.into_iter().fold(0, u64::saturating_add));
    let solved_all = || runs.clone().filter(|cell| cell.solves()).count() == row.planned();
    sum.or_else(|| row.total.time_us.filter(|_| solved_all()))?.checked_div(runs.count() as u64)
}

/// Returns the PAR2 time of a run in microseconds: its time, or twice the limit if it did not solve its board. `None` if it is
/// unknown.
pub fn penalized_us(cell: &RunCell) -> Option<u64> {
    if cell.solves() { cell.metrics.time_us } else { Some(cell.limit_ms?.saturating_mul(2_000)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summaries(csv: &str) -> Summaries {
        Summaries::from_results(&Results::read_csv("test", csv.as_bytes()).unwrap())
    }

    #[test]
    fn a_summary_has_the_means_of_the_solved_boards() {
        let runs = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,suspect\n\
                    a,A,solved,25,25,100,10,5,9,\na,B,solved,25,25,150,15,7,9,busy\na,C,unsolved,20,25,90,9,6,9,\n\
                    a,D,timed_out,,,,,9000,9,\na,E,judge_error,,,,,,9,\n\
                    b,A,solved,25,25,80,8,4,9,\nb,C,solved,25,25,120,8,4,9,\n";
        let Summaries { rows, without_goal } = summaries(runs);
        assert_eq!(without_goal, [] as [&str; 0]);
        let a = rows.iter().find(|summary| summary.boards == 4).unwrap();
        assert_eq!((a.solved, a.mean_moves, a.mean_tie_break), (Some(2), Some(125.0), Some(12.5)));
        assert_eq!(a.median_time_us, Some(6), "of 5, 6, 7 and 9,000");
        assert!((a.score.unwrap() - (0.8 + 1.0)).abs() < 1e-12, "80/100, its own best, and two failures");
        assert_eq!(a.par2_us, Some((5 + 7 + 18_000 + 18_000) / 4));
        assert_eq!(a.suspect, 1);
    }

    #[test]
    fn nothing_is_guessed_of_a_table_without_goals() {
        let table = "entry,A,B,tiles,moves,transports,total_ms\na,25/10,16/5,,,,40\nb,25/20,0/TIM,,,,50\n";
        let Summaries { rows, without_goal } = summaries(table);
        assert_eq!(without_goal, ["A", "B"]);
        for summary in rows {
            assert_eq!((summary.solved, summary.score, summary.par2_us, summary.mean_moves), (None, None, None, None));
        }
    }
}
