//! The strategies as programs: their games, ruled by the judge, and what they refuse.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use judge::game::Standing;
use judge::{games, referee};

const BACKWARD: &str = env!("CARGO_BIN_EXE_hexa-backward");
const BRANCH_AND_BOUND: &str = env!("CARGO_BIN_EXE_hexa-branch-and-bound");

/// M(1) to M(6).
const LEAST: [u64; 6] = [2, 3, 5, 9, 17, 36];

/// Writes a board file under a name no other test uses, and gives its path.
fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn run(entry: &str, arguments: &[&Path], limit_ms: u32) -> Output {
    Command::new(entry).args(arguments).env("JUDGE_LIMIT_MS", limit_ms.to_string()).output().unwrap()
}

/// Runs an entry on a row and has the judge rule; what it said on standard error comes with the standing.
fn ruled(entry: &str, name: &str, row: u64, limit_ms: u32) -> (Standing, String) {
    let board = format!("row {row}\n");
    let output = run(entry, &[&board_file(name, &board)], limit_ms);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{name}, row {row}: {} {said}", output.status);
    let game = (games::find("hexa-draughts").unwrap().open)(&toml::Table::new()).unwrap();
    let ruling = referee::rule(&*game.parse(board.as_bytes()).unwrap(), &*output.stdout).unwrap();
    assert_eq!(ruling.illegal, None, "{name}, row {row}");
    (ruling.standing, said)
}

fn proves_least(row: u64) {
    let men = LEAST[usize::try_from(row).unwrap() - 1];
    let (standing, said) = ruled(BRANCH_AND_BOUND, &format!("least-{row}"), row, 600_000);
    assert!(standing.solved(), "row {row}: {said}");
    assert_eq!((standing.moves, standing.tie_break), (men, men - 1), "row {row}");
    assert!(said.contains(&format!("proved least: M({row}) = {men} ")), "row {row}: {said}");
}

#[test]
fn branch_and_bound_finds_the_fewest_men_up_to_row_5_and_proves_it() {
    (1..=5).for_each(proves_least);
}

#[test]
fn branch_and_bound_finds_the_fewest_men_for_row_6_and_proves_it() {
    proves_least(6);
}

#[test]
fn the_search_of_2015_finds_the_fewest_men_up_to_row_4_and_counts_ways_and_positions() {
    for row in 1..=4 {
        let (standing, said) = ruled(BACKWARD, &format!("backward-{row}"), row, 600_000);
        let men = LEAST[usize::try_from(row).unwrap() - 1];
        assert!(standing.solved(), "row {row}: {said}");
        assert_eq!((standing.moves, standing.tie_break), (men, men - 1), "row {row}");
        if row == 4 {
            assert!(said.starts_with("9 men: 408 ways back to 4 starting positions\n"), "{said}");
            assert_eq!(said.lines().count(), 5, "{said}");
        }
    }
}

#[test]
fn out_of_time_an_entry_prints_nothing_or_a_legal_game_and_claims_no_proof() {
    for (entry, name) in [(BACKWARD, "late-backward"), (BRANCH_AND_BOUND, "late-branch-and-bound")] {
        let (standing, said) = ruled(entry, name, 6, 1);
        assert_eq!(standing.moves, 0, "{name}: a game for row 6 in a millisecond");
        assert!(!said.contains("proved"), "{said}");
    }
}

#[test]
fn unusable_arguments_and_boards_are_refused() {
    for (entry, name) in [(BACKWARD, "refusing-backward"), (BRANCH_AND_BOUND, "refusing-branch-and-bound")] {
        let refused = |arguments: &[&Path], reason: &str| {
            let output = run(entry, arguments, 1000);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
            assert!(said.contains(reason) && output.stdout.is_empty(), "{reason:?} is not in {said:?}");
        };
        refused(&[], "give the path of a board file as the only argument");
        for (text, reason) in [
            ("", "write `row N`"),
            ("line 4", "write `row N`"),
            ("row 4 5", "write `row N`"),
            ("row 0", "`0` is no row from 1 to 20"),
            ("row four", "`four` is no row from 1 to 20"),
        ] {
            refused(&[&board_file(name, text)], reason);
        }
    }
}
