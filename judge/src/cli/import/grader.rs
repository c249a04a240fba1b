//! The grader of a package: a program that makes one result of those of a group's members.

use std::fs;
use std::path::PathBuf;

use super::super::builds::{Site, build_program};
use super::super::{Failure, say};
use judge_contest::builds::PlannedBuild;
use judge_contest::{Contest, resolve};
use judge_core::text::printable;
use judge_package::{GraderCall, GraderPlan, Judgement, Limits as PackageLimits, Total};
use judge_sandbox::{End, Executor as _, Interrupted, Job, Limits, LocalExecutor};

/// The most bytes of a grader's output that are read.
const MAX_PRINTED: u64 = 64 << 10;

/// A grader that was built.
pub(super) struct Grader {
    command: Vec<String>,
    /// The folder with its files.
    files: PathBuf,
    /// The folder for what it reads and prints.
    folder: PathBuf,
    limits: Limits,
}

impl Grader {
    /// Builds a grader that was written beside a contest.
    pub(super) fn new(
        plan: GraderPlan,
        contest: &Contest,
        limits: &PackageLimits,
        site: &Site<'_>,
    ) -> Result<Self, Failure> {
        let files = contest.directory().join(&plan.folder);
        if let Some(build) = plan.build {
            build_program(contest, &PlannedBuild::from_program(build, files.clone()), "the grader", site)?;
        }
        let limits = Limits::default()
            .with_wall_ms(limits.validation_time.saturating_mul(1000))
            .with_memory_bytes(limits.validation_memory.saturating_mul(1 << 20));
        let command = resolve(&plan.command, contest.directory());
        Ok(Self { command, files, folder: site.results.to_owned(), limits })
    }

    /// Makes a call on these processors. A grader that fails is a judge error of the group.
    pub(super) fn call(
        &self,
        call: &GraderCall,
        executor: &LocalExecutor<'_>,
        processors: &[usize],
    ) -> Result<Total, Interrupted> {
        Ok(self.result(call, executor, processors)?.unwrap_or_else(|reason| {
            let group = if call.group.is_empty() { "the test data" } else { &call.group };
            say(&format!("the grader failed on {}: {}", printable(group), printable(&reason)));
            Total { judgement: Judgement::JudgeError, score: None }
        }))
    }

    /// The result, or the reason why there is none, as a fragment.
    fn result(
        &self,
        call: &GraderCall,
        executor: &LocalExecutor<'_>,
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
            End::Exited { code } => Err(format!("exit code {code}")),
            end => Err(judge_core::verdict::Verdict::from_end(&end).and_then(|end| end.fault()).unwrap_or_default()),
        })
    }
}
