//! The interface of an executor of jobs.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::interrupted::Interrupted;
use crate::{DirectedSide, Director, End, Isolation, Job, Limits, Machine, Outcome, SideOutcome, Talk, TalkOutcome};

/// A request to stop, shared by the code that requests it and the code that obeys it.
pub trait StopRequest: Sync {
    /// Returns `true` once a stop was requested.
    fn requested(&self) -> bool;

    /// Requests a stop: [`requested`](Self::requested) returns `true` from now on. Further calls change nothing.
    fn request(&self);
}

/// A request to stop that is only checked between jobs.
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

/// An executor of jobs, such as the sandbox of this machine, a cluster, or a fake in a test.
pub trait Executor: Sync {
    /// Executes one job and returns after all its processes have ended. The outcome states whatever went wrong: what the
    /// job did, or [`JudgeError`](crate::End::JudgeError) if the executor itself failed.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the caller asked the executor to stop.
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted>;

    /// Executes one job, and ends it early if a stop of this job alone is requested. An executor that cannot stop a single
    /// job executes it to its end.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the caller asked the executor or this job to stop.
    fn execute_until(&self, job: &Job, _stop: &dyn StopRequest) -> Result<Outcome, Interrupted> {
        self.execute(job)
    }

    /// Executes programs that talk to each other, and returns after all their processes have ended, or when a stop is
    /// requested. An executor without support for talks fails: each program ends with a judge error.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the caller asked the executor or this talk to stop.
    fn converse(&self, talk: &Talk, _stop: Option<&dyn StopRequest>) -> Result<TalkOutcome, Interrupted> {
        Ok(without_talks(self.describe().isolation, talk.sides.len()))
    }

    /// Executes programs under a director, and returns after all their processes have ended. An executor without support
    /// for talks fails: each program ends with a judge error, and the director gets no event.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the caller asked the executor or these programs to stop, or the director was interrupted.
    fn direct(
        &self,
        sides: &[DirectedSide],
        _director: &mut dyn Director,
        _stop: Option<&dyn StopRequest>,
    ) -> Result<TalkOutcome, Interrupted> {
        Ok(without_talks(self.describe().isolation, sides.len()))
    }

    /// The number of jobs under these limits that can run at a time. `wanted` overrides the executor's own choice.
    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity;

    /// The isolation that jobs get, with every layer that was probed.
    fn describe(&self) -> Description;

    /// An existing folder for small files that are needed only around a job, such as what it prints. The caller creates
    /// a private folder in it and removes that folder. It may be in memory.
    fn temporary_folder(&self) -> PathBuf;

    /// An existing folder for temporary files that may be too large for memory, such as copies of answers.
    fn large_folder(&self) -> PathBuf {
        self.temporary_folder()
    }
}

/// The outcome of programs that an executor cannot let talk.
fn without_talks(isolation: Isolation, count: usize) -> TalkOutcome {
    let failed = |_| {
        let end = End::JudgeError { reason: "this executor has no programs that talk".into() };
        SideOutcome::new(Outcome::new(end, isolation.clone(), Machine::default()))
    };
    TalkOutcome::new((0..count).map(failed).collect())
}

/// Slots for jobs that run in parallel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capacity {
    /// Logical processors of each slot; empty for a slot that is not pinned.
    pub slots: Vec<Vec<usize>>,
    /// Remarks for the organiser, as fragments.
    pub notices: Vec<String>,
}

impl Capacity {
    /// Creates these slots without remarks.
    pub fn new(slots: Vec<Vec<usize>>) -> Self {
        Self { slots, notices: Vec::new() }
    }

    /// Creates this number of unpinned slots without remarks.
    pub fn unpinned(slots: usize) -> Self {
        Self::new(vec![Vec::new(); slots])
    }
}

/// The isolation of an executor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Description {
    /// The tier and its active layers.
    pub isolation: Isolation,
    /// Every layer that was probed.
    pub layers: Vec<LayerState>,
}

impl Description {
    /// A description with every layer that was probed.
    pub fn new(isolation: Isolation, layers: Vec<LayerState>) -> Self {
        Self { isolation, layers }
    }
}

/// A layer of isolation as the executor found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LayerState {
    /// Name of the layer, such as `landlock`.
    pub name: String,
    /// `true` if it works here.
    pub works: bool,
    /// The finding, as a fragment: a version, or the step that failed and why.
    pub finding: String,
}

impl LayerState {
    /// A layer of this name.
    pub fn new(name: impl Into<String>, works: bool, finding: impl Into<String>) -> Self {
        Self { name: name.into(), works, finding: finding.into() }
    }
}
