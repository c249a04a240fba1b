//! A contest's runs: in which order they start, side by side on how many workers, and each on disk before it is
//! announced.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use judge_core::game::Puzzle;
use judge_core::journal::{JournalError, Record, RunKey, stderr_file, stdout_file};
use judge_core::plan::Plan;
use judge_core::referee;
use judge_core::verdict::Verdict;
use judge_job::{Executor, Interrupted, Job, Outcome, StopRequest};

use crate::Contest;
use crate::journal::Journal;

/// Name of the board file in an entry's scratch directory.
pub const BOARD_FILE: &str = "board.txt";

/// All runs of a plan in the order in which they start: board after board, all entries on each. A machine that slows
/// down during a contest so slows everybody, and each board begins with another entry, so that nobody always goes
/// first.
pub fn order(plan: &Plan) -> Vec<RunKey> {
    let entries = plan.entries.len();
    let rounds = plan.boards.iter().enumerate().flat_map(|(turn, board)| {
        (0..entries).map(move |place| RunKey {
            round: 1,
            entry: plan.entries[(turn + place) % entries].name.clone(),
            board: board.name.clone(),
        })
    });
    rounds.collect()
}

/// A run to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingRun {
    /// Its place in the order, from 0.
    pub index: usize,
    /// Which attempt at it, from 1.
    pub attempt: u32,
}

/// Something that happened, told in the order in which it became certain.
pub enum Event<'a> {
    /// A run has begun.
    Started(&'a RunKey),
    /// A run is finished and on disk.
    Finished(&'a Record),
}

/// Why a contest stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The judge was told to.
    #[error("interrupted")]
    Interrupted,
    /// A finished run could not be put on disk; no further one was started.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Something else could not be put on disk.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// A contest about to be run.
pub struct Runner<'a> {
    /// The contest.
    pub contest: &'a Contest,
    /// All its runs, in order.
    pub order: &'a [RunKey],
    /// Its results directory.
    pub results: &'a Path,
    /// The logical processors of each worker, one worker per slot; none for a worker whose runs are not pinned.
    pub slots: &'a [Vec<usize>],
}

impl Runner<'_> {
    /// Makes the runs that are missing and tells `announce` what happens.
    pub fn run(
        &self,
        missing: &[PendingRun],
        executor: &dyn Executor,
        interrupt: &dyn StopRequest,
        journal: &mut Journal,
        mut announce: impl FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        for entry in &self.contest.plan.entries {
            let path = self.results.join(judge_core::journal::OUTPUTS).join(&entry.name);
            fs::create_dir_all(&path).map_err(|error| Stopped::Io { path, error })?;
        }
        let next = AtomicUsize::new(0);
        let (tell, told) = mpsc::channel();
        let outcome = std::thread::scope(|scope| {
            for processors in self.slots.iter().take(missing.len()) {
                let (tell, next) = (tell.clone(), &next);
                scope.spawn(move || self.work(missing, next, processors, executor, interrupt, &tell));
            }
            drop(tell);
            while let Ok(first) = told.recv() {
                // Everything that waits goes to disk with one sync; nothing is announced before.
                let messages: Vec<Message> = std::iter::once(first).chain(told.try_iter()).collect();
                let finished: Vec<Record> = messages.iter().filter_map(Message::record).collect();
                if let Err(stopped) = self.keep(&finished, journal) {
                    interrupt.request();
                    return Err(stopped);
                }
                for message in &messages {
                    announce(message.event(self.order));
                }
            }
            Ok(())
        });
        outcome?;
        if interrupt.requested() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    /// Puts finished runs on disk: what the entries printed first, for the journal's line vouches for it.
    fn keep(&self, finished: &[Record], journal: &mut Journal) -> Result<(), Stopped> {
        for record in finished.iter().filter(|record| record.stdout_bytes > 0) {
            let path = stdout_file(self.results, &record.key);
            File::open(&path).and_then(|file| file.sync_data()).map_err(|error| Stopped::Io { path, error })?;
        }
        if finished.is_empty() {
            return Ok(());
        }
        Ok(journal.append(finished)?)
    }

    /// One worker: the next run, until there is none or the judge is told to stop.
    fn work(
        &self,
        missing: &[PendingRun],
        next: &AtomicUsize,
        processors: &[usize],
        executor: &dyn Executor,
        interrupt: &dyn StopRequest,
        tell: &mpsc::Sender<Message>,
    ) {
        while !interrupt.requested() {
            let Some(turn) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            // The receiver is gone only when the contest has stopped.
            if tell.send(Message::Started(turn.index)).is_err() {
                return;
            }
            let Ok(record) = self.execute(turn, processors, executor) else { return };
            if tell.send(Message::Finished(Box::new(record))).is_err() {
                return;
            }
        }
    }

    fn execute(&self, turn: &PendingRun, processors: &[usize], executor: &dyn Executor) -> Result<Record, Interrupted> {
        let key = &self.order[turn.index];
        let plan = &self.contest.plan;
        let entry = plan.entries.iter().find(|entry| entry.name == key.entry).expect("the order follows the plan");
        let board = plan.boards.iter().position(|board| board.name == key.board).expect("the order follows the plan");
        let (stdout, stderr) = (stdout_file(self.results, key), stderr_file(self.results, key));
        let job = Job {
            readable: self.contest.readable(entry),
            limits: plan.limits_of(entry),
            processors: processors.to_vec(),
            ..Job::new(self.contest.command(entry), stdout, stderr)
        }
        .with_file_argument(BOARD_FILE, plan.boards[board].text.as_bytes());
        let outcome = executor.execute(&job)?;
        let (verdict, final_board) = judge(&outcome, &*self.contest.puzzles[board], &job.stdout);
        let suspect = outcome.wall_us.zip(outcome.contention).and_then(|(wall, contention)| contention.suspicion(wall));
        Ok(Record {
            seq: turn.index + 1,
            key: key.clone(),
            attempt: turn.attempt,
            verdict,
            wall_us: outcome.wall_us,
            limit_ms: job.limits.wall_ms,
            usage: outcome.usage,
            contention: outcome.contention,
            suspect,
            stdout_bytes: outcome.stdout_bytes,
            stderr_bytes: outcome.stderr_bytes,
            isolation: outcome.isolation,
            final_board,
            notes: outcome.notes,
        })
    }
}

/// The verdict on a run, and the position in which its answer ended where there was one to replay.
pub fn judge(outcome: &Outcome, puzzle: &dyn Puzzle, answer: &Path) -> (Verdict, Option<String>) {
    if let Some(verdict) = Verdict::of_end(&outcome.end) {
        return (verdict, None);
    }
    match File::open(answer).and_then(|answer| referee::rule(puzzle, answer)) {
        Ok(ruling) => (Verdict::of_replay(ruling.score, ruling.illegal), Some(ruling.picture.one_line())),
        Err(error) => (Verdict::JudgeError { reason: format!("{}: {error}", answer.display()) }, None),
    }
}

enum Message {
    Started(usize),
    Finished(Box<Record>),
}

impl Message {
    fn record(&self) -> Option<Record> {
        match self {
            Self::Started(_) => None,
            Self::Finished(record) => Some((**record).clone()),
        }
    }

    fn event<'a>(&'a self, order: &'a [RunKey]) -> Event<'a> {
        match self {
            Self::Started(index) => Event::Started(&order[*index]),
            Self::Finished(record) => Event::Finished(record),
        }
    }
}
