//! The page of the board, and its rows for the live view.

use judge_office::view::{Board, Kind, Row, Total};
use maud::{Markup, PreEscaped, html};

use super::{Place, duration, foreign, page, suspect, time};
use crate::session::Session;
use crate::verdicts::capital;

/// The page with the board, whose table is HTML already, for a screen at a desk or, if it is `big`, on a wall. One that is not `live`
/// is read again.
/// The contest ends at `closes`.
pub(crate) fn whole(
    session: Option<&Session>,
    title: &str,
    table: &str,
    closes: Option<u64>,
    (big, live): (bool, bool),
) -> Markup {
    let main = html! {
        @if let Some(at) = closes { p class="ends" { "Ends " (time(at)) span data-ends=(at) {} } }
        div id="board" data-live[live] { (PreEscaped(table)) }
        @if !big {
            p class="about" { a href="board?big" { "For a projector" } " · " a href="board.csv" { "As CSV" } }
        }
    };
    page(session, &Place::new("/board", title).fresh(!live).class(if big { "big" } else { "" }), &main)
}

/// The table, built from rows that are already HTML.
pub(crate) fn table(board: &Board, rows: &[(String, String)]) -> Markup {
    let columns = html! {
        @for column in &board.columns {
            th scope="col" class="figure" { (foreign(&column.heading)) }
        }
        @if board.rows.iter().all(has_time) { th scope="col" class="figure" { "time" } }
        th scope="col" class="figure" { "submissions" }
        @if board.rows.iter().all(has_one_problem) { th scope="col" { "submitted" } }
    };
    html! {
        @if board.frozen { (frozen()) }
        @if rows.is_empty() {
            p { "Nothing was submitted yet." }
        }
        (places(&columns, &html! { @for (_, row) in rows { (PreEscaped(row)) } }))
        @if !board.codes.is_empty() {
            dl class="codes" { @for (code, meaning) in &board.codes { dt { (code.letters()) } dd { (capital(meaning)) } } }
        }
        @if board.around().2 { (suspect()) }
    }
}

/// The notice of a frozen board.
fn frozen() -> Markup {
    html! {
        p class="frozen" role="status" { "The board is frozen: it shows only that later submissions exist, not their results." }
    }
}

/// The table of the places: the heads of the columns after place and team, and the rows.
fn places(columns: &Markup, rows: &Markup) -> Markup {
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
        Kind::First => "figure solved first",
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
                @if has_one_problem(row) && row.problems.iter().any(|problem| problem.unbuilt) { " " span class="failed" { "Compile error" } }
                @if let Some(reason) = &row.out { " " span class="about" { "out: " (foreign(reason)) } }
            }
            @for cell in &row.cells { td class=(class(cell.kind)) { (cell.text) } }
            @if has_time(row) { td class="figure" { @if let Some(ms) = row.time_ms { (duration(ms)) } } }
            td class="figure" { @if row.submissions > 0 { (row.submissions) } }
            @if has_one_problem(row) { td { @if let Some((_, at)) = row.counts { (time(at)) } } }
        }
    }
}

/// Tests whether the time of runs can decide places.
fn has_time(row: &Row) -> bool {
    matches!(row.total, Total::Score(_))
}

/// Tests whether a single submission counts, so that it has a time of arrival.
fn has_one_problem(row: &Row) -> bool {
    row.problems.len() <= 1
}

#[cfg(test)]
mod tests {
    use judge_core::code::Code;
    use judge_office::view::{BoardCell, OfProblem};

    use super::*;

    /// The row of a team with a failed run, whose last submission does not build.
    fn failed() -> Row {
        let cell =
            BoardCell { text: "WRO".into(), kind: Kind::Failed, code: Some(Code::Wrong), ..BoardCell::default() };
        let mut row = Row::of_team("ada", vec![OfProblem { unbuilt: true, judged: 2, ..OfProblem::default() }]);
        row.cells = vec![cell];
        row
    }

    #[test]
    fn a_board_says_what_failed_and_what_its_codes_mean() {
        let row = failed();
        assert!(self::row(&row).into_string().contains("<bdi>ada</bdi> <span class=\"failed\">Compile error</span>"));
        let columns = vec![judge_office::view::Column { heading: "X".into(), is_board: true }];
        let board = Board { rows: vec![row], columns, codes: vec![(Code::Wrong, "wrong answer")], ..Board::default() };
        let table = table(&board, &[]).into_string();
        assert!(table.contains("<dl class=\"codes\"><dt>WRO</dt><dd>Wrong answer</dd></dl>"), "{table}");
    }
}
