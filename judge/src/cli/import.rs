//! `judge import`: creates a contest from a problem package, and checks the package's submissions.

mod inputs;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::host::LocalHost;
use super::isolation::{available, contest_executor};
use super::{DONE, Done, Failure, JUDGE_FAILED, NOT_SOLVED, clock, environment, notice, say, signals};
use crate::import::{
    Finding, FindingKind, Grader, Helpers, ImportError, Mark, PackageContest, PreparedPackage, Programs, Statics,
    SubmissionResult, Verification, VerificationOptions, check_outputs, generate,
};
use judge_contest::session::{self, Logs, Needed, Options, build_program, prepare};
use judge_contest::{Contest, Overrides, parse_duration};
use judge_core::text::printable;
use judge_job::{StopRequest as _, count_text};
use judge_package::{Package, Written};
use judge_report::layout::explained;
use judge_sandbox::{Interrupt, IsolationMode};
use judge_show::live::DisplayMode;

/// The limit for CPU time of submissions whose times decide the time limit, in seconds.
const MEASURING_SECONDS: f64 = 60.0;

/// Import a problem package in the Kattis/ICPC format, or a task of CMS: make a contest of it, or check its submissions
///
/// Reads problem.yaml, test data with groups and answers, the output validator with its arguments, limits and
/// submissions of a package, in the versions legacy, 2023-07 and 2025-09. Each test case becomes a board, each
/// submission an entry: a program or, in a submit-answer problem, answers.
///
/// A task of CMS in the Italian format has a task.yaml: its inputs and outputs, subtasks of gen/GEN or of score_type, checker,
/// graders and solutions are read in the same way.
///
/// The time limit comes from problem.yaml, domjudge-problem.ini or .timelimit. Without one, the package's accepted
/// submissions are run, and the limit follows from their times.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge import different my-contest      a contest folder for `judge run`
  judge import --verify different        run and check its submissions
  judge import --verify different --limit 2s
  judge import --generate --verify different
  judge import --generate --verify --links oii oii/2016/nazionali/nemesi
  judge import --verify different --submission wrong_answer --case 'secret/0*'

With --verify, one line per submission as soon as it is known:
  ok       as the package expects
  tight    as it expects, but with a little more or less time the result would differ
  differs  not as it expects, with the test case or the requirement that decided
  skipped  not run: its language is not installed here
  ignored  the package states no expected result, or the selected test cases do not decide
Others:
  ok, differs, note   the validator on the judge's answers, valid_output and invalid_output
  margin   how far the slowest accepted and the fastest too slow submission are from the limit
  case     a test case with the submissions that it rejects; test cases that no submission needs

The package's input validators run first, in the sandbox, with a count of valid inputs.

Ctrl-C ends with the lines that are known. Exit code 0: nothing differs; 1: a result differs, or an input validator of
the package rejects one of its inputs.")]
pub(super) struct Args {
    /// Folder of the package
    package: PathBuf,

    /// Folder for the contest, created if missing; it must be empty
    #[arg(required_unless_present = "verify")]
    directory: Option<PathBuf>,

    /// Run the package's submissions, and compare the results with those that the package expects
    #[arg(long)]
    verify: bool,

    /// Do not run the input validators of the package
    #[arg(long)]
    skip_validators: bool,

    /// Create all test data by the package's generators in the sandbox, as generators/generators.yaml or, in a
    /// task of CMS, gen/GEN says; existing data is not used
    #[arg(long)]
    generate: bool,

    /// Verify only these submissions: a path below submissions/, a folder there, or the name of a file; `*` stands for
    /// a part of a name; may be repeated
    #[arg(long = "submission", value_name = "PATTERN", requires = "verify", conflicts_with = "directory")]
    submissions: Vec<String>,

    /// Verify only on these test cases: a path below data/ without ending, or a folder there; may be repeated
    #[arg(long = "case", value_name = "PATTERN", requires = "verify", conflicts_with = "directory")]
    cases: Vec<String>,

    /// Folder that links in the package may lead into, such as the repository that it is part of
    #[arg(long, value_name = "FOLDER")]
    links: Option<PathBuf>,

    /// Limit for CPU time per test case instead of the package's
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    limit: Option<Duration>,

    /// Runs at a time [default: as many as do not disturb each other]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode of submissions and validators, and of their builds
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = super::isolation::mode())]
    isolation: IsolationMode,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        if self.limit.is_some_and(|limit| limit.is_zero()) {
            return Err(Failure::input("--limit must be more than 0"));
        }
        let interrupt = signals()?;
        let scratch = tempfile::tempdir().map_err(|error| Failure::judge(format!("a temporary folder: {error}")))?;
        let executor = available(self.isolation, &interrupt)?;
        let programs = Programs::new(&executor, scratch.path(), &environment("PATH").unwrap_or_default());
        let failed = |error: ImportError| Failure::importing(error, &interrupt);
        // Checked first, so that a wrong folder is refused before anything runs.
        if let Some(directory) = &self.directory {
            refuse_full(directory)?;
        }
        let read =
            |package: &Path, links: Option<&Path>| Package::read_with_links(package, links).map_err(Failure::input);
        let links = self.links.as_deref();
        let mut package = match self.generate {
            false => read(&self.package, links)?,
            true => {
                let folder = scratch.path();
                let made = generate(&self.package, links, folder, &programs, &executor, &interrupt).map_err(failed)?;
                made.notices.iter().for_each(notice);
                say(&format!("generators: made {}", count_text(made.cases, "test case", "test cases")));
                read(&made.package, Some(&made.links))?
            }
        };
        package.notices.iter().for_each(notice);
        let is_made = self.package.join("generators/generators.yaml").is_file();
        if !self.generate && is_made && !self.package.join("data/secret").is_dir() {
            notice("with --generate, its generators make the test data");
        }
        if !self.cases.is_empty() {
            package.keep_cases(&self.cases).map_err(Failure::input)?;
        }
        let selected = match self.submissions.is_empty() {
            true => (0..package.submissions.len()).collect(),
            false => package.select_submissions(&self.submissions).map_err(Failure::input)?,
        };
        let known = self.limit.map(|limit| limit.as_secs_f64()).or(package.metadata.limits.time);
        // Submitted answers are not executed, so any limit will do.
        let known = known.or(package.metadata.submit_answer.then_some(1.0));
        let valid = self.skip_validators || inputs::check(&package, scratch.path(), &programs, &executor, &interrupt)?;
        report_unstarted(&programs);
        let package_contest = |limit: f64, submissions: &[usize]| {
            self.package_contest(&package, (scratch.path(), submissions), limit, &programs, &interrupt)
        };
        let mut measured = None;
        let limit = match known {
            Some(limit) => limit,
            None => {
                say("no time limit: it follows from the accepted submissions, which are run first");
                let is_run = |index: &usize| {
                    selected.contains(index)
                        || !package.timed_cases(&package.submissions[*index].expectation).is_empty()
                };
                let submissions: Vec<usize> = (0..package.submissions.len()).filter(is_run).collect();
                let package_contest = measured.insert(package_contest(MEASURING_SECONDS, &submissions)?);
                let slowest = package_contest.measure(&package, |line| say(&format!("measured {line}")));
                package.time_limit(slowest.map_err(failed)?)
            }
        };
        if let Some(directory) = &self.directory {
            let written = programs.write(&package, directory, limit).map_err(failed)?;
            report_unstarted(&programs);
            if !self.verify {
                return report_folder(&package, &written, directory, limit, out);
            }
        }
        let highest = limit * package.metadata.limits.limit_to_slow;
        let package_contest = match measured {
            Some(mut package_contest) => {
                package_contest.limit_to(highest).map_err(failed)?;
                package_contest
            }
            None => package_contest(highest, &selected)?,
        };
        let cases = count_text(package.data.cases.len(), "test case", "test cases");
        writeln!(out, "{}: {cases}, time limit {limit} s", package.metadata.name)?;
        let narrowed = !self.cases.is_empty();
        if !package_contest.has_grader() {
            package.grader = None;
        }
        let verification = Verification { package: &package, submissions: &selected, limit, highest, narrowed };
        match self.verify(&verification, &package_contest, &interrupt, out)? {
            DONE if !valid => Ok(NOT_SOLVED),
            done => Ok(done),
        }
    }

    /// Verifies, and writes each line as soon as it is known.
    fn verify(
        &self,
        verification: &Verification<'_>,
        package_contest: &PackageContest<'_>,
        interrupt: &Interrupt,
        out: &mut dyn Write,
    ) -> Done {
        let mut findings = Vec::new();
        if self.submissions.is_empty() {
            let report = |finding: &Finding| {
                writeln!(out, "{:8} {}", finding.kind.word(), finding.text)?;
                out.flush()
            };
            findings = check_outputs(package_contest, report).map_err(|error| Failure::importing(error, interrupt))?;
        }
        let (outcomes, failure) = verification.all(package_contest, |outcome| {
            writeln!(out, "{outcome}")?;
            out.flush()
        });
        let failure = failure.map(|error| Failure::importing(error, interrupt));
        if failure.as_ref().is_some_and(|failure| failure.message.is_none()) {
            // The reader has closed the pipe.
            return failure.map_or(Ok(DONE), Err);
        }
        let whole = !verification.narrowed && self.submissions.is_empty() && failure.is_none();
        let margins = verification.margins(package_contest, &outcomes).into_iter().map(|line| ("margin", line));
        let cases = verification.cases(package_contest, &outcomes, whole).into_iter().map(|line| ("case", line));
        for (word, line) in margins.chain(cases) {
            writeln!(out, "{}", explained(&format!("{word:8} "), &line, super::width()))?;
        }
        let failed = findings.iter().any(|finding| finding.kind == FindingKind::Failed);
        let differs = failed || findings.iter().any(|finding| finding.kind == FindingKind::Differs);
        let done = report(&outcomes, (differs, failed), out);
        let Some(mut failure) = failure else { return done };
        let all = count_text(verification.submissions.len(), "submission", "submissions");
        failure.message = failure.message.map(|message| format!("{message}: {} of {all} verified", outcomes.len()));
        Err(failure)
    }

    /// A contest of the package in a folder, with these submissions built.
    fn package_contest<'i>(
        &self,
        package: &Package,
        (folder, submissions): (&Path, &[usize]),
        limit: f64,
        programs: &Programs<'_>,
        interrupt: &'i Interrupt,
    ) -> Result<PackageContest<'i>, Failure> {
        let failed = |error: ImportError| Failure::importing(error, interrupt);
        let folder = folder.join("contest");
        let written = programs.write(&package.with_output_tests(), &folder, limit).map_err(failed)?;
        let grader = programs.write_grader(package, &folder).map_err(failed);
        let static_validator = programs.write_static_validator(package, &folder).map_err(failed)?;
        report_unstarted(programs);
        let mut prepared = PreparedPackage::new(written, &folder, submissions, limit).map_err(failed)?;
        prepared.contest.builds.isolation = self.isolation;
        let results = prepared.results();
        let executor = contest_executor(&prepared.contest, self.isolation, interrupt)?;
        let host = LocalHost::new(&executor, interrupt, DisplayMode::Nothing, None);
        let options = Options {
            needed: Needed::Entries(prepared.needed().clone()),
            keeps_logs: false,
            keeps_programs: false,
            checks_boards: false,
            can_be_guessed: false,
        };
        let session::PreparedContest { contest, unbuilt, .. } = prepare(prepared.contest, &results, options, &host)?;
        prepared.contest = contest;
        let (contest, logs) = (&prepared.contest, Logs { folder: &results, kept: false });
        let built = |plan| {
            let grader = Grader::new(&plan, contest, &package.metadata.limits, &results);
            let build = grader.build().map(|build| build_program(contest, &build, "the grader", logs, &host));
            build.transpose().map(|_| grader)
        };
        let grader = match grader.and_then(|plan| plan.map(built).transpose()) {
            Err(failure) if !interrupt.requested() => {
                notice(format!("{}; verdicts are compared, scores of its groups are not", failure.reason()));
                None
            }
            grader => grader?,
        };
        let entries = &prepared.written().entries;
        let statics = Statics::new(static_validator.as_ref(), package, entries, contest, &executor);
        let helpers = Helpers { unbuilt, grader, statics: statics.map_err(failed)? };
        let executor = Box::new(executor);
        let place = VerificationOptions {
            executor,
            stop: interrupt,
            jobs: self.jobs,
            clock,
            grader_failed: &report_grader_failure,
        };
        PackageContest::new(package, prepared, helpers, place).map_err(failed)
    }
}

/// Reports programs that exist but could not be started in the sandbox.
pub(super) fn report_unstarted(programs: &Programs<'_>) {
    for (program, reason) in programs.take_unstarted() {
        notice(format!("{program} is on the PATH, but could not be started in the sandbox: {}", printable(&reason)));
    }
}

/// Reports that the grader failed on a group.
fn report_grader_failure(group: &str, reason: &str) {
    let group = if group.is_empty() { "the test data" } else { group };
    say(&format!("the grader failed on {}: {}", printable(group), printable(reason)));
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
    // A package may request what contests do not support, such as a limit of years.
    if !written.entries.is_empty() {
        Contest::load(directory, &Overrides::default())
            .map_err(|error| Failure::input(format!("{error}; change the file, or the contest cannot run")))?;
    }
    writeln!(out, "next: judge run {}", shell_words::quote(&directory.to_string_lossy()))?;
    Ok(DONE)
}

/// Writes the numbers of submissions. The flags `others` are true if other checks differ, and if the validator failed
/// in them.
fn report(outcomes: &[SubmissionResult], others: (bool, bool), out: &mut dyn Write) -> Done {
    let count = |mark: Mark| outcomes.iter().filter(|outcome| outcome.mark() == mark).count();
    let failed = others.1 || outcomes.iter().any(|outcome| outcome.judge_failed);
    let all = count_text(outcomes.len(), "submission", "submissions");
    let counts = Mark::ALL.map(|mark| match mark {
        Mark::Differs => format!("{} differ", count(mark)),
        mark => format!("{} {}", count(mark), mark.word()),
    });
    writeln!(out, "{all}: {}", counts.join(", "))?;
    match (count(Mark::Ok) + count(Mark::Tight), count(Mark::Differs)) {
        _ if failed => Ok(JUDGE_FAILED),
        (0, 0) if !others.0 => Err(Failure::input("no submission could be compared: all were skipped or ignored")),
        (_, 0) if !others.0 => Ok(DONE),
        _ => Ok(NOT_SOLVED),
    }
}
