//! Errors of the work on packages, typed so that each caller can word the remedy.

use std::io;
use std::path::{Path, PathBuf};

use judge_contest::ContestError;
use judge_contest::open_contest::CommandError;
use judge_contest::schedule::Stopped;
use judge_package::{PackageError, ToolError};

/// The reason why a small program of a package is not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ToolFailure {
    /// This machine cannot run it.
    #[error(transparent)]
    Unusable(#[from] ToolError),
    /// It was not built.
    #[error("its build failed: {last_line}")]
    NotBuilt {
        /// The last line that the build wrote to standard error.
        last_line: String,
    },
}

/// The reason why a package cannot be generated, checked or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ImportError {
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The package cannot be read or written as a contest.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The contest that was written cannot be read.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The contest cannot be conducted.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The runs of the contest ended early.
    #[error(transparent)]
    Stopped(Stopped),
    /// A path that the caller named cannot be found.
    #[error("{}: {source}", path.display())]
    NotFound {
        /// The path that the caller named.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        source: io::Error,
    },
    /// A file or folder cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder that was to be written.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        source: io::Error,
    },
    /// The installed programs are unknown, because programs cannot be executed.
    #[error("{program} cannot be tried here: {reason}")]
    Untried {
        /// The program, as a command names it.
        program: String,
        /// The failure of the judge, as a fragment.
        reason: String,
    },
    /// The package has no submission.
    #[error("the package has no submission to run")]
    NoSubmission,
    /// No submission can be run on this machine.
    #[error("no submission can be run here: {}", reasons.join("; "))]
    NothingRuns {
        /// The reason for each submission, as a fragment.
        reasons: Vec<String>,
    },
    /// No accepted submission runs, so the limit cannot follow from its times.
    #[error("the package has no time limit, and no accepted submission that runs here")]
    NoAccepted,
    /// The folder that links may lead into is not around the package.
    #[error("{}: is not a folder around the package", links.display())]
    LinksElsewhere {
        /// The folder that links were to lead into.
        links: PathBuf,
    },
    /// A test case cannot be generated.
    #[error("{name}: {reason}")]
    NotMade {
        /// The test case, or its file.
        name: String,
        /// The reason, as a fragment.
        reason: String,
    },
    /// The static validator cannot be built.
    #[error("the static validator cannot be run: {reason}")]
    StaticValidator {
        /// The reason.
        #[source]
        reason: ToolFailure,
    },
    /// The caller could not report a result.
    #[error(transparent)]
    Report(io::Error),
    /// The verification contradicts itself, which is a fault of this library.
    #[error("{0}")]
    Inconsistent(String),
}

impl ImportError {
    /// An error of a file or folder that cannot be written.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Io { path: path.to_owned(), source }
    }
}
