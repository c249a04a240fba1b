//! The compilers and interpreters that this machine has.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::import::error::ImportError;
use crate::import::tools::executed;
use judge_job::{End, Executor, Job, Limits, Place, is_executable, on_path};
use judge_package::{Generation, GraderPlan, Options, Package, PackageError, ToolPlan, Written};

/// Exit codes of a shell that cannot start a program.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Programs on the PATH. They are tried in the sandbox, as a version manager has scripts for programs that are not
/// installed.
pub(crate) struct Programs<'i> {
    executor: &'i dyn Executor,
    /// Folder for what the programs print.
    folder: PathBuf,
    path: String,
    known: RefCell<HashMap<String, bool>>,
    /// The first failure of the judge to try a program.
    untried: RefCell<Option<ImportError>>,
    /// Programs that the sandbox did not start, each with the reason.
    unstarted: RefCell<Vec<(String, String)>>,
}

impl<'i> Programs<'i> {
    /// The programs on this search path. `folder` is for what they print.
    pub(crate) fn new(executor: &'i dyn Executor, folder: &Path, path: &str) -> Self {
        Self {
            executor,
            folder: folder.to_owned(),
            path: path.to_owned(),
            known: RefCell::default(),
            untried: RefCell::default(),
            unstarted: RefCell::default(),
        }
    }

    /// The programs that are on the PATH and could not be started in the sandbox since the last call, each with the reason
    /// as a fragment. For the package they count as not installed.
    pub(crate) fn take_unstarted(&self) -> Vec<(String, String)> {
        self.unstarted.take()
    }

    /// Writes the contest of a package for what is installed here.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, one in the folder cannot be written, or a program could not be tried.
    pub(crate) fn write(&self, package: &Package, directory: &Path, limit: f64) -> Result<Written, ImportError> {
        let has = |program: &str| self.has(program);
        self.tried(package.write(directory, &Options { time_limit: limit, has: &has }))
    }

    /// Writes the grader of a package next to its contest.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, one in the folder cannot be written, or a program could not be tried.
    pub(crate) fn write_grader(&self, package: &Package, directory: &Path) -> Result<Option<GraderPlan>, ImportError> {
        let has = |program: &str| self.has(program);
        self.tried(package.write_grader(directory, &Options { time_limit: 1.0, has: &has }))
    }

    /// Writes the static validator of a package below a folder; `None` without one that is called.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, one in the folder cannot be written, or a program could not be tried.
    pub(crate) fn write_static_validator(
        &self,
        package: &Package,
        folder: &Path,
    ) -> Result<Option<ToolPlan>, ImportError> {
        let has = |program: &str| self.has(program);
        let plan = self.tried(package.write_static_validator(folder, &Options { time_limit: 1.0, has: &has }))?;
        Ok(plan.map(|plan| self.with_environment(plan)))
    }

    /// Writes the input validators of a package below a folder.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, one in the folder cannot be written, or a program could not be tried.
    pub(crate) fn write_input_validators(
        &self,
        package: &Package,
        folder: &Path,
    ) -> Result<Vec<ToolPlan>, ImportError> {
        let has = |program: &str| self.has(program);
        let plans = self.tried(package.write_input_validators(folder, &Options { time_limit: 1.0, has: &has }))?;
        Ok(plans.into_iter().map(|plan| self.with_environment(plan)).collect())
    }

    /// Writes the generators and solutions that make the test data of a package below a folder.
    ///
    /// # Errors
    ///
    /// A file of the package cannot be read, one in the folder cannot be written, or a program could not be tried.
    pub(crate) fn write_generators(
        &self,
        generation: &Generation,
        folder: &Path,
    ) -> Result<Vec<ToolPlan>, ImportError> {
        let has = |program: &str| self.has(program);
        let plans = self.tried(generation.write_programs(folder, &Options { time_limit: 1.0, has: &has }))?;
        Ok(plans.into_iter().map(|plan| self.with_environment(plan)).collect())
    }

    /// Returns what was written for the installed programs; an error if a program could not be tried, which the writer then
    /// took for missing.
    fn tried<T>(&self, written: Result<T, PackageError>) -> Result<T, ImportError> {
        match self.untried.take() {
            Some(error) => Err(error),
            None => written.map_err(ImportError::Package),
        }
    }

    /// Checks whether a program can be started.
    fn has(&self, program: &str) -> bool {
        if let Some(known) = self.known.borrow().get(program) {
            return *known;
        }
        let started = if on_path(self.path.as_ref(), program) { self.starts(program) } else { Ok(false) };
        let has = match started {
            Ok(has) => has,
            Err(error) => {
                self.untried.borrow_mut().get_or_insert(error);
                return false;
            }
        };
        self.known.borrow_mut().insert(program.to_owned(), has);
        has
    }

    /// Asks a program for its version. Any answer counts; it only has to start.
    fn starts(&self, program: &str) -> Result<bool, ImportError> {
        let limits = Limits::default().with_wall_ms(20_000);
        let (stdout, stderr) = (self.folder.join("version.out"), self.folder.join("version.err"));
        let mut job = Job::new([program, "--version"], stdout, stderr).with_limits(limits);
        let environment = self.virtual_environment(program);
        let in_environment = environment.is_some();
        job.readable.extend(environment.map(Place::trusted));
        Ok(match executed(&job, program, self.executor)?.end {
            // A script of Python starts without its modules, and fails.
            End::Exited { code } if in_environment => code == 0,
            End::Exited { code } => !NOT_STARTED.contains(&code),
            End::CouldNotStart { reason, .. } => {
                self.unstarted.borrow_mut().push((program.to_owned(), reason));
                false
            }
            _ => true,
        })
    }

    /// The virtual environment of Python with the first program of that name on the PATH, and with its modules.
    fn virtual_environment(&self, program: &str) -> Option<PathBuf> {
        let mut folders = std::env::split_paths(&self.path).filter(|folder| folder.is_absolute());
        let folder = folders.find(|folder| is_executable(&folder.join(program)))?;
        let root = folder.parent()?.canonicalize().ok()?;
        root.join("pyvenv.cfg").is_file().then_some(root)
    }

    /// Makes the virtual environment of a plan's interpreter readable.
    fn with_environment(&self, mut plan: ToolPlan) -> ToolPlan {
        plan.readable =
            plan.command.first().and_then(|program| self.virtual_environment(program)).into_iter().collect();
        plan
    }
}
