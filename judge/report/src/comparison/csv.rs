//! Comparisons as CSV. All rows of a file are of one kind: entries, pairs, or pairs on boards.
//!
//! The column `kind` is `entries` for two entries and `change` for one entry in two sets of results. Differences are
//! the second's value minus the first's; ratios are the second's divided by the first's; times are in microseconds.

use std::io::Write;

use csv::Writer;
use serde::Serialize;
use serde_json::Value;

use super::Rows;
use judge_core::compare::{BoardLine, Comparison, Differences, EntryScore, Pair, Scores};
use judge_core::results_csv::{Text, yes_or_no};

/// A row: the headings of its columns, and their values.
type CsvRow = Vec<(&'static str, Value)>;

pub(super) fn write(comparison: &Comparison, rows: Rows, out: &mut dyn Write) -> csv::Result<()> {
    let mut writer = Writer::from_writer(out);
    let kinds = [("entries", &comparison.pairs), ("change", &comparison.changes)];
    let pairs = || kinds.into_iter().flat_map(|(kind, pairs)| pairs.iter().map(move |pair| (kind, pair)));
    let seed = comparison.resampling.seed;
    let entries =
        || comparison.scores.iter().flat_map(|scores| scores.entries.iter().map(move |entry| (scores, entry)));
    let all: &mut dyn Iterator<Item = CsvRow> = match rows {
        Rows::Entries => &mut entries().map(|(scores, entry)| of_entry(comparison, scores, entry)),
        Rows::Pairs => &mut pairs().map(|(kind, pair)| of_pair(kind, pair, seed)),
        Rows::Boards => {
            &mut pairs().flat_map(|(kind, pair)| pair.boards.iter().map(move |line| of_board(kind, pair, line)))
        }
    };
    for (number, row) in all.enumerate() {
        let (headings, values): (Vec<&str>, Vec<Value>) = row.into_iter().unzip();
        if number == 0 {
            writer.write_record(headings)?;
        }
        writer.serialize(values)?;
    }
    writer.flush()?;
    Ok(())
}

fn text(text: &str) -> Value {
    word(Text::from(text))
}

/// The word that JSON has for a value.
fn word(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn of_entry(comparison: &Comparison, scores: &Scores, entry: &EntryScore) -> CsvRow {
    let stability = comparison.stability.iter().find(|stability| stability.source == scores.source);
    let places = stability.and_then(|stability| stability.entries.iter().find(|places| places.entry == entry.entry));
    let resampled = places.and_then(|places| places.resampled.as_ref());
    let groups = scores.groups.iter().zip(1..).filter(|(group, _)| group.contains(&entry.entry));
    vec![
        ("run", text(&scores.source)),
        ("entry", text(&entry.entry)),
        ("solved", entry.solved.into()),
        ("boards", entry.boards.into()),
        ("relative_to_best_known", entry.score.into()),
        ("par2_us", entry.par2_us.into()),
        // The numbers of the groups that no test separates, from 1.
        ("groups", groups.map(|(_, number): (_, u32)| number.to_string()).collect::<Vec<_>>().join(" ").into()),
        ("place", places.map(|places| places.place).into()),
        ("resampled_best", resampled.map(|range| range.best).into()),
        ("resampled_worst", resampled.map(|range| range.worst).into()),
        ("seed", comparison.resampling.seed.into()),
    ]
}

/// The columns that name a pair.
fn names(kind: &'static str, pair: &Pair) -> CsvRow {
    vec![
        ("kind", kind.into()),
        ("first_run", text(&pair.first.source)),
        ("first", text(&pair.first.entry)),
        ("second_run", text(&pair.second.source)),
        ("second", text(&pair.second.entry)),
    ]
}

fn of_pair(kind: &'static str, pair: &Pair, seed: u64) -> CsvRow {
    let ends = |differences: &Differences| {
        let interval = differences.median_interval.map(|interval| (interval.low, interval.high));
        interval.unzip()
    };
    let ((moves_low, moves_high), (score_low, score_high)) = (ends(&pair.moves), ends(&pair.score));
    let mut row = names(kind, pair);
    row.extend([
        ("first_better", Value::from(pair.first_better)),
        ("ties", pair.ties.into()),
        ("second_better", pair.second_better.into()),
        ("missing", pair.missing.into()),
        ("unknown", pair.unknown.into()),
        ("better", word(pair.better)),
        ("decided_by", pair.decision.as_ref().map(|decision| decision.criterion.name()).into()),
        ("family", pair.family.into()),
        ("sign_test_p", pair.sign_test.p.into()),
        ("sign_test_corrected", pair.sign_test.corrected.into()),
        ("sign_test_tests", pair.sign_test.tests.into()),
        ("both_solved", pair.moves.boards.into()),
        ("moves_mean", pair.moves.mean.into()),
        ("moves_median", pair.moves.median.into()),
        ("moves_median_low", moves_low.into()),
        ("moves_median_high", moves_high.into()),
        ("relative_to_best_known_boards", pair.score.boards.into()),
        ("relative_to_best_known_mean", pair.score.mean.into()),
        ("relative_to_best_known_median", pair.score.median.into()),
        ("relative_to_best_known_median_low", score_low.into()),
        ("relative_to_best_known_median_high", score_high.into()),
        ("sign_flip_test_p", pair.flips.p.into()),
        ("sign_flip_test_corrected", pair.flips.corrected.into()),
        ("sign_flip_test_tests", pair.flips.tests.into()),
        ("par2_us_mean", pair.par2_us.as_ref().and_then(|par2| par2.mean).into()),
        ("seed", seed.into()),
        ("time_ratio", pair.time_ratio.into()),
    ]);
    row
}

fn of_board(kind: &'static str, pair: &Pair, line: &BoardLine) -> CsvRow {
    let mut row = names(kind, pair);
    row.extend([
        ("board", text(&line.board)),
        ("reconstruction", yes_or_no(line.reconstruction).into()),
        ("outcome", word(line.outcome)),
        ("first_cell", line.first.cell.as_deref().map(text).into()),
        ("second_cell", line.second.cell.as_deref().map(text).into()),
        // It can have more digits than a number in JSON.
        ("moves_difference", line.moves_difference.map(|moves| moves.to_string()).into()),
        ("relative_to_best_known_difference", line.score_difference.into()),
        ("first_time_us", line.first.time_us.into()),
        ("second_time_us", line.second.time_us.into()),
        ("time_ratio", line.time_ratio.into()),
    ]);
    row
}
