//! The rules once more, as plainly as can be, and helpers to run entries.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(dead_code, unused_imports, reason = "not every test file uses every helper")]

pub(crate) mod article;
pub(crate) mod draw;
pub(crate) mod naive;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The recorded boards.
pub(crate) fn boards_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/ufo")
}

/// Writes a board file under a name no other test uses, and gives its path.
pub(crate) fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs a program on these arguments.
pub(crate) fn run(program: impl AsRef<OsStr>, arguments: &[&Path]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

/// Standard output of a program that has to succeed and to be silent on standard error.
pub(crate) fn printed(program: impl AsRef<OsStr>, arguments: &[&Path]) -> String {
    let output = run(program, arguments);
    assert!(output.stderr.is_empty(), "{:?}", String::from_utf8(output.stderr));
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that a program refuses its arguments: exit code 2, a reason on standard error, no answer.
pub(crate) fn assert_refused(output: &Output, reason: &str) {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(reason), "{reason:?} is not in {said:?}");
    assert_eq!(said.lines().count(), 1, "{said:?}");
    assert!(output.stdout.is_empty());
}
