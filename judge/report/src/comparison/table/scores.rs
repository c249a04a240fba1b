//! Tables of the entries of a source: their scores, places, variation, and places at other limits.

use super::super::sentences;
use super::sheet::{Explained, MAX_LINES, Remedy, Sheet};
use crate::layout::{Column, Grid};
use judge_core::compare::{AcrossLimits, Comparison, EntryScore, Places, Repeats, Scores, SourceInfo, Stability};
use judge_core::text::printable;
use judge_job::duration_text;

/// The columns that a too wide table leaves out, lower numbers first.
const PAR2: u8 = 1;
const RESAMPLED: u8 = 3;
const WITHOUT: u8 = 2;
const SOLVED: u8 = 4;

/// Writes the scores of a source's entries with their places, and what the places depend on.
pub(super) fn of_source(comparison: &Comparison, source: &SourceInfo, sheet: &mut Sheet) {
    let scores = comparison.scores.iter().find(|scores| scores.source == source.name);
    let stability = comparison.stability.iter().find(|stability| stability.source == source.name);
    if comparison.sources.len() > 1 || scores.is_none() {
        sheet.line(&format!("\n{}", printable(&source.name)));
    }
    if let Some(scores) = scores {
        // For two entries, the answer has this already.
        let groups = if scores.entries.len() > 2 { sentences::of_groups(scores, source.boards) } else { None };
        if let Some(line) = groups {
            sheet.line(&line);
        }
        table(scores, stability, sheet);
        sheet.more(scores.entries.len(), "entries", Remedy::Entries);
    }
    for line in stability.map(sentences::of_stability).unwrap_or_default() {
        sheet.line(&line);
    }
}

/// Writes a row per entry, in the order of the places; entries without one follow by their score.
fn table(scores: &Scores, stability: Option<&Stability>, sheet: &mut Sheet) {
    let placed: &[_] = stability.map_or(&[], |stability| &stability.entries);
    let place_of = |entry: &str| placed.iter().position(|places| places.entry == entry);
    let places = |entry: &EntryScore| place_of(&entry.entry).map(|at| &placed[at]);
    let mut entries: Vec<&EntryScore> = scores.entries.iter().collect();
    entries.sort_by_key(|entry| place_of(&entry.entry).unwrap_or(usize::MAX));
    entries.truncate(MAX_LINES);
    let of_entries = |text: &dyn Fn(&EntryScore) -> String| entries.iter().map(|entry| text(entry)).collect::<Vec<_>>();
    let mut table = Grid::default();
    if !placed.is_empty() {
        let place = |entry: &EntryScore| places(entry).map_or("-".into(), |places| places.place.to_string());
        table.push(Column::new("place", of_entries(&place)).right());
    }
    table.push(Column::new("entry", of_entries(&|entry| printable(&entry.entry))).cut());
    let solving = entries.iter().any(|entry| entry.solved.is_some());
    if solving {
        table.push(Column::new("solved", of_entries(&solved)).right().leaves(SOLVED));
    }
    table.push(Column::new("relative score", of_entries(&sentences::score)).right());
    if solving {
        let par2 =
            |entry: &EntryScore| entry.par2_us.map_or("-".into(), |us| format!("{} ms", us.saturating_add(500) / 1000));
        table.push(Column::new("PAR2", of_entries(&par2)).right().leaves(PAR2));
    }
    let resampled = stability.is_some_and(|stability| stability.resamples > 0);
    if resampled {
        let range = |entry: &EntryScore| places(entry).and_then(|places| places.resampled.as_ref());
        let above = |entry: &EntryScore| {
            let next = place_of(&entry.entry).and_then(|at| placed.get(at + 1));
            let share = next.zip(range(entry).and_then(|range| range.above_next));
            share.map_or(String::new(), |(next, share): (&Places, f64)| {
                format!("{} in {:.0} %", printable(&next.entry), share * 100.0)
            })
        };
        let resampled = |entry: &EntryScore| range(entry).map_or("-".into(), |range| span(range.best, range.worst));
        table.push(Column::new("resampled", of_entries(&resampled)).right().leaves(RESAMPLED));
        table.push(Column::new("above the next", of_entries(&above)).leaves(0));
    }
    let left_out = stability.is_some_and(|stability| !stability.boards.is_empty());
    if left_out
        && stability.is_some_and(|stability| {
            stability.entries.iter().any(|entry| entry.moves() || entry.without.contains(&None))
        })
    {
        let without = |entry: &EntryScore| {
            let Some(places) = places(entry) else { return "-".into() };
            let all = || places.without.iter().flatten().copied().chain([places.place]);
            let span = span(all().min().unwrap_or_default(), all().max().unwrap_or_default());
            if places.without.contains(&None) { span + " ?" } else { span }
        };
        table.push(Column::new("without a board", of_entries(&without)).right().leaves(WITHOUT));
    }
    let gone = sheet.table(table);
    sheet.explain((solving && !gone.contains(&PAR2)).then_some(Explained::Par2));
    sheet.explain((resampled && !gone.contains(&RESAMPLED)).then_some(Explained::Resampled));
}

/// Formats a range of places; one number if both are equal.
fn span(best: usize, worst: usize) -> String {
    if best == worst { best.to_string() } else { format!("{best} to {worst}") }
}

/// Formats the numbers of solved boards and of all boards of an entry; empty if boards cannot be solved.
pub(super) fn solved(entry: &EntryScore) -> String {
    entry.solved.map_or_else(String::new, |solved| format!("{solved} of {}", entry.boards))
}

/// Writes how much the relative score of repeated runs varies.
pub(super) fn variation(repeats: &Repeats, sheet: &mut Sheet) {
    let entries = || repeats.entries.iter().take(MAX_LINES);
    let deviation = |figure: Option<f64>| figure.map_or("-".into(), |figure| format!("± {figure:.3}"));
    let count = |count: usize| count.to_string();
    let table = Grid::new(vec![
        Column::new("entry", entries().map(|entry| printable(&entry.entry))).cut(),
        Column::new("boards", entries().map(|entry| count(entry.boards))).right().leaves(1),
        Column::new("runs", entries().map(|entry| count(entry.runs))).right().leaves(2),
        Column::new("scored in some runs only", entries().map(|entry| count(entry.mixed))).right().leaves(0),
        Column::new("within boards", entries().map(|entry| deviation(entry.within))).right(),
        Column::new("between boards", entries().map(|entry| deviation(entry.between))).right().leaves(3),
    ]);
    sheet.table(table);
    sheet.more(repeats.entries.len(), "entries", Remedy::Entries);
}

/// Writes the places at each limit.
pub(super) fn across_limits(across: &AcrossLimits, sheet: &mut Sheet) {
    let boards = sentences::boards(across.boards.len());
    sheet.line(&format!("\nplaces at each limit, for the entries and the {boards} that all results have"));
    let entries = || across.entries.iter().take(MAX_LINES);
    let mut table = Grid::new(vec![Column::new("entry", entries().map(|entry| printable(&entry.entry))).cut()]);
    for (index, source) in across.sources.iter().enumerate() {
        let head = format!("{} ({})", duration_text(source.limit_ms), printable(&source.source));
        table.push(Column::new(head, entries().map(|entry| entry.places[index].to_string())).right().cut());
    }
    sheet.table(table);
    sheet.more(across.entries.len(), "entries", Remedy::Entries);
    sheet.line(&sentences::of_limits(across));
}
