//! Feeds a journal, and makes a table in every format of what is accepted.
//! A torn last line changes nothing; `results.csv` of a whole contest gives the same table as its journal.

#![no_main]

use std::collections::HashSet;
use std::fs;

use judge_core::plan::{Plan, RankKey};
use judge_core::journal::{self, Contents, FILE_NAME};
use judge::report::Format;
use judge_core::results::{Results, write_runs};
use judge_fuzz::{check_reports, folder, written};
use libfuzzer_sys::fuzz_target;

fn read(bytes: &[u8]) -> Option<Contents> {
    fs::write(folder().join(FILE_NAME), bytes).expect("the folder can be written");
    journal::read(folder()).map_err(|refusal| assert!(!refusal.to_string().is_empty())).ok()
}

/// Whether every entry has run on every board, and all have names of their own, as a contest file demands.
fn whole(contents: &Contents) -> bool {
    let plan = &contents.plan;
    let entries: HashSet<_> = plan.entries.iter().map(|entry| &entry.name).collect();
    let boards: HashSet<_> = plan.boards.iter().map(|board| &board.name).collect();
    let runs: HashSet<_> = contents.records.iter().map(|run| (&run.key.entry, &run.key.board)).collect();
    let ran = |entry| boards.iter().all(|&board| runs.contains(&(entry, board)));
    !runs.is_empty()
        && (entries.len(), boards.len()) == (plan.entries.len(), plan.boards.len())
        && entries.iter().all(|&entry| ran(entry))
}

fuzz_target!(|bytes: &[u8]| {
    let Some(contents) = read(bytes) else { return };
    let plan = &contents.plan;
    let results = Results::of_journal(&contents);
    check_reports(&results);
    // As `--resume` compares the header's plan.
    assert_eq!(plan.difference(plan), None);

    let end = bytes.iter().rposition(|&byte| byte == b'\n').expect("an accepted journal has a whole line") + 1;
    let torn = read(&[&bytes[..end], br#"{"line":"run","se"#].concat()).expect("a torn line is no damage");
    assert_eq!(torn, Contents { torn_bytes: 17, ..contents.clone() });

    let mut csv = Vec::new();
    write_runs(&contents, &mut csv).expect("memory can be written");
    if whole(&contents) {
        let again = Results::read_csv("results.csv", &*csv).expect("the judge reads what it wrote");
        // A CSV file does not say how its contest ranks.
        let plan = Plan { ranking: RankKey::DEFAULT_ORDER.into(), ..plan.clone() };
        let results = Results::of_journal(&Contents { plan, ..contents });
        assert_eq!(written(&again, Format::Csv), written(&results, Format::Csv));
    }
});
