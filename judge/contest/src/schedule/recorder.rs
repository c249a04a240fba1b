//! Finished runs on their way to disk.

use std::path::Path;

use judge_core::journal::Record;
use judge_job::Machine;

use super::Stopped;
use crate::cluster::Arrived;
use crate::journal::Journal;
use crate::outputs::{Reserved, Syncing};

/// A finished run that is not on disk yet.
pub struct FinishedRun {
    pub(crate) record: Record,
    /// The machine that executed it, if one did.
    pub(crate) machine: Option<Machine>,
    /// The files with the output, if they are to be synced.
    pub(crate) files: Option<Reserved>,
    /// The file that brought it from another machine.
    pub(crate) arrived: Option<Arrived>,
}

impl FinishedRun {
    /// A run that reached no machine.
    pub(crate) fn of(record: Record) -> Self {
        Self { record, machine: None, files: None, arrived: None }
    }
}

/// A store for finished runs that survives this process.
pub trait Recorder {
    /// Puts finished runs on disk, and returns their records as they are there.
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped>;
}

/// Records runs in the journal of a results directory.
pub struct JournalRecorder<'a> {
    journal: &'a mut Journal,
    syncing: Syncing<'a>,
}

impl<'a> JournalRecorder<'a> {
    /// A recorder for the journal of that results directory.
    pub fn new(results: &'a Path, journal: &'a mut Journal) -> Self {
        Self { journal, syncing: Syncing::new(results) }
    }
}

impl Recorder for JournalRecorder<'_> {
    /// Syncs first what the entries printed, which the journal's line refers to.
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        self.syncing.sync(finished.iter().filter_map(|run| run.files.as_ref()))?;
        let (runs, arrived): (Vec<_>, Vec<_>) =
            finished.into_iter().map(|run| ((run.record, run.machine), run.arrived)).unzip();
        let records = self.journal.append_runs(runs)?;
        arrived.into_iter().flatten().for_each(Arrived::recorded);
        Ok(records)
    }
}
