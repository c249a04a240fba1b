//! Feeds a CSV file of results, of runs or with one row an entry, and writes what is accepted in every format.
//! The CSV among these reads back as the same table, to the byte.

#![no_main]

use judge_core::plan::RankKey;
use judge::report::Format;
use judge_core::results::Results;
use judge_fuzz::{check_reports, written};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
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
    let again = again.unwrap_or_else(|refusal| panic!("the judge does not read what it wrote: {refusal}\n{csv}"));
    assert_eq!(written(&again, Format::Csv), csv);

    // What `judge rank` can be asked for beside that.
    let board = results.boards.first().map(|board| vec![board.name.clone()]);
    let entry = results.rows.first().map(|row| vec![row.entry.name.clone()]);
    let some = results.ranked_by(vec![RankKey::Time, RankKey::Moves]).only(board.as_deref(), entry.as_deref());
    check_reports(&some.expect("what the file names can be chosen"));
});
