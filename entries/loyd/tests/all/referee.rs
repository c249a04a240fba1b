//! A short third implementation of the rules, which shares no code with the library or the judge, and boards for tests.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// The time limit for entries that finish by themselves, so long that the clock decides nothing: ten minutes.
pub(crate) const PLENTY: Duration = Duration::from_secs(600);

/// The goal on one line, without spaces.
pub(crate) const PERFECTION: &str = "ABCDEFGHIJKLMNOPQRSTUVWX+";

/// Boards from the write-ups of the contest.
pub(crate) const SOURCE_BOARDS: [(&str, &str); 4] = [
    ("trap", "FBCDE KAGHJ PLMIO UQRNT VWXS+"),
    ("ring", "+ABCD GHIJE FKLMN QRSTO PUVWX"),
    ("swap-ab", "BACDE FGHIJ KLMNO PQRST UVWX+"),
    ("rotated", "+XWVU TSRQP ONMLK JIHGF EDCBA"),
];

/// The board after the answer, on one line without spaces; `Err` with the first illegal move, counted from 1.
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

/// Makes `count` shuffled boards, always the same for the same seed (xorshift, Fisher and Yates).
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

/// Writes a board file and returns its path. The caller chooses a name that no other test uses.
pub(crate) fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs an entry on these arguments with [`PLENTY`] of time.
pub(crate) fn run(entry: impl AsRef<OsStr>, arguments: &[&Path]) -> Output {
    run_within(PLENTY, entry, arguments)
}

/// Runs an entry on these arguments with this time limit in its environment. The test does not enforce the limit.
pub(crate) fn run_within(limit: Duration, entry: impl AsRef<OsStr>, arguments: &[&Path]) -> Output {
    Command::new(entry).args(arguments).env("JUDGE_LIMIT_MS", limit.as_millis().to_string()).output().unwrap()
}

/// Runs an entry on a board with [`PLENTY`] of time, and returns the board after its answer.
///
/// # Panics
/// As [`replayed_or_none`], and if there is no answer.
pub(crate) fn replayed(entry: impl AsRef<OsStr>, file: &str, board: &str) -> String {
    replayed_or_none(PLENTY, entry, file, board).unwrap_or_else(|| panic!("{file} {board}: no answer"))
}

/// Runs an entry on a board with this time limit, and returns the board after its answer; `None` if it reports that it
/// has no answer, with a reason and exit code 1.
///
/// # Panics
/// If the entry fails, writes to standard error besides an answer, prints more than one line or an illegal move.
pub(crate) fn replayed_or_none(limit: Duration, entry: impl AsRef<OsStr>, file: &str, board: &str) -> Option<String> {
    let output = run_within(limit, entry, &[&board_file(file, board)]);
    let answer = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(1) && errors.starts_with("no answer: ") && errors.lines().count() == 1 {
        assert!(answer.is_empty(), "{file} {board}: {answer:?}");
        return None;
    }
    assert!(output.status.success(), "{file} {board}: {}", output.status);
    assert!(errors.is_empty(), "{file} {board}: {errors:?}");
    assert_eq!(answer.lines().count(), 1, "{file} {board}: {answer:?}");
    Some(replay(board, &answer).unwrap_or_else(|illegal| panic!("{file} {board}: {illegal}")))
}

/// Asserts that an entry refuses its argument: exit code 2, a reason on standard error, no answer.
pub(crate) fn assert_refused(output: &Output, reason: &str) {
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains(reason), "{reason:?} is not in {errors:?}");
    assert_eq!(errors.lines().count(), 1, "{errors:?}");
    assert!(output.stdout.is_empty());
}
