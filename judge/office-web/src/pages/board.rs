//! The page of the board, and its rows for the live view.

use std::collections::BTreeSet;

use judge_office::view::{Board, Kind, Row, Total};
use maud::{Markup, PreEscaped, html};

use super::{Place, duration, foreign, from_base, left, page, scrolling, suspect, time};
use crate::board::Rendered;
use crate::session::Session;
use crate::verdicts::capital;

/// The page with a board, for a desktop screen or a wall. A board that is not `live`, or that leaves out teams, is reloaded.
/// `times` are the present and the end of the contest.
pub(crate) fn whole(
    session: Option<&Session>,
    (path, title): (&str, &str),
    board: &Rendered,
    filter: &Filter,
    (now, closes): (u64, Option<u64>),
    live: bool,
) -> Markup {
    let part = filter.is_narrow().then(|| Rendered::of(filter.part(&board.board)));
    let live = live && part.is_none();
    let team = session.and_then(Session::team).unwrap_or_default();
    // Rows are the same for all viewers, so that of the team is marked afterwards, as the script does.
    let table = &part.as_ref().unwrap_or(board).table;
    let own = html! { tr data-name=(team) {} }.into_string().replace("></tr>", ">");
    let table = table.replacen(&own, &own.replace("<tr ", "<tr class=\"own\" "), 1);
    let main = html! {
        @if let Some(at) = closes { p class="ends" { "Ends " (time(at)) (left(at, now)) } }
        @if !filter.big { (filter.form(&board.board, from_base(path))) }
        div id="board" data-live[live] data-team=(team) { (PreEscaped(table)) }
        @if !filter.big {
            p class="about" { a href={ (from_base(path)) "?big" } { "For a projector" } " · " a href={ (from_base(path)) ".csv" } { "As CSV" } }
        }
    };
    let class = if filter.big { "big" } else { "" };
    page(session, &Place::new(path, title).fresh(!live).class(class), &main)
}

/// The table, built from rows that are already HTML.
pub(crate) fn table(board: &Board, rows: &[(String, String)]) -> Markup {
    let columns = html! {
        th scope="col" class="figure" { "place" }
        th scope="col" { "team" }
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
        (scrolling("Board", &columns, &html! { @for (_, row) in rows { (PreEscaped(row)) } }))
        @if !board.codes.is_empty() {
            dl class="codes" { @for (code, meaning) in &board.codes { dt { (code.letters()) } dd { (capital(meaning)) } } }
        }
        @if board.around().2 { (suspect()) }
        @if has_first(board) { p class="about" { span class="first" { "\u{a0}framed\u{a0}" } ": the first to solve it" } }
    }
}

/// Tests whether a team is marked as the first to solve a problem.
pub(crate) fn has_first(board: &Board) -> bool {
    board.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.kind == Kind::First)
}

/// The notice of a frozen board.
fn frozen() -> Markup {
    html! {
        p class="frozen" role="status" { "The board is frozen: it shows only that later submissions exist, not their results." }
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
                @if let Some(of) = belongs(row) { span class="note" { (foreign(&of)) } }
                // Next to the name, so that a phone shows it.
                @if row.pending > 0 { " " span class="pending" { (row.pending) " pending" } }
                @if has_one_problem(row) && row.problems.iter().any(|problem| problem.unbuilt) { " " span class="failed" { "Compile error" } }
                @if let Some(reason) = &row.out { " " span class="about" { "out: " (foreign(reason)) } }
            }
            @for cell in &row.cells {
                td class=(class(cell.kind)) {
                    (cell.text)
                    @for note in &cell.notes { " " span class="note" { (note) } }
                }
            }
            @if has_time(row) { td class="figure" { @if let Some(ms) = row.time_ms { (duration(ms)) } } }
            td class="figure" { @if row.submissions > 0 { (row.submissions) } }
            @if has_one_problem(row) { td { @if let Some((_, at)) = row.counts { (time(at)) } } }
        }
    }
}

/// The organisation and the group of a team.
fn belongs(row: &Row) -> Option<String> {
    let known: Vec<&str> = [&*row.organisation, &*row.group].into_iter().filter(|name| !name.is_empty()).collect();
    (!known.is_empty()).then(|| known.join(" · "))
}

/// The selected teams of a board.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// True for a projector.
    pub(crate) big: bool,
    organisation: String,
    group: String,
}

impl Filter {
    /// The filter in the query of an address. A parameter without a value selects all teams.
    pub(crate) fn of(query: Option<&str>) -> Self {
        let mut filter = Self::default();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match &*name {
                "big" => filter.big = true,
                "organisation" => filter.organisation = value.into_owned(),
                "group" => filter.group = value.into_owned(),
                _ => {}
            }
        }
        filter
    }

    /// Tests whether the filter leaves out teams.
    pub(crate) fn is_narrow(&self) -> bool {
        !self.organisation.is_empty() || !self.group.is_empty()
    }

    /// The part of a board with the selected teams, which keep their places.
    pub(crate) fn part(&self, board: &Board) -> Board {
        let mut board = board.clone();
        let fits = |wanted: &str, own: &str| wanted.is_empty() || wanted == own;
        board.rows.retain(|row| fits(&self.organisation, &row.organisation) && fits(&self.group, &row.group));
        board
    }

    /// The form with the organisations and groups of a board; nothing if it has none.
    fn form(&self, board: &Board, action: &str) -> Markup {
        let names = |of: fn(&Row) -> &String| -> BTreeSet<&String> {
            board.rows.iter().map(of).filter(|name| !name.is_empty()).collect()
        };
        let all = [
            ("organisation", "Organisation", names(|row| &row.organisation), &self.organisation),
            ("group", "Group", names(|row| &row.group), &self.group),
        ];
        html! {
            @if all.iter().any(|(_, _, names, _)| !names.is_empty()) {
                form method="get" action=(action) class="line" {
                    @for (name, label, names, chosen) in all.iter().filter(|(_, _, names, _)| !names.is_empty()) {
                        label for=(name) { (label) }
                        select id=(name) name=(name) {
                            option value="" { "all" }
                            @for one in names { option value=(one) selected[one == chosen] { (foreign(one)) } }
                        }
                    }
                    button { "Show" }
                }
            }
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
    use judge_office::view::{BoardCell, ProblemResult};

    use super::*;

    /// The row of a team with a failed run and a last submission that does not build.
    fn failed() -> Row {
        let cell =
            BoardCell { text: "WRO".into(), kind: Kind::Failed, code: Some(Code::Wrong), ..BoardCell::default() };
        let mut row = Row::of_team("ada", vec![ProblemResult { unbuilt: true, judged: 2, ..ProblemResult::default() }]);
        row.cells = vec![cell];
        row
    }

    #[test]
    fn a_board_says_what_failed_and_what_its_codes_mean() {
        let row = failed();
        assert!(self::row(&row).into_string().contains("<bdi>ada</bdi> <span class=\"failed\">Compile error</span>"));
        let columns = vec![judge_office::view::Column { heading: "X".into(), is_board: true }];
        let mut board =
            Board { rows: vec![row], columns, codes: vec![(Code::Wrong, "wrong answer")], ..Board::default() };
        let shown = table(&board, &[]).into_string();
        assert!(shown.contains("<dl class=\"codes\"><dt>WRO</dt><dd>Wrong answer</dd></dl>"), "{shown}");
        assert!(!shown.contains("first to solve"), "{shown}");
        board.rows[0].cells[0].kind = Kind::First;
        assert!(table(&board, &[]).into_string().contains("framed\u{a0}</span>: the first to solve it"));
    }

    #[test]
    fn a_filter_shows_the_teams_of_an_organisation_or_group_with_their_places() {
        let row = |name: &str, organisation: &str, group: &str, place: usize| Row {
            organisation: organisation.to_owned(),
            group: group.to_owned(),
            place: Some(place),
            ..Row::of_team(name, Vec::new())
        };
        let rows = vec![row("ada", "KTH", "girls", 1), row("bob", "MIT", "", 2), row("cleo", "KTH", "", 3)];
        let board = Board { rows, ..Board::default() };
        for (query, shown) in [
            ("", "ada1 bob2 cleo3"),
            ("big", "ada1 bob2 cleo3"),
            ("organisation=KTH&group=", "ada1 cleo3"),
            ("organisation=KTH&group=girls", "ada1"),
            ("group=none", ""),
        ] {
            let filter = Filter::of(Some(query));
            let rows: Vec<String> =
                filter.part(&board).rows.iter().map(|row| format!("{}{}", row.name, row.place.unwrap())).collect();
            assert_eq!((rows.join(" "), filter.big), (shown.to_owned(), query == "big"), "{query}");
        }
        let form = Filter::of(Some("organisation=MIT")).form(&board, "board").into_string();
        assert!(form.contains("<option value=\"MIT\" selected><bdi>MIT</bdi></option>"), "{form}");
        assert_eq!(Filter::default().form(&Board::default(), "board").into_string(), "");
        assert!(self::row(&board.rows[0]).into_string().contains("<span class=\"note\"><bdi>KTH · girls</bdi></span>"));
    }
}
