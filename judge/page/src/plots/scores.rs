//! Scores with the groups of entries that no test separates, and places with their ranges over resampled boards.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers};
use super::colour::{Colour, mark};
use super::marks::of;
use super::places;
use super::plot_data::PlotData;
use super::scale::{Bands, Scale};
use super::sheet::{Anchor, SMALL, TEXT, WIDTH, fill, nothing, sheet, small, stroke, text};
use super::text::{duration, px, shown, width};
use crate::plot::{Plot, Table};
use judge_core::compare::statistics::MIN_VALUES;
use judge_core::compare::{Comparison, EntryScore, Places, Scores, Stability};

const ID: &str = "plot-scores";
const TITLE: &str = "Relative scores, and places on resampled boards";
const ROW: f64 = 20.0;
/// The height above the entries of a source, and the height of its title.
const ABOVE: f64 = 30.0;
const TITLED: f64 = 22.0;
/// The width of a group's bar with the space after it.
const BAR: f64 = 12.0;
/// The least width of the column of scores, and the width of the column of places.
const SCORES: f64 = 260.0;
const PLACES: f64 = 150.0;

/// A source with the places of its entries.
struct Panel<'a> {
    scores: &'a Scores,
    stability: Option<&'a Stability>,
}

impl<'a> Panel<'a> {
    fn places(&self, entry: &EntryScore) -> Option<&'a Places> {
        self.stability?.entries.iter().find(|places| places.entry == entry.entry)
    }

    /// Returns the number of boards of its ranges of places; `None` without a range.
    fn resampled_boards(&self) -> Option<usize> {
        self.stability?.entries.iter().find(|places| places.resampled.is_some())?;
        self.scores.entries.iter().map(|entry| entry.boards).min()
    }

    /// Returns the groups of two entries or more, by the first and the last of them.
    fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        let at = |name: &String| self.scores.entries.iter().position(|entry| entry.entry == *name);
        let ends = move |group: &Vec<String>| Some((at(group.first()?)?, at(group.last()?)?));
        self.scores.groups.iter().filter_map(ends).filter(|(first, last)| first < last)
    }
}

pub(super) fn draw(data: &PlotData) -> Plot {
    let comparison = data.comparison.as_ref();
    let panels: Vec<Panel<'_>> = comparison.map(panels).unwrap_or_default();
    let lead = "A mark is the mean relative score of an entry. Bars join entries that no test separates. Right: \
                places with their ranges."
        .to_owned();
    let coverage = panels.iter().filter_map(Panel::resampled_boards).min().and_then(places::coverage);
    let rest = format!(
        "The score of a board is {rule}. The bars are from sign tests of the boards and sign-flip tests of the ranking, two-sided, corrected by Holm's method for all pairs of the same results. Such entries need not be \
         equal. The tests are about boards of which these are a random sample. At the right is the place by the rules of the \
         contest. The line through it is its range in 95 % of the rankings of resampled boards, for results of {MIN_VALUES} boards \
         or more.{coverage}",
        rule = data.score_rule(),
        coverage = coverage.map_or_else(String::new, |sentence| format!(" {sentence}")),
    );
    let caption = data.caption(lead, rest);
    let svg = match &data.comparison {
        Err(problem) => nothing(ID, TITLE, problem),
        Ok(_) if panels.is_empty() => nothing(ID, TITLE, "no entry has a run on every board"),
        Ok(_) => drawing(data, &panels, &caption.whole()),
    };
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &panels) }
}

fn panels(comparison: &Comparison) -> Vec<Panel<'_>> {
    let stability = |scores: &Scores| comparison.stability.iter().find(|stability| stability.source == scores.source);
    comparison.scores.iter().map(|scores| Panel { scores, stability: stability(scores) }).collect()
}

/// The columns of the drawing, from left to right: names, scores, bars of groups, places.
struct Columns {
    scores: Scale,
    /// The left end of the bars.
    bars: f64,
    places: Scale,
    /// The right end of the numbers of places.
    end: f64,
}

impl Columns {
    /// Returns the columns, and the width of the drawing.
    fn new(panels: &[Panel<'_>]) -> (Self, f64) {
        let all = || panels.iter().flat_map(|panel| &panel.scores.entries);
        let left = all().map(|entry| width(&shown(&entry.entry), TEXT)).fold(0.0, f64::max) + 16.0;
        let groups = panels.iter().map(|panel| panel.groups().count()).max().unwrap_or_default() as f64 * BAR;
        let bars = groups.max(width("groups", SMALL)) + 28.0;
        let last = panels.iter().map(|panel| panel.scores.entries.len()).max().unwrap_or_default();
        let number = width(&last.to_string(), SMALL) + 14.0;
        let total = WIDTH.max(left + SCORES + bars + PLACES + number);
        let end = total - 4.0;
        let (from, to) = (end - number - PLACES, end - number);
        let least = all().filter_map(mean).fold(1.0, f64::min);
        let scores = Scale::linear((least, 1.0), (left, from - bars)).nice(6);
        (Self { scores, bars: from - bars + 12.0, places: places::scale(last, (from, to)), end }, total)
    }
}

fn drawing(data: &PlotData, panels: &[Panel<'_>], description: &str) -> Markup {
    let (columns, total) = Columns::new(panels);
    let mut top = 0.0;
    let mut drawn = Vec::new();
    for panel in panels {
        let titled = panels.len() > 1;
        let rows = Bands::new(top + ABOVE + if titled { TITLED } else { 0.0 }, ROW);
        drawn.push(of_source(data, panel, &columns, &rows, titled));
        top = rows.begin(panel.scores.entries.len()) + BELOW;
    }
    sheet(ID, TITLE, description, (total, top), &html! { @for panel in &drawn { (panel) } })
}

/// Draws the entries of a source.
fn of_source(data: &PlotData, panel: &Panel<'_>, columns: &Columns, rows: &Bands, titled: bool) -> Markup {
    let Columns { scores, bars, places: scale, end } = columns;
    let entries = &panel.scores.entries;
    let (top, bottom) = (rows.begin(0), rows.begin(entries.len()));
    let found = |entry: &EntryScore| {
        data.entries.iter().find(|other| other.source == panel.scores.source && other.entry == entry.entry)
    };
    html! {
        @if titled { (text((0.0, top - 34.0), Anchor::Start, &shown(&panel.scores.source))) }
        (Colour::Faint.write(&small((bars - 4.0, top - 12.0), Anchor::Start, "groups")))
        (horizontal(scores, (top, bottom), &numbers(scores, 6), "mean relative score"))
        (places::axis(scale, (top, bottom)))
        @for (row, entry) in entries.iter().enumerate() {
            @let y = rows.middle(row);
            @let series = found(entry).and_then(|entry| entry.series);
            @let (shape, size) = series.map_or((0, 3.5), |series| (series, 5.0));
            @let drawn = html! {
                (text((scores.range().0 - 8.0, y), Anchor::End, &shown(&entry.entry)))
                @if let Some(mean) = mean(entry) {
                    (Colour::from_series(series).marks(&fill(&mark(shape, scores.at(mean), y, size))))
                }
                (places::draw(panel.places(entry), series, scale, (y, *end)))
            };
            @match found(entry) { Some(entry) => (of(entry, &drawn)), None => (drawn) }
        }
        @for (bar, (first, last)) in panel.groups().enumerate() {
            @let (from, to) = (rows.begin(first) + 3.0, rows.begin(last + 1) - 3.0);
            (stroke(&format!("M{} {}V{}", px(bars + bar as f64 * BAR), px(from), px(to)), 3.0, None))
        }
    }
}

/// Computes the mean relative score per board; `None` if it is unknown.
fn mean(entry: &EntryScore) -> Option<f64> {
    entry.score.map(|score| score / entry.boards.max(1) as f64)
}

/// The indices of the columns for contests whose boards can be solved.
const OF_SOLVING: [usize; 2] = [1, 4];

fn table(data: &PlotData, panels: &[Panel<'_>]) -> Table {
    let head = [
        "entry",
        "solved",
        "relative score",
        "mean relative score",
        "PAR2",
        "groups",
        "place",
        "resampled",
        "above the next",
    ];
    let rows = panels.iter().flat_map(|panel| {
        let scores = panel.scores;
        scores.entries.iter().map(move |entry| {
            let name =
                |other: &&super::plot_data::PlotEntry| other.source == scores.source && other.entry == entry.entry;
            let groups = scores.groups.iter().zip(1..).filter(|(group, _)| group.contains(&entry.entry));
            let places = panel.places(entry);
            let range = places.and_then(|places| places.resampled.as_ref());
            let share = range.and_then(|range| range.above_next);
            vec![
                data.entries.iter().find(name).map_or_else(String::new, |entry| entry.name.clone()),
                entry.solved.map_or_else(String::new, |solved| format!("{solved} of {}", entry.boards)),
                entry.score.map_or_else(String::new, |score| format!("{score:.3}")),
                mean(entry).map_or_else(String::new, |mean| format!("{mean:.4}")),
                entry.par2_us.map_or_else(String::new, |par2| duration(par2 as f64)),
                groups.map(|(_, number)| number.to_string()).collect::<Vec<_>>().join(", "),
                places.map_or_else(String::new, |places| places.place.to_string()),
                range.map_or_else(String::new, |range| format!("{} to {}", range.best, range.worst)),
                share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0)),
            ]
        })
    });
    let (mut head, mut rows): (Vec<String>, Vec<Vec<String>>) = (head.map(str::to_owned).into(), rows.collect());
    if !data.solves() {
        for row in rows.iter_mut().chain([&mut head]) {
            OF_SOLVING.into_iter().rev().for_each(|column| drop(row.remove(column)));
        }
    }
    Table { head, rows }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    /// Returns the ends of the range that a part of a drawing ends with.
    fn range(part: &str) -> Option<(f64, f64)> {
        let path = part.rsplit_once("d=\"M")?.1.split('"').next()?;
        let from = path.split(' ').next()?.parse().ok()?;
        let to = path.split_once('H')?.1.split('M').next()?.parse().ok()?;
        Some((from, to))
    }

    #[test]
    fn bars_join_entries_that_no_test_separates() {
        // Eight boards: a and b win on four each, and c is twice as long everywhere.
        let data = plot_data(&[
            ("a", &["10", "10", "10", "10", "11", "11", "11", "11"]),
            ("b", &["11", "11", "11", "11", "10", "10", "10", "10"]),
            ("c", &["20"; 8]),
        ]);
        let figure = draw(&data);
        let svg = &figure.svg.0;
        assert_eq!(svg.matches("stroke-width=\"3\"").count(), 1, "{svg}");
        // Three ranges: a and b are first or second, c is the third always.
        let ranges: Vec<(f64, f64)> = svg.split("stroke-width=\"1.5\"").filter_map(range).collect();
        let at = |place: usize| places::scale(3, (ranges[0].0, ranges[2].1)).at(place as f64);
        assert_eq!(ranges.len(), 3, "{svg}");
        for ((from, to), (best, worst)) in ranges.iter().zip([(1, 2), (1, 2), (3, 3)]) {
            assert!((from - at(best)).abs() < 0.1 && (to - at(worst)).abs() < 0.1, "{ranges:?}");
        }
        let sentence = "In simulated contests of 6 boards, ";
        assert!(figure.caption.rest.contains(sentence), "{}", figure.caption.rest);
        let groups: Vec<&str> = figure.table.rows.iter().map(|row| row[5].as_str()).collect();
        assert_eq!(groups, ["1", "1", "2"]);
        assert_eq!(figure.table.rows[2][..4], ["c", "8 of 8", "4.000", "0.5000"]);
    }

    #[test]
    fn five_boards_have_no_range_of_places() {
        let data = plot_data(&[("a", &["10"; 5]), ("b", &["20", "20", "20", "20", "TIM"])]);
        let figure = draw(&data);
        assert_eq!(figure.table.rows[1][..4], ["b", "4 of 5", "2.000", "0.4000"]);
        assert_eq!(figure.table.rows[0][6..], ["1", "", ""]);
        assert!(!figure.svg.0.contains("stroke-width=\"1.5\"") && !figure.caption.rest.contains("simulated"));
    }
}
