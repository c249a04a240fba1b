//! The report as CSV, with a row per entry and figure.

use std::time::Duration;

use super::deviations::Explained;
use super::{Comparison, Run, solved, solved_mean};

/// The columns. `ratio` is here / published, and `deviates` is `yes` for what needs an explanation.
const HEAD: &str = "entry,figure,published,here,ratio,deviates\n";

/// Writes the report. The figures of an entry are its cells, its totals, and its means, here those of random boards.
pub(crate) fn csv(entries: &[Comparison], explained: &[Explained]) -> String {
    let mut text = HEAD.to_owned();
    for entry in entries {
        let name = entry.name();
        let explained = explained.iter().find(|explained| explained.entry == name);
        let deviating = |figure: &str| {
            explained.and_then(|explained| explained.figures.iter().find_map(|text| text.strip_prefix(figure)))
        };
        let mut row = |figure: &str, [published, here]: [String; 2], ratio: Option<f64>, deviates: bool| {
            let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
            text += &format!("{name},{figure},{published},{here},{ratio},{}\n", if deviates { "yes" } else { "" });
        };
        for board in &entry.boards {
            let deviates = board.is_reconstructed() && board.deviates();
            row(board.name, [board.then, board.now].map(cell), board.ratio(), deviates);
        }
        let totals = [&entry.then.total, &entry.now.total];
        let number = |figure: Option<u64>| figure.map_or(String::new(), |figure| figure.to_string());
        row("tiles home", totals.map(|total| number(total.figures.progress())), None, false);
        let moves = entry.moves();
        row("moves", totals.map(|total| number(total.figures.moves())), moves.map(|(ratio, _)| ratio), false);
        let transports = totals.map(|total| number(total.figures.tie_break()));
        row("transports", transports, entry.transports(), deviating("transports ").is_some());
        row("time", totals.map(|total| time(total.time_ms)), None, false);
        let rows = [entry.then, entry.random];
        let boards =
            |row: &super::Row| format!("{} of {}", solved_mean(row).map_or(0, |(solved, _)| solved), row.runs.len());
        row("boards solved", rows.map(boards), None, false);
        let means = rows.map(|row| solved_mean(row).map(|(_, mean)| mean));
        let ratio = means[0].zip(means[1]).map(|(then, now)| now / then);
        row("mean moves", means.map(|mean| mean.map_or(String::new(), |mean| format!("{mean:.1}"))), ratio, false);
        if let Some(ratio) = deviating("mean ") {
            text += &format!("{name},mean ratio of the reconstructed boards,,,{ratio},yes\n");
        }
    }
    text
}

/// The moves that solved a board, or the cell of the results table.
fn cell(run: &Run) -> String {
    match run.figures.moves().filter(|_| solved(run)) {
        Some(moves) => moves.to_string(),
        None => run.cell.clone().unwrap_or_else(|| "-".into()),
    }
}

/// Formats milliseconds: whole ones up to ten seconds, whole seconds above.
fn time(milliseconds: Option<u64>) -> String {
    let Some(milliseconds) = milliseconds else { return String::new() };
    let shown = if milliseconds < 10_000 { milliseconds } else { (milliseconds + 500) / 1000 * 1000 };
    humantime::format_duration(Duration::from_millis(shown)).to_string()
}
