//! The private folders of seats during a game.

use std::io;

use judge_core::matches::Keep;
use judge_job::{Argument, Executor, Job, Place};
use tempfile::TempDir;

/// The variable with the path of the folder.
const KEEP: &str = "JUDGE_KEEP";
/// The largest folders that may be in memory, in bytes.
const MAX_IN_MEMORY: u64 = 16 << 20;

/// A folder per seat, removed at the end of the game.
pub(super) struct KeepFolders {
    folders: Vec<TempDir>,
    keep: Option<Keep>,
}

impl KeepFolders {
    /// Empty folders for this number of seats, or none.
    pub(super) fn new(executor: &dyn Executor, keep: Option<(Keep, usize)>) -> io::Result<Self> {
        let Some((keep, count)) = keep else { return Ok(Self { folders: Vec::new(), keep: None }) };
        let parent = if keep.bytes > MAX_IN_MEMORY { executor.large_folder() } else { executor.temporary_folder() };
        let folders = (0..count).map(|_| tempfile::tempdir_in(&parent)).collect::<io::Result<_>>()?;
        Ok(Self { folders, keep: Some(keep) })
    }

    /// Adds the folder of a seat to its job.
    pub(super) fn add_to(&self, seat: usize, job: &mut Job) {
        let (Some(folder), Some(keep)) = (self.folders.get(seat), self.keep) else { return };
        let path = folder.path();
        // Inserted first: only the first folder has a size limit and belongs to the user of the job.
        job.writable.insert(0, Place::from(path.to_owned()));
        (job.folder_bytes, job.own_user, job.keeps_modes) = (Some(keep.bytes), true, true);
        job.environment.retain(|(name, _)| name != KEEP);
        job.environment.push((KEEP.into(), path.display().to_string()));
        if keep.argument {
            job.argv.push(Argument::Text(path.display().to_string()));
        }
    }
}

impl Drop for KeepFolders {
    fn drop(&mut self) {
        for folder in self.folders.drain(..) {
            // A seat may have removed the permissions of its own folders.
            judge_files::remove_all(&folder.keep()).ok();
        }
    }
}
