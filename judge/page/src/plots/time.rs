//! Time against quality on logarithmic axes: the mean time of an entry, and its distance from the best.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, multiple_of_best, multiples, vertical};
use super::ink::{Ink, circle, dots, mark};
use super::labels::{Area, place};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::Scale;
use super::sheet::{Anchor, SMALL, WIDTH, fill, nothing, sheet, small, stroke, text};
use super::text::{duration, px, width};
use crate::figure::{Figure, Table};

const ID: &str = "plot-time";
const TITLE: &str = "Time against quality";
/// The most single runs with a dot each.
const MOST_DOTS: usize = 600;
const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 340.0;
/// The height of the strip above the axes for runs and entries without a solution.
const STRIP: f64 = 36.0;

/// A summary of an entry over all its boards.
#[derive(Debug, PartialEq)]
struct Summary {
    /// Mean time of a run in microseconds, solved or not; `None` if times are not known.
    time_us: Option<f64>,
    /// Geometric mean of its moves divided by the fewest of any entry, over its solved boards; `None` if it solved
    /// none.
    ratio: Option<f64>,
    solved: usize,
    judged: usize,
}

impl Summary {
    fn of(data: &PlotData, entry: &PlotEntry) -> Self {
        let times: Vec<Option<u64>> =
            entry.results.iter().filter(|result| **result != RunResult::Missing).map(time_us).collect();
        let known: Option<Vec<u64>> = times.iter().copied().collect();
        let judged = entry.judged();
        // A table may have an entry's total time without single ones.
        let total = match known {
            Some(known) => Some(known.iter().map(|time| *time as f64).sum()),
            None => entry.total_time_us.filter(|_| judged == entry.results.len()).map(|time| time as f64),
        };
        let ratios: Vec<f64> = ratios(data, entry).filter_map(|(ratio, _)| ratio).collect();
        let mean_log = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        Self {
            time_us: total.filter(|_| judged > 0).map(|total: f64| total / judged as f64),
            ratio: (!ratios.is_empty()).then(|| mean_log.exp()),
            solved: entry.solved(),
            judged,
        }
    }
}

fn time_us(result: &RunResult) -> Option<u64> {
    match result {
        RunResult::Solved { time_us, .. } | RunResult::Unsolved { time_us, .. } => *time_us,
        RunResult::Missing => None,
    }
}

/// Returns quality and time of each run that counts. Quality is moves divided by the fewest of any entry.
fn ratios<'a>(data: &'a PlotData, entry: &'a PlotEntry) -> impl Iterator<Item = (Option<f64>, Option<u64>)> + 'a {
    let judged = data.boards.iter().zip(&entry.results).filter(|(_, result)| **result != RunResult::Missing);
    judged.map(|(board, result)| {
        let moves = result.moves().zip(board.best).filter(|(_, best)| *best > 0);
        (moves.map(|(moves, best)| moves as f64 / best as f64), time_us(result))
    })
}

pub(super) fn draw(data: &PlotData) -> Figure {
    let summaries: Vec<Summary> = data.entries.iter().map(|entry| Summary::of(data, entry)).collect();
    let runs: Vec<(usize, Option<f64>, f64)> = data
        .entries
        .iter()
        .enumerate()
        .flat_map(|(index, entry)| {
            let timed = ratios(data, entry).filter_map(|(ratio, time)| Some((ratio, time.filter(|time| *time > 0)?)));
            timed.map(move |(ratio, time)| (index, ratio, time as f64))
        })
        .collect();
    let dots = runs.len() <= MOST_DOTS;
    let description = data.describe(format!(
        "A mark is an entry: horizontally its mean time per run, vertically the geometric mean of its {moves} divided by \
         those of the best entry, over the boards that it solved; further down and left is better. Numbers after a name \
         are its solved boards and all its boards; the quality covers the solved ones only. Entries without a solution \
         are in the strip at the top. {}{}",
        if dots {
            "A dot is a single run; in the strip, one that did not solve its board."
        } else {
            "Single runs are not drawn."
        },
        data.rest_note(),
        moves = data.labels.moves,
    ));
    let times: Vec<f64> = summaries.iter().filter_map(|summary| summary.time_us).filter(|time| *time > 0.0).collect();
    let svg = if times.is_empty() {
        nothing(ID, TITLE, "no times are known")
    } else {
        let runs = if dots { runs } else { Vec::new() };
        drawing(data, &summaries, &runs, (TITLE, &description))
    };
    Figure { id: ID.into(), title: TITLE.into(), description, svg, table: table(data, &summaries) }
}

fn drawing(
    data: &PlotData,
    summaries: &[Summary],
    runs: &[(usize, Option<f64>, f64)],
    (title, description): (&str, &str),
) -> Markup {
    let right = WIDTH - 24.0;
    let (top, bottom) = (TOP + STRIP, TOP + STRIP + HEIGHT);
    let times = summaries.iter().filter_map(|summary| summary.time_us).chain(runs.iter().map(|run| run.2));
    let times: Vec<f64> = times.filter(|time| *time > 0.0).collect();
    let ratios = summaries.iter().filter_map(|summary| summary.ratio).chain(runs.iter().filter_map(|run| run.1));
    let range = |values: &[f64]| values.iter().copied().fold((f64::INFINITY, 0.0), |(a, b), c| (c.min(a), c.max(b)));
    let x = Scale::log(range(&times), (LEFT, right)).nice(6);
    let y = Scale::log((1.0, ratios.fold(1.1, f64::max)), (bottom, top)).nice(5);
    let height = |ratio: Option<f64>| ratio.map_or(TOP + STRIP / 2.0, |ratio| y.at(ratio));
    let ticks: Vec<(f64, String)> = x.ticks(8).into_iter().map(|tick| (tick, duration(tick))).collect();
    let marks: Vec<(&PlotEntry, &Summary, (f64, f64))> = data
        .entries
        .iter()
        .zip(summaries)
        .filter_map(|(entry, summary)| {
            let time = summary.time_us.filter(|time| *time > 0.0)?;
            Some((entry, summary, (x.at(time), height(summary.ratio))))
        })
        .collect();
    let named: Vec<&(&PlotEntry, &Summary, (f64, f64))> =
        marks.iter().filter(|(entry, ..)| entry.series.is_some() || marks.len() <= 24).collect();
    let names: Vec<String> = named.iter().map(|(entry, summary, _)| name(entry, summary)).collect();
    let sizes: Vec<(f64, f64)> = names.iter().map(|name| (width(name, SMALL), SMALL + 2.0)).collect();
    let places: Vec<(f64, f64)> = named.iter().map(|mark| mark.2).collect();
    let edges = Area { left: LEFT, top: TOP, right: WIDTH, bottom };
    let labels = place(&places, &sizes, edges, 6.0);
    let body = html! {
        (horizontal(&x, (TOP, bottom), &ticks, "mean time per run, and time of single runs"))
        (vertical(&y, (LEFT, right), &multiples(&y, 5), (TOP - 18.0, &multiple_of_best(data))))
        (Ink::Faint.write(&small((LEFT + 6.0, TOP + 9.0), Anchor::Start, "not solved")))
        @if let Some(limit) = data.limit_us.map(|limit| limit as f64).filter(|limit| x.contains(*limit)) {
            @let at = x.at(limit);
            (Ink::Faint.write(&html! {
                (stroke(&format!("M{} {}V{}", px(at), px(TOP), px(bottom)), 1.0, Some("4 3")))
                (small((at - 4.0, TOP + 9.0), Anchor::End, &format!("limit {}", duration(limit))))
            }))
        }
        @for (index, entry) in data.entries.iter().enumerate() {
            @let own = runs.iter().filter(|run| run.0 == index).map(|(_, ratio, time)| (x.at(*time), height(*ratio)));
            (Ink::of(entry.series).draw(&html! { g opacity="0.55" { (dots(own, 1.8)) } }))
        }
        @for (entry, _, (x, y)) in marks.iter().rev() {
            @match entry.series {
                Some(series) => (Ink::Series(series).marks(&fill(&mark(series, *x, *y, 5.5)))),
                None => (Ink::Rest.marks(&fill(&circle(*x, *y, 3.5)))),
            }
        }
        @for ((label, name), (x, y)) in labels.iter().zip(&names).zip(&places) {
            @if let Some(area) = label {
                (lead((*x, *y), area))
                (small((area.left, area.middle().1), Anchor::Start, name))
            }
        }
        @if labels.iter().any(Option::is_none) {
            (text((right, 16.0), Anchor::End, "some names do not fit; the table has all of them"))
        }
    };
    sheet(ID, title, description, (WIDTH, bottom + BELOW), &body)
}

/// Draws a thin line from a mark to a distant name.
fn lead((x, y): (f64, f64), label: &Area) -> Markup {
    let near = (x.clamp(label.left, label.right), y.clamp(label.top, label.bottom));
    let away = (near.0 - x).hypot(near.1 - y);
    html! {
        @if away > 12.0 {
            (Ink::Faint.draw(&stroke(&format!("M{} {}L{} {}", px(x), px(y), px(near.0), px(near.1)), 0.8, None)))
        }
    }
}

fn name(entry: &PlotEntry, summary: &Summary) -> String {
    match (summary.solved, summary.judged) {
        (solved, judged) if solved == judged => entry.label.clone(),
        (solved, judged) => format!("{} ({solved} of {judged})", entry.label.clone()),
    }
}

fn table(data: &PlotData, summaries: &[Summary]) -> Table {
    let head =
        ["entry", "mean time per run", "multiple of the best, geometric mean", "solved", "boards"].map(str::to_owned);
    let rows = data.entries.iter().zip(summaries).map(|(entry, summary)| {
        vec![
            entry.name.clone(),
            summary.time_us.map_or_else(String::new, duration),
            summary.ratio.map_or_else(String::new, |ratio| format!("{ratio:.3}×")),
            summary.solved.to_string(),
            summary.judged.to_string(),
        ]
    });
    Table { head: head.into(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn summaries_match_a_computation_by_hand() {
        let mut data = plot_data(&[("a", &["10", "80", "-"]), ("b", &["20", "20", "TIM"]), ("c", &["TIM", "-", "-"])]);
        let set = |result: &mut RunResult, time: Option<u64>| match result {
            RunResult::Solved { time_us, .. } | RunResult::Unsolved { time_us, .. } => *time_us = time,
            RunResult::Missing => {}
        };
        let place = |name: &str| data.entries.iter().position(|entry| entry.name == name).unwrap();
        let (a, b, c) = (place("a"), place("b"), place("c"));
        for (result, time) in data.entries[a].results.iter_mut().zip([100, 300, 0]) {
            set(result, Some(time));
        }
        // Its single times are not known, but their sum is.
        data.entries[b].total_time_us = Some(900);
        data.entries[c].total_time_us = Some(900);
        let summary = |index: usize| Summary::of(&data, &data.entries[index]);
        // 10/10 and 80/20: the geometric mean of 1 and 4.
        let a = summary(a);
        assert!((a.ratio.unwrap() - 2.0).abs() < 1e-12);
        assert_eq!((a.time_us, a.solved, a.judged), (Some(200.0), 2, 2));
        let b = summary(b);
        assert!((b.ratio.unwrap() - 2f64.sqrt()).abs() < 1e-12);
        assert_eq!((b.time_us, b.solved, b.judged), (Some(300.0), 2, 3));
        // Two of its runs are missing, so its total time covers other runs than its one result.
        assert_eq!(summary(c), Summary { time_us: None, ratio: None, solved: 0, judged: 1 });
    }
}
