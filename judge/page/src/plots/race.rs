//! The race: the number of boards that every entry has solved after a time, if it plays one board after another. Each
//! entry has a lane, so that no name covers another one.

use maud::{Markup, html};

use super::axis::{BELOW, horizontal};
use super::colour::{Colour, SHADES, circle};
use super::legend::{Sign, legend};
use super::marks::{games, of};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::Scale;
use super::sheet::{Anchor, SMALL, fill, sheet, small, stroke};
use super::text::{px, tick, width};
use crate::plot::{Plot, Table};
use judge_job::count_text;

const ID: &str = "plot-race";
const TITLE: &str = "The race";
/// The width of the drawing, which is a column of the first screen.
const WIDTH: f64 = 512.0;
/// The most lanes; more would be taller than a screen.
const MAX_LANES: usize = 20;
/// The height of a lane and of its bar.
const LANE: f64 = 18.0;
const BAR: f64 = 10.0;
/// The most columns of the table with times.
const MAX_COLUMNS: usize = 10;

/// An entry and the times in microseconds at which it solved a board, from its start.
struct Lane<'a> {
    entry: &'a PlotEntry,
    solved_us: Vec<f64>,
    /// The columns of these boards.
    boards: Vec<usize>,
    /// The end of its last run.
    end_us: f64,
}

impl<'a> Lane<'a> {
    /// Returns the lane of an entry; `None` if it has no run, or a run with an unknown time.
    fn new(entry: &'a PlotEntry) -> Option<Self> {
        let (mut clock, mut solved_us, mut boards) = (0.0, Vec::new(), Vec::new());
        for (board, result) in entry.results.iter().enumerate() {
            match result {
                RunResult::Solved { time_us, .. } => {
                    clock += (*time_us)? as f64;
                    solved_us.push(clock);
                    boards.push(board);
                }
                RunResult::Unsolved { time_us, .. } => clock += (*time_us)? as f64,
                RunResult::Missing => {}
            }
        }
        // A logarithmic scale needs times above 0.
        (clock > 0.0).then_some(Self { entry, solved_us, boards, end_us: clock })
    }
}

/// Draws the race; `None` if no entry with known times solved a board.
pub(super) fn draw(data: &PlotData) -> Option<Plot> {
    let all: Vec<Lane<'_>> = data.entries.iter().filter_map(Lane::new).collect();
    let lanes = &all[..all.len().min(MAX_LANES)];
    let times = || lanes.iter().flat_map(|lane| lane.solved_us.iter().copied().chain([lane.end_us]));
    lanes.iter().any(|lane| !lane.solved_us.is_empty()).then_some(())?;
    let domain = (times().reduce(f64::min)?.max(1.0), times().reduce(f64::max)?);
    let missing = data.entries.len() - lanes.len();
    let missing = match missing {
        0 => String::new(),
        missing => format!(" Without a lane: {}.", count_text(missing, "entry", "entries")),
    };
    let lead = "Boards solved by each entry against its total time. A ring is the end of its last run.";
    let rest = format!("The times are those of one board after another.{missing}");
    let caption = data.caption(lead.into(), rest);
    let svg = drawing(lanes, data.boards.len(), domain, &caption.whole());
    Some(Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(&all, data.boards.len()) })
}

fn drawing(lanes: &[Lane<'_>], boards: usize, domain: (f64, f64), description: &str) -> Markup {
    let count = |lane: &Lane<'_>| format!("{} of {}", lane.solved_us.len(), lane.entry.judged());
    let widest =
        |text: &dyn Fn(&Lane<'_>) -> String| lanes.iter().map(|lane| width(&text(lane), SMALL)).fold(0.0, f64::max);
    let left = (widest(&|lane| lane.entry.label.clone()) + 12.0).min(WIDTH / 2.5);
    let right = WIDTH - widest(&count) - 12.0;
    let (key, top) = legend(&signs(boards), (left, 0.0), WIDTH - left);
    let top = top + 6.0;
    let bottom = top + LANE * lanes.len() as f64;
    // The axis begins a little before the first solved board, so that it is visible.
    let x = Scale::log((domain.0 / 1.5, domain.1), (left, right)).nice(6);
    let ticks: Vec<(f64, String)> = x.ticks(6).into_iter().map(|at| (at, tick(at))).collect();
    let body = html! {
        (key)
        (horizontal(&x, (top, bottom), &ticks, "time, one board after another"))
        @for (index, lane) in lanes.iter().enumerate() {
            @let y = top + LANE * (index as f64 + 0.5);
            (of(lane.entry, &html! {
                (small((left - 8.0, y), Anchor::End, &lane.entry.label))
                (bars(lane, boards, &x, y))
                (Colour::Text.draw(&stroke(&circle(x.at(lane.end_us), y, 3.5), 1.2, None)))
                (small((right + 8.0, y), Anchor::Start, &count(lane)))
            }))
            (games(lane.entry, lane.boards.iter().copied().zip(lane.solved_us.iter().map(|at| (x.at(*at), y)))))
        }
    };
    sheet(ID, TITLE, description, (WIDTH, bottom + BELOW), &body)
}

/// Draws a lane: a bar per number of solved boards, whose length is the time for which the entry had that number.
fn bars(lane: &Lane<'_>, boards: usize, x: &Scale, y: f64) -> Markup {
    let (_, right) = x.range();
    let mut parts: Vec<(usize, f64, f64)> = Vec::new();
    for (index, at) in lane.solved_us.iter().enumerate() {
        let next = lane.solved_us.get(index + 1).map_or(right, |next| x.at(*next));
        match parts.last_mut() {
            // Of many boards, several have the same shade.
            Some((shade, _, end)) if *shade == shade_of(index + 1, boards) => *end = next,
            _ => parts.push((shade_of(index + 1, boards), x.at(*at), next)),
        }
    }
    let bar = |from: f64, to: f64| format!("M{} {}H{}v{}H{}z", px(from), px(y - BAR / 2.0), px(to), px(BAR), px(from));
    html! { @for (shade, from, to) in &parts { (Colour::Count(*shade).draw(&fill(&bar(*from, *to)))) } }
}

/// Returns the shade for this number of solved boards, at least 1.
fn shade_of(solved: usize, boards: usize) -> usize {
    (solved * SHADES).div_ceil(boards.max(1)).clamp(1, SHADES) - 1
}

/// Explains the shades: of each number of boards, or of every shade.
fn signs(boards: usize) -> Vec<(Sign, String)> {
    let mut signs = vec![(Sign::Heading, "boards solved:".to_owned())];
    for shade in 0..SHADES {
        let counts: Vec<usize> = (1..=boards).filter(|count| shade_of(*count, boards) == shade).collect();
        let text = match counts.as_slice() {
            [] => continue,
            [one] => one.to_string(),
            [first, .., last] => format!("{first}–{last}"),
        };
        signs.push((Sign::Patch(Colour::Count(shade)), text));
    }
    signs
}

/// The table: the times after which an entry has solved each number of boards.
fn table(lanes: &[Lane<'_>], boards: usize) -> Table {
    let step = boards.div_ceil(MAX_COLUMNS).max(1);
    let counts: Vec<usize> = (step..=boards).step_by(step).collect();
    let head = ["entry".to_owned(), "solved".to_owned()].into_iter();
    let head = head.chain(counts.iter().map(|count| format!("{count} solved after")));
    let rows = lanes.iter().map(|lane| {
        let after = |count: &usize| lane.solved_us.get(count - 1).map_or_else(String::new, |at| tick(*at));
        let first = [lane.entry.name.clone(), lane.solved_us.len().to_string()];
        first.into_iter().chain(counts.iter().map(after)).collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::tests::source;
    use judge_core::compare::Source;
    use judge_core::results::Results;

    fn data(runs: &[(&str, &str, Option<u64>)]) -> PlotData {
        let mut csv = "game,limit_ms,entry,board,verdict,progress,full,moves,tie_break,wall_us\n".to_owned();
        for (at, (entry, board, time)) in runs.iter().enumerate() {
            csv += &match time {
                Some(time) => format!("loyd,9000,{entry},{board},solved,25,25,{at},3,{time}\n"),
                None => format!("loyd,9000,{entry},{board},timed_out,,,,,9000000\n"),
            };
        }
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        PlotData::from_sources(&[Source { name: "run".into(), results }], Vec::new())
    }

    #[test]
    fn a_failed_run_adds_only_its_time() {
        let data = data(&[("a", "A", Some(1000)), ("a", "B", None), ("a", "C", Some(500))]);
        let lane = Lane::new(&data.entries[0]).unwrap();
        assert_eq!((lane.solved_us, lane.end_us), (vec![1000.0, 9_001_500.0], 9_001_500.0));
        let figure = draw(&data).unwrap();
        assert_eq!(figure.table.rows, [["a", "2", "1 ms", "9 s", ""]]);
        assert!(figure.svg.0.contains("2 of 3"), "{}", figure.svg.0);
    }

    #[test]
    fn results_without_times_have_no_race() {
        assert!(draw(&PlotData::from_sources(&[source(&[("a", &["10"]), ("b", &["TIM"])])], Vec::new())).is_none());
        assert!(draw(&data(&[("a", "A", None)])).is_none(), "nobody solved a board");
    }

    #[test]
    fn every_shade_up_to_the_last_one_is_explained() {
        for boards in [1, 5, 7, 8, 200] {
            let shades: Vec<usize> = (1..=boards).map(|solved| shade_of(solved, boards)).collect();
            assert!(shades.is_sorted() && shades.last() == Some(&(SHADES - 1)), "{shades:?}");
            assert_eq!(signs(boards).len() - 1, boards.min(SHADES), "{boards}");
        }
    }

    #[test]
    fn more_entries_than_lanes_are_counted() {
        let names: Vec<String> = (0..30).map(|entry| format!("e{entry}")).collect();
        let runs: Vec<_> = names.iter().map(|name| (name.as_str(), "A", Some(1000))).collect();
        let figure = draw(&data(&runs)).unwrap();
        assert!(figure.caption.whole().ends_with("Without a lane: 10 entries."), "{}", figure.caption.whole());
        assert_eq!(figure.table.rows.len(), 30);
    }
}
