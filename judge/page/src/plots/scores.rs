//! Scores with the groups of entries that no test separates, and places with their range over resampled boards.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers};
use super::colour::{Colour, mark};
use super::marks::of;
use super::plot_data::PlotData;
use super::scale::{Bands, Scale};
use super::sheet::{Anchor, SMALL, TEXT, WIDTH, fill, nothing, sheet, small, stroke, text};
use super::text::{duration, px, shown, width};
use crate::figure::{Figure, Table};
use judge_core::compare::statistics::FEWEST;
use judge_core::compare::{Comparison, EntryScore, Places, Scores, Stability};

const ID: &str = "plot-scores";
const TITLE: &str = "Relative scores, and places on resampled boards";
const ROW: f64 = 20.0;
const ABOVE: f64 = 52.0;
/// The width of a group's bar with the space after it.
const BAR: f64 = 12.0;

/// A source with the places of its entries.
struct Panel<'a> {
    scores: &'a Scores,
    stability: Option<&'a Stability>,
}

impl<'a> Panel<'a> {
    fn places(&self, entry: &EntryScore) -> Option<&'a Places> {
        self.stability?.entries.iter().find(|places| places.entry == entry.entry)
    }

    /// Returns the text on an entry's place, such as `12 (3 to 12)`.
    fn place(&self, entry: &EntryScore) -> String {
        let Some(places) = self.places(entry) else { return "–".into() };
        match &places.resampled {
            Some(range) => format!("{} ({} to {})", places.place, range.best, range.worst),
            None => places.place.to_string(),
        }
    }

    /// Returns the groups of two entries or more, by the first and the last of them.
    fn groups(&self) -> impl Iterator<Item = (usize, usize)> {
        let at = |name: &String| self.scores.entries.iter().position(|entry| entry.entry == *name);
        let ends = move |group: &Vec<String>| Some((at(group.first()?)?, at(group.last()?)?));
        self.scores.groups.iter().filter_map(ends).filter(|(first, last)| first < last)
    }
}

pub(super) fn draw(data: &PlotData) -> Figure {
    let comparison = data.comparison.as_ref();
    let panels: Vec<Panel<'_>> = comparison.map(panels).unwrap_or_default();
    let lead = "A mark is the mean relative score of an entry. Bars join entries of which no two differ significantly; at the right \
                is the place, with its range."
        .to_owned();
    let rest = format!(
        "The score of a board is {rule}. The bars are from sign-flip tests of the relative score, two-sided, corrected by Holm's method for all pairs of the same results. Such entries need not be \
         equal. The tests are about boards of which these are a random sample. At the far right is the place by the \
         rules of the contest, with its range in 95 % of the rankings of resampled boards, for results of {FEWEST} \
         boards or more; the range is no confidence interval.",
        rule = data.score_rule(),
    );
    let caption = data.caption(lead, rest);
    let svg = match &data.comparison {
        Err(problem) => nothing(ID, TITLE, problem),
        Ok(_) if panels.is_empty() => nothing(ID, TITLE, "no entry has a run on every board"),
        Ok(_) => drawing(data, &panels, &caption.whole()),
    };
    Figure { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &panels) }
}

fn panels(comparison: &Comparison) -> Vec<Panel<'_>> {
    let stability = |scores: &Scores| comparison.stability.iter().find(|stability| stability.source == scores.source);
    comparison.scores.iter().map(|scores| Panel { scores, stability: stability(scores) }).collect()
}

fn drawing(data: &PlotData, panels: &[Panel<'_>], description: &str) -> Markup {
    let all = || panels.iter().flat_map(|panel| panel.scores.entries.iter().map(move |entry| (panel, entry)));
    let widest =
        |texts: &mut dyn Iterator<Item = String>, size| texts.map(|text| width(&text, size)).fold(0.0, f64::max);
    let left = widest(&mut all().map(|(_, entry)| shown(&entry.entry)), TEXT) + 16.0;
    let bars = panels.iter().map(|panel| panel.groups().count()).max().unwrap_or_default() as f64 * BAR;
    let bars = bars.max(width("groups", SMALL)) + 20.0;
    let places = widest(&mut all().map(|(panel, entry)| panel.place(entry)), SMALL).max(width("place", SMALL)) + 8.0;
    let total = WIDTH.max(left + 300.0 + bars + places);
    let right = total - bars - places;
    let least = all().map(|(_, entry)| mean(entry)).fold(1.0, f64::min);
    let x = Scale::linear((least, 1.0), (left, right)).nice(6);
    let mut top = 0.0;
    let mut drawn = Vec::new();
    for panel in panels {
        let rows = Bands::new(top + ABOVE, ROW);
        drawn.push(of_source(data, panel, &x, &rows, (panels.len() > 1, right + 12.0, total)));
        top = rows.begin(panel.scores.entries.len()) + BELOW;
    }
    sheet(ID, TITLE, description, (total, top), &html! { @for panel in &drawn { (panel) } })
}

/// Draws the entries of a source. `bars` is the left end of the groups' bars, `total` the right end of the drawing.
fn of_source(
    data: &PlotData,
    panel: &Panel<'_>,
    x: &Scale,
    rows: &Bands,
    (titled, bars, total): (bool, f64, f64),
) -> Markup {
    let entries = &panel.scores.entries;
    let (top, bottom) = (rows.begin(0), rows.begin(entries.len()));
    let found = |entry: &EntryScore| {
        data.entries.iter().find(|other| other.source == panel.scores.source && other.entry == entry.entry)
    };
    html! {
        @if titled { (text((0.0, top - 34.0), Anchor::Start, &shown(&panel.scores.source))) }
        (Colour::Faint.write(&small((total - 4.0, top - 12.0), Anchor::End, "place")))
        (Colour::Faint.write(&small((bars - 4.0, top - 12.0), Anchor::Start, "groups")))
        (horizontal(x, (top, bottom), &numbers(x, 6), "mean relative score"))
        @for (row, entry) in entries.iter().enumerate() {
            @let y = rows.middle(row);
            @let drawn = html! {
                (text((x.range().0 - 8.0, y), Anchor::End, &shown(&entry.entry)))
                @match found(entry).and_then(|entry| entry.series) {
                    Some(series) => (Colour::Series(series).marks(&fill(&mark(series, x.at(mean(entry)), y, 5.0)))),
                    None => (Colour::Rest.marks(&fill(&mark(0, x.at(mean(entry)), y, 3.5)))),
                }
                (small((total - 4.0, y), Anchor::End, &panel.place(entry)))
            };
            @match found(entry) { Some(entry) => (of(entry, &drawn)), None => (drawn) }
        }
        @for (bar, (first, last)) in panel.groups().enumerate() {
            @let (from, to) = (rows.begin(first) + 3.0, rows.begin(last + 1) - 3.0);
            (stroke(&format!("M{} {}V{}", px(bars + bar as f64 * BAR), px(from), px(to)), 3.0, None))
        }
    }
}

/// Computes the mean relative score per board.
fn mean(entry: &EntryScore) -> f64 {
    entry.score / entry.boards.max(1) as f64
}

/// The indices of the columns that contests have in which boards can be solved.
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
                format!("{:.3}", entry.score),
                format!("{:.4}", mean(entry)),
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
        assert!(svg.contains(">1 (1 to 2)<") && svg.contains(">3 (3 to 3)<"), "{svg}");
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
    }
}
