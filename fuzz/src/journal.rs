//! A journal, and a table in every format of each journal that is accepted.
//!
//! What must hold: an incomplete line changes nothing; `results.csv` has the same table.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use judge_core::journal::{self, ContestState, FILE_NAME};
use judge_core::results::Results;
use judge_core::results_csv::write_runs;
use judge_report::Format;
use tempfile::TempDir;

use crate::common::{check_reports, new_folder, sealed, written};

thread_local! {
    static FOLDER: TempDir = new_folder();
}

/// Reads the journal, whose lines need no hashes. An incomplete last line changes nothing, and `results.csv` of a complete contest gives the same table as
/// its journal.
pub fn check(bytes: &[u8]) {
    FOLDER.with(|folder| check_in(folder.path(), bytes));
}

fn check_in(folder: &Path, bytes: &[u8]) {
    let Some(contents) = read(folder, bytes) else { return };
    let plan = &contents.plan;
    let results = Results::from_journal(&contents);
    check_reports(&results);
    // `judge resume` makes the same comparison.
    assert_eq!(plan.difference(plan), None);

    let end = bytes.iter().rposition(|&byte| byte == b'\n').expect("an accepted journal has a whole line") + 1;
    let reread =
        read(folder, &[&bytes[..end], br#"{"line":"run","se"#].concat()).expect("an incomplete line is no damage");
    let mut torn = contents.clone();
    torn.torn_bytes = 17;
    assert_eq!(reread, torn);

    let mut csv = Vec::new();
    write_runs(&contents, &mut csv).expect("memory can be written");
    if complete(&contents) {
        let again = Results::read_csv("results.csv", &*csv).expect("the judge reads its own CSV");
        assert_eq!(written(&again, Format::Csv), written(&results, Format::Csv));
    }
}

/// Reads a journal whose lines get the hashes of a chain first.
fn read(folder: &Path, bytes: &[u8]) -> Option<ContestState> {
    fs::write(folder.join(FILE_NAME), sealed(bytes)).expect("the folder can be written");
    journal::read(folder).map_err(|refusal| assert!(!refusal.to_string().is_empty())).ok()
}

/// True if every entry has a run on every board and no name is duplicate, as a contest file requires.
fn complete(contents: &ContestState) -> bool {
    let plan = &contents.plan;
    let entries: HashSet<&str> = plan.entries.iter().map(|entry| &*entry.name).collect();
    let boards: HashSet<&str> = plan.boards.iter().map(|board| &*board.name).collect();
    let runs: HashSet<(&str, &str)> = contents.records.iter().map(|run| (&*run.key.entry, &*run.key.board)).collect();
    let ran = |entry| boards.iter().all(|&board| runs.contains(&(entry, board)));
    !runs.is_empty()
        && (entries.len(), boards.len()) == (plan.entries.len(), plan.boards.len())
        && entries.iter().all(|&entry| ran(entry))
}
