//! The page of the board, and its rows for the live view.

use judge_office::view::{Board, Kind, Row};
use maud::{Markup, PreEscaped, html};

use super::{Place, duration, foreign, page, suspect, time};
use crate::session::Session;

/// The page with the board, whose table is HTML already, for a screen at a desk or, if it is `big`, on a wall.
pub(crate) fn whole(session: Option<&Session>, title: &str, table: &str, big: bool) -> Markup {
    let main = html! {
        div id="board" data-live { (PreEscaped(table)) }
        @if !big {
            p class="about" { a href="board?big" { "For a projector" } " · " a href="board.csv" { "As CSV" } }
        }
    };
    page(session, &Place::new("/board", title).class(if big { "big" } else { "" }), &main)
}

/// The table, made of rows that are HTML already.
pub(crate) fn table(board: &Board, rows: &[(String, String)]) -> Markup {
    let columns = html! {
        @for column in &board.columns {
            th scope="col" class="figure" { (foreign(&column.heading)) }
        }
        th scope="col" class="figure" { "time" }
        th scope="col" class="figure" { "submissions" }
        th scope="col" { "submitted" }
    };
    html! {
        @if board.frozen { (frozen()) }
        @if rows.is_empty() {
            p { "Nothing was submitted yet." }
        }
        (places(&columns, &html! { @for (_, row) in rows { (PreEscaped(row)) } }))
        @if board.around().2 { (suspect()) }
    }
}

/// The notice of a frozen board.
pub(crate) fn frozen() -> Markup {
    html! {
        p class="frozen" role="status" { "The board is frozen: of what was submitted since, it shows only that it came." }
    }
}

/// The table of the places: the heads of the columns behind place and team, and the rows.
pub(crate) fn places(columns: &Markup, rows: &Markup) -> Markup {
    html! {
        div class="wide" role="region" aria-label="Board" tabindex="0" {
            table {
                thead {
                    tr {
                        th scope="col" class="figure" { "place" }
                        th scope="col" { "team" }
                        (columns)
                    }
                }
                tbody { (rows) }
            }
        }
    }
}

/// Renders one row of the board's table.
pub(crate) fn row(row: &Row) -> Markup {
    let class = |kind: Kind| match kind {
        Kind::Plain => "figure",
        Kind::Solved => "figure solved",
        Kind::Short => "figure short",
        Kind::Failed => "figure failed",
    };
    html! {
        tr data-name=(row.name) {
            td class="figure" { @if let Some(place) = row.place { (place) } }
            th scope="row" {
                (foreign(&row.name))
                // Beside the name, so that a phone shows it.
                @if row.pending > 0 { " " span class="pending" { (row.pending) " pending" } }
                @if let Some(reason) = &row.out { " " span class="about" { "out: " (foreign(reason)) } }
            }
            @for cell in &row.cells { td class=(class(cell.kind)) { (cell.text) } }
            td class="figure" { @if let Some(ms) = row.time_ms { (duration(ms)) } }
            td class="figure" { @if row.submissions > 0 { (row.submissions) } }
            td { @if let Some((_, at)) = row.counts { (time(at)) } }
        }
    }
}
