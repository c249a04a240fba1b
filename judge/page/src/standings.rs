//! The standings, with a legend. For a contest with many boards, they have summaries, and the boards are rows of a
//! separate table, see `boards.rs`.

use maud::{Markup, html};

use super::best::{Best, has_best, has_known};
use super::cell;
use super::cell::sorting;
use super::source::{KnownFrom, PageSource};
use super::text::{duration, foreign, median, plain};
use judge_core::legend::{self, Column, Mark, NOT_COMPETING};
use judge_core::plan::BestKnown;
use judge_core::relative::Direction;
use judge_core::results::{BoardHead, Results};
use judge_core::score::Row;

/// The most boards with a column each. With more, a table would be wider than the page.
const MAX_BOARDS: usize = 8;
/// The most boards whose former best known answers are listed.
const MAX_NAMED: usize = 10;

/// Renders the table of source `k`, from 0, and its legend.
pub(super) fn section(k: usize, source: &PageSource, best: &[Option<Best>]) -> Markup {
    let results = source.results();
    let id = if k == 0 { "standings".to_owned() } else { format!("standings-{k}") };
    let columns = Columns::from_results(results);
    html! {
        div class="wide" role="region" aria-label={ "Standings " (k + 1) } tabindex="0" {
            table id=(id) class="standings" {
                thead { (head(results, &columns)) }
                tbody {
                    @for (e, row) in results.rows.iter().enumerate() { (line((k, e), row, &columns, best)) }
                }
                @if !columns.boards.is_empty() && (has_known(results) || has_best(results)) { tfoot { (known(results, &columns)) } }
            }
        }
        (legend(results, &columns))
        @if has_known(results) { p class="about" { bdi { (origin(&source.known)) } } }
    }
}

/// The columns after the names: totals, summaries, boards.
pub(super) struct Columns {
    /// Totals of rounds, and other figures that decide, in the order of the table.
    totals: Vec<Totals>,
    /// True if time puts an entry above another, so that its column is never left out.
    time_decides: bool,
    /// Solved boards, mean and median of the moves, if there are too many boards for columns.
    summary: bool,
    /// The boards, by their indices.
    boards: Vec<usize>,
    authors: bool,
}

impl Columns {
    fn from_results(results: &Results) -> Self {
        let all = legend::columns(results);
        let totals = all.iter().filter_map(|column| Totals::new(results, *column));
        let boards =
            all.iter().filter_map(|column| if let Column::Board(board) = column { Some(*board) } else { None });
        let few = has_columns(results.boards.len());
        Self {
            totals: totals.collect(),
            time_decides: results.rounds.is_empty() && legend::time_decides(results),
            summary: !few && results.scoring.cost.is_some() && results.solving(),
            boards: if few { boards.collect() } else { Vec::new() },
            authors: results.rows.iter().any(|row| row.entry.author.is_some()),
        }
    }

    /// Returns the class of the column of times. With summaries, it does not fit on a phone.
    fn time(&self) -> &'static str {
        if self.summary && !self.time_decides { "figure optional" } else { "figure" }
    }
}

/// A column with a total or another figure of each row.
struct Totals {
    head: String,
    /// The way to sort it.
    sort: &'static str,
    cells: Vec<String>,
    /// True for the totals themselves, false for another figure.
    whole: bool,
}

impl Totals {
    fn new(results: &Results, column: Column) -> Option<Self> {
        let rows = results.rows.iter();
        Some(match column {
            Column::Board(_) => return None,
            Column::Total(round) => Self {
                head: legend::total_heading(results, round),
                sort: sorting_of_totals(results),
                cells: rows.map(|row| legend::total(results, row, round)).collect(),
                whole: true,
            },
            Column::Figure(key, round) => Self {
                head: legend::figure_heading(results, key, round),
                sort: match key.better(&results.scoring) {
                    Direction::Up => "up",
                    Direction::Down => "number",
                },
                cells: legend::figure(results, key, round),
                whole: false,
            },
        })
    }

    fn class(&self) -> &'static str {
        if self.whole { "figure total" } else { "figure" }
    }
}

impl PageSource {
    /// Returns true if its boards are rows of a separate table.
    pub(super) fn has_board_rows(&self) -> bool {
        !has_columns(self.results().boards.len())
    }
}

/// Returns true if a table with this number of boards has a column for each.
pub(super) fn has_columns(boards: usize) -> bool {
    boards <= MAX_BOARDS
}

/// Returns the kind of sorting of totals.
fn sorting_of_totals(results: &Results) -> &'static str {
    if results.scoring.accepts() { "up" } else { sorting(results) }
}

fn head(results: &Results, columns: &Columns) -> Markup {
    let sort = sorting(results);
    html! {
        tr {
            th scope="col" data-sort="number" aria-sort="ascending" class="figure place" { "place" }
            th scope="col" data-sort="text" class="name" { "entry" }
            @for totals in &columns.totals { th scope="col" data-sort=(totals.sort) class="figure" { (foreign(&totals.head)) } }
            th scope="col" data-sort="number" class=(columns.time()) { "time" }
            @if columns.summary { (summary_head(true)) }
            @for board in &columns.boards {
                @let name = results.boards[*board].marked();
                th scope="col" data-sort=(sort) class="figure" title=(plain(&name)) { (foreign(&name)) }
            }
            @if columns.authors { th scope="col" data-sort="text" class="author" { "author" } }
        }
    }
}

/// Renders the headings of [`summary`]; `sorted` is true for a table that the page's script sorts.
pub(super) fn summary_head(sorted: bool) -> Markup {
    let column = |name: &str, sort: &str| {
        html! { th scope="col" data-sort=[sorted.then_some(sort)] class="figure optional" { (name) } }
    };
    html! { (column("solved", "number")) (column("mean", "number")) (column("median", "number")) }
}

/// Renders the number of solved boards of a row, and the mean and the median of the moves on them; nothing if it is unknown
/// which are solved.
pub(super) fn summary(row: &Row) -> Markup {
    let solved = row.cells.iter().filter(|cell| cell::solved(cell));
    let mut moves: Vec<u64> = solved.filter_map(cell::moves).collect();
    let judged = row.cells.iter().filter(|cell| cell.judged()).count();
    // Results in CSV may have any number.
    let mean = moves.iter().map(|&moves| moves as f64).sum::<f64>() / moves.len() as f64;
    let known = !row.cells.iter().any(cell::unknown);
    html! {
        td class="figure optional" data-key=[known.then(|| format!("-{}", moves.len()))] {
            @if known { (moves.len()) " of " (judged) }
        }
        td class="figure optional" { @if !moves.is_empty() { (format!("{mean:.1}")) } }
        td class="figure optional" { @if let Some(median) = median(&mut moves) { (median) } }
    }
}

fn line((k, e): (usize, usize), row: &Row, columns: &Columns, best: &[Option<Best>]) -> Markup {
    html! {
        tr {
            td class="figure place" { @if let Some(place) = row.place { (place) } }
            th scope="row" class="name" {
                a href={ "#entry-" (k) "-" (e) } title=(plain(&row.entry.name)) { (foreign(&row.entry.name)) }
                @if !row.entry.competing { " " span class="mark" { (NOT_COMPETING) } }
            }
            @for totals in &columns.totals { td class=(totals.class()) { (totals.cells[e]) } }
            (time(row, columns.time()))
            @if columns.summary { (summary(row)) }
            @for &b in &columns.boards { (cell::td((k, e, b), &row.cells[b], best[b], false)) }
            @if columns.authors { td class="author" { @if let Some(author) = &row.entry.author { (foreign(author)) } } }
        }
    }
}

/// Renders the cell of the total time.
pub(super) fn time(row: &Row, class: &str) -> Markup {
    let time = row.total.time_us;
    html! { td class=(class) data-key=[time] { (time_text(row)) } }
}

/// Formats the total time of an entry; `-` if it is unknown.
pub(super) fn time_text(row: &Row) -> String {
    row.total.time_us.map_or("-".into(), |time| duration(time as f64))
}

/// Renders the best known answers, below the cells of each board.
fn known(results: &Results, columns: &Columns) -> Markup {
    let line = |name: &str, value: &dyn Fn(&BoardHead) -> Option<String>| {
        html! {
            tr {
                td class="place" {}
                th scope="row" class="name" { (name) }
                @for _ in &columns.totals { td {} }
                td class=(columns.time()) {}
                @for board in &columns.boards {
                    td class="figure" { @if let Some(value) = value(&results.boards[*board]) { (value) } }
                }
                @if columns.authors { td class="author" {} }
            }
        }
    };
    let best = |board: &BoardHead| board.best.map(|points| points.to_string());
    let moves = |board: &BoardHead| board.known.as_ref().map(|known| known.moves.to_string());
    html! {
        @if has_best(results) { (line("best score known", &best)) }
        @if has_known(results) {
            (line(&format!("fewest {} known", compared(results)), &moves))
            (line("proved lower bound", &|board| board.known.as_ref()?.lower_bound.map(|bound| bound.to_string())))
        }
    }
}

/// The title of the figure by which answers are compared.
pub(super) fn compared(results: &Results) -> &str {
    results.scoring.figures[results.scoring.compared()].title()
}

/// Describes the origin of the best known answers, in sentences.
fn origin(known: &KnownFrom) -> String {
    let KnownFrom::Today { file, before } = known else {
        return "The best known answers and proved bounds are those that were recorded with the results.".into();
    };
    let one = |known: &Option<BestKnown>| match known {
        None => "none".to_owned(),
        Some(BestKnown { moves, lower_bound: None }) => moves.to_string(),
        Some(BestKnown { moves, lower_bound: Some(bound) }) => format!("{moves} (bound {bound})"),
    };
    let mut earlier: Vec<String> =
        before.iter().take(MAX_NAMED).map(|(board, known)| format!("{} {}", plain(board), one(known))).collect();
    earlier.extend((before.len() > MAX_NAMED).then(|| format!("and {} more", before.len() - MAX_NAMED)));
    let earlier = match earlier.as_slice() {
        [] => "They have not changed since the contest began".to_owned(),
        earlier => format!("When the contest began they were: {}", earlier.join(", ")),
    };
    format!("The best known answers and proved bounds are those of {} when this page was made. {earlier}.", plain(file))
}

fn legend(results: &Results, columns: &Columns) -> Markup {
    let (cell, total) = legend::formats(results);
    let solved = results.rows.iter().flat_map(|row| &row.cells).any(cell::solved);
    let moves = compared(results);
    html! {
        div class="legend" {
            p {
                @if solved && results.scoring.cost.is_some() {
                    "A number alone is the " (foreign(moves)) " of an answer that solves the board; otherwise a cell is "
                    (foreign(&cell)) ". A total is " (foreign(&total)) ". "
                }
                @else { "A cell is " (foreign(&cell)) ", a total " (foreign(&total)) ". " }
                "Time is the sum over all boards. The best cells of a board are "
                span class="best" { "highlighted" }
                ", and the closer a cell is to the best, the stronger is its "
                span class="near-2" { "tint" }
                ". Select a cell to see its run."
            }
            @if columns.summary {
                p {
                    "Mean and median are of the " (foreign(moves)) " on the boards that the entry solved. Entries that solve "
                    "different boards cannot be compared by them."
                }
            }
            dl class="marks" {
                @for Mark { sign, meaning, .. } in legend::marks(results, "select the cell to read the reason") {
                    div { dt { (sign) } dd { (meaning) } }
                }
            }
            @for note in legend::board_notes(results) { p { (foreign(&note)) } }
            @if let Some(sentence) = legend::unlike_machines(results) { p { (foreign(&sentence)) } }
            @if let Some(sentence) = legend::referees(results) { p { (foreign(&sentence)) "." } }
            @for sentence in legend::judging(results) { p { (sentence) } }
            @let sentences = legend::ranking(results).or(Some(legend::UNRANKED.into())).into_iter();
            @let sentences = sentences.chain(legend::surprises(results));
            @let sentences = sentences.chain(legend::incomplete(results)).chain(legend::rounds(results));
            @for sentence in sentences { p { (foreign(&sentence)) } }
            @for isolation in &results.isolation { p { "Isolation of the programs: " (foreign(isolation)) } }
            @if let Some(sentence) = legend::unlike_isolation(results) { p { (foreign(&sentence)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::compare::Source;
    use judge_core::points::Points;

    fn results(boards: usize) -> PageSource {
        let head: String =
            (0..boards).map(|board| format!("mine,B{board},solved,25,25,{},1,100,10\n", 10 + board)).collect();
        let csv = format!(
            "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n{head}other,B0,timed_out,,,,,5,10\n"
        );
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        Source { name: "test".into(), results }.into()
    }

    #[test]
    fn the_origin_of_the_best_known_is_named_with_what_they_were() {
        let known = |moves, lower_bound| Some(BestKnown { moves, lower_bound });
        let before = vec![("AID".to_owned(), known(79, Some(63))), ("FAQ".to_owned(), None)];
        let today = origin(&KnownFrom::Today { file: "contest.toml".into(), before });
        assert!(today.ends_with("When the contest began they were: AID 79 (bound 63), FAQ none."), "{today}");
        assert!(origin(&KnownFrom::Results).contains("recorded with the results"));
    }

    #[test]
    fn many_boards_are_rows_below_summaries() {
        let page = |boards: usize| section(0, &results(boards), &vec![None; boards]).into_string();
        let few = page(MAX_BOARDS);
        assert!(!results(MAX_BOARDS).has_board_rows() && few.contains(">B7<") && !few.contains(">median<"), "{few}");
        let standings = page(MAX_BOARDS + 1);
        let many = results(MAX_BOARDS + 1);
        assert!(many.has_board_rows());
        let many = crate::boards::section(0, many.results(), &vec![None; MAX_BOARDS + 1], None).into_string();
        assert!(!standings.contains(">B7<") && standings.contains(">9 of 9<"), "{standings}");
        // The mean of 10 to 18, and their median.
        assert!(standings.contains(">14.0<") && standings.contains(">14<"), "{standings}");
        assert!(many.contains("<table class=\"boards\"") && many.contains(">B7<"));
    }

    #[test]
    fn where_nothing_solves_a_board_no_board_is_said_to_be_solved() {
        let head = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
        let line = |board: usize| format!("mine,B{board},valid,3,9,7,0,100,10\n");
        let csv = (0..=MAX_BOARDS).map(line).fold(head, |csv, line| csv + &line);
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        let source: PageSource = Source { name: "test".into(), results }.into();
        let best = vec![None; MAX_BOARDS + 1];
        let boards = crate::boards::section(0, source.results(), &best, None).into_string();
        let page = section(0, &source, &best).into_string() + &boards;
        assert!(page.contains("<table class=\"boards\"") && page.contains(">B7<"), "{page}");
        assert!(!boards.contains("solve") && !page.contains(">median<"), "{page}");
    }

    #[test]
    fn a_summary_of_very_large_numbers_is_written() {
        let mut row = results(2).results().rows[0].clone();
        row.cells.iter_mut().for_each(|cell| cell.metrics.figures[1] = Some(Points::whole(u64::MAX)));
        let cells = summary(&row).into_string();
        assert!(cells.contains(">18446744073709551616.0<"), "{cells}");
    }

    #[test]
    fn totals_and_time_are_right_after_the_name() {
        let table = section(0, &results(2), &[None, None]).into_string();
        let order = [">entry<", "total (2)", ">time<", ">B0<"].map(|head| table.find(head).unwrap());
        assert!(order.is_sorted(), "{order:?}");
        assert!(table.contains("<td class=\"figure\" data-key=\"200\">200 µs</td>"), "{table}");
    }
}
