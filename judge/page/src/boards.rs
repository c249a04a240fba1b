//! The boards of a contest with too many boards for columns: a row per board, with a summary of all entries and the
//! cells of a few. The page's script filters and sorts the rows and shows other entries.

use maud::{Markup, html};

use super::best::{Best, has_best, has_known};
use super::cell::{self, sorting};
use super::source::PageSource;
use super::standings::compared;
use super::text::{foreign, median, plain};
use judge_core::relative::Direction;
use judge_core::results::Results;
use judge_core::score::RunCell;

/// The most entries with a column. The script can show other entries instead.
const MAX_ENTRIES: usize = 4;
/// The number of entries with a column on a phone.
const ON_PHONE: usize = 2;

/// Renders the boards of source `k`.
pub(super) fn section(k: usize, results: &Results, best: &[Option<Best>], before: Option<&Before<'_>>) -> Markup {
    let shown = results.rows.len().min(MAX_ENTRIES);
    let (known, best_score) = (has_known(results), has_best(results));
    let solved = !results.scoring.scores() && results.solving();
    let moves = results.scoring.cost.is_some() && solved;
    let class = |e: usize| if e < ON_PHONE { "figure" } else { "figure optional" };
    html! {
        p class="about" {
            @if moves {
                "For each board: how many entries solved it, and the fewest and the median " (foreign(compared(results)))
                " of these. "
            } @else if solved { "For each board: how many entries solved it. " }
            "The columns at the right are the runs of some entries; "
            span class="scripted" { "choose others above the table" }
            span class="unscripted" { "those of all others are in the section on each entry" }
            "."
        }
        div class="filters" {}
        div class="wide" role="region" aria-labelledby={ "boards-" (k) "-title" } tabindex="0" {
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
                            th scope="col" data-sort=(sorting(results)) data-entry=(e) class=(class(e)) title=(plain(&row.entry.name)) { (foreign(&row.entry.name)) }
                        }
                        @if let Some(before) = before {
                            th scope="col" class="figure" { (foreign(before.name)) }
                            th scope="col" data-sort="up" class="figure" { "gain" }
                        }
                    }
                }
                tbody {
                    @for (b, board) in results.boards.iter().enumerate() {
                        tr data-board=(b) {
                            @let name = board.marked();
                            th scope="row" class="name" title=(plain(&name)) { (foreign(&name)) }
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
                            @if let Some(before) = before { (before.cells(&board.name, &results.rows[0].cells[b])) }
                        }
                    }
                }
            }
        }
    }
}

/// The earlier results of the only entry, for its gains.
pub(super) struct Before<'a> {
    /// The name of these results.
    name: &'a str,
    results: &'a Results,
}

impl<'a> Before<'a> {
    /// Returns the previous results of source `k`'s entry, if both sources have the same single entry.
    pub(super) fn of(sources: &'a [PageSource], k: usize) -> Option<Self> {
        let before = &sources[k.checked_sub(1)?];
        let entry = |source: &PageSource| match &source.results().rows[..] {
            [row] => Some(row.entry.name.clone()),
            _ => None,
        };
        let same = entry(before).is_some_and(|name| entry(&sources[k]) == Some(name));
        same.then(|| Self { name: before.name(), results: before.results() })
    }

    /// Renders the cell of a board in these results, and the gain since: moves or points, more is better.
    fn cells(&self, board: &str, now: &RunCell) -> Markup {
        let column = self.results.boards.iter().position(|head| head.name == board);
        let before = column.map(|column| &self.results.rows[0].cells[column]);
        let gain = before.and_then(|before| self.gain(before, now));
        html! {
            td class="figure" { @if let Some(before) = before { (cell::text(before)) } }
            td class="figure" {
                @if let Some(gain) = gain {
                    @let class = if gain > 0.0 { "up" } else if gain < 0.0 { "down" } else { "level" };
                    span class=(class) { (format!("{gain:+}")) }
                }
            }
        }
    }

    /// Returns the moves or points gained; `None` if the board was not solved in both.
    fn gain(&self, before: &RunCell, now: &RunCell) -> Option<f64> {
        let (before, now) = (before.compared()?.to_f64(), now.compared()?.to_f64());
        Some(if self.results.scoring.direction() == Direction::Up { now - before } else { before - now })
    }
}

/// Renders the number of entries that solved a board, and the fewest and the median of their moves if moves count; nothing if
/// it is unknown which entries solved it.
fn summary(results: &Results, b: usize, counted: bool) -> Markup {
    let cells = || results.rows.iter().map(|row| &row.cells[b]);
    let solved = cells().filter(|cell| cell::solved(cell));
    let mut moves: Vec<u64> = solved.filter_map(cell::moves).collect();
    let judged = cells().filter(|cell| cell.judged()).count();
    html! {
        td class="figure" { @if !cells().any(cell::unknown) { (moves.len()) " of " (judged) } }
        @if counted {
            td class="figure optional" { @if let Some(fewest) = moves.iter().min() { (fewest) } }
            td class="figure optional" { @if let Some(median) = median(&mut moves) { (median) } }
        }
    }
}
