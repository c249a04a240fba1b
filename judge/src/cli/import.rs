//! `judge import`: makes a contest of a problem package, and checks the package's own submissions.

mod bench;
mod grader;
mod programs;
mod verify;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{DONE, Done, Failure, JUDGE_FAILED, NOT_SOLVED, say, signals};
use bench::PackageContest;
use judge_contest::{Contest, Overrides, parse_duration};
use judge_job::count_text;
use judge_package::{Package, Written};
use judge_sandbox::{Interrupt, IsolationMode};
use programs::Programs;
use verify::Outcome;

/// The limit for CPU time of submissions whose times decide the time limit, in seconds.
const MEASURING_SECONDS: f64 = 60.0;

/// Import a problem package in the Kattis/ICPC format: make a contest of it, or check its submissions
///
/// Reads problem.yaml, test data with groups and answers, the output validator with its arguments, limits and
/// submissions of a package, in the versions legacy, 2023-07 and 2025-09. Each test case becomes a board, each
/// submission an entry. Multi-pass and submit-answer problems are not supported.
///
/// The time limit is that of problem.yaml, domjudge-problem.ini or .timelimit. Without one it follows from the times of
/// the package's accepted submissions, which are then run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge import different my-contest      a contest folder for `judge run`
  judge import --verify different        run and check its submissions
  judge import --verify different --limit 2s

With --verify, one line per submission:
  ok       as the package expects
  differs  not as it expects, with the test case or the requirement that decided
  skipped  not run: its language is not installed here
  ignored  the package states no expected result

Exit code 0: none differs; 1: at least one differs.")]
pub(super) struct Args {
    /// Folder of the package
    package: PathBuf,

    /// Folder for the contest, created if missing; it must be empty
    #[arg(required_unless_present = "verify")]
    directory: Option<PathBuf>,

    /// Run the package's submissions, and compare what happens with what the package expects
    #[arg(long)]
    verify: bool,

    /// Folder that links in the package may lead into, such as the repository that it is part of
    #[arg(long, value_name = "FOLDER")]
    links: Option<PathBuf>,

    /// Limit for CPU time per test case instead of the package's
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    limit: Option<Duration>,

    /// Runs at a time [default: as many as do not disturb each other]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode of submissions and validators
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = super::isolation::mode())]
    isolation: IsolationMode,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        if self.limit.is_some_and(|limit| limit.is_zero()) {
            return Err(Failure::input("--limit must be more than 0"));
        }
        let package = Package::read_with_links(&self.package, self.links.as_deref()).map_err(Failure::input)?;
        package.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
        let interrupt = signals()?;
        let known = self.limit.map(|limit| limit.as_secs_f64()).or(package.metadata.limits.time);
        let scratch = tempfile::tempdir().map_err(|error| Failure::judge(format!("a temporary folder: {error}")))?;
        // A folder of its own, so that a wrong one is refused before anything runs.
        if let Some(directory) = &self.directory {
            refuse_full(directory)?;
        }
        let programs = Programs::new(self.isolation, scratch.path(), &interrupt)?;
        let mut bench = None;
        let limit = match known {
            Some(limit) => limit,
            None => {
                let bench =
                    bench.insert(self.bench(&package, scratch.path(), MEASURING_SECONDS, &programs, &interrupt)?);
                let slowest = bench.slowest_bounding(&package)?;
                package.time_limit(slowest)
            }
        };
        if let Some(directory) = &self.directory {
            let written = programs.write(&package, directory, limit)?;
            if !self.verify {
                return report_folder(&package, &written, directory, limit, out);
            }
        }
        let highest = limit * package.metadata.limits.limit_to_slow;
        let mut bench = match bench {
            Some(bench) => bench,
            None => self.bench(&package, scratch.path(), highest, &programs, &interrupt)?,
        };
        bench.limit_to(highest)?;
        writeln!(out, "{}: {} test cases, time limit {limit} s", package.metadata.name, package.data.cases.len())?;
        let outcomes = verify::all(&package, &mut bench, limit)?;
        report(&outcomes, out)
    }

    fn bench<'i>(
        &self,
        package: &Package,
        folder: &Path,
        limit: f64,
        programs: &Programs<'_>,
        interrupt: &'i Interrupt,
    ) -> Result<PackageContest<'i>, Failure> {
        let contest = folder.join("contest");
        let written = programs.write(package, &contest, limit)?;
        let grader = programs.write_grader(package, &contest)?;
        PackageContest::new(package, (written, grader), &contest, limit, self.jobs, self.isolation, interrupt)
    }
}

/// Refuses a folder for the contest that is not empty.
fn refuse_full(directory: &Path) -> Result<(), Failure> {
    let full = std::fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some());
    if full {
        return Err(Failure::input(format!("{}: is not empty; name a new folder", directory.display())));
    }
    Ok(())
}

fn report_folder(package: &Package, written: &Written, directory: &Path, limit: f64, out: &mut dyn Write) -> Done {
    for skipped in &written.skipped {
        say(&format!("skipped {}: {}", package.submissions[skipped.submission].path, skipped.reason));
    }
    let boards = count_text(written.boards.len(), "board", "boards");
    let entries = count_text(written.entries.len(), "entry", "entries");
    writeln!(out, "wrote {}: {boards}, {entries}, time limit {limit} s", directory.display())?;
    // A package may ask for what contests do not have, such as a limit of years.
    if !written.entries.is_empty() {
        Contest::load(directory, &Overrides::default())
            .map_err(|error| Failure::input(format!("{error}; change the file, or the contest cannot run")))?;
    }
    writeln!(out, "next: judge run {}", shell_words::quote(&directory.to_string_lossy()))?;
    Ok(DONE)
}

/// One line per submission and the sum.
fn report(outcomes: &[Outcome], out: &mut dyn Write) -> Done {
    let (mut ok, mut differ, mut skipped, mut ignored, mut failed) = (0u32, 0u32, 0u32, 0u32, false);
    for outcome in outcomes {
        let (word, count) = match outcome.agrees() {
            _ if outcome.skipped.is_some() => ("skipped", &mut skipped),
            Some(true) => ("ok", &mut ok),
            Some(false) => ("differs", &mut differ),
            None => ("ignored", &mut ignored),
        };
        *count += 1;
        failed |= outcome.judge_failed;
        writeln!(out, "{word:8} {outcome}")?;
    }
    let all = count_text(outcomes.len(), "submission", "submissions");
    writeln!(out, "{all}: {ok} ok, {differ} differ, {skipped} skipped, {ignored} ignored")?;
    match (ok, differ) {
        _ if failed => Ok(JUDGE_FAILED),
        (0, 0) => Err(Failure::input("no submission could be compared: all were skipped or ignored")),
        (_, 0) => Ok(DONE),
        _ => Ok(NOT_SOLVED),
    }
}
