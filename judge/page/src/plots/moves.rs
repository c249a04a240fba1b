//! Moves by entry and board: a row an entry, a point a board it solved, and what else it came to beside.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::axis::{BELOW, figures, horizontal};
use super::field::{Came, Entrant, Field};
use super::ink::{Ink, SERIES, circle, dots, mark};
use super::legend::{Sign, legend};
use super::scale::{Bands, Scale};
use super::sheet::{Anchor, LINE, SMALL, TEXT, WIDTH, hint, nothing, sheet, small, stroke, text};
use super::text::{capital, in_table, px, shown, width};
use crate::figure::{Figure, Table};

const ID: &str = "plot-moves";
/// From this factor between the longest and the shortest answer on, equal factors get equal room.
const WIDE_SPREAD: f64 = 15.0;
/// Points up to which each says what it is to a pointer that rests on it.
const MOST_HINTS: usize = 600;
/// Half a mark's size and half a dot's.
const MARK: f64 = 4.5;
const DOT: f64 = 2.0;

pub(super) fn draw(field: &Field) -> Figure {
    let title = format!("{} by entry and board", capital(&field.words.moves));
    let marked = field.boards.len() <= SERIES;
    let description = field.describe(format!(
        "A row is an entry, a point the {} of an answer that solves a board; further left is better. {} Runs that did \
         not solve their board have no point; how many, and what they came to, stands at the right: three letters as \
         in the standings, or short for a legal answer that ends short of the goal.",
        field.words.moves,
        if marked {
            "A colour and a mark is a board."
        } else {
            "With so many boards the points are alike; the bar is the median of the boards that the entry solved."
        }
    ));
    let svg = match spread(field) {
        Some(domain) => drawing(field, domain, marked, (&title, &description)),
        None => nothing(ID, &title, "no entry solved a board"),
    };
    Figure { id: ID.into(), title, description, svg, table: table(field) }
}

/// The least and the most moves of any solution.
fn spread(field: &Field) -> Option<(f64, f64)> {
    let moves = || field.entrants.iter().flat_map(|entrant| &entrant.came).filter_map(Came::moves);
    Some((moves().min()? as f64, moves().max()? as f64))
}

fn drawing(field: &Field, (least, most): (f64, f64), marked: bool, (title, description): (&str, &str)) -> Markup {
    let names: Vec<String> = field.entrants.iter().map(|entrant| entrant.label.clone()).collect();
    let failures: Vec<String> = field.entrants.iter().map(failures).collect();
    let widest = |texts: &[String], size| texts.iter().map(|text| width(text, size)).fold(0.0, f64::max);
    let left = widest(&names, TEXT) + 16.0;
    let beside = if failures.iter().all(String::is_empty) { 16.0 } else { widest(&failures, SMALL) + 28.0 };
    // Long lists of failures make the drawing wider instead of the points' room narrower.
    let total = WIDTH.max(left + 380.0 + beside);
    let range = (left + 8.0, total - beside - 8.0);
    let scale = if least > 0.0 && most / least >= WIDE_SPREAD {
        Scale::log((least, most), range)
    } else {
        Scale::linear((least, most), range)
    };
    let scale = scale.nice(6);
    let items: Vec<(Sign, String)> = if marked {
        let boards = field.boards.iter().enumerate();
        boards.map(|(series, board)| (Sign::Mark(series), shown(&board.name))).collect()
    } else {
        Vec::new()
    };
    let (legend, above) = legend(&items, (left, 4.0), total - left);
    let size = if marked { MARK } else { DOT };
    let rows: Vec<Vec<Point>> = field.entrants.iter().map(|entrant| points(entrant, &scale, size)).collect();
    let lanes = rows.iter().flatten().map(|point| point.lane + 1).max().unwrap_or(1);
    let lane = size * if marked { 1.5 } else { 1.2 };
    let bands = Bands::new(above + 12.0, (lane * lanes as f64 + 8.0).max(LINE + 2.0));
    let bottom = bands.begin(field.entrants.len());
    let hints = rows.iter().map(Vec::len).sum::<usize>() <= MOST_HINTS;
    let borders: String =
        (0..=field.entrants.len()).map(|row| format!("M0 {}H{}", px(bands.begin(row)), px(total))).collect();
    let body = html! {
        (legend)
        (horizontal(&scale, (bands.begin(0), bottom), &figures(&scale, 6), &field.words.moves))
        (Ink::Rule.draw(&stroke(&borders, 1.0, Some("1 2"))))
        @for (row, entrant) in field.entrants.iter().enumerate() {
            (text((left, bands.middle(row)), Anchor::End, &names[row]))
            (small((total - beside + 12.0, bands.middle(row)), Anchor::Start, &failures[row]))
            @let place = |point: &Point| (point.x, bands.middle(row) + lane_offset(point.lane) * lane);
            @if hints {
                @for point in &rows[row] { (told(field, entrant, point, place(point), marked)) }
            } @else {
                (Ink::Series(0).draw(&dots(rows[row].iter().map(place), DOT)))
            }
            @if let (false, Some(median)) = (marked, median(entrant)) {
                (stroke(&format!("M{} {}v{}", px(scale.at(median)), px(bands.middle(row) - 8.0), 16), 2.5, None))
            }
        }
    };
    sheet(ID, title, description, (total, bottom + BELOW), &body)
}

/// A point that says what it is.
fn told(field: &Field, entrant: &Entrant, point: &Point, (x, y): (f64, f64), marked: bool) -> Markup {
    let board = shown(&field.boards[point.board].name);
    let told = format!("{}, {board}: {} {}", entrant.label, point.moves, field.words.moves);
    if marked {
        Ink::Series(point.board).marks(&hint(&mark(point.board, x, y, MARK), &told))
    } else {
        Ink::Series(0).draw(&hint(&circle(x, y, DOT), &told))
    }
}

/// A point of a row.
struct Point {
    board: usize,
    moves: u64,
    x: f64,
    /// Which of the row's lanes it is in, so that it covers no other: 0 in the middle, then above and below in turn.
    lane: usize,
}

/// Lanes of a row at most; points beyond lie on others.
const LANES: usize = 5;

fn points(entrant: &Entrant, scale: &Scale, size: f64) -> Vec<Point> {
    let solved = entrant.came.iter().enumerate().filter_map(|(board, came)| Some((board, came.moves()?)));
    let mut points: Vec<Point> =
        solved.map(|(board, moves)| Point { board, moves, x: scale.at(moves as f64), lane: 0 }).collect();
    points.sort_by_key(|point| (point.moves, point.board));
    let mut free = [f64::NEG_INFINITY; LANES];
    for point in &mut points {
        point.lane = free.iter().position(|free| *free <= point.x).unwrap_or(0);
        free[point.lane] = point.x + 2.0 * size;
    }
    points
}

/// How many lanes above or below the middle one a lane is.
fn lane_offset(lane: usize) -> f64 {
    let away = lane.div_ceil(2) as f64;
    if lane % 2 == 1 { -away } else { away }
}

/// What else an entry came to, most frequent first: `3 TIM, 1 ILL, 2 short, 1 no run`.
fn failures(entrant: &Entrant) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for came in &entrant.came {
        let kind = match came {
            Came::Solved { .. } => continue,
            Came::Short { sign, .. } if sign.contains('/') => "short",
            Came::Short { sign, .. } => sign,
            Came::Absent => "no run",
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|&(kind, count)| (std::cmp::Reverse(count), kind));
    kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

/// The median of the moves of solutions.
fn median(entrant: &Entrant) -> Option<f64> {
    let mut moves: Vec<u64> = entrant.came.iter().filter_map(Came::moves).collect();
    moves.sort_unstable();
    let (low, high) = (moves.get(moves.len().checked_sub(1)? / 2)?, moves.get(moves.len() / 2)?);
    Some((*low as f64 + *high as f64) / 2.0)
}

fn table(field: &Field) -> Table {
    let head = ["entry".to_owned()].into_iter().chain(field.boards.iter().map(|board| in_table(&board.name)));
    let rows = field.entrants.iter().map(|entrant| {
        let cells = entrant.came.iter().map(|came| match came {
            Came::Solved { moves, .. } => moves.to_string(),
            Came::Short { sign, .. } => sign.clone(),
            Came::Absent => String::new(),
        });
        [entrant.name.clone()].into_iter().chain(cells).collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::field;
    use super::*;

    #[test]
    fn what_is_no_solution_is_counted_by_kind() {
        let field = field(&[("a", &["10", "TIM", "16/202", "TIM", "-", "JUD", "0/3"]), ("b", &["9"; 7])]);
        assert_eq!(failures(&field.entrants[1]), "2 TIM, 2 no run, 2 short");
        assert_eq!(failures(&field.entrants[0]), "");
    }

    #[test]
    fn medians_are_of_solutions_alone() {
        let field = field(&[("a", &["10", "40", "TIM", "20", "16/202", "30"]), ("b", &["TIM"; 6]), ("c", &["7"; 6])]);
        let medians: Vec<(&str, Option<f64>)> =
            field.entrants.iter().map(|entrant| (entrant.name.as_str(), median(entrant))).collect();
        assert_eq!(medians, [("a", Some(25.0)), ("b", None), ("c", Some(7.0))]);
    }

    #[test]
    fn points_of_a_row_cover_no_other() {
        let field = field(&[("a", &["100", "101", "100", "150", "102"])]);
        let scale = Scale::linear((100.0, 200.0), (0.0, 100.0));
        let points = points(&field.entrants[0], &scale, 4.0);
        for (index, point) in points.iter().enumerate() {
            let apart = |other: &Point| other.lane != point.lane || (other.x - point.x).abs() >= 8.0;
            assert!(points[..index].iter().all(apart));
        }
        assert_eq!(points.iter().map(|point| lane_offset(point.lane)).collect::<Vec<_>>(), [0.0, -1.0, 1.0, -2.0, 0.0]);
    }
}
