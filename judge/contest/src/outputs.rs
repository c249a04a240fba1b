//! The files for what an attempt prints: reserved before it starts, on disk before its record.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use judge_core::journal::{RunKey, frames_file, stderr_file, stdout_file};

/// A file or directory that could not be made or synced.
pub(crate) type Failed = (PathBuf, io::Error);

/// The files of one attempt. Nothing else ever writes to them.
pub(crate) struct Reserved {
    pub(crate) attempt: u32,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
    /// For the positions that a referee leaves; does not exist if it leaves none.
    pub(crate) frames: PathBuf,
}

impl Reserved {
    /// Reserves the files of an attempt with the given number. If a judge was killed during an attempt with that number,
    /// which then has files but no record, the next free number is taken.
    pub(crate) fn new(results: &Path, key: &RunKey, mut attempt: u32) -> Result<Self, Failed> {
        loop {
            let (stdout, stderr) = (stdout_file(results, key, attempt), stderr_file(results, key, attempt));
            let directory = parent(&stdout);
            fs::create_dir_all(directory).map_err(|error| (directory.to_owned(), error))?;
            match File::create_new(&stdout) {
                Ok(_) if !stderr.exists() => {
                    let frames = frames_file(results, key, attempt);
                    return Ok(Self { attempt, stdout, stderr, frames });
                }
                // Someone removed one file of the two; the number stays used.
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err((stdout, error)),
            }
            attempt += 1;
        }
    }

    /// Removes the files of an attempt that was interrupted: it has no record, so its number is free again.
    pub(crate) fn discard(&self) {
        for path in [&self.frames, &self.stderr, &self.stdout] {
            // A file that cannot be removed keeps its number.
            fs::remove_file(path).ok();
        }
    }
}

/// Puts the files of finished attempts on disk, with the directories that contain them.
pub(crate) struct Syncing<'a> {
    results: &'a Path,
    /// Directories whose parents are on disk.
    known: HashSet<PathBuf>,
}

impl<'a> Syncing<'a> {
    pub(crate) fn new(results: &'a Path) -> Self {
        Self { results, known: HashSet::new() }
    }

    /// Returns when the files of these attempts are on disk.
    pub(crate) fn sync<'r>(&mut self, attempts: impl Iterator<Item = &'r Reserved>) -> Result<(), Failed> {
        let mut directories: HashSet<&Path> = HashSet::new();
        for Reserved { stdout, stderr, frames, .. } in attempts {
            for path in [stdout, stderr, frames] {
                match fs::metadata(path) {
                    // An empty file is its directory's business, and a run that never started has no second one.
                    Ok(metadata) if metadata.len() > 0 => sync(path)?,
                    _ => {}
                }
            }
            directories.insert(parent(stdout));
        }
        for directory in directories {
            sync(directory)?;
            if self.known.insert(directory.to_owned()) {
                // New directories stand in their parents, up to the results directory.
                for parent in directory.ancestors().skip(1) {
                    sync(parent)?;
                    if parent == self.results {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

fn parent(file: &Path) -> &Path {
    file.parent().expect("a file in a directory of the results")
}

fn sync(path: &Path) -> Result<(), Failed> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| (path.to_owned(), error))
}
