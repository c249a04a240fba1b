//! The command as the host of contests: its executors, its environment, and its messages.

use std::cell::RefCell;
use std::path::Path;

use super::message::Message as _;
use super::{Failure, environment, isolation, say};
use judge_contest::Contest;
use judge_contest::builds::BuildsError;
use judge_contest::external::{FilesError, ToolError};
use judge_contest::open_contest::CommandError;
use judge_contest::session::{Host, Notice, PrepareError};
use judge_core::hint::Hint;
use judge_report::{with_hint, with_hint_for};
use judge_sandbox::{Executor, Interrupt, IsolationMode, LocalExecutor};
use judge_show::live::DisplayMode;

/// This machine as the host of a contest.
pub(super) struct LocalHost<'h, 'i> {
    executor: &'h LocalExecutor<'i>,
    interrupt: &'i Interrupt,
    shown: DisplayMode,
    results: Option<&'h Path>,
    is_site: bool,
    notices: RefCell<Vec<String>>,
}

impl<'h, 'i> LocalHost<'h, 'i> {
    /// A host with this executor of runs and of the referee, which prints the start of builds as `shown` says. Messages name
    /// the directory of existing results.
    pub(super) fn new(
        executor: &'h LocalExecutor<'i>,
        interrupt: &'i Interrupt,
        shown: DisplayMode,
        results: Option<&'h Path>,
    ) -> Self {
        Self { executor, interrupt, shown, results, is_site: false, notices: RefCell::default() }
    }

    /// A host whose contest teams submit to. Its notices have no commands, as those are for other contests.
    pub(super) fn of_site(executor: &'h LocalExecutor<'i>, interrupt: &'i Interrupt) -> Self {
        Self { is_site: true, ..Self::new(executor, interrupt, DisplayMode::Nothing, None) }
    }

    /// All notices that were printed, for callers that also show them elsewhere.
    pub(super) fn notices(self) -> Vec<String> {
        self.notices.into_inner()
    }
}

impl Host for LocalHost<'_, '_> {
    type Error = Failure;

    fn executor(&self) -> &dyn Executor {
        self.executor
    }

    fn is_another_user(&self) -> bool {
        self.executor.is_another_user()
    }

    fn builder(&self, contest: &Contest, mode: IsolationMode) -> Result<Box<dyn Executor + '_>, Failure> {
        let limits = [contest.builds.limits];
        Ok(Box::new(isolation::executor("build_isolation", mode, &limits, self.interrupt)?))
    }

    fn environment(&self, name: &str) -> Option<String> {
        environment(name)
    }

    fn announce(&self, what: &str, command: &str) {
        if self.shown != DisplayMode::Nothing {
            say(&format!("{what}: {command}"));
        }
    }

    fn notify(&self, notice: Notice) {
        let hint = notice.hint().filter(|_| !self.is_site);
        let notice = with_hint_for(&notice, hint.as_ref(), self.results);
        super::notice(&notice);
        self.notices.borrow_mut().push(notice);
    }

    fn failure(&self, error: PrepareError) -> Failure {
        match error {
            PrepareError::Builds(BuildsError::Interrupted) | PrepareError::Boards(ToolError::Interrupted) => {
                Failure::interrupted("interrupted before the first run", self.interrupt)
            }
            PrepareError::Builds(error @ BuildsError::Fetch { .. }) => Failure::input(format!("fetch: {error}")),
            PrepareError::Builds(error @ BuildsError::Exposed(_)) => {
                Failure::input(with_hint(error, Some(&Hint::OtherResults)))
            }
            PrepareError::Files(error @ FilesError::Missing { .. }) => Failure::input(error),
            PrepareError::Builds(_) | PrepareError::Files(_) => Failure::judge(error.to_string()),
            PrepareError::Command(error) => command_failure(&error),
            _ => Failure::input(error.to_string()),
        }
    }
}

/// The failure for an error of an open contest.
pub(super) fn command_failure(error: &CommandError) -> Failure {
    match error {
        CommandError::Contest(_) | CommandError::Round(_) => Failure::input(error.message()),
        error => Failure::judge(error.message()),
    }
}
