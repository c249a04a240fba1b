//! A contest file beside one good board.
//!
//! What must hold: the plan survives the journal; its entries and boards can be selected.

use std::fs;
use std::path::Path;

use judge_contest::{Contest, FILE_NAME, Overrides, Plan};
use tempfile::TempDir;

use crate::common::new_folder;

thread_local! {
    static FOLDER: TempDir = {
        let folder = new_folder();
        let board = folder.path().join("near.txt");
        fs::write(board, "ABCDE FGHIJ KL+MN PQRSO UVWXT").expect("the folder can be written");
        folder
    };
}

/// Loads the contest file. An accepted contest is complete, its plan survives the journal's JSON, and `Overrides` select from
/// it.
pub fn check(file: &[u8]) {
    FOLDER.with(|folder| check_in(folder.path(), file));
}

fn check_in(folder: &Path, file: &[u8]) {
    fs::write(folder.join(FILE_NAME), file).expect("the folder can be written");
    let contest = match Contest::load(folder, &Overrides::default()) {
        Ok(contest) => contest,
        Err(refusal) => {
            assert!(!refusal.to_string().is_empty());
            return;
        }
    };
    let plan = &contest.plan;
    assert!(!plan.boards.is_empty() && !plan.entries.is_empty() && !plan.ranking.is_empty());
    for entry in &plan.entries {
        assert!(!entry.command[0].is_empty() && !contest.command(entry).is_empty());
        assert!(plan.limits_of(entry).all(|limits| limits.wall_ms > 0));
    }

    // `judge resume` recognises a contest by comparing the file's plan with the journal's.
    let json = serde_json::to_string(plan).expect("a plan has a JSON form");
    let journal: Plan = serde_json::from_str(&json).expect("and can be read from it");
    assert_eq!(journal.difference(plan), None);
    assert_eq!(journal, **plan);

    let mut some = Overrides::default();
    (some.wall_ms, some.entries) = (Some(1), Some(vec![plan.entries[0].name.clone()]));
    some.boards = Some(vec![plan.boards[0].name.clone()]);
    let some = Contest::load(folder, &some).expect("entries and boards of the file can be selected");
    assert_eq!((some.plan.entries.len(), some.plan.boards.len(), some.plan.problems[0].limits.wall_ms), (1, 1, 1));
}
