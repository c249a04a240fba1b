//! Running one entry on one board: plain data in, plain data out.
//!
//! Only this room starts processes, sets limits and reads clocks. A [`Job`] says what to run, an [`Outcome`] what was
//! seen; both are serde data, so that a job can happen in this process's cage or elsewhere behind an [`Executor`].

#![allow(clippy::disallowed_methods, reason = "this is the room that starts processes and reads clocks")]

mod build;
mod cage;
mod capture;
mod interrupt;
mod isolation;
mod local;
pub mod machine;
mod scratch;
mod supervise;
mod tree;
mod usage;
mod watch;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

pub use build::{BuildError, build};
pub use cage::{Enforcement, Layer, Survey};
pub use interrupt::Interrupt;
pub use isolation::{Demand, Isolation, Tier, unmet};
pub use local::LocalExecutor;
pub use usage::{Contention, Counted, Usage};

pub(crate) use watch::poll_for;

/// One run to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The program and its arguments; the board's path is appended as the last.
    pub command: Vec<String>,
    /// Files and folders that the entry may read beside those that its command names.
    pub readable: Vec<PathBuf>,
    /// The board file's text; the entry finds it as `board.txt` in its scratch directory.
    pub board: String,
    /// What the run may take.
    pub limits: Limits,
    /// The logical processors it has to itself; empty where it is not pinned.
    pub processors: Vec<usize>,
    /// Where standard output goes: the file is created or truncated, its directory must exist.
    pub stdout: PathBuf,
    /// Where the head and the tail of standard error go.
    pub stderr: PathBuf,
}

/// What a run may take. All but the wall clock are for the whole tree of its processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall clock from the start to the end of the entry's main process, in milliseconds.
    pub wall_ms: u64,
    /// How long after the warning signal an answer still counts, in milliseconds; 0 for no warning at all.
    pub grace_ms: u64,
    /// CPU time in milliseconds; `None` for as much as the wall clock lets.
    pub cpu_ms: Option<u64>,
    /// Memory in bytes, scratch files included where those are in memory; `None` for what there is.
    pub memory_bytes: Option<u64>,
    /// Processes and threads at the same time; `None` for what the system allows.
    pub processes: Option<u32>,
    /// Bytes of standard output; one more ends the entry.
    pub output_bytes: u64,
    /// Bytes of files in the scratch directory; `None` for what there is room for.
    pub scratch_bytes: Option<u64>,
    /// Physical cores that the entry has to itself.
    pub cores: usize,
}

impl Default for Limits {
    /// The limits of a contest whose file says nothing: ten minutes, as in 1995.
    fn default() -> Self {
        Self {
            wall_ms: 600_000,
            grace_ms: 0,
            cpu_ms: None,
            memory_bytes: Some(1 << 30),
            processes: Some(256),
            output_bytes: 16 << 20,
            scratch_bytes: Some(256 << 20),
            cores: 1,
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |ms: u64| humantime::format_duration(Duration::from_millis(ms)).to_string();
        let size = |bytes: Option<u64>| bytes.map_or("unlimited".into(), |bytes| bytesize::ByteSize(bytes).to_string());
        let cpu = self.cpu_ms.map_or("unlimited".into(), time);
        let processes = self.processes.map_or("unlimited".into(), |processes| processes.to_string());
        let [wall, grace] = [self.wall_ms, self.grace_ms].map(time);
        let [memory, output, scratch] = [self.memory_bytes, Some(self.output_bytes), self.scratch_bytes].map(size);
        write!(
            f,
            "limit {wall}, grace {grace}, cpu {cpu}, memory {memory}, processes {processes}, output {output}, \
             scratch {scratch}, cores {}",
            self.cores
        )
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
    /// What its processes used.
    pub usage: Usage,
    /// How much others disturbed it.
    pub contention: Option<Contention>,
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

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum End {
    /// Its main process on its own, before the limit or within the grace period.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// Its main process by a signal that the judge did not send.
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// Ended by the judge at the limit.
    TimedOut,
    /// More CPU time than allowed.
    OutOfCpu,
    /// More memory than allowed.
    OutOfMemory,
    /// More processes and threads than allowed.
    TooManyProcesses,
    /// The scratch directory full.
    ScratchFull,
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

/// Microseconds of the monotonic clock, which nobody can set. Fit for use behind a clone.
pub(crate) fn now_us() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000 + now.tv_nsec.cast_unsigned() / 1000
}

/// A path with no link and no `..` in it but for its last part: it means the same wherever the same folders are. One
/// whose folder cannot be found stays as it is.
pub(crate) fn settled(path: &Path) -> PathBuf {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return path.into() };
    folder.canonicalize().map_or_else(|_| path.into(), |folder| folder.join(name))
}

/// A variable of the judge's own environment that entries or the choice of folders depend on.
fn inherited(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The run was cut off because the judge was told to stop; it came to nothing and is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// Where runs happen. The judge has one for this machine; tests have one that only pretends.
pub trait Executor: Sync {
    /// Makes one run and returns when nothing of it runs any more.
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted>;
}
