//! What prepares a contest needs of the program around it.

use std::path::PathBuf;

use judge_job::{Executor, IsolationMode};

use super::notice::Notice;
use crate::Contest;
use crate::builds::BuildsError;
use crate::conduct::ConductError;
use crate::external::{FilesError, ToolError};

/// The program in which a contest is prepared: a command, a server, a test. It has the executors and the environment, and
/// passes on what the organiser should know.
pub trait Host {
    /// A failure in the words of this program.
    type Error;

    /// The executor of runs and of the referee.
    fn executor(&self) -> &dyn Executor;

    /// True if that one executes programs as another user, who cannot read every file of this one.
    fn is_another_user(&self) -> bool;

    /// An executor of builds of this contest, with this isolation.
    ///
    /// # Errors
    /// The machine does not have the isolation.
    fn builder(&self, contest: &Contest, isolation: IsolationMode) -> Result<Box<dyn Executor + '_>, Self::Error>;

    /// A variable of the organiser's environment.
    fn environment(&self, name: &str) -> Option<String>;

    /// Announces a command that may take a while, with what it does: `fetching` or `building`.
    fn announce(&self, what: &str, command: &str);

    /// Passes on a notice to the organiser.
    fn notify(&self, notice: Notice);

    /// The failure for a contest that cannot be prepared.
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
    /// The build of a program failed without which there is no contest.
    #[error("{what} was not built: {reason}")]
    NotBuilt {
        /// The program, for people.
        what: String,
        /// The reason, with what the build printed.
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
    /// The referee does not take a board, or was interrupted.
    #[error(transparent)]
    Boards(ToolError),
    /// The contest cannot be begun or continued.
    #[error(transparent)]
    Conduct(#[from] ConductError),
}
