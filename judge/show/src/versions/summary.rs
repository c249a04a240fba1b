//! The summary of a try: its figures, and comparisons with earlier versions.

use serde::Serialize;

use crate::versions::best::{Best, BestAnswers};
use crate::versions::error::TryError;
use judge_core::compare::statistics::median;
use judge_core::compare::{Comparison, DEFAULT_SEED, Pair, PairResult, Source};
use judge_core::points::Points;
use judge_core::relative;
use judge_core::results::Results;
use judge_core::score::RunCell;
use judge_core::scoring::Scoring;

/// The boards that are listed as the worst.
const WORST_BOARDS: usize = 5;

/// Figures of a version over its boards.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// The boards that it was judged on.
    pub boards: usize,
    /// Boards solved; `None` if nothing solves a board.
    pub solved: Option<usize>,
    /// Boards with an answer that counts: solved ones, or valid ones in a contest with points or if nothing solves a board.
    pub answered: usize,
    /// The mean of the answer's value, which is its moves or its points, over the answered boards.
    pub mean: Option<f64>,
    /// The median of these values.
    pub median: Option<f64>,
    /// The mean relative score: 1 for answers that are all as good as the best remembered.
    #[serde(rename = "relative_to_best_known")]
    pub relative: Option<f64>,
    /// The boards with a better answer than the best one remembered before.
    pub better: usize,
    /// The boards with a worse one.
    pub worse: usize,
    /// The boards with an equal one.
    pub same: usize,
    /// The boards that had no answer before and have one now.
    pub first: usize,
    /// The boards that have no answer yet.
    pub none: usize,
    /// The boards with the lowest relative scores, the worst first.
    pub worst: Vec<WorstBoard>,
}

/// A board with a low relative score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WorstBoard {
    /// The name of the board.
    pub board: String,
    /// The answer of the version, as the cell of a table.
    pub answer: String,
    /// The best answer, as the cell of a table.
    pub best: String,
    /// The relative score of the answer.
    #[serde(rename = "relative_to_best_known")]
    pub relative: f64,
}

impl Summary {
    /// Summarizes results of one entry. `boards` has the hashes of their boards by name; boards without a hash are not
    /// compared. `before` has the best answers without these, `best` those with them.
    pub fn new<'a, 'b>(
        now: &Results,
        hash: impl Fn(&str) -> Option<&'a str>,
        objective: &str,
        (before, best): (&'b BestAnswers, &'b BestAnswers),
    ) -> Self {
        let cells = now.rows.first().map_or(&[][..], |row| &row.cells);
        let cells: Vec<(&str, &RunCell)> = now
            .boards
            .iter()
            .zip(cells)
            .filter(|(_, cell)| cell.judged())
            .map(|(board, cell)| (&*board.name, cell))
            .collect();
        let (direction, compared) = (now.scoring.direction(), now.scoring.compared());
        let ranking = now.board_ranking();
        let values: Vec<i128> = cells.iter().filter_map(|(_, cell)| value(cell)).collect();
        // Values here are integers in their smallest unit.
        let unit = 10f64.powi(now.scoring.figures[compared].decimals.into());
        let mean = (!values.is_empty()).then(|| values.iter().sum::<i128>() as f64 / values.len() as f64 / unit);
        let (mut better, mut worse, mut same, mut first, mut none) = (0, 0, 0, 0, 0);
        let (mut lines, mut sum) = (Vec::new(), 0);
        for &(board, cell) in &cells {
            let Some(sha256) = hash(board) else { continue };
            let known = |answers: &'b BestAnswers| answers.find(board, sha256, objective).map(Best::cell);
            match known(before).map(|before| ranking.better_of(cell, before)) {
                Some(PairResult::First) => better += 1,
                Some(PairResult::Second) => worse += 1,
                Some(PairResult::Tie) => same += 1,
                Some(PairResult::Missing | PairResult::Unknown) => {}
                None if cell.code.is_none() => first += 1,
                None => none += 1,
            }
            let best = known(best);
            // A negative value counts as 0.
            let share = |cell: &RunCell| cell.compared().map(|value| u64::try_from(value.units()).unwrap_or(0));
            let score = relative::answer_score(share(cell), best.and_then(share), direction);
            sum += u128::from(score);
            let (answer, best) = (cell.text(), best.map_or("-".into(), |best| best.text()));
            lines.push((score, WorstBoard { board: board.into(), answer, best, relative: relative::share(score) }));
        }
        let count = |counts: &dyn Fn(&RunCell) -> bool| cells.iter().filter(|(_, cell)| counts(cell)).count();
        let answered = match now.solving() || now.scoring.scores() {
            true => count(&|cell| cell.compared().is_some()),
            false => count(&|cell| cell.code.is_none()),
        };
        let relative = (!lines.is_empty()).then(|| sum as f64 / lines.len() as f64 / relative::ONE as f64);
        lines.sort_by_key(|(score, _)| *score);
        lines.retain(|(score, _)| *score < relative::ONE);
        lines.truncate(WORST_BOARDS);
        Self {
            boards: cells.len(),
            solved: now.solving().then(|| count(&RunCell::solves)),
            answered,
            mean,
            median: median(&values).map(|median| median / unit),
            relative,
            better,
            worse,
            same,
            first,
            none,
            worst: lines.into_iter().map(|(_, line)| line).collect(),
        }
    }
}

/// The value by which an answer is compared, in its smallest unit. `None` if the answer does not count, or if answers
/// are only accepted or rejected.
pub(crate) fn value(cell: &RunCell) -> Option<i128> {
    let accepts = cell.scoring.as_deref().is_some_and(Scoring::accepts);
    cell.compared().filter(|_| !accepts).map(Points::units)
}

/// Compares two versions of a solver, as if they were one entry of two contests.
///
/// # Errors
///
/// The results are of contests that cannot be compared.
pub fn compare_versions(first: &Results, second: &Results, names: [&str; 2]) -> Result<Comparison, TryError> {
    let source = |name: &str, results: &Results| {
        let mut results = results.clone();
        // A renamed program is the same solver.
        results.rows.truncate(1);
        results.rows.iter_mut().for_each(|row| row.entry.name = "solver".into());
        Source { name: name.to_owned(), results }
    };
    Ok(Comparison::from_all(vec![source(names[0], first), source(names[1], second)], DEFAULT_SEED)?)
}

/// The boards of two versions side by side; `None` without a board in common.
///
/// # Errors
///
/// Those of [`compare_versions`].
pub fn pair_of_versions(first: &Results, second: &Results) -> Result<Option<Pair>, TryError> {
    let pair = compare_versions(first, second, ["before", "now"])?.changes.into_iter().next();
    Ok(pair.filter(|pair| !pair.boards.is_empty()))
}
