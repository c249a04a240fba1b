//! The report's Markdown.

use std::time::Duration;

use judge_core::results::Results;
use judge_core::score::Cell;

use crate::deviations::Explained;
use crate::{Beside, Board, FAITHFUL, solved};

pub(crate) fn markdown(here: &Results, entries: &[Beside], explained: &[Explained]) -> String {
    let limit = here.limit_ms.map_or("no limit".into(), |limit| time(Some(limit * 1000)));
    let mut text = format!(
        "# The strategies of 1995, published and rebuilt\n\n\
         Made by `cargo run --release -p loyd-entries --example fidelity`; every cell is published → here, with the \
         ratio of moves. Published: ten minutes a board on a workstation of 1995. Here: {limit} a board. FOXY, AID and \
         TYPO are reconstructions of the boards of the final; FAQ and WARN are stand-ins, other boards than those of \
         1995.\n\n"
    );
    text += &cells(entries);
    text += "\n## Transports and time\n\nTotals of the five boards.\n\n";
    text += &totals(entries);
    text += &format!(
        "\n## Deviations beyond {:.0} %\n\nOn the reconstructed boards, marked ! above:\n\n",
        100.0 * FAITHFUL
    );
    for Explained { entry, cells, sentence } in explained {
        text += &format!("- **{entry}** ({}): {sentence}\n", cells.join(", "));
    }
    text += &stand_ins(entries);
    text
}

fn cells(entries: &[Beside]) -> String {
    let names: Vec<&str> = entries[0].boards.iter().map(|board| board.name).collect();
    let mut text = format!("| entry | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for entry in entries {
        let cells: Vec<String> = entry.boards.iter().map(cell).collect();
        text += &format!("| {} | {} |\n", entry.name(), cells.join(" | "));
    }
    text
}

/// `94 → 90 (0.96)`; a cell that is no solved board as the table has it.
fn cell(board: &Board) -> String {
    let side = |cell: &Cell| match cell.metrics.moves.filter(|_| solved(cell)) {
        Some(moves) => moves.to_string(),
        None => cell.text(),
    };
    let ratio = board.ratio().map_or(String::new(), |ratio| format!(" ({ratio:.2})"));
    let mark = if board.is_reconstructed() && board.deviates() { " !" } else { "" };
    format!("{} → {}{ratio}{mark}", side(board.then), side(board.now))
}

fn totals(entries: &[Beside]) -> String {
    let mut text = "| entry | tiles home | moves | transports | time |\n|---|---|---|---|---|\n".to_owned();
    for entry in entries {
        let [then, now] = [entry.then.total, entry.now.total];
        let both = |then: Option<u64>, now: Option<u64>| {
            let ratio = then.zip(now).filter(|(then, _)| *then > 0);
            let ratio = ratio.map_or(String::new(), |(then, now)| format!(" ({:.2})", now as f64 / then as f64));
            let [then, now] = [then, now].map(|figure| figure.map_or("?".into(), |figure| figure.to_string()));
            format!("{then} → {now}{ratio}")
        };
        text += &format!(
            "| {} | {} → {} | {} | {} | {} → {} |\n",
            entry.name(),
            then.progress.map_or("?".into(), |tiles| tiles.to_string()),
            now.progress.map_or("?".into(), |tiles| tiles.to_string()),
            both(then.moves, now.moves),
            both(then.tie_break, now.tie_break),
            time(then.time_us),
            time(now.time_us),
        );
    }
    text
}

/// What the stand-ins say: one cause for all of their deviations.
fn stand_ins(entries: &[Beside]) -> String {
    let boards = || entries.iter().flat_map(|entry| &entry.boards).filter(|board| !board.is_reconstructed());
    let ratios: Vec<f64> = boards().filter_map(Board::ratio).collect();
    let deviating = boards().filter(|board| board.deviates()).count();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    format!(
        "\nOn the stand-ins {deviating} of {} cells deviate for one reason, which is that they are other boards: moves \
         are {mean:.2} of the published on average, as the stand-ins are nearer to perfection.\n",
        boards().count()
    )
}

/// Whole milliseconds up to ten seconds, whole seconds above, from microseconds.
fn time(time_us: Option<u64>) -> String {
    let Some(time_us) = time_us else { return "?".into() };
    let milliseconds = (time_us + 500) / 1000;
    let shown = if milliseconds < 10_000 { milliseconds } else { (milliseconds + 500) / 1000 * 1000 };
    humantime::format_duration(Duration::from_millis(shown)).to_string()
}
