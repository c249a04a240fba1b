//! Comparisons as CSV. All rows of a file are of one kind: entries, pairs, or pairs on boards.
//!
//! The column `kind` is `entries` for two entries and `change` for one entry in two sets of results. Differences are
//! the second's value minus the first's; ratios are the second's divided by the first's; times are in microseconds.

use std::io::Write;

use csv::Writer;
use serde::Serialize;

use super::Rows;
use judge_core::compare::{BoardLine, Comparison, EntryScore, Outcome, Pair, Scores};
use judge_core::results_csv::{Text, yes_or_no};

/// An entry of one set of results.
#[derive(Serialize)]
struct EntryRow<'a> {
    run: Text<'a>,
    entry: Text<'a>,
    solved: Option<usize>,
    boards: usize,
    relative_to_best_known: Option<f64>,
    par2_us: Option<u64>,
    /// The numbers of the groups that no test separates, from 1.
    groups: String,
    place: Option<usize>,
    resampled_best: Option<usize>,
    resampled_worst: Option<usize>,
    seed: u64,
}

/// The columns that name a pair. Nested structs cannot have headings in CSV, so both rows begin with the same fields.
#[derive(Serialize)]
struct PairRow<'a> {
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
    better: Outcome,
    decided_by: Option<&'a str>,
    family: Option<usize>,
    sign_test_p: Option<f64>,
    sign_test_corrected: Option<f64>,
    sign_test_tests: Option<usize>,
    both_solved: Option<usize>,
    moves_mean: Option<f64>,
    moves_median: Option<f64>,
    moves_median_low: Option<f64>,
    moves_median_high: Option<f64>,
    relative_to_best_known_boards: Option<usize>,
    relative_to_best_known_mean: Option<f64>,
    relative_to_best_known_median: Option<f64>,
    relative_to_best_known_median_low: Option<f64>,
    relative_to_best_known_median_high: Option<f64>,
    sign_flip_test_p: Option<f64>,
    sign_flip_test_corrected: Option<f64>,
    sign_flip_test_tests: Option<usize>,
    par2_us_mean: Option<f64>,
    seed: Option<u64>,
    time_ratio: Option<f64>,
}

/// A pair on one of its boards.
#[derive(Serialize)]
struct BoardRow<'a> {
    kind: &'static str,
    first_run: Text<'a>,
    first: Text<'a>,
    second_run: Text<'a>,
    second: Text<'a>,
    board: Text<'a>,
    reconstruction: &'static str,
    outcome: Outcome,
    first_cell: Option<Text<'a>>,
    second_cell: Option<Text<'a>>,
    moves_difference: Option<i128>,
    relative_to_best_known_difference: Option<f64>,
    first_time_us: Option<u64>,
    second_time_us: Option<u64>,
    time_ratio: Option<f64>,
}

pub(super) fn write(comparison: &Comparison, rows: Rows, out: &mut dyn Write) -> csv::Result<()> {
    let mut writer = Writer::from_writer(out);
    let kinds = [("entries", &comparison.pairs), ("change", &comparison.changes)];
    let pairs = || kinds.into_iter().flat_map(|(kind, pairs)| pairs.iter().map(move |pair| (kind, pair)));
    let seed = comparison.resampling.seed;
    match rows {
        Rows::Entries => {
            for scores in &comparison.scores {
                for entry in &scores.entries {
                    writer.serialize(of_entry(comparison, scores, entry))?;
                }
            }
        }
        Rows::Pairs => pairs().try_for_each(|(kind, pair)| writer.serialize(of_pair(kind, pair, seed)))?,
        Rows::Boards => {
            let lines = pairs().flat_map(|(kind, pair)| pair.boards.iter().map(move |line| of_board(kind, pair, line)));
            lines.into_iter().try_for_each(|row| writer.serialize(row))?;
        }
    }
    writer.flush()?;
    Ok(())
}

fn of_entry<'a>(comparison: &Comparison, scores: &'a Scores, entry: &'a EntryScore) -> EntryRow<'a> {
    let stability = comparison.stability.iter().find(|stability| stability.source == scores.source);
    let places = stability.and_then(|stability| stability.entries.iter().find(|places| places.entry == entry.entry));
    let resampled = places.and_then(|places| places.resampled.as_ref());
    let groups = scores.groups.iter().zip(1..).filter(|(group, _)| group.contains(&entry.entry));
    EntryRow {
        run: scores.source.as_str().into(),
        entry: entry.entry.as_str().into(),
        solved: entry.solved,
        boards: entry.boards,
        relative_to_best_known: entry.score,
        par2_us: entry.par2_us,
        groups: groups.map(|(_, number)| number.to_string()).collect::<Vec<_>>().join(" "),
        place: places.map(|places| places.place),
        resampled_best: resampled.map(|range| range.best),
        resampled_worst: resampled.map(|range| range.worst),
        seed: comparison.resampling.seed,
    }
}

fn of_pair<'a>(kind: &'static str, pair: &'a Pair, seed: u64) -> PairRow<'a> {
    PairRow {
        kind,
        first_run: pair.first.source.as_str().into(),
        first: pair.first.entry.as_str().into(),
        second_run: pair.second.source.as_str().into(),
        second: pair.second.entry.as_str().into(),
        first_better: Some(pair.first_better),
        ties: Some(pair.ties),
        second_better: Some(pair.second_better),
        missing: Some(pair.missing),
        unknown: Some(pair.unknown),
        better: pair.better,
        decided_by: pair.decision.as_ref().map(|decision| decision.criterion.name()),
        family: Some(pair.family),
        sign_test_p: pair.sign_test.p,
        sign_test_corrected: pair.sign_test.corrected,
        sign_test_tests: Some(pair.sign_test.tests),
        both_solved: Some(pair.moves.boards),
        moves_mean: pair.moves.mean,
        moves_median: pair.moves.median,
        moves_median_low: pair.moves.median_interval.map(|interval| interval.low),
        moves_median_high: pair.moves.median_interval.map(|interval| interval.high),
        relative_to_best_known_boards: Some(pair.score.boards),
        relative_to_best_known_mean: pair.score.mean,
        relative_to_best_known_median: pair.score.median,
        relative_to_best_known_median_low: pair.score.median_interval.map(|interval| interval.low),
        relative_to_best_known_median_high: pair.score.median_interval.map(|interval| interval.high),
        sign_flip_test_p: pair.flips.p,
        sign_flip_test_corrected: pair.flips.corrected,
        sign_flip_test_tests: Some(pair.flips.tests),
        par2_us_mean: pair.par2_us.as_ref().and_then(|par2| par2.mean),
        seed: Some(seed),
        time_ratio: pair.time_ratio,
    }
}

fn of_board<'a>(kind: &'static str, pair: &'a Pair, line: &'a BoardLine) -> BoardRow<'a> {
    BoardRow {
        kind,
        first_run: pair.first.source.as_str().into(),
        first: pair.first.entry.as_str().into(),
        second_run: pair.second.source.as_str().into(),
        second: pair.second.entry.as_str().into(),
        board: line.board.as_str().into(),
        reconstruction: yes_or_no(line.reconstruction),
        outcome: line.outcome,
        first_cell: line.first.cell.as_deref().map(Text::from),
        second_cell: line.second.cell.as_deref().map(Text::from),
        moves_difference: line.moves_difference,
        relative_to_best_known_difference: line.score_difference,
        first_time_us: line.first.time_us,
        second_time_us: line.second.time_us,
        time_ratio: line.time_ratio,
    }
}
