//! Small programs of a package that read or make one input. They are built and executed in the sandbox.

use std::path::Path;

use crate::import::error::{ImportError, ToolFailure};
use judge_contest::resolve;
use judge_job::{End, Executor, Job, Limits, Outcome, Place};
use judge_package::{Limits as PackageLimits, ToolPlan};

/// Output of a build or a program that is kept.
const OUTPUT_BYTES: u64 = 16 << 20;

/// An input validator or a generator that was built.
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) command: Vec<String>,
    /// Its folder, and what its interpreter needs.
    pub(crate) readable: Vec<Place>,
    pub(crate) limits: Limits,
    pub(crate) accepts: i32,
}

/// Executes a job of a package. Fails if the judge failed, as that says nothing about the package.
pub(crate) fn executed(job: &Job, program: &str, executor: &dyn Executor) -> Result<Outcome, ImportError> {
    let outcome = executor.execute(job).map_err(|_| ImportError::Interrupted)?;
    match outcome.end {
        End::JudgeError { reason } => Err(ImportError::Untried { program: program.to_owned(), reason }),
        _ => Ok(outcome),
    }
}

/// Builds an input validator or a generator; the reason if that fails.
pub(crate) fn built(
    plan: &ToolPlan,
    limits: &PackageLimits,
    folder: &Path,
    executor: &dyn Executor,
) -> Result<Result<Tool, ToolFailure>, ImportError> {
    let own = folder.join(&plan.folder);
    let build = match &plan.build {
        Ok(build) => build,
        Err(reason) => return Ok(Err(reason.clone().into())),
    };
    if let Some(build) = build {
        let (out, err) = (folder.join("tool-build.out"), folder.join("tool-build.err"));
        // The format guarantees a compilation time. It is multiplied by five, as a busy machine needs more.
        let most = Limits::default()
            .with_wall_ms(limits.compilation_time.saturating_mul(5000))
            .with_memory_bytes(limits.compilation_memory.saturating_mul(1 << 20))
            .with_output_bytes(OUTPUT_BYTES);
        let job =
            Job::new(["sh", "-c", build], out, err.clone()).with_directory(folder).with_readable(folder.to_owned());
        let job = job.with_writable(own.clone()).with_limits(most);
        let outcome = executed(&job, &format!("the build of {}", plan.name), executor)?;
        if outcome.end != (End::Exited { code: 0 }) {
            let last_line = judge_files::regular::last_line(&err).unwrap_or_default();
            return Ok(Err(ToolFailure::NotBuilt { last_line }));
        }
    }
    let memory = limits.validation_memory.saturating_add(plan.memory);
    let limits = Limits::default()
        .with_wall_ms(limits.validation_time.saturating_mul(1000))
        .with_memory_bytes(memory.saturating_mul(1 << 20))
        .with_output_bytes(OUTPUT_BYTES);
    let readable = [&own].into_iter().chain(&plan.readable).map(Place::trusted).collect();
    let command = resolve(&plan.command, folder);
    Ok(Ok(Tool { name: plan.name.clone(), command, readable, limits, accepts: plan.accepts }))
}
