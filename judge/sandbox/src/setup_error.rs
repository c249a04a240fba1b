//! The error of an executor that cannot be created.

use std::io;

/// A number of open files that suffices for several jobs at a time.
pub(crate) const ENOUGH_FILES: u64 = 1024;

/// The reason why an executor cannot be created on this machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The limit on open files leaves no room for a job.
    #[error(
        "the limit on open files is {limit}, and a run needs {needed}; raise it with `ulimit -n {}`, or as root",
        ENOUGH_FILES
    )]
    OpenFiles {
        /// The limit of this process, after it was raised as far as the system allows.
        limit: u64,
        /// The files that this process and one job have open.
        needed: u64,
    },
    /// No directory for scratch directories can be created.
    #[error("no directory for scratch files: {0}; is TMPDIR writable?")]
    Scratch(#[source] io::Error),
}
