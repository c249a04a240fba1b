//! A problem package instead of a contest, for commands that do not need its submissions. Its contest is written to a
//! separate folder, and nothing is written into the package.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::import::report_unstarted;
use super::isolation::available;
use super::{Failure, environment, notice};
use crate::import::Programs;
use judge_contest::FILE_NAME;
use judge_package::{Package, Written};
use judge_sandbox::{Interrupt, IsolationMode};
use tempfile::TempDir;

/// The files that mark a folder as a package. One of them is enough.
const PACKAGE_FILES: [&str; 2] = ["problem.yaml", "task.yaml"];
/// The time limit of a package that has none, in seconds.
const USUAL_SECONDS: f64 = 10.0;

/// The contest of a package, in a folder that is removed with this.
pub(super) struct PackageFolder {
    pub(super) package: Package,
    pub(super) written: Written,
    /// The folder that the package was read from.
    root: PathBuf,
    folder: TempDir,
}

/// Tests whether a path is a package and not a contest.
pub(super) fn is_package(path: &Path) -> bool {
    PACKAGE_FILES.iter().any(|file| path.join(file).is_file()) && !path.join(FILE_NAME).is_file()
}

impl PackageFolder {
    /// Reads a package and writes its contest, with only these test cases if any are named. `solver` is the command of
    /// a try; with it, one entry replaces the submissions. The entry has the answers that the command names if the
    /// package takes answers, otherwise a placeholder for a program.
    pub(super) fn open(
        root: &Path,
        cases: &[String],
        limit: Option<Duration>,
        solver: Option<&[String]>,
        isolation: IsolationMode,
    ) -> Result<Self, Failure> {
        let mut package = Package::read(root).map_err(Failure::input)?;
        package.notices.iter().for_each(notice);
        if !cases.is_empty() {
            package.keep_cases(cases).map_err(Failure::input)?;
        }
        let entry = solver.map(|command| entry_of(&package, command)).transpose()?;
        if entry.is_some() {
            package.submissions.clear();
        }
        let known = limit.map(|limit| limit.as_secs_f64()).or(package.metadata.limits.time);
        // Submitted answers are not executed, so any limit will do.
        let known = known.or(package.metadata.submit_answer.then_some(1.0));
        let seconds = known.unwrap_or_else(|| {
            notice(format!(
                "the package has no time limit; {USUAL_SECONDS} s are used here, and `judge import` finds one"
            ));
            USUAL_SECONDS
        });
        let folder = tempfile::tempdir().map_err(Failure::judge)?;
        let written = {
            let interrupt = Interrupt::never().map_err(Failure::judge)?;
            let tried = tempfile::tempdir().map_err(Failure::judge)?;
            let executor = available(isolation, &interrupt)?;
            let programs = Programs::new(&executor, tried.path(), &environment("PATH").unwrap_or_default());
            let written = programs.write(&package, folder.path(), seconds);
            report_unstarted(&programs);
            written.map_err(|error| Failure::importing(error, &interrupt))?
        };
        if let Some(entry) = entry {
            let file = folder.path().join(FILE_NAME);
            let whole = fs::read_to_string(&file).and_then(|text| fs::write(&file, text + &entry));
            whole.map_err(|error| Failure::judge(format!("{}: {error}", file.display())))?;
        }
        Ok(Self { package, written, root: root.to_owned(), folder })
    }

    /// True if the package takes answers, so that nothing is executed.
    pub(super) fn takes_answers(&self) -> bool {
        self.package.metadata.submit_answer
    }

    /// The folder with the contest file.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Tests whether a path leads into the package.
    pub(super) fn contains(&self, path: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        real(path).starts_with(real(&self.root))
    }
}

/// The only entry of the contest that tries a command, as a table of the contest file.
fn entry_of(package: &Package, command: &[String]) -> Result<String, Failure> {
    let begin = "\n[[entry]]\nname = \"solver\"\n";
    if !package.metadata.submit_answer {
        return Ok(format!("{begin}command = [\"true\"]\n"));
    }
    let answers = |word: &str| Path::new(word).is_dir() || judge_contest::archive::is_archive(word);
    let [word] = command else {
        return Err(Failure::input(format!("{NEEDS_ANSWERS}, not a command")));
    };
    if !answers(word) {
        return Err(Failure::input(format!("{word}: {NEEDS_ANSWERS}")));
    }
    let path = std::path::absolute(word).map_err(Failure::judge)?;
    Ok(format!("{begin}answers = {}\n", toml::Value::from(path.to_string_lossy().into_owned())))
}

/// The remedy for a command in a place where answers are expected.
const NEEDS_ANSWERS: &str = "the package takes answers: behind `--`, name a folder, a .zip or a .tar.gz with a file per test case, such \
                             as secret/1.out";
