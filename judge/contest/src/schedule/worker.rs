//! One run at a time: its job, its answer, and its record.

mod game;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use judge_core::journal::{ExtraFields, Record};
use judge_core::plan::{Board, Entry, StoredFile};
use judge_core::referee::Ruling;
use judge_core::stream::Stream;
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_files::regular;
use judge_job::{End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome, Stdin, StopRequest};

use super::{FinishedRun, PendingRun, Request, Runner, Stopped, TakenRun, kept, refereed};
use crate::contest::BOARD_FILE;
use crate::external::{FILES, PassOutcome, RefereeContext, Referees};
use crate::guard::catch_panic;
use crate::outputs::AttemptFiles;
use crate::stream::StreamReferee;

/// The variable of entries whose answers are a stream.
const STREAM: &str = "JUDGE_STREAM";

/// The time within which a signal that ended an entry also reaches the judge.
const SIGNAL_WINDOW: Duration = Duration::from_millis(500);

/// Executes one run at a time on this machine and has its answer refereed.
pub struct Worker<'a> {
    runner: &'a Runner<'a>,
    processors: &'a [usize],
    executor: &'a dyn Executor,
    referees: Referees<'a>,
    /// The boards that entries read on standard input.
    inputs: Option<&'a Path>,
    /// The isolation of a run without an outcome from the executor.
    isolation: Arc<Isolation>,
    interrupt: &'a dyn StopRequest,
    /// True if the sender of the signal that stops the judge also sends it to the entries.
    together: bool,
}

impl<'a> Request<'a> {
    /// A worker that executes runs with that executor on these logical processors. Without any, runs are not pinned.
    ///
    /// # Errors
    /// [`Stopped::Io`] if the boards that entries read on standard input cannot be written.
    pub fn worker<'r>(&'r self, executor: &'r dyn Executor, processors: &'r [usize]) -> Result<Worker<'r>, Stopped> {
        let runner = self.runner;
        let results = Some(runner.results);
        let context = RefereeContext { executor, processors: processors.to_vec(), results };
        let referees = runner.contest.referee_on(context);
        let (inputs, isolation, interrupt) = (self.inputs(executor)?, self.isolation.clone(), self.interrupt);
        let together = false;
        Ok(Worker { runner, processors, executor, referees, inputs, isolation, interrupt, together })
    }
}

impl Worker<'_> {
    /// Sets whether the sender of the signal that stops the judge also sends it to the entries. A run that such a signal ended
    /// was interrupted.
    #[must_use]
    pub fn signalled_together(self, together: bool) -> Self {
        Self { together, ..self }
    }

    /// Executes a run and has its answer refereed. A failure or panic of the executor or a referee is a judge error.
    ///
    /// # Errors
    /// [`Interrupted`] if the user's stop or the cancellation of this run cut it off. Its files are removed.
    pub fn execute(&self, taken: &TakenRun) -> Result<FinishedRun, Interrupted> {
        let turn = &taken.run();
        let key = self.runner.key(turn.index);
        let contest = self.runner.contest;
        let entry = self.runner.entry(key);
        let without_run =
            |attempt, verdict| self.runner.without_run(&PendingRun { attempt, ..*turn }, verdict, &self.isolation);
        let files = match AttemptFiles::new(self.runner.results, key, turn.attempt) {
            Ok(files) => files,
            Err((path, error)) => {
                let verdict = judge_error(format!("{}: {error}", path.display()));
                return Ok(FinishedRun::new(without_run(turn.attempt, verdict), None));
            }
        };
        let board = self.runner.boards[&*key.board];
        if let Some(answers) = &entry.answers {
            return self.submitted(answers, board, files, without_run);
        }
        if contest.plan.match_rules.is_some() {
            return self.game(taken, board, files, without_run);
        }
        let job = match self.job(key.round, entry, board, [files.stdout.clone(), files.stderr.clone()]) {
            Ok(job) => job,
            Err(verdict) => {
                let record = without_run(files.attempt, verdict);
                return Ok(FinishedRun::new(record, None).with_files(files));
            }
        };
        let limit_us = job.limits.wall_ms.saturating_mul(1000);
        let held = match self.executed(taken, job, board, &files) {
            Ok(Ok(held)) => held,
            Ok(Err(reason)) => {
                let record = without_run(files.attempt, judge_error(reason));
                return Ok(FinishedRun::new(record, None).with_files(files));
            }
            Err(Interrupted) => {
                files.discard();
                return Err(Interrupted);
            }
        };
        let PassOutcome { outcome, own_us, passes, ruling, by_referee, stream, .. } = held;
        let final_board = ruling.final_board();
        let mut record = without_run(files.attempt, ruling.verdict);
        record.referee = self.runner.referee_of(&key.board).filter(|_| by_referee);
        // The delay with which the judge ended a stream at its limit does not belong to the entry's time.
        let most_us = if stream.is_some() && outcome.end == End::TimedOut { limit_us } else { u64::MAX };
        let mut extras = ExtraFields::default();
        (extras.own_us, extras.passes, extras.stream) = (own_us, passes, stream.map(Box::new));
        (record.extras, record.final_board) = (extras.into(), final_board);
        let machine = record.add_outcome(outcome);
        record.wall_us = record.wall_us.map(|us| us.min(most_us));
        record.add_notes(ruling.notes);
        Ok(finished(record, Some(machine), files))
    }

    /// The job of an entry on a board, with the files for its standard output and standard error. The error is the verdict if it
    /// cannot be started.
    fn job(&self, round: u32, entry: &Entry, board: &Board, [stdout, stderr]: [PathBuf; 2]) -> Result<Job, Verdict> {
        let contest = self.runner.contest;
        let mut job = Job::new([""; 0], stdout, stderr);
        job.argv = contest.command(entry);
        job.readable = contest.readable(entry);
        job.limits = contest.plan.limits_in(round, entry, &board.name);
        job.processors = self.processors.to_vec();
        contest.surroundings.add_to(&mut job);
        let problem = contest.plan.problem_of(&board.name);
        if problem.stream {
            job.timed = true;
            job.environment.push((STREAM.into(), "1".into()));
        }
        match contest.working_files(entry) {
            // The board replaces a file with its name.
            Ok(links) => job.links = links.into_iter().filter(|link| link.name != BOARD_FILE).collect(),
            Err(error) => {
                use std::io::ErrorKind::{InvalidInput, NotADirectory, NotFound, PermissionDenied};
                let reason = format!("working_files of {}: {error}", entry.name);
                // Missing or unusable files are the author's failure. Limits of the machine are the judge's.
                return Err(match error.kind() {
                    InvalidInput | NotADirectory | NotFound | PermissionDenied => Verdict::CouldNotStart { reason },
                    _ => judge_error(reason),
                });
            }
        }
        contest.add_files(board, &mut job, |file| self.runner.results.join(FILES).join(&file.sha256));
        let stored = board.stored.as_ref().map(|file| self.runner.results.join(FILES).join(&file.sha256));
        if problem.input.by_argument() {
            job = match &stored {
                Some(path) => job.with_copied_argument(BOARD_FILE, path),
                None => job.with_file_argument(BOARD_FILE, board.text.as_bytes()),
            };
        }
        if problem.input.by_stdin() {
            let text = || self.inputs.map(|inputs| inputs.join(&board.name));
            job.stdin = stored.or_else(text).map_or(Stdin::Nothing, Stdin::File);
        }
        Ok(job)
    }

    /// Has a submitted answer refereed. Only the referee is executed.
    fn submitted(
        &self,
        answers: &BTreeMap<String, StoredFile>,
        board: &Board,
        files: AttemptFiles,
        record: impl Fn(u32, Verdict) -> Record,
    ) -> Result<FinishedRun, Interrupted> {
        let results = self.runner.results;
        let copied = answers.get(&board.name).map(|answer| {
            let path = results.join(FILES).join(&answer.sha256);
            let mut from = regular::open_beneath(results, &path)?;
            io::copy(&mut from, &mut File::create(&files.stdout)?)
        });
        let missing = copied.is_none();
        let mut record = match copied.transpose() {
            Err(error) => record(files.attempt, judge_error(format!("its answer: {error}"))),
            // Without an answer for the board, the referee rules on an empty one.
            Ok(bytes) => match refereed(&self.referees, board, &files.stdout, &files.frames) {
                Ok(ruling) => {
                    let final_board = ruling.final_board();
                    let mut record = record(files.attempt, ruling.verdict);
                    (record.final_board, record.stdout_bytes) = (final_board, bytes.unwrap_or_default());
                    record.add_notes(ruling.notes);
                    record.referee = self.runner.referee_of(&board.name);
                    record
                }
                Err(Interrupted) => {
                    files.discard();
                    return Err(Interrupted);
                }
            },
        };
        if missing {
            record.extras.notes.push("there is no answer to this board".into());
        }
        Ok(finished(record, None, files))
    }

    /// Executes a job and has its answer refereed, or has the referee talk to it or run it in passes. The error is the reason
    /// if the executor failed.
    fn executed(
        &self,
        taken: &TakenRun,
        job: Job,
        board: &Board,
        files: &AttemptFiles,
    ) -> Result<Result<PassOutcome, String>, Interrupted> {
        if let Some(referee) = self.referees.with_entries(board) {
            let held = match referee.with_entry(board, job, taken.stop(), files)? {
                Ok(held) => held,
                Err(reason) => return Ok(Err(reason)),
            };
            if self.together && self.interrupted_with(&held.outcome) {
                return Err(Interrupted);
            }
            return Ok(Ok(PassOutcome { ruling: kept(held.ruling, &files.frames), ..held }));
        }
        let execute = || match taken.stop() {
            Some(stop) => self.executor.execute_until(&job, stop),
            None => self.executor.execute(&job),
        };
        let outcome = match catch_panic("the executor", || Ok(execute())) {
            Ok(outcome) => outcome?,
            Err(reason) => return Ok(Err(reason)),
        };
        if self.together && self.interrupted_with(&outcome) {
            return Err(Interrupted);
        }
        let (ruling, stream) = self.judge(&job.limits, &outcome, board, files)?;
        let by_referee =
            Verdict::from_end(&outcome.end).is_none() || stream.as_ref().is_some_and(|stream| stream.judged > 0);
        Ok(Ok(PassOutcome { stream, ..PassOutcome::new(outcome, ruling, by_referee) }))
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
        let mut left = if by_signal { SIGNAL_WINDOW } else { Duration::ZERO };
        while !self.interrupt.requested() && !left.is_zero() {
            std::thread::sleep(STEP);
            left = left.saturating_sub(STEP);
        }
        self.interrupt.requested()
    }

    /// The verdict on a run, with the referee's additional data, and the stream of its answers if the contest uses
    /// streams.
    fn judge(
        &self,
        limits: &Limits,
        outcome: &Outcome,
        board: &Board,
        files: &AttemptFiles,
    ) -> Result<(Ruling, Option<Stream>), Interrupted> {
        let plan = &self.runner.contest.plan;
        if plan.problem_of(&board.name).stream {
            let scoring = &*plan.figures();
            let within_us = limits.wall_ms.saturating_add(limits.grace_ms).saturating_mul(1000);
            let judged = StreamReferee { referee: &self.referees, board, files, scoring, within_us };
            if let Some((ruled, stream)) = judged.rule(outcome)? {
                return Ok((ruled, Some(stream)));
            }
        }
        let ruled = match Verdict::from_end(&outcome.end) {
            Some(verdict) => Ok(Ruling::from(verdict)),
            None => refereed(&self.referees, board, &files.stdout, &files.frames),
        };
        Ok((ruled?, None))
    }
}

/// A run whose files are complete. An answer that cannot be read again is not recorded, whatever the verdict on it.
fn finished(mut record: Record, machine: Option<Machine>, files: AttemptFiles) -> FinishedRun {
    match files.output() {
        Ok(output) => record.output = Some(Box::new(output)),
        Err((path, error)) => record.verdict = judge_error(format!("{}: {error}", path.display())),
    }
    FinishedRun::new(record, machine).with_files(files)
}

fn judge_error(reason: String) -> Verdict {
    Verdict::JudgeError { reason: JudgeFailure::Judge(reason) }
}
