//! The arguments that name an answer to a board, and the source of its bytes.

use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use super::game::{GameArgs, puzzle};
use super::{Failure, say};
use judge_core::game::{GameInfo, Puzzle};
use judge_files::{near, regular};

/// One answer to one board.
#[derive(Debug, clap::Args)]
pub(super) struct AnswerArgs {
    #[command(flatten)]
    pub(super) game: GameArgs,

    /// The board file; with --contest also the name of a board
    #[arg(value_parser = super::runs::path())]
    pub(super) board: PathBuf,

    /// A file with the answer, `-` for standard input, or the moves themselves
    #[arg(default_value = "-", allow_hyphen_values = true)]
    answer: String,
}

/// An answer about to be replayed.
pub(super) struct Answer {
    /// Name of the game, as in contest files.
    pub(super) game: &'static str,
    /// The game's names for its figures.
    pub(super) info: &'static GameInfo,
    /// The board that was read.
    pub(super) puzzle: Box<dyn Puzzle>,
    /// The source of the answer, for error messages.
    pub(super) name: String,
    /// The bytes of the answer, read once.
    pub(super) bytes: Box<dyn Read>,
}

impl AnswerArgs {
    /// Reads the board and opens the answer.
    pub(super) fn open(&self) -> Result<Answer, Failure> {
        let kind = self.game.kind();
        let (_, puzzle) = puzzle(&*self.game.open()?, &self.board)?;
        let (bytes, name) = self.bytes()?;
        Ok(Answer { game: kind.name, info: kind, puzzle, name, bytes })
    }
}

impl AnswerArgs {
    /// The argument as the user wrote it.
    pub(super) fn text(&self) -> &str {
        &self.answer
    }

    /// Opens the answer, and names it for error messages.
    pub(super) fn bytes(&self) -> Result<(Box<dyn Read>, String), Failure> {
        open(&self.answer)
    }
}

impl Answer {
    /// The error for an answer that could not be read.
    pub(super) fn unreadable(name: &str, error: &io::Error) -> Failure {
        Failure::input(format!("{name}: {error}"))
    }
}

/// Opens the answer and names it for error messages. An argument that is not a file is the answer itself.
fn open(answer: &str) -> Result<(Box<dyn Read>, String), Failure> {
    if answer == "-" {
        if io::stdin().is_terminal() {
            say("reading the answer from this terminal: type the moves, then press Enter and Ctrl-D");
        }
        return Ok((Box::new(io::stdin()), "standard input".into()));
    }
    let path = Path::new(answer);
    match regular::open(path) {
        Ok(file) => Ok((Box::new(file), answer.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound || answer.contains(char::is_whitespace) => {
            // No game has moves with a slash or a dot, so the word is a path.
            if answer.contains(['/', '.']) && !answer.contains(char::is_whitespace) {
                return Err(Failure::input(format!(
                    "{answer}: no such file; give a file with the answer, or the moves themselves{}",
                    near::did_you_mean(path)
                )));
            }
            Ok((Box::new(io::Cursor::new(answer.to_owned())), "the answer".into()))
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(Failure::input(format!(
            "{answer}: {error}; give a file with the answer, the moves themselves, or `-` and the answer on standard \
             input"
        ))),
        // Longer than any file name: moves.
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            Ok((Box::new(io::Cursor::new(answer.to_owned())), "the answer".into()))
        }
        Err(error) => Err(Failure::input(format!("{answer}: {error}"))),
    }
}
