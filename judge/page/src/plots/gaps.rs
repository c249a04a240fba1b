//! Differences to the best known answers: a heat map with a row per entry and a column per board, the easy boards first.

use maud::{Markup, html};

use super::colour::{Colour, SHADES, hatched, pattern};
use super::legend::{Sign, legend};
use super::marks::{games, of};
use super::plot_data::{Board, PlotData, PlotEntry, RunResult};
use super::scale::Bands;
use super::sheet::{Anchor, LINE, SMALL, TEXT, fill, nothing, sheet, small, text};
use super::text::{in_table, px, shown, width};
use crate::plot::{Plot, Table};

const ID: &str = "plot-gaps";
const TITLE: &str = "Differences to the best known";
/// The most boards for which cells have room for numbers.
const MAX_WRITTEN: usize = 24;
/// The target width of all columns together without numbers, and the bounds of a single one.
const MAP: f64 = 1000.0;
const NARROWEST: f64 = 4.0;
const WIDEST: f64 = 18.0;

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Gap {
    /// The moves above the reference.
    More(u64),
    /// The moves below the best known answer.
    Fewer(u64),
    /// Not solved: the sign of the result.
    Unsolved(String),
    Missing,
}

impl Gap {
    fn new(board: &Board, result: &RunResult) -> Self {
        match (result, reference(board)) {
            (RunResult::Solved { moves, .. }, Some(reference)) if *moves < reference => Self::Fewer(reference - moves),
            (RunResult::Solved { moves, .. }, Some(reference)) => Self::More(moves - reference),
            (RunResult::Unsolved { sign, .. }, _) => Self::Unsolved(sign.clone()),
            (RunResult::Missing | RunResult::Solved { .. }, _) => Self::Missing,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::More(0) => "0".into(),
            Self::More(more) => format!("+{more}"),
            Self::Fewer(fewer) => format!("−{fewer}"),
            Self::Unsolved(sign) => sign.clone(),
            Self::Missing => String::new(),
        }
    }
}

/// Returns the reference for a board: the best known answer, or otherwise the best one here.
fn reference(board: &Board) -> Option<u64> {
    board.known.or(board.best)
}

pub(super) fn draw(data: &PlotData) -> Plot {
    let known = data.boards.iter().filter(|board| board.known.is_some()).count();
    let against = match known {
        0 => "the best entry here (no best known answers are given)".to_owned(),
        known if known == data.boards.len() => "the best known answer".into(),
        _ => "the best known answer, or if none is known, the best entry here (in brackets)".into(),
    };
    let lead =
        format!("Additional {} of each entry on each board, easy boards first. Hatched: not solved.", data.moves);
    let rest = format!(
        "The difference is to {against}. The boards are in the order of the mean relative score of all entries, the highest \
         first. A map of few boards has the numbers, and the codes from the standings. Missing runs are empty."
    );
    let caption = data.caption(lead, rest);
    let order = by_difficulty(data);
    let of_entry = |entry: &PlotEntry| order.iter().map(|&b| Gap::new(&data.boards[b], &entry.results[b])).collect();
    let gaps: Vec<Vec<Gap>> = data.entries.iter().map(of_entry).collect();
    let svg = if gaps.iter().flatten().all(|gap| *gap == Gap::Missing) {
        nothing(ID, TITLE, "there are no runs")
    } else {
        drawing(data, &order, &gaps, &caption.whole())
    };
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &order, &gaps) }
}

/// Returns the columns of the boards in the order of difficulty: the highest mean relative score first, and boards without
/// a run last. Equally difficult boards keep their order.
fn by_difficulty(data: &PlotData) -> Vec<usize> {
    let mean = |board: usize| {
        let scores: Vec<f64> = data.entries.iter().filter_map(|entry| entry.scores[board]).collect();
        if scores.is_empty() { -1.0 } else { scores.iter().sum::<f64>() / scores.len() as f64 }
    };
    let means: Vec<f64> = (0..data.boards.len()).map(mean).collect();
    let mut order: Vec<usize> = (0..means.len()).collect();
    order.sort_by(|&a, &b| means[b].total_cmp(&means[a]));
    order
}

fn drawing(data: &PlotData, order: &[usize], gaps: &[Vec<Gap>], description: &str) -> Markup {
    let bounds = bounds(gaps);
    let written = data.boards.len() <= MAX_WRITTEN;
    let names: Vec<String> = data.entries.iter().map(|entry| entry.label.clone()).collect();
    let boards: Vec<String> = order.iter().map(|&board| shown(&data.boards[board].name)).collect();
    let left = names.iter().map(|name| width(name, TEXT)).fold(width(reference_name(data), TEXT), f64::max) + 16.0;
    let step = if written { 52.0 } else { (MAP / data.boards.len() as f64).clamp(NARROWEST, WIDEST) };
    let row = if written { 26.0 } else { 16.0 };
    let longest = boards.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
    let slanted = longest > step - 4.0;
    let room = if slanted { longest * SLANT.1 + 8.0 } else { LINE };
    let map = step * data.boards.len() as f64;
    let total = (left + map + if slanted { longest * SLANT.0 } else { 0.0 } + 16.0).max(680.0);
    let (key, above) = legend(&signs(data, &bounds, gaps), (left, 4.0), total - left);
    let top = above + 8.0 + room + if written { LINE } else { 4.0 };
    let (columns, rows) = (Bands::new(left, step), Bands::new(top, row));
    // Where columns are narrower than a line of text, only every second, third … board is named.
    let mut free = f64::NEG_INFINITY;
    let heads = boards.iter().enumerate().filter(|(column, _)| {
        let at = columns.middle(*column);
        let shows = at >= free;
        if shows {
            free = at + if slanted { 13.0 } else { step };
        }
        shows
    });
    let heads: Vec<(usize, &String)> = heads.collect();
    let body = html! {
        (pattern(ID))
        (key)
        @for (column, name) in heads { (head(name, (columns.middle(column), above + 4.0 + room), slanted)) }
        @if written {
            (Colour::Faint.write(&html! {
                (text((left - 8.0, top - 10.0), Anchor::End, reference_name(data)))
                @for (column, &board) in order.iter().enumerate() {
                    (small((columns.middle(column), top - 10.0), Anchor::Middle, &reference_text(&data.boards[board])))
                }
            }))
        }
        @for ((index, name), entry) in names.iter().enumerate().zip(&data.entries) {
            (of(entry, &text((left - 8.0, rows.middle(index)), Anchor::End, name)))
        }
        (patches(gaps, &bounds, (&columns, &rows), written))
        @for (index, entry) in data.entries.iter().enumerate() {
            @let runs = gaps[index].iter().enumerate().filter(|(_, gap)| **gap != Gap::Missing);
            (games(entry, runs.map(|(column, _)| (order[column], (columns.middle(column), rows.middle(index))))))
        }
        @if written { (numbers(gaps, &bounds, &columns, &rows)) }
    };
    sheet(ID, TITLE, description, (total, rows.begin(gaps.len()) + 12.0), &body)
}

/// Cosine and sine of the slant of a column head that is wider than its column, 55 degrees.
const SLANT: (f64, f64) = (0.574, 0.819);

/// Writes a column head, slanted if it is wider than its column.
pub(super) fn head(name: &str, (x, y): (f64, f64), slanted: bool) -> Markup {
    if !slanted {
        return small((x, y - 6.0), Anchor::Middle, name);
    }
    html! {
        text transform={ "translate(" (px(x + 3.0)) " " (px(y - 3.0)) ") rotate(-55)" } font-size=(SMALL) { (name) }
    }
}

/// Returns the name of the row of references.
fn reference_name(data: &PlotData) -> &'static str {
    if data.boards.iter().any(|board| board.known.is_some()) { "best known" } else { "best here" }
}

fn reference_text(board: &Board) -> String {
    match (board.known, board.best) {
        (Some(known), _) => known.to_string(),
        (None, Some(best)) => format!("({best})"),
        (None, None) => "–".into(),
    }
}

/// Draws the cells: one path per colour and one for unsolved boards, with one rectangle for touching neighbours in a
/// row.
fn patches(gaps: &[Vec<Gap>], bounds: &[u64], (columns, rows): (&Bands, &Bands), apart: bool) -> Markup {
    let fills = (0..SHADES).map(Colour::Shade).chain([FEWER]).map(Fill::Full).chain([Fill::Hatched]);
    let margin: f64 = if apart { 1.5 } else { 0.0 };
    let high = px(rows.step - margin.max(1.0));
    let path = |fill: Fill| {
        let mut path = String::new();
        for (index, row) in gaps.iter().enumerate() {
            let y = px(rows.begin(index));
            let mut column = 0;
            for run in row.chunk_by(|a, b| !apart && fill_of(a, bounds) == fill_of(b, bounds)) {
                if fill_of(&run[0], bounds) == Some(fill) {
                    let wide = px(columns.step * run.len() as f64 - margin);
                    path += &format!("M{} {y}h{wide}v{high}h-{wide}z", px(columns.begin(column)));
                }
                column += run.len();
            }
        }
        path
    };
    let drawn: Vec<(Fill, String)> =
        fills.map(|fill| (fill, path(fill))).filter(|(_, path)| !path.is_empty()).collect();
    html! {
        @for (kind, path) in &drawn {
            @match kind { Fill::Full(colour) => (colour.draw(&fill(path))), Fill::Hatched => (hatched(ID, path)) }
        }
    }
}

/// The way to fill a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fill {
    Full(Colour),
    Hatched,
}

/// The colour of an answer better than the best known.
const FEWER: Colour = Colour::Loss(2);

fn fill_of(gap: &Gap, bounds: &[u64]) -> Option<Fill> {
    match gap {
        Gap::More(more) => Some(Fill::Full(Colour::Shade(bounds.partition_point(|bound| bound < more)))),
        Gap::Fewer(_) => Some(Fill::Full(FEWER)),
        Gap::Unsolved(_) => Some(Fill::Hatched),
        Gap::Missing => None,
    }
}

/// Writes the differences on the cells, in an ink that is readable on their shades.
fn numbers(gaps: &[Vec<Gap>], bounds: &[u64], columns: &Bands, rows: &Bands) -> Markup {
    html! {
        @for (index, row) in gaps.iter().enumerate() {
            @for (column, gap) in row.iter().enumerate().filter(|(_, gap)| **gap != Gap::Missing) {
                @let number = small((columns.middle(column), rows.middle(index)), Anchor::Middle, &gap.text());
                @match fill_of(gap, bounds) {
                    Some(Fill::Full(Colour::Shade(step))) => (Colour::OnShade(step).write(&number)),
                    _ => (number),
                }
            }
        }
    }
}

/// Returns the upper bounds of the shades. The first is 0, then follow 1, 2 and 5 times powers of ten up to the largest
/// difference. If there are too many, only the largest of them are used.
fn bounds(gaps: &[Vec<Gap>]) -> Vec<u64> {
    let more = |gap: &Gap| if let Gap::More(more) = gap { Some(*more) } else { None };
    let largest = gaps.iter().flatten().filter_map(more).max().unwrap_or_default();
    let powers = (0..19).map(|power| 10u64.pow(power));
    let nice: Vec<u64> = powers.flat_map(|power| [1, 2, 5].map(|share: u64| power.saturating_mul(share))).collect();
    let needed = if largest == 0 { 0 } else { nice.partition_point(|bound| *bound < largest) + 1 };
    let nice = &nice[..needed.min(nice.len())];
    let few = &nice[nice.len().saturating_sub(SHADES - 1)..];
    [0].into_iter().chain(few.iter().copied()).collect()
}

fn signs(data: &PlotData, bounds: &[u64], gaps: &[Vec<Gap>]) -> Vec<(Sign, String)> {
    let head = [(Sign::Heading, format!("more {}:", data.moves))];
    let ranges = bounds.iter().enumerate().map(|(shade, bound)| {
        let low = if shade == 0 { 0 } else { bounds[shade - 1] + 1 };
        let range = if low == *bound { format!("{bound}") } else { format!("{low}–{bound}") };
        (Sign::Patch(Colour::Shade(shade)), range)
    });
    let there = |kind: fn(&Gap) -> bool| gaps.iter().flatten().any(kind);
    let fewer =
        there(|gap| matches!(gap, Gap::Fewer(_))).then(|| (Sign::Patch(FEWER), "fewer than the best known".to_owned()));
    let short = there(|gap| matches!(gap, Gap::Unsolved(_))).then(|| (Sign::Hatched(ID), "not solved".to_owned()));
    head.into_iter().chain(ranges).chain(fewer).chain(short).collect()
}

fn table(data: &PlotData, order: &[usize], gaps: &[Vec<Gap>]) -> Table {
    let boards = || order.iter().map(|&board| &data.boards[board]);
    let head = ["entry".to_owned()].into_iter().chain(boards().map(|board| in_table(&board.name)));
    let best = [reference_name(data).to_owned()].into_iter().chain(boards().map(reference_text)).collect();
    let rows = data
        .entries
        .iter()
        .zip(gaps)
        .map(|(entry, row)| [entry.name.clone()].into_iter().chain(row.iter().map(Gap::text)).collect());
    Table { head: head.collect(), rows: [best].into_iter().chain(rows).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn shades_cover_every_difference_with_nice_bounds() {
        let bounds_to = |largest: u64| bounds(&[vec![Gap::More(largest), Gap::More(0), Gap::Missing]]);
        assert_eq!(bounds_to(0), [0]);
        assert_eq!(bounds_to(1), [0, 1]);
        assert_eq!(bounds_to(3), [0, 1, 2, 5]);
        assert_eq!(bounds_to(50), [0, 1, 2, 5, 10, 20, 50]);
        assert_eq!(bounds_to(120), [0, 5, 10, 20, 50, 100, 200]);
        let bounds = bounds_to(u64::MAX);
        assert!(bounds.len() == SHADES, "{bounds:?}");
    }

    #[test]
    fn easy_boards_come_first_with_failures_hatched() {
        // B0: 10 and a failure; B1: both the same; B2: 10 and 20; B3: no run.
        let data = plot_data(&[("a", &["10", "7", "10", "-"]), ("b", &["TIM", "7", "20", "-"])]);
        assert_eq!(by_difficulty(&data), [1, 2, 0, 3]);
        let figure = draw(&data);
        assert_eq!(figure.table.head, ["entry", "B1", "B2", "B0", "B3"]);
        assert_eq!(figure.table.rows[2], ["b", "0", "+10", "TIM", ""]);
        let svg = &figure.svg.0;
        // The only failure: its code, on a hatched cell; the pattern of the legend is the same.
        assert_eq!(svg.matches("<pattern").count(), 1, "{svg}");
        assert_eq!(svg.matches("fill=\"url(#plot-gaps-hatch)\"").count(), 2, "{svg}");
        assert!(svg.contains(">TIM<"), "{svg}");
        // Games lead to their own boards: the second column is B2.
        let b = svg.split("data-of=\"0-1\" data-games=\"").nth(1).unwrap().split('"').next().unwrap();
        let boards: Vec<&str> = b.split(' ').map(|game| game.rsplit(',').next().unwrap()).collect();
        assert_eq!(boards[..2], ["1", boards[1]], "{b}");
    }

    #[test]
    fn a_difference_needs_a_solution_and_a_reference() {
        let board = |known, best| Board { name: "A".into(), known, best };
        let solved = |moves| RunResult::Solved { moves, time_us: None };
        let short = RunResult::Unsolved { sign: "TIM".into(), time_us: None, penalized_us: None };
        assert_eq!(Gap::new(&board(Some(80), Some(90)), &solved(90)), Gap::More(10));
        assert_eq!(Gap::new(&board(Some(80), Some(78)), &solved(78)).text(), "−2");
        assert_eq!(Gap::new(&board(None, Some(90)), &solved(90)).text(), "0");
        assert_eq!(Gap::new(&board(Some(80), None), &short).text(), "TIM");
        assert_eq!(Gap::new(&board(Some(80), None), &RunResult::Missing).text(), "");
    }
}
