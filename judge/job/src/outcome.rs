//! The outcome of a job: how it ended, how long it took, and what it used.

use serde::{Deserialize, Serialize};

use crate::{Bytes, Contention, Isolation, Machine, Micros, Usage};

/// Outcome of one execution of a job.
///
/// An executor creates an outcome with [`Outcome::new`] and assigns what it measured. Measurements can be added in later
/// versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// End of the main process.
    pub end: End,
    /// Wall-clock time of the main process from start to end, by the monotonic clock, in microseconds; `None` if it never
    /// ran.
    #[serde(default, deserialize_with = "Micros::optional")]
    pub wall_us: Option<u64>,
    /// Resources that its processes used.
    pub usage: Usage,
    /// Signs that other processes disturbed it; `None` if it never ran.
    pub contention: Option<Contention>,
    /// Bytes that it wrote to standard output, up to the limit.
    #[serde(deserialize_with = "Bytes::number")]
    pub stdout_bytes: u64,
    /// Bytes that it wrote to standard error. The file keeps only the first and the last 32 KiB.
    #[serde(deserialize_with = "Bytes::number")]
    pub stderr_bytes: u64,
    /// Isolation of the job's processes.
    pub isolation: Isolation,
    /// The machine that it was executed on.
    pub machine: Machine,
    /// When its standard output arrived, in this order, if the job is [`timed`](crate::Job::timed); else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrivals: Vec<Arrival>,
    /// Wanted files that existed and could not be fetched, such as links, by their names in the scratch directory. A remark
    /// states the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfetched: Vec<String>,
    /// Remarks for the organiser, as fragments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A part of standard output that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// The bytes of standard output until then.
    #[serde(deserialize_with = "Bytes::number")]
    pub bytes: u64,
    /// Microseconds from the start of the main process until the last of them was read.
    #[serde(deserialize_with = "Micros::number")]
    pub at_us: u64,
}

impl Outcome {
    /// Creates an outcome without measurements and output.
    pub fn new(end: End, isolation: Isolation, machine: Machine) -> Self {
        Self {
            end,
            wall_us: None,
            usage: Usage::default(),
            contention: None,
            stdout_bytes: 0,
            stderr_bytes: 0,
            arrivals: Vec::new(),
            isolation,
            machine,
            unfetched: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// End of a run. It follows from the recorded times and figures alone, not from the order in which the judge saw them.
///
/// Every reader of outcomes has to handle every end, so a new one is a breaking change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum End {
    /// The main process exited, at the limit at the latest, or with code 0 within the grace period.
    Exited {
        /// The code that it passed to `exit`, from 0 to 255.
        code: i32,
    },
    /// A signal that the judge did not send ended the main process.
    Signalled {
        /// The number of the signal, such as 11 for SIGSEGV.
        signal: i32,
    },
    /// The main process ended after the limit, or after the grace period, or was killed then. The grace period counts
    /// from the limit, even if the warning was late.
    TimedOut,
    /// More CPU time than allowed.
    OutOfCpu,
    /// Its processes used more memory than allowed.
    OutOfMemory,
    /// More processes and threads than allowed.
    TooManyProcesses,
    /// The scratch directory was full.
    ScratchFull,
    /// More standard output than allowed.
    TooMuchOutput,
    /// The operating system refused to execute the command.
    CouldNotStart {
        /// The system's reason, as a fragment such as "Permission denied (os error 13)".
        reason: String,
        /// True if an author caused it: a file in the author's folder leads out of it, or was changed while the judge read
        /// it. If the program is the shell of a build, this distinguishes a fault of its author from a machine without a
        /// shell.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_author: bool,
    },
    /// The executor itself failed; the job is not to blame.
    JudgeError {
        /// The reason, with what failed, as a fragment.
        reason: String,
    },
}
