//! A referee of a few lines, sharing no code with the kit or the judge, and boards to run entries on.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(dead_code, reason = "not every test file uses every helper")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// The goal, rows run together.
pub(crate) const PERFECTION: &str = "ABCDEFGHIJKLMNOPQRSTUVWX+";

/// Boards the write-ups of the contest name.
pub(crate) const SOURCE_BOARDS: [(&str, &str); 4] = [
    ("trap", "FBCDE KAGHJ PLMIO UQRNT VWXS+"),
    ("ring", "+ABCD GHIJE FKLMN QRSTO PUVWX"),
    ("swap-ab", "BACDE FGHIJ KLMNO PQRST UVWX+"),
    ("rotated", "+XWVU TSRQP ONMLK JIHGF EDCBA"),
];

/// The board after the answer, rows run together; `Err` with the first illegal move, counted from 1.
pub(crate) fn replay(board: &str, answer: &str) -> Result<String, String> {
    let mut spots: Vec<char> = board.chars().filter(|c| !c.is_whitespace()).collect();
    for (index, letter) in answer.chars().filter(|c| !c.is_whitespace()).enumerate() {
        let empty = spots.iter().position(|&c| c == '+').unwrap();
        let from = match letter {
            'u' if empty < 20 => empty + 5,
            'd' if empty > 4 => empty - 5,
            'l' if empty % 5 < 4 => empty + 1,
            'r' if empty % 5 > 0 => empty - 1,
            't' if empty != 12 => 12,
            _ => return Err(format!("move {}: {letter:?} is illegal", index + 1)),
        };
        spots.swap(empty, from);
    }
    Ok(spots.into_iter().collect())
}

/// So many shuffled boards, the same for the same seed (xorshift, Fisher and Yates).
pub(crate) fn shuffled(seed: u64, count: usize) -> Vec<String> {
    let mut state = seed;
    let mut below = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from((state >> 11) % u64::try_from(limit).unwrap()).unwrap()
    };
    (0..count)
        .map(|_| {
            let mut symbols: Vec<char> = PERFECTION.chars().collect();
            for last in (1..symbols.len()).rev() {
                symbols.swap(last, below(last + 1));
            }
            symbols.into_iter().collect()
        })
        .collect()
}

/// Writes a board file under a name no other test uses, and gives its path.
pub(crate) fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs an entry on these arguments, with ten seconds to answer in.
pub(crate) fn run(entry: impl AsRef<OsStr>, arguments: &[&Path]) -> Output {
    run_within(Duration::from_secs(10), entry, arguments)
}

/// Runs an entry on these arguments and tells it this limit, which nobody enforces here.
pub(crate) fn run_within(limit: Duration, entry: impl AsRef<OsStr>, arguments: &[&Path]) -> Output {
    Command::new(entry).args(arguments).env("JUDGE_LIMIT_MS", limit.as_millis().to_string()).output().unwrap()
}

/// Runs an entry on a board, with ten seconds to answer in, and gives the board its answer leads to.
///
/// # Panics
/// As [`judged_or_passed`], and if there is no answer.
pub(crate) fn judged(entry: impl AsRef<OsStr>, file: &str, board: &str) -> String {
    judged_or_passed(Duration::from_secs(10), entry, file, board).unwrap_or_else(|| panic!("{file} {board}: no answer"))
}

/// Runs an entry on a board, tells it this limit, and gives the board its answer leads to; `None` if it says that it
/// has no answer, with a reason and exit code 1.
///
/// # Panics
/// If the entry fails, says anything on standard error beside an answer, prints more than one line or an illegal move.
pub(crate) fn judged_or_passed(limit: Duration, entry: impl AsRef<OsStr>, file: &str, board: &str) -> Option<String> {
    let output = run_within(limit, entry, &[&board_file(file, board)]);
    let answer = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(1) && said.starts_with("no answer: ") && said.lines().count() == 1 {
        assert!(answer.is_empty(), "{file} {board}: {answer:?}");
        return None;
    }
    assert!(output.status.success(), "{file} {board}: {}", output.status);
    assert!(said.is_empty(), "{file} {board}: {said:?}");
    assert_eq!(answer.lines().count(), 1, "{file} {board}: {answer:?}");
    Some(replay(board, &answer).unwrap_or_else(|illegal| panic!("{file} {board}: {illegal}")))
}

/// Asserts that an entry refuses its argument: exit code 2, a reason on standard error, no answer.
pub(crate) fn assert_refused(output: &Output, reason: &str) {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(reason), "{reason:?} is not in {said:?}");
    assert_eq!(said.lines().count(), 1, "{said:?}");
    assert!(output.stdout.is_empty());
}
