//! The engine of one machine: parallel workers, each with the processors of a slot.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use judge_core::plan::Board;
use judge_core::referee::Referee;
use judge_core::verdict::Verdict;
use judge_job::{End, Executor, Interrupted, Isolation, Job, Outcome, Stdin, StopRequest};
use tempfile::TempDir;

use super::{Engine, FinishedRun, Messages, PendingRun, Refereed, Request, Runner, Stopped, refereed};
use crate::contest::BOARD_FILE;
use crate::external::{Bench, FILES};
use crate::guard::guarded;
use crate::outputs::Reserved;

/// Makes runs with an executor, in the slots of the runner.
pub struct Local<'a> {
    executor: &'a dyn Executor,
    isolation: Arc<Isolation>,
    /// True if what stops the judge sends its signal to the entries as well.
    signalled_together: bool,
}

/// The time within which a signal that ended an entry reaches the judge, too.
const TOGETHER: Duration = Duration::from_millis(500);

impl<'a> Local<'a> {
    /// The engine of that executor.
    pub fn new(executor: &'a dyn Executor) -> Self {
        Self { executor, isolation: Arc::new(executor.describe().isolation), signalled_together: false }
    }

    /// The same on a node, whose manager stops a task by signals to all its processes: a run that such a signal ended was
    /// interrupted, and has not failed.
    pub fn on_node(executor: &'a dyn Executor) -> Self {
        Self { signalled_together: true, ..Self::new(executor) }
    }
}

impl Engine for Local<'_> {
    fn make(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let Request { runner, missing, interrupt, ref messages } = *request;
        let next = AtomicUsize::new(0);
        let inputs = inputs(runner).map_err(|error| Stopped::Io { path: std::env::temp_dir(), error })?;
        std::thread::scope(|scope| {
            for processors in runner.slots.iter().take(missing.len()) {
                let (executor, results) = (self.executor, Some(runner.results));
                let referee = runner.contest.referee_on(Bench { executor, processors: processors.clone(), results });
                let (inputs, isolation) = (inputs.as_ref(), &self.isolation);
                let together = self.signalled_together;
                let worker = Worker { runner, processors, executor, referee, inputs, isolation, interrupt, together };
                let next = &next;
                let messages = messages.clone();
                scope.spawn(move || worker.work(missing, next, &messages));
            }
        });
        Ok(())
    }

    fn isolation(&self) -> Arc<Isolation> {
        self.isolation.clone()
    }
}

/// A folder with the boards that entries read on standard input, by their names; `None` if none is needed.
fn inputs(runner: &Runner<'_>) -> io::Result<Option<TempDir>> {
    if !runner.contest.plan.input.by_stdin() {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    for board in runner.contest.plan.boards.iter().filter(|board| board.stored.is_none()) {
        std::fs::write(folder.path().join(&board.name), &board.text)?;
    }
    Ok(Some(folder))
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
    isolation: &'a Arc<Isolation>,
    interrupt: &'a dyn StopRequest,
    /// True if what stops the judge sends its signal to the entries as well.
    together: bool,
}

impl Worker<'_> {
    /// Makes runs until there are no more or the user asks to stop.
    fn work(&self, missing: &[PendingRun], next: &AtomicUsize, messages: &Messages) {
        while !self.interrupt.requested() {
            let Some(turn) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            // The receiver is gone only when the contest has stopped.
            if messages.started(turn.index).is_err() {
                return;
            }
            let Ok(finished) = self.execute(turn) else { return };
            if messages.finished(finished).is_err() {
                return;
            }
        }
    }

    fn execute(&self, turn: &PendingRun) -> Result<FinishedRun, Interrupted> {
        let key = self.runner.key(turn.index);
        let contest = self.runner.contest;
        let entry = self.runner.entry(key);
        let without_run =
            |attempt, verdict| self.runner.without_run(&PendingRun { attempt, ..*turn }, verdict, self.isolation);
        let files = match Reserved::new(self.runner.results, key, turn.attempt) {
            Ok(files) => files,
            Err((path, error)) => {
                let verdict = Verdict::JudgeError { reason: format!("{}: {error}", path.display()) };
                return Ok(FinishedRun::of(without_run(turn.attempt, verdict)));
            }
        };
        let board = self.runner.boards[&*key.board];
        let mut job = Job {
            argv: contest.command(entry),
            readable: contest.readable(entry),
            limits: contest.plan.limits_in(key.round, entry),
            processors: self.processors.to_vec(),
            ..Job::new([""; 0], files.stdout.clone(), files.stderr.clone())
        };
        match contest.working_files(entry) {
            // The board comes first: it may have the name of a file.
            Ok(links) => job.links = links.into_iter().filter(|link| link.name != BOARD_FILE).collect(),
            Err(error) => {
                let reason = format!("working_files of {}: {error}", entry.name);
                let record = without_run(files.attempt, Verdict::JudgeError { reason });
                return Ok(FinishedRun { files: Some(files), ..FinishedRun::of(record) });
            }
        }
        contest.give_files(board, &mut job, |file| self.runner.results.join(FILES).join(&file.sha256));
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
                return Ok(FinishedRun { files: Some(files), ..FinishedRun::of(record) });
            }
        };
        if self.together && self.interrupted_with(&outcome) {
            files.discard();
            return Err(Interrupted);
        }
        let ruled = match self.judge(&outcome, board, &files) {
            Ok(ruled) => ruled,
            Err(Interrupted) => {
                files.discard();
                return Err(Interrupted);
            }
        };
        let mut record = without_run(files.attempt, ruled.verdict);
        record.referee = self.runner.referee.clone().filter(|_| Verdict::of_end(&outcome.end).is_none());
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
        match files.output() {
            Ok(output) => record.output = Some(Box::new(output)),
            // An answer that cannot be read again is not on record, whatever the verdict on it.
            Err((path, error)) => {
                record.verdict = Verdict::JudgeError { reason: format!("{}: {error}", path.display()) };
            }
        }
        Ok(FinishedRun { machine: Some(outcome.machine), files: Some(files), ..FinishedRun::of(record) })
    }

    /// Tests whether a stop was requested at the end of a run. A signal may reach the entry before it reaches the judge.
    fn interrupted_with(&self, outcome: &Outcome) -> bool {
        const STEP: Duration = Duration::from_millis(10);
        // Shells and some runtimes report a signal as an exit code.
        let by_signal = match outcome.end {
            End::Signalled { .. } => true,
            End::Exited { code } => (129..=192).contains(&code),
            _ => false,
        };
        let mut left = if by_signal { TOGETHER } else { Duration::ZERO };
        while !self.interrupt.requested() && !left.is_zero() {
            std::thread::sleep(STEP);
            left = left.saturating_sub(STEP);
        }
        self.interrupt.requested()
    }

    /// The verdict on a run, with what its referee left.
    fn judge(&self, outcome: &Outcome, board: &Board, files: &Reserved) -> Result<Refereed, Interrupted> {
        match Verdict::of_end(&outcome.end) {
            Some(verdict) => Ok(Refereed { verdict, final_board: None, notes: Vec::new() }),
            None => refereed(&*self.referee, board, &files.stdout, &files.frames),
        }
    }
}
