//! The boards of a contest that has too many for columns: a row per board, with a summary of all entries and the cells
//! of a few. The page's script filters and sorts the rows and shows other entries.

use maud::{Markup, html};

use super::best::{Best, has_best, has_known};
use super::cell::{self, sorting};
use super::text::{foreign, median};
use judge_core::results::Results;

/// The most entries with a column. The script shows others in their place.
const MAX_ENTRIES: usize = 4;
/// The entries with a column on a phone.
const ON_PHONE: usize = 2;

/// Renders the boards of source `k`.
pub(super) fn section(k: usize, results: &Results, best: &[Option<Best>]) -> Markup {
    let shown = results.rows.len().min(MAX_ENTRIES);
    let (known, best_score) = (has_known(results), has_best(results));
    let solved = results.scoring.is_none() && results.solving();
    let moves = results.judged_by.is_progress() && solved;
    let class = |e: usize| if e < ON_PHONE { "figure" } else { "figure optional" };
    html! {
        h3 id={ "boards-" (k) } { "Boards" }
        p class="about" {
            @if moves {
                "For each board: how many entries solved it, and the fewest and the median " (foreign(&results.headings.moves))
                " of these. "
            } @else if solved { "For each board: how many entries solved it. " }
            "The columns at the right are the runs of some entries; "
            span class="scripted" { "choose others above the table" }
            span class="unscripted" { "those of all others are in the section on each entry" }
            "."
        }
        div class="filters" {}
        div class="wide" role="region" aria-labelledby={ "boards-" (k) } tabindex="0" {
            table class="boards" data-source=(k) {
                thead {
                    tr {
                        th scope="col" data-sort="text" class="name" { "board" }
                        @if best_score { th scope="col" data-sort="number" class="figure optional" { "best known" } }
                        @if known {
                            th scope="col" data-sort="number" class="figure optional" { "known" }
                            th scope="col" data-sort="number" class="figure optional" { "bound" }
                        }
                        @if solved { th scope="col" data-sort="number" class="figure" { "solved" } }
                        @if moves {
                            th scope="col" data-sort="number" class="figure optional" { "fewest" }
                            th scope="col" data-sort="number" class="figure optional" { "median" }
                        }
                        @for (e, row) in results.rows.iter().take(shown).enumerate() {
                            th scope="col" data-sort=(sorting(results)) data-entry=(e) class=(class(e)) { (foreign(&row.entry.name)) }
                        }
                    }
                }
                tbody {
                    @for (b, board) in results.boards.iter().enumerate() {
                        tr data-board=(b) {
                            th scope="row" class="name" { (foreign(&board.marked())) }
                            @if best_score { td class="figure optional" { @if let Some(best) = board.best { (best.to_string()) } } }
                            @if known {
                                td class="figure optional" { @if let Some(known) = &board.known { (known.moves) } }
                                td class="figure optional" {
                                    @if let Some(bound) = board.known.as_ref().and_then(|known| known.lower_bound) { (bound) }
                                }
                            }
                            @if solved { (summary(results, b, moves)) }
                            @for (e, row) in results.rows.iter().take(shown).enumerate() {
                                (cell::td((k, e, b), &row.cells[b], best[b], e >= ON_PHONE))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Renders how many entries solved a board, and the fewest and the median of their moves if those count.
fn summary(results: &Results, b: usize, counted: bool) -> Markup {
    let cells = || results.rows.iter().map(|row| &row.cells[b]);
    let solved = cells().filter(|cell| cell::solved(cell));
    let mut moves: Vec<u64> = solved.filter_map(|cell| cell.metrics.moves).collect();
    let judged = cells().filter(|cell| cell.judged()).count();
    html! {
        td class="figure" { (moves.len()) " of " (judged) }
        @if counted {
            td class="figure optional" { @if let Some(fewest) = moves.iter().min() { (fewest) } }
            td class="figure optional" { @if let Some(median) = median(&mut moves) { (median) } }
        }
    }
}
