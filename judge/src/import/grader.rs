//! The grader of a package: a program that combines the results of a group's members.

use std::fs;
use std::path::{Path, PathBuf};

use judge_contest::builds::PlannedBuild;
use judge_contest::{Contest, resolve};
use judge_job::{End, Executor, Interrupted, Job, Limits};
use judge_package::{GraderCall, GraderPlan, Limits as PackageLimits, Total};

/// The most bytes of a grader's output that are read.
const MAX_PRINTED: u64 = 64 << 10;

/// A grader that was written next to a contest.
#[derive(Debug)]
pub(crate) struct Grader {
    command: Vec<String>,
    build: Option<String>,
    /// The folder with its files.
    files: PathBuf,
    /// The folder for what it reads and prints.
    folder: PathBuf,
    limits: Limits,
}

impl Grader {
    /// A grader that was written next to a contest. `folder` is for its input and output.
    pub(crate) fn new(plan: &GraderPlan, contest: &Contest, limits: &PackageLimits, folder: &Path) -> Self {
        let limits = Limits::default()
            .with_wall_ms(limits.validation_time.saturating_mul(1000))
            .with_memory_bytes(limits.validation_memory.saturating_mul(1 << 20));
        let (files, command) = (contest.directory().join(&plan.folder), resolve(&plan.command, contest.directory()));
        Self { command, build: plan.build.clone(), files, folder: folder.to_owned(), limits }
    }

    /// Its build, which comes before all calls; `None` if it has none.
    pub(crate) fn build(&self) -> Option<PlannedBuild> {
        self.build.clone().map(|build| PlannedBuild::from_program(build, self.files.clone()))
    }

    /// The result, or the reason why there is none, as a fragment.
    pub(crate) fn result(
        &self,
        call: &GraderCall,
        executor: &dyn Executor,
        processors: &[usize],
    ) -> Result<Result<Total, String>, Interrupted> {
        // Several calls may be made at a time.
        let folder = match tempfile::tempdir_in(&self.folder) {
            Ok(folder) => folder,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let path = |name: &str| folder.path().join(name);
        if let Err(error) = fs::write(path("grader.in"), &call.input) {
            return Ok(Err(error.to_string()));
        }
        let argv = self.command.iter().chain(&call.flags).cloned();
        let mut job = Job::new(argv, path("grader.out"), path("grader.err"))
            .with_readable(self.files.clone())
            .with_limits(self.limits)
            .with_stdin(path("grader.in"));
        job.processors = processors.to_vec();
        let outcome = executor.execute(&job)?;
        Ok(match outcome.end {
            End::Exited { code: 0 } => judge_files::regular::read(&path("grader.out"), MAX_PRINTED)
                .map_err(|error| error.to_string())
                .and_then(|printed| {
                    GraderCall::read(&String::from_utf8_lossy(&printed)).map_err(|error| error.to_string())
                }),
            End::Exited { code } => {
                let last = judge_files::regular::last_line(&path("grader.err"));
                Err(format!("exit code {code}{}", last.map_or(String::new(), |line| format!(": {line}"))))
            }
            end => Err(judge_core::verdict::Verdict::from_end(&end).and_then(|end| end.fault()).unwrap_or_default()),
        })
    }
}
