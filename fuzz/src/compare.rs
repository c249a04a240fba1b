//! One to three results that are compared, and every format of the comparison.
//!
//! What must hold: every format and detail is printable; JSON and CSV can be read.

use judge_core::compare::{Comparison, DEFAULT_SEED, Source};
use judge_core::text::controls_output;
use judge_report::{ComparisonFormat, Rows, write_comparison};

use crate::sources::{plain, with_sources};

/// Compares everything that can be read, as `judge compare` does. Text is printable, JSON is JSON, and CSV has rows of one
/// width.
pub fn check(bytes: &[u8]) {
    with_sources(bytes, |sources| check_sources(&plain(sources)));
}

/// Compares results that were read, as `judge compare` does, and checks every format of the comparison.
pub(crate) fn check_sources(sources: &[Source]) {
    if sources.is_empty() {
        return;
    }
    let comparison = match Comparison::from_sources(sources.to_vec(), None, DEFAULT_SEED) {
        Ok(comparison) => comparison,
        Err(refusal) => return assert!(!refusal.to_string().is_empty()),
    };
    check_formats(&comparison);
    check_formats(&comparison.only_differences());
}

fn check_formats(comparison: &Comparison) {
    let written = |format, rows| {
        let mut bytes = Vec::new();
        write_comparison(comparison, format, rows, &mut bytes).expect("memory can be written");
        String::from_utf8(bytes).expect("a comparison is UTF-8")
    };
    let table = written(ComparisonFormat::Table, Rows::Pairs);
    assert_eq!(table.chars().find(|&c| controls_output(c) && c != '\n'), None, "{table:?}");
    for rows in [Rows::Entries, Rows::Pairs, Rows::Boards] {
        let json = written(ComparisonFormat::Json, rows);
        assert_eq!(json.chars().find(|&c| controls_output(c) && c != '\n'), None);
        serde_json::from_str::<serde_json::Value>(&json).expect("JSON is JSON");
        let csv = written(ComparisonFormat::Csv, rows);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        assert!(reader.records().all(|row| row.is_ok()), "{csv}");
    }
}
