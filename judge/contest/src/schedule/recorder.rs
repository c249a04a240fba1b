//! Finished runs on their way to disk.

use std::path::Path;

use judge_core::journal::Record;
use judge_core::key::RunKey;
use judge_job::Machine;

use super::Stopped;
use crate::journal::Journal;
use crate::outputs::{AttemptFiles, Syncing};

/// A finished run that is not on disk yet.
pub struct FinishedRun {
    pub(crate) record: Record,
    /// The machine that executed it, if any.
    pub(crate) machine: Option<Machine>,
    /// The files with the output, if they are to be synced.
    pub(crate) files: Option<AttemptFiles>,
    /// Called when the run is on disk.
    pub(crate) when_recorded: Option<Box<dyn FnOnce() + Send>>,
}

impl FinishedRun {
    /// A run whose output, if any, is on disk already, with the machine that executed it; `None` if no machine did.
    pub fn new(record: Record, machine: Option<Machine>) -> Self {
        Self { record, machine, files: None, when_recorded: None }
    }

    /// Adds the files with its output, which must be synced before its record.
    pub(crate) fn with_files(mut self, files: AttemptFiles) -> Self {
        self.files = Some(files);
        self
    }

    /// Sets a callback for the moment when the journal has the run on disk. It is not called if that never happens.
    #[must_use]
    pub fn when_recorded(mut self, call: impl FnOnce() + Send + 'static) -> Self {
        self.when_recorded = Some(Box::new(call));
        self
    }

    /// Its record, and the machine that executed it.
    pub fn into_parts(self) -> (Record, Option<Machine>) {
        (self.record, self.machine)
    }

    /// The run, by its key.
    pub fn key(&self) -> &RunKey {
        &self.record.key
    }

    /// Removes the files with its output, because it will not be recorded. The number of its attempt is free again.
    pub fn discard(&self) {
        self.files.iter().for_each(AttemptFiles::discard);
    }
}

/// Syncs the output of finished runs, for a [`Recorder`].
pub struct OutputSync<'a>(Syncing<'a>);

impl<'a> OutputSync<'a> {
    /// Syncs the output in that results directory.
    pub fn new(results: &'a Path) -> Self {
        Self(Syncing::new(results))
    }

    /// Syncs the output of these runs to disk.
    ///
    /// # Errors
    /// [`Stopped`] if the system cannot put a file on disk.
    pub fn sync(&mut self, finished: &[FinishedRun]) -> Result<(), Stopped> {
        Ok(self.0.sync(finished.iter().filter_map(|run| run.files.as_ref()))?)
    }
}

/// A store for finished runs that survives this process.
pub trait Recorder {
    /// Puts finished runs on disk, and returns their records as written, in the same order. A run that no longer counts may
    /// be left out.
    ///
    /// # Errors
    /// [`Stopped`] if they cannot be put on disk.
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped>;
}

/// Records runs in the journal of a results directory.
pub struct JournalRecorder<'a> {
    journal: &'a mut Journal,
    syncing: OutputSync<'a>,
    /// True if all runs are repetitions of judged runs.
    repeats: bool,
}

impl<'a> JournalRecorder<'a> {
    /// A recorder for the journal of that results directory.
    pub fn new(results: &'a Path, journal: &'a mut Journal) -> Self {
        Self { journal, syncing: OutputSync::new(results), repeats: false }
    }

    /// Sets whether the runs repeat judged runs. A repetition that fails without a fault of its entry is recorded, but the
    /// earlier run still counts.
    #[must_use]
    pub fn repeating(mut self, repeats: bool) -> Self {
        self.repeats = repeats;
        self
    }
}

impl Recorder for JournalRecorder<'_> {
    /// Syncs the output of the entries first, because the journal's line refers to it.
    fn record(&mut self, mut finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        for run in finished.iter_mut().filter(|run| self.repeats && run.record.is_inconclusive()) {
            run.record.in_vain = true;
        }
        self.syncing.sync(&finished)?;
        let (runs, calls): (Vec<_>, Vec<_>) =
            finished.into_iter().map(|run| ((run.record, run.machine), run.when_recorded)).unzip();
        let records = self.journal.append_runs(runs)?;
        calls.into_iter().flatten().for_each(|call| call());
        Ok(records)
    }
}
