//! Finished runs on their way to disk.

use std::path::{Path, PathBuf};

use judge_core::journal::Record;
use judge_files::Folder;
use judge_job::Machine;

use super::Stopped;
use crate::journal::Journal;
use crate::outputs::{Reserved, Syncing};

/// A finished run that is not on disk yet.
pub struct FinishedRun {
    pub(crate) record: Record,
    /// The machine that executed it, if one did.
    pub(crate) machine: Option<Machine>,
    /// The files with the output, if they are to be synced.
    pub(crate) files: Option<Reserved>,
    /// The file that brought it from another machine, and its path after the run is recorded.
    pub(crate) arrived: Option<Arrived>,
}

/// A file that brought a finished run from another machine.
pub(crate) struct Arrived {
    pub(crate) file: PathBuf,
    /// Its path after the run is recorded, while its batch is not over.
    pub(crate) taken: PathBuf,
    /// The file of that batch.
    pub(crate) batch: PathBuf,
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
    results: &'a Path,
    journal: &'a mut Journal,
    syncing: Syncing<'a>,
}

impl<'a> JournalRecorder<'a> {
    /// A recorder for the journal of that results directory.
    pub fn new(results: &'a Path, journal: &'a mut Journal) -> Self {
        Self { results, journal, syncing: Syncing::new(results) }
    }
}

impl Recorder for JournalRecorder<'_> {
    /// Syncs first what the entries printed, which the journal's line refers to.
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        self.syncing.sync(finished.iter().filter_map(|run| run.files.as_ref()))?;
        let (runs, arrived): (Vec<_>, Vec<_>) =
            finished.into_iter().map(|run| ((run.record, run.machine), run.arrived)).unzip();
        let records = self.journal.append_runs(runs)?;
        for Arrived { file, taken, batch } in arrived.into_iter().flatten() {
            // A file that stays, because it cannot be moved, is of a run that the journal has, so it does not count again.
            if batch.exists() {
                let folder = taken.parent().and_then(|folder| folder.strip_prefix(self.results).ok());
                // A link in place of the folder is not written through.
                let made = Folder::open(self.results)
                    .and_then(|results| results.create_folders(folder.unwrap_or(Path::new(""))));
                made.and_then(|_| std::fs::rename(&file, &taken)).ok();
            } else {
                std::fs::remove_file(&file).ok();
            }
        }
        Ok(records)
    }
}
