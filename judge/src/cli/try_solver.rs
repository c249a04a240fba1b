//! `judge try`: runs a solver on some boards and explains each result, or runs it on many and compares it with earlier
//! versions.

mod judging;
mod matches;
mod series;
mod tune;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::adhoc;
use super::game::GameArgs;
use super::isolation::available;
use super::package::{PackageFolder, is_package};
use super::progress::Progress;
use super::{DONE, Done, Failure, JUDGE_FAILED, NOT_SOLVED, environment, notice, say, signals};
use judge_contest::{
    Contest, FILE_NAME, NewContest, Seeds, Surroundings, check, milliseconds, parse_duration, parse_size, resolve,
};
use judge_core::plan::Entry;
use judge_core::verdict::Verdict;
use judge_files::near;
use judge_report::output::write_pretty_json;
use judge_sandbox::machine;
use judge_sandbox::{Interrupt, IsolationMode, Limits};
use judge_show::tries::write_history;
use judge_show::versions::{Memory, Parameter, listed, name_of, program_of, remembers};
use judging::SolverContest;

/// Try a solver on boards before entering it: where its answer fails, and whether a new version is better
///
/// On named boards, each result is explained. With --seeds, --on or a contest as the only argument, it runs on many
/// boards in parallel, prints a summary, and compares it with the best answers and the solver's last version, which its
/// folder remembers in `judge-try/`. Only equal boards and limits are compared: the last version that has all boards of
/// the try, or else some of them; interrupted tries come last. A comparison ends with the sign test.
///
/// A problem package as the first argument is judged like its contest, test case by test case; names after it select
/// test cases. Nothing is written into it. With a referee, the first failure is shown in full: input, the judge's
/// answer, what the solver printed, and its talk with the referee.
///
/// The solver runs as in a contest: isolated, in a new scratch directory, with the board's path as its last argument,
/// and its limit in JUDGE_LIMIT_MS. It must print only its moves on standard output. Because it is yours, it also
/// sees things that a contest hides: the folder of its files, the modules of its interpreter's virtual environment and
/// of your user, and your environment variables. With --as-contest it sees only the files that its command names and
/// those of --readable.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge try board.txt -- ./my-solver     a board of `judge boards make --random --seed 7 -o board.txt`
  judge try board.txt --limit 10m -- python3 solver.py --fast
  W=2 judge try board.txt -- ./my-solver
  judge try board.txt --as-contest -- python3 solver.py
  judge try --contest my/contest.toml A B -- ./my-solver
  judge try my-package -- python3 solver.py
  judge try answers-package -- my-answers.zip
  judge try my-package 'secret/0*' -- python3 solver.py
  judge try --game shift --on boards/*.txt -- ./my-solver
  judge try --seeds 1-200 --limit 2s --comment \"deeper search\" -- ./my-solver
  judge try --seeds 1-2000 --until decided --against 3 -- ./my-solver
  judge try --contest my-game --against mine -- ./my-player
  judge try --build make --seeds 1-200 -- ./my-solver
  judge try --seeds 1-200 --page tries.html -- ./my-solver
  judge try --seeds 1-64 --tune DEPTH=1..20 -- ./my-solver
  judge try --history -- ./my-solver

The folder judge-try/GAME/ beside the solver:
  best.csv                 the result of the best answer to each board, one row per board
  answers/BOARD.txt        these answers, for `judge validate`; those above 64 KiB are not kept
  history.csv              the versions: number, date, name, comment, command, Git commit, limits
  versions/N.csv           the runs of version N, for `judge rank` and `judge compare`
  tune-NAME/               the runs of --tune NAME=A..B, a results directory

Exit code 0: every board solved; 1: at least one not solved.")]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Board files, with --contest also names of its boards; or a contest file or its folder; or a problem package
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

    /// Version to compare with, by number or name [default: the last one of the same program on these boards]. Where
    /// entries play each other: the entry of the contest to play against, until it is clear which one is better
    #[arg(long, value_name = "VERSION", add = super::candidates::entries())]
    against: Option<String>,

    /// Stop as soon as it is clear which of the two versions wins more boards, by a sign test that errs in at most 5 %
    /// of the tries however early it stops
    #[arg(long, value_enum, value_name = "WHEN")]
    until: Option<Until>,

    /// Shell command that builds the solver first. It is executed here, as you would type it, and not in the sandbox
    #[arg(long, value_name = "COMMAND", conflicts_with = "history")]
    build: Option<String>,

    /// List the tried versions of the solver, with scores relative to the best answers so far; without a command, those
    /// of all solvers in this folder
    #[arg(long, conflicts_with_all = ["seeds", "on"])]
    history: bool,

    /// Folder that remembers, instead of the solver's
    #[arg(long, value_name = "DIR")]
    remember: Option<PathBuf>,

    /// Keep the runs in this results directory, for `judge replay` and `judge report`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Try a parameter of the solver, which it reads from this environment variable: up to 16 values of the range on a
    /// few of the boards, the better half of them on twice as many, until two are left on all boards. After an
    /// interruption, the same command continues
    #[arg(long, value_name = "NAME=A..B", value_parser = str::parse::<Parameter>, conflicts_with_all = ["history", "page", "keep", "against", "until", "json"])]
    tune: Option<Parameter>,

    /// Write a page of all boards, which can be sorted by result and by gain over the compared version, and replayed
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

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

    /// Give the solver only what a contest gives it: not its folder, your modules or your variables
    #[arg(long)]
    as_contest: bool,

    /// Isolation mode
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = super::isolation::mode())]
    isolation: IsolationMode,

    /// Print one line of JSON per board; on many boards, the summary as JSON; with --history, the list
    #[arg(long)]
    json: bool,

    /// True if the command names answers, which are the only entry of the contest.
    #[arg(skip)]
    answers: bool,

    /// The solver and its arguments; for a package that takes answers, a folder or an archive with them
    #[arg(last = true, required_unless_present = "history", value_name = "COMMAND")]
    command: Vec<String>,
}

/// The notice about what a try gives to a solver, unlike a contest. It is printed until the solver's folder remembers a
/// try.
const OWN_SURROUNDINGS: &str = "unlike in a contest, the solver has your variables and sees what is beside its files and your \
                                modules; --as-contest does without";

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

impl Args {
    /// A contest of the game and the boards of the command line, without entries.
    fn described(&self, name: String, readable: Vec<PathBuf>) -> Result<NewContest<'_>, Failure> {
        let mut contest = adhoc::contest(name, &self.game)?;
        (contest.boards, contest.seeds) = (&self.on, self.seeds.as_ref());
        contest.limit = self.limit.unwrap_or(contest.limit);
        contest.memory = self.memory;
        let cores = self.cores.map(|cores| u32::try_from(cores.get())).transpose();
        contest.cores = cores.map_err(|_| Failure::input("--cores: too many"))?;
        contest.readable = readable;
        Ok(contest)
    }

    pub(super) fn execute(mut self, out: &mut dyn Write) -> Done {
        if self.limit.is_some_and(|limit| limit.is_zero()) {
            return Err(Failure::input("--limit must be more than 0; use for example --limit 10s"));
        }
        let package = self.open_package()?;
        if self.history {
            let memory = Memory::new(&self.command, &self.history_of()?, self.remember.as_deref());
            let program = (!self.command.is_empty()).then(|| program_of(&self.command));
            let versions = listed(&memory, program.as_deref()).map_err(Failure::trying)?;
            if self.json {
                write_pretty_json(&versions, out)?;
                writeln!(out)?;
            } else if versions.is_empty() {
                writeln!(out, "no version was tried yet; try one with `judge try --seeds 1-100 -- ./solver`")?;
            } else {
                write_history(&versions, &memory.history_file(), super::width(), out)?;
            }
            return Ok(DONE);
        }
        if let Some(parameter) = &self.tune {
            return tune::execute(&self, parameter, out);
        }
        if let Some(path) = self.contest_file()? {
            let contest = Contest::load_for_tools(&path).map_err(Failure::input)?;
            if contest.plan.match_rules.is_some() {
                return matches::execute(&self, &path, out);
            }
        }
        if self.is_series()? {
            return series::execute(&self, package.as_ref(), out);
        }
        self.refuse_options_of_many_boards()?;
        let broken = |error: io::Error| Failure::judge(error);
        let interrupt = signals()?;
        self.build(&interrupt)?;
        self.refuse_what_is_missing()?;
        let captures = tempfile::tempdir().map_err(broken)?;
        let executor = available(self.isolation, &interrupt)?;
        let conducted = SolverContest::begin(&self, executor, &interrupt, captures.path().join("results"))?;
        let limits = conducted.limits();
        let slots = machine::slots(&machine::cores(), 1, limits.cores);
        let processors = slots.and_then(|slots| slots.into_iter().next()).unwrap_or_default();
        if self.is_first_with_surroundings() {
            notice(OWN_SURROUNDINGS);
        }
        let around = self.around()?;
        let mut code = DONE;
        for (index, path) in self.boards.iter().enumerate() {
            let attempt = conducted.attempt(index, &processors)?;
            let attempt = attempt.around(&around, !self.as_contest);
            code = code.max(match attempt.verdict() {
                verdict if verdict.is_success() => DONE,
                Verdict::JudgeError { .. } => JUDGE_FAILED,
                _ => NOT_SOLVED,
            });
            if self.json {
                attempt.write_json(path, &limits, out)?;
            } else {
                attempt.write(path, &limits, out)?;
            }
            out.flush()?;
        }
        Ok(code)
    }

    /// Builds the solver, if the command line has a command for that.
    fn build(&self, interrupt: &Interrupt) -> Result<(), Failure> {
        let Some(command) = &self.build else { return Ok(()) };
        if !matches!(self.progress, Progress::None) {
            say(&format!("building: {command}"));
        }
        let end = judge_sandbox::host::shell(command, interrupt)
            .map_err(|error| Failure::judge(format!("--build: sh could not be started: {error}")))?;
        match end {
            None => Err(Failure::interrupted("interrupted during the build; nothing was tried", interrupt)),
            Some(end) if end.success() => Ok(()),
            Some(end) => Err(Failure::input(format!("--build: `{command}` failed ({end}); nothing was tried"))),
        }
    }

    /// The surroundings of the solver on this machine.
    fn around(&self) -> Result<Surroundings, Failure> {
        let here = std::path::absolute(".").map_err(Failure::judge)?;
        Ok(judge_show::versions::around(&self.command, &here, judge_sandbox::host::all_inherited()))
    }

    /// The surroundings that the solver gets.
    fn surroundings(&self) -> Result<Surroundings, Failure> {
        if self.as_contest || self.answers {
            return Ok(Surroundings::default());
        }
        self.around()
    }

    /// Tests whether the solver gets more than in a contest and no try is remembered, so that the notice is due.
    fn is_first_with_surroundings(&self) -> bool {
        !self.as_contest && !self.answers && !remembers(&self.command, self.remember.as_deref())
    }

    /// Refuses a command that cannot run, and missing readable files, before anything runs.
    fn refuse_what_is_missing(&self) -> Result<(), Failure> {
        if let Some(path) = self.readable.iter().find(|path| !path.exists()) {
            let near = near::did_you_mean(path);
            return Err(Failure::input(format!("--readable {}: no such file or folder{near}", path.display())));
        }
        if self.answers {
            return Ok(());
        }
        let here = std::path::absolute(".").map_err(Failure::judge)?;
        let problem = check::problem(&resolve(&self.command, &here), &here, environment("PATH").as_deref());
        problem.map_or(Ok(()), |reason| Err(Failure::input(reason)))
    }

    /// Refuses options that have no meaning for boards that are explained one by one.
    fn refuse_options_of_many_boards(&self) -> Result<(), Failure> {
        let why = "is for tries on many boards, with a summary; name the boards with --on, --seeds or a contest file";
        let more = [
            ("--jobs", self.jobs.is_some()),
            ("--against", self.against.is_some()),
            ("--until", self.until.is_some()),
            ("--out", self.out.is_some()),
        ];
        self.refuse_options(&more, why)
    }

    /// Refuses options that have no meaning where entries play each other.
    fn refuse_options_of_solvers(&self) -> Result<(), Failure> {
        self.refuse_options(
            &[],
            "is for solvers, whose versions are remembered; entries of this contest play each other",
        )
    }

    /// Refuses these options, if they are given, and those about the versions of a solver.
    fn refuse_options(&self, more: &[(&str, bool)], why: &str) -> Result<(), Failure> {
        let own = [
            ("--comment", self.comment.is_some()),
            ("--keep", self.keep.is_some()),
            ("--remember", self.remember.is_some()),
            ("--page", self.page.is_some()),
        ];
        let refused = own.iter().chain(more).find(|(_, given)| *given);
        refused.map_or(Ok(()), |(option, _)| Err(Failure::input(format!("{option} {why}"))))
    }

    /// Tests whether many boards are tried, with a summary.
    fn is_series(&self) -> Result<bool, Failure> {
        let many = self.seeds.is_some() || !self.on.is_empty();
        Ok(many || (self.contest_file()?.is_some() && (self.boards.is_empty() || self.game.contest()?.is_none())))
    }

    /// The contest to try: from --contest, or a contest file or its folder as the only argument.
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
            return Ok(self.game.load(&path, &judge_contest::Overrides::default())?.plan.name.clone());
        }
        Ok(name_of(self.game.kind().name, &self.game.rules()?))
    }

    /// These limits, replaced by those on the command line.
    fn limits(&self, usual: Limits) -> Limits {
        usual
            .with_wall_ms(self.limit.map_or(usual.wall_ms, milliseconds))
            .with_memory_bytes(self.memory.or(usual.memory_bytes))
            .with_cores(self.cores.map_or(usual.cores, NonZeroUsize::get))
    }

    /// Makes the solver the only entry of a contest, under the limits of the command line.
    fn enter_alone(&self, contest: &mut Contest, name: &str) -> Result<(), Failure> {
        let here = std::path::absolute(".").map_err(Failure::judge)?;
        let plan = &mut contest.plan;
        plan.problems.iter_mut().for_each(|problem| problem.limits = self.limits(problem.limits));
        plan.repeat = 1;
        plan.rounds.clear();
        let mut entry = Entry::new(name, resolve(&self.command, &here));
        if self.answers {
            entry.command.clear();
            entry.answers = plan.entries.first().and_then(|only| only.answers.clone());
        }
        entry.readable = self.readable.iter().map(|path| here.join(path).to_string_lossy().into_owned()).collect();
        plan.entries = [entry.into()].into_iter().collect();
        contest.withdrawn.clear();
        contest.surroundings = self.surroundings()?;
        Ok(())
    }

    /// If the first argument is a package, replaces it by the package's contest; other arguments select test cases.
    fn open_package(&mut self) -> Result<Option<PackageFolder>, Failure> {
        let Some(root) = self.boards.first().filter(|path| is_package(path)).cloned() else { return Ok(None) };
        if self.seeds.is_some() || !self.on.is_empty() || self.game.contest()?.is_some() {
            let message =
                "a package has its test cases: leave out --seeds, --on and --contest; names after it select some";
            return Err(Failure::input(message));
        }
        let cases: Vec<String> = self.boards[1..].iter().map(|case| case.to_string_lossy().into_owned()).collect();
        let package = PackageFolder::open(&root, &cases, self.limit, Some(&self.command), self.isolation)?;
        self.answers = package.takes_answers();
        if self.answers && (self.tune.is_some() || self.build.is_some()) {
            return Err(Failure::input("answers are not built and have no parameters; leave out --build and --tune"));
        }
        // The package's contest has it as a limit of CPU time, from which its wall-clock limit follows.
        self.limit = None;
        self.boards = vec![package.path().to_owned()];
        Ok(Some(package))
    }
}
