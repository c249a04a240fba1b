//! Cactus plots: the boards solved within a time, and within a number of moves. Solver competitions draw them, often
//! with the axes exchanged.

use maud::{Markup, html};

use super::axis::{BELOW, Tick, horizontal, numbers, vertical};
use super::plot_data::{PlotData, PlotEntry, RunResult};
use super::scale::Scale;
use super::sheet::{WIDTH, nothing, sheet};
use super::steps::{self, Line};
use super::text::{capital, tick};
use crate::plot::{Plot, Table};
use judge_job::count_text;

const ID: &str = "plot-cactus";
const TITLE: &str = "Boards solved within a time and within a length";
const LEFT: f64 = 56.0;
const ABOVE: f64 = 40.0;
const HEIGHT: f64 = 250.0;
/// The factor between the largest and the smallest value from which a scale is logarithmic.
const WIDE_SPREAD: f64 = 15.0;

/// A panel: its lines, and the scale below them.
struct Panel<'a> {
    title: String,
    lines: Vec<Line<'a>>,
    scale: Scale,
    ticks: Vec<Tick>,
}

pub(super) fn draw(data: &PlotData) -> Plot {
    let counted = data.scoring.cost.is_some();
    let limits = match counted {
        true => format!("above in at most that time, below in at most that many {}", data.moves),
        false => "in at most that time".to_owned(),
    };
    let untimed = data.entries.iter().filter(|entry| entry.results.iter().any(unknown_time)).count();
    let untimed = match untimed {
        0 => String::new(),
        entries => {
            format!(" Without a line above, because times are unknown: {}.", count_text(entries, "entry", "entries"))
        }
    };
    let lead = format!("Boards that each entry solved, {limits}. Further up and left is better.");
    let rest = format!(
        "A line ends at the boards that the entry solved of those it ran on, which its name shows.{untimed}{}",
        data.rest_note()
    );
    let caption = data.caption(lead, rest);
    let length = if counted { length(data) } else { None };
    let panels: Vec<Panel<'_>> = [time(data), length].into_iter().flatten().collect();
    let svg = if panels.is_empty() {
        nothing(ID, TITLE, "no entry solved a board")
    } else {
        drawing(data, &panels, &caption.whole())
    };
    Plot { id: ID.into(), title: TITLE.into(), caption, svg, table: table(data, &panels) }
}

fn unknown_time(result: &RunResult) -> bool {
    matches!(result, RunResult::Solved { time_us: None, .. })
}

/// Creates the panel of times; `None` if no time is known.
fn time(data: &PlotData) -> Option<Panel<'_>> {
    let time = |result: &RunResult| match result {
        // A logarithmic scale needs a time above 0.
        RunResult::Solved { time_us, .. } => time_us.map(|time| time.max(1) as f64),
        RunResult::Unsolved { .. } | RunResult::Missing => None,
    };
    panel(data, "time".into(), time, |scale| scale.ticks(8).into_iter().map(|at| (at, tick(at))).collect())
}

/// Creates the panel of moves; `None` if no board is solved.
fn length(data: &PlotData) -> Option<Panel<'_>> {
    let moves = |result: &RunResult| result.moves().map(|moves| moves as f64);
    panel(data, data.moves.clone(), moves, |scale| numbers(scale, 8))
}

fn panel<'a>(
    data: &'a PlotData,
    title: String,
    value: impl Fn(&RunResult) -> Option<f64>,
    ticks: impl Fn(&Scale) -> Vec<Tick>,
) -> Option<Panel<'a>> {
    let line = |entry: &'a PlotEntry| {
        let results = entry.results.iter().enumerate();
        let mut values: Vec<(f64, usize)> =
            results.filter_map(|(board, result)| Some((value(result)?, board))).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (values, boards) = values.into_iter().unzip();
        Line {
            entry,
            values,
            boards,
            step: 1.0,
            name: format!("{} {} of {}", entry.label, entry.solved(), entry.judged()),
        }
    };
    // A line without some of its values would end too low.
    let known = |line: &Line<'_>| line.values.len() == line.entry.solved();
    let lines = data.entries.iter().filter(|entry| entry.judged() > 0).map(line).filter(known);
    let lines: Vec<Line<'_>> = lines.collect();
    let all = || lines.iter().flat_map(|line| &line.values).copied();
    let (least, most) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
    let range = (LEFT, right(&lines));
    let scale = if least > 0.0 && most / least >= WIDE_SPREAD {
        Scale::log((least, most), range)
    } else {
        Scale::linear((least, most), range)
    };
    let scale = scale.nice(6);
    Some(Panel { title, ticks: ticks(&scale), lines, scale })
}

/// Returns the right end of the axes. Long names make the drawing wider, not the axes narrower.
fn right(lines: &[Line<'_>]) -> f64 {
    WIDTH.max(LEFT + 420.0 + steps::room(lines)) - steps::room(lines)
}

fn drawing(data: &PlotData, panels: &[Panel<'_>], description: &str) -> Markup {
    let most = data.entries.iter().map(PlotEntry::judged).max().unwrap_or_default();
    let place = |index: usize| {
        let top = ABOVE + index as f64 * (HEIGHT + BELOW + ABOVE);
        (top, top + HEIGHT)
    };
    let body = html! {
        @for (index, panel) in panels.iter().enumerate() {
            @let (top, bottom) = place(index);
            @let y = Scale::linear((0.0, most as f64), (bottom, top));
            @let whole = numbers(&y, 5).into_iter().filter(|(tick, _)| tick.fract() == 0.0).collect::<Vec<_>>();
            (horizontal(&panel.scale, (top, bottom), &panel.ticks, &capital(&panel.title)))
            (vertical(&y, (LEFT, panel.scale.range().1), &whole, (top - 18.0, "boards solved")))
            (steps::draw(&panel.lines, panel.scale.domain().0, &panel.scale, &y))
        }
    };
    let wide = panels.iter().map(|panel| panel.scale.range().1 + steps::room(&panel.lines)).fold(WIDTH, f64::max);
    sheet(ID, TITLE, description, (wide, place(panels.len() - 1).1 + BELOW), &body)
}

fn table(data: &PlotData, panels: &[Panel<'_>]) -> Table {
    let head = ["entry", "solved", "boards"].map(str::to_owned).into_iter();
    let head = head.chain(panels.iter().flat_map(|panel| {
        panel.ticks.iter().map(|(_, label)| match panel.title.as_str() {
            "time" => format!("within {label}"),
            moves => format!("within {label} {moves}"),
        })
    }));
    let rows = data.entries.iter().map(|entry| {
        let counts = panels.iter().flat_map(|panel| {
            let line = panel.lines.iter().find(|line| line.entry.name == entry.name);
            panel
                .ticks
                .iter()
                .map(move |(tick, _)| line.map_or_else(String::new, |line| line.height(*tick).to_string()))
        });
        let [solved, judged] = [entry.solved(), entry.judged()].map(|boards| boards.to_string());
        [entry.name.clone(), solved, judged].into_iter().chain(counts).collect()
    });
    Table { head: head.collect(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn a_line_rises_at_each_solved_board() {
        let data = plot_data(&[("a", &["10", "30", "TIM", "10"]), ("b", &["20", "200", "20", "-"])]);
        let panel = length(&data).unwrap();
        let line = |name: &str| panel.lines.iter().find(|line| line.entry.name == name).unwrap();
        let heights = |name: &str| [9.0, 10.0, 20.0, 30.0, 200.0].map(|moves| line(name).height(moves));
        assert_eq!(heights("a"), [0.0, 2.0, 2.0, 3.0, 3.0]);
        assert_eq!(heights("b"), [0.0, 0.0, 2.0, 2.0, 3.0]);
        assert_eq!([line("a"), line("b")].map(|line| line.name.as_str()), ["a 3 of 4", "b 3 of 3"]);
        assert!(time(&data).is_none(), "a table has no times of single runs");
        let figure = draw(&data);
        assert!(figure.caption.whole().contains("times are unknown: 2 entries."), "{}", figure.caption.whole());
        assert_eq!(figure.table.rows[0][..3], ["a", "3", "4"]);
    }
}
