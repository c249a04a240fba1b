//! The strategies as programs: shortest answers that the judge accepts, and refusals with a reason.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use judge_core::{games, referee};

/// Every strategy of this crate, and up to which n it answers at once.
const STRATEGIES: [(&str, &str, usize); 3] = [
    ("direct", env!("CARGO_BIN_EXE_swap-direct"), 200),
    ("pruned", env!("CARGO_BIN_EXE_swap-pruned"), 200),
    ("depth-first", env!("CARGO_BIN_EXE_swap-depth-first"), 18),
];

fn board(pieces: usize) -> String {
    "B".repeat(pieces) + "." + &"R".repeat(pieces) + "\n"
}

/// Writes a board file under a name no other test uses, and gives its path.
fn board_file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn run(entry: &str, arguments: &[&Path]) -> Output {
    Command::new(entry).args(arguments).output().unwrap()
}

/// What an entry answers to the board of a size.
fn answer(name: &str, entry: &str, pieces: usize) -> String {
    let output = run(entry, &[&board_file(&format!("{name}-{pieces}"), board(pieces))]);
    assert!(output.status.success() && output.stderr.is_empty(), "{name}, n = {pieces}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The judge finds the answer legal, solving and of the least length.
fn assert_shortest(name: &str, pieces: usize, answer: &str) {
    let game = (games::find("swap").unwrap().open)(&toml::Table::new()).unwrap();
    let puzzle = game.parse(board(pieces).as_bytes()).unwrap();
    let ruling = referee::rule(&*puzzle, answer.as_bytes()).unwrap();
    assert_eq!(ruling.illegal, None, "{name}, n = {pieces}");
    assert!(ruling.score.solved(), "{name}, n = {pieces}");
    let figures = (ruling.score.moves, ruling.score.tie_break);
    let n = pieces as u64;
    assert_eq!(figures, (n * (n + 2), n * n), "{name}, n = {pieces}");
}

#[test]
fn answers_are_shortest_for_every_size() {
    for (name, entry, most) in STRATEGIES {
        for pieces in 1..=most {
            assert_shortest(name, pieces, &answer(name, entry, pieces));
        }
    }
}

#[test]
fn a_thousand_pieces_are_no_trouble_for_those_who_make_no_wrong_moves() {
    for (name, entry, _) in STRATEGIES.into_iter().filter(|&(name, ..)| name != "depth-first") {
        let answer = answer(name, entry, 1000);
        assert_eq!(answer.lines().filter(|line| !line.is_empty()).count(), 1_002_000);
        assert_shortest(name, 1000, &answer);
    }
}

#[test]
fn for_three_all_give_the_printed_answer() {
    const PRINTED: &str = "3 -> 4, 5 -> 3, 6 -> 5, 4 -> 6, 2 -> 4, 1 -> 2, 3 -> 1, 5 -> 3, 7 -> 5, 6 -> 7, 4 -> 6, \
                           2 -> 4, 3 -> 2, 5 -> 3, 4 -> 5";
    for (name, entry, _) in STRATEGIES {
        assert_eq!(answer(name, entry, 3).trim().replace('\n', ", "), PRINTED, "{name}");
    }
}

#[test]
fn texts_that_are_no_board_are_refused_with_a_reason() {
    for (name, entry, _) in STRATEGIES {
        for text in [&b""[..], b".", b"B.RR", b"BB.R", b"R.B", b"B..R", b"BR", b"B.R B.R", b"b.r", b"B.\xff"] {
            let output = run(entry, &[&board_file(&format!("bad-{name}"), text)]);
            assert_eq!(output.status.code(), Some(2), "{name}: {text:?}");
            assert!(output.stdout.is_empty(), "{name}: {text:?}");
            let message = String::from_utf8(output.stderr).unwrap();
            let known = ["a board is a row such as BBB.RRR", "cannot read"];
            assert!(known.iter().any(|reason| message.contains(reason)), "{name}: {message}");
        }
        let good = board_file(&format!("good-{name}"), "\n B.R \r\n");
        assert!(run(entry, &[&good]).status.success(), "{name}: white space around the row");
        assert_eq!(run(entry, &[&good, &good]).status.code(), Some(2), "{name}");
    }
}
