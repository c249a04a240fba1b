//! The reasons why an engine executes no further run.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use judge_core::journal::JournalError;

use crate::outputs::Failed;

/// The reason why a contest stopped before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// The user requested a stop.
    #[error("interrupted")]
    Interrupted,
    /// The engine continues without this process.
    #[error("detached")]
    Detached,
    /// The engine cannot continue; its own reason.
    #[error(transparent)]
    Engine(Box<dyn Error + Send + Sync>),
    /// The engine panicked.
    #[error("the engine panicked: {message}")]
    Panic {
        /// The message of the panic.
        message: String,
    },
    /// A finished run could not be put on disk. No further run was started.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The output of a finished run could not be put on disk.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or directory that could not be synced.
        path: PathBuf,
        /// The reason why the system could not write it.
        #[source]
        error: io::Error,
    },
}

impl From<Failed> for Stopped {
    fn from((path, error): Failed) -> Self {
        Self::Io { path, error }
    }
}
