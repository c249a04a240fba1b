//! The outcome of a job: how it ended, how long it took, and what it used.

use serde::{Deserialize, Serialize};

use crate::{Contention, Isolation, Machine, Usage};

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
    /// Isolation of the job's processes.
    pub isolation: Isolation,
    /// The machine that it was executed on.
    pub machine: Machine,
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
