//! Entries that are in several sources, such as the programs of 1995 as published and as rebuilt.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::source::PageSource;
use super::standings::time;
use super::text::foreign;
use judge_core::legend;
use judge_core::score::Row;

/// An entry's row in one source: the source's index, the row's index in its table, the row.
type Place<'a> = (usize, usize, &'a Row);

/// Renders the entries that several sources have, with their rows in each; `None` if there are none. Boards are matched
/// by name; the warnings say where they may differ.
pub(super) fn section(sources: &[PageSource], warnings: &[String]) -> Option<Markup> {
    let together = together(sources);
    if together.is_empty() {
        return None;
    }
    let mut boards: Vec<&str> = Vec::new();
    for board in sources.iter().flat_map(|source| &source.results().boards) {
        if !boards.contains(&board.name.as_str()) {
            boards.push(&board.name);
        }
    }
    Some(html! {
        section id="side-by-side" aria-labelledby="side-by-side-title" {
            h2 id="side-by-side-title" { "Side by side" }
            p { "Entries with more than one set of results here. Boards are matched by name." }
            @for warning in warnings { p class="warning" { (foreign(warning)) } }
            div class="wide" role="region" aria-labelledby="side-by-side-title" tabindex="0" {
                table class="standings" {
                    thead {
                        tr {
                            th scope="col" { "entry" }
                            th scope="col" { "results" }
                            th scope="col" class="figure" { "place" }
                            @for board in &boards { th scope="col" class="figure" { (foreign(board)) } }
                            th scope="col" class="figure" { "total" }
                            th scope="col" class="figure" { "time" }
                        }
                    }
                    @for places in &together {
                        tbody {
                            @for (index, &(k, e, row)) in places.iter().enumerate() {
                                tr {
                                    @if index == 0 { th scope="rowgroup" rowspan=(places.len()) { (foreign(&row.entry.name)) } }
                                    td { (foreign(sources[k].name())) }
                                    td class="figure" { @if let Some(place) = row.place { (place) } }
                                    @for name in &boards { (cell(&sources[k], (k, e, row), name)) }
                                    td class="figure total" { (row.total.total_text()) }
                                    td class="figure" { (time(row)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    })
}

fn cell(source: &PageSource, (k, e, row): Place<'_>, board: &str) -> Markup {
    let b = source.results().boards.iter().position(|head| head.name == board);
    html! {
        td class="figure" {
            @if let Some(b) = b.filter(|&b| !row.cells[b].not_planned) {
                a class="cell" href={ "#cell-" (k) "-" (e) "-" (b) } { (legend::cell(&row.cells[b])) }
            }
        }
    }
}

/// Finds the entries that several sources have, in the order of the first source's table.
fn together(sources: &[PageSource]) -> Vec<Vec<Place<'_>>> {
    let mut places: BTreeMap<&str, Vec<Place<'_>>> = BTreeMap::new();
    for (k, source) in sources.iter().enumerate() {
        for (e, row) in source.results().rows.iter().enumerate() {
            places.entry(&row.entry.name).or_default().push((k, e, row));
        }
    }
    let mut together: Vec<Vec<Place<'_>>> = places.into_values().filter(|places| places.len() > 1).collect();
    together.sort_by_key(|places| (places[0].0, places[0].1));
    together
}
