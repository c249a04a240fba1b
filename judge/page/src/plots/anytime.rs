//! Best score over time, for contests with streams of answers: the quality of each entry's best answer so far at each time,
//! over all boards. Competitions of anytime algorithms compare such curves.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers, vertical};
use super::colour::{Colour, dashes, mark};
use super::labels::spread;
use super::marks::of;
use super::plot_data::{PlotData, PlotEntry};
use super::scale::Scale;
use super::sheet::{Anchor, SMALL, WIDTH, fill, sheet, small, stroke};
use super::text::{px, tick, width};
use crate::plot::{Improvements, Plot, Table};
use judge_core::compare::{Boards, Source};
use judge_core::relative;

const ID: &str = "plot-anytime";
const TITLE: &str = "Best score over time";
const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 320.0;
/// The columns of the table with times.
const COLUMNS: usize = 8;

/// The mean of the best relative scores over time.
struct Line<'a> {
    entry: &'a PlotEntry,
    /// Times in microseconds, and the mean from there on, in ascending order.
    points: Vec<(f64, f64)>,
}

impl<'a> Line<'a> {
    /// Joins the improvements of an entry on its boards, each with its time and its score.
    fn new(entry: &'a PlotEntry, mut steps: Vec<(u64, usize, f64)>) -> Option<Self> {
        let boards = entry.judged().max(1) as f64;
        steps.sort_by_key(|step| step.0);
        let (mut best, mut sum) = (std::collections::BTreeMap::<usize, f64>::new(), 0.0);
        let mut points: Vec<(f64, f64)> = Vec::new();
        for (at_us, board, score) in steps {
            let best = best.entry(board).or_default();
            if score <= *best {
                continue;
            }
            sum += score - *best;
            *best = score;
            // A logarithmic scale needs a time above 0.
            let at = at_us.max(1) as f64;
            match points.last_mut() {
                Some(last) if last.0 >= at => last.1 = sum / boards,
                _ => points.push((at, sum / boards)),
            }
        }
        (!points.is_empty()).then_some(Self { entry, points })
    }

    /// Returns the mean at a time.
    fn at(&self, time: f64) -> f64 {
        let before = self.points.partition_point(|(at, _)| *at <= time + 1e-9);
        before.checked_sub(1).map_or(0.0, |last| self.points[last].1)
    }
}

/// Draws the figure; `None` if no contest here has streams of answers.
pub(super) fn draw(data: &PlotData, sources: &[Source], improvements: &[Improvements]) -> Option<Plot> {
    let known = Boards::new(sources);
    let steps = |entry: &PlotEntry| -> Vec<(u64, usize, f64)> {
        let own = improvements.iter().filter(|run| run.source == entry.source && run.entry == entry.entry);
        let scored = own.flat_map(|run| {
            let source = sources.iter().position(|source| source.name == run.source);
            let at = source
                .and_then(|k| Some((k, sources[k].results.boards.iter().position(|head| head.name == run.board)?)));
            let known = &known;
            run.steps.iter().filter_map(move |(at_us, cell)| {
                let (k, b) = at?;
                let score = known.score(k, b, cell)?;
                Some((*at_us, b, relative::share(score)))
            })
        });
        scored.collect()
    };
    let lines: Vec<Line<'_>> = data.entries.iter().filter_map(|entry| Line::new(entry, steps(entry))).collect();
    if lines.is_empty() {
        return None;
    }
    let lead = "The mean relative score of the best answers that an entry had printed at a given time. Further up and left is \
                better.";
    let rest = format!(
        "The mean is over the boards that the entry ran on; a board without an answer yet counts 0. The relative score of a board \
         is {}. The last accepted answer of a run is the one that counts in the standings, and it need not be its best.{}",
        data.score_rule(),
        data.rest_note()
    );
    let caption = data.caption(lead.into(), rest);
    let first = lines.iter().map(|line| line.points[0].0).fold(f64::INFINITY, f64::min);
    let last = lines.iter().filter_map(|line| line.points.last()).map(|point| point.0).fold(first, f64::max);
    let end = data.limit_us.map_or(last, |limit| last.max(limit as f64));
    let room = lines.iter().filter(|line| line.entry.series.is_some()).map(|line| width(&line.entry.label, SMALL));
    let room = room.fold(0.0, f64::max) + 36.0;
    let right = WIDTH.max(LEFT + 420.0 + room) - room;
    let x = Scale::log((first, end.max(first * 1.5)), (LEFT, right)).nice(6);
    let svg = drawing(&lines, &x, right + room, &caption.whole());
    let times: Vec<f64> = x.ticks(COLUMNS);
    Some(Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(&lines, &times) })
}

fn drawing(lines: &[Line<'_>], x: &Scale, total: f64, description: &str) -> Markup {
    let bottom = TOP + HEIGHT;
    let right = x.range().1;
    let most = lines.iter().filter_map(|line| line.points.last()).map(|point| point.1).fold(0.0, f64::max);
    let y = Scale::linear((0.0, most.max(0.1)), (bottom, TOP)).nice(5);
    let ticks: Vec<(f64, String)> = x.ticks(8).into_iter().map(|at| (at, tick(at))).collect();
    let (rest, series): (Vec<&Line<'_>>, Vec<&Line<'_>>) = lines.iter().partition(|line| line.entry.series.is_none());
    let wishes: Vec<f64> = series.iter().map(|line| y.at(line.at(f64::INFINITY))).collect();
    let heights = spread(&wishes, SMALL + 3.0, (TOP - 8.0, bottom + 8.0));
    let body = html! {
        (horizontal(x, (TOP, bottom), &ticks, "time of the run"))
        (vertical(&y, (LEFT, right), &numbers(&y, 5), (TOP - 18.0, "mean of the best relative scores")))
        @for line in &rest { (of(line.entry, &Colour::Rest.draw(&stroke(&path(line, x, &y), 1.0, None)))) }
        @for (line, height) in series.iter().zip(&heights) {
            (of(line.entry, &html! {
                (Colour::from_series(line.entry.series).draw(&stroke(&path(line, x, &y), 2.0, dashes(line.entry.series))))
                @if let Some(series) = line.entry.series {
                    (Colour::Series(series).marks(&fill(&mark(series, right + 14.0, *height, 4.0))))
                    (small((right + 23.0, *height), Anchor::Start, &line.entry.label))
                }
            }))
        }
    };
    sheet(ID, TITLE, description, (total, bottom + BELOW), &body)
}

/// Returns the path of a line, which begins at 0.
fn path(line: &Line<'_>, x: &Scale, y: &Scale) -> String {
    let mut path = format!("M{} {}", px(x.range().0), px(y.at(0.0)));
    for (at, mean) in &line.points {
        path += &format!("H{}V{}", px(x.at(*at)), px(y.at(*mean)));
    }
    path + &format!("H{}", px(x.range().1))
}

fn table(lines: &[Line<'_>], times: &[f64]) -> Table {
    let head = ["entry".to_owned()].into_iter().chain(times.iter().map(|at| format!("after {}", tick(*at))));
    let rows = lines.iter().map(|line| {
        let means = times.iter().map(|at| format!("{:.4}", line.at(*at)));
        [line.entry.name.clone()].into_iter().chain(means).collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{plot_data, source};
    use super::*;
    use judge_core::points::Points;
    use judge_core::score::RunCell;
    use judge_core::scoring::Scoring;

    fn cell(moves: u64) -> RunCell {
        let mut cell = RunCell::default();
        (cell.solved, cell.scoring) = (Some(true), Some(Scoring::of_game("").into()));
        cell.metrics.figures = [25, moves].map(|figure| Some(Points::whole(figure))).into();
        cell
    }

    #[test]
    fn a_line_is_the_mean_of_the_best_scores_so_far() {
        // The best on B0 is 10, on B1 20.
        let rows: &[(&str, &[&str])] = &[("a", &["10", "20"]), ("b", &["20", "40"])];
        let (data, sources) = (plot_data(rows), [source(rows)]);
        let run = |entry: &str, board: &str, steps: &[(u64, u64)]| Improvements {
            source: "run".into(),
            entry: entry.into(),
            board: board.into(),
            steps: steps.iter().map(|&(at, moves)| (at, cell(moves))).collect(),
        };
        let streams = [
            run("a", "B0", &[(1_000, 40), (10_000, 20), (100_000, 10)]),
            run("a", "B1", &[(10_000, 20)]),
            run("b", "B0", &[(5_000, 20)]),
        ];
        let figure = draw(&data, &sources, &streams).unwrap();
        let lines = [
            Line::new(&data.entries[0], vec![(1_000, 0, 0.25), (10_000, 0, 0.5), (100_000, 0, 1.0), (10_000, 1, 1.0)])
                .unwrap(),
            Line::new(&data.entries[1], vec![(5_000, 0, 0.5)]).unwrap(),
        ];
        assert_eq!([500.0, 1_000.0, 50_000.0, 1e6].map(|at| lines[0].at(at)), [0.0, 0.125, 0.75, 1.0]);
        assert_eq!([4_999.0, 5_000.0].map(|at| lines[1].at(at)), [0.0, 0.25]);
        // The table of the figure has the same values.
        let column = |head: &str| figure.table.head.iter().position(|other| other == head).unwrap();
        assert_eq!(figure.table.rows[0][column("after 1 ms")], "0.1250", "{:?}", figure.table.head);
        assert_eq!(figure.table.rows[0][column("after 10 ms")], "0.7500");
        assert_eq!(figure.table.rows[1][column("after 10 ms")], "0.2500");
        assert!(draw(&data, &sources, &[]).is_none(), "no stream, no figure");
    }
}
