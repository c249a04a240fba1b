//! A run's standings in the published form, with everything that its marks mean.

use maud::{Markup, html};

use super::run::Run;
use super::text::foreign;
use crate::report::legend::{self, Mark, NOT_COMPETING};
use crate::results::Results;
use crate::score::{Cell, Row};

/// The table of a run and its legend. `k` counts runs from 0.
pub(super) fn section(k: usize, run: &Run) -> Markup {
    let results = run.results();
    let id = if k == 0 { "standings".to_owned() } else { format!("standings-{k}") };
    html! {
        div class="wide" role="region" aria-label="Standings" tabindex="0" {
            table id=(id) class="standings" {
                thead { (head(results)) }
                tbody {
                    @for (e, row) in results.rows.iter().enumerate() { (line(results, k, e, row)) }
                }
            }
        }
        (legend(results))
    }
}

fn head(results: &Results) -> Markup {
    html! {
        tr {
            th scope="col" data-sort="number" aria-sort="ascending" { "place" }
            th scope="col" data-sort="text" { "entry" }
            th scope="col" data-sort="text" { "author" }
            @for board in &results.boards {
                th scope="col" data-sort="score" { (foreign(&board.marked())) }
            }
            th scope="col" data-sort="score" { "total (" (results.boards.len()) ")" }
            th scope="col" data-sort="number" { "time" }
        }
    }
}

fn line(results: &Results, k: usize, e: usize, row: &Row) -> Markup {
    html! {
        tr {
            td class="figure" { @if let Some(place) = row.place { (place) } }
            th scope="row" {
                a href={ "#entry-" (k) "-" (e) } { (foreign(&row.entry.name)) }
                @if !row.entry.competing { " " span class="mark" title="not competing" { (NOT_COMPETING) } }
            }
            td { @if let Some(author) = &row.entry.author { (foreign(author)) } }
            @for (b, cell) in row.cells.iter().enumerate() {
                td class=(class(results, b, cell)) { a class="cell" href={ "#cell-" (k) "-" (e) "-" (b) } { (legend::cell(cell)) } }
            }
            td class="figure" { (row.total.total_text()) }
            td class="figure" { @match row.total.time_ms() { Some(time) => { (time) " ms" } None => "-" } }
        }
    }
}

/// A figure, and whether nobody who solved the board needed fewer moves.
fn class(results: &Results, board: usize, cell: &Cell) -> &'static str {
    let moves = |cell: &Cell| cell.figures.moves.filter(|_| cell.code.is_none());
    let progress = results.rows.iter().filter_map(|row| row.cells[board].figures.progress).max();
    let best = results.rows.iter().map(|row| &row.cells[board]).filter(|cell| cell.figures.progress == progress);
    let best = best.filter_map(moves).min();
    if cell.figures.progress == progress && moves(cell).is_some() && moves(cell) == best {
        "figure best"
    } else {
        "figure"
    }
}

fn legend(results: &Results) -> Markup {
    let (cell, total) = legend::figures(results);
    html! {
        div class="legend" {
            p { "A cell is " (cell) ", a total " (total) ". The best cell of each board is set off." }
            dl class="marks" {
                @for Mark { sign, meaning } in legend::marks(results) {
                    div { dt { (sign) } dd { (meaning) } }
                }
            }
            @for note in legend::board_notes(results) { p { (foreign(&note)) } }
            @for sentence in legend::incomplete(results) { p { (foreign(&sentence)) } }
        }
    }
}
