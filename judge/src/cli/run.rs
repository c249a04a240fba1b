//! `judge run`: a contest from its file to its table, or on from where it stopped.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::progress::Progress;
use super::{DONE, Done, Failure, JUDGE_FAILED, say};
use crate::contest::{Contest, FILE_NAME, Overrides, milliseconds, parse_duration};
use crate::journal::{self, Head, Journal, Record, RunKey};
use crate::report::{self, Format};
use crate::results::{Results, write_runs};
use crate::run::{BuildError, Interrupt, LocalExecutor, build};
use crate::schedule::{Event, Stage, Stopped, order};
use crate::verdict::Verdict;

/// Where results go when the command line does not say: numbered directories in here.
const DEFAULT_RESULTS: &str = "runs";

/// Run a contest: build its entries, run each on every board, print the ranked table
///
/// Every finished run is on disk before it is announced. A contest that was interrupted, be it by a power cut, goes
/// on with --resume and ends in the same table.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge run                              the contest.toml here, as it says
  judge run --limit 10s --boards FOXY    a quick look
  judge run my/contest.toml --out finals --format json > finals.json
  judge run --resume finals              on from where it stopped; judge errors are run again

The results directory:
  journal.jsonl            the contest and every finished run
  results.csv              one row a run; `judge rank` reads it
  runs/ENTRY/BOARD.out     what an entry printed; .err the head and tail of its standard error
  builds/                  what the builds printed")]
pub(super) struct Args {
    /// The contest file or its folder [default: contest.toml, with --resume the file the contest began with]
    contest: Option<PathBuf>,

    /// Wall-clock limit of a run, in place of the contest file's: 10m, 1m30s, 500ms
    #[arg(long, value_name = "TIME", value_parser = limit, conflicts_with = "resume")]
    limit: Option<Duration>,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "resume")]
    entries: Option<Vec<String>>,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with = "resume")]
    boards: Option<Vec<String>>,

    /// Runs at the same time; more than one may disturb each other's clocks
    #[arg(long, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,

    /// Results directory, made where it is missing [default: the next free one of runs/1, runs/2, …]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,

    /// Go on with the contest in this results directory: run exactly what is missing
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,

    /// How to write the table
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

fn limit(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("is zero, so no entry could answer".into()),
        limit => Ok(limit),
    }
}

/// A contest ready to go on: new, or with some of its runs made.
struct Session {
    contest: Contest,
    results: PathBuf,
    head: Head,
    journal: Journal,
    records: Vec<Record>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = Interrupt::on_signals().map_err(|error| Failure::judge(format!("signals: {error}")))?;
        let Session { contest, results, head, mut journal, records } = match &self.resume {
            Some(directory) => self.go_on(directory, &interrupt)?,
            None => self.begin(&interrupt)?,
        };
        // What the judge itself spoilt is as good as not run.
        let judged = records.iter().filter(|run| !matches!(run.verdict, Verdict::JudgeError { .. }));
        let judged: HashSet<&RunKey> = judged.map(|run| &run.key).collect();
        let missing = |index: &usize| !judged.contains(&head.order[*index]);
        let missing: Vec<usize> = (0..head.order.len()).filter(missing).collect();

        let no_scratch =
            |error| Failure::judge(format!("no directory for scratch files: {error}; is TMPDIR writable?"));
        let executor = LocalExecutor::new(&interrupt).map_err(no_scratch)?;
        let stage = Stage { contest: &contest, order: &head.order, results: &results, jobs: self.jobs.get() };
        let (total, done) = (head.order.len(), head.order.len() - missing.len());
        let mut progress = Progress::of_contest(&contest.plan, done, total, self.jobs);
        let show = |event: Event<'_>| progress.show(&event);
        let played = stage.play(&missing, &executor, &interrupt, &mut journal, show);
        progress.end();
        drop(journal);
        let resume = format!("judge run --resume {}", shell_words::quote(&results.to_string_lossy()));
        if let Err(stopped) = played {
            return Err(give_up(&stopped, &interrupt, &resume));
        }

        // Read back: the table is made from what is on disk, so that a resumed contest has the same one.
        let contents = journal::read(&results).map_err(Failure::judge)?;
        let path = results.join("results.csv");
        File::create(&path)
            .map_err(csv::Error::from)
            .and_then(|file| write_runs(&contents.head.plan, &contents.records, file))
            .map_err(|error| Failure::judge(format!("{}: {error}", path.display())))?;
        let table = Results::of_contest(&contents.head.plan, &contents.records);
        report::write(&table, self.format, out)?;
        out.flush()?;
        say(&format!("results in {}", results.display()));
        if table.complete() {
            return Ok(DONE);
        }
        say(&format!("the judge failed in some runs; they count for nobody, `{resume}` makes them again"));
        Ok(JUDGE_FAILED)
    }

    fn begin(&self, interrupt: &Interrupt) -> Result<Session, Failure> {
        let overrides = Overrides {
            wall_ms: self.limit.map(milliseconds),
            entries: self.entries.clone(),
            boards: self.boards.clone(),
        };
        let path = self.contest.clone().unwrap_or_else(|| FILE_NAME.into());
        let contest = Contest::load(&path, &overrides).map_err(Failure::input)?;
        let results = match &self.out {
            Some(directory) => make_results(directory)?,
            None => next_results()?,
        };
        build_entries(&contest, &results, interrupt)?;
        let programs = programs(&contest);
        let head = Head::new(contest.path.clone(), overrides, contest.plan.clone(), order(&contest.plan), programs);
        let journal = Journal::create(&results, &head).map_err(Failure::judge)?;
        Ok(Session { contest, results, head, journal, records: Vec::new() })
    }

    fn go_on(&self, results: &Path, interrupt: &Interrupt) -> Result<Session, Failure> {
        let (journal, contents) = Journal::resume(results).map_err(Failure::input)?;
        let head = contents.head;
        if contents.torn_bytes > 0 {
            say(&format!("dropped a torn last line of {} bytes; its run is made again", contents.torn_bytes));
        }
        let path = self.contest.as_ref().unwrap_or(&head.contest_file);
        let contest = Contest::load(path, &head.overrides).map_err(Failure::input)?;
        if let Some(difference) = head.plan.difference(&contest.plan) {
            let (results, path) = (results.display(), path.display());
            return Err(Failure::input(format!(
                "{results} holds another contest than {path}: {difference}; restore the contest file, or begin anew \
                 without --resume"
            )));
        }
        build_entries(&contest, results, interrupt)?;
        for (entry, files) in programs(&contest) {
            if head.programs.get(&entry) != Some(&files) {
                say(&format!("notice: the program of {entry} is not the one the contest began with"));
            }
        }
        Ok(Session { contest, results: results.to_owned(), head, journal, records: contents.records })
    }
}

/// What to tell of a contest that stopped before its end.
fn give_up(stopped: &Stopped, interrupt: &Interrupt, resume: &str) -> Failure {
    match stopped {
        Stopped::Interrupted => Failure {
            message: Some(format!("interrupted; every finished run is on disk, go on with `{resume}`")),
            code: interrupt.exit_code(),
        },
        _ => Failure::judge(format!("{stopped}; the runs before that are on disk, go on with `{resume}`")),
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

/// Runs every build command once, however many entries name it.
fn build_entries(contest: &Contest, results: &Path, interrupt: &Interrupt) -> Result<(), Failure> {
    let mut builds: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in &contest.plan.entries {
        let Some(command) = &entry.build else { continue };
        match builds.iter_mut().find(|(known, _)| known == command) {
            Some((_, entries)) => entries.push(&entry.name),
            None => builds.push((command, vec![&entry.name])),
        }
    }
    let logs = results.join("builds");
    fs::create_dir_all(&logs).map_err(|error| Failure::judge(format!("{}: {error}", logs.display())))?;
    let progress = Progress::of_builds(builds.len());
    for (command, entries) in builds {
        progress.doing(&format!("building: {command}"));
        let log = logs.join(format!("{}.log", entries[0]));
        if let Err(error) = build(command, contest.directory(), &log, interrupt) {
            progress.end();
            let names = entries.join(", ");
            return Err(match error {
                BuildError::Interrupted => {
                    Failure { message: Some("interrupted before the first run".into()), code: interrupt.exit_code() }
                }
                BuildError::Judge { .. } => Failure::judge(format!("building {names}: {error}")),
                BuildError::Failed { .. } | BuildError::TooLong { .. } => Failure::input(format!(
                    "building {names}: {error}\nall of it is in {}; mend the build, or leave the entry out with --entries",
                    log.display()
                )),
            });
        }
    }
    progress.end();
    Ok(())
}

/// SHA-256 of every file that an entry's command names, so that a resumed contest can tell another program.
fn programs(contest: &Contest) -> BTreeMap<String, BTreeMap<String, String>> {
    let directory = contest.directory();
    let digest = |path: &Path| {
        let hash = Sha256::digest(fs::read(path).ok()?);
        Some(hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    };
    let files = |entry| {
        let command = contest.command(entry);
        let paths = command.into_iter().filter(|word| Path::new(word).is_absolute() && Path::new(word).is_file());
        paths.filter_map(|path| {
            let name = Path::new(&path).strip_prefix(directory).unwrap_or(Path::new(&path)).display().to_string();
            Some((name, digest(Path::new(&path))?))
        })
    };
    contest.plan.entries.iter().map(|entry| (entry.name.clone(), files(entry).collect())).collect()
}
