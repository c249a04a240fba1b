//! The summary of a try in words: what was solved, and how it compares with earlier versions.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::cli::Failure;
use crate::cli::gain::outlook_text;
use judge_core::compare::equals;
use judge_core::judged_by::JudgedBy;
use judge_core::results::Results;
use judge_core::text::printable;
use judge_job::count_text;
use judge_report::layout::{Column, Grid, folded};
use judge_report::output::write_pretty_json;
use judge_report::{change_sentence, failure_lines};
use judge_try::{Baseline, Decision, Outlook, Summary, Version, WorstBoard, compare_versions, pair_of_versions};

/// The place where the summary is printed.
pub(super) struct View<'a> {
    pub(super) width: Option<usize>,
    pub(super) results: &'a Path,
    /// The file with the best answers so far; `None` if this try is not remembered.
    pub(super) memory: Option<&'a Path>,
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

/// Writes the summary; the comparison with an earlier version is the last line.
pub(super) fn write(
    summary: &Summary,
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
    if !summary.worst.is_empty() {
        let cells = |text: fn(&WorstBoard) -> String| summary.worst.iter().map(text).collect::<Vec<_>>();
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
    let comment = if version.comment.is_empty() { String::new() } else { format!(", {}", printable(&version.comment)) };
    line(&format!("{}{comment}", version.title()))?;
    let figures = match now.judged_by {
        JudgedBy::Acceptance => String::new(),
        JudgedBy::Progress | JudgedBy::Score => format!(
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
    let Some(memory) = view.memory else { return Ok(()) };
    line(&format!(
        "against the best in {}: better on {}, worse on {}, same on {}{more}",
        memory.display(),
        summary.better,
        summary.worse,
        summary.same
    ))?;
    let Some(Baseline { version: before, runs, .. }) = earlier else {
        return Ok(line("no earlier version to compare with: try the next one the same way")?);
    };
    let (before, now_title) = (before.title(), version.title());
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
            before, now_title
        ))?);
    }
    let pair = pair_of_versions(runs, now).map_err(Failure::trying)?;
    let outlook = pair.map(|pair| Outlook::new(pair.second_better, pair.first_better, pair.compared()));
    if let Some(outlook @ (Outlook::More(_) | Outlook::Open)) = outlook {
        line(&outlook_text(outlook))?;
    }
    let comparison = compare_versions(runs, now, [&before, &now_title]).map_err(Failure::trying)?;
    let sentence = change_sentence(comparison);
    Ok(line(&sentence.unwrap_or_else(|| format!("no board in common with {before}")))?)
}

/// Writes the summary as JSON.
pub(super) fn write_json(
    summary: &Summary,
    (version, same_as): (&Version, Option<u32>),
    earlier: Option<&Baseline>,
    now: &Results,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let pair = earlier.map(|earlier| pair_of_versions(&earlier.runs, now)).transpose().map_err(Failure::trying)?;
    let against = earlier.zip(pair.flatten()).map(|(earlier, pair)| Against {
        version: &earlier.version,
        better: pair.second_better,
        worse: pair.first_better,
        same: pair.ties,
        sign_test_p: pair.sign_test.p,
    });
    write_pretty_json(&Document { version, same_as, summary, against }, out)?;
    Ok(writeln!(out)?)
}

/// A mean relative score as text.
pub(super) fn relative_text(score: Option<f64>) -> String {
    score.map_or("-".into(), |score| format!("{score:.4}"))
}
