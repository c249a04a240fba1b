//! Errors of reading and writing a journal.

use std::io;
use std::path::PathBuf;

use super::{FILE_NAME, FORMAT, OLDEST_FORMAT};
use crate::regular;

/// The reason why a journal could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The operating system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A results directory already has a journal.
    #[error("{} already contains a contest; continue it with --resume, or name another directory", .0.display())]
    Exists(PathBuf),
    /// A directory has no journal.
    #[error("{} is not a results directory: no {FILE_NAME}; `judge runs` lists results directories{}", .0.display(), regular::did_you_mean(.0))]
    Missing(PathBuf),
    /// Another judge is writing it.
    #[error("{} is in use by another judge; wait until that one has ended", .0.display())]
    Locked(PathBuf),
    /// A line before the last one cannot be right.
    #[error("{}:{line}: damaged: {reason}; restore a copy, or cut the file before this line and use --resume", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The damage, as a fragment.
        reason: String,
    },
    /// A format that this version cannot read.
    #[error("{}: unsupported format {format}; this version reads formats {OLDEST_FORMAT} to {FORMAT}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
}
