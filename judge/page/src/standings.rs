//! The standings in the form of the table of 1995, with a legend.

use maud::{Markup, html};

use super::best::Best;
use super::text::foreign;
use judge_core::legend::{self, Column, Mark, NOT_COMPETING};
use judge_core::plan::Known;
use judge_core::relative;
use judge_core::results::Results;
use judge_core::score::Row;

/// Renders the table of source `k`, from 0, and its legend.
pub(super) fn section(k: usize, results: &Results, best: &[Option<Best>]) -> Markup {
    let id = if k == 0 { "standings".to_owned() } else { format!("standings-{k}") };
    html! {
        div class="wide" role="region" aria-label={ "Standings " (k + 1) } tabindex="0" {
            table id=(id) class="standings" {
                thead { (head(results)) }
                tbody {
                    @for (e, row) in results.rows.iter().enumerate() { (line(k, e, row, results, best)) }
                }
                @if results.boards.iter().any(|board| board.known.is_some()) { tfoot { (known(results)) } }
            }
        }
        (legend(results))
    }
}

fn head(results: &Results) -> Markup {
    let sort = results.scoring.as_ref().map_or("score", |scoring| scoring.direction.name());
    html! {
        tr {
            th scope="col" data-sort="number" aria-sort="ascending" { "place" }
            th scope="col" data-sort="text" { "entry" }
            th scope="col" data-sort="text" { "author" }
            @for column in legend::columns(results) {
                th scope="col" data-sort=(sort) class="figure" {
                    @match column {
                        Column::Board(board) => (foreign(&results.boards[board].marked())),
                        Column::Total(round) => (foreign(&legend::total_heading(results, round))),
                    }
                }
            }
            @if has_relative(results) { th scope="col" data-sort="number" class="figure" { "relative" } }
            th scope="col" data-sort="number" class="figure" { "time" }
        }
    }
}

fn line(k: usize, e: usize, row: &Row, results: &Results, best: &[Option<Best>]) -> Markup {
    html! {
        tr {
            td class="figure" { @if let Some(place) = row.place { (place) } }
            th scope="row" {
                a href={ "#entry-" (k) "-" (e) } { (foreign(&row.entry.name)) }
                @if !row.entry.competing { " " span class="mark" { (NOT_COMPETING) } }
            }
            td class="author" { @if let Some(author) = &row.entry.author { (foreign(author)) } }
            @for column in legend::columns(results) {
                @match column {
                    Column::Board(b) => {
                        @let cell = &row.cells[b];
                        td class=(if best[b].is_some_and(|best| best.is(cell)) { "figure best" } else { "figure" }) {
                            @if !cell.not_planned {
                                a class="cell" href={ "#cell-" (k) "-" (e) "-" (b) } { (legend::cell(cell)) }
                            }
                        }
                    }
                    Column::Total(round) => td class="figure total" { (legend::total(results, row, round)) },
                }
            }
            @if let Some(score) = row.relative { td class="figure" { (relative::text(score)) } }
            td class="figure" { (time(row)) }
        }
    }
}

fn has_relative(results: &Results) -> bool {
    results.rows.iter().any(|row| row.relative.is_some())
}

/// Formats the total time.
pub(super) fn time(row: &Row) -> String {
    row.total.time_ms().map_or("-".into(), |time| format!("{time} ms"))
}

/// Renders the best known answers, below the cells of each board.
fn known(results: &Results) -> Markup {
    let line = |name: &str, value: &dyn Fn(&Known) -> Option<u64>| {
        html! {
            tr {
                td {}
                th scope="row" { (name) }
                td class="author" {}
                @for column in legend::columns(results) {
                    @match column {
                        Column::Board(board) => td class="figure" {
                            @if let Some(value) = results.boards[board].known.as_ref().and_then(value) { (value) }
                        },
                        Column::Total(_) => td {},
                    }
                }
                @if has_relative(results) { td {} }
                td {}
            }
        }
    };
    html! {
        (line(&format!("fewest {} known", results.headings.moves), &|known| Some(known.moves)))
        (line("proved lower bound", &|known| known.lower_bound))
    }
}

fn legend(results: &Results) -> Markup {
    let (cell, total) = legend::formats(results);
    html! {
        div class="legend" {
            p {
                "A cell is " (foreign(&cell)) ", a total " (foreign(&total)) ". The best cells of a board are "
                span class="best" { "highlighted" } ". Select a cell to see its run."
            }
            dl class="marks" {
                @for Mark { sign, meaning } in legend::marks(results) {
                    div { dt { (sign) } dd { (meaning) } }
                }
            }
            @for note in legend::board_notes(results) { p { (foreign(&note)) } }
            @if let Some(sentence) = legend::unlike_machines(results) { p { (foreign(&sentence)) } }
            @for sentence in legend::judging(results) { p { (sentence) } }
            @for sentence in legend::incomplete(results).chain(legend::rounds(results)) { p { (foreign(&sentence)) } }
            @for isolation in &results.isolation { p { "Isolation: " (foreign(isolation)) } }
        }
    }
}
