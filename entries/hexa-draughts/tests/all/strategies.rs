//! The entries as programs: their games, replayed by the judge, and their errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use judge_command::{Ruling, ruling};

const BACKWARD: &str = env!("CARGO_BIN_EXE_hexa-backward");
const BRANCH_AND_BOUND: &str = env!("CARGO_BIN_EXE_hexa-branch-and-bound");

/// The fewest men for the rows 1 to 6, known as M(1) to M(6).
const LEAST: [u64; 6] = [2, 3, 5, 9, 17, 36];

/// Writes a board file and returns its path; each test uses its own names.
fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn run(entry: &str, arguments: &[&Path], limit_ms: u32) -> Output {
    Command::new(entry).args(arguments).env("JUDGE_LIMIT_MS", limit_ms.to_string()).output().unwrap()
}

/// Runs an entry on a row and replays its answer with the judge; also returns its standard error.
fn ruled(entry: &str, name: &str, row: u64, limit_ms: u32) -> (Ruling, String) {
    let board = board_file(name, &format!("row {row}\n"));
    let output = run(entry, &[&board], limit_ms);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{name}, row {row}: {} {messages}", output.status);
    let ruling = ruling("hexa-draughts", &board, output.stdout);
    assert!(ruling.is_legal(), "{name}, row {row}: {ruling:?}");
    (ruling, messages)
}

fn proves_least(row: u64) {
    let men = LEAST[usize::try_from(row).unwrap() - 1];
    let (ruling, messages) = ruled(BRANCH_AND_BOUND, &format!("least-{row}"), row, 600_000);
    assert_eq!(ruling.solving(), (men, men - 1), "row {row}: {messages}");
    assert!(messages.contains(&format!("proved least: M({row}) = {men} ")), "row {row}: {messages}");
}

#[test]
fn branch_and_bound_proves_the_fewest_men_up_to_row_5() {
    (1..=5).for_each(proves_least);
}

#[test]
fn branch_and_bound_proves_the_fewest_men_for_row_6() {
    proves_least(6);
}

#[test]
fn the_backward_search_finds_the_fewest_men_up_to_row_4() {
    for row in 1..=4 {
        let (ruling, messages) = ruled(BACKWARD, &format!("backward-{row}"), row, 600_000);
        let men = LEAST[usize::try_from(row).unwrap() - 1];
        assert_eq!(ruling.solving(), (men, men - 1), "row {row}: {messages}");
        if row == 4 {
            assert!(messages.starts_with("9 men: 408 ways back to 4 start positions\n"), "{messages}");
            assert_eq!(messages.lines().count(), 5, "{messages}");
        }
    }
}

#[test]
fn the_bound_on_the_men_is_an_option_before_the_board() {
    let board = board_file("bounded", "row 4\n");
    let bounded = |men: &str| run(BACKWARD, &[Path::new("--men"), Path::new(men), &board], 600_000);
    let enough = bounded("9");
    assert!(String::from_utf8(enough.stderr).unwrap().starts_with("9 men: 408 ways back to 4 start positions\n"));
    let too_few = bounded("8");
    assert!(too_few.status.success());
    assert_eq!(String::from_utf8(too_few.stderr).unwrap(), "no way back to at most 8 men\n");
    assert_eq!(too_few.stdout, b"\n", "the empty game");
    for wrong in ["0", "nine"] {
        let refused = bounded(wrong);
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(String::from_utf8(refused.stderr).unwrap(), "--men needs a whole number from 1\n");
    }
}

#[test]
fn an_entry_without_time_claims_nothing() {
    for (entry, name) in [(BACKWARD, "late-backward"), (BRANCH_AND_BOUND, "late-branch-and-bound")] {
        let (ruling, messages) = ruled(entry, name, 6, 1);
        assert_eq!(ruling.moves, 0, "{name}: a game for row 6 in a millisecond");
        assert!(!messages.contains("proved"), "{messages}");
    }
}

#[test]
fn invalid_arguments_and_boards_are_refused() {
    for (entry, name) in [(BACKWARD, "refusing-backward"), (BRANCH_AND_BOUND, "refusing-branch-and-bound")] {
        let refused = |arguments: &[&Path], reason: &str| {
            let output = run(entry, arguments, 1000);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), message.lines().count()), (Some(2), 1), "{message}");
            assert!(message.contains(reason) && output.stdout.is_empty(), "{reason:?} is not in {message:?}");
        };
        refused(&[], "board file");
        for (text, reason) in [
            ("", "expected `row N`"),
            ("line 4", "expected `row N`"),
            ("row 4 5", "expected `row N`"),
            ("row 0", "invalid row `0`; expected 1 to 20"),
            ("row four", "invalid row `four`; expected 1 to 20"),
        ] {
            refused(&[&board_file(name, text)], reason);
        }
    }
}
