//! A problem package in place of a contest, for commands that need no submissions of it: its contest is written to a folder
//! of its own, and nothing into the package.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Failure, environment, say};
use judge_contest::FILE_NAME;
use judge_import::Programs;
use judge_package::{Package, Written};
use judge_sandbox::{Interrupt, IsolationMode, LocalExecutor};
use tempfile::TempDir;

/// The file that makes a folder a package.
const PACKAGE_FILE: &str = "problem.yaml";
/// The time limit of a package that has none, in seconds.
const USUAL_SECONDS: f64 = 10.0;

/// The contest of a package, in a folder that is removed with this.
pub(super) struct PackageFolder {
    pub(super) package: Package,
    pub(super) written: Written,
    /// The package's folder.
    root: PathBuf,
    folder: TempDir,
}

/// Tests whether a path is a package and no contest.
pub(super) fn is_package(path: &Path) -> bool {
    path.join(PACKAGE_FILE).is_file() && !path.join(FILE_NAME).is_file()
}

impl PackageFolder {
    /// Reads a package and writes its contest, on these test cases if any are named. With `solver` it has one entry instead of
    /// the submissions, for a program to be put in its place.
    pub(super) fn open(
        root: &Path,
        cases: &[String],
        limit: Option<Duration>,
        solver: bool,
        isolation: IsolationMode,
    ) -> Result<Self, Failure> {
        let mut package = Package::read(root).map_err(Failure::input)?;
        package.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
        if !cases.is_empty() {
            package.keep_cases(cases).map_err(Failure::input)?;
        }
        if solver {
            package.submissions.clear();
        }
        let known = limit.map(|limit| limit.as_secs_f64()).or(package.metadata.limits.time);
        let seconds = known.unwrap_or_else(|| {
            say(&format!(
                "notice: the package has no time limit; {USUAL_SECONDS} s are used here, and `judge import` finds one"
            ));
            USUAL_SECONDS
        });
        let folder = tempfile::tempdir().map_err(Failure::judge)?;
        let written = {
            let interrupt = Interrupt::never().map_err(Failure::judge)?;
            let tried = tempfile::tempdir().map_err(Failure::judge)?;
            let executor = LocalExecutor::new(&interrupt, isolation).map_err(Failure::judge)?;
            let programs = Programs::new(&executor, tried.path(), &environment("PATH").unwrap_or_default());
            let written = programs.write(&package, folder.path(), seconds);
            written.map_err(|error| Failure::importing(error, &interrupt))?
        };
        if solver {
            let file = folder.path().join(FILE_NAME);
            let entry = "\n[[entry]]\nname = \"solver\"\ncommand = [\"true\"]\n";
            let whole = fs::read_to_string(&file).and_then(|text| fs::write(&file, text + entry));
            whole.map_err(|error| Failure::judge(format!("{}: {error}", file.display())))?;
        }
        Ok(Self { package, written, root: root.to_owned(), folder })
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
