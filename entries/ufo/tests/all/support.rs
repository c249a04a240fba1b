//! Helpers to run the programs of this crate.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder of the recorded boards.
pub(crate) fn boards_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/ufo")
}

/// Creates an empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("atlas").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder with the files of the 26 groups of the article's tables. The first test that needs it has `ufo-atlas` solve
/// them, for all tests of this program.
pub(crate) fn solved() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = folder("solved");
        let table = [Path::new("table"), Path::new("--keep"), &folder];
        assert!(run(env!("CARGO_BIN_EXE_ufo-atlas"), &table).status.success());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 26);
        folder
    })
}

/// Writes a board file and returns its path; each test uses names of its own.
pub(crate) fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Runs a program on these arguments.
pub(crate) fn run(program: impl AsRef<OsStr>, arguments: &[&Path]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

/// Returns the standard output of a program that must succeed and print nothing on standard error.
pub(crate) fn printed(program: impl AsRef<OsStr>, arguments: &[&Path]) -> String {
    let output = run(program, arguments);
    assert!(output.stderr.is_empty(), "{:?}", String::from_utf8(output.stderr));
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Asserts that a program refuses its arguments: exit code 2, the reason on one line of standard error, no answer.
pub(crate) fn assert_refused(output: &Output, reason: &str) {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(reason), "{reason:?} is not in {message:?}");
    assert_eq!(message.lines().count(), 1, "{message:?}");
    assert!(output.stdout.is_empty());
}
