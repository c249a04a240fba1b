//! Comparisons as tables and sentences: pairs, changes between sources, stability of the rankings.

mod changes;
mod duel;
mod legend;
mod pairs;
mod scores;
mod sheet;

use std::io::{self, Write};

use super::super::View;
use super::sentences;
use crate::layout::Markup;
use judge_core::compare::{Comparison, SourceInfo};
use judge_core::results::range_text;
use judge_core::text::printable;
use judge_job::{count_text, duration_text};
use sheet::{Medium, Sheet};

/// The most boards that a warning names.
const MAX_NAMED: usize = 16;

/// Writes a comparison for a terminal, or for a document if there is a markup.
pub(super) fn write(
    comparison: &Comparison,
    markup: Option<Markup>,
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut sheet = Sheet::new(markup.map_or(Medium::Terminal(view.width), Medium::Document));
    write_all(comparison, view.pairs || duel::are_few(&comparison.pairs), &mut sheet);
    writeln!(out, "{}", sheet.text().trim_end())
}

/// Writes the answer, the figures if there are few pairs, the scores, what became worse and better, then the details.
fn write_all(comparison: &Comparison, with_pairs: bool, sheet: &mut Sheet) {
    sheet.line(&comparison.answer.text);
    if duel::write(comparison, sheet) {
        sheet.line("");
    }
    for source in &comparison.sources {
        sheet.line(&of_source(source));
    }
    for warning in &comparison.warnings {
        sheet.line(&format!("note: {}", printable(&warning.short(MAX_NAMED))));
    }
    for source in &comparison.sources {
        scores::of_source(comparison, source, sheet);
    }
    changes::boards(comparison, sheet);
    changes::steps(comparison, sheet);
    if with_pairs {
        pairs::write(comparison, sheet);
    } else {
        sheet.hint("\nevery two entries, board by board: --pairs");
    }
    if !comparison.agreement.is_empty() {
        sheet.line("\nagreement of the rankings");
    }
    for agreement in &comparison.agreement {
        sheet.line(&sentences::of_agreement(agreement));
    }
    for difference in &comparison.agreement_differences {
        sheet.line(&sentences::of_agreement_difference(difference));
    }
    for repeats in &comparison.repeats {
        sheet.line(&format!("\nvariation of the relative score over repeats in {}", printable(&repeats.source)));
        scores::variation(repeats, sheet);
    }
    limit_use(comparison, sheet);
    if let Some(across) = &comparison.across_limits {
        scores::across_limits(across, sheet);
    }
    legend::write(comparison, sheet);
}

/// Formats `runs/1: Loyd's Dilemma, 10m per board, 5 boards, 5 entries`.
fn of_source(source: &SourceInfo) -> String {
    let contest = source.contest.as_deref().map(|contest| format!(" {},", printable(contest))).unwrap_or_default();
    let limits = |limits| format!(" {} per board,", range_text(limits, duration_text));
    let limit = source.limits_ms.map(limits).unwrap_or_default();
    let (name, boards) = (printable(&source.name), sentences::boards(source.boards));
    format!("{name}:{contest}{limit} {boards}, {}", count_text(source.entries.len(), "entry", "entries"))
}

/// Writes the entries that another limit would affect, one line per source.
fn limit_use(comparison: &Comparison, sheet: &mut Sheet) {
    if !comparison.limit_use.is_empty() {
        sheet.line("");
    }
    for limit_use in &comparison.limit_use {
        let limits = |limits| format!(" at {}", range_text(limits, duration_text));
        let limit = limit_use.limits_ms.map(limits).unwrap_or_default();
        let text = sentences::of_limit_use(limit_use);
        sheet.line(&format!("{}{limit}: {text}", printable(&limit_use.source)));
    }
}

/// A board's name with its mark.
fn marked(board: &str, reconstruction: bool) -> String {
    let mark = if reconstruction { "*" } else { "" };
    format!("{}{mark}", printable(board))
}
