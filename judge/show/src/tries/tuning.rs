//! The tried values of a parameter, as a table.

use std::io::{self, Write};

use crate::versions::{Parameter, Tuned, TunedValue};
use judge_job::count_text;
use judge_report::layout::{Column, Grid, folded};

/// The width of the longest bar.
const BAR: usize = 30;

/// Writes a row per value for a terminal of that width: the boards that it ran on, and a bar of its score on the boards that
/// all values ran on.
///
/// # Errors
/// Those of `out`.
pub fn write_tuning(tuned: &Tuned, parameter: &Parameter, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let most = tuned.values.iter().filter_map(|value| value.on_first).fold(f64::MIN_POSITIVE, f64::max);
    let text = |score: Option<f64>| score.map_or("-".into(), |score| format!("{score:.4}"));
    // A bar of whole cells: a part of one would look like a figure.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the width of the bar")]
    let bar = |score: Option<f64>| "█".repeat((score.unwrap_or(0.0) / most * BAR as f64).round() as usize);
    let cells = |text: &dyn Fn(&TunedValue) -> String| tuned.values.iter().map(text).collect::<Vec<_>>();
    let on_all = |value: &TunedValue| if value.is_left { text(value.on_all) } else { String::new() };
    let mut table = Grid::new(vec![
        Column::new(parameter.name(), cells(&|value| value.value.clone())).right(),
        Column::new("boards", cells(&|value| value.boards.to_string())).right(),
        Column::new(format!("score on the first {}", tuned.first_boards), cells(&|value| text(value.on_first))).right(),
        Column::new("", cells(&|value| bar(value.on_first))),
        Column::new("on all boards", cells(&on_all)).right(),
    ]);
    table.fit(width);
    writeln!(out, "{table}")?;
    let Some(best) = &tuned.best else { return Ok(()) };
    let sentence = format!(
        "best: {}={}; against {} better on {} of {}, worse on {}. It was chosen among {} values on these boards: try it \
         on others",
        parameter.name(),
        best.value,
        best.next,
        best.better,
        count_text(best.boards, "board", "boards"),
        best.worse,
        tuned.values.len()
    );
    writeln!(out, "{}", folded(&sentence, width))
}
