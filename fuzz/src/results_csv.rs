//! A CSV file of results: one row per run, or one row per entry.
//!
//! What must hold: the CSV written from it reads back to the byte.

use judge_core::plan::RankKey;
use judge_core::results::Results;
use judge_report::Format;

use crate::common::{check_reports, written};

/// Reads the file and writes accepted results in every format. The CSV among these reads back as the same table, to the byte.
pub fn check(bytes: &[u8]) {
    let results = match Results::read_csv("fuzz.csv", bytes) {
        Ok(results) => results,
        Err(refusal) => {
            assert!(refusal.to_string().starts_with("fuzz.csv: "));
            return;
        }
    };
    check_reports(&results);

    let csv = written(&results, Format::Csv);
    let again = Results::read_csv("again.csv", csv.as_bytes());
    let again = again.unwrap_or_else(|refusal| panic!("the judge does not read its own CSV: {refusal}\n{csv}"));
    assert_eq!(written(&again, Format::Csv), csv);

    // `judge rank` has options for another order and for a selection.
    let board = results.boards.first().map(|board| vec![board.name.clone()]);
    let on_it = results.rows.iter().find(|row| row.cells.first().is_none_or(|cell| !cell.not_planned));
    let entry = on_it.map(|row| vec![row.entry.name.clone()]);
    let some = results.ranked_by(&[RankKey::Time, RankKey::MOVES]).only(board.as_deref(), entry.as_deref());
    check_reports(&some.expect("boards and entries of the file can be selected"));
}
