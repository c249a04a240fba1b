//! The interface between the preparation of a contest and the program around it.

use std::path::PathBuf;

use judge_job::{Executor, IsolationMode};

use super::notice::Notice;
use crate::Contest;
use crate::builds::BuildsError;
use crate::external::{FilesError, ToolError};
use crate::open_contest::CommandError;

/// The program that prepares a contest: a command, a server or a test. It provides the executors and the environment, and passes
/// notices to the organiser.
pub trait Host {
    /// The program's own type of failure.
    type Error;

    /// The executor of runs and of the referee.
    fn executor(&self) -> &dyn Executor;

    /// True if this executor runs programs as another user, who cannot read every file of this user.
    fn is_another_user(&self) -> bool;

    /// An executor of builds of this contest, with this isolation.
    ///
    /// # Errors
    /// The machine does not support the isolation.
    fn builder(&self, contest: &Contest, isolation: IsolationMode) -> Result<Box<dyn Executor + '_>, Self::Error>;

    /// A variable of the organiser's environment.
    fn environment(&self, name: &str) -> Option<String>;

    /// Announces a command that may take a while, with its purpose: `fetching` or `building`.
    fn announce(&self, what: &str, command: &str);

    /// Passes a notice to the organiser.
    fn notify(&self, notice: Notice);

    /// Converts the reason why a contest cannot be prepared.
    fn failure(&self, error: PrepareError) -> Self::Error;
}

/// The reason why a contest cannot be prepared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// A file of a board cannot be kept in the results directory.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// A build could not be started.
    #[error(transparent)]
    Builds(#[from] BuildsError),
    /// The build of a program failed, and the contest cannot run without it.
    #[error("{what} was not built: {reason}")]
    NotBuilt {
        /// The program, for people.
        what: String,
        /// The reason, with the output of the build.
        reason: String,
    },
    /// The referee cannot be started.
    #[error("{}: {whose} cannot be started: {problem}", contest.display())]
    Referee {
        /// The contest file.
        contest: PathBuf,
        /// The referee, for people.
        whose: String,
        /// The reason, as a fragment.
        problem: String,
    },
    /// The referee refuses a board, or was interrupted.
    #[error(transparent)]
    Boards(ToolError),
    /// The contest cannot be begun or continued.
    #[error(transparent)]
    Command(#[from] CommandError),
}
