//! Comparisons as tables and sentences: pairs, changes between sources, stability of the rankings.

mod changes;
mod legend;
mod pairs;
mod scores;
mod sheet;

use std::io::{self, Write};

use super::super::View;
use super::sentences;
use judge_core::compare::{Comparison, SourceInfo};
use judge_core::text::printable;
use judge_job::{count_text, duration_text};
use sheet::{MAX_LINES, Remedy, Sheet};

/// The most boards that a warning names.
const MAX_NAMED: usize = 16;

pub(super) fn write(comparison: &Comparison, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut sheet = Sheet::of(view.width);
    write_all(comparison, &mut sheet);
    out.write_all(sheet.text().as_bytes())
}

/// Writes the verdict, then what became worse and better, then the details.
fn write_all(comparison: &Comparison, sheet: &mut Sheet) {
    verdict(comparison, sheet);
    changes::boards(comparison, sheet);
    changes::steps(comparison, sheet);
    pairs::write(comparison, sheet);
    if !comparison.agreement.is_empty() {
        sheet.line("\nagreement of the rankings");
    }
    for agreement in &comparison.agreement {
        sheet.line(&sentences::of_agreement(agreement));
    }
    for difference in &comparison.agreement_differences {
        sheet.line(&sentences::of_agreement_difference(difference));
    }
    for source in &comparison.sources {
        scores::of_source(comparison, source, sheet);
    }
    for repeats in &comparison.repeats {
        sheet.line(&format!("\nvariation of the relative score over repeats in {}", printable(&repeats.source)));
        scores::variation(repeats, sheet);
    }
    for stability in &comparison.stability {
        if !stability.boards.is_empty() {
            sheet.line(&format!("\nplaces in {} without each board", printable(&stability.source)));
            // Sentences suffice if no place changes.
            if stability.entries.iter().any(|entry| entry.moves() || entry.without.contains(&None)) {
                scores::places_without(stability, sheet);
            }
        }
        for line in sentences::of_stability(stability) {
            sheet.line(&line);
        }
    }
    limit_use(comparison, sheet);
    if let Some(across) = &comparison.across_limits {
        scores::across_limits(across, sheet);
    }
    legend::write(comparison, sheet);
}

/// Writes the result in sentences: of each entry that changed, or of each pair if they are few, or else of all entries.
/// The sources and reasons for doubt follow.
fn verdict(comparison: &Comparison, sheet: &mut Sheet) {
    for pair in comparison.changes.iter().take(MAX_LINES) {
        sheet.line(&sentences::of_change(comparison, pair));
    }
    sheet.more(comparison.changes.len(), "entries", Remedy::Entries);
    if pairs::are_few(comparison) {
        for pair in &comparison.pairs {
            sheet.line(&sentences::of_pair(comparison, pair));
        }
    } else if comparison.changes.is_empty() {
        for source in &comparison.sources {
            let scores = comparison.scores.iter().find(|scores| scores.source == source.name);
            if let Some(groups) = scores.and_then(|scores| sentences::of_groups(scores, source.boards)) {
                sheet.line(&format!("{}: {groups}", printable(&source.name)));
            }
        }
    }
    sheet.line("");
    for source in &comparison.sources {
        sheet.line(&of_source(source));
    }
    for warning in &comparison.warnings {
        sheet.line(&format!("note: {}", printable(&warning.short(MAX_NAMED))));
    }
}

/// Formats `runs/1: Loyd's Dilemma, 10m per board, 5 boards, 5 entries`.
fn of_source(source: &SourceInfo) -> String {
    let contest = source.contest.as_deref().map(|contest| format!(" {},", printable(contest))).unwrap_or_default();
    let limit = source.limit_ms.map(|limit| format!(" {} per board,", duration_text(limit))).unwrap_or_default();
    let (name, boards) = (printable(&source.name), sentences::boards(source.boards));
    format!("{name}:{contest}{limit} {boards}, {}", count_text(source.entries.len(), "entry", "entries"))
}

/// Writes which entries another limit would affect.
fn limit_use(comparison: &Comparison, sheet: &mut Sheet) {
    for limit_use in &comparison.limit_use {
        let limit = limit_use.limit_ms.map(|limit| format!(" at {}", duration_text(limit))).unwrap_or_default();
        sheet.line(&format!("\n{}{limit}, at half and at double the limit", printable(&limit_use.source)));
        for line in sentences::of_limit_use(limit_use, comparison.across_limits.is_some()) {
            sheet.line(&line);
        }
    }
}

/// A board's name with its mark.
fn marked(board: &str, reconstruction: bool) -> String {
    let mark = if reconstruction { "*" } else { "" };
    format!("{}{mark}", printable(board))
}
