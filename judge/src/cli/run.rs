//! `judge run`: runs a contest, or resumes it.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::builds::{Builds, build_entries};
use super::environment;
use super::progress::{Progress, Shown, Tally, Watcher};
use super::results_csv::write_results_csv;
use super::{DONE, Done, Failure, JUDGE_FAILED, say};
use crate::report::{self, Format};
use judge_contest::external::Bench;
use judge_contest::journal::Journal;
use judge_contest::programs::hashes;
use judge_contest::schedule::{Event, PendingRun, Runner, Stopped};
use judge_contest::{Contest, FILE_NAME, Overrides, REPEATS, Seeds, milliseconds, parse_duration};
use judge_core::journal::{self, Contents, Header, Line, Record};
use judge_core::results::Results;
use judge_core::verdict::Verdict;
use judge_sandbox::{Executor as _, Interrupt, IsolationMode, Limits, LocalExecutor, now_us, settled, unmet};

/// The default folder of results, with numbered directories.
const DEFAULT_RESULTS: &str = "runs";

/// Run a contest: build its entries, run each on every board, print the ranked table
///
/// Every finished run is saved before it is announced. After an interruption, even a power failure, --resume runs the
/// rest and leads to the same table.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge run                              the contest.toml in this folder
  judge run --limit 10s --boards FOXY    a quick look
  judge run --seeds 1-200                on 200 random boards
  judge run my/contest.toml --out finals --format json > finals.json
  judge run --resume finals              run what is missing, repeat judge errors
  judge run --isolation require          only with the strongest isolation; see `judge doctor`
  judge run --progress lines | tee table.txt
                                         no screen; one line per finished run, on standard error

On a terminal, a screen shows the standings on the boards that all entries have finished, the
running entries, the time left, and failures. Ctrl-C stops the contest and restores the terminal.
A second Ctrl-C does not wait for the running entries.

The results directory:
  journal.jsonl            the contest and every finished run
  results.csv              one row per run, for `judge rank`
  output/ROUND/ENTRY/      BOARD.ATTEMPT.out: standard output; .err: head and tail of standard error
  builds/                  output of the builds
  report.html              with --report: one page of the results")]
pub(super) struct Args {
    /// Contest file or its folder [default: contest.toml; with --resume, the file of that contest]
    contest: Option<PathBuf>,

    /// Wall-clock limit per run instead of the contest file's: 10m, 1m30s, 500ms
    #[arg(long, value_name = "TIME", value_parser = limit, conflicts_with = "resume")]
    limit: Option<Duration>,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "resume")]
    entries: Option<Vec<String>>,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "resume")]
    boards: Option<Vec<String>>,

    /// Use the boards in these files instead of the contest's, each named after its file
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["resume", "boards"])]
    on: Vec<PathBuf>,

    /// Use random boards of these seeds instead of the contest's, as `judge boards make --random` makes them
    #[arg(long, value_name = "A-B", conflicts_with_all = ["resume", "boards"])]
    seeds: Option<Seeds>,

    /// Runs at a time [default: as many as do not disturb each other: one per group of physical cores that an entry may
    /// use, as far as CPU quota and memory allow]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode, at least as strict as the contest file requires
    #[arg(long, value_name = "HOW", value_parser = super::isolation::mode())]
    isolation: Option<IsolationMode>,

    /// Retry suspect runs up to N times; the last attempt counts, all are recorded
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", default_value = "0")]
    repeat_suspect: u32,

    /// Run each entry N times on each board; the first run makes the table, all show how much runs vary
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(*REPEATS.start())..=i64::from(*REPEATS.end())), conflicts_with = "resume")]
    repeat: Option<u32>,

    /// Results directory, created if missing [default: the next free one of runs/1, runs/2, …]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Resume the contest in DIR: run what is missing, repeat judge errors
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,

    /// Output format of the table
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Progress display on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    progress: Progress,

    /// Also write report.html, a page of the results, into the results directory; see `judge report`
    #[arg(long)]
    report: bool,
}

fn limit(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("is zero, so no entry could answer".into()),
        limit => Ok(limit),
    }
}

/// A contest ready to run: new, or with some of its runs made.
struct Session<'a> {
    contest: Contest,
    results: PathBuf,
    journal: Journal,
    contents: Contents,
    builds: Builds,
    executor: LocalExecutor<'a>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = Interrupt::on_signals().map_err(|error| Failure::judge(format!("signals: {error}")))?;
        let shown = self.progress.here()?;
        let Session { contest, results, mut journal, contents, builds, executor } = match &self.resume {
            Some(directory) => self.go_on(directory, shown, &interrupt)?,
            None => self.begin(shown, &interrupt)?,
        };
        let resume = format!("judge run --resume {}", shell_words::quote(&results.to_string_lossy()));
        let unbuilt = builds.unbuilt();
        let built =
            |run: &Record| matches!(run.verdict, Verdict::BuildFailed { .. }) && !unbuilt.contains_key(&*run.key.entry);
        let mut missing = contents.select(|record| record.is_none_or(|run| run.is_judge_error() || built(run)));
        let mut suspect = contents.select(|record| {
            record.is_some_and(|run| run.suspect.is_some() && run.ruling.is_none() && !run.is_judge_error())
        });
        let Contents { order, records, mut attempts, .. } = contents;

        let limits = limits_of_jobs(&contest);
        let capacity = executor.capacity(&limits, self.jobs);
        capacity.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
        let runner = Runner::new(&contest, &order, &results, &capacity.slots).without(unbuilt);
        let tally = Tally::new(contest.plan.clone(), order.len(), &records, capacity.slots.len(), now_us());
        drop(records);
        let watcher = Watcher::begin(shown, tally, &interrupt)
            .map_err(|error| Failure::judge(format!("a thread to show the contest: {error}")))?;
        // Once for what is missing, then again and again for suspect runs.
        for pass in 0..=self.repeat_suspect {
            if pass > 0 {
                missing = std::mem::take(&mut suspect);
                if missing.is_empty() {
                    break;
                }
                watcher.notice(format!("repeating suspect runs: {}", missing.len()));
            }
            let turns: Vec<PendingRun> =
                missing.iter().map(|&index| PendingRun { index, attempt: attempts[index] + 1 }).collect();
            watcher.round(missing.iter().map(|&index| order[index].clone()).collect());
            let show = |event: Event<'_>| {
                if let Event::Finished(record) = &event {
                    attempts[record.seq - 1] = record.attempt;
                    if record.suspect.is_some() {
                        suspect.push(record.seq - 1);
                    }
                }
                watcher.show(&event);
            };
            let played = runner.run(&turns, &executor, &interrupt, &mut journal, show);
            if let Err(stopped) = played {
                drop(watcher);
                return Err(give_up(&stopped, &interrupt, &resume));
            }
        }
        drop((watcher, journal));

        // Read back: the table is made from what is on disk, so that a resumed contest has the same one.
        let contents = write_results_csv(&results)?;
        self.report(&contents, &results, &resume, out)
    }

    fn report(&self, contents: &Contents, results: &Path, resume: &str, out: &mut dyn Write) -> Done {
        let table = Results::of_journal(contents);
        report::write(&table, self.format, out)?;
        out.flush()?;
        if self.report {
            let page = super::report::of_directory(results)?;
            say(&format!("page in {}", page.display()));
        }
        say(&format!("results in {}", results.display()));
        if table.complete() {
            return Ok(DONE);
        }
        say(&format!("some runs ended in judge errors and are not scored; repeat them with `{resume}`"));
        Ok(JUDGE_FAILED)
    }

    /// The executor, where it is as strict as the contest and the command line demand.
    fn executor<'i>(&self, contest: &Contest, interrupt: &'i Interrupt) -> Result<LocalExecutor<'i>, Failure> {
        let demanded = contest.plan.isolation;
        let demand = self.isolation.unwrap_or(demanded);
        if demanded == IsolationMode::Require && demand != IsolationMode::Require {
            let (demand, path) = (demand.name(), contest.path.display());
            return Err(Failure::input(format!(
                "--isolation {demand} is weaker than {path} requires; change its `isolation`, or omit the option"
            )));
        }
        let executor = LocalExecutor::new(interrupt, demand)
            .map_err(|error| Failure::judge(format!("no directory for scratch files: {error}; is TMPDIR writable?")))?;
        let limits = limits_of_jobs(contest).into_iter();
        let mut missing: Vec<String> =
            limits.flat_map(|limits| unmet(demand, executor.probe(), executor.enforcement(), &limits)).collect();
        missing.sort();
        missing.dedup();
        if missing.is_empty() {
            return Ok(executor);
        }
        Err(Failure::input(format!(
            "isolation \"{}\" is not available on this machine:\n  {}\n`judge doctor` reports more; isolation = \
             \"auto\" uses what is available",
            demand.name(),
            missing.join("\n  ")
        )))
    }

    fn begin<'i>(&self, shown: Shown, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let path = self.contest.clone().unwrap_or_else(|| FILE_NAME.into());
        let others = !self.on.is_empty() || self.seeds.is_some();
        let others = others.then(|| Contest::boards_from(&path, &self.on, self.seeds.as_ref()));
        let others = others.transpose().map_err(Failure::input)?;
        let overrides = Overrides {
            wall_ms: self.limit.map(milliseconds),
            repeat: self.repeat,
            entries: self.entries.clone(),
            boards: self.boards.clone(),
            other_boards: others.as_ref().map(|others| others.boards.clone()),
        };
        let mut contest = Contest::load(&path, &overrides).map_err(Failure::input)?;
        contest.add_files_of(others.unwrap_or_default());
        let executor = self.executor(&contest, interrupt)?;
        let results = match &self.out {
            Some(directory) => make_results(directory)?,
            None => next_results()?,
        };
        contest.keep_files(&results).map_err(Failure::judge)?;
        let builds = build_entries(&contest, &results, shown, interrupt)?;
        let bench = Bench { executor: &executor, processors: Vec::new(), results: Some(&results) };
        contest.check_boards(&bench).map_err(Failure::input)?;
        let path = environment("PATH");
        let programs = hashes(&contest, path.as_deref());
        let file = seen_from(&results, &contest.path);
        let plan = contest.plan.clone();
        let order = plan.turns();
        let header = Header::new(file, overrides, plan, order, programs, path);
        let mut journal = Journal::create(&results, header, super::clock).map_err(Failure::judge)?;
        record(&builds, &mut journal)?;
        let contents = journal::read(&results).map_err(Failure::judge)?;
        Ok(Session { contest, results, journal, contents, builds, executor })
    }

    fn go_on<'i>(&self, results: &Path, shown: Shown, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let (mut journal, contents) = Journal::resume(results, super::clock).map_err(Failure::input)?;
        let header = &contents.header;
        if contents.torn_bytes > 0 {
            let bytes = contents.torn_bytes;
            say(&format!("discarded an incomplete last journal line ({bytes} bytes); its run will be repeated"));
        }
        let path = self.contest.clone().unwrap_or_else(|| settled(&results.join(&header.contest_file)));
        let mut contest = Contest::load(&path, &header.overrides).map_err(Failure::input)?;
        if let Some(difference) = header.plan.difference(&contest.plan) {
            let (results, path) = (results.display(), path.display());
            return Err(Failure::input(format!(
                "{path} does not match the contest in {results}: {difference}; restore the contest file, or start a \
                 new contest without --resume"
            )));
        }
        contest.adopt(contents.plan.clone()).map_err(Failure::input)?;
        contest.keep_files(results).map_err(Failure::input)?;
        let executor = self.executor(&contest, interrupt)?;
        let builds = build_entries(&contest, results, shown, interrupt)?;
        record(&builds, &mut journal)?;
        let path = environment("PATH");
        if let Some(before) = contents.header.path.as_ref().filter(|before| path.as_ref() != Some(before)) {
            let now = path.as_deref().unwrap_or_default();
            say(&format!("notice: PATH has changed since the contest started, from `{before}` to `{now}`"));
        }
        for (entry, files) in hashes(&contest, path.as_deref()) {
            if contents.programs.get(&entry) != Some(&files) {
                say(&format!("notice: the program of {entry} has changed since the contest started"));
            }
        }
        Ok(Session { contest, results: results.to_owned(), journal, contents, builds, executor })
    }
}

/// The limits of all jobs of a contest: those of its entries, and of a referee that is a program.
fn limits_of_jobs(contest: &Contest) -> Vec<Limits> {
    let plan = &contest.plan;
    let referee = plan.referee.iter().map(|referee| referee.limits);
    plan.entries.iter().map(|entry| plan.limits_of(entry)).chain(referee).collect()
}

/// Puts the builds into the journal.
fn record(builds: &Builds, journal: &mut Journal) -> Result<(), Failure> {
    let lines: Vec<Line> = builds.all.iter().map(|build| Line::Build(Box::new(build.clone()))).collect();
    if lines.is_empty() { Ok(()) } else { journal.append(&lines).map_err(Failure::judge) }
}

/// The path of a contest file from a results directory below its folder, so that both can be moved together.
fn seen_from(results: &Path, contest: &Path) -> PathBuf {
    let below = fs::canonicalize(results).ok().zip(contest.parent());
    let below = below.as_ref().and_then(|(results, folder)| results.strip_prefix(folder).ok());
    match (below, contest.file_name()) {
        (Some(below), Some(name)) => below.iter().map(|_| "..").collect::<PathBuf>().join(name),
        _ => contest.to_owned(),
    }
}

/// The failure of a contest that stopped before its end.
fn give_up(stopped: &Stopped, interrupt: &Interrupt, resume: &str) -> Failure {
    match stopped {
        Stopped::Interrupted => Failure {
            message: Some(format!("interrupted; finished runs are saved; resume with `{resume}`")),
            code: interrupt.exit_code(),
        },
        _ => Failure::judge(format!("{stopped}; finished runs are saved; resume with `{resume}`")),
    }
}

fn make_results(directory: &Path) -> Result<PathBuf, Failure> {
    if directory.join(journal::FILE_NAME).exists() {
        return Err(Failure::input(journal::JournalError::Exists(directory.to_owned())));
    }
    fs::create_dir_all(directory).map_err(|error| Failure::judge(format!("{}: {error}", directory.display())))?;
    Ok(directory.to_owned())
}

/// Makes the next free numbered directory. Numbers, not times of day: the same commands give the same names.
fn next_results() -> Result<PathBuf, Failure> {
    let parent = Path::new(DEFAULT_RESULTS);
    let refuse =
        |error: io::Error| Failure::judge(format!("{}: {error}; name a directory with --out", parent.display()));
    fs::create_dir_all(parent).map_err(refuse)?;
    let mut number = 1u32;
    loop {
        let directory = parent.join(number.to_string());
        match fs::create_dir(&directory) {
            Ok(()) => return Ok(directory),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(refuse(error)),
        }
    }
}
