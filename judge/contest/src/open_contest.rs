//! An open contest that any program can conduct: a command, a server or a test.
//!
//! [`OpenContest`] holds an open contest. Commands change it, such as a struck board, a new entry or a finished run. Each command
//! is one event: checked against the contest so far, synced to the journal, applied to the fold, and announced to subscribers.
//! Readers hold [`ContestState`], which are cheap to clone and never change. Nothing here prints or reads the environment; the
//! clock is a parameter.
//!
//! Runs are executed in one of two ways. A program takes them one by one with [`OpenContest::next`] and hands them in with
//! [`OpenContest::finish`]. Or it passes an [`Engine`](crate::schedule::Engine) to [`OpenContest::run_round`], which does both.
//! [`OpenContest::run_one`] and [`OpenContest::run_those`] execute some of the runs.

mod event;
mod passes;
mod runs;
mod state;
mod waiting;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use judge_core::changes::ChangeError;
use judge_core::date::Date;
use judge_core::fingerprint::{Hashes, KeptFiles};
use judge_core::journal::{
    BoardAndReason, Build, Built, ContestState, EntryAndReason, EntryEvent, Header, JournalError, Line, ManualRuling,
    Record, Rejudgement, Round,
};
use judge_core::plan::Overrides;
use judge_core::withdrawal::Withdrawal;

use crate::external::FilesError;
use crate::guard::catch_panic;
use crate::journal::Journal;
use crate::programs::{NotKept, unrecorded};
use crate::schedule::{FinishedRun, OutputSync, Stopped};
use crate::{Contest, ContestError};

pub use event::Event;
use passes::Passes;
pub use passes::RunLease;
use state::State;
pub use waiting::{Choice, Team, team_of};

/// A callback that gets every event; it returns false to unsubscribe.
type Subscriber = Box<dyn FnMut(&Event) -> bool + Send>;

/// An open contest with its results directory. Several threads can call all its methods at a time. A subscriber can call them
/// from its callback.
pub struct OpenContest {
    results: PathBuf,
    state: Mutex<State>,
    subscribers: Mutex<Vec<Subscriber>>,
}

/// The properties of a new contest that the contest file does not contain.
#[derive(Debug, Clone, Default)]
pub struct StartOptions {
    /// The contest file, relative to the results directory.
    pub contest_file: PathBuf,
    /// The overrides of the contest file.
    pub overrides: Overrides,
    /// Hashes of the files that are executed, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// The files among these that the results directory keeps, by entry.
    pub kept: BTreeMap<String, KeptFiles>,
    /// The search path for programs.
    pub path: Option<String>,
    /// The version of the program that conducts the contest; `None` for the version of this library.
    pub judge: Option<String>,
    /// The organiser's comment, shown with the results.
    pub comment: Option<String>,
    /// Results of the builds before the contest began.
    pub builds: Vec<Build>,
}

/// The reason why a command was refused. A refused command changes nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The event is not allowed after the earlier ones, or could not be written to disk.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The contest cannot have this plan.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A stored file of a board cannot be kept in the results directory.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The contest file has changed, so the next round cannot open.
    #[error(transparent)]
    Round(#[from] ChangeError),
    /// The engine or the journal failed, or an interrupt was requested.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl OpenContest {
    /// Begins a contest in an empty results directory.
    ///
    /// # Errors
    /// [`CommandError::Journal`] if the journal cannot be written, and [`CommandError::Files`] if a stored file of a board
    /// cannot be copied.
    pub fn begin(
        contest: Contest,
        results: &Path,
        with: StartOptions,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<Self, CommandError> {
        contest.keep_files(results)?;
        let StartOptions { contest_file, overrides, programs, kept, path, judge, comment, builds } = with;
        let plan = contest.plan.clone();
        let order = plan.start_order();
        let (withdrawn, struck) = (contest.withdrawn.clone(), contest.struck.clone());
        let mut header = Header::new(contest_file, overrides, plan.clone(), order, programs, path);
        (header.comment, header.withdrawn, header.struck, header.kept) = (comment, withdrawn, struck, kept);
        header.judge = judge.unwrap_or(header.judge);
        let mut journal = Journal::create(results, header, clock)?;
        let lines: Vec<Line> = builds.into_iter().map(|build| Line::Build(Box::new(build))).collect();
        if !lines.is_empty() {
            journal.append(&lines)?;
        }
        Ok(Self::of(contest, journal, results))
    }

    /// Continues the contest of a journal. Its contest file may have changed; [`Self::update`] records the changes.
    ///
    /// # Errors
    /// [`CommandError::Contest`] if the plan of the journal is not usable.
    pub fn resume(mut contest: Contest, mut journal: Journal, results: &Path) -> Result<Self, CommandError> {
        contest.adopt(journal.contents().plan.clone())?;
        Ok(Self::of(contest, journal, results))
    }

    /// Opens the contest of a results directory only for decisions. Its contest file is not read and need not exist. No runs are
    /// handed out and no rounds are opened.
    ///
    /// # Errors
    /// As [`Journal::resume`].
    pub fn decide(
        results: &Path,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<Self, JournalError> {
        let (journal, contents) = Journal::resume(results, clock)?;
        let contest = Contest::recorded(results.join(&contents.header.contest_file), contents.plan.clone());
        drop(contents);
        Ok(Self::of(contest, journal, results))
    }

    fn of(mut contest: Contest, mut journal: Journal, results: &Path) -> Self {
        // The plan object of the journal itself, not an equal copy: changes are then detected by comparing pointers.
        let recorded = journal.contents().plan.clone();
        if contest.plan == recorded {
            contest.plan = recorded;
        }
        let state = State {
            contest: Arc::new(contest),
            journal,
            unbuilt: BTreeMap::new(),
            passes: Passes::default(),
            queue: None,
            outbox: VecDeque::new(),
            is_heard: false,
            others: 0,
        };
        Self { results: results.to_owned(), state: Mutex::new(state), subscribers: Mutex::default() }
    }

    /// Sets how many times suspect runs are repeated; the default is 0.
    pub fn repeat_suspect(&self, times: u32) {
        self.state().passes.repeats = times;
    }

    /// Repeats a run that ends in a judge error until it had this number of attempts, also after the contest was resumed. `of`
    /// has the numbers of some entries. Without this call, the run is repeated when the contest is resumed.
    pub fn repeat_judge_errors(&self, attempts: u32, of: BTreeMap<String, u32>) {
        let mut state = self.state();
        let contents = state.journal.contents();
        state.passes.set_attempts(attempts, of, &contents);
    }

    /// Sets the entries that cannot be started, with the reasons. Their runs end with that verdict.
    pub fn set_unbuilt(&self, unbuilt: BTreeMap<String, Built>) {
        let mut state = self.state();
        state.unbuilt = unbuilt;
        state.passes.reexamine();
    }

    /// Records and keeps the programs that are about to be executed in runs of the open round, if the journal lacks their present
    /// versions. `programs` has the hashes of all programs. Call [`Self::set_unbuilt`] and [`Self::repeat_suspect`] before.
    /// Returns the programs that are not kept.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn record_programs(&self, programs: &BTreeMap<String, Hashes>) -> Result<Vec<NotKept>, CommandError> {
        let mut state = self.state();
        let contents = state.journal.contents();
        let entries = state.passes.entries_to_run(&contents, &state.unbuilt);
        let has_runs = |entry: &str| entries.contains(entry) && !state.unbuilt.contains_key(entry);
        let (lines, refused) = unrecorded(&state.contest, &contents, programs, has_runs, &self.results);
        let done = state.apply(lines);
        drop(state);
        self.deliver();
        done.map(|()| refused)
    }

    /// The results directory that was passed to [`OpenContest::begin`] or [`OpenContest::resume`].
    pub fn results(&self) -> &Path {
        &self.results
    }

    /// The contest with its present plan.
    pub fn contest(&self) -> Arc<Contest> {
        self.state().contest.clone()
    }

    /// The contest at this moment. It is cheap and never changes.
    pub fn contents(&self) -> ContestState {
        self.state().journal.contents()
    }

    /// Calls this function with every event from now on, in order, until it returns false or panics. Events are on disk
    /// before it is called.
    pub fn subscribe(&self, hear: impl FnMut(&Event) -> bool + Send + 'static) {
        self.state().is_heard = true;
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(hear));
    }

    /// The number of events that other processes have added to the journal since it was opened.
    pub fn events_of_others(&self) -> u64 {
        self.state().others
    }

    /// Applies events together: all of them, or none.
    ///
    /// # Errors
    /// [`CommandError::Journal`] and [`CommandError::Contest`]; nothing has changed then.
    pub fn update(&self, lines: Vec<Line>) -> Result<(), CommandError> {
        let done = self.state().apply(lines);
        self.deliver();
        done
    }

    /// Applies events together with a contest file that was read again, for example one with another referee. The plan of the
    /// journal stays.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_with(&self, contest: Contest, lines: Vec<Line>) -> Result<(), CommandError> {
        let done = self.state().apply_with(Some(contest), lines);
        self.deliver();
        done
    }

    /// Sets entries aside, or takes them back in. Like withdrawn entries, they take no place and are not run. It is not recorded,
    /// because it follows from the office's lines in the log. Withdrawn entries stay withdrawn.
    pub fn set_aside(&self, changes: Vec<(String, Option<Withdrawal>)>) {
        self.state().set_aside(changes);
        self.deliver();
    }

    /// Applies events and sets entries aside together, before any run of these events is handed out.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_aside(&self, lines: Vec<Line>, aside: Vec<(String, Option<Withdrawal>)>) -> Result<(), CommandError> {
        let mut state = self.state();
        let done = state.apply(lines);
        if done.is_ok() {
            state.set_aside(aside);
        }
        drop(state);
        self.deliver();
        done
    }

    /// The contest as it would be after these events. Nothing changes.
    ///
    /// # Errors
    /// [`JournalError::Refused`] if one of them is not allowed after the earlier ones.
    pub fn preview(&self, lines: &[Line]) -> Result<ContestState, JournalError> {
        self.state().journal.preview(lines)
    }

    /// Adds an entry, or a new version of one. The runs of the previous version no longer count, and its current runs are
    /// stopped. An engine begins the new runs after it has finished its other current runs.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn submit(&self, entry: EntryEvent) -> Result<(), CommandError> {
        self.update(vec![Line::Entry(Box::new(entry))])
    }

    /// Strikes a board: it no longer counts and is not run. Current runs on it are stopped.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn strike(&self, board: BoardAndReason) -> Result<(), CommandError> {
        self.update(vec![Line::Struck(board)])
    }

    /// Takes a struck board back into the contest.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn reinstate_board(&self, board: BoardAndReason) -> Result<(), CommandError> {
        self.update(vec![Line::Reinstated(board)])
    }

    /// Withdraws or disqualifies an entry: it takes no place and is not run. Its current runs are stopped.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn withdraw(&self, entry: EntryAndReason) -> Result<(), CommandError> {
        self.update(vec![Line::Withdrawn(entry)])
    }

    /// Takes a withdrawn entry back into the contest.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn restore_entry(&self, entry: EntryAndReason) -> Result<(), CommandError> {
        self.update(vec![Line::Restored(entry)])
    }

    /// Sets the verdict of a run by hand.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn rule(&self, ruling: ManualRuling) -> Result<(), CommandError> {
        self.update(vec![Line::Ruling(Box::new(ruling))])
    }

    /// Records that stored answers were refereed again, see [`crate::rejudge`].
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn rejudge(&self, rejudgement: Rejudgement) -> Result<(), CommandError> {
        self.update(vec![Line::Rejudgement(Box::new(rejudgement))])
    }

    /// Hands out the next run to execute: first missing runs, then repetitions of suspect runs, then runs of the next round,
    /// which opens. `None` if no run is left, or if the others depend on current runs.
    ///
    /// # Errors
    /// As [`Self::open_next_round`].
    pub fn next(&self) -> Result<Option<RunLease>, CommandError> {
        let lease = loop {
            let mut state = self.state();
            if let Some(lease) = state.next() {
                break Some(lease);
            }
            if !state.passes.is_idle() || state.open_next_round()?.is_none() {
                break None;
            }
        };
        self.deliver();
        Ok(lease)
    }

    /// Records a run that was handed out, and returns its record once it is on disk. `None` if the run no longer counts, because
    /// its board was struck, or its entry withdrawn or replaced, after the run was handed out. Such a run is discarded, and
    /// [`RunLease::stop`] was requested.
    ///
    /// # Errors
    /// [`CommandError::Stopped`] if the run cannot be written to disk. It can be handed in again.
    pub fn finish(&self, lease: &RunLease, run: FinishedRun) -> Result<Option<Record>, CommandError> {
        let mut syncing = OutputSync::new(&self.results);
        let mut state = self.state();
        let recorded = state.record(vec![(lease.clone(), run)], &mut syncing)?.pop();
        state.announce(|| match &recorded {
            Some(record) => Event::Finished(Box::new(record.clone())),
            None => Event::Cancelled(lease.key.clone()),
        });
        drop(state);
        self.deliver();
        Ok(recorded)
    }

    /// Returns a run that was handed out but not executed. It will be handed out again.
    pub fn requeue(&self, lease: &RunLease) {
        self.state().passes.requeue(lease);
    }

    /// Opens the next round if no run of the open one is missing and the round can begin. The line of the round is on disk before
    /// its first run.
    ///
    /// # Errors
    /// As [`Self::update`], [`CommandError::Files`], and [`CommandError::Round`] if the contest file has changed.
    pub fn open_next_round(&self) -> Result<Option<Round>, CommandError> {
        let opened = self.state().open_next_round();
        self.deliver();
        opened
    }

    /// In a contest of matches, reopens the first round whose games no longer follow from the results, for example after a ruling
    /// by hand. The games that no longer follow do not count.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn follow_results(&self) -> Result<Option<Round>, CommandError> {
        let opened = self.state().follow_results();
        self.deliver();
        opened
    }

    /// The runs that are handed out, in their order.
    #[cfg(test)]
    pub(crate) fn under_way(&self) -> Vec<judge_core::key::RunKey> {
        let contents = self.contents();
        self.state().passes.under_way(&contents)
    }

    /// The waiting runs, and those that would wait if all runs were examined.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> [Vec<judge_core::key::RunKey>; 2] {
        let mut state = self.state();
        let contents = state.fill();
        let would_wait = state.passes.would_wait(&contents, &state.unbuilt);
        [state.passes.keys(&contents), would_wait]
    }

    /// The number of runs that were examined to find waiting ones.
    #[cfg(test)]
    pub(crate) fn examined(&self) -> usize {
        self.state().passes.examined
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic leaves a valid state: events are applied to a copy, which replaces the state as a whole.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // The next write reports what cannot be read now.
        state.catch_up().ok();
        state
    }

    /// Passes events to the subscribers, including events that other threads add meanwhile.
    fn deliver(&self) {
        loop {
            let Ok(mut subscribers) = self.subscribers.try_lock() else { return };
            while let Some(event) = { self.state().outbox.pop_front() } {
                subscribers.retain_mut(|hear| catch_panic("a subscriber", || Ok(hear(&event))).unwrap_or(false));
            }
            drop(subscribers);
            if self.state().outbox.is_empty() {
                return;
            }
        }
    }
}
