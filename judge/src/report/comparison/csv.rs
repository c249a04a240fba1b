//! Comparisons as CSV: for each pair a row of statistics, and below it a row for each of its boards.
//!
//! The column `row` is `pair` or `board`; columns of the other kind are empty. The column `kind` is `entries` for two
//! entries and `change` for one entry in two sets of results. Differences are the second's minus the first's, ratios
//! the second's divided by the first's, times in microseconds.

use std::io::Write;

use csv::Writer;
use serde::Serialize;

use judge_core::compare::{BoardLine, Comparison, Outcome, Pair};
use judge_core::results::{Text, yes_or_no};

#[derive(Default, Serialize)]
struct Row<'a> {
    row: &'static str,
    kind: &'static str,
    first_run: Text<'a>,
    first: Text<'a>,
    second_run: Text<'a>,
    second: Text<'a>,
    first_better: Option<usize>,
    ties: Option<usize>,
    second_better: Option<usize>,
    missing: Option<usize>,
    unknown: Option<usize>,
    family: Option<usize>,
    sign_test_p: Option<f64>,
    sign_test_corrected: Option<f64>,
    both_solved: Option<usize>,
    moves_mean: Option<f64>,
    moves_median: Option<f64>,
    moves_low: Option<f64>,
    moves_high: Option<f64>,
    score_boards: Option<usize>,
    score_mean: Option<f64>,
    score_median: Option<f64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    sign_flip_test_p: Option<f64>,
    sign_flip_test_corrected: Option<f64>,
    par2_us_mean: Option<f64>,
    seed: Option<u64>,
    board: Text<'a>,
    reconstruction: &'static str,
    outcome: Option<Outcome>,
    first_cell: Option<Text<'a>>,
    second_cell: Option<Text<'a>>,
    moves_difference: Option<i128>,
    score_difference: Option<f64>,
    first_time_us: Option<u64>,
    second_time_us: Option<u64>,
    time_ratio: Option<f64>,
}

pub(super) fn write(comparison: &Comparison, out: &mut dyn Write) -> csv::Result<()> {
    let mut writer = Writer::from_writer(out);
    for (kind, pairs) in [("entries", &comparison.pairs), ("change", &comparison.changes)] {
        for pair in pairs {
            writer.serialize(of_pair(kind, pair, comparison.resampling.seed))?;
            for line in &pair.boards {
                writer.serialize(of_board(kind, pair, line))?;
            }
        }
    }
    writer.flush()?;
    Ok(())
}

fn head<'a>(row: &'static str, kind: &'static str, pair: &'a Pair) -> Row<'a> {
    Row {
        row,
        kind,
        first_run: pair.first.source.as_str().into(),
        first: pair.first.entry.as_str().into(),
        second_run: pair.second.source.as_str().into(),
        second: pair.second.entry.as_str().into(),
        ..Row::default()
    }
}

fn of_pair<'a>(kind: &'static str, pair: &'a Pair, seed: u64) -> Row<'a> {
    Row {
        first_better: Some(pair.first_better),
        ties: Some(pair.ties),
        second_better: Some(pair.second_better),
        missing: Some(pair.missing),
        unknown: Some(pair.unknown),
        family: Some(pair.family),
        sign_test_p: pair.sign_test.p,
        sign_test_corrected: pair.sign_test.corrected,
        both_solved: Some(pair.moves.boards),
        moves_mean: pair.moves.mean,
        moves_median: pair.moves.median,
        moves_low: pair.moves.interval.map(|interval| interval.low),
        moves_high: pair.moves.interval.map(|interval| interval.high),
        score_boards: Some(pair.score.boards),
        score_mean: pair.score.mean,
        score_median: pair.score.median,
        score_low: pair.score.interval.map(|interval| interval.low),
        score_high: pair.score.interval.map(|interval| interval.high),
        sign_flip_test_p: pair.flips.p,
        sign_flip_test_corrected: pair.flips.corrected,
        par2_us_mean: pair.par2_us.as_ref().and_then(|par2| par2.mean),
        seed: Some(seed),
        time_ratio: pair.time_ratio,
        ..head("pair", kind, pair)
    }
}

fn of_board<'a>(kind: &'static str, pair: &'a Pair, line: &'a BoardLine) -> Row<'a> {
    Row {
        board: line.board.as_str().into(),
        reconstruction: yes_or_no(line.reconstruction),
        outcome: Some(line.outcome),
        first_cell: line.first.cell.as_deref().map(Text::from),
        second_cell: line.second.cell.as_deref().map(Text::from),
        moves_difference: line.moves_difference,
        score_difference: line.score_difference,
        first_time_us: line.first.time_us,
        second_time_us: line.second.time_us,
        time_ratio: line.time_ratio,
        ..head("board", kind, pair)
    }
}
