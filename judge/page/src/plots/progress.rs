//! Progress along the answers: the progress after each move.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers, shares, vertical};
use super::colour::{Colour, dashes, mark};
use super::legend::{Sign, legend};
use super::marks::{games, of};
use super::plot_data::{PlotData, PlotEntry};
use super::scale::Scale;
use super::sheet::{Anchor, WIDTH, fill, sheet, stroke, text};
use super::text::{capital, px, shown};
use crate::plot::{Curve, Plot, Table};

const ID: &str = "plot-progress";
/// The most boards with a panel each.
const MAX_PANELS: usize = 8;
/// The size of a panel's axes, and the space around them.
const PANEL: (f64, f64) = (296.0, 150.0);
const LEFT: f64 = 56.0;
const ABOVE: f64 = 56.0;
const BETWEEN: f64 = 32.0;
/// The steps along an answer at which several answers are aggregated, and the steps in the table.
const STEPS: usize = 50;
const TABLE_STEPS: usize = 10;

/// The curves of each entry, by the index of their boards.
type Curves<'a> = Vec<(&'a PlotEntry, BTreeMap<usize, &'a Curve>)>;

/// Returns `None` if the results contain no answers, such as a table: the figure would be blank.
pub(super) fn draw(data: &PlotData, curves: &[Curve]) -> Option<Plot> {
    let mut by_entry: BTreeMap<(&str, &str), BTreeMap<usize, &Curve>> = BTreeMap::new();
    for curve in curves.iter().filter(|curve| curve.of > 0 && !curve.progress.is_empty()) {
        if let Some(column) = data.column(&curve.source, &curve.board) {
            by_entry.entry((&curve.source, &curve.entry)).or_default().insert(column, curve);
        }
    }
    let curves_of = |entry| by_entry.get(&entry_key(entry)).cloned().unwrap_or_default();
    let curves: Curves<'_> = data.entries.iter().map(|entry| (entry, curves_of(entry))).collect();
    let progress = &data.progress;
    let title = format!("{} along the answer", capital(progress));
    let boards: Vec<usize> =
        (0..data.boards.len()).filter(|board| curves.iter().any(|(_, of)| of.contains_key(board))).collect();
    if boards.is_empty() {
        return None;
    }
    let panels = boards.len() <= MAX_PANELS;
    let (lead, aggregated) = if panels {
        (format!("A panel is a board, a line the {progress} after each step of an entry's answer."), String::new())
    } else {
        (
            format!("The share of {progress} reached after each share of an answer's steps: the median over the boards."),
            "The boards are those for which the entry has an answer. Numbers after a name are these boards and all boards, \
             if they differ. "
                .to_owned(),
        )
    };
    let rest = format!(
        "{aggregated}The mark is the end of an answer; an answer that ends below the top does not solve its board.{}",
        data.rest_note(),
    );
    let caption = data.caption(lead, rest);
    let svg = if panels {
        side_by_side(data, &curves, &boards, (&title, &caption.whole()))
    } else {
        together(data, &curves, (&title, &caption.whole()))
    };
    Some(Plot { id: ID.into(), title, caption, svg, table: table(&curves) })
}

fn entry_key(entry: &PlotEntry) -> (&str, &str) {
    (&entry.source, &entry.entry)
}

fn side_by_side(data: &PlotData, curves: &Curves<'_>, boards: &[usize], (title, description): (&str, &str)) -> Markup {
    let (key, above) = legend(&signs(curves, None), (LEFT, 4.0), WIDTH - LEFT);
    let all = curves.iter().flat_map(|(_, of)| of.values());
    let longest = all.map(|curve| moves(curve)).max().unwrap_or_default();
    let rows = boards.len().div_ceil(2);
    let place = |panel: usize| {
        let left = LEFT + (panel % 2) as f64 * (PANEL.0 + LEFT + BETWEEN);
        (left, above + ABOVE + (panel / 2) as f64 * (PANEL.1 + ABOVE + BELOW))
    };
    let panel = |index: usize, board: usize| {
        let (left, top) = place(index);
        let bottom = top + PANEL.1;
        let of = curves.iter().filter_map(|(_, of)| of.get(&board)).map(|curve| curve.of).max().unwrap_or(1);
        let x = Scale::linear((0.0, longest as f64), (left, left + PANEL.0)).nice(5);
        let y = Scale::linear((0.0, of as f64), (bottom, top));
        // Only whole numbers: this is a count.
        let ticks = numbers(&y, 5).into_iter().filter(|(tick, _)| tick.fract() == 0.0).collect::<Vec<_>>();
        let lines = ordered(curves).filter_map(|(entry, of)| Some((*entry, points(of.get(&board)?, &x, &y))));
        let lines: Vec<(&PlotEntry, Vec<(f64, f64)>)> = lines.collect();
        html! {
            (text((left + PANEL.0 / 2.0, top - 36.0), Anchor::Middle, &shown(&data.boards[board].name)))
            (horizontal(&x, (top, bottom), &numbers(&x, 5), "steps of the answer"))
            (vertical(&y, (left, left + PANEL.0), &ticks, (top - 18.0, &data.progress)))
            (self::lines(&lines))
            @for (entry, points) in &lines {
                @if let Some(end) = points.last() { (games(entry, [(board, *end)])) }
            }
        }
    };
    let body = html! {
        (key)
        @for (index, board) in boards.iter().enumerate() { (panel(index, *board)) }
    };
    let height = above + rows as f64 * (ABOVE + PANEL.1 + BELOW);
    sheet(ID, title, description, (WIDTH, height + 8.0), &body)
}

fn together(data: &PlotData, curves: &Curves<'_>, (title, description): (&str, &str)) -> Markup {
    let (key, above) = legend(&signs(curves, Some(data.boards.len())), (LEFT, 4.0), WIDTH - LEFT);
    let top = above + ABOVE;
    let bottom = top + 2.0 * PANEL.1;
    let right = WIDTH - 24.0;
    let x = Scale::linear((0.0, 1.0), (LEFT, right));
    let y = Scale::linear((0.0, 1.0), (bottom, top));
    let reached = format!("share of {}, median of the boards with an answer", data.progress);
    let lines = ordered(curves).filter(|(_, of)| !of.is_empty()).map(|(entry, of)| {
        let points: Vec<(f64, f64)> = (0..=STEPS)
            .map(|step| {
                let share = step as f64 / STEPS as f64;
                (x.at(share), y.at(median_at(of, share)))
            })
            .collect();
        (*entry, points)
    });
    let lines: Vec<(&PlotEntry, Vec<(f64, f64)>)> = lines.collect();
    let body = html! {
        (key)
        (horizontal(&x, (top, bottom), &shares(&x), "share of the answer"))
        (vertical(&y, (LEFT, right), &shares(&y), (top - 18.0, &reached)))
        (self::lines(&lines))
    };
    sheet(ID, title, description, (WIDTH, bottom + BELOW), &body)
}

/// Orders the curves: those without a colour first, then the others in the order of the table. Dashed lines are drawn
/// over solid ones, so that both are visible where they coincide.
fn ordered<'a, 'c>(curves: &'c Curves<'a>) -> impl Iterator<Item = &'c (&'a PlotEntry, BTreeMap<usize, &'a Curve>)> {
    let rest = curves.iter().filter(|(entry, _)| entry.series.is_none());
    rest.chain(curves.iter().filter(|(entry, _)| entry.series.is_some()))
}

/// Lists the lines with their names. `boards` is the number of boards if answers are aggregated over them.
fn signs(curves: &Curves<'_>, boards: Option<usize>) -> Vec<(Sign, String)> {
    let drawn = || curves.iter().filter(|(_, of)| !of.is_empty());
    let name = |entry: &PlotEntry, answers: usize| match boards.filter(|boards| *boards != answers) {
        Some(boards) => format!("{} ({answers} of {boards})", entry.label),
        None => entry.label.clone(),
    };
    let series = drawn().filter(|(entry, _)| entry.series.is_some());
    let mut signs: Vec<(Sign, String)> =
        series.map(|(entry, of)| (Sign::Line(entry.series), name(entry, of.len()))).collect();
    let rest = drawn().filter(|(entry, _)| entry.series.is_none()).count();
    if rest > 0 {
        signs.push((Sign::Line(None), format!("{rest} others")));
    }
    signs
}

/// Draws lines, and over them a mark at the end of each, with the mark of the first entry on top.
fn lines(lines: &[(&PlotEntry, Vec<(f64, f64)>)]) -> Markup {
    let path = |points: &[(f64, f64)]| -> String {
        let pens = ["M"].into_iter().chain(std::iter::repeat("L"));
        points.iter().zip(pens).map(|((x, y), pen)| format!("{pen}{} {}", px(*x), px(*y))).collect()
    };
    html! {
        @for (entry, points) in lines {
            @let width = if entry.series.is_some() { 1.6 } else { 0.8 };
            (of(entry, &Colour::from_series(entry.series).draw(&stroke(&path(points), width, dashes(entry.series)))))
        }
        @for (entry, points) in lines.iter().rev() {
            @if let (Some(series), Some((x, y))) = (entry.series, points.last()) {
                (of(entry, &Colour::Series(series).marks(&fill(&mark(series, *x, *y, 4.0)))))
            }
        }
    }
}

/// Returns the number of moves of a curve's answer.
fn moves(curve: &Curve) -> u64 {
    (curve.progress.len() as u64).saturating_sub(1).saturating_mul(curve.stride)
}

/// Converts a curve to pixels, with only visible points: within a pixel's width, only the first, the lowest, the
/// highest and the last one.
fn points(curve: &Curve, x: &Scale, y: &Scale) -> Vec<(f64, f64)> {
    let steps = curve.progress.iter().zip(0u64..);
    let all: Vec<(f64, f64)> = steps
        .map(|(progress, index)| (x.at(index.saturating_mul(curve.stride) as f64), y.at(*progress as f64)))
        .collect();
    let mut points = Vec::new();
    for column in all.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
        let last = column.len() - 1;
        let extremes = (0..=last).min_by(by_height).into_iter().chain((0..=last).max_by(by_height));
        let kept: BTreeSet<usize> = extremes.chain([0, last]).collect();
        points.extend(kept.into_iter().map(|index| column[index]));
    }
    points
}

/// Computes the median over boards of the share of progress at a share of the answer.
fn median_at(curves: &BTreeMap<usize, &Curve>, share: f64) -> f64 {
    let mut reached: Vec<f64> = curves.values().map(|curve| reached(curve, share)).collect();
    reached.sort_by(f64::total_cmp);
    let (low, high) = ((reached.len().max(1) - 1) / 2, reached.len() / 2);
    (reached[low] + reached[high]) / 2.0
}

/// Returns the share of progress at a share of an answer.
fn reached(curve: &Curve, share: f64) -> f64 {
    let last = curve.progress.len() - 1;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of an index is an index")]
    let index = (share * last as f64 + 1e-9) as usize;
    curve.progress[index.min(last)] as f64 / curve.of as f64
}

fn table(curves: &Curves<'_>) -> Table {
    let head = ["entry".to_owned(), "answers".to_owned()]
        .into_iter()
        .chain((0..=TABLE_STEPS).map(|step| format!("after {} %", step * 100 / TABLE_STEPS)));
    let rows = curves.iter().map(|(entry, of)| {
        let at = |step: usize| match of.len() {
            0 => String::new(),
            _ => format!("{:.0} %", median_at(of, step as f64 / TABLE_STEPS as f64) * 100.0),
        };
        [entry.name.clone(), of.len().to_string()].into_iter().chain((0..=TABLE_STEPS).map(at)).collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(progress: Vec<u64>, stride: u64) -> Curve {
        Curve { source: "1".into(), entry: "a".into(), board: "A".into(), progress, stride, of: 10 }
    }

    #[test]
    fn a_curve_with_more_moves_than_pixels_keeps_its_ends_and_its_extremes() {
        let mut progress: Vec<u64> = vec![5; 100_001];
        (progress[0], progress[50_000], progress[70_000], progress[100_000]) = (1, 10, 0, 7);
        let curve = curve(progress, 1);
        let x = Scale::linear((0.0, 100_000.0), (0.0, 100.0));
        let y = Scale::linear((0.0, 10.0), (100.0, 0.0));
        let points = points(&curve, &x, &y);
        assert!(points.len() <= 4 * 101, "{}", points.len());
        assert_eq!((points[0], points[points.len() - 1]), ((0.0, 90.0), (100.0, 30.0)));
        assert!(points.contains(&(50.0, 0.0)) && points.contains(&(70.0, 100.0)));
    }

    #[test]
    fn shares_of_an_answer_are_taken_at_whole_moves() {
        let curve = curve(vec![0, 2, 4, 10], 1);
        assert_eq!([0.0, 0.3, 0.34, 0.67, 1.0].map(|share| reached(&curve, share)), [0.0, 0.0, 0.2, 0.4, 1.0]);
        let other = Curve { progress: vec![6], ..self::curve(vec![], 1) };
        let both = BTreeMap::from([(0, &curve), (1, &other)]);
        assert_eq!([median_at(&both, 0.0), median_at(&both, 1.0)], [0.3, 0.8]);
    }
}
