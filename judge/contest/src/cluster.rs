//! Runs on the nodes of a cluster, by an engine that the site has, such as Slurm.
//!
//! The judge that began a contest is its coordinator: it alone writes the journal. It packs pending runs into batches, which
//! the cluster executes as the tasks of an array. On a node, `judge work` makes the runs of a batch with the engine of one
//! machine, and leaves each outcome whole in the [`Spool`] by a rename. The coordinator takes outcomes from there.
//!
//! Coordinator and nodes exchange everything by files of the results directory, so each can be killed at any moment: a
//! coordinator that resumes finds the arrays by the ids in the [`log`], and a batch that is executed twice, because its node was
//! believed dead, leaves outcomes with other attempts. The first outcome of a run that arrives counts; later ones are moved
//! to `cluster/late`.
//!
//! | file in `cluster/` | contents |
//! |---|---|
//! | `arrays.jsonl` | the [`log`] of arrays |
//! | `ARRAY/commission.json` | [`BatchContext`]: everything that the batches of an array have in common |
//! | `ARRAY/batches/BATCH.json` | [`Batch`]: runs that one task makes, until all of them are taken |
//! | `ARRAY/log/BATCH.log` | what the task printed |
//! | `new/…` | [`Arrival`]: outcomes that are not taken yet |
//! | `taken/ARRAY-BATCH/…` | outcomes that the journal has, until the batch is over |
//! | `late/…` | outcomes of runs that have an earlier outcome, and files that cannot be read |

mod coordinator;
mod engine;
pub mod log;
mod node;
mod pack;
mod spool;

use std::time::Duration;

pub use engine::{ClusterEngine, Mode, Settings};
pub use node::{NodeRecorder, Work, WorkError};
pub use pack::Group;
pub(crate) use spool::Arrived;
pub use spool::{Arrival, Batch, BatchContext, BatchRun, FORMAT, Spool};

/// The resources that each task of an array asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// Name of the array, which is unique.
    pub name: String,
    /// Number of the array in the spool.
    pub array: u32,
    /// Number of tasks; they count from 1.
    pub tasks: u32,
    /// Cores of a task.
    pub cores: usize,
    /// Memory of a task in bytes; `None` for what the site gives.
    pub memory_bytes: Option<u64>,
    /// Longest time of a task.
    pub time: Duration,
    /// The nodes that it may not use.
    pub exclude: Vec<String>,
}

/// The state of a task that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Id of its array.
    pub array: String,
    /// Its number, from 1.
    pub number: u32,
    /// True if it runs, false if it waits.
    pub running: bool,
    /// Its node, if it runs.
    pub node: String,
    /// The reason why it waits, in the engine's words; empty for none.
    pub reason: String,
    /// True if it waits for a person, so that it will not start by itself.
    pub held: bool,
}

/// The end of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskEnd {
    /// True if its program ended as it should.
    pub completed: bool,
    /// The end in the engine's words, as a fragment such as `NODE_FAIL`.
    pub text: String,
}

/// The reason why a cluster refused a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterError {
    /// The same request may succeed later; a fragment.
    Temporary(String),
    /// The same request will fail again; a fragment.
    Permanent(String),
}

impl ClusterError {
    /// The reason, as a fragment.
    pub fn reason(&self) -> &str {
        match self {
            Self::Temporary(reason) | Self::Permanent(reason) => reason,
        }
    }
}

/// The engine of a site, such as Slurm.
pub trait Cluster: Sync {
    /// The name of the engine, such as `Slurm`.
    fn name(&self) -> &str;

    /// Sends an array and returns its id.
    fn submit(&self, demand: &Demand) -> Result<String, ClusterError>;

    /// The id of the array of that name, if one was sent and is still known.
    fn find(&self, name: &str) -> Result<Option<String>, ClusterError>;

    /// The tasks of these arrays that are not over.
    fn tasks(&self, arrays: &[String]) -> Result<Vec<Task>, ClusterError>;

    /// The end of a task.
    fn end_of(&self, array: &str, task: u32) -> TaskEnd;

    /// Cancels arrays by their ids, and tasks by ids such as `12_3`.
    fn cancel(&self, ids: &[String]) -> Result<(), ClusterError>;

    /// The most tasks of an array.
    fn largest_array(&self) -> u32;

    /// Microseconds of a clock that cannot be set.
    fn now_us(&self) -> u64;

    /// Waits, or returns earlier if a stop is requested.
    fn wait(&self, time: Duration);
}
