//! Two results: a row per entry, with the changes in the second one, such as `94 +8` on a board and `3 ▲2` for its
//! place.

use maud::{Markup, html};

use super::EntryRow;
use crate::cell::{self, link};
use crate::source::PageSource;
use crate::standings::{compared, time_text};
use crate::text::{foreign, plain};
use judge_core::compare::PairResult;
use judge_core::points::Points;
use judge_core::results::Results;
use judge_core::score::{Row, RunCell};

/// Renders the table of the entries of two sources, which have one row each. `boards` are the boards with a column.
pub(super) fn table((then, now): (&PageSource, &PageSource), entries: &[Vec<EntryRow<'_>>], boards: &[&str]) -> Markup {
    html! {
        p {
            "What changed from " (foreign(then.name())) " to " (foreign(now.name())) ", for each entry that is in both: "
            "its place with ▲ for each place up and ▼ down, its total, and the difference on each board. Boards are matched "
            "by their names."
        }
        table class="standings changes" {
            thead {
                tr {
                    th scope="col" data-sort="text" class="name" { "entry" }
                    th scope="col" data-sort="number" class="figure place" { "place" }
                    th scope="col" data-sort="number" class="figure" { "better" }
                    th scope="col" data-sort="number" class="figure" { "worse" }
                    th scope="col" class="figure" { "total" }
                    th scope="col" data-sort="number" class="figure" { (foreign(compared(now.results()))) }
                    th scope="col" class="figure" { "time" }
                    @for board in boards { th scope="col" class="figure" title=(plain(board)) { (foreign(board)) } }
                }
            }
            tbody { @for places in entries { (line((then.results(), now.results()), places, boards)) } }
        }
    }
}

fn line((then, now): (&Results, &Results), places: &[EntryRow<'_>], boards: &[&str]) -> Markup {
    let Some((&(_, _, before), &(k, e, after))) = places.first().zip(places.get(1)) else { return html! {} };
    let common: Vec<(usize, &RunCell, &RunCell)> = now
        .boards
        .iter()
        .enumerate()
        .filter_map(|(b, head)| {
            let old = then.boards.iter().position(|other| other.name == head.name)?;
            Some((b, &before.cells[old], &after.cells[b]))
        })
        .collect();
    let ranking = now.board_ranking();
    let outcome = |(_, old, new): &(usize, &RunCell, &RunCell)| ranking.better_of(old, new);
    let count = |wanted| common.iter().filter(|pair| outcome(pair) == wanted).count();
    let moves = moves(before, after);
    html! {
        tr {
            th scope="row" class="name" {
                a href={ "#entry-" (k) "-" (e) } title=(plain(&after.entry.name)) { (foreign(&after.entry.name)) }
            }
            td class="figure place" { (place(before.place, after.place)) }
            td class="figure" { (count(PairResult::Second)) }
            td class="figure" { (count(PairResult::First)) }
            td class="figure total" { (after.total_text(&after.total)) }
            td class="figure" { @if let Some(moves) = moves { (moved(moves, moves.cmp(&0))) } }
            td class="figure" { (time_text(before)) " → " (time_text(after)) }
            @for name in boards {
                @match common.iter().find(|(b, ..)| now.boards[*b].name == *name) {
                    Some(pair) => (board((k, e), pair, outcome(pair))),
                    None => td class="figure" {},
                }
            }
        }
    }
}

/// Renders a place with its change: `3 ▲2` is third now and was fifth before.
fn place(before: Option<usize>, after: Option<usize>) -> Markup {
    html! {
        @if let Some(after) = after {
            (after)
            @match before.map(|before| (before.cmp(&after), before.abs_diff(after))) {
                Some((std::cmp::Ordering::Greater, places)) => { " " span class="up" { "▲" (places) } }
                Some((std::cmp::Ordering::Less, places)) => { " " span class="down" { "▼" (places) } }
                _ => {}
            }
        } @else { "–" }
    }
}

/// Computes the difference of the total moves; `None` if one is unknown, or if their progress differs, so that moves are
/// not comparable.
fn moves(before: &Row, after: &Row) -> Option<i128> {
    let same = before.total.figure(0) == after.total.figure(0);
    let at = after.scoring.compared();
    Some(after.total.figure(at)?.units() - before.total.figure(at).filter(|_| same)?.units())
}

/// Renders a board: its present cell, with the difference of the moves, or with the former cell.
fn board((k, e): (usize, usize), (b, old, new): &(usize, &RunCell, &RunCell), outcome: PairResult) -> Markup {
    // Moves are compared at equal progress only, as a table does not contain the goal of a board.
    let same = old.figure(0) == new.figure(0) && old.code.is_none() && new.code.is_none();
    let moves = |cell: &RunCell| {
        let at = cell.scoring.as_deref().filter(|_| same)?.compared();
        cell.figure(at).map(Points::units)
    };
    let worse = match outcome {
        PairResult::First => std::cmp::Ordering::Greater,
        PairResult::Second => std::cmp::Ordering::Less,
        _ => std::cmp::Ordering::Equal,
    };
    html! {
        td class="figure" {
            (link((k, e, *b), &cell::text(new)))
            @match moves(old).zip(moves(new)) {
                Some((old, new)) if old != new => { " " (moved(new - old, worse)) }
                Some(_) => {}
                None if cell::text(old) != cell::text(new) => {
                    " " span class=(class(worse)) { "was " (cell::text(old)) }
                }
                None => {}
            }
        }
    }
}

/// Renders a difference of moves with its sign, such as `+8`.
fn moved(moves: i128, worse: std::cmp::Ordering) -> Markup {
    let sign = if moves > 0 {
        "+"
    } else if moves < 0 {
        "−"
    } else {
        ""
    };
    html! { span class=(class(worse)) { (sign) (moves.unsigned_abs()) } }
}

fn class(worse: std::cmp::Ordering) -> &'static str {
    match worse {
        std::cmp::Ordering::Greater => "down",
        std::cmp::Ordering::Less => "up",
        std::cmp::Ordering::Equal => "level",
    }
}

#[cfg(test)]
mod tests {
    use judge_core::compare::Source;
    use judge_core::results::Results;

    use crate::source::PageSource;

    fn source(name: &str, runs: &str) -> PageSource {
        let head = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n";
        let results = Results::read_csv(name, format!("{head}{runs}").as_bytes()).unwrap();
        Source { name: name.into(), results }.into()
    }

    #[test]
    fn an_entry_of_two_results_has_one_row_with_what_changed() {
        let then = source(
            "then",
            "a,X,solved,9,9,10,1,5,10000\na,Y,solved,9,9,20,1,5,10000\nb,X,solved,9,9,30,1,5,10000\nb,Y,solved,9,9,30,1,5,10000\n\
             c,X,solved,9,9,40,1,5,10000\nc,Y,timed_out,0,9,,,5,10000\n",
        );
        let now = source(
            "now",
            "a,X,solved,9,9,18,1,5,10000\na,Y,solved,9,9,20,1,5,10000\nb,X,solved,9,9,12,1,5,10000\nb,Y,solved,9,9,11,1,5,10000\n\
             c,X,solved,9,9,40,1,5,10000\nc,Y,solved,9,9,50,1,5,10000\n",
        );
        let table = super::super::section(&[then, now], &[]).unwrap().into_string();
        let rows: Vec<&str> = table.split("<tbody>").nth(1).unwrap().split("</tr>").collect();
        assert_eq!(rows.len(), 4, "three rows: {table}");
        let row = |name: &str| rows.iter().find(|row| row.contains(&format!("<bdi>{name}</bdi>"))).unwrap();
        assert!(row("a").contains("2 <span class=\"down\">▼1</span>"), "{}", row("a"));
        assert!(
            row("a").contains(">18</a> <span class=\"down\">+8</span>") && row("a").contains(">20</a></td>"),
            "{}",
            row("a")
        );
        assert!(row("b").contains("1 <span class=\"up\">▲1</span>"), "{}", row("b"));
        assert!(row("b").contains("<span class=\"up\">−18</span>"), "{}", row("b"));
        // A board that was not solved before has no difference of moves, and the totals cannot be compared.
        assert!(
            row("c").contains(">50</a> <span class=\"up\">was 0/TIM</span>") && row("c").contains(">3</td>"),
            "{}",
            row("c")
        );
    }
}
