//! The work of a node: executes the runs of a batch with the engine of one machine, and leaves their outcomes in the
//! spool.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use judge_contest::Contest;
use judge_contest::programs::hashes;
use judge_contest::schedule::{FinishedRun, OutputSync, PendingRun, Recorder, Stopped};
use judge_core::journal::Record;
use judge_core::key::{Name, RunKey};
use judge_core::plan::referee_in_words;
use judge_job::{IsolationMode, StopRequest};

use crate::spool::{Arrival, FORMAT, Spool};

/// A batch ready to be executed on this node.
pub struct NodeBatch {
    /// The contest, with the entries and boards of the batch only.
    pub contest: Contest,
    /// The required isolation.
    pub isolation: IsolationMode,
    /// The runs of the batch.
    pub order: Vec<RunKey>,
    /// The runs that have no outcome yet.
    pub missing: Vec<PendingRun>,
    /// The results directory, which nodes and coordinator share.
    pub results: PathBuf,
    /// The hashes of the referees that are programs by the identifiers of their problems.
    pub referees: BTreeMap<String, Name>,
    array: u32,
    batch: u32,
    spool: Spool,
}

/// The reason why a node does not execute a batch, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WorkError(String);

impl NodeBatch {
    /// Reads a batch of an array in a results directory, with the node's search path for programs. `None` if the batch is
    /// over. Refuses a batch of another version, and a node on which an entry's program differs.
    ///
    /// # Errors
    /// [`WorkError`] for a batch that cannot be read or is of another version, and for a node on which an entry's program
    /// differs.
    pub fn open(results: &Path, array: u32, batch: u32, path: Option<&str>) -> Result<Option<Self>, WorkError> {
        let spool = Spool::in_results(results);
        let Some(found) = spool.read_batch(array, batch).map_err(|error| WorkError(error.to_string()))? else {
            return Ok(None);
        };
        let (context, hash) = spool.context(array).map_err(|error| WorkError(error.to_string()))?;
        let version = env!("CARGO_PKG_VERSION");
        if (context.format, found.format, &*context.judge) != (FORMAT, FORMAT, version) {
            let other = &context.judge;
            return Err(WorkError(format!(
                "the batch is of judge {other}, this is {version}; install one version everywhere"
            )));
        }
        if hash != found.context {
            return Err(WorkError(format!("{} belongs to another commission", spool.batch(array, batch).display())));
        }
        let order: Vec<RunKey> = found.runs.iter().map(|run| run.key.clone()).collect();
        let made: HashSet<usize> =
            spool.finished_positions(array, batch).map_err(|error| WorkError(error.to_string()))?.into_iter().collect();
        let missing = found.runs.iter().enumerate().filter(|(position, _)| !made.contains(position));
        let missing = missing.map(|(index, run)| PendingRun { index, attempt: run.attempt }).collect();

        let mut plan = context.plan;
        let entries: HashSet<&str> = order.iter().flat_map(RunKey::seats).map(|entry| &**entry).collect();
        let boards: HashSet<&str> = order.iter().map(|key| &*key.board).collect();
        plan.entries.retain(|entry| entries.contains(&*entry.name));
        plan.boards.retain(|board| boards.contains(&*board.name));
        if (plan.entries.len(), plan.boards.len()) != (entries.len(), boards.len()) {
            return Err(WorkError("the batch has runs that the contest does not have".into()));
        }
        let contest = Contest::from_plan(context.contest_file, plan).map_err(|error| WorkError(error.to_string()))?;
        for (entry, here) in hashes(&contest, path) {
            let there = context.programs.get(&entry).cloned().unwrap_or_default();
            let files = there.keys().chain(here.keys());
            if let Some(file) = files.into_iter().find(|file| there.get(*file) != here.get(*file)) {
                let who = referee_in_words(&entry).unwrap_or_else(|| format!("entry {entry}"));
                return Err(WorkError(format!(
                    "{file}, a program of {who}, is missing here or another one than where the contest was begun"
                )));
            }
        }
        let (isolation, results, referees) = (context.isolation, results.to_owned(), context.referees);
        Ok(Some(Self { contest, isolation, order, missing, results, referees, array, batch, spool }))
    }

    /// A recorder that leaves outcomes in the spool, under the name of this node, which executes `at_a_time` runs in
    /// parallel.
    pub fn recorder<'a>(&'a self, node: &'a str, at_a_time: usize, interrupt: &'a dyn StopRequest) -> NodeRecorder<'a> {
        NodeRecorder { work: self, node, at_a_time, interrupt, syncing: OutputSync::new(&self.results) }
    }
}

/// Leaves outcomes in the spool until a stop is requested. A run that ends together with the task may have ended
/// because of the stop.
pub struct NodeRecorder<'a> {
    work: &'a NodeBatch,
    node: &'a str,
    at_a_time: usize,
    interrupt: &'a dyn StopRequest,
    syncing: OutputSync<'a>,
}

impl Recorder for NodeRecorder<'_> {
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        self.syncing.sync(&finished)?;
        if self.interrupt.requested() {
            finished.iter().for_each(FinishedRun::discard);
            return Err(Stopped::Interrupted);
        }
        let NodeBatch { array, batch, spool, .. } = self.work;
        let leave = |run: FinishedRun| {
            let (record, machine) = run.into_parts();
            let position = record.seq - 1;
            let machine = machine.map(|machine| machine.on_node(self.node));
            let at_a_time = self.at_a_time;
            let arrival = Arrival { format: FORMAT, array: *array, batch: *batch, machine, at_a_time, record };
            let left = spool.store(&arrival, position, self.node);
            left.map_err(|error| Stopped::Io { path: spool.fresh(), error })?;
            Ok(arrival.record)
        };
        finished.into_iter().map(leave).collect()
    }
}
