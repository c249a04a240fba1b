//! Orders the runs, executes them on parallel workers, and puts each on disk before announcing it.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use judge_core::external::write_frames;
use judge_core::journal::{Built, JournalError, Record, RunKey};
use judge_core::plan::{Board, Entry};
use judge_core::referee::{Referee, RefereeError, Ruling};
use judge_core::verdict::Verdict;
use judge_job::{Executor, Interrupted, Isolation, Job, Machine, Outcome, Stdin, StopRequest};
use tempfile::TempDir;

use crate::Contest;
use crate::external::{Bench, FILES};
use crate::guard::guarded;
use crate::journal::Journal;
use crate::outputs::{Failed, Reserved, Syncing};

/// Name of the board file in an entry's scratch directory.
pub const BOARD_FILE: &str = "board.txt";

/// A run to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingRun {
    /// Its index in the order.
    pub index: usize,
    /// The number of the attempt, from 1; the next free one if its files exist already.
    pub attempt: u32,
}

/// Progress of a contest, in the order in which it became certain.
pub enum Event<'a> {
    /// A run was started.
    Started(&'a RunKey),
    /// A run is finished and on disk.
    Finished(&'a Record),
}

/// The reason why a contest stopped before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// The user asked for it.
    #[error("interrupted")]
    Interrupted,
    /// A finished run could not be put on disk; no further one was started.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The output of a finished run could not be put on disk.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

impl From<Failed> for Stopped {
    fn from((path, error): Failed) -> Self {
        Self::Io { path, error }
    }
}

/// A contest about to be run.
pub struct Runner<'a> {
    contest: &'a Contest,
    order: &'a [RunKey],
    results: &'a Path,
    slots: &'a [Vec<usize>],
    unbuilt: BTreeMap<String, Built>,
    entries: HashMap<&'a str, &'a Entry>,
    boards: HashMap<&'a str, &'a Board>,
}

impl<'a> Runner<'a> {
    /// A contest with all its runs in order and its results directory. `slots` has the logical processors of each
    /// worker; they are empty for a worker whose runs are not pinned.
    pub fn new(contest: &'a Contest, order: &'a [RunKey], results: &'a Path, slots: &'a [Vec<usize>]) -> Self {
        let entries = contest.plan.entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        let boards = contest.plan.boards.iter().map(|board| (board.name.as_str(), board)).collect();
        Self { contest, order, results, slots, unbuilt: BTreeMap::new(), entries, boards }
    }

    /// The same with entries that could not be built: their runs get that verdict, and nothing is executed.
    #[must_use]
    pub fn without(mut self, unbuilt: BTreeMap<String, Built>) -> Self {
        self.unbuilt = unbuilt;
        self
    }

    /// A folder with the boards that entries read on standard input, by their names; `None` if none is needed.
    fn inputs(&self) -> io::Result<Option<TempDir>> {
        if !self.contest.plan.input.by_stdin() {
            return Ok(None);
        }
        let folder = tempfile::tempdir()?;
        for board in self.contest.plan.boards.iter().filter(|board| board.stored.is_none()) {
            std::fs::write(folder.path().join(&board.name), &board.text)?;
        }
        Ok(Some(folder))
    }

    /// Makes the missing runs and announces what happens.
    pub fn run(
        &self,
        missing: &[PendingRun],
        executor: &dyn Executor,
        interrupt: &dyn StopRequest,
        journal: &mut Journal,
        mut announce: impl FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        let next = AtomicUsize::new(0);
        let isolation = Arc::new(executor.describe().isolation);
        let (sender, messages) = mpsc::channel();
        let mut syncing = Syncing::new(self.results);
        let inputs = self.inputs().map_err(|error| Stopped::Io { path: std::env::temp_dir(), error })?;
        std::thread::scope(|scope| {
            for processors in self.slots.iter().take(missing.len()) {
                let results = Some(self.results);
                let referee = self.contest.referee_on(Bench { executor, processors: processors.clone(), results });
                let isolation = isolation.clone();
                let worker = Worker { runner: self, processors, executor, referee, inputs: inputs.as_ref(), isolation };
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || worker.work(missing, next, interrupt, &sender));
            }
            drop(sender);
            while let Ok(first) = messages.recv() {
                // Everything that waits goes to disk with one sync; nothing is announced before.
                let (mut started, mut finished) = (Vec::new(), Vec::new());
                for message in std::iter::once(first).chain(messages.try_iter()) {
                    match message {
                        Message::Started(index) => started.push((finished.len(), index)),
                        Message::Finished(run) => finished.push(*run),
                    }
                }
                let records = keep(finished, &mut syncing, journal).inspect_err(|_| interrupt.request())?;
                let mut started = started.into_iter().peekable();
                for at in 0..=records.len() {
                    while let Some((_, index)) = started.next_if(|(before, _)| *before == at) {
                        announce(Event::Started(&self.order[index]));
                    }
                    if let Some(record) = records.get(at) {
                        announce(Event::Finished(record));
                    }
                }
            }
            Ok::<_, Stopped>(())
        })?;
        if interrupt.requested() { Err(Stopped::Interrupted) } else { Ok(()) }
    }
}

/// Puts finished runs on disk: first what the entries printed, which the journal's line refers to.
fn keep(finished: Vec<Finished>, syncing: &mut Syncing<'_>, journal: &mut Journal) -> Result<Vec<Record>, Stopped> {
    if finished.is_empty() {
        return Ok(Vec::new());
    }
    syncing.sync(finished.iter().filter_map(|run| run.files.as_ref()))?;
    Ok(journal.append_runs(finished.into_iter().map(|run| (run.record, run.machine)).collect())?)
}

enum Message {
    Started(usize),
    Finished(Box<Finished>),
}

struct Finished {
    record: Record,
    /// The machine that executed it, if one did.
    machine: Option<Machine>,
    /// The files with what it printed.
    files: Option<Reserved>,
}

/// Executes one run at a time.
struct Worker<'a> {
    runner: &'a Runner<'a>,
    processors: &'a [usize],
    executor: &'a dyn Executor,
    referee: Box<dyn Referee + 'a>,
    /// The boards that entries read on standard input.
    inputs: Option<&'a TempDir>,
    /// The isolation of a run that the executor returned no outcome of.
    isolation: Arc<Isolation>,
}

impl Worker<'_> {
    /// Makes runs until there are no more or the user asks to stop.
    fn work(
        &self,
        missing: &[PendingRun],
        next: &AtomicUsize,
        interrupt: &dyn StopRequest,
        sender: &mpsc::Sender<Message>,
    ) {
        while !interrupt.requested() {
            let Some(turn) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            // The receiver is gone only when the contest has stopped.
            if sender.send(Message::Started(turn.index)).is_err() {
                return;
            }
            let Ok(finished) = self.execute(turn) else { return };
            if sender.send(Message::Finished(Box::new(finished))).is_err() {
                return;
            }
        }
    }

    fn execute(&self, turn: &PendingRun) -> Result<Finished, Interrupted> {
        let key = &self.runner.order[turn.index];
        let contest = self.runner.contest;
        let entry = self.runner.entries[&*key.entry];
        let limits = contest.plan.limits_in(key.round, entry);
        let without_run = |attempt, verdict| {
            let isolation = self.isolation.clone();
            Record::without_run(turn.index + 1, key.clone(), attempt, verdict, limits.wall_ms, isolation)
        };
        if let Some(verdict) = self.runner.unbuilt.get(&*key.entry).and_then(Built::verdict) {
            return Ok(Finished { record: without_run(turn.attempt, verdict), machine: None, files: None });
        }
        let files = match Reserved::new(self.runner.results, key, turn.attempt) {
            Ok(files) => files,
            Err((path, error)) => {
                let verdict = Verdict::JudgeError { reason: format!("{}: {error}", path.display()) };
                return Ok(Finished { record: without_run(turn.attempt, verdict), machine: None, files: None });
            }
        };
        let board = self.runner.boards[&*key.board];
        let mut job = Job {
            readable: contest.readable(entry),
            limits,
            processors: self.processors.to_vec(),
            ..Job::new(contest.command(entry), files.stdout.clone(), files.stderr.clone())
        };
        match contest.working_files(entry) {
            // The board comes first: it may have the name of a file.
            Ok(links) => job.links = links.into_iter().filter(|link| link.name != BOARD_FILE).collect(),
            Err(error) => {
                let reason = format!("working_files of {}: {error}", entry.name);
                let record = without_run(files.attempt, Verdict::JudgeError { reason });
                return Ok(Finished { record, machine: None, files: Some(files) });
            }
        }
        let stored = board.stored.as_ref().map(|file| self.runner.results.join(FILES).join(&file.sha256));
        if contest.plan.input.by_argument() {
            job = match &stored {
                Some(path) => job.with_copied_argument(BOARD_FILE, path),
                None => job.with_file_argument(BOARD_FILE, board.text.as_bytes()),
            };
        }
        if contest.plan.input.by_stdin() {
            let text = || self.inputs.map(|inputs| inputs.path().join(&board.name));
            job.stdin = stored.or_else(text).map_or(Stdin::Nothing, Stdin::File);
        }
        let outcome = match guarded("the executor", || Ok(self.executor.execute(&job))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Interrupted)) => {
                files.discard();
                return Err(Interrupted);
            }
            Err(reason) => {
                let record = without_run(files.attempt, Verdict::JudgeError { reason });
                return Ok(Finished { record, machine: None, files: Some(files) });
            }
        };
        let ruled = match self.judge(&outcome, board, &files) {
            Ok(ruled) => ruled,
            Err(Interrupted) => {
                files.discard();
                return Err(Interrupted);
            }
        };
        let mut record = without_run(files.attempt, ruled.verdict);
        record.wall_us = outcome.wall_us;
        record.usage = outcome.usage;
        record.contention = outcome.contention;
        record.suspect =
            outcome.wall_us.zip(outcome.contention).and_then(|(wall, contention)| contention.suspicion(wall));
        record.stdout_bytes = outcome.stdout_bytes;
        record.stderr_bytes = outcome.stderr_bytes;
        record.isolation = Arc::new(outcome.isolation);
        record.final_board = ruled.final_board;
        record.notes = outcome.notes;
        record.notes.extend(ruled.notes);
        Ok(Finished { record, machine: Some(outcome.machine), files: Some(files) })
    }

    /// The verdict on a run, with what its referee left.
    fn judge(&self, outcome: &Outcome, board: &Board, files: &Reserved) -> Result<Refereed, Interrupted> {
        match Verdict::of_end(&outcome.end) {
            Some(verdict) => Ok(Refereed { verdict, final_board: None, notes: Vec::new() }),
            None => refereed(&*self.referee, board, &files.stdout, &files.frames),
        }
    }
}

/// A verdict with what belongs to it.
pub(crate) struct Refereed {
    pub(crate) verdict: Verdict,
    /// The position in which the answer ended.
    pub(crate) final_board: Option<String>,
    pub(crate) notes: Vec<String>,
}

/// Has an answer refereed and keeps the positions that the referee left in a file. A referee that fails or panics is a judge
/// error.
pub(crate) fn refereed(
    referee: &dyn Referee,
    board: &Board,
    answer: &Path,
    frames: &Path,
) -> Result<Refereed, Interrupted> {
    let failed = |reason| Refereed { verdict: Verdict::JudgeError { reason }, final_board: None, notes: Vec::new() };
    match guarded("the referee", || Ok(referee.rule(board, answer))) {
        Ok(Ok(ruling)) => {
            let Ruling { verdict, picture, frames: positions, mut notes, .. } = ruling;
            if !positions.is_empty()
                && let Err(error) = std::fs::write(frames, write_frames(&positions))
            {
                notes.push(format!("{}: {error}; the replay has no positions", frames.display()));
            }
            Ok(Refereed { verdict, final_board: picture.map(|picture| picture.one_line()), notes })
        }
        Ok(Err(RefereeError::Interrupted)) => Err(Interrupted),
        Ok(Err(error)) => Ok(failed(error.to_string())),
        Err(reason) => Ok(failed(reason)),
    }
}
