//! Rising step lines of several entries: a step per solved board, the name of the entry at the end.

use maud::{Markup, html};

use super::colour::{Colour, dashes, mark};
use super::labels::spread;
use super::marks::{games, of};
use super::plot_data::PlotEntry;
use super::scale::Scale;
use super::sheet::{Anchor, SMALL, fill, small, stroke};
use super::text::{px, width};

/// The space between marks along a line, which distinguish it without colour.
const BETWEEN: f64 = 40.0;

/// A line that rises by one step per board, and its entry.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) entry: &'a PlotEntry,
    /// The values at which it rises by one step, in ascending order. Equal values are one higher step.
    pub(super) values: Vec<f64>,
    /// The column of the board behind each value.
    pub(super) boards: Vec<usize>,
    /// The height of a step.
    pub(super) step: f64,
    /// The text at its end.
    pub(super) name: String,
}

impl Line<'_> {
    /// Returns its height at a value.
    pub(super) fn height(&self, value: f64) -> f64 {
        self.step * self.values.partition_point(|step| *step <= value + 1e-9) as f64
    }

    fn end(&self) -> f64 {
        self.step * self.values.len() as f64
    }

    /// Returns the values above `low` at which it rises, each once.
    fn rise_values(&self, low: f64) -> impl Iterator<Item = f64> {
        self.values.chunk_by(|a, b| a == b).map(|same| same[0]).filter(move |value| *value > low)
    }
}

/// Returns the room that the names of these lines need at the right of the axes.
pub(super) fn room(lines: &[Line<'_>]) -> f64 {
    named(lines).map(|line| width(&line.name, SMALL)).fold(0.0, f64::max) + 36.0
}

/// Draws lines from `low`, the lowest value of the axis.
pub(super) fn draw(lines: &[Line<'_>], low: f64, x: &Scale, y: &Scale) -> Markup {
    let (right, (bottom, top)) = (x.range().1, y.range());
    let (rest, series): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line.entry.series.is_none());
    let named: Vec<&Line<'_>> = named(lines).collect();
    let wishes: Vec<f64> = named.iter().map(|line| y.at(line.end())).collect();
    let heights = spread(&wishes, SMALL + 3.0, (top - 8.0, bottom + 8.0));
    html! {
        // Lines without a colour are drawn first, below the others. Dashed lines are drawn over solid ones, so that
        // both are visible where they coincide.
        @for line in &rest { (of(line.entry, &Colour::Rest.draw(&stroke(&path(line, low, x, y), 1.0, None)))) }
        @for line in &series {
            @let ink = Colour::from_series(line.entry.series);
            (of(line.entry, &ink.draw(&stroke(&path(line, low, x, y), 2.0, dashes(line.entry.series)))))
        }
        @for (line, height) in named.iter().zip(&heights) {
            (of(line.entry, &end(line, right, *height)))
        }
        @for line in series.iter().rev() {
            @if let Some(series) = line.entry.series {
                (of(line.entry, &Colour::Series(series).marks(&fill(&marks(line, series, low, x, y)))))
            }
        }
        @for line in lines {
            @let places = line.values.iter().map(|value| (x.at(*value), y.at(line.height(*value))));
            (games(line.entry, line.boards.iter().copied().zip(places)))
        }
    }
}

/// Returns the lines with a name: those with their own colour.
fn named<'l, 'a>(lines: &'l [Line<'a>]) -> impl Iterator<Item = &'l Line<'a>> {
    let mut named: Vec<&Line<'a>> = lines.iter().filter(|line| line.entry.series.is_some()).collect();
    // Names of lines that end at one height are in the order of their colours.
    named.sort_by_key(|line| line.entry.series);
    named.into_iter()
}

/// Draws the name of a line, at the height of its end or as close to it as other names allow. Its mark identifies the
/// line: if many lines end at one height, leader lines would form a bundle.
fn end(line: &Line<'_>, x: f64, height: f64) -> Markup {
    html! {
        @if let Some(series) = line.entry.series {
            (Colour::Series(series).marks(&fill(&mark(series, x + 14.0, height, 4.0))))
            (small((x + 23.0, height), Anchor::Start, &line.name))
        }
    }
}

/// Returns the path of a line. Its steps are relative to each other, which takes a third fewer characters.
fn path(line: &Line<'_>, low: f64, x: &Scale, y: &Scale) -> String {
    // In whole tenths of a pixel, so that rounding errors do not add up.
    let tenths = |place: f64| (place * 10.0).round();
    let (left, right) = x.range();
    let mut at = (tenths(left), tenths(y.at(line.height(low))));
    let mut path = format!("M{} {}", px(at.0 / 10.0), px(at.1 / 10.0));
    for value in line.rise_values(low) {
        let next = (tenths(x.at(value)), tenths(y.at(line.height(value))));
        path += &format!("h{}v{}", px((next.0 - at.0) / 10.0), px((next.1 - at.1) / 10.0));
        at = next;
    }
    path + &format!("H{}", px(right))
}

/// Returns marks along a line where it rises, some pixels apart.
fn marks(line: &Line<'_>, series: usize, low: f64, x: &Scale, y: &Scale) -> String {
    let mut path = String::new();
    let mut free = f64::NEG_INFINITY;
    let begin = (line.height(low) > 0.0).then_some(low);
    for value in begin.into_iter().chain(line.rise_values(low)) {
        let place = x.at(value);
        if place >= free {
            path += &mark(series, place, y.at(line.height(value)), 3.5);
            free = place + BETWEEN;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn a_path_ends_at_the_height_of_all_steps() {
        let data = plot_data(&[("a", &["1"; 30])]);
        let values: Vec<f64> = (1..=30).map(|value| f64::from(value) * 3.33).collect();
        let line = Line { entry: &data.entries[0], values, boards: Vec::new(), step: 1.0, name: String::new() };
        let (x, y) = (Scale::linear((0.0, 100.0), (50.0, 700.0)), Scale::linear((0.0, 30.0), (333.3, 11.1)));
        let path = path(&line, 0.0, &x, &y);
        assert!(path.starts_with("M50 333.3h") && path.ends_with("H700"), "{path}");
        let climbed: f64 =
            path.split('v').skip(1).map(|step| step.split(['h', 'H']).next().unwrap().parse::<f64>().unwrap()).sum();
        assert!((333.3 + climbed - 11.1).abs() < 1e-6, "{path}");
        assert_eq!(line.height(3.0), 0.0);
        assert_eq!(line.height(3.34), 1.0);
    }
}
