//! Tables of the entries of a source: their scores, places, variation, and places at other limits.

use super::super::sentences;
use super::pairs::MAX_BOARDS;
use super::sheet::{Explained, MAX_LINES, Remedy, Sheet};
use crate::layout::{Column, Grid};
use judge_core::compare::{AcrossLimits, Comparison, EntryScore, Places, Repeats, SourceInfo, Stability};
use judge_core::text::printable;
use judge_job::duration_text;

/// The sign for a value equal to the one that it is compared with.
const SAME: &str = "·";
/// The numbers of columns that leave a table of scores that is too wide.
const PAR2: u8 = 1;
const RESAMPLED: u8 = 2;

/// Writes the scores of a source's entries, with their places and the places over resampled boards.
pub(super) fn of_source(comparison: &Comparison, source: &SourceInfo, sheet: &mut Sheet) {
    let Some(scores) = comparison.scores.iter().find(|scores| scores.source == source.name) else { return };
    let stability = comparison.stability.iter().find(|stability| stability.source == source.name);
    let resampled = stability.is_some_and(|stability| stability.resamples > 0);
    sheet.line(&format!(
        "\nrelative scores{} in {}",
        if resampled { " and places" } else { "" },
        printable(&source.name)
    ));
    let placed: &[_] = stability.map_or(&[], |stability| &stability.entries);
    // In the order of the places; entries without one by their score.
    let place_of = |entry: &str| placed.iter().position(|places| places.entry == entry);
    let mut entries: Vec<&EntryScore> = scores.entries.iter().collect();
    entries.sort_by_key(|entry| place_of(&entry.entry).unwrap_or(usize::MAX));
    entries.truncate(MAX_LINES);
    let of_entries = |text: &dyn Fn(&EntryScore) -> String| entries.iter().map(|entry| text(entry)).collect::<Vec<_>>();
    let par2 =
        |entry: &EntryScore| entry.par2_us.map_or("-".into(), |us| format!("{} ms", us.saturating_add(500) / 1000));
    let mut table = Grid::new(vec![Column::new("entry", of_entries(&|entry| printable(&entry.entry))).cut()]);
    let solving = entries.iter().any(|entry| entry.solved.is_some());
    if solving {
        table.push(Column::new("solved", of_entries(&solved)).right());
    }
    table.push(Column::new("relative score", of_entries(&|entry| format!("{:.2}", entry.score))).right());
    if solving {
        table.push(Column::new("PAR2", of_entries(&par2)).right().leaves(PAR2));
    }
    if resampled {
        let places = |entry: &EntryScore| place_of(&entry.entry).map(|at| &placed[at]);
        let range = |entry: &EntryScore| places(entry).and_then(|places| places.resampled.as_ref());
        let above = |entry: &EntryScore| {
            let next = place_of(&entry.entry).and_then(|at| placed.get(at + 1));
            let share = next.zip(range(entry).and_then(|range| range.above_next));
            share.map_or(String::new(), |(next, share): (&Places, f64)| {
                format!("{} in {:.0} %", printable(&next.entry), share * 100.0)
            })
        };
        let place = |entry: &EntryScore| places(entry).map_or("-".into(), |places| places.place.to_string());
        let resampled =
            |entry: &EntryScore| range(entry).map_or("-".into(), |range| format!("{} to {}", range.best, range.worst));
        table.push(Column::new("place", of_entries(&place)).right());
        table.push(Column::new("resampled", of_entries(&resampled)).right().leaves(RESAMPLED));
        table.push(Column::new("above the next", of_entries(&above)).leaves(0));
    }
    let gone = sheet.table(table);
    sheet.explain((solving && !gone.contains(&PAR2)).then_some(Explained::Par2));
    sheet.explain((resampled && !gone.contains(&RESAMPLED)).then_some(Explained::Resampled));
    sheet.more(scores.entries.len(), "entries", Remedy::Entries);
    if let Some(line) = sentences::of_groups(scores, source.boards) {
        sheet.line(&line);
    }
}

/// Formats the boards solved and all boards of an entry; nothing where boards cannot be solved.
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
        Column::new("solved in some runs only", entries().map(|entry| count(entry.mixed))).right().leaves(0),
        Column::new("within boards", entries().map(|entry| deviation(entry.within))).right(),
        Column::new("between boards", entries().map(|entry| deviation(entry.between))).right().leaves(3),
    ]);
    sheet.table(table);
    sheet.more(repeats.entries.len(), "entries", Remedy::Entries);
}

/// Writes the places without each board.
pub(super) fn places_without(stability: &Stability, sheet: &mut Sheet) {
    let entries = || stability.entries.iter().take(MAX_LINES);
    let text = |place: Option<usize>, usual: usize| match place {
        Some(place) if place == usual => SAME.into(),
        Some(place) => place.to_string(),
        None => "?".into(),
    };
    let mut table = Grid::new(vec![
        Column::new("entry", entries().map(|entry| printable(&entry.entry))).cut(),
        Column::new("all", entries().map(|entry| entry.place.to_string())).right(),
    ]);
    if stability.boards.len() <= MAX_BOARDS {
        for (index, board) in stability.boards.iter().enumerate() {
            let cells = entries().map(|entry| text(entry.without[index], entry.place));
            table.push(Column::new(format!("- {}", printable(board)), cells).right().leaves(0));
        }
    }
    let places =
        |entry: &Places| -> Vec<usize> { entry.without.iter().flatten().copied().chain([entry.place]).collect() };
    let best = |entry: &Places| text(places(entry).into_iter().min(), entry.place);
    let worst = |entry: &Places| text(places(entry).into_iter().max(), entry.place);
    table.push(Column::new("best", entries().map(best)).right());
    table.push(Column::new("worst", entries().map(worst)).right());
    if !stability.entries.is_empty() {
        sheet.table(table);
    }
    sheet.more(stability.entries.len(), "entries", Remedy::Entries);
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
