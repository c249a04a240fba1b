//! The commands of a referee besides refereeing: to check, generate and draw boards.

use std::path::Path;

use judge_core::external::first_line;
use judge_core::plan::{Board, Problem};
use judge_job::{Argument, End};

use super::call::{RefereeInput, cut_off};
use super::{External, Failure, RefereeContext};
use crate::contest::read_contents;
use crate::{BoardFileError, Contest};

/// A command of `[referee]` other than the one that rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// `check BOARD`: exit code 0 for a usable board.
    Check,
    /// `make SEED`: prints a board.
    Make,
    /// `show BOARD`: prints a drawing, as text or SVG.
    Show,
}

/// The reason why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The tool refused, or failed; a fragment.
    #[error("{0}")]
    Failed(String),
    /// A requested stop ended the tool before its result.
    #[error("interrupted")]
    Interrupted,
}

impl Tool {
    /// The key in the contest file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Make => "make",
            Self::Show => "show",
        }
    }
}

impl Contest {
    /// Executes a tool of a problem's referee, with a word and the path of a board as its last arguments, and returns its output.
    /// `Ok(None)` if the contest file does not define the tool.
    ///
    /// # Errors
    /// [`ToolError`] if the tool fails, or an interrupt was requested.
    pub fn tool(
        &self,
        problem: &Problem,
        tool: Tool,
        context: RefereeContext<'_>,
        word: Option<&str>,
        board: Option<&Board>,
    ) -> Result<Option<Vec<u8>>, ToolError> {
        let built_in = || ToolError::Failed("the referee of a built-in game is no program".into());
        let external = External::new(self, problem, context).ok_or_else(built_in)?;
        let command = match tool {
            Tool::Check => &external.referee.check,
            Tool::Make => &external.referee.make,
            Tool::Show => &external.referee.show,
        };
        let Some(command) = command else { return Ok(None) };
        let (mut command, _) = self.referee_command(external.referee, command);
        command.extend(word.map(|word| Argument::Text(word.to_owned())));
        external.run_tool(tool, &command, board).map(Some)
    }

    /// Has the referees check all boards. The error names the first refused board, as a fragment.
    ///
    /// # Errors
    /// As [`Self::tool`].
    pub fn check_boards(&self, context: &RefereeContext<'_>) -> Result<(), ToolError> {
        let with_check = |problem: &&Problem| problem.referee.as_ref().is_some_and(|referee| referee.check.is_some());
        self.plan.boards.iter().try_for_each(|board| {
            let Some(problem) = self.plan.problems.of(&board.name).filter(with_check) else { return Ok(()) };
            let checked = self.tool(problem, Tool::Check, context.clone(), None, Some(board));
            checked.map(drop).map_err(|error| match error {
                ToolError::Failed(reason) => ToolError::Failed(format!("board {}: {reason}", board.name)),
                ToolError::Interrupted => error,
            })
        })
    }

    /// A board in a file outside the contest, for its referee.
    ///
    /// # Errors
    /// [`BoardFileError`] if the file is not a regular file, is larger than the limit, or cannot be read.
    pub fn board_in(&mut self, file: &Path) -> Result<Board, BoardFileError> {
        let contents = read_contents(file, &mut self.paths);
        let contents = contents.map_err(|reason| BoardFileError { reason, hint: None })?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Board::new(name, "").with_contents(contents))
    }
}

impl External<'_> {
    fn run_tool(&self, tool: Tool, command: &[Argument], board: Option<&Board>) -> Result<Vec<u8>, ToolError> {
        let key = tool.key();
        let reason = |failure| match failure {
            Failure::Retryable(reason) | Failure::Final(reason) => ToolError::Failed(format!("{key}: {reason}")),
            Failure::Interrupted => ToolError::Interrupted,
        };
        let called = self.execute(command, board, RefereeInput::Nothing, None).map_err(reason)?;
        let stdout = called.stdout(u64::MAX).map_err(reason)?;
        match &called.outcome.end {
            End::Exited { code: 0 } => Ok(stdout),
            End::Exited { code } => {
                let reason = first_line(&stdout).or_else(|| called.last_error());
                Err(ToolError::Failed(reason.unwrap_or_else(|| format!("{key} ended with exit code {code}"))))
            }
            end => Err(ToolError::Failed(format!("{key}: {}", cut_off(end)))),
        }
    }
}
