//! The compilers and interpreters that this machine has.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::super::{Failure, environment, on_path};
use judge_job::Place;
use judge_package::{Generation, GraderPlan, Options, Package, ToolPlan, Written};
use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, Limits, LocalExecutor};

/// Exit codes of a shell that cannot start a program.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Programs on the PATH, tried in the sandbox: a version manager has scripts for programs that it has no version of.
pub(in crate::cli) struct Programs<'i> {
    executor: LocalExecutor<'i>,
    /// Folder for what the programs print.
    folder: PathBuf,
    path: String,
    known: RefCell<HashMap<String, bool>>,
}

impl<'i> Programs<'i> {
    pub(in crate::cli) fn new(mode: IsolationMode, folder: &Path, interrupt: &'i Interrupt) -> Result<Self, Failure> {
        let executor = LocalExecutor::new(interrupt, mode).map_err(Failure::judge)?;
        let path = environment("PATH").unwrap_or_default();
        Ok(Self { executor, folder: folder.to_owned(), path, known: RefCell::default() })
    }

    /// Writes the contest of a package for what is installed here.
    pub(in crate::cli) fn write(&self, package: &Package, directory: &Path, limit: f64) -> Result<Written, Failure> {
        let has = |program: &str| self.has(program);
        package.write(directory, &Options { time_limit: limit, has: &has }).map_err(Failure::input)
    }

    /// Writes the grader of a package beside its contest.
    pub(in crate::cli) fn write_grader(
        &self,
        package: &Package,
        directory: &Path,
    ) -> Result<Option<GraderPlan>, Failure> {
        let has = |program: &str| self.has(program);
        package.write_grader(directory, &Options { time_limit: 1.0, has: &has }).map_err(Failure::input)
    }

    /// Writes the static validator of a package below a folder; `None` if it has none that is called.
    pub(super) fn write_static_validator(&self, package: &Package, folder: &Path) -> Result<Option<ToolPlan>, Failure> {
        let has = |program: &str| self.has(program);
        package.write_static_validator(folder, &Options { time_limit: 1.0, has: &has }).map_err(Failure::input)
    }

    /// Writes the input validators of a package below a folder.
    pub(super) fn write_input_validators(&self, package: &Package, folder: &Path) -> Result<Vec<ToolPlan>, Failure> {
        let has = |program: &str| self.has(program);
        package.write_input_validators(folder, &Options { time_limit: 1.0, has: &has }).map_err(Failure::input)
    }

    /// Writes the generators and solutions that make the test data of a package below a folder.
    pub(super) fn write_generators(&self, generation: &Generation, folder: &Path) -> Result<Vec<ToolPlan>, Failure> {
        let has = |program: &str| self.has(program);
        generation.write_programs(folder, &Options { time_limit: 1.0, has: &has }).map_err(Failure::input)
    }

    /// Checks whether a program can be started.
    fn has(&self, program: &str) -> bool {
        if let Some(known) = self.known.borrow().get(program) {
            return *known;
        }
        let has = on_path(self.path.as_ref(), program) && self.starts(program);
        self.known.borrow_mut().insert(program.to_owned(), has);
        has
    }

    /// Asks a program for its version. It may answer anything; it only has to start.
    fn starts(&self, program: &str) -> bool {
        let limits = Limits::default().with_wall_ms(20_000);
        let (stdout, stderr) = (self.folder.join("version.out"), self.folder.join("version.err"));
        let mut job = Job::new([program, "--version"], stdout, stderr).with_limits(limits);
        let environment = virtual_environment(program);
        let in_environment = environment.is_some();
        job.readable.extend(environment.map(Place::trusted));
        match self.executor.execute(&job) {
            Ok(outcome) => match outcome.end {
                // A script of Python starts without its modules, and fails.
                End::Exited { code } if in_environment => code == 0,
                End::Exited { code } => !NOT_STARTED.contains(&code),
                End::CouldNotStart { .. } | End::JudgeError { .. } => false,
                _ => true,
            },
            Err(_) => false,
        }
    }
}

/// The virtual environment of Python that the first program of that name on the PATH is in: its modules are there.
pub(super) fn virtual_environment(program: &str) -> Option<PathBuf> {
    let path = environment("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let folder = folders.find(|folder| judge_job::is_executable(&folder.join(program)))?;
    let root = folder.parent()?.canonicalize().ok()?;
    root.join("pyvenv.cfg").is_file().then_some(root)
}
