//! Entries that are in several runs, such as the programs of 1995 as published and rebuilt: then and now.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::run::Run;
use super::standings::time;
use super::text::foreign;
use judge_core::legend;
use judge_core::score::Row;

/// An entry's row in one run: the run, its place in the table there, the row.
type Place<'a> = (usize, usize, &'a Row);

/// The entries that several runs have, each with its row in every one of them; `None` where there are none. Boards go
/// by name.
pub(super) fn section(runs: &[Run]) -> Option<Markup> {
    let together = together(runs);
    if together.is_empty() {
        return None;
    }
    let mut boards: Vec<&str> = Vec::new();
    for board in runs.iter().flat_map(|run| &run.results().boards) {
        if !boards.contains(&board.name.as_str()) {
            boards.push(&board.name);
        }
    }
    Some(html! {
        section id="side-by-side" aria-labelledby="side-by-side-title" {
            h2 id="side-by-side-title" { "Side by side" }
            p { "Entries that more than one of these runs has, and boards, by name: the boards themselves may differ." }
            div class="wide" role="region" aria-labelledby="side-by-side-title" tabindex="0" {
                table class="standings" {
                    thead {
                        tr {
                            th scope="col" { "entry" }
                            th scope="col" { "run" }
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
                                    td { (foreign(&runs[k].source.name)) }
                                    td class="figure" { @if let Some(place) = row.place { (place) } }
                                    @for name in &boards { (cell(&runs[k], (k, e, row), name)) }
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

fn cell(run: &Run, (k, e, row): Place<'_>, board: &str) -> Markup {
    let b = run.results().boards.iter().position(|head| head.name == board);
    html! {
        td class="figure" {
            @if let Some(b) = b {
                a class="cell" href={ "#cell-" (k) "-" (e) "-" (b) } { (legend::cell(&row.cells[b])) }
            }
        }
    }
}

/// In the order of the first run's table.
fn together(runs: &[Run]) -> Vec<Vec<Place<'_>>> {
    let mut places: BTreeMap<&str, Vec<Place<'_>>> = BTreeMap::new();
    for (k, run) in runs.iter().enumerate() {
        for (e, row) in run.results().rows.iter().enumerate() {
            places.entry(&row.entry.name).or_default().push((k, e, row));
        }
    }
    let mut together: Vec<Vec<Place<'_>>> = places.into_values().filter(|places| places.len() > 1).collect();
    together.sort_by_key(|places| (places[0].0, places[0].1));
    together
}
