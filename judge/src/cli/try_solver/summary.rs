//! The summary of a try: what was solved, and how it compares with earlier versions.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::memory::{Memory, Version};
use super::series::Decision;
use crate::cli::Failure;
use crate::layout::{Column, Grid, folded, no_room};
use crate::output::write_pretty_json;
use crate::report::{change_sentence, failure_lines};
use judge_core::compare::statistics::median;
use judge_core::compare::{Comparison, DEFAULT_SEED, Pair, Source, equals};
use judge_core::results::Results;
use judge_core::score::{Cell, JudgedBy};
use judge_core::text::printable;

/// The boards that are shown as the worst.
const WORST: usize = 5;

/// Figures of a version over its boards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Summary {
    pub(super) boards: usize,
    pub(super) solved: usize,
    /// Mean and median of the answer's value, which is its moves or its points, over the solved boards.
    mean: Option<f64>,
    median: Option<f64>,
    /// The mean relative score: 1 for answers that are all as good as the best remembered.
    relative: Option<f64>,
    /// Compared with the best remembered before; boards without one are `first`.
    better: usize,
    worse: usize,
    same: usize,
    first: usize,
    /// The boards with the lowest relative scores, the worst first.
    worst: Vec<BoardLine>,
}

/// A board of the summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct BoardLine {
    board: String,
    answer: String,
    best: String,
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

/// A version in JSON.
#[derive(Serialize)]
struct Document<'a> {
    version: &'a Version,
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
    /// Summarizes results of one entry. `before` has the best answers without these, `best` those with them.
    pub(super) fn of(now: &Results, before: Option<&Results>, best: Option<&Results>) -> Result<Self, Failure> {
        let cells = || now.rows.first().into_iter().flat_map(|row| &row.cells).filter(|cell| cell.judged());
        let values: Vec<i128> = cells().filter_map(|cell| value(now, cell)).collect();
        // Points have decimals, and are whole numbers of their smallest part here.
        let unit = now.scoring.as_ref().map_or(1.0, |scoring| 10f64.powi(scoring.decimals.into()));
        let mean = (!values.is_empty()).then(|| values.iter().sum::<i128>() as f64 / values.len() as f64 / unit);
        let pair = before.map(|before| pair(before, now)).transpose()?.flatten();
        let (better, worse, same) =
            pair.as_ref().map_or((0, 0, 0), |pair| (pair.second_better, pair.first_better, pair.ties));
        let mut lines = Vec::new();
        if let Some(pair) = best.map(|best| self::pair(best, now)).transpose()?.flatten() {
            lines.extend(pair.boards.into_iter().filter_map(|line| {
                let cell = |cell: Option<String>| cell.unwrap_or_else(|| "-".into());
                Some(BoardLine {
                    relative: line.second.score?,
                    board: line.board,
                    answer: cell(line.second.cell),
                    best: cell(line.first.cell),
                })
            }));
        }
        // A board that was never solved has no best answer, and counts 0.
        let unsolved = now.boards.iter().zip(now.rows.first().map_or(&[][..], |row| &row.cells));
        let known: std::collections::BTreeSet<String> = lines.iter().map(|line| line.board.clone()).collect();
        lines.extend(unsolved.filter(|(board, cell)| cell.judged() && !known.contains(&board.name)).map(
            |(board, cell)| BoardLine {
                board: board.name.clone(),
                answer: cell.text(),
                best: "-".into(),
                relative: 0.0,
            },
        ));
        lines.sort_by(|a, b| a.relative.total_cmp(&b.relative));
        let relative =
            (!lines.is_empty()).then(|| lines.iter().map(|line| line.relative).sum::<f64>() / lines.len() as f64);
        lines.retain(|line| line.relative < 1.0);
        lines.truncate(WORST);
        let solved = cells().filter(|cell| solves(now, cell)).count();
        let boards = cells().count();
        Ok(Self {
            boards,
            solved,
            mean,
            median: median(&values).map(|median| median / unit),
            relative,
            better,
            worse,
            same,
            first: boards.saturating_sub(better + worse + same),
            worst: lines,
        })
    }

    /// Writes the summary; the comparison with an earlier version is the last line.
    pub(super) fn write(
        &self,
        version: &Version,
        earlier: Option<(&Version, &Results)>,
        now: &Results,
        decision: Option<&Decision<'_>>,
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
                Column::new("relative", cells(|line| format!("{:.3}", line.relative))).right().leaves(0),
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
                "; {what} of the solved: mean {}, median {}; mean relative score {}",
                figure(self.mean),
                figure(self.median),
                relative(self.relative)
            ),
        };
        line(&format!("solved {} of {}{figures}", self.solved, self.boards))?;
        let first = if self.first > 0 { format!(", first answers on {}", self.first) } else { String::new() };
        line(&format!(
            "against the best in {}: better on {}, worse on {}, same on {}{first}",
            view.memory.display(),
            self.better,
            self.worse,
            self.same
        ))?;
        let Some((before, runs)) = earlier else {
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
        let sentence = change_sentence(comparison(runs, now, &names)?);
        Ok(line(&sentence.unwrap_or_else(|| format!("no board in common with {}", before.title())))?)
    }

    /// Writes the summary as JSON.
    pub(super) fn write_json(
        &self,
        version: &Version,
        earlier: Option<(&Version, &Results)>,
        now: &Results,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let against = earlier.map(|(version, runs)| Ok::<_, Failure>(pair(runs, now)?.map(|pair| (version, pair))));
        let against = against.transpose()?.flatten().map(|(version, pair)| Against {
            version,
            better: pair.second_better,
            worse: pair.first_better,
            same: pair.ties,
            sign_test_p: pair.sign_test.p,
        });
        write_pretty_json(&Document { version, summary: self, against }, out)?;
        Ok(writeln!(out)?)
    }
}

/// Writes the versions of a solver with their means, and with scores relative to the best answers of today.
pub(super) fn write_history(memory: &Memory, width: Option<usize>, out: &mut dyn Write) -> Result<(), Failure> {
    let versions = memory.versions()?;
    if versions.is_empty() {
        return Ok(writeln!(out, "no version was tried yet; try one with `judge try --seeds 1-100 -- ./solver`")?);
    }
    let best = memory.best()?;
    let summaries = versions
        .iter()
        .map(|version| memory.runs(version)?.map(|runs| Summary::of(&runs, None, best.as_ref())).transpose());
    let summaries = summaries.collect::<Result<Vec<_>, Failure>>()?;
    let of_versions = |text: fn(&Version) -> String| versions.iter().map(text).collect::<Vec<_>>();
    let of_summaries = |text: fn(&Summary) -> String| -> Vec<String> {
        summaries.iter().map(|summary| summary.as_ref().map_or("-".into(), text)).collect()
    };
    let several = versions.iter().any(|version| version.program != versions[0].program);
    // To the minute.
    let date = |version: &Version| version.date.chars().take(16).collect::<String>().replace('T', " ");
    let mean = |summary: &Summary| summary.mean.map_or("-".into(), |mean| format!("{mean:.1}"));
    // A column in which no version has anything is left out.
    let names = of_versions(|version| printable(&version.name));
    let comments = of_versions(|version| printable(&version.comment));
    let some = |cells: &[String]| cells.iter().any(|cell| !cell.is_empty());
    let name = some(&names).then(|| Column::new("name", names).leaves(2));
    let comment = some(&comments).then(|| Column::new("comment", comments).cut_before(2, 12).leaves(3));
    // With several solvers in a folder, a command says which one a version is of.
    let command = Column::new("command", of_versions(|version| printable(&version.command)));
    let columns = [
        Some(Column::new("version", of_versions(|version| version.number.to_string())).right()),
        Some(Column::new("date", of_versions(date)).leaves(1)),
        name,
        Some(
            Column::new("solved", of_summaries(|summary| format!("{} of {}", summary.solved, summary.boards))).right(),
        ),
        Some(Column::new("mean", of_summaries(mean)).right().leaves(5)),
        Some(Column::new("relative", of_summaries(|summary| relative(summary.relative))).right()),
        comment,
        Some(command.cut_before(2, 12).leaves(if several { 4 } else { 0 })),
    ];
    let mut table = Grid::new(columns.into_iter().flatten().collect());
    let gone = table.fit(width);
    writeln!(out, "{table}")?;
    let elsewhere = format!("{} has them", memory.history_file().display());
    if let Some(line) = no_room(gone.iter().map(|(_, head)| head.as_str()), &elsewhere) {
        writeln!(out, "{}", folded(&line, width))?;
    }
    Ok(())
}

fn relative(score: Option<f64>) -> String {
    score.map_or("-".into(), |score| format!("{score:.4}"))
}

/// The moves or the points of an answer, if it is one that counts.
fn value(results: &Results, cell: &Cell) -> Option<i128> {
    if !solves(results, cell) {
        return None;
    }
    match results.judged_by {
        JudgedBy::Progress => cell.metrics.moves.map(i128::from),
        JudgedBy::Score => cell.metrics.points.map(|points| points.units().into()),
        JudgedBy::Acceptance => None,
    }
}

/// Tests whether an answer solves its board, or is valid in a contest with points.
fn solves(results: &Results, cell: &Cell) -> bool {
    if results.scoring.is_some() { cell.code.is_none() && cell.metrics.points.is_some() } else { cell.solves(cell.of) }
}

/// Compares two versions.
fn comparison(first: &Results, second: &Results, names: &(String, String)) -> Result<Comparison, Failure> {
    let source = |name: &String, results: &Results| {
        let mut results = results.clone();
        // A renamed program is the same solver.
        results.rows.truncate(1);
        results.rows.iter_mut().for_each(|row| row.entry.name = "solver".into());
        Source { name: name.clone(), results }
    };
    let sources = vec![source(&names.0, first), source(&names.1, second)];
    Comparison::of_all(sources, DEFAULT_SEED).map_err(Failure::input)
}

/// The boards of two versions side by side; `None` without a board in common.
fn pair(first: &Results, second: &Results) -> Result<Option<Pair>, Failure> {
    let names = ("before".to_owned(), "now".to_owned());
    let pair = comparison(first, second, &names)?.changes.into_iter().next();
    Ok(pair.filter(|pair| !pair.boards.is_empty()))
}
