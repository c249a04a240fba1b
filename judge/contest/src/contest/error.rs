//! The reason why a contest was refused: file, line, fault and remedy.

use std::fmt;
use std::path::{Path, PathBuf};

use judge_core::hint::Hint;

/// A refused contest file, with the place of the error in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContestError {
    /// The contest file, or the file from which it was to be created.
    pub file: PathBuf,
    /// The line, from 1; `None` if the reason is not in one line.
    pub line: Option<usize>,
    /// The kind of the reason, for callers that distinguish them.
    pub kind: ContestErrorKind,
    /// The reason, as a fragment.
    pub reason: String,
    /// The remedy, if one exists that the reason does not name.
    pub hint: Option<Hint>,
}

/// The kinds of reasons why a contest is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContestErrorKind {
    /// The file cannot be read.
    Unreadable,
    /// It is not TOML, or has unknown keys or values of a wrong type.
    Syntax,
    /// A value is not usable.
    Value,
    /// A board is not usable.
    Board,
    /// The command line names a board or an entry that the contest does not have.
    Selection,
}

impl ContestError {
    /// An error of a file as a whole.
    pub(crate) fn whole(file: &Path, kind: ContestErrorKind, reason: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, kind, reason: reason.into(), hint: None }
    }

    /// Sets the remedy.
    pub(crate) fn with_hint(mut self, hint: Option<Hint>) -> Self {
        self.hint = hint;
        self
    }

    /// An error in a line of the file.
    pub(super) fn at(file: &Path, line: usize, kind: ContestErrorKind, reason: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: Some(line), kind, reason: reason.into(), hint: None }
    }
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for ContestError {}
