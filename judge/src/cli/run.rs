//! `judge run`: runs a contest, resumes it, or updates it to its contest file.

mod live_files;
mod session;
mod update;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::isolation::limits;
use super::progress::Progress;
use super::results_csv::write_results_csv;
use super::slurm::{self, EngineName, Options};
use super::{DONE, Done, Failure, JUDGE_FAILED, say, signals};
use judge_contest::conduct::Event;
use judge_contest::schedule::{Engine, Local, Stopped};
use judge_contest::tally::Tally;
use judge_contest::{REPEATS, Seeds, parse_duration, parse_kept};
use judge_core::journal::Contents;
use judge_core::results::Results;
use judge_host::now_us;
use judge_report::directory::{argument, short};
use judge_report::{self as report, Format, View};
use judge_sandbox::{Executor as _, Interrupt, IsolationMode};
use judge_show::engine;
use judge_show::live::{Shown, Watcher};
use judge_slurm::log::Log;

use live_files::LiveFiles;
use session::Session;

/// Run a contest: build its entries, run each on every board, print the ranked table
///
/// Every finished run is saved before it is announced. After an interruption, even a power failure, --resume runs the
/// rest and leads to the same table. A contest can go on for weeks: --update executes the runs that its changed file asks
/// for and the results do not have.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge run                              the contest.toml in this folder
  judge run --limit 10s --boards FOXY    a quick look
  judge run --seeds 1-200                on 200 random boards
  judge run --game loyd --seeds 1-200 --entry a=./a --entry \"b=python3 b.py\"
                                         without a contest file
  judge run my/contest.toml --out finals --format json > finals.json
  judge run --resume finals              run the rest, repeat judge errors
  judge run --update finals --dry-run    what a changed contest file would cost
  judge run --isolation require          only with the strongest isolation
  judge run --progress lines | tee table.txt
                                         no screen; one line per finished run, on standard error
  judge run --engine slurm --sbatch \"--partition=long\" --detach
                                         send all runs to a cluster; --resume takes in their outcomes

On a terminal, a screen shows the standings on the boards that all entries have finished, the running entries, the \
time left, and failures. Ctrl-C ends the running entries, stops the contest and restores the terminal; --resume repeats \
their runs. A second Ctrl-C ends `judge` at once.

The results directory:
  journal.jsonl            the contest and every finished run
  results.csv              one row per run, for `judge rank`
  output/ROUND/ENTRY/      BOARD.ATTEMPT.out: standard output;
                           BOARD.ATTEMPT.err: head and tail of standard error
  builds/                  output of the builds
  files/                   large boards, and the programs: `judge restore`
  report.html              with --report: one page of the results, live while they are made")]
pub(super) struct Args {
    /// Contest file or its folder [default: contest.toml; with --resume, the file of that contest]
    contest: Option<PathBuf>,

    /// Wall-clock limit per run instead of the contest file's: 10m, 1m30s, 500ms
    #[arg(long, value_name = "TIME", value_parser = limit, conflicts_with_all = ["resume", "update"])]
    limit: Option<Duration>,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with_all = ["resume", "update"])]
    entries: Option<Vec<String>>,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', conflicts_with_all = ["resume", "update"])]
    boards: Option<Vec<String>>,

    /// Use the boards in these files instead of the contest's, each named after its file
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["resume", "update", "boards"])]
    on: Vec<PathBuf>,

    /// Use random boards of these seeds instead of the contest's, as `judge boards make --random` makes them
    #[arg(long, value_name = "A-B", conflicts_with_all = ["resume", "update", "boards"])]
    seeds: Option<Seeds>,

    /// The game of --on or --seeds, if there is no contest file
    #[arg(long, value_parser = super::game::known(), requires = "entry", conflicts_with_all = ["contest", "resume", "update", "entries", "boards", "repeat"])]
    game: Option<String>,

    /// With --game: an entry; may be repeated
    #[arg(long, value_name = "NAME=COMMAND", value_parser = super::adhoc::entry, requires = "game")]
    entry: Vec<(String, Vec<String>)>,

    /// Runs at a time [default: as many as do not disturb each other: one per group of physical cores that an entry may
    /// use, as far as CPU quota and memory allow]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode, at least as strict as the contest file requires
    #[arg(long, value_name = "HOW", value_parser = super::isolation::mode())]
    isolation: Option<IsolationMode>,

    /// Retry suspect runs up to N times; the last attempt counts, all are recorded
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", default_value = "0")]
    repeat_suspect: u32,

    /// Run each entry N times on each board; the first run makes the table, all show how much runs vary
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(*REPEATS.start())..=i64::from(*REPEATS.end())), conflicts_with_all = ["resume", "update"])]
    repeat: Option<u32>,

    /// Results directory, created if missing [default: the next free one of runs/1, runs/2, …; under Landlock with a
    /// random suffix, which commands may omit]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "update"])]
    out: Option<PathBuf>,

    /// Resume the contest in DIR: run what is missing, repeat judge errors
    #[arg(long, value_name = "DIR", value_parser = super::runs::path())]
    resume: Option<PathBuf>,

    /// Update the contest in DIR to its contest file: run what DIR does not have, such as new entries and boards, and
    /// entries whose program, build or limits have changed
    #[arg(long, value_name = "DIR", conflicts_with = "resume", value_parser = super::runs::path())]
    update: Option<PathBuf>,

    /// With --update: only print what would be done and why
    #[arg(long)]
    dry_run: bool,

    /// With --update or --resume, if the referee has changed: referee all stored answers again first, by the present
    /// one
    #[arg(long)]
    rejudge: bool,

    /// With --update: replace good runs even if the program to repeat them is missing
    #[arg(long, requires = "update")]
    force: bool,

    /// The most that the results directory keeps of each program, such as 64MiB, or `off` [default: `keep_programs` of
    /// the contest file]
    #[arg(long, value_name = "SIZE", value_parser = parse_kept)]
    keep_programs: Option<u64>,

    /// A comment on the contest, which `judge runs` and the page show
    #[arg(long, value_name = "TEXT", value_parser = super::one_line)]
    comment: Option<String>,

    /// Output format of the table
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Progress display on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    progress: Progress,

    #[command(flatten)]
    engine: Options,

    /// Also write report.html, a page of the results, into the results directory, again and again while the contest runs;
    /// an open page loads itself again. See `judge report`
    #[arg(long)]
    report: bool,
}

/// The result of executing the runs of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    /// All runs have finished.
    All,
    /// All runs are sent to a cluster.
    Sent,
}

fn limit(text: &str) -> Result<Duration, String> {
    match parse_duration(text).map_err(|error| error.to_string())? {
        Duration::ZERO => Err("is zero, so no entry could answer".into()),
        limit => Ok(limit),
    }
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        match (&self.update, self.dry_run) {
            (Some(directory), true) => return self.preview(directory, &interrupt, out),
            (None, true) => {
                let message = "--dry-run needs --update DIR; check a new contest with `judge check`";
                return Err(Failure::input(message));
            }
            _ => {}
        }
        if self.rejudge && self.update.is_none() && self.resume.is_none() {
            return Err(Failure::input("--rejudge needs --update DIR or --resume DIR"));
        }
        let shown = self.progress.here()?;
        if self.engine_here()? == EngineName::Slurm {
            slurm::installed()?;
        }
        let session = match (&self.resume, &self.update) {
            (Some(directory), _) => self.resume(directory, shown, &interrupt)?,
            (_, Some(directory)) => self.update(directory, shown, &interrupt)?,
            (None, None) => self.begin(shown, &interrupt)?,
        };
        let resume = format!("judge run --resume {}", argument(session.conduct.results()));
        if self.engine_here()? == EngineName::Local {
            self.take_in_from_cluster(&session, &interrupt)?;
        }
        session.follow_results()?;
        // Round after round, each from what is on disk: a resumed contest takes the same path.
        loop {
            if self.execute_runs(&session, shown, &interrupt, &resume)? == Made::Sent {
                say(&format!("all runs are sent; take in their outcomes with `{resume}`"));
                return Ok(DONE);
            }
            if !session.open_next_round()? {
                break;
            }
        }
        let results = session.conduct.results().to_owned();
        drop(session);
        let contents = write_results_csv(&results)?;
        self.report(&contents, &results, &resume, out)
    }

    /// Executes the missing runs of the open round, and repeats suspect ones as often as the command line asks.
    fn execute_runs(
        &self,
        session: &Session<'_>,
        shown: Shown,
        interrupt: &Interrupt,
        resume: &str,
    ) -> Result<Made, Failure> {
        let on_slurm = self.engine_here()? == EngineName::Slurm;
        let slurm = on_slurm.then(|| self.engine.slurm(session.conduct.results(), interrupt)).transpose()?;
        let Session { conduct, builds, programs, executor } = session;
        let (contest, contents) = (conduct.contest(), conduct.contents());
        let capacity = executor.capacity(&limits(&contest), self.jobs);
        if !on_slurm {
            capacity.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
        }
        conduct.set_unbuilt(builds.unbuilt());
        conduct.repeat_suspect(self.repeat_suspect);
        let refused = conduct.record_programs(programs).map_err(session::failure)?;
        session::say_not_kept(&refused, conduct.results());
        // One engine for all passes: a board stays on one kind of node.
        let isolation = (self.isolation_of(&contest), executor.describe().isolation);
        let cluster = slurm.as_ref().map(|slurm| self.engine.cluster(slurm, &contest, &contents, isolation, false));
        let cluster = cluster.transpose()?;
        let tally = Tally::new(&contents, (!on_slurm).then_some(capacity.slots.len()), now_us());
        drop(contents);
        let watcher = Watcher::begin(shown, tally, interrupt, say)
            .map_err(|error| Failure::judge(format!("a thread to show the contest: {error}")))?;
        conduct.subscribe(watcher.subscriber());
        let local = Local::new(executor);
        let engine: &dyn Engine = cluster.as_ref().map_or(&local, |engine| engine);
        let files = LiveFiles::begin(conduct.results(), self.report);
        let _files = files.map_err(|error| Failure::judge(format!("a thread to make results.csv: {error}")))?;
        match conduct.run_round(engine, &capacity.slots, interrupt) {
            Ok(()) => Ok(Made::All),
            Err(Stopped::Detached) => Ok(Made::Sent),
            Err(stopped) => {
                drop(watcher);
                Err(give_up(&stopped, interrupt, resume))
            }
        }
    }

    /// The engine of this contest.
    fn engine_here(&self) -> Result<EngineName, Failure> {
        self.engine.engine_of(self.resume.as_deref().or(self.update.as_deref()))
    }

    /// Takes in the outcomes that a cluster has for a contest that continues on this machine, and cancels the remaining
    /// runs on the cluster.
    fn take_in_from_cluster(&self, session: &Session<'_>, interrupt: &Interrupt) -> Result<(), Failure> {
        let Session { conduct, executor, .. } = session;
        if !Log::has_work(conduct.results()) {
            return Ok(());
        }
        let slurm = self.engine.slurm(conduct.results(), interrupt).map_err(|failure| {
            let message = failure.message.unwrap_or_default();
            Failure::input(format!("Slurm may still have runs of this contest, and they cannot be taken in: {message}"))
        })?;
        let contest = conduct.contest();
        let isolation = (self.isolation_of(&contest), executor.describe().isolation);
        let engine = self.engine.cluster(&slurm, &contest, &conduct.contents(), isolation, true)?;
        let here = Arc::new(());
        let while_here = Arc::downgrade(&here);
        conduct.subscribe(move |event| {
            if let Event::Notice(data) = event {
                say(&engine::notice(data));
            }
            while_here.strong_count() > 0
        });
        conduct.run_pass(&engine, &[], interrupt).map(drop).map_err(Failure::judge)
    }

    fn report(&self, contents: &Contents, results: &Path, resume: &str, out: &mut dyn Write) -> Done {
        let table = Results::from_journal(contents);
        if self.report {
            let page = super::report::of_directory(results, None)?;
            say(&format!("page in {}", page.display()));
        }
        say(&format!("results in {}", short(results).display()));
        if !table.complete() {
            say(&format!("some runs ended in judge errors and are not scored; repeat them with `{resume}`"));
        }
        // The standings are the last thing that is printed.
        let view = View { width: super::width(), results: Some(results), ..View::default() };
        report::write_for(&table, self.format, view, out)?;
        Ok(if table.complete() { DONE } else { JUDGE_FAILED })
    }
}

/// The failure of a contest that stopped before its end.
fn give_up(stopped: &Stopped, interrupt: &Interrupt, resume: &str) -> Failure {
    match stopped {
        Stopped::Interrupted => {
            Failure::interrupted(format!("interrupted; finished runs are saved; resume with `{resume}`"), interrupt)
        }
        _ => Failure::judge(format!("{stopped}; finished runs are saved; resume with `{resume}`")),
    }
}
