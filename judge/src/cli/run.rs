//! `judge run`: starts a contest and executes its runs.

use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::adhoc::{self, many};
use super::directory::{make_results, next_results, seen_from};
use super::game::GameArgs;
use super::host::LocalHost;
use super::isolation::is_landlock;
use super::session::{ExecutionOptions, Session, preparation};
use super::{Done, Failure, say, signals};
use judge_contest::open_contest::StartOptions;
use judge_contest::session::{Needed, looks_up_names, prepare, start_referee};
use judge_contest::{Contest, FILE_NAME, NewContest, Overrides, REPEATS, Seeds, milliseconds, parse_duration};
use judge_job::count_text;
use judge_report::directory::argument;
use judge_sandbox::{Interrupt, IsolationMode, LocalExecutor};
use judge_show::live::DisplayMode;

/// Run a contest: build its entries, run each on every board, print the ranked table
///
/// Every finished run is saved before it is announced. After an interruption, even a power failure, `judge resume` runs the
/// rest and leads to the same table. A contest can go on for weeks: `judge update` executes the runs that its changed file
/// asks for and the results do not have.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge run                              the contest.toml in this folder
  judge run --limit 10s --boards FOXY    a quick look
  judge run --seeds 1-200                on 200 random boards
  judge run --game loyd --seeds 1-200 --entry a=./a --entry \"b=python3 b.py\"
                                         without a contest file
  judge run my/contest.toml --out finals --format json > finals.json
  judge run --isolation require          only with the strongest isolation
  judge run --progress lines | tee table.txt
                                         no screen; one line per finished run, on standard error
  judge run --engine slurm --sbatch \"--partition=long\" --detach
                                         send all runs to a cluster; `judge resume` takes in
                                         their outcomes

On a terminal, a screen shows the standings on the boards that all entries have finished, the running entries, the \
time left, and failures. Ctrl-C ends the running entries, stops the contest and restores the terminal; `judge resume` \
repeats their runs. A second Ctrl-C ends `judge` at once.

The results directory:
  journal.jsonl            the contest and every finished run
  results.csv              one row per run, for `judge rank`
  output/ROUND/ENTRY/      BOARD.ATTEMPT.out: standard output;
                           BOARD.ATTEMPT.err: head and tail of standard error
  builds/                  output of the builds
  files/                   large boards, and the programs: `judge restore`
  report.html              with --report: one page of the results, live while they are made")]
pub(super) struct Args {
    /// Contest file or its folder [default: contest.toml]
    contest: Option<PathBuf>,

    /// Wall-clock limit per run instead of the contest file's: 10m, 1m30s, 500ms
    #[arg(long, value_name = "TIME", value_parser = limit)]
    limit: Option<Duration>,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', add = super::candidates::entries())]
    entries: Option<Vec<String>>,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    boards: Option<Vec<String>>,

    /// Use the boards in these files instead of the contest's, each named after its file
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with = "boards")]
    on: Vec<PathBuf>,

    /// Use random boards of these seeds instead of the contest's, as `judge boards make --random` makes them
    #[arg(long, value_name = "A-B", conflicts_with = "boards")]
    seeds: Option<Seeds>,

    /// The game of --on or --seeds, if there is no contest file
    #[arg(long, value_parser = super::game::known(), requires = "entry", conflicts_with_all = ["contest", "entries", "boards"])]
    game: Option<String>,

    /// With --game: an entry; may be repeated
    #[arg(long, value_name = "NAME=COMMAND", value_parser = super::adhoc::entry, requires = "game")]
    entry: Vec<(String, Vec<String>)>,

    /// Run each entry N times on each board; the first run makes the table, all show how much runs vary
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(*REPEATS.start())..=i64::from(*REPEATS.end())))]
    repeat: Option<u32>,

    /// Results directory, created if missing [default: the next free one of runs/1, runs/2, …; under Landlock with a
    /// random suffix, which commands may omit]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    how: ExecutionOptions,

    /// Refused, because it is a command since 0.2.
    #[arg(long = "resume", hide = true, value_name = "DIR", value_parser = |results: &str| moved("resume", results))]
    _resume: Option<Infallible>,

    /// Refused, because it is a command since 0.2.
    #[arg(long = "update", hide = true, value_name = "DIR", value_parser = |results: &str| moved("update", results))]
    _update: Option<Infallible>,
}

/// The error for an option that is now a command.
fn moved(command: &str, results: &str) -> Result<Infallible, String> {
    Err(format!("this is a command now: `judge {command} {}`", argument(Path::new(results))))
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
        let shown = self.how.begin(None)?;
        let session = self.begin(shown, &interrupt)?;
        self.how.execute(session, shown, &interrupt, out)
    }

    fn begin<'i>(&self, shown: DisplayMode, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let new = |secret: bool| match &self.out {
            Some(directory) => make_results(directory),
            None => next_results(secret),
        };
        // A contest that the command line describes is written into the results directory.
        let written = self.game.as_ref().map(|game| {
            let contest = self.adhoc(game)?;
            let files = adhoc::files(&contest)?;
            let executor = LocalExecutor::new(interrupt, self.how.isolation.unwrap_or(IsolationMode::Auto));
            let results = new(is_landlock(&executor.map_err(Failure::judge)?))?;
            adhoc::announce("writing", contest.seeds);
            let path = files.write(&results).map_err(adhoc::failure)?;
            adhoc::announce("reading", contest.seeds);
            Ok::<_, Failure>((path, results))
        });
        let (path, made) = written.transpose()?.unzip();
        let path = path.or_else(|| self.contest.clone()).unwrap_or_else(|| FILE_NAME.into());
        let others = made.is_none() && (!self.on.is_empty() || self.seeds.is_some());
        if let Some(boards) = many(self.seeds.as_ref()).filter(|_| others) {
            say(&format!("making {boards}"));
        }
        let others = others.then(|| Contest::boards_from(&path, None, &self.on, self.seeds.as_ref()));
        let others = others.transpose().map_err(Failure::input)?;
        let mut overrides = Overrides::default();
        (overrides.wall_ms, overrides.repeat) = (self.limit.map(milliseconds), self.repeat);
        (overrides.entries, overrides.boards) = (self.entries.clone(), self.boards.clone());
        overrides.other_boards = others.as_ref().map(|others| others.boards.clone());
        let mut contest = Contest::load(&path, &overrides).map_err(Failure::input)?;
        if contest.plan.entries.is_empty() {
            let path = path.display();
            return Err(Failure::input(format!(
                "{path} has no [[entry]]: teams hand in all of them, and `judge serve` judges them"
            )));
        }
        if contest.plan.match_rules.as_ref().is_some_and(|rules| rules.called) {
            let path = path.display();
            return Err(Failure::input(format!(
                "{path} has [office]: `judge serve` or `judge office judge` lets the players of teams play"
            )));
        }
        contest.add_files_of(others.unwrap_or_default());
        self.how.has_room_for_page(&contest)?;
        contest.keep_programs = self.how.keep_programs.unwrap_or(contest.keep_programs);
        let executor = self.how.executor(&contest, None, interrupt)?;
        let host = LocalHost::new(&executor, interrupt, shown, None);
        if contest.plan.referees().all(|referee| referee.build.is_none()) {
            start_referee(&contest, &host)?;
        }
        let results = made.map_or_else(|| new(looks_up_names(&contest, executor.isolation())), Ok)?;
        let prepared = prepare(contest, &results, preparation(&results, Needed::All, true), &host)?;
        let (contest_file, comment) = (seen_from(&results, &prepared.contest.path), self.how.comment.clone());
        let judge = Some(super::version::text().to_owned());
        let with = StartOptions { contest_file, overrides, judge, comment, ..StartOptions::default() };
        let open = prepared.begin(with, &host, super::clock)?;
        Ok(Session { open, executor })
    }

    /// The contest that the command line describes.
    fn adhoc(&self, game: &str) -> Result<NewContest<'_>, Failure> {
        if self.on.is_empty() && self.seeds.is_none() {
            let message = "--game needs boards: add --seeds, for example --seeds 1-100, or --on with board files";
            return Err(Failure::input(message));
        }
        let name = format!("{game}, {}", count_text(self.entry.len(), "entry", "entries"));
        let mut contest = adhoc::contest(name, &GameArgs::for_game(game))?;
        (contest.boards, contest.seeds) = (&self.on, self.seeds.as_ref());
        contest.entries.clone_from(&self.entry);
        contest.limit = self.limit.unwrap_or(contest.limit);
        Ok(contest)
    }
}
