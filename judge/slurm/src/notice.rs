//! Messages of the coordinator to the organiser, as data. It is sent as
//! [`EngineData`](judge_contest::schedule::EngineData); a program converts it to text.

/// A message of the coordinator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// These arrays of an earlier coordinator or of this one were cancelled.
    Cancelled {
        /// Their ids in the cluster.
        arrays: Vec<String>,
    },
    /// Arrays could not be cancelled.
    NotCancelled {
        /// The reason, as a fragment.
        reason: String,
    },
    /// An array of an earlier coordinator continues.
    Continued {
        /// Its id in the cluster.
        array: String,
    },
    /// An outcome cannot be read, so it does not count.
    Unreadable {
        /// The file and the reason, as a fragment.
        reason: String,
    },
    /// A task ended without outcomes of all its runs, which are sent again.
    SentAgain {
        /// The id of the task in the cluster.
        task: String,
        /// Its end in the engine's words.
        end: String,
        /// The last line that it printed.
        last_line: Option<String>,
        /// The number of runs that are sent again.
        runs: usize,
    },
    /// The cluster does not answer as expected; the request is repeated.
    NoAnswer {
        /// The name of the engine, such as `Slurm`.
        cluster: String,
        /// The reason, as a fragment.
        reason: String,
    },
}

/// The places of a contest's runs at the last query to the cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterState {
    /// The name of the engine, such as `Slurm`.
    pub cluster: String,
    /// The number of tasks that run.
    pub running: usize,
    /// The number of nodes that they run on, if the cluster reports it.
    pub nodes: usize,
    /// The number of tasks that wait.
    pub waiting: usize,
    /// The reasons why they wait, in the engine's words, sorted.
    pub reasons: Vec<String>,
    /// Ids of the arrays that are not over, in the order in which they were sent.
    pub arrays: Vec<String>,
    /// The number of runs without an outcome that are in tasks.
    pub sent: usize,
    /// The number of runs that are not sent yet.
    pub unsent: usize,
}
