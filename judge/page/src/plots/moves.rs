//! Moves by entry and board: a row per entry, a point per solved board, and a summary of the other runs next to it.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers};
use super::colour::{Colour, SERIES, circle, dots, mark};
use super::legend::{Sign, legend};
use super::marks::{games, of};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::{Bands, Scale};
use super::sheet::{Anchor, LINE, SMALL, TEXT, WIDTH, hint, nothing, sheet, small, stroke, text};
use super::text::{capital, in_table, px, shown, width};
use crate::plot::{Plot, Table};

const ID: &str = "plot-moves";
/// The factor between the longest and the shortest answer from which the scale is logarithmic.
const WIDE_SPREAD: f64 = 15.0;
/// The most points with a hint for the pointer.
const MAX_HINTS: usize = 600;
/// Half the size of a mark, and of a dot.
const MARK: f64 = 4.5;
const DOT: f64 = 2.0;

pub(super) fn draw(data: &PlotData) -> Plot {
    let title = format!("{} by entry and board", capital(&data.moves));
    let marked = data.boards.len() <= SERIES;
    let lead = format!(
        "A point is the {} of an answer that solves a board; further left is better. {}",
        data.moves,
        if marked { "Each board has its colour and mark." } else { "The bar is the median of the solved boards." }
    );
    let rest = "Other runs are counted at the right, by the code from the standings, or as short for a legal answer that does \
                not reach the goal.";
    let caption = data.caption(lead, rest.into());
    let svg = match spread(data) {
        Some(domain) => drawing(data, domain, marked, (&title, &caption.whole())),
        None => nothing(ID, &title, "no entry solved a board"),
    };
    Plot { id: ID.into(), title, caption, svg, table: table(data) }
}

/// Returns the fewest and the most moves of any solution.
fn spread(data: &PlotData) -> Option<(f64, f64)> {
    let moves = || data.entries.iter().flat_map(|entry| &entry.results).filter_map(RunResult::moves);
    Some((moves().min()? as f64, moves().max()? as f64))
}

fn drawing(data: &PlotData, (least, most): (f64, f64), marked: bool, (title, description): (&str, &str)) -> Markup {
    let names: Vec<String> = data.entries.iter().map(|entry| entry.label.clone()).collect();
    let failures: Vec<String> = data.entries.iter().map(failures).collect();
    let widest = |texts: &[String], size| texts.iter().map(|text| width(text, size)).fold(0.0, f64::max);
    let left = widest(&names, TEXT) + 16.0;
    let side_width = if failures.iter().all(String::is_empty) { 16.0 } else { widest(&failures, SMALL) + 28.0 };
    // A long list of failures makes the drawing wider, not the area of the points narrower.
    let total = WIDTH.max(left + 380.0 + side_width);
    let range = (left + 8.0, total - side_width - 8.0);
    let scale = if least > 0.0 && most / least >= WIDE_SPREAD {
        Scale::log((least, most), range)
    } else {
        Scale::linear((least, most), range)
    };
    let scale = scale.nice(6);
    let items: Vec<(Sign, String)> = if marked {
        let boards = data.boards.iter().enumerate();
        boards.map(|(series, board)| (Sign::Mark(series), shown(&board.name))).collect()
    } else {
        Vec::new()
    };
    let (legend, above) = legend(&items, (left, 4.0), total - left);
    let size = if marked { MARK } else { DOT };
    let rows: Vec<Vec<Point>> = data.entries.iter().map(|entry| points(entry, &scale, size)).collect();
    let lanes = rows.iter().flatten().map(|point| point.lane + 1).max().unwrap_or(1);
    let lane = size * if marked { 1.5 } else { 1.2 };
    let bands = Bands::new(above + 12.0, (lane * lanes as f64 + 8.0).max(LINE + 2.0));
    let bottom = bands.begin(data.entries.len());
    let hints = rows.iter().map(Vec::len).sum::<usize>() <= MAX_HINTS;
    let borders: String =
        (0..=data.entries.len()).map(|row| format!("M0 {}H{}", px(bands.begin(row)), px(total))).collect();
    let body = html! {
        (legend)
        (horizontal(&scale, (bands.begin(0), bottom), &numbers(&scale, 6), &data.moves))
        (Colour::Rule.draw(&stroke(&borders, 1.0, Some("1 2"))))
        @for (row, entry) in data.entries.iter().enumerate() {
            (of(entry, &html! {
                (text((left, bands.middle(row)), Anchor::End, &names[row]))
                (small((total - side_width + 12.0, bands.middle(row)), Anchor::Start, &failures[row]))
            }))
            @let place = |point: &Point| (point.x, bands.middle(row) + lane_offset(point.lane) * lane);
            (of(entry, &html! {
                @if hints {
                    @for point in &rows[row] { (with_hint(data, entry, point, place(point), marked)) }
                } @else {
                    (Colour::Series(0).draw(&dots(rows[row].iter().map(place), DOT)))
                }
            }))
            (games(entry, rows[row].iter().map(|point| (point.board, place(point)))))
            @if let (false, Some(median)) = (marked, median(entry)) {
                (stroke(&format!("M{} {}v{}", px(scale.at(median)), px(bands.middle(row) - 8.0), 16), 2.5, None))
            }
        }
    };
    sheet(ID, title, description, (total, bottom + BELOW), &body)
}

/// Draws a point with a hint for the pointer.
fn with_hint(data: &PlotData, entry: &PlotEntry, point: &Point, (x, y): (f64, f64), marked: bool) -> Markup {
    let board = shown(&data.boards[point.board].name);
    let hint_text = format!("{}, {board}: {} {}", entry.label, point.moves, data.moves);
    if marked {
        Colour::Series(point.board).marks(&hint(&mark(point.board, x, y, MARK), &hint_text))
    } else {
        Colour::Series(0).draw(&hint(&circle(x, y, DOT), &hint_text))
    }
}

/// A point of a row.
struct Point {
    board: usize,
    moves: u64,
    x: f64,
    /// Its lane in the row, chosen so that it covers no other point: 0 in the middle, then above and below in turn.
    lane: usize,
}

/// The most lanes of a row; further points cover others.
const LANES: usize = 5;

fn points(entry: &PlotEntry, scale: &Scale, size: f64) -> Vec<Point> {
    let solved = entry.results.iter().enumerate().filter_map(|(board, result)| Some((board, result.moves()?)));
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

/// Returns a lane's offset from the middle lane.
fn lane_offset(lane: usize) -> f64 {
    let away = lane.div_ceil(2) as f64;
    if lane % 2 == 1 { -away } else { away }
}

/// Counts an entry's other results, the most frequent first: `3 TIM, 1 ILL, 2 short, 1 no run`.
fn failures(entry: &PlotEntry) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for result in &entry.results {
        let kind = match result {
            RunResult::Solved { .. } => continue,
            RunResult::Unsolved { sign, .. } if sign.contains('/') => "short",
            RunResult::Unsolved { sign, .. } => sign,
            RunResult::Missing => "no run",
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let mut kinds: Vec<(&str, usize)> = kinds.into_iter().collect();
    kinds.sort_by_key(|&(kind, count)| (std::cmp::Reverse(count), kind));
    kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

/// Computes the median of the moves of solutions.
fn median(entry: &PlotEntry) -> Option<f64> {
    crate::text::median(&mut entry.results.iter().filter_map(RunResult::moves).collect::<Vec<u64>>())
}

fn table(data: &PlotData) -> Table {
    let head = ["entry".to_owned()].into_iter().chain(data.boards.iter().map(|board| in_table(&board.name)));
    let rows = data.entries.iter().map(|entry| {
        let cells = entry.results.iter().map(|result| match result {
            RunResult::Solved { moves, .. } => moves.to_string(),
            RunResult::Unsolved { sign, .. } => sign.clone(),
            RunResult::Missing => String::new(),
        });
        [entry.name.clone()].into_iter().chain(cells).collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn other_results_are_counted_by_kind() {
        let data = plot_data(&[("a", &["10", "TIM", "16/202", "TIM", "-", "JUD", "0/3"]), ("b", &["9"; 7])]);
        assert_eq!(failures(&data.entries[1]), "2 TIM, 2 no run, 2 short");
        assert_eq!(failures(&data.entries[0]), "");
    }

    #[test]
    fn medians_are_of_solutions_only() {
        let data =
            plot_data(&[("a", &["10", "40", "TIM", "20", "16/202", "30"]), ("b", &["TIM"; 6]), ("c", &["7"; 6])]);
        let medians: Vec<(&str, Option<f64>)> =
            data.entries.iter().map(|entry| (entry.name.as_str(), median(entry))).collect();
        assert_eq!(medians, [("c", Some(7.0)), ("a", Some(25.0)), ("b", None)]);
    }

    #[test]
    fn points_of_a_row_cover_no_other() {
        let data = plot_data(&[("a", &["100", "101", "100", "150", "102"])]);
        let scale = Scale::linear((100.0, 200.0), (0.0, 100.0));
        let points = points(&data.entries[0], &scale, 4.0);
        for (index, point) in points.iter().enumerate() {
            let apart = |other: &Point| other.lane != point.lane || (other.x - point.x).abs() >= 8.0;
            assert!(points[..index].iter().all(apart));
        }
        assert_eq!(points.iter().map(|point| lane_offset(point.lane)).collect::<Vec<_>>(), [0.0, -1.0, 1.0, -2.0, 0.0]);
    }
}
