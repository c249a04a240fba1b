//! Entries that are in several sources, such as the programs of 1995 as published and as rebuilt.

use std::collections::{BTreeMap, HashSet};

use maud::{Markup, html};

use super::cell;
use super::source::PageSource;
use super::standings::{has_columns, summary, summary_head, time};
use super::text::foreign;
use judge_core::score::Row;

mod changes;

/// An entry's row in one source: the source's index, the row's index in its table, the row.
type EntryRow<'a> = (usize, usize, &'a Row);

/// Renders the entries that several sources have, with their rows in each; `None` if there are none. Boards are matched
/// by name; the warnings name boards that may differ.
pub(super) fn section(sources: &[PageSource], warnings: &[String]) -> Option<Markup> {
    let together = together(sources);
    if together.is_empty() {
        return None;
    }
    let names = sources.iter().flat_map(|source| &source.results().boards).map(|board| board.name.as_str());
    let mut seen = HashSet::new();
    let boards: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
    let few = has_columns(boards.len());
    if let [then, now] = sources {
        return Some(frame(warnings, &changes::table((then, now), &together, if few { &boards } else { &[] })));
    }
    Some(frame(
        warnings,
        &html! {
                    p {
                        "The entries that are in more than one of these results, with their rows from each. Boards are matched by "
                        "their names."
                    }
                    table class="standings" {
                        thead {
                            tr {
                                th scope="col" class="name" { "entry" }
                                th scope="col" { "results" }
                                th scope="col" class="figure place" { "place" }
                                th scope="col" class="figure" { "total" }
                                th scope="col" class="figure" { "time" }
                                @if few {
                                    @for board in &boards { th scope="col" class="figure" { (foreign(board)) } }
                                } @else {
                                    (summary_head(false))
                                }
                            }
                        }
                        @for places in &together {
                            tbody {
                                @for (index, &(k, e, row)) in places.iter().enumerate() {
                                    tr {
                                        @if index == 0 {
                                            th scope="rowgroup" class="name" rowspan=(places.len()) { (foreign(&row.entry.name)) }
                                        }
                                        td { (foreign(sources[k].name())) }
                                        td class="figure place" { @if let Some(place) = row.place { (place) } }
                                        td class="figure total" { (row.total_text(&row.total)) }
                                        (time(row, "figure"))
                                        @if few {
                                            @for name in &boards { (cell(&sources[k], (k, e, row), name)) }
                                        } @else {
                                            (summary(row))
                                        }
                                    }
                                }
                            }
                        }
                    }
        },
    ))
}

/// Renders the section with a table, and the warnings about boards that may differ.
fn frame(warnings: &[String], table: &Markup) -> Markup {
    html! {
        section id="side-by-side" aria-labelledby="side-by-side-title" {
            h2 id="side-by-side-title" { "Side by side" }
            @for warning in warnings { p class="warning" { (foreign(warning)) } }
            div class="wide" role="region" aria-labelledby="side-by-side-title" tabindex="0" { (table) }
        }
    }
}

fn cell(source: &PageSource, (k, e, row): EntryRow<'_>, board: &str) -> Markup {
    match source.results().boards.iter().position(|head| head.name == board) {
        Some(b) => cell::td((k, e, b), &row.cells[b], None, false),
        None => html! { td class="figure" {} },
    }
}

/// Finds the entries that several sources have, in the order of the first source's table.
fn together(sources: &[PageSource]) -> Vec<Vec<EntryRow<'_>>> {
    let mut places: BTreeMap<&str, Vec<EntryRow<'_>>> = BTreeMap::new();
    for (k, source) in sources.iter().enumerate() {
        for (e, row) in source.results().rows.iter().enumerate() {
            places.entry(&row.entry.name).or_default().push((k, e, row));
        }
    }
    let mut together: Vec<Vec<EntryRow<'_>>> = places.into_values().filter(|places| places.len() > 1).collect();
    together.sort_by_key(|places| (places[0].0, places[0].1));
    together
}
