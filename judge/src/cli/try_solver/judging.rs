//! The judge of single answers: a contest of the solver alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::Args;
use crate::cli::adhoc;
use crate::cli::directory::make_results;
use crate::cli::game::puzzle;
use crate::cli::host::LocalHost;
use crate::cli::refereed::{OpenReferee, named_board};
use crate::cli::{Failure, clock};
use judge_contest::open_contest::{OpenContest, StartOptions};
use judge_contest::schedule::{Local, Stopped};
use judge_contest::session::{Needed, Options, prepare};
use judge_contest::{Contest, Overrides};
use judge_core::game::{GameInfo, Puzzle};
use judge_core::games;
use judge_core::journal::{FILE_NAME, Record, stdout_of};
use judge_core::key::RunKey;
use judge_core::plan::Board;
use judge_core::referee;
use judge_core::verdict::Verdict;
use judge_sandbox::{Interrupt, Limits, LocalExecutor};
use judge_show::live::DisplayMode;
use judge_show::tries::Attempt;

/// The game of a contest, for explanations that contain more than the record of a run.
struct BuiltIn {
    /// The puzzle of each board.
    puzzles: Vec<Box<dyn Puzzle>>,
    info: &'static GameInfo,
}

/// A contest with only the solver, on the boards of the command line. The boards have their numbers as names.
pub(super) struct SolverContest<'i> {
    open_contest: OpenContest,
    /// `None` if the referee is a program.
    built_in: Option<BuiltIn>,
    executor: LocalExecutor<'i>,
    interrupt: &'i Interrupt,
}

impl<'i> SolverContest<'i> {
    /// Starts the contest of a file or of a game, with the changes of the command line. `results` is a folder for its results.
    pub(super) fn begin(
        args: &Args,
        executor: LocalExecutor<'i>,
        interrupt: &'i Interrupt,
        results: PathBuf,
    ) -> Result<Self, Failure> {
        std::fs::create_dir_all(&results).map_err(Failure::judge)?;
        let mut overrides = Overrides::default();
        let file = match args.game.contest()? {
            Some(file) => file.to_owned(),
            None => {
                // The boards of the command line are not yet in it.
                overrides.other_boards = Some(Vec::new());
                let alone = args.described("try".into(), Vec::new())?;
                adhoc::files(&alone)?.write(&results).map_err(adhoc::failure)?
            }
        };
        let contest = args.game.load(&file, &overrides)?;
        let (mut contest, boards, built_in) = if contest.plan.problems.only().referee.is_some() {
            let mut refereed = OpenReferee::new(contest, &file, interrupt)?;
            let boards = args.boards.iter().map(|path| refereed.board(path)).collect::<Result<Vec<_>, _>>()?;
            (refereed.into_contest(), boards, None)
        } else {
            let (boards, built_in) = built_in(&contest, &args.boards)?;
            (contest, boards, Some(built_in))
        };
        args.enter_alone(&mut contest, "solver")?;
        contest.struck.clear();
        let mut plan = contest.plan.clone();
        plan.boards = boards;
        let numbered = plan.boards.iter_mut().zip(1..);
        numbered.for_each(|(board, number): (_, usize)| board.name = number.to_string());
        // The referee finds boards by name, so it gets the new names.
        contest.adopt(plan).map_err(Failure::input)?;
        let host = LocalHost::new(&executor, interrupt, DisplayMode::Nothing, None);
        let open_contest = args.begin(contest, &results, Needed::Built(BTreeMap::new()), &host)?;
        Ok(Self { open_contest, built_in, executor, interrupt })
    }

    /// Runs the solver on a board, by its index, on these processors.
    pub(super) fn attempt(&self, index: usize, processors: &[usize]) -> Result<Attempt, Failure> {
        let record = self.run(index, processors)?;
        let results = self.open_contest.results();
        let replayed =
            matches!(record.verdict, Verdict::Solved(_) | Verdict::Unsolved(_) | Verdict::IllegalMove { .. });
        let replayed = self.built_in.as_ref().filter(|_| replayed).map(|BuiltIn { puzzles, info }| {
            let answer = File::open(stdout_of(results, &record));
            let replayed = answer.and_then(|answer| referee::rule(&*puzzles[index], answer)).map_err(Failure::judge)?;
            Ok::<_, Failure>((replayed, *info))
        });
        Ok(Attempt::new(record, replayed.transpose()?, results))
    }

    /// The limits of a run.
    pub(super) fn limits(&self) -> Limits {
        self.open_contest.contest().plan.problems.only().limits
    }

    fn run(&self, index: usize, processors: &[usize]) -> Result<Record, Failure> {
        let board = (index + 1).to_string();
        let chosen = |waiting: &[&RunKey]| waiting.iter().position(|key| *key.board == *board);
        let made = self.open_contest.run_one(&Local::new(&self.executor), processors, self.interrupt, chosen);
        made.map_err(|stopped| match stopped {
            Stopped::Interrupted => Failure::interrupted("interrupted", self.interrupt),
            stopped => Failure::judge(stopped),
        })?;
        let contents = self.open_contest.contents();
        let made = contents.records.iter().find(|record| *record.key.board == *board).cloned();
        made.ok_or_else(|| Failure::judge(format!("the run on board {board} is not recorded")))
    }
}

impl Args {
    /// The options to prepare the contest of a try. The program is not kept here, as the solver's folder remembers
    /// tries.
    pub(super) fn preparation(&self, needed: Needed) -> Options {
        let keeps_logs = self.out.is_some();
        Options { needed, keeps_logs, keeps_programs: false, checks_boards: false, can_be_guessed: false }
    }

    /// Begins the contest of a try in its results directory.
    pub(super) fn begin(
        &self,
        contest: Contest,
        results: &Path,
        needed: Needed,
        host: &LocalHost<'_, '_>,
    ) -> Result<OpenContest, Failure> {
        let prepared = prepare(contest, results, self.preparation(needed), host)?;
        let (contest_file, comment) = (prepared.contest.path.clone(), self.comment.clone());
        let judge = Some(crate::cli::version::text().to_owned());
        let with = StartOptions { contest_file, judge, comment, ..StartOptions::default() };
        Ok(prepared.begin(with, host, clock)?.open_contest)
    }

    /// The results directory of the command line, or else one in this folder, which is removed after the try.
    pub(super) fn results_in(&self, scratch: &Path) -> Result<PathBuf, Failure> {
        let results = match &self.out {
            Some(directory) if directory.join(FILE_NAME).exists() => {
                let directory = directory.display();
                return Err(Failure::input(format!(
                    "{directory} has results already; name another directory with --out"
                )));
            }
            Some(directory) => make_results(directory)?,
            None => scratch.join("results"),
        };
        std::fs::create_dir_all(&results).map_err(|error| Failure::judge(format!("{}: {error}", results.display())))?;
        Ok(results)
    }
}

/// The boards of the command line in a contest with a built-in game, files or names of its boards, and their puzzles.
fn built_in(contest: &Contest, arguments: &[PathBuf]) -> Result<(Vec<Board>, BuiltIn), Failure> {
    let game = contest.plan.problems.only().game().map_err(|error| Failure::input(error.to_string()))?;
    let info = games::find(&contest.plan.problems.only().game).expect("a contest without a referee has a known game");
    let board = |argument: &PathBuf| -> Result<(Board, Box<dyn Puzzle>), Failure> {
        if argument.exists() || contest.plan.boards.is_empty() {
            let (text, puzzle) = puzzle(&*game, argument)?;
            return Ok((Board::new("", text), puzzle));
        }
        let board = named_board(contest, argument)?.clone();
        let puzzle = game.parse(board.text.as_bytes()).map_err(|error| Failure::input(error.to_string()))?;
        Ok((board, puzzle))
    };
    let boards = arguments.iter().map(board).collect::<Result<Vec<_>, _>>()?;
    let (boards, puzzles) = boards.into_iter().unzip();
    Ok((boards, BuiltIn { puzzles, info }))
}

/// Refuses a contest in which no entry is judged alone.
pub(super) fn refuse_matches(contest: &Contest) -> Result<(), Failure> {
    match contest.plan.match_rules {
        None => Ok(()),
        Some(_) => Err(Failure::input(format!(
            "{}: entries play each other in this contest, so none can be tried alone; name another one with --against",
            contest.path.display()
        ))),
    }
}
