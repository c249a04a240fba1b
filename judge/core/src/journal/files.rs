//! The files with what entries printed. Each attempt has its own, and no later one touches them.

use std::path::{Path, PathBuf};

use super::{Record, RunKey};

/// The folder of a results directory with what entries printed: `output/ROUND/ENTRY/BOARD.ATTEMPT.out` and `.err`.
/// Those of further repeats are one level below, in `repeat-2/`, `repeat-3/`, …
pub const OUTPUT: &str = "output";
/// The same in format 2, which had `runs/ENTRY/BOARD.out`.
const OUTPUT_OF_FORMAT_2: &str = "runs";

/// The file for an attempt's standard output.
pub fn stdout_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    let RunKey { round, entry, board, repeat } = key;
    let mut path = results.join(OUTPUT).join(round.to_string()).join(&**entry);
    if *repeat > 1 {
        path.push(format!("repeat-{repeat}"));
    }
    path.join(format!("{board}.{attempt}.out"))
}

/// The file for the head and the tail of an attempt's standard error.
pub fn stderr_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    stdout_file(results, key, attempt).with_extension("err")
}

/// The file for the positions that a referee left of an attempt's answer.
pub fn frames_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    stdout_file(results, key, attempt).with_extension("frames.jsonl")
}

/// The file with the positions that a referee left of a recorded run's answer. There may be none.
pub fn frames_of(results: &Path, record: &Record) -> PathBuf {
    stdout_of(results, record).with_extension("frames.jsonl")
}

/// The file with the standard output of a recorded run.
pub fn stdout_of(results: &Path, record: &Record) -> PathBuf {
    let key = &record.key;
    if record.of_format_2 {
        return results.join(OUTPUT_OF_FORMAT_2).join(&*key.entry).join(format!("{}.out", key.board));
    }
    stdout_file(results, key, record.attempt)
}

/// The file with the head and the tail of the standard error of a recorded run.
pub fn stderr_of(results: &Path, record: &Record) -> PathBuf {
    stdout_of(results, record).with_extension("err")
}
