//! The judge of single answers: a built-in game, or a contest of the solver alone.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::Args;
use crate::cli::directory::make_results;
use crate::cli::game::puzzle;
use crate::cli::host::LocalHost;
use crate::cli::refereed::{OpenReferee, named_board};
use crate::cli::{Failure, clock};
use judge_contest::conduct::{Beginning, Conduct};
use judge_contest::schedule::{Local, Stopped};
use judge_contest::session::{Needed, Options, prepare};
use judge_contest::{BOARD_FILE, Contest, Overrides, milliseconds};
use judge_core::game::{GameInfo, Puzzle};
use judge_core::games;
use judge_core::journal::{FILE_NAME, Record, stdout_of};
use judge_core::key::RunKey;
use judge_core::plan::Board;
use judge_core::referee;
use judge_core::verdict::Verdict;
use judge_sandbox::{Argument, Interrupt, Job, Limits, LocalExecutor, PlacedFile};
use judge_show::live::Shown;
use judge_show::tries::{Attempt, TryRuling};

/// The judge of answers: the rules of a game, or a contest.
pub(super) enum Judging<'i> {
    /// A built-in game, with the text and the puzzle of each board.
    Game { puzzles: Vec<(String, Box<dyn Puzzle>)>, info: &'static GameInfo },
    /// The game or the referee of a contest, with its limits, its rules, and its format of answers.
    Contest(Box<Conducted<'i>>),
}

/// The game of a contest, for explanations that contain more than the record of a run.
struct BuiltIn {
    /// The puzzle of each board.
    puzzles: Vec<Box<dyn Puzzle>>,
    info: &'static GameInfo,
}

/// A contest with only the solver, on the boards of the command line. The boards have their numbers as names.
pub(super) struct Conducted<'i> {
    conduct: Conduct,
    /// `None` if the referee is a program.
    built_in: Option<BuiltIn>,
    executor: LocalExecutor<'i>,
    interrupt: &'i Interrupt,
}

impl<'i> Conducted<'i> {
    /// Starts the contest of a file with the changes of the command line. `results` is a folder for its results.
    pub(super) fn begin(
        args: &Args,
        file: &Path,
        executor: LocalExecutor<'i>,
        interrupt: &'i Interrupt,
        results: PathBuf,
    ) -> Result<Self, Failure> {
        let contest = args.game.load(file, &Overrides::default())?;
        let (mut contest, boards, built_in) = if contest.plan.problems.only().referee.is_some() {
            let mut refereed = OpenReferee::new(contest, file, interrupt)?;
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
        std::fs::create_dir_all(&results).map_err(Failure::judge)?;
        let host = LocalHost::new(&executor, interrupt, Shown::Nothing, None);
        let conduct = args.begin(contest, &results, Needed::Built(BTreeMap::new()), &host)?;
        Ok(Self { conduct, built_in, executor, interrupt })
    }

    /// Runs the solver on a board, by its index, on these processors.
    pub(super) fn attempt(&self, index: usize, processors: &[usize]) -> Result<Attempt, Failure> {
        let record = self.run(index, processors)?;
        let results = self.conduct.results();
        let attempt = Attempt::from_record(&record, results);
        let replayed =
            matches!(record.verdict, Verdict::Solved(_) | Verdict::Unsolved(_) | Verdict::IllegalMove { .. });
        match self.built_in.as_ref().filter(|_| replayed) {
            Some(BuiltIn { puzzles, info }) => {
                Ok(attempt.with_ruling(replay(&*puzzles[index], info, &stdout_of(results, &record))?))
            }
            None => Ok(attempt),
        }
    }

    fn run(&self, index: usize, processors: &[usize]) -> Result<Record, Failure> {
        let board = (index + 1).to_string();
        let chosen = |waiting: &[&RunKey]| waiting.iter().position(|key| *key.board == *board);
        let made = self.conduct.run_one(&Local::new(&self.executor), processors, self.interrupt, chosen);
        made.map_err(|stopped| match stopped {
            Stopped::Interrupted => Failure::interrupted("interrupted", self.interrupt),
            stopped => Failure::judge(stopped),
        })?;
        let contents = self.conduct.contents();
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
    ) -> Result<Conduct, Failure> {
        let prepared = prepare(contest, results, self.preparation(needed), host)?;
        let (contest_file, comment) = (prepared.contest.path.clone(), self.comment.clone());
        let judge = Some(crate::cli::version::text().to_owned());
        let with = Beginning { contest_file, judge, comment, ..Beginning::default() };
        Ok(prepared.begin(with, host, clock)?.conduct)
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
        if argument.exists() {
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

impl Judging<'_> {
    /// The limits of a run without options: the limits of the contest, if there is one.
    pub(super) fn limits(&self) -> Limits {
        match self {
            Self::Game { .. } => Limits::default().with_wall_ms(milliseconds(judge_contest::USUAL_LIMIT)),
            Self::Contest(conducted) => conducted.conduct.contest().plan.problems.only().limits,
        }
    }
}

/// Passes the board of a built-in game to the solver, like a contest.
pub(super) fn give_board(text: &str, job: &mut Job) {
    job.files.push(PlacedFile { name: BOARD_FILE.into(), contents: text.as_bytes().to_vec() });
    job.argv.push(Argument::File(BOARD_FILE.into()));
}

/// The ruling of a built-in game on the answer in a file.
pub(super) fn replay(puzzle: &dyn Puzzle, info: &'static GameInfo, answer: &Path) -> Result<TryRuling, Failure> {
    let ruling = File::open(answer).and_then(|answer| referee::rule(puzzle, answer));
    Ok(TryRuling::Replayed(ruling.map_err(Failure::judge)?, info))
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
