//! Head to head: the number of boards on which each entry beats each other one, with the sign test of
//! [`judge_core::compare`].

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::gaps::head;
use super::ink::{Ink, SIDES, dots};
use super::legend::{Sign, legend};
use super::plot_data::PlotData;
use super::scale::Bands;
use super::sheet::{Anchor, LINE, SMALL, TEXT, fill, nothing, sheet, small, text};
use super::text::{count, in_table, px, width};
use crate::figure::{Figure, Table};
use judge_core::compare::{DEFAULT_SEED, Interval, Pair, Source, head_to_head};
use judge_core::compare::{SIGNIFICANT, probability};

const ID: &str = "plot-head-to-head";
const TITLE: &str = "Head to head";
/// The most boards of all pairs together with bootstrap intervals, which then take a third of a second.
const MOST_RESAMPLED: usize = 4_000;
/// The largest width of all columns together for which cells have whole tallies.
const MAP: f64 = 1000.0;
/// The width in a cell besides its text, such as for the dot.
const MARGIN: f64 = 11.0;

pub(super) fn draw(data: &PlotData, sources: &[Source]) -> Figure {
    let entries = data.entries.len();
    let lines = entries * entries.saturating_sub(1) / 2 * data.boards.len();
    let pairs = head_to_head(sources, (lines <= MOST_RESAMPLED).then_some(DEFAULT_SEED));
    let (pairs, problem) = match pairs {
        Ok(pairs) => (pairs, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let below = pairs.iter().filter(|pair| significant(pair)).count();
    let tested = pairs.iter().filter(|pair| pair.sign_test_p.is_some()).count();
    let across = match sources.len() {
        0 | 1 => "",
        _ => " Entries without common results are compared across results.",
    };
    let description = data.describe(format!(
        "A cell is {}. Solved beats unsolved; between two solutions fewer {} win, otherwise more \
         {}. A dot is a sign test (two-sided, ties left out) with p below {SIGNIFICANT}: {below} of {tested} pairs, of \
         which at most about {:.0} would be expected by chance.{across}",
        match tally_width(data) {
            Some(_) => "the number of boards on which the row's entry was better and worse than the column's",
            None => "the percentage of boards on which the row's entry was better than the column's, ties as halves",
        },
        data.labels.moves,
        data.labels.progress,
        tested as f64 * SIGNIFICANT,
    ));
    let svg = match problem {
        Some(problem) => nothing(ID, TITLE, &problem),
        None if pairs.is_empty() => nothing(ID, TITLE, "there are no two entries"),
        None => drawing(data, &pairs, &description),
    };
    Figure { id: ID.into(), title: TITLE.into(), description, svg, table: table(sources.len() > 1, &pairs) }
}

/// Returns the width of cells with whole tallies; `None` if there are so many entries that cells have percentages.
fn tally_width(data: &PlotData) -> Option<f64> {
    let boards = data.boards.len();
    let width = width(&format!("{boards}–{}", boards / 2), SMALL) + MARGIN;
    (width * data.entries.len() as f64 <= MAP).then_some(width)
}

fn significant(pair: &Pair) -> bool {
    pair.sign_test_p.is_some_and(|p| p < SIGNIFICANT)
}

fn drawing(data: &PlotData, pairs: &[Pair], description: &str) -> Markup {
    let names: Vec<String> = data.entries.iter().map(|entry| entry.label.clone()).collect();
    let longest = |size| names.iter().map(|name| width(name, size)).fold(0.0, f64::max);
    let tallies = tally_width(data);
    let left = longest(TEXT) + 16.0;
    let step = tallies.unwrap_or_else(|| width("100", SMALL) + MARGIN);
    let row = 20.0;
    let places: BTreeMap<(&str, &str), usize> = data
        .entries
        .iter()
        .enumerate()
        .map(|(place, entry)| ((entry.source.as_str(), entry.entry.as_str()), place))
        .collect();
    let slanted = longest(SMALL) > step - 4.0;
    let room = if slanted { longest(SMALL) * 0.82 + 10.0 } else { LINE };
    let total = (left + step * names.len() as f64 + longest(SMALL) * 0.58 + 8.0).max(560.0);
    let (key, above) = legend(&signs(), (left, 4.0), total - left);
    let top = above + 10.0 + room;
    let (columns, rows) = (Bands::new(left, step), Bands::new(top, row));
    let place = |run: &str, entry: &str| places.get(&(run, entry)).copied();
    let cells = pairs.iter().filter_map(|pair| {
        let first = place(&pair.first.source, &pair.first.entry)?;
        let second = place(&pair.second.source, &pair.second.entry)?;
        let (wins, losses) = (pair.first_better, pair.second_better);
        Some([Cell::of(pair, (first, second), (wins, losses)), Cell::of(pair, (second, first), (losses, wins))])
    });
    let cells: Vec<Cell> = cells.flatten().collect();
    let mut patches: Vec<(Ink, String)> = Vec::new();
    for cell in &cells {
        let Some(ink) = cell.ink() else { continue };
        let (x, y) = (px(columns.begin(cell.column)), px(rows.begin(cell.row)));
        let (wide, high) = (px(step - 1.5), px(row - 1.5));
        let patch = format!("M{x} {y}h{wide}v{high}h-{wide}z");
        match patches.iter_mut().find(|(other, _)| *other == ink) {
            Some((_, path)) => path.push_str(&patch),
            None => patches.push((ink, patch)),
        }
    }
    let marked = cells
        .iter()
        .filter(|cell| significant(cell.pair))
        .map(|cell| (columns.begin(cell.column) + step - 4.5, rows.begin(cell.row) + 4.5));
    let body = html! {
        (key)
        @for (index, name) in names.iter().enumerate() {
            (head(name, (columns.middle(index), top - 4.0), slanted))
            (text((left - 8.0, rows.middle(index)), Anchor::End, name))
        }
        @for (ink, path) in &patches { (ink.draw(&fill(path))) }
        @for cell in &cells {
            @let middle = (columns.middle(cell.column) - 1.0, rows.middle(cell.row));
            (small(middle, Anchor::Middle, &cell.text(tallies.is_some())))
        }
        (dots(marked, 1.8))
    };
    sheet(ID, TITLE, description, (total, rows.begin(names.len()) + 12.0), &body)
}

/// A pair from the view of its row.
struct Cell<'a> {
    pair: &'a Pair,
    row: usize,
    column: usize,
    wins: usize,
    losses: usize,
}

impl<'a> Cell<'a> {
    fn of(pair: &'a Pair, (row, column): (usize, usize), (wins, losses): (usize, usize)) -> Self {
        Self { pair, row, column, wins, losses }
    }

    /// Returns the colour for the share of boards that the row won more than it lost; `None` for equal numbers.
    fn ink(&self) -> Option<Ink> {
        let compared = self.pair.compared();
        let step = |more: usize| (more * SIDES).div_ceil(compared).saturating_sub(1);
        match self.wins.cmp(&self.losses) {
            std::cmp::Ordering::Greater => Some(Ink::Win(step(self.wins - self.losses))),
            std::cmp::Ordering::Less => Some(Ink::Loss(step(self.losses - self.wins))),
            std::cmp::Ordering::Equal => None,
        }
    }

    fn text(&self, tally: bool) -> String {
        match (self.pair.compared(), self.wins, self.losses) {
            // No board to compare.
            (0, ..) => String::new(),
            (_, wins, losses) if tally => format!("{wins}–{losses}"),
            (compared, wins, _) => {
                let share = (wins as f64 + self.pair.ties as f64 / 2.0) / compared as f64;
                format!("{:.0}", share * 100.0)
            }
        }
    }
}

fn signs() -> Vec<(Sign, String)> {
    vec![
        (Sign::Patch(Ink::Win(SIDES - 1)), "row better".into()),
        (Sign::Patch(Ink::Loss(SIDES - 1)), "column better".into()),
        (Sign::Text("•"), format!("p below {SIGNIFICANT}")),
    ]
}

fn table(with_sources: bool, pairs: &[Pair]) -> Table {
    let head = [
        "first",
        "second",
        "first better",
        "ties",
        "second better",
        "left out",
        "mean difference",
        "95 % interval",
        "sign test p",
    ];
    let rows = pairs.iter().map(|pair| {
        let name =
            |run: &str, entry: &str| in_table(&if with_sources { format!("{run}:{entry}") } else { entry.to_owned() });
        let interval = |Interval { low, high }| format!("{low:.1} to {high:.1}");
        vec![
            name(&pair.first.source, &pair.first.entry),
            name(&pair.second.source, &pair.second.entry),
            pair.first_better.to_string(),
            pair.ties.to_string(),
            pair.second_better.to_string(),
            (pair.missing + pair.unknown).to_string(),
            pair.mean_difference.map_or_else(String::new, |mean| {
                format!("{mean:.1} on {}", count(pair.both_solved, "board", "boards"))
            }),
            pair.interval.map_or_else(String::new, interval),
            pair.sign_test_p.map_or_else(String::new, probability),
        ]
    });
    Table { head: head.map(str::to_owned).into(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{plot_data, source};
    use super::*;

    #[test]
    fn cells_are_the_pairs_of_a_comparison_from_both_sides() {
        let rows: &[(&str, &[&str])] =
            &[("a", &["9"; 6]), ("b", &["10", "10", "10", "10", "10", "9"]), ("c", &["-"; 6])];
        let figure = draw(&plot_data(rows), &[source(rows)]);
        let svg = figure.svg.into_string();
        assert!(svg.contains(">5–0<") && svg.contains(">0–5<"), "{svg}");
        assert_eq!(
            figure.table.rows,
            [
                ["a", "b", "5", "1", "0", "0", "0.8 on 6 boards", "0.5 to 1.0", "0.062"],
                ["a", "c", "0", "0", "0", "6", "", "", ""],
                ["b", "c", "0", "0", "0", "6", "", "", ""]
            ]
        );
        // Five of five are not significant, six of six are.
        assert!(figure.description.contains("0 of 1 pairs"), "{}", figure.description);
        let rows: &[(&str, &[&str])] = &[("a", &["9"; 6]), ("b", &["10"; 6])];
        assert!(draw(&plot_data(rows), &[source(rows)]).description.contains("1 of 1 pairs"));
    }

    #[test]
    fn colours_depend_on_the_share_of_boards_won_more() {
        let rows: &[(&str, &[&str])] = &[("a", &["9", "9", "9", "9"]), ("b", &["8", "10", "10", "9"])];
        let pairs = head_to_head(&[source(rows)], None).unwrap();
        assert_eq!((pairs[0].interval, pairs[0].compared()), (None, 4));
        let cell = |wins, losses| Cell::of(&pairs[0], (0, 1), (wins, losses));
        let inks = [(2, 1), (2, 2), (3, 1), (4, 0), (0, 1), (0, 4)].map(|(wins, losses)| cell(wins, losses).ink());
        let expected = [Ink::Win(0), Ink::Win(0), Ink::Win(1), Ink::Win(2), Ink::Loss(0), Ink::Loss(2)];
        assert_eq!(inks[0], Some(expected[0]));
        assert_eq!(inks[1], None);
        assert_eq!(inks[2..], expected[2..].iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!([true, false].map(|tally| cell(2, 1).text(tally)), ["2–1", "62"]);
    }
}
