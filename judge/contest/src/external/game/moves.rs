//! Seats whose program is executed for each ask.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use judge_core::external::seats::{Ask, MAX_ANSWER_BYTES};
use judge_job::{Executor, Interrupted, Job, Outcome, Stdin, StopRequest, Usage};
use tempfile::TempDir;

/// The most bytes of standard error that are kept of a seat.
const MAX_STDERR: u64 = 128 << 10;

/// The jobs of seats, each executed once for each of its asks.
pub(super) struct MovePrograms<'a> {
    executor: &'a dyn Executor,
    stop: Option<&'a dyn StopRequest>,
    folder: TempDir,
    seats: Vec<MovingSeat>,
}

struct MovingSeat {
    job: Job,
    stdout: SeatOutput,
    stderr: SeatOutput,
}

/// The output of a seat in all asks together, as a file.
struct SeatOutput {
    file: File,
    left: u64,
}

/// An ask that was executed.
pub(super) struct ExecutedAsk {
    pub(super) outcome: Outcome,
    pub(super) answer: Vec<u8>,
}

/// An ask to execute: the seat, its input, and the time that it may take, in microseconds.
pub(super) type AskToExecute<'a> = (usize, &'a Ask, Option<u64>);

impl<'a> MovePrograms<'a> {
    /// Seats with these jobs. The error is a fragment.
    pub(super) fn new(
        executor: &'a dyn Executor,
        jobs: Vec<Job>,
        stop: Option<&'a dyn StopRequest>,
    ) -> Result<Self, String> {
        let folder = tempfile::tempdir_in(executor.temporary_folder())
            .map_err(|error| format!("a folder for what seats say: {error}"))?;
        let mut seats = Vec::new();
        for mut job in jobs {
            let create = |path: &PathBuf, left| {
                let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
                Ok::<_, String>(SeatOutput { file, left })
            };
            let (stdout, stderr) = (create(&job.stdout, job.limits.output_bytes)?, create(&job.stderr, MAX_STDERR)?);
            let path = |kind: &str| folder.path().join(format!("{}.{kind}", seats.len() + 1));
            (job.stdin, job.stdout, job.stderr) = (Stdin::File(path("in")), path("out"), path("err"));
            job.limits.grace_ms = 0;
            job.limits.output_bytes = job.limits.output_bytes.min(MAX_ANSWER_BYTES as u64);
            seats.push(MovingSeat { job, stdout, stderr });
        }
        Ok(Self { executor, stop, folder, seats })
    }

    /// Executes asks, all at the same time. The inner error is a failure of the judge, as a fragment.
    pub(super) fn execute(
        &mut self,
        open: &[AskToExecute<'_>],
    ) -> Result<Result<Vec<ExecutedAsk>, String>, Interrupted> {
        let mut outcomes = Vec::new();
        let shared = &*self;
        if open.len() > 1 {
            let ended: Vec<_> = std::thread::scope(|scope| {
                let started: Vec<_> = open.iter().map(|ask| scope.spawn(move || shared.one(*ask))).collect();
                started.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
            });
            for ended in ended {
                outcomes.push(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        } else {
            for ask in open {
                outcomes.push(shared.one(*ask));
            }
        }
        let mut executed = Vec::new();
        for ((seat, ..), outcome) in open.iter().zip(outcomes) {
            match outcome {
                Err(Failed::Interrupted) => return Err(Interrupted),
                Err(Failed::Io(error)) => return Ok(Err(format!("the input and output of a move: {error}"))),
                Ok(one) => {
                    if let Err(error) = self.seats[*seat].keep(&one.answer) {
                        return Ok(Err(format!("the output of a seat: {error}")));
                    }
                    executed.push(one);
                }
            }
        }
        Ok(Ok(executed))
    }

    fn one(&self, (seat, ask, allowed_us): AskToExecute<'_>) -> Result<ExecutedAsk, Failed> {
        let MovingSeat { job, .. } = &self.seats[seat];
        let mut job = job.clone();
        if let Some(allowed) = allowed_us {
            job.limits.wall_ms = allowed.div_ceil(1000);
        }
        fs::write(self.folder.path().join(format!("{}.in", seat + 1)), &ask.text)?;
        let outcome = match self.stop {
            Some(stop) => self.executor.execute_until(&job, stop),
            None => self.executor.execute(&job),
        };
        let outcome = outcome.map_err(|Interrupted| Failed::Interrupted)?;
        let mut answer = Vec::new();
        if outcome.stdout_bytes > 0 {
            File::open(&job.stdout)?.take(MAX_ANSWER_BYTES as u64).read_to_end(&mut answer)?;
        }
        Ok(ExecutedAsk { outcome, answer })
    }
}

enum Failed {
    Interrupted,
    Io(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl MovingSeat {
    /// Adds the output of an ask to that of the seat.
    fn keep(&mut self, answer: &[u8]) -> io::Result<()> {
        self.stdout.add(answer)?;
        if self.stderr.left > 0 && fs::metadata(&self.job.stderr).is_ok_and(|stderr| stderr.len() > 0) {
            let mut bytes = Vec::new();
            File::open(Path::new(&self.job.stderr))?.take(self.stderr.left).read_to_end(&mut bytes)?;
            self.stderr.add(&bytes)?;
        }
        Ok(())
    }
}

impl SeatOutput {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fits = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        self.left -= fits as u64;
        self.file.write_all(&bytes[..fits])
    }
}

/// The resources of several executions together: the sum of the processor times, and the most memory. A figure that one execution
/// lacks is unknown.
pub(super) fn together(all: Option<Usage>, one: Usage) -> Usage {
    let Some(all) = all else { return one };
    let mut both = one;
    both.cpu_us = all.cpu_us.zip(one.cpu_us).map(|(all, one)| all.saturating_add(one));
    both.memory_bytes = all.memory_bytes.zip(one.memory_bytes).map(|(all, one)| all.max(one));
    both
}
