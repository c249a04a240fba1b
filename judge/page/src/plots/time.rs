//! Time against relative score: the mean time of an entry and its mean relative score, both with failures.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal, numbers, vertical};
use super::colour::{Colour, circle, dots, mark};
use super::labels::{Area, place};
use super::marks::{games, of};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::Scale;
use super::sheet::{Anchor, LINE, SMALL, WIDTH, fill, nothing, sheet, small, stroke, text};
use super::text::{duration, px, tick, width};
use crate::plot::{Plot, Table};

const ID: &str = "plot-time";
const TITLE: &str = "Time against relative score";
/// The most single runs with a dot each.
const MAX_DOTS: usize = 600;
const LEFT: f64 = 56.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 340.0;

/// A summary of an entry over all boards on which it ran.
#[derive(Debug, PartialEq)]
struct Summary {
    /// PAR2: mean time in microseconds, in which an unsolved board counts as twice the limit; `None` if a time or a
    /// limit is unknown.
    par2_us: Option<f64>,
    /// Mean score, from 0 to 1; `None` without a run.
    score: Option<f64>,
    solved: usize,
    judged: usize,
}

impl Summary {
    fn from_entry(entry: &PlotEntry) -> Self {
        let judged = entry.judged();
        let times = entry.results.iter().filter(|result| **result != RunResult::Missing).map(penalized_us);
        let known: Option<Vec<u64>> = times.collect();
        // A table may have an entry's total time without single ones.
        let whole = judged == entry.results.len() && entry.solved() == judged;
        let total = match known {
            Some(known) => Some(known.iter().map(|time| *time as f64).sum()),
            None => entry.total_time_us.filter(|_| whole).map(|time| time as f64),
        };
        let scores: Vec<f64> = scores(entry).map(|(score, ..)| score).collect();
        Self {
            par2_us: total.filter(|_| judged > 0).map(|total: f64| total / judged as f64),
            score: (judged > 0).then(|| scores.iter().sum::<f64>() / judged as f64),
            solved: entry.solved(),
            judged,
        }
    }
}

fn penalized_us(result: &RunResult) -> Option<u64> {
    match result {
        RunResult::Solved { time_us, .. } => *time_us,
        RunResult::Unsolved { penalized_us, .. } => *penalized_us,
        RunResult::Missing => None,
    }
}

fn time_us(result: &RunResult) -> Option<u64> {
    match result {
        RunResult::Solved { time_us, .. } | RunResult::Unsolved { time_us, .. } => *time_us,
        RunResult::Missing => None,
    }
}

/// Returns score, time and column of each run that counts.
fn scores(entry: &PlotEntry) -> impl Iterator<Item = (f64, Option<u64>, usize)> + '_ {
    let runs = entry.scores.iter().zip(&entry.results).enumerate();
    runs.filter_map(|(column, (score, result))| Some(((*score)?, time_us(result), column)))
}

/// The dot of a single run.
struct Dot {
    /// The index of its entry, and the column of its board.
    entry: usize,
    column: usize,
    score: f64,
    /// Wall-clock time of the run in microseconds.
    time: f64,
}

pub(super) fn draw(data: &PlotData) -> Plot {
    let summaries: Vec<Summary> = data.entries.iter().map(Summary::from_entry).collect();
    let runs: Vec<Dot> = data
        .entries
        .iter()
        .enumerate()
        .flat_map(|(index, entry)| {
            let timed =
                scores(entry).filter_map(|(score, time, column)| Some((score, time.filter(|time| *time > 0)?, column)));
            timed.map(move |(score, time, column)| Dot { entry: index, column, score, time: time as f64 })
        })
        .collect();
    let dots = runs.len() <= MAX_DOTS;
    let unknown = summaries.iter().filter(|summary| summary.score.is_some() && summary.par2_us.is_none()).count();
    let unknown = match unknown {
        0 => String::new(),
        1 => " One entry is left out, because a time or a limit of it is unknown.".into(),
        unknown => format!(" {unknown} entries are left out, because a time or a limit of them is unknown."),
    };
    let lead =
        "A mark is an entry, with its mean time (PAR2) and its mean relative score. Further up and left is better.";
    let rest = format!(
        "The time of a board that an entry did not solve is twice the limit (PAR2). The relative score of a board is {rule}. \
         Numbers after a name are its solved boards and all its boards. {}{unknown}{}",
        if dots {
            "A dot is a single run at its own time; at the bottom, one that did not solve its board."
        } else {
            "Single runs are not drawn."
        },
        data.rest_note(),
        rule = data.score_rule(),
    );
    let caption = data.caption(lead.into(), rest);
    let times: Vec<f64> = summaries.iter().filter_map(|summary| summary.par2_us).filter(|time| *time > 0.0).collect();
    let svg = if times.is_empty() {
        nothing(ID, TITLE, "no times are known")
    } else {
        let runs = if dots { runs } else { Vec::new() };
        drawing(data, &summaries, &runs, (TITLE, &caption.whole()))
    };
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &summaries) }
}

fn drawing(data: &PlotData, summaries: &[Summary], runs: &[Dot], (title, description): (&str, &str)) -> Markup {
    let right = WIDTH - 24.0;
    let bottom = TOP + HEIGHT;
    let times = summaries.iter().filter_map(|summary| summary.par2_us).chain(runs.iter().map(|run| run.time));
    let times: Vec<f64> = times.filter(|time| *time > 0.0).collect();
    let scores = summaries.iter().filter_map(|summary| summary.score).chain(runs.iter().map(|run| run.score));
    let range = |values: &[f64]| values.iter().copied().fold((f64::INFINITY, 0.0), |(a, b), c| (c.min(a), c.max(b)));
    let x = Scale::log(range(&times), (LEFT, right)).nice(6);
    let y = Scale::linear((scores.fold(0.9, f64::min), 1.0), (bottom, TOP)).nice(5);
    let ticks: Vec<(f64, String)> = x.ticks(8).into_iter().map(|at| (at, tick(at))).collect();
    let marks: Vec<(&PlotEntry, &Summary, (f64, f64))> = data
        .entries
        .iter()
        .zip(summaries)
        .filter_map(|(entry, summary)| {
            let time = summary.par2_us.filter(|time| *time > 0.0)?;
            Some((entry, summary, (x.at(time), y.at(summary.score?))))
        })
        .collect();
    let named: Vec<&(&PlotEntry, &Summary, (f64, f64))> =
        marks.iter().filter(|(entry, ..)| entry.series.is_some()).collect();
    let names: Vec<String> = named.iter().map(|(entry, summary, _)| name(entry, summary)).collect();
    let sizes: Vec<(f64, f64)> = names.iter().map(|name| (width(name, SMALL), SMALL + 2.0)).collect();
    let places: Vec<(f64, f64)> = named.iter().map(|mark| mark.2).collect();
    let edges = Area { left: LEFT, top: TOP, right: WIDTH, bottom };
    // A name covers no mark of any entry, not the line of the limit, and not the limit's label.
    let limit = data.limit_us.map(|limit| limit as f64).filter(|limit| x.contains(*limit));
    let limit = limit.map(|limit| (x.at(limit), format!("limit {}", duration(limit))));
    let mut taken: Vec<Area> = marks.iter().map(|mark| Area::around(mark.2, (6.0, 6.0))).collect();
    // The limit's label is next to its line, at its top if no mark is there.
    let limit_label = limit.as_ref().map(|(at, text)| {
        let half = (width(text, SMALL) / 2.0, SMALL / 2.0 + 1.0);
        let sides = [-1.0, 1.0].map(|side| at + side * (half.0 + 4.0));
        let heights = (0..).map(|line| TOP + 9.0 + LINE * f64::from(line)).take_while(|height| *height < bottom - 9.0);
        let mut all = heights.flat_map(|height| sides.map(|middle| Area::around((middle, height), half)));
        let free = |area: &Area| area.right <= WIDTH && !taken.iter().any(|other| area.overlaps(other));
        let top = Area::around((sides[0], TOP + 9.0), half);
        all.find(free).unwrap_or(top)
    });
    taken.extend(limit_label);
    taken.extend(limit.iter().map(|(at, _)| Area { left: at - 2.0, top: TOP, right: at + 2.0, bottom }));
    let labels = place(&places, &sizes, edges, taken);
    let body = html! {
        (horizontal(&x, (TOP, bottom), &ticks, "PAR2 of an entry, time of a single run"))
        (vertical(&y, (LEFT, right), &numbers(&y, 5), (TOP - 18.0, "mean relative score")))
        @if let Some((at, limit)) = &limit {
            (Colour::Faint.write(&html! {
                (stroke(&format!("M{} {}V{}", px(*at), px(TOP), px(bottom)), 1.0, Some("4 3")))
                @if let Some(area) = &limit_label { (small(area.middle(), Anchor::Middle, limit)) }
            }))
        }
        @for (index, entry) in data.entries.iter().enumerate() {
            @let place = |run: &Dot| (x.at(run.time), y.at(run.score));
            @let own = || runs.iter().filter(|run| run.entry == index);
            @let drawn = html! { g opacity="0.55" { (dots(own().map(place), 1.8)) } };
            (of(entry, &Colour::from_series(entry.series).draw(&drawn)))
            (games(entry, own().map(|run| (run.column, place(run)))))
        }
        @for (entry, _, (x, y)) in marks.iter().rev() {
            (of(entry, &match entry.series {
                Some(series) => Colour::Series(series).marks(&fill(&mark(series, *x, *y, 5.5))),
                None => Colour::Rest.marks(&fill(&circle(*x, *y, 3.5))),
            }))
        }
        @for ((label, name), (entry, _, at)) in labels.iter().zip(&names).zip(&named) {
            @if let Some(area) = label {
                (of(entry, &html! { (lead(*at, area)) (small((area.left, area.middle().1), Anchor::Start, name)) }))
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
            (Colour::Faint.draw(&stroke(&format!("M{} {}L{} {}", px(x), px(y), px(near.0), px(near.1)), 0.8, None)))
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
    let head = ["entry", "PAR2", "mean relative score", "solved", "boards"].map(str::to_owned);
    let rows = data.entries.iter().zip(summaries).map(|(entry, summary)| {
        vec![
            entry.name.clone(),
            summary.par2_us.map_or_else(String::new, duration),
            summary.score.map_or_else(String::new, |score| format!("{score:.4}")),
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
        let place = |name: &str| data.entries.iter().position(|entry| entry.name == name).unwrap();
        let (a, b, c) = (place("a"), place("b"), place("c"));
        let set = |result: &mut RunResult, time: u64| match result {
            RunResult::Solved { time_us, .. } => *time_us = Some(time),
            RunResult::Unsolved { time_us, penalized_us, .. } => (*time_us, *penalized_us) = (Some(time), Some(2_000)),
            RunResult::Missing => {}
        };
        for (entry, times) in [(a, [100, 300, 0]), (b, [100, 300, 5])] {
            for (result, time) in data.entries[entry].results.iter_mut().zip(times) {
                set(result, time);
            }
        }
        data.entries[c].total_time_us = Some(900);
        let summary = |index: usize| Summary::from_entry(&data.entries[index]);
        // 10/10 and 20/80 over the two boards that it ran on.
        assert_eq!(summary(a), Summary { par2_us: Some(200.0), score: Some(0.625), solved: 2, judged: 2 });
        // 10/20, 20/20 and a failure, which is short but counts twice the limit.
        assert_eq!(summary(b), Summary { par2_us: Some(800.0), score: Some(0.5), solved: 2, judged: 3 });
        // Its total time covers runs that are not here, and it has no limit.
        assert_eq!(summary(c), Summary { par2_us: None, score: Some(0.0), solved: 0, judged: 1 });
    }

    #[test]
    fn nothing_is_a_share_of_a_best_without_moves() {
        let data = plot_data(&[("a", &["0"]), ("b", &["3"]), ("c", &["TIM"])]);
        let score = |index: usize| Summary::from_entry(&data.entries[index]).score.unwrap();
        assert_eq!([0, 1, 2].map(score), [1.0, 0.0, 0.0]);
    }
}
