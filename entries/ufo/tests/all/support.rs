//! Helpers to run the programs of this crate.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use judge_command::rulings;
use ufo_kit::answer::Cost;

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

/// Writes a board file and returns its path; each test uses its own names.
pub(crate) fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Answers with the claim that they solve their boards in this many moves and steps.
#[derive(Default)]
pub(crate) struct Claims {
    answers: Vec<(String, String)>,
    costs: Vec<(u64, u64)>,
}

impl Claims {
    pub(crate) fn add(&mut self, board: impl ToString, answer: impl ToString, cost: Cost) {
        self.answers.push((board.to_string(), answer.to_string()));
        self.costs.push((cost.moves.into(), cost.steps.into()));
    }

    /// Asserts that the judge confirms each.
    pub(crate) fn assert(&self) {
        for ((ruling, cost), (board, answer)) in
            rulings("ufo", &self.answers).iter().zip(&self.costs).zip(&self.answers)
        {
            assert_eq!(
                (ruling.is_solved(), ruling.moves, ruling.tie_break),
                (true, cost.0, cost.1),
                "{answer} on\n{board}"
            );
        }
    }
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
