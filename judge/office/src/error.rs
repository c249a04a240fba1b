//! The error of the office.

use std::io;
use std::path::{Path, PathBuf};

use judge_core::date::Date;
use judge_core::hint::Hint;
use judge_core::journal::JournalError;

use crate::state::Refusal;

/// The reason why the office refused or failed to do something. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OfficeError {
    /// The folder has no office.
    #[error("{} has no office", .0.display())]
    Missing(PathBuf),
    /// A file of the office is damaged.
    #[error("{}: line {line}: {reason}; restore a copy of the folder", path.display())]
    Damaged {
        /// The file that has the damaged line.
        path: PathBuf,
        /// Number of its first damaged line, from 1.
        line: usize,
        /// The error, as a fragment.
        reason: String,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder that could not be read or written.
        path: PathBuf,
        /// The system's reason.
        #[source]
        error: io::Error,
    },
    /// The change is not allowed after the earlier ones.
    #[error("{reason}")]
    Refused {
        /// The reason, as a fragment.
        reason: String,
        /// The refusal of a line by the log, if the log refused it.
        #[source]
        refusal: Option<Refusal>,
    },
    /// The team has used up a quota of submissions, questions or choices.
    #[error("too many {what}: at most {reason}")]
    Quota {
        /// The exceeded quantity, such as `submissions`.
        what: &'static str,
        /// The quota and the next time, as a fragment.
        reason: String,
        /// The moment from which the team may submit again, in seconds since the beginning of 1970 in UTC; `None` if it
        /// depends on other events.
        next: Option<u64>,
    },
    /// The contest has not begun.
    #[error("submissions are accepted from {} on", Date::from_unix(*.0))]
    NotOpen(u64),
    /// The system has no random numbers.
    #[error("random numbers: {0}")]
    Random(String),
}

impl From<Refusal> for OfficeError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotOpen(opens) => Self::NotOpen(opens),
            refusal => Self::Refused { reason: refusal.to_string(), refusal: Some(refusal) },
        }
    }
}

impl From<JournalError> for OfficeError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Missing(folder) | JournalError::NotDirectory(folder) => Self::Missing(folder),
            JournalError::Damaged { path, line, reason, .. } => Self::Damaged { path, line, reason },
            JournalError::Io { path, error } => Self::Io { path, error },
            JournalError::Refused { reason, .. } => Self::refused(reason),
            error => Self::refused(error.to_string()),
        }
    }
}

impl OfficeError {
    /// The error of a change that is refused for this reason, a fragment.
    pub fn refused(reason: String) -> Self {
        Self::Refused { reason, refusal: None }
    }

    /// Tests whether the reason is a file or folder that could not be read or written.
    pub fn is_of_disk(&self) -> bool {
        matches!(self, Self::Io { .. })
    }

    /// Tests whether a full disk is the reason.
    pub fn is_full(&self) -> bool {
        match self {
            Self::Io { error, .. } => is_full(error),
            _ => false,
        }
    }

    /// Tests whether the reason is that the results are final.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Refused { refusal: Some(Refusal::Finalised(_)), .. })
    }

    /// The remedy, if one exists that its text does not name.
    pub fn hint(&self) -> Option<Hint> {
        matches!(self, Self::Missing(_)).then_some(Hint::BeginOffice)
    }

    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

/// Tests whether a disk was full. Its earlier contents are intact then.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}
