//! Why a contest was refused: file, line, what is wrong and what to do.

use std::fmt;
use std::path::{Path, PathBuf};

/// A refused contest file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestError {
    file: PathBuf,
    line: Option<usize>,
    reason: String,
}

impl ContestError {
    /// A fault of the file as a whole.
    pub(crate) fn whole(file: &Path, reason: String) -> Self {
        Self { file: file.to_owned(), line: None, reason }
    }

    /// A fault in a line of the file.
    pub(super) fn at(file: &Path, line: usize, reason: String) -> Self {
        Self { file: file.to_owned(), line: Some(line), reason }
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
