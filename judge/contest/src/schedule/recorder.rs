//! Finished runs on their way to disk.

use std::path::Path;

use judge_core::journal::Record;
use judge_job::Machine;

use super::Stopped;
use crate::cluster::Arrived;
use crate::journal::Journal;
use crate::outputs::{AttemptFiles, Syncing};

/// A finished run that is not on disk yet.
pub struct FinishedRun {
    pub(crate) record: Record,
    /// The machine that executed it, if one did.
    pub(crate) machine: Option<Machine>,
    /// The files with the output, if they are to be synced.
    pub(crate) files: Option<AttemptFiles>,
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
    /// True if all runs are repetitions of runs that were judged.
    repeats: bool,
}

impl<'a> JournalRecorder<'a> {
    /// A recorder for the journal of that results directory.
    pub fn new(results: &'a Path, journal: &'a mut Journal) -> Self {
        Self { journal, syncing: Syncing::new(results), repeats: false }
    }

    /// The same for runs that repeat others that were judged. One that fails without a fault of its entry is recorded, and
    /// the earlier one still counts.
    #[must_use]
    pub fn repeating(mut self, repeats: bool) -> Self {
        self.repeats = repeats;
        self
    }
}

impl Recorder for JournalRecorder<'_> {
    /// Syncs first what the entries printed, which the journal's line refers to.
    fn record(&mut self, mut finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        for run in finished.iter_mut().filter(|run| self.repeats && run.record.tells_nothing()) {
            run.record.in_vain = true;
        }
        self.syncing.sync(finished.iter().filter_map(|run| run.files.as_ref()))?;
        let (runs, arrived): (Vec<_>, Vec<_>) =
            finished.into_iter().map(|run| ((run.record, run.machine), run.arrived)).unzip();
        let records = self.journal.append_runs(runs)?;
        arrived.into_iter().flatten().for_each(Arrived::recorded);
        Ok(records)
    }
}
