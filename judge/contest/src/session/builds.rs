//! The builds of a contest, and the check that its referee can start.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use judge_core::journal::{Build, Built};
use judge_job::IsolationMode;

use super::host::{Host, PrepareError};
use super::notice::Notice;
use crate::Contest;
use crate::builds::{self, BETWEEN_LINES, Builder, BuildsError, PlannedBuild, last_lines};
use crate::check::referee_obstacle;

/// The folder for the logs of builds.
#[derive(Debug, Clone, Copy)]
pub struct Logs<'a> {
    /// A results directory, or a folder that is removed at the end.
    pub folder: &'a Path,
    /// False if that folder is removed. A failure then quotes the end of the log instead of naming its path.
    pub kept: bool,
}

impl Logs<'_> {
    /// The reason why a build failed, with its output.
    fn explained(self, reason: &str, log: &Path) -> String {
        if self.kept {
            return format!("{reason}\ncomplete output: {}", log.display());
        }
        let lines = last_lines(log);
        if lines.is_empty() {
            return reason.to_owned();
        }
        // The reason ends with the same lines, joined.
        let reason = reason.strip_suffix(&lines.join(BETWEEN_LINES)).unwrap_or(reason).trim_end_matches(": ");
        let lines: String = lines.iter().map(|line| format!("\n    | {line}")).collect();
        format!("{reason}; its output ends with:{lines}")
    }
}

/// The entries among these builds that cannot be started, with the reason.
pub fn unbuilt<'b>(builds: impl IntoIterator<Item = &'b Build>) -> BTreeMap<String, Built> {
    let failed = builds.into_iter().filter(|build| build.built != Built::Succeeded);
    failed.flat_map(|build| build.entries.iter().map(|entry| (entry.clone(), build.built.clone()))).collect()
}

/// Builds the referees of a contest that have a build, and checks that all can be started. A contest cannot run without its
/// referees. Returns the executed builds.
///
/// # Errors
/// A build fails, or a referee cannot be started.
pub fn prepare_referee<H: Host>(contest: &Contest, logs: Logs<'_>, host: &H) -> Result<Vec<Build>, H::Error> {
    let planned = builds::plan_referees(contest);
    let mut built = Vec::new();
    if !planned.is_empty() {
        built.extend(fetch(contest, logs, host)?);
    }
    for build in planned {
        built.push(required(contest, &build, &build.referee_in_words(), logs, host)?);
    }
    start_referee(contest, host)?;
    Ok(built)
}

/// Checks that the referees can be started: they need no build, or are built.
///
/// # Errors
/// A referee cannot be started.
pub fn start_referee<H: Host>(contest: &Contest, host: &H) -> Result<(), H::Error> {
    match referee_obstacle(contest, host.environment("PATH").as_deref(), host.is_another_user()) {
        Some((whose, problem)) => {
            Err(host.failure(PrepareError::Referee { contest: contest.path.clone(), whose, problem }))
        }
        None => Ok(()),
    }
}

/// Executes every build command of these entries once, even if several name it; `None` means all entries. A build that fails does
/// not stop the others. Returns the executed builds.
pub(super) fn build_entries<H: Host>(
    contest: &Contest,
    needed: Option<&HashSet<String>>,
    logs: Logs<'_>,
    host: &H,
) -> Result<Vec<Build>, H::Error> {
    let mut planned = builds::plan(contest);
    planned.retain(|build| needed.is_none_or(|needed| build.entries.iter().any(|entry| needed.contains(entry))));
    let mut all = Vec::new();
    if planned.is_empty() {
        return Ok(all);
    }
    if builds::plan_referees(contest).is_empty() {
        all.extend(fetch(contest, logs, host)?);
    }
    let executor = host.builder(contest, contest.builds.isolation)?;
    let environment = |name: &str| host.environment(name);
    let builder = Builder { contest, results: logs.folder, environment: &environment };
    for build in &planned {
        host.announce("building", &build.command);
        let (build, log) = builder.build(build, &*executor).map_err(|error| failed(error, host))?;
        if let Built::Failed { reason } | Built::JudgeError { reason } = &build.built {
            host.notify(Notice::NotBuilt { entries: build.entries.clone(), reason: logs.explained(reason, &log) });
        }
        all.push(build);
    }
    Ok(all)
}

/// Executes the build of a program that a contest requires. `what` names the program. Returns the executed builds.
///
/// # Errors
/// The build fails.
pub fn build_program<H: Host>(
    contest: &Contest,
    build: &PlannedBuild,
    what: &str,
    logs: Logs<'_>,
    host: &H,
) -> Result<Vec<Build>, H::Error> {
    let mut all = Vec::from_iter(fetch(contest, logs, host)?);
    all.push(required(contest, build, what, logs, host)?);
    Ok(all)
}

/// Executes a build that may not fail, after what it needs is fetched.
fn required<H: Host>(
    contest: &Contest,
    build: &PlannedBuild,
    what: &str,
    logs: Logs<'_>,
    host: &H,
) -> Result<Build, H::Error> {
    host.announce(&format!("building {what}"), &build.command);
    let executor = host.builder(contest, contest.builds.isolation)?;
    let environment = |name: &str| host.environment(name);
    let builder = Builder { contest, results: logs.folder, environment: &environment };
    let (build, log) = builder.build(build, &*executor).map_err(|error| failed(error, host))?;
    if let Built::Failed { reason } | Built::JudgeError { reason } = &build.built {
        let reason = logs.explained(reason, &log);
        return Err(host.failure(PrepareError::NotBuilt { what: what.to_owned(), reason }));
    }
    Ok(build)
}

/// Executes the command that fetches what builds need, if the contest has one.
fn fetch<H: Host>(contest: &Contest, logs: Logs<'_>, host: &H) -> Result<Option<Build>, H::Error> {
    let Some(command) = &contest.builds.fetch else { return Ok(None) };
    host.announce("fetching", command);
    let executor = host.builder(contest, IsolationMode::Off)?;
    let environment = |name: &str| host.environment(name);
    let builder = Builder { contest, results: logs.folder, environment: &environment };
    builder.fetch(&*executor).map_err(|error| failed(error, host))
}

fn failed<H: Host>(error: BuildsError, host: &H) -> H::Error {
    host.failure(PrepareError::Builds(error))
}
