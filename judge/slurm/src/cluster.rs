//! The interface of a cluster: the requests of the coordinator to the engine of a site, such as Slurm.

use std::time::Duration;

/// The resources that each task of an array requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayRequest {
    /// Name of the array, which is unique.
    pub name: String,
    /// Number of the array in the spool.
    pub array: u32,
    /// Number of tasks; they count from 1.
    pub tasks: u32,
    /// Cores that each task gets.
    pub cores: usize,
    /// Memory of a task in bytes; `None` for the site's default.
    pub memory_bytes: Option<u64>,
    /// Longest time of a task.
    pub time: Duration,
    /// Nodes that the array may not use.
    pub exclude: Vec<String>,
}

/// The state of a task that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Id that the cluster gave to the task's array.
    pub array: String,
    /// Number within the array, from 1.
    pub number: u32,
    /// True if it runs, false if it waits.
    pub running: bool,
    /// Its node, if it runs.
    pub node: String,
    /// The reason why it waits, in the engine's words; empty for none.
    pub reason: String,
    /// True if it will not start until a person releases it.
    pub held: bool,
}

/// The end of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskEnd {
    /// True if its program ended successfully.
    pub completed: bool,
    /// The end in the engine's words, as a fragment such as `NODE_FAIL`.
    pub text: String,
}

/// The reason why a cluster refused a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// A temporary failure: if repeated later, the request may succeed. The text is a fragment.
    #[error("{0}")]
    Temporary(String),
    /// A permanent failure: if repeated, the request will fail again. The text is a fragment.
    #[error("{0}")]
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
    ///
    /// # Errors
    /// [`ClusterError`], as for all requests.
    fn submit(&self, demand: &ArrayRequest) -> Result<String, ClusterError>;

    /// The id of the array of that name, if one was sent and is still known.
    ///
    /// # Errors
    /// [`ClusterError`].
    fn find(&self, name: &str) -> Result<Option<String>, ClusterError>;

    /// The tasks of these arrays that are not over.
    ///
    /// # Errors
    /// [`ClusterError`].
    fn tasks(&self, arrays: &[String]) -> Result<Vec<Task>, ClusterError>;

    /// The end of a task.
    fn end_of(&self, array: &str, task: u32) -> TaskEnd;

    /// Cancels arrays by their ids, and tasks by ids such as `12_3`.
    ///
    /// # Errors
    /// [`ClusterError`].
    fn cancel(&self, ids: &[String]) -> Result<(), ClusterError>;

    /// The most tasks of an array.
    fn largest_array(&self) -> u32;

    /// Microseconds of a monotonic clock, which cannot be set.
    fn now_us(&self) -> u64;

    /// Waits, or returns earlier if a stop is requested.
    fn wait(&self, time: Duration);
}
