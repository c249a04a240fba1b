//! The summary of a try in words: what was solved, and how it compares with earlier versions.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::{ReportError, relative_text};
use crate::versions::{Baseline, Decision, Series, Summary, Tryout, WorstBoard, pair_of_versions};
use judge_core::compare::conclusion::{Conclusion, RankingFigures};
use judge_core::compare::{Pair, PairResult};
use judge_core::score::RunCell;
use judge_core::text::printable;
use judge_job::count_text;
use judge_report::layout::{Column, Grid, folded};
use judge_report::output::write_pretty_json;
use judge_report::{RunFigures, failure_lines};

/// The result of a try on many boards, ready to be written.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TryReport<'a> {
    /// The series with its baseline.
    pub series: &'a Series,
    /// The new version and its figures.
    pub tryout: &'a Tryout,
    /// The decision at which the try was to stop, if one was asked for.
    pub decision: Option<&'a Decision>,
    /// The results directory, for the last lines of standard error.
    pub results: &'a Path,
    /// False if the memory is discarded: the version is then not compared.
    pub is_remembered: bool,
}

/// The report as JSON.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    answer: Conclusion,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    notices: &'a [String],
    version: Value,
    /// The number of an earlier version with the same program.
    same_as: Option<u32>,
    #[serde(flatten)]
    summary: &'a Summary,
    against: Option<Against>,
    runs: Vec<RunDocument<'a>>,
}

/// A run on one of the boards.
#[derive(Serialize)]
struct RunDocument<'a> {
    board: &'a str,
    cell: String,
    #[serde(flatten)]
    figures: RunFigures,
    /// The reason why the board is not solved.
    fault: Option<&'a str>,
    /// The cell of the earlier version; `None` without one that was judged.
    before: Option<String>,
    /// What it is against that one.
    change: Option<&'static str>,
}

#[derive(Serialize)]
struct Against {
    version: Value,
    better: usize,
    worse: usize,
    same: usize,
    sign_test_p: Option<f64>,
}

impl<'a> TryReport<'a> {
    /// A report on a try with this results directory, without a decision.
    pub fn new(series: &'a Series, tryout: &'a Tryout, results: &'a Path) -> Self {
        Self { series, tryout, decision: None, results, is_remembered: true }
    }

    /// The main result: whether the version is better than the earlier one, or, without an earlier one, what it solved.
    fn answer(&self, pair: Option<&Pair>) -> Conclusion {
        let missing = self.tryout.planned.saturating_sub(self.tryout.summary.boards);
        let mut answer = self.verdict(pair);
        (answer.complete, answer.missing) = (missing == 0, missing);
        answer
    }

    fn verdict(&self, pair: Option<&Pair>) -> Conclusion {
        let Tryout { version, results: now, summary, planned, .. } = self.tryout;
        let title = version.title();
        let alone = |why: &str| {
            let (answered, boards) = (summary.answered, count_text(summary.boards, "board", "boards"));
            let verb = if summary.solved.is_some() { "solves" } else { "has valid answers to" };
            let mut answer = Conclusion::from_results(now);
            answer.text = format!("{title} {verb} {} of {boards}{why}.", summary.solved.unwrap_or(answered));
            answer
        };
        let Some(Baseline { version: before, .. }) = self.series.baseline.as_ref().filter(|_| self.is_remembered)
        else {
            return alone("");
        };
        let Some(pair) = pair else { return alone(&format!("; it has no board in common with {}", before.title())) };
        let (names, figures) = ([before.title(), title], RankingFigures::of(now));
        match self.decision {
            Some(decision) => {
                Conclusion::from_betting(pair, &names, &figures, &decision.test, (decision.counted, *planned))
            }
            None => Conclusion::from_pair(pair, &names, &figures),
        }
    }

    /// The comparison on the boards that the version and the earlier one have in common.
    fn pair(&self) -> Result<Option<Pair>, ReportError> {
        let Some(Baseline { runs, .. }) = &self.series.baseline else { return Ok(None) };
        Ok(pair_of_versions(runs, &self.tryout.results)?)
    }

    /// What a page of the try begins with: on how many boards the version is better and worse, then the answer.
    ///
    /// # Errors
    /// If the versions cannot be compared.
    pub fn headline(&self) -> Result<String, ReportError> {
        let pair = self.pair()?;
        let answer = self.answer(pair.as_ref()).text;
        Ok(match (pair.filter(|_| self.is_remembered), &self.series.baseline) {
            (Some(pair), Some(earlier)) => {
                let (better, worse) = (pair.second_better, pair.first_better);
                let boards = better + worse + pair.ties + pair.unknown;
                let against = earlier.version.title();
                format!("{better} better, {worse} worse of {boards}, against {against}. {answer}")
            }
            _ => answer,
        })
    }

    /// The runs on all boards, in their order.
    fn runs(&self) -> Vec<RunDocument<'_>> {
        let now = &self.tryout.results;
        let ranking = now.board_ranking();
        let before = self.series.baseline.as_ref().filter(|_| self.is_remembered).map(|earlier| &earlier.runs);
        let cells = now.rows.first().map_or(&[][..], |row| &row.cells);
        let runs = now.boards.iter().zip(cells).map(|(board, cell)| {
            let earlier = before.and_then(|runs| {
                let column = runs.boards.iter().position(|head| head.name == board.name)?;
                runs.rows.first().map(|row| &row.cells[column]).filter(|cell| cell.judged())
            });
            let change = earlier.filter(|_| cell.judged()).and_then(|earlier| match ranking.better_of(earlier, cell) {
                PairResult::First => Some("worse"),
                PairResult::Second => Some("better"),
                PairResult::Tie => Some("same"),
                PairResult::Missing | PairResult::Unknown => None,
            });
            let fault = now.faults.iter().find(|fault| *fault.board == *board.name);
            RunDocument {
                board: &board.name,
                cell: cell.text(),
                figures: RunFigures::new(cell, now),
                fault: fault.map(|fault| fault.reason.as_str()),
                before: earlier.map(RunCell::text),
                change,
            }
        });
        runs.collect()
    }

    /// Writes the summary in words for a terminal of that width: the answer, then its details.
    ///
    /// # Errors
    /// If the versions cannot be compared, and those of `out`.
    pub fn write(&self, width: Option<usize>, out: &mut dyn Write) -> Result<(), ReportError> {
        let Tryout { version, results: now, summary, .. } = self.tryout;
        let mut line = |text: &str| writeln!(out, "{}", folded(text, width));
        line(&self.answer(self.pair()?.as_ref()).text)?;
        for failure in failure_lines(now, self.results) {
            line(&failure)?;
        }
        if !summary.worst.is_empty() {
            let cells = |text: fn(&WorstBoard) -> String| summary.worst.iter().map(text).collect::<Vec<_>>();
            let mut table = Grid::new(vec![
                Column::new("worst boards", cells(|line| printable(&line.board))).cut(),
                Column::new("answer", cells(|line| line.answer.clone())).right(),
                Column::new("best", cells(|line| line.best.clone())).right(),
                Column::new("relative score", cells(|line| format!("{:.3}", line.relative))).right().leaves(0),
            ]);
            table.fit(width);
            line("")?;
            for row in table.to_string().lines() {
                writeln!(out, "{row}")?;
            }
        }
        let mut line = |text: &str| writeln!(out, "{}", folded(text, width));
        line("")?;
        let moves = now.scoring.cost().map(|moves| printable(moves.title()));
        let what = moves.as_deref().unwrap_or("score");
        let figure = |figure: Option<f64>| figure.map_or("-".into(), |figure| format!("{figure:.1}"));
        let comment =
            if version.comment.is_empty() { String::new() } else { format!(", {}", printable(&version.comment)) };
        line(&format!("{}{comment}", version.title()))?;
        let figures = match now.scoring.accepts() {
            true => String::new(),
            false => format!(
                "; {what} of {}: mean {}, median {}; mean relative score {}",
                match summary.solved {
                    Some(solved) if solved == summary.answered => "the solved".into(),
                    Some(_) => count_text(summary.answered, "valid answer", "valid answers"),
                    None => "these".into(),
                },
                figure(summary.mean),
                figure(summary.median),
                relative_text(summary.relative)
            ),
        };
        let boards = match summary.solved {
            Some(solved) => format!("solved {solved} of {}", summary.boards),
            None => format!("valid answers to {} of {}", summary.answered, summary.boards),
        };
        line(&format!("{boards}{figures}"))?;
        let more = [(summary.first, ", first answers on"), (summary.none, ", without any answer on")];
        let more = more.iter().filter(|(boards, _)| *boards > 0).map(|(boards, what)| format!("{what} {boards}"));
        let more: String = more.collect();
        // It would be compared with itself.
        if !self.is_remembered {
            return Ok(());
        }
        line(&format!(
            "against the best in {}: better on {}, worse on {}, same on {}{more}",
            self.series.memory.best_file().display(),
            summary.better,
            summary.worse,
            summary.same
        ))?;
        if self.series.baseline.is_none() {
            line("no earlier version to compare with: try the next one the same way")?;
        }
        Ok(())
    }

    /// Writes the summary as JSON, with the notices of the command.
    ///
    /// # Errors
    /// As [`TryReport::write`].
    pub fn write_json(&self, notices: &[String], out: &mut dyn Write) -> Result<(), ReportError> {
        let Tryout { version, summary, .. } = self.tryout;
        let earlier = self.series.baseline.as_ref();
        let pair = self.pair()?;
        let answer = self.answer(pair.as_ref());
        let against = earlier.zip(pair).map(|(earlier, pair)| Against {
            version: earlier.version.document(),
            better: pair.second_better,
            worse: pair.first_better,
            same: pair.ties,
            sign_test_p: pair.sign_test.p,
        });
        let same_as = self.series.same.as_ref().map(|same| same.number);
        let (version, runs) = (version.document(), self.runs());
        write_pretty_json(&Document { answer, notices, version, same_as, summary, against, runs }, out)?;
        Ok(writeln!(out)?)
    }
}
