//! Running one entry on one board: plain data in, plain data out.
//!
//! Only this room starts processes, sets limits and reads clocks. A [`Job`] says what to run, an [`Outcome`] what was
//! seen; both are serde data, so that a job can happen in this process's cage or elsewhere behind an [`Executor`].

#![allow(clippy::disallowed_methods, reason = "this is the room that starts processes and reads clocks")]

mod build;
mod cage;
mod capture;
mod interrupt;
mod local;
mod scratch;
mod watch;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use build::{BuildError, build};
pub use interrupt::Interrupt;
pub use local::LocalExecutor;

/// One run to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments; the board's path is appended as the last.
    pub command: Vec<String>,
    /// The board file's text; the entry finds it as `board.txt` in its scratch directory.
    pub board: String,
    /// What the run may take.
    pub limits: Limits,
    /// Where standard output goes: the file is created or truncated, its directory must exist.
    pub stdout: PathBuf,
    /// Where the head and the tail of standard error go.
    pub stderr: PathBuf,
}

/// What a run may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall clock from the start to the end of the entry's main process, in milliseconds.
    pub wall_ms: u64,
    /// How long after the warning signal an answer still counts, in milliseconds; 0 for no warning at all.
    pub grace_ms: u64,
    /// Bytes of standard output; one more ends the entry.
    pub output_bytes: u64,
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [wall, grace] = [self.wall(), self.grace()].map(humantime::format_duration);
        write!(f, "limit {wall}, grace {grace}, output {}", bytesize::ByteSize(self.output_bytes))
    }
}

impl Limits {
    pub(crate) fn wall(&self) -> Duration {
        Duration::from_millis(self.wall_ms)
    }

    pub(crate) fn grace(&self) -> Duration {
        Duration::from_millis(self.grace_ms)
    }
}

/// What was seen of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How the entry's main process ended.
    pub end: End,
    /// Wall clock from just before its start to its end, by the monotonic clock, in microseconds; `None` where it
    /// never ran.
    pub wall_us: Option<u64>,
    /// Bytes it wrote on standard output, up to the cap.
    pub stdout_bytes: u64,
    /// Bytes it wrote on standard error; more than the file keeps where it wrote much.
    pub stderr_bytes: u64,
    /// What held the entry's processes together.
    pub isolation: Isolation,
    /// What else the organiser should know, as fragments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How the entry's main process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum End {
    /// On its own, before the limit or within the grace period.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// By a signal that the judge did not send.
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// Ended by the judge at the limit.
    TimedOut,
    /// Ended by the judge when standard output passed the cap.
    TooMuchOutput,
    /// It never ran: the operating system refused the command.
    CouldNotStart {
        /// The system's reason.
        reason: String,
    },
    /// The judge could not do its part.
    JudgeError {
        /// What failed.
        reason: String,
    },
}

/// What held an entry's processes together, strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// A process group of its own: a child that leaves the group is not ended with it.
    ProcessGroup,
}

impl Isolation {
    /// The name used in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::ProcessGroup => "process_group",
        }
    }
}

/// The run was cut off because the judge was told to stop; it came to nothing and is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Where runs happen. The judge has one for this machine; tests have one that only pretends.
pub trait Executor: Sync {
    /// Makes one run and returns when nothing of it runs any more.
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted>;
}
