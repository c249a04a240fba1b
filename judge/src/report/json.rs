//! Results for programs. What is not known is `null`.

use std::io::{self, Write};

use serde::Serialize;

use judge_core::plan::RankKey;
use judge_core::results::Results;
use judge_core::score::{Cell, Metrics, Row, Summary};
use judge_job::Usage;

#[derive(Serialize)]
struct Document<'a> {
    contest: Option<&'a str>,
    game: Option<&'a str>,
    limit_ms: Option<u64>,
    ranking: &'a [RankKey],
    isolation: &'a [String],
    complete: bool,
    boards: Vec<Board<'a>>,
    entries: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Board<'a> {
    name: &'a str,
    reconstruction: bool,
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct Entry<'a> {
    place: Option<usize>,
    entry: &'a str,
    author: Option<&'a str>,
    competing: bool,
    complete: bool,
    total: Sum,
    /// Boards solved, means of these, median time of all.
    summary: Summary,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Sum {
    progress: Option<u64>,
    moves: Option<u64>,
    tie_break: Option<u64>,
    time_ms: Option<u64>,
}

#[derive(Serialize)]
struct Run<'a> {
    board: &'a str,
    cell: Option<String>,
    /// What the run adds to the total.
    #[serde(flatten)]
    figures: Metrics,
    /// Why the board was not solved.
    fault: Option<&'a str>,
    final_board: Option<&'a str>,
    /// Which attempt this is, what its processes used, and what else is known of it.
    attempt: Option<u32>,
    #[serde(flatten)]
    usage: Usage,
    suspect: Option<&'a str>,
    notes: &'a [String],
}

pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let boards = results.boards.iter().map(|board| Board {
        name: &board.name,
        reconstruction: board.reconstruction,
        note: board.note.as_deref(),
    });
    let document = Document {
        contest: results.contest.as_deref(),
        game: results.game.as_deref(),
        limit_ms: results.limit_ms,
        ranking: &results.ranking,
        isolation: &results.isolation,
        complete: results.complete(),
        boards: boards.collect(),
        entries: results.rows.iter().map(|row| entry(results, row)).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn entry<'a>(results: &'a Results, row: &'a Row) -> Entry<'a> {
    let runs = results.boards.iter().zip(&row.cells).map(|(board, cell)| {
        let fault = results.faults.iter().find(|fault| fault.entry == row.entry.name && fault.board == board.name);
        let remark = results.remarks.iter().find(|run| run.entry == row.entry.name && run.board == board.name);
        Run {
            board: &board.name,
            cell: (cell != &Cell::missing()).then(|| cell.text()),
            figures: cell.figures,
            fault: fault.map(|fault| fault.reason.as_str()),
            final_board: fault.and_then(|fault| fault.final_board.as_deref()),
            attempt: remark.map(|run| run.attempt),
            usage: remark.map_or_else(Usage::default, |run| run.usage),
            suspect: remark.and_then(|run| run.suspect.as_deref()),
            notes: remark.map_or(&[], |run| run.notes.as_slice()),
        }
    });
    let Metrics { progress, moves, tie_break, .. } = row.total;
    Entry {
        place: row.place,
        entry: &row.entry.name,
        author: row.entry.author.as_deref(),
        competing: row.entry.competing,
        complete: row.complete(),
        total: Sum { progress, moves, tie_break, time_ms: row.total.time_ms() },
        summary: row.summary(),
        runs: runs.collect(),
    }
}
