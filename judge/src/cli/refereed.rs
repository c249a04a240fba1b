//! The referee of a contest file, for commands that judge single answers and boards.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use super::answer::AnswerArgs;
use super::game::GameArgs;
use super::host::LocalHost;
use super::isolation::available;
use super::ruling::write_ruling;
use super::{BAD_INPUT, DONE, Done, Failure, JUDGE_FAILED, NOT_SOLVED, signals};
use judge_contest::external::{RefereeContext, Tool, ToolError};
use judge_contest::session::{Logs, prepare_referee};
use judge_contest::{BoardFileError, Contest, Overrides};
use judge_core::plan::Board;
use judge_core::referee::{Referee as _, RefereeError, Ruling};
use judge_core::text::{printable, unknown};
use judge_files::regular;
use judge_report::describe;
use judge_sandbox::{Interrupt, LocalExecutor};
use judge_show::live::DisplayMode;
use tempfile::TempDir;

/// A contest with a referee program that is ready to rule.
pub(super) struct OpenReferee<'i> {
    pub(super) contest: Contest,
    executor: LocalExecutor<'i>,
    interrupt: &'i Interrupt,
    /// The folder for logs of the referee's build, and for answers.
    folder: TempDir,
}

impl<'i> OpenReferee<'i> {
    /// Opens a contest file, or a problem of it, and builds its referee.
    pub(super) fn open(path: &Path, game: &GameArgs, interrupt: &'i Interrupt) -> Result<Self, Failure> {
        Self::new(game.load(path, &Overrides::default())?, path, interrupt)
    }

    /// Builds the referee of a contest of one problem that was read from `path`.
    pub(super) fn new(contest: Contest, path: &Path, interrupt: &'i Interrupt) -> Result<Self, Failure> {
        if contest.plan.problems.only().referee.is_none() {
            let (path, game) = (path.display(), &contest.plan.problems.only().game);
            return Err(Failure::input(format!("{path} has a built-in game; use --game {game} instead of --contest")));
        }
        let broken = |error: io::Error| Failure::judge(error);
        let executor = available(contest.plan.isolation, interrupt)?;
        let folder = tempfile::tempdir().map_err(broken)?;
        let host = LocalHost::new(&executor, interrupt, DisplayMode::Nothing, None);
        prepare_referee(&contest, Logs { folder: folder.path(), kept: false }, &host)?;
        Ok(Self { contest, executor, interrupt, folder })
    }

    /// The contest, with its referee built.
    pub(super) fn into_contest(self) -> Contest {
        self.contest
    }

    /// The board that an argument names: a file, or a board of the contest. A file with the contents of a contest's
    /// board is that board, with its judge's answer and its arguments.
    pub(super) fn board(&mut self, argument: &Path) -> Result<Board, Failure> {
        let refuse = |error: BoardFileError| Failure::input(format!("{}: {error}", argument.display()));
        if !argument.exists() {
            return named_board(&self.contest, argument).cloned();
        }
        let board = self.contest.board_in(argument).map_err(refuse)?;
        let same = self.contest.plan.boards.iter().find(|known| known.contents() == board.contents());
        Ok(same.cloned().unwrap_or(board))
    }

    fn context(&self) -> RefereeContext<'_> {
        RefereeContext { executor: &self.executor, processors: Vec::new(), results: None }
    }

    /// Rules on the answer in a file.
    pub(super) fn rule(&self, board: &Board, answer: &Path) -> Result<Ruling, Failure> {
        self.contest.referee_on(self.context()).rule(board, answer).map_err(|error| match error {
            RefereeError::Interrupted => self.interrupted(),
            error => Failure::judge(error),
        })
    }

    /// Executes a tool of the referee.
    fn tool(&self, tool: Tool, word: Option<&str>, board: Option<&Board>) -> Result<Option<Vec<u8>>, ToolError> {
        self.contest.tool(self.contest.plan.problems.only(), tool, self.context(), word, board)
    }

    fn interrupted(&self) -> Failure {
        Failure::interrupted("interrupted", self.interrupt)
    }
}

/// The board of a contest with this name.
pub(super) fn named_board<'c>(contest: &'c Contest, argument: &Path) -> Result<&'c Board, Failure> {
    let boards = &contest.plan.boards;
    boards.iter().find(|board| Path::new(&board.name) == argument).ok_or_else(|| {
        let unknown = unknown("board", &argument.to_string_lossy(), boards.iter().map(|board| &*board.name));
        Failure::input(format!("{unknown}; or name the file of another board"))
    })
}

/// Has one answer refereed. Returns the ruling, and the part of the answer that can be shown.
pub(super) fn ruled(contest: &Path, args: &AnswerArgs, interrupt: &Interrupt) -> Result<(Ruling, Vec<u8>), Failure> {
    let mut refereed = OpenReferee::open(contest, &args.game, interrupt)?;
    let board = refereed.board(&args.board)?;
    let answer = answer_file(args, refereed.folder.path())?;
    let ruling = refereed.rule(&board, &answer)?;
    let mut bytes = Vec::new();
    let read = fs::File::open(&answer).and_then(|file| file.take(MAX_SHOWN_BYTES).read_to_end(&mut bytes));
    read.map(|_| (ruling, bytes)).map_err(Failure::judge)
}

/// Has one answer refereed and prints the ruling; with `trace`, also the positions that the referee left.
pub(super) fn validate(contest: &Path, args: &AnswerArgs, json: bool, trace: bool, out: &mut dyn Write) -> Done {
    let interrupt = signals()?;
    let mut refereed = OpenReferee::open(contest, &args.game, &interrupt)?;
    let board = refereed.board(&args.board)?;
    let answer = answer_file(args, refereed.folder.path())?;
    let ruling = refereed.rule(&board, &answer)?;
    if json {
        write_ruling(&refereed.contest.plan.problems.only().game, &ruling, out)?;
    } else {
        if trace {
            ruling.frames.iter().try_for_each(|frame| describe::frame(frame, "bytes", out))?;
        }
        describe::refereed(&ruling, out)?;
    }
    Ok(if ruling.verdict.is_success() { DONE } else { NOT_SOLVED })
}

/// The longest answer, in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// Bytes of an answer that can be shown with positions.
const MAX_SHOWN_BYTES: u64 = 64 << 20;

/// The file of an answer: the given one, or a new one with the given moves or standard input.
fn answer_file(args: &AnswerArgs, folder: &Path) -> Result<PathBuf, Failure> {
    let (bytes, name) = args.bytes()?;
    let path = folder.join("answer");
    let mut file = fs::File::create(&path).map_err(Failure::judge)?;
    io::copy(&mut regular::capped(bytes, MAX_BYTES), &mut file)
        .map_err(|error| Failure::input(format!("{name}: {error}")))?;
    Ok(path)
}

/// Checks boards with the referee's `check`.
pub(super) fn check(contest: &Path, game: &GameArgs, files: &[PathBuf], out: &mut dyn Write) -> Done {
    let interrupt = signals()?;
    let mut refereed = OpenReferee::open(contest, game, &interrupt)?;
    let mut code = DONE;
    for file in files {
        let checked = match refereed.board(file) {
            Ok(board) => refereed.tool(Tool::Check, None, Some(&board)),
            Err(failure) => {
                writeln!(out, "{}", printable(&failure.message.unwrap_or_default()))?;
                code = BAD_INPUT;
                continue;
            }
        };
        match checked {
            Ok(Some(_)) => writeln!(out, "{}: ok", file.display())?,
            Ok(None) => writeln!(out, "{}: readable; [referee] has no `check`", file.display())?,
            Err(ToolError::Interrupted) => return Err(refereed.interrupted()),
            Err(error) => {
                writeln!(out, "{}: {}", file.display(), printable(&error.to_string()))?;
                code = BAD_INPUT;
            }
        }
    }
    Ok(code)
}

/// Makes a board with the referee's `make`.
pub(super) fn make(contest: &Path, game: &GameArgs, seed: u64) -> Result<Vec<u8>, Failure> {
    let interrupt = signals()?;
    // Boards are not loaded, as the contest file may name the board that is created here.
    let loaded = Contest::load_for_tools(contest).and_then(|loaded| loaded.of_problem(game.problem()));
    let refereed = OpenReferee::new(loaded.map_err(Failure::input)?, contest, &interrupt)?;
    match refereed.tool(Tool::Make, Some(&seed.to_string()), None) {
        Ok(Some(board)) => Ok(board),
        Ok(None) => Err(Failure::input(format!("{}: [referee] has no `make`", contest.display()))),
        Err(ToolError::Interrupted) => Err(refereed.interrupted()),
        Err(error) => Err(Failure { message: Some(error.to_string()), code: JUDGE_FAILED }),
    }
}

/// Draws boards with the referee's `show`, or prints boards that are text.
pub(super) fn show(contest: &Path, game: &GameArgs, files: &[PathBuf], out: &mut dyn Write) -> Done {
    let interrupt = signals()?;
    let mut refereed = OpenReferee::open(contest, game, &interrupt)?;
    for file in files {
        let board = refereed.board(file)?;
        let drawn = refereed.tool(Tool::Show, None, Some(&board));
        let drawn = drawn.map_err(|error| match error {
            ToolError::Interrupted => refereed.interrupted(),
            error => Failure::input(format!("{}: {error}", file.display())),
        })?;
        let text = match (drawn, &board.stored) {
            (Some(drawn), _) => String::from_utf8_lossy(&drawn).into_owned(),
            (None, None) => board.text.clone(),
            (None, Some(stored)) => format!("{} bytes; [referee] has no `show`", stored.bytes),
        };
        if files.len() > 1 {
            writeln!(out, "{}:", file.display())?;
        }
        text.lines().try_for_each(|line| writeln!(out, "{}", printable(line)))?;
    }
    Ok(DONE)
}
