//! The entries as programs: shortest answers that the judge accepts, and errors with a reason.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use judge_command::rulings;

/// Every entry of this crate, with the largest n that it answers immediately.
const ENTRIES: [(&str, &str, usize); 3] = [
    ("direct", env!("CARGO_BIN_EXE_swap-direct"), 200),
    ("pruned", env!("CARGO_BIN_EXE_swap-pruned"), 200),
    ("depth-first", env!("CARGO_BIN_EXE_swap-depth-first"), 18),
];

fn board(pieces: usize) -> String {
    "B".repeat(pieces) + "." + &"R".repeat(pieces) + "\n"
}

/// Writes a board file and returns its path; each test uses its own names.
fn board_file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn run(entry: &str, arguments: &[&Path]) -> Output {
    Command::new(entry).args(arguments).output().unwrap()
}

/// Runs an entry on the board of a size and returns its answer.
fn answer(name: &str, entry: &str, pieces: usize) -> String {
    let output = run(entry, &[&board_file(&format!("{name}-{pieces}"), board(pieces))]);
    assert!(output.status.success() && output.stderr.is_empty(), "{name}, n = {pieces}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that the judge finds the answer legal, solving and of the least length.
fn assert_shortest(name: &str, pieces: usize, answer: &str) {
    let n = pieces as u64;
    let ruling = &rulings("swap", &[(board(pieces), answer.to_owned())])[0];
    assert_eq!(ruling.solving(), (n * (n + 2), n * n), "{name}, n = {pieces}");
}

#[test]
fn answers_are_shortest_for_every_size() {
    thread::scope(|scope| {
        for (name, entry, most) in ENTRIES {
            scope.spawn(move || (1..=most).for_each(|n| assert_shortest(name, n, &answer(name, entry, n))));
        }
    });
}

#[test]
fn all_entries_except_depth_first_answer_a_thousand_pieces() {
    for (name, entry, _) in ENTRIES.into_iter().filter(|&(name, ..)| name != "depth-first") {
        let answer = answer(name, entry, 1000);
        assert_eq!(answer.lines().filter(|line| !line.is_empty()).count(), 1_002_000);
        assert_shortest(name, 1000, &answer);
    }
}

#[test]
fn all_give_the_printed_answer_for_three_pieces() {
    const PRINTED: &str = "3 -> 4, 5 -> 3, 6 -> 5, 4 -> 6, 2 -> 4, 1 -> 2, 3 -> 1, 5 -> 3, 7 -> 5, 6 -> 7, 4 -> 6, \
                           2 -> 4, 3 -> 2, 5 -> 3, 4 -> 5";
    for (name, entry, _) in ENTRIES {
        assert_eq!(answer(name, entry, 3).trim().replace('\n', ", "), PRINTED, "{name}");
    }
}

#[test]
fn invalid_boards_are_refused_with_a_reason() {
    for (name, entry, _) in ENTRIES {
        for text in [&b""[..], b".", b"B.RR", b"BB.R", b"R.B", b"B..R", b"BR", b"B.R B.R", b"b.r", b"B.\xff"] {
            let output = run(entry, &[&board_file(&format!("bad-{name}"), text)]);
            assert_eq!(output.status.code(), Some(2), "{name}: {text:?}");
            assert!(output.stdout.is_empty(), "{name}: {text:?}");
            let message = String::from_utf8(output.stderr).unwrap();
            let expected = ["invalid row; expected for example BBB.RRR", "cannot read"];
            assert!(expected.iter().any(|reason| message.contains(reason)), "{name}: {message}");
        }
        let good = board_file(&format!("good-{name}"), "\n B.R \r\n");
        assert!(run(entry, &[&good]).status.success(), "{name}: white space around the row");
        assert_eq!(run(entry, &[&good, &good]).status.code(), Some(2), "{name}");
    }
}
