//! The summary of a try: what was solved, and how it compares with earlier versions.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::baseline::Baseline;
use super::best::{Best, BestAnswers};
use super::decision::Decision;
use super::version::Version;
use crate::cli::Failure;
use crate::cli::gain::Outlook;
use judge_core::compare::statistics::median;
use judge_core::compare::{Comparison, DEFAULT_SEED, Outcome, Pair, Source, better_of, equals};
use judge_core::judged_by::JudgedBy;
use judge_core::relative::{self, Direction};
use judge_core::results::Results;
use judge_core::score::RunCell;
use judge_core::text::printable;
use judge_job::count_text;
use judge_report::layout::{Column, Grid, folded};
use judge_report::output::write_pretty_json;
use judge_report::{change_sentence, failure_lines};

/// The boards that are shown as the worst.
const WORST: usize = 5;

/// Figures of a version over its boards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Summary {
    pub(super) boards: usize,
    /// Boards solved; `None` if nothing solves a board.
    pub(super) solved: Option<usize>,
    /// Boards with an answer that counts: solved ones, or valid ones in a contest with points or if nothing solves a board.
    pub(super) answered: usize,
    /// Mean and median of the answer's value, which is its moves or its points, over the answered boards.
    pub(super) mean: Option<f64>,
    median: Option<f64>,
    /// The mean relative score: 1 for answers that are all as good as the best remembered.
    #[serde(rename = "relative_to_best_known")]
    pub(super) relative: Option<f64>,
    /// Compared with the best answers remembered before. A board without one counts as `first` if it has an answer now,
    /// and otherwise as `none`.
    better: usize,
    worse: usize,
    same: usize,
    first: usize,
    none: usize,
    /// The boards with the lowest relative scores, the worst first.
    worst: Vec<BoardLine>,
}

/// A board of the summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct BoardLine {
    board: String,
    answer: String,
    best: String,
    #[serde(rename = "relative_to_best_known")]
    relative: f64,
}

/// The place where the summary is printed.
pub(super) struct View<'a> {
    pub(super) width: Option<usize>,
    pub(super) results: &'a Path,
    pub(super) memory: &'a Path,
    /// The number of boards before an early decision.
    pub(super) planned: usize,
}

/// What `--json` prints of a version on many boards.
#[derive(Serialize)]
struct Document<'a> {
    version: &'a Version,
    /// The number of an earlier version with the same program.
    same_as: Option<u32>,
    #[serde(flatten)]
    summary: &'a Summary,
    against: Option<Against<'a>>,
}

#[derive(Serialize)]
struct Against<'a> {
    version: &'a Version,
    better: usize,
    worse: usize,
    same: usize,
    sign_test_p: Option<f64>,
}

impl Summary {
    /// Summarizes results of one entry. `boards` has the hashes of their boards by name: those without one are compared
    /// with nothing. `before` has the best answers without these, `best` those with them.
    pub(super) fn new<'a>(
        now: &Results,
        hash: impl Fn(&str) -> Option<&'a str>,
        objective: &str,
        (before, best): (&BestAnswers, &BestAnswers),
    ) -> Self {
        let cells = now.rows.first().map_or(&[][..], |row| &row.cells);
        let cells: Vec<(&str, &RunCell)> = now
            .boards
            .iter()
            .zip(cells)
            .filter(|(_, cell)| cell.judged())
            .map(|(board, cell)| (&*board.name, cell))
            .collect();
        let direction = now.scoring.as_ref().map(|scoring| scoring.direction);
        let values: Vec<i128> = cells.iter().filter_map(|(_, cell)| value(now, cell)).collect();
        // Points have decimals, and are whole numbers of their smallest part here.
        let unit = now.scoring.as_ref().map_or(1.0, |scoring| 10f64.powi(scoring.decimals.into()));
        let mean = (!values.is_empty()).then(|| values.iter().sum::<i128>() as f64 / values.len() as f64 / unit);
        let (mut better, mut worse, mut same, mut first, mut none) = (0, 0, 0, 0, 0);
        let (mut lines, mut sum) = (Vec::new(), 0);
        for &(board, cell) in &cells {
            let Some(sha256) = hash(board) else { continue };
            let known = |answers: &BestAnswers| answers.find(board, sha256, objective).map(Best::cell);
            match known(before).map(|before| better_of(cell, &before, direction)) {
                Some(Outcome::First) => better += 1,
                Some(Outcome::Second) => worse += 1,
                Some(Outcome::Tie) => same += 1,
                Some(Outcome::Missing | Outcome::Unknown) => {}
                None if cell.code.is_none() => first += 1,
                None => none += 1,
            }
            let best = known(best);
            let share = |cell: &RunCell| relative_value(now, cell);
            let score =
                relative::of_answer(share(cell), best.as_ref().and_then(share), direction.unwrap_or(Direction::Down));
            sum += u128::from(score);
            let (answer, best) = (cell.text(), best.map_or("-".into(), |best| best.text()));
            lines.push((score, BoardLine { board: board.into(), answer, best, relative: relative::share(score) }));
        }
        let count = |counts: &dyn Fn(&RunCell) -> bool| cells.iter().filter(|(_, cell)| counts(cell)).count();
        let answered = match now.solving() || now.scoring.is_some() {
            true => count(&|cell| answers(now, cell)),
            false => count(&|cell| cell.code.is_none()),
        };
        let relative = (!lines.is_empty()).then(|| sum as f64 / lines.len() as f64 / relative::ONE as f64);
        lines.sort_by_key(|(score, _)| *score);
        lines.retain(|(score, _)| *score < relative::ONE);
        lines.truncate(WORST);
        Self {
            boards: cells.len(),
            solved: now.solving().then(|| count(&|cell| cell.solves(cell.of))),
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

    /// Writes the summary; the comparison with an earlier version is the last line.
    pub(super) fn write(
        &self,
        version: &Version,
        earlier: Option<&Baseline>,
        now: &Results,
        decision: Option<&Decision>,
        view: &View<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut line = |text: &str| writeln!(out, "{}", folded(text, view.width));
        for failure in failure_lines(now, view.results) {
            line(&failure)?;
        }
        if !self.worst.is_empty() {
            let cells = |text: fn(&BoardLine) -> String| self.worst.iter().map(text).collect::<Vec<_>>();
            let mut table = Grid::new(vec![
                Column::new("worst boards", cells(|line| printable(&line.board))).cut(),
                Column::new("answer", cells(|line| line.answer.clone())).right(),
                Column::new("best", cells(|line| line.best.clone())).right(),
                Column::new("relative score", cells(|line| format!("{:.3}", line.relative))).right().leaves(0),
            ]);
            table.fit(view.width);
            line("")?;
            for row in table.to_string().lines() {
                writeln!(out, "{row}")?;
            }
        }
        let mut line = |text: &str| writeln!(out, "{}", folded(text, view.width));
        line("")?;
        let moves = printable(&now.headings.moves);
        let what = if now.scoring.is_some() { "score" } else { &moves };
        let figure = |figure: Option<f64>| figure.map_or("-".into(), |figure| format!("{figure:.1}"));
        let comment =
            if version.comment.is_empty() { String::new() } else { format!(", {}", printable(&version.comment)) };
        line(&format!("{}{comment}", version.title()))?;
        let figures = match now.judged_by {
            JudgedBy::Acceptance => String::new(),
            JudgedBy::Progress | JudgedBy::Score => format!(
                "; {what} of {}: mean {}, median {}; mean relative score {}",
                match self.solved {
                    Some(solved) if solved == self.answered => "the solved".into(),
                    Some(_) => count_text(self.answered, "valid answer", "valid answers"),
                    None => "these".into(),
                },
                figure(self.mean),
                figure(self.median),
                relative_text(self.relative)
            ),
        };
        let boards = match self.solved {
            Some(solved) => format!("solved {solved} of {}", self.boards),
            None => format!("valid answers to {} of {}", self.answered, self.boards),
        };
        line(&format!("{boards}{figures}"))?;
        let more = [(self.first, ", first answers on"), (self.none, ", without any answer on")];
        let more = more.iter().filter(|(boards, _)| *boards > 0).map(|(boards, what)| format!("{what} {boards}"));
        let more: String = more.collect();
        line(&format!(
            "against the best in {}: better on {}, worse on {}, same on {}{more}",
            view.memory.display(),
            self.better,
            self.worse,
            self.same
        ))?;
        let Some(Baseline { version: before, runs }) = earlier else {
            return Ok(line("no earlier version to compare with: try the next one the same way")?);
        };
        let names = (before.title(), version.title());
        if let Some(Decision { test, counted, .. }) = decision {
            // The usual tests are for a number of boards that was chosen before.
            let ((better, worse), p) = (test.tally(), equals(test.p()));
            let decided = if test.decided() { "decided" } else { "not decided" };
            let boards = if *counted < view.planned {
                format!("{counted} of {} boards", view.planned)
            } else {
                format!("{counted} boards")
            };
            return Ok(line(&format!(
                "from {} to {}: {decided} after {boards}: better on {better}, worse on {worse}; betting test p {p}",
                names.0, names.1
            ))?);
        }
        let pair = pair(runs, now)?;
        let outlook = pair.map(|pair| Outlook::new(pair.second_better, pair.first_better, pair.compared()));
        if let Some(outlook @ (Outlook::More(_) | Outlook::Open)) = outlook {
            line(&outlook.text())?;
        }
        let sentence = change_sentence(comparison(runs, now, &names)?);
        Ok(line(&sentence.unwrap_or_else(|| format!("no board in common with {}", before.title())))?)
    }

    /// Writes the summary as JSON.
    pub(super) fn write_json(
        &self,
        (version, same_as): (&Version, Option<u32>),
        earlier: Option<&Baseline>,
        now: &Results,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let against =
            earlier.map(|Baseline { version, runs }| Ok::<_, Failure>(pair(runs, now)?.map(|pair| (version, pair))));
        let against = against.transpose()?.flatten().map(|(version, pair)| Against {
            version,
            better: pair.second_better,
            worse: pair.first_better,
            same: pair.ties,
            sign_test_p: pair.sign_test.p,
        });
        write_pretty_json(&Document { version, same_as, summary: self, against }, out)?;
        Ok(writeln!(out)?)
    }
}

/// A mean relative score as text.
pub(super) fn relative_text(score: Option<f64>) -> String {
    score.map_or("-".into(), |score| format!("{score:.4}"))
}

/// The moves or the points of an answer, if it is one that counts.
fn value(results: &Results, cell: &RunCell) -> Option<i128> {
    if !answers(results, cell) {
        return None;
    }
    match results.judged_by {
        JudgedBy::Progress => cell.metrics.moves.map(i128::from),
        JudgedBy::Score => cell.metrics.points.map(|points| points.units().into()),
        JudgedBy::Acceptance => None,
    }
}

/// The value that the relative score of an answer is made of; 0 for one that is just accepted.
fn relative_value(results: &Results, cell: &RunCell) -> Option<u64> {
    if !answers(results, cell) {
        return None;
    }
    match results.judged_by {
        JudgedBy::Progress => cell.metrics.moves,
        // Less than nothing is not a share of anything.
        JudgedBy::Score => cell.metrics.points.map(|points| u64::try_from(points.units()).unwrap_or(0)),
        JudgedBy::Acceptance => Some(0),
    }
}

/// Tests whether an answer solves its board, or is valid in a contest with points.
fn answers(results: &Results, cell: &RunCell) -> bool {
    if results.scoring.is_some() { cell.code.is_none() && cell.metrics.points.is_some() } else { cell.solves(cell.of) }
}

/// Compares two versions of a solver, as if they were one entry of two contests.
fn comparison(first: &Results, second: &Results, names: &(String, String)) -> Result<Comparison, Failure> {
    let source = |name: &String, results: &Results| {
        let mut results = results.clone();
        // A renamed program is the same solver.
        results.rows.truncate(1);
        results.rows.iter_mut().for_each(|row| row.entry.name = "solver".into());
        Source { name: name.clone(), results }
    };
    let sources = vec![source(&names.0, first), source(&names.1, second)];
    Comparison::from_all(sources, DEFAULT_SEED).map_err(Failure::input)
}

/// The boards of two versions side by side; `None` without a board in common.
fn pair(first: &Results, second: &Results) -> Result<Option<Pair>, Failure> {
    let names = ("before".to_owned(), "now".to_owned());
    let pair = comparison(first, second, &names)?.changes.into_iter().next();
    Ok(pair.filter(|pair| !pair.boards.is_empty()))
}
