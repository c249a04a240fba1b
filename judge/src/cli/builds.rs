//! The builds of a contest, before its first run.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::isolation;
use super::{Failure, say};
use judge_contest::Contest;
use judge_contest::builds::{self, Builder, BuildsError, PlannedBuild};
use judge_core::journal::{Build, Built};
use judge_core::way_out::WayOut;
use judge_report::with_way_out;
use judge_sandbox::{Interrupt, IsolationMode, LocalExecutor};
use judge_show::live::Shown;

/// The builds of a contest that were executed.
#[derive(Default)]
pub(super) struct Builds {
    /// One build per command, including the referee's command and the command that fetches what builds need.
    pub(super) all: Vec<Build>,
}

impl Builds {
    /// The entries that cannot be started, with the reason.
    pub(super) fn unbuilt(&self) -> BTreeMap<String, Built> {
        let failed = self.all.iter().filter(|build| build.built != Built::Succeeded);
        failed.flat_map(|build| build.entries.iter().map(|entry| (entry.clone(), build.built.clone()))).collect()
    }
}

/// The place and manner of executing builds.
pub(super) struct Site<'a> {
    /// The folder for their logs: a results directory, or a folder that is removed at the end.
    pub(super) results: &'a Path,
    /// False if that folder is removed; then the end of a log is printed instead of its path.
    pub(super) keeps_logs: bool,
    /// Whether, and how, the start and end of builds are printed.
    pub(super) shown: Shown,
    pub(super) interrupt: &'a Interrupt,
}

/// Executes every build command once, even if several entries name it. A failed build does not stop the others. Only
/// builds of the entries in `needed` are executed; `None` stands for all. If `needed` is empty, the referee is not
/// built either.
pub(super) fn build_entries(
    contest: &Contest,
    site: &Site<'_>,
    needed: Option<&HashSet<String>>,
) -> Result<Builds, Failure> {
    let &Site { results, shown, interrupt, .. } = site;
    if let Some(reason) = builds::exposed(contest, results).filter(|_| site.keeps_logs) {
        return Err(Failure::input(with_way_out(reason, Some(&WayOut::OtherResults))));
    }
    if needed.is_some_and(HashSet::is_empty) {
        return Ok(Builds::default());
    }
    let mut all = build_referee(contest, site)?;
    let mut planned = builds::plan(contest);
    planned.retain(|build| needed.is_none_or(|needed| build.entries.iter().any(|entry| needed.contains(entry))));
    if planned.is_empty() {
        return Ok(Builds { all });
    }
    let failed = |error: BuildsError| failure(&error, interrupt);
    let builder = Builder { contest, results, environment: &super::environment };
    if let Some(fetch) = contest.builds.fetch.as_ref().filter(|_| builds::plan_referee(contest).is_none()) {
        announce(shown, "fetching", fetch);
        all.extend(builder.fetch(&executor(contest, IsolationMode::Off, interrupt)?).map_err(failed)?);
    }
    let executor = executor(contest, contest.builds.isolation, interrupt)?;
    for build in &planned {
        announce(shown, "building", &build.command);
        let (build, log) = builder.build(build, &executor).map_err(failed)?;
        if let Built::Failed { reason } | Built::JudgeError { reason } = &build.built {
            let entries = build.entries.join(", ");
            say(&format!("not built: {entries}: {}", site.explained(reason, &log)));
        }
        all.push(build);
    }
    Ok(Builds { all })
}

impl Site<'_> {
    /// The reason why a build failed, with its output.
    fn explained(&self, reason: &str, log: &Path) -> String {
        if self.keeps_logs {
            return format!("{reason}\ncomplete output: {}", log.display());
        }
        let lines = builds::last_lines(log);
        if lines.is_empty() {
            return reason.to_owned();
        }
        // The reason ends with the same lines in one.
        let reason = reason.strip_suffix(&lines.join(builds::BETWEEN_LINES)).unwrap_or(reason).trim_end_matches(": ");
        let lines: String = lines.iter().map(|line| format!("\n    | {line}")).collect();
        format!("{reason}; its output ends with:{lines}")
    }
}

/// Executes the build of a contest's referee, if it has one. Fails if the build fails, as there is no contest without
/// its referee. Returns the executed builds.
pub(super) fn build_referee(contest: &Contest, site: &Site<'_>) -> Result<Vec<Build>, Failure> {
    let Some(build) = builds::plan_referee(contest) else { return Ok(Vec::new()) };
    build_program(contest, &build, "the referee", site)
}

/// Executes the build of a program that a contest requires. Returns the executed builds.
pub(super) fn build_program(
    contest: &Contest,
    build: &PlannedBuild,
    what: &str,
    site: &Site<'_>,
) -> Result<Vec<Build>, Failure> {
    let &Site { results, shown, interrupt, .. } = site;
    let failed = |error: BuildsError| failure(&error, interrupt);
    let builder = Builder { contest, results, environment: &super::environment };
    let mut all = Vec::new();
    if let Some(fetch) = &contest.builds.fetch {
        announce(shown, "fetching", fetch);
        all.extend(builder.fetch(&executor(contest, IsolationMode::Off, interrupt)?).map_err(failed)?);
    }
    announce(shown, &format!("building {what}"), &build.command);
    let executor = executor(contest, contest.builds.isolation, interrupt)?;
    let (build, log) = builder.build(build, &executor).map_err(failed)?;
    match &build.built {
        Built::Succeeded => {
            all.push(build);
            Ok(all)
        }
        Built::Failed { reason } | Built::JudgeError { reason } => {
            Err(Failure::input(format!("{what} was not built: {}", site.explained(reason, &log))))
        }
    }
}

fn failure(error: &BuildsError, interrupt: &Interrupt) -> Failure {
    match error {
        BuildsError::Interrupted => Failure::interrupted("interrupted before the first run", interrupt),
        BuildsError::Fetch { .. } => Failure::input(format!("fetch: {error}")),
        BuildsError::Exposed(_) => Failure::input(with_way_out(error, Some(&WayOut::OtherResults))),
        error => Failure::judge(error.to_string()),
    }
}

fn announce(shown: Shown, what: &str, command: &str) {
    if shown != Shown::Nothing {
        say(&format!("{what}: {command}"));
    }
}

/// An executor for builds with this isolation.
fn executor<'i>(
    contest: &Contest,
    mode: IsolationMode,
    interrupt: &'i Interrupt,
) -> Result<LocalExecutor<'i>, Failure> {
    isolation::executor("build_isolation", mode, &[contest.builds.limits], interrupt)
}
