//! What executes jobs, and what it says about itself.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::{Isolation, Job, Limits, Outcome};

/// The job was cut off because the caller asked to stop. It has no outcome and is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// A request to stop, shared by whoever makes it and whoever obeys it.
pub trait StopRequest: Sync {
    /// Whether somebody asked to stop.
    fn requested(&self) -> bool;

    /// Asks everybody to stop.
    fn request(&self);
}

/// A request to stop that nobody waits for: it is asked for between jobs.
#[derive(Debug, Default)]
pub struct StopFlag(AtomicBool);

impl StopRequest for StopFlag {
    fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Something that executes jobs: this machine's sandbox, a cluster, or a test's pretence.
pub trait Executor: Sync {
    /// Executes one job and returns when nothing of it runs any more.
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted>;

    /// How many jobs under these limits fit at a time; `wanted` overrides the executor's own choice.
    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity;

    /// The isolation that jobs get, and what is missing of it.
    fn describe(&self) -> Description;
}

/// How many jobs can be executed at a time without disturbing each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capacity {
    /// One slot per job at a time: the logical processors that it has to itself, none if it is not pinned.
    pub slots: Vec<Vec<usize>>,
    /// Remarks for the organiser, as fragments.
    pub notices: Vec<String>,
}

/// The isolation of an executor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The tier and its active layers.
    pub isolation: Isolation,
    /// Every layer that was probed.
    pub layers: Vec<LayerState>,
}

/// A layer of isolation as the executor found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerState {
    /// Name of the layer.
    pub name: String,
    /// Whether it works here.
    pub works: bool,
    /// The finding, as a fragment: a version, or the step that failed and why.
    pub finding: String,
}
