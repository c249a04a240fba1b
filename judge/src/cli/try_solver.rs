//! `judge try`: runs a solver on some boards and explains each result, or on many and compares it with its earlier
//! versions.

mod baseline;
mod best;
mod decision;
mod git;
mod history;
mod judging;
mod memory;
mod series;
mod summary;
mod tables;
mod trial;
mod version;

use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::game::{GameArgs, puzzle};
use super::progress::Progress;
use super::refereed::OpenReferee;
use super::{DONE, Done, Failure, JUDGE_FAILED, NOT_SOLVED, environment, say, signals};
use judge_contest::{FILE_NAME, Seeds, check, milliseconds, parse_duration, parse_size, resolve};
use judge_core::picture::Picture;
use judge_core::text::printable_lines;
use judge_core::verdict::{Exit, Verdict};
use judge_files::{near, regular};
use judge_job::{Place, duration_text};
use judge_report::output::write_json;
use judge_sandbox::machine;
use judge_sandbox::{
    End, Executor as _, Interrupt, Interrupted, IsolationMode, Job, Limits, LocalExecutor, Outcome, Tier, Usage,
};
use judging::{Judging, TryRuling};

/// The most bytes shown of standard output and of standard error.
const SHOWN: usize = 2_000;

/// Try a solver on boards before entering it: where its answer fails, and whether a new version is better
///
/// On named boards, each result is explained. With --seeds, --on or a contest as the only argument, it runs on many
/// boards in parallel, prints a summary, and compares it with the best answers and the solver's last version, which its
/// folder remembers in `judge-try/`. Only equal boards and limits are compared: the last version that has all boards of
/// the try is the one to compare with, and one that was cut short comes last. A comparison ends with the sign test.
///
/// The solver runs exactly as in a contest: isolated, in a new scratch directory, with a clean environment, the board's
/// path as its last argument, and its limit in JUDGE_LIMIT_MS. It sees the files that its command names and those of
/// --readable. It must print its moves, and nothing else, on standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge try tests-boards/loyd/*.txt -- ./my-solver
  judge try board.txt --limit 10m -- python3 solver.py --fast
  judge try --contest my/contest.toml A B -- ./my-solver
  judge try --game shift --on boards/*.txt -- ./my-solver
  judge try --seeds 1-200 --limit 2s --comment \"deeper search\" -- ./my-solver
  judge try --seeds 1-2000 --until decided --against 3 -- ./my-solver
  judge try --build make --seeds 1-200 -- ./my-solver
  judge try --history -- ./my-solver

The folder judge-try/GAME/ beside the solver:
  best.csv                 the result of the best answer to each board, one row per board
  answers/BOARD.txt        these answers, for `judge validate`; those above 64 KiB are not kept
  history.csv              the versions: number, date, name, comment, command, Git commit, limits
  versions/N.csv           the runs of version N, for `judge rank` and `judge compare`

Exit code 0: every board solved; 1: at least one not solved.")]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Board files, with --contest also names of its boards; or a contest file or its folder
    #[arg(required_unless_present_any = ["seeds", "on", "history", "contest"], value_name = "BOARDS|CONTEST")]
    boards: Vec<PathBuf>,

    /// Try it on random boards of these seeds, as `judge boards make --random` makes them
    #[arg(long, value_name = "A-B")]
    seeds: Option<Seeds>,

    /// Try it on the boards in these files, with a summary instead of a result for each
    #[arg(long, value_name = "FILES", num_args = 1..)]
    on: Vec<PathBuf>,

    /// Runs at a time [default: as many as do not disturb each other]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Remark on this version, which --history shows
    #[arg(long, value_name = "TEXT", value_parser = super::one_line)]
    comment: Option<String>,

    /// Name for this version, for later comparisons with --against
    #[arg(long, value_name = "NAME", value_parser = version_name)]
    keep: Option<String>,

    /// Version to compare with, by number or name [default: the last one of the same program on these boards]
    #[arg(long, value_name = "VERSION")]
    against: Option<String>,

    /// Stop as soon as it is decided whether this version or the one that it is compared with wins more boards: a sign
    /// test by betting, which errs in at most 5 % of the tries however early it stops
    #[arg(long, value_enum, value_name = "WHEN")]
    until: Option<Until>,

    /// Shell command that builds the solver first. It is executed here, as you would type it, and not in the sandbox
    #[arg(long, value_name = "COMMAND", conflicts_with = "history")]
    build: Option<String>,

    /// List the versions that were tried, with scores relative to the best answers of today
    #[arg(long, conflicts_with_all = ["seeds", "on"])]
    history: bool,

    /// Folder that remembers, instead of the solver's
    #[arg(long, value_name = "DIR")]
    remember: Option<PathBuf>,

    /// Keep the runs in this results directory, for `judge replay` and `judge report`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Progress display on standard error, on many boards
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    progress: Progress,

    /// Wall-clock limit per board [default: 10s, or the contest's]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    limit: Option<Duration>,

    /// Memory limit [default: 1GiB, or the contest's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,

    /// Physical cores that the solver has to itself [default: 1, or the contest's]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    cores: Option<NonZeroUsize>,

    /// File or folder that the solver may read besides those that its command names; may be repeated
    #[arg(long, value_name = "PATH")]
    readable: Vec<PathBuf>,

    /// Isolation mode
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = super::isolation::mode())]
    isolation: IsolationMode,

    /// Print one line of JSON per board; on many boards, the summary as JSON; with --history, the list
    #[arg(long)]
    json: bool,

    /// The solver and its arguments
    #[arg(last = true, required_unless_present = "history", value_name = "COMMAND")]
    command: Vec<String>,
}

/// The event at which a try stops before its last board.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Until {
    /// It is decided which version is better
    Decided,
}

/// A name that cannot be mistaken for a number.
fn version_name(name: &str) -> Result<String, String> {
    let plain = name.chars().all(|c| c.is_alphanumeric() || "._+-".contains(c));
    if !plain || !name.starts_with(char::is_alphabetic) {
        return Err("use letters, digits and . _ + -, beginning with a letter, for example `fast`".into());
    }
    Ok(name.to_owned())
}

#[derive(Serialize)]
struct Document<'a> {
    board: String,
    #[serde(flatten)]
    verdict: &'a Verdict,
    wall_us: Option<u64>,
    limit_ms: u64,
    #[serde(flatten)]
    usage: Usage,
    isolation: String,
    notes: &'a [String],
    stdout_bytes: u64,
    stderr_bytes: u64,
    final_board: Option<String>,
    stderr: &'a str,
}

/// The output of one execution, and the ruling on it.
struct Attempt {
    outcome: Outcome,
    verdict: Verdict,
    ruling: Option<TryRuling>,
    /// The beginning of standard output.
    stdout: String,
    /// The end of standard error.
    stderr: String,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        if self.limit.is_some_and(|limit| limit.is_zero()) {
            return Err(Failure::input("--limit must be more than 0; use for example --limit 10s"));
        }
        if self.history {
            let memory = memory::Memory::new(&self.command, &self.history_of()?, self.remember.as_deref());
            match self.json {
                true => history::write_json(&memory, out)?,
                false => history::write(&memory, super::width(), out)?,
            }
            return Ok(DONE);
        }
        if self.is_series()? {
            return series::execute(&self, out);
        }
        self.refuse_options_of_many_boards()?;
        let broken = |error: io::Error| Failure::judge(error);
        let interrupt = signals()?;
        self.build(&interrupt)?;
        self.refuse_what_is_missing()?;
        let captures = tempfile::tempdir().map_err(broken)?;
        let judging = self.judging(&interrupt, captures.path())?;
        let here = std::path::absolute(".").map_err(broken)?;
        let executor = LocalExecutor::new(&interrupt, self.isolation).map_err(Failure::judge)?;
        let usual = judging.limits();
        let limits = usual
            .with_wall_ms(self.limit.map_or(usual.wall_ms, milliseconds))
            .with_memory_bytes(self.memory.or(usual.memory_bytes))
            .with_cores(self.cores.map_or(usual.cores, NonZeroUsize::get));
        let slots = machine::slots(&machine::cores(), 1, limits.cores);
        let processors = slots.and_then(|slots| slots.into_iter().next()).unwrap_or_default();
        let readable = self.readable.iter().map(|path| Place::trusted(here.join(path))).collect::<Vec<_>>();

        let mut code = DONE;
        for (index, path) in self.boards.iter().enumerate() {
            let (stdout, stderr) = (captures.path().join("out"), captures.path().join("err"));
            let mut job = Job::new(resolve(&self.command, &here), stdout, stderr);
            job.readable = readable.clone();
            job.limits = limits;
            job.processors = processors.clone();
            judging.give_board(index, &mut job);
            let outcome = executor.execute(&job);
            let outcome = outcome.map_err(|Interrupted| Failure::interrupted("interrupted", &interrupt))?;
            let (verdict, ruling) = match Verdict::from_end(&outcome.end) {
                Some(verdict) => (verdict, None),
                None => {
                    let ruling = judging.rule(index, &job.stdout)?;
                    (ruling.verdict(), Some(ruling))
                }
            };
            let stdout = head(&job.stdout).unwrap_or_default();
            let stderr = regular::tail(&job.stderr, SHOWN as u64).map_or(String::new(), |bytes| shown(&bytes));
            code = code.max(match &verdict {
                verdict if verdict.is_success() => DONE,
                Verdict::JudgeError { .. } => JUDGE_FAILED,
                _ => NOT_SOLVED,
            });
            let attempt = Attempt { outcome, verdict, ruling, stdout, stderr };
            if self.json {
                attempt.write_json(path, &limits, out)?;
            } else {
                attempt.write(path, &limits, out)?;
            }
            out.flush()?;
        }
        Ok(code)
    }

    /// Builds the solver, if the command line says how.
    fn build(&self, interrupt: &Interrupt) -> Result<(), Failure> {
        let Some(command) = &self.build else { return Ok(()) };
        if !matches!(self.progress, Progress::None) {
            say(&format!("building: {command}"));
        }
        let end = judge_host::shell(command, interrupt)
            .map_err(|error| Failure::judge(format!("--build: sh could not be started: {error}")))?;
        match end {
            None => Err(Failure::interrupted("interrupted during the build; nothing was tried", interrupt)),
            Some(end) if end.success() => Ok(()),
            Some(end) => Err(Failure::input(format!("--build: `{command}` failed ({end}); nothing was tried"))),
        }
    }

    /// Refuses a command that cannot run, and files to read that are not there, before anything runs.
    fn refuse_what_is_missing(&self) -> Result<(), Failure> {
        if let Some(path) = self.readable.iter().find(|path| !path.exists()) {
            let near = near::did_you_mean(path);
            return Err(Failure::input(format!("--readable {}: no such file or folder{near}", path.display())));
        }
        let here = std::path::absolute(".").map_err(Failure::judge)?;
        let Some(reason) = check::problem(&resolve(&self.command, &here), &here, environment("PATH").as_deref()) else {
            return Ok(());
        };
        let shown = reason.replace(&format!("{}/", here.display()), "");
        Err(Failure::input(shown.replace("correct `command`", "correct the command")))
    }

    /// Refuses options that mean nothing for boards that are explained one by one.
    fn refuse_options_of_many_boards(&self) -> Result<(), Failure> {
        let given = [
            ("--jobs", self.jobs.is_some()),
            ("--comment", self.comment.is_some()),
            ("--keep", self.keep.is_some()),
            ("--against", self.against.is_some()),
            ("--until", self.until.is_some()),
            ("--remember", self.remember.is_some()),
            ("--out", self.out.is_some()),
        ];
        let Some((option, _)) = given.iter().find(|(_, given)| *given) else { return Ok(()) };
        Err(Failure::input(format!(
            "{option} is for tries on many boards, with a summary; name the boards with --on, --seeds or a contest file"
        )))
    }

    /// Tests whether many boards are tried, with a summary.
    fn is_series(&self) -> Result<bool, Failure> {
        let many = self.seeds.is_some() || !self.on.is_empty();
        Ok(many || (self.contest_file()?.is_some() && (self.boards.is_empty() || self.game.contest()?.is_none())))
    }

    /// The contest that is tried: of --contest, or a contest file or its folder as the only argument.
    fn contest_file(&self) -> Result<Option<PathBuf>, Failure> {
        if let Some(contest) = self.game.contest()? {
            return Ok(Some(contest.to_owned()));
        }
        let contest =
            |path: &&PathBuf| path.join(FILE_NAME).is_file() || path.extension().is_some_and(|end| end == "toml");
        match &self.boards[..] {
            [path] if contest(&path) => Ok(Some(if path.is_dir() { path.join(FILE_NAME) } else { path.clone() })),
            [path, ..] if self.seeds.is_some() || !self.on.is_empty() => Err(Failure::input(format!(
                "{}: with --seeds or --on, the only argument before `--` is a contest file; name boards with --on",
                path.display()
            ))),
            _ => Ok(None),
        }
    }

    /// The name under which the tries to list are remembered.
    fn history_of(&self) -> Result<String, Failure> {
        if let Some(board) = self.boards.first().filter(|_| !matches!(self.contest_file(), Ok(Some(_)))) {
            let board = board.display();
            return Err(Failure::input(format!(
                "{board}: --history lists tries on all boards; name a contest, or nothing"
            )));
        }
        if let Some(path) = self.contest_file()? {
            let contest = judge_contest::Contest::load(&path, &judge_contest::Overrides::default());
            return Ok(contest.map_err(Failure::input)?.plan.name);
        }
        Ok(memory::name_of(self.game.kind().name, &self.game.rules()?))
    }

    /// Prepares the boards and what judges answers to them.
    fn judging<'i>(&self, interrupt: &'i Interrupt, folder: &Path) -> Result<Judging<'i>, Failure> {
        let Some(contest) = self.game.contest()? else {
            let game = self.game.open()?;
            let puzzles = self.boards.iter().map(|board| puzzle(&*game, board)).collect::<Result<_, _>>()?;
            return Ok(Judging::Game { puzzles, words: &self.game.kind().labels });
        };
        let mut refereed = OpenReferee::open(contest, interrupt)?;
        let mut boards = Vec::new();
        for (index, path) in self.boards.iter().enumerate() {
            let board = refereed.board(path)?;
            let file = refereed.contest.board_file(&board, &folder.join(format!("board-{index}")));
            boards.push((board, file.map_err(Failure::judge)?));
        }
        Ok(Judging::Referee { refereed: Box::new(refereed), boards })
    }
}

impl Attempt {
    fn write_json(&self, board: &Path, limits: &Limits, out: &mut dyn Write) -> io::Result<()> {
        let document = Document {
            board: board.display().to_string(),
            verdict: &self.verdict,
            wall_us: self.outcome.wall_us,
            limit_ms: limits.wall_ms,
            usage: self.outcome.usage,
            isolation: self.outcome.isolation.to_string(),
            notes: &self.outcome.notes,
            stdout_bytes: self.outcome.stdout_bytes,
            stderr_bytes: self.outcome.stderr_bytes,
            final_board: self.ruling.as_ref().and_then(TryRuling::picture).map(Picture::one_line),
            stderr: &self.stderr,
        };
        write_json(&document, out)?;
        writeln!(out)
    }

    fn write(&self, board: &Path, limits: &Limits, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}: ", board.display())?;
        match &self.ruling {
            Some(ruling) => ruling.write(out)?,
            None => writeln!(out, "{}", self.verdict.fault().unwrap_or_default())?,
        }
        if let Some(wall) = self.outcome.wall_us {
            let (bytes, noise) = (self.outcome.stdout_bytes, self.outcome.stderr_bytes);
            let (wall, limit) = (Duration::from_micros(wall).as_secs_f64(), duration_text(limits.wall_ms));
            let memory = self
                .outcome
                .usage
                .memory_bytes
                .map_or(String::new(), |memory| format!(", {} of memory", bytesize::ByteSize(memory)));
            writeln!(
                out,
                "    {wall:.3} s of {limit}{memory}; {bytes} bytes on standard output, {noise} on standard error"
            )?;
        }
        for note in &self.outcome.notes {
            writeln!(out, "    {note}")?;
        }
        if let Some(advice) = self.advice() {
            writeln!(out, "    {advice}")?;
        }
        if !self.verdict.is_success() && !self.stderr.is_empty() {
            writeln!(out, "    standard error ends with:")?;
            for line in self.stderr.lines() {
                writeln!(out, "    | {line}")?;
            }
        }
        Ok(())
    }

    /// The first thing to check if the protocol, not the solving, failed.
    fn advice(&self) -> Option<String> {
        match (&self.verdict, &self.outcome.end) {
            (_, End::Exited { code: 0 }) if self.outcome.stdout_bytes == 0 => {
                Some("standard output is empty: print the moves there, and flush before the program ends".into())
            }
            (Verdict::IllegalMove { illegal, .. }, _) if illegal.index == 1 => {
                let line = self.stdout.lines().next().unwrap_or_default();
                Some(format!("standard output begins with `{line}`"))
            }
            (Verdict::TimedOut, _) => {
                Some("print the answer and exit before the limit, which JUDGE_LIMIT_MS contains".into())
            }
            (Verdict::Crashed { exit: Exit::Code(_) }, _)
                if self.outcome.isolation.tier > Tier::ProcessGroup && self.outcome.stdout_bytes == 0 =>
            {
                Some(
                    "it can read the system's programs and the files that its command names; make more readable with \
                     --readable PATH, or everything with --isolation off"
                        .into(),
                )
            }
            (Verdict::Crashed { .. }, _) if self.outcome.stdout_bytes > 0 => {
                Some("the answer does not count: a successful program exits with code 0".into())
            }
            _ => None,
        }
    }
}

/// The beginning of a file, made harmless for a terminal.
fn head(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SHOWN as u64).read_to_end(&mut bytes)?;
    Ok(shown(&bytes))
}

/// Text without characters that control a terminal.
fn shown(bytes: &[u8]) -> String {
    printable_lines(&String::from_utf8_lossy(bytes)).into_owned()
}
