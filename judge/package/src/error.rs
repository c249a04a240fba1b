//! The reason why a package was refused.

use std::fmt;
use std::path::{Path, PathBuf};

use judge_core::hint::Hint;
use judge_core::text::printable;

/// A package that was refused, with the file and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackageError {
    /// The file or folder at fault.
    pub file: PathBuf,
    /// The line, from 1; `None` if the reason is not in one line.
    pub line: Option<usize>,
    /// The reason, as a fragment.
    pub reason: String,
    /// The remedy, if there is one that the reason does not name.
    pub hint: Option<Hint>,
}

impl PackageError {
    pub(crate) fn whole(file: &Path, reason: impl fmt::Display) -> Self {
        Self { file: file.to_owned(), line: None, reason: reason.to_string(), hint: None }
    }

    pub(crate) fn at(file: &Path, line: usize, reason: impl fmt::Display) -> Self {
        Self { file: file.to_owned(), line: Some(line), reason: reason.to_string(), hint: None }
    }
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.file.to_string_lossy()))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for PackageError {}

/// The reason why an input validator or a generator of a package cannot run on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// Its program was not written: its language is unknown or not installed, or a file cannot be copied.
    #[error("{}", .0.reason)]
    Program(#[source] PackageError),
    /// It is a grammar, and no program that checks inputs against a grammar is installed.
    #[error("neither {} nor {} works here", .checkers[0], .checkers[1])]
    NoGrammarChecker {
        /// Names of the programs that could check it.
        checkers: [&'static str; 2],
    },
}

/// The reason why a static validator gave no result, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StaticError(pub(crate) String);
