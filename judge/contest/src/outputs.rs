//! Files of a results directory: those for what an attempt prints are reserved before it starts and on disk before its
//! record; a copied file appears as a whole.

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
                    // The directory has all there is of an empty file. A run that never started has no second file.
                    Ok(metadata) if metadata.len() > 0 => sync(path)?,
                    _ => {}
                }
            }
            directories.insert(parent(stdout));
        }
        for directory in directories {
            sync(directory)?;
            if self.known.insert(directory.to_owned()) {
                // A new directory is on disk when its parents are, up to the results directory.
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

/// Copies a file and puts the copy on disk under another name before it is renamed, so that `to` never has half a file.
/// Makes the folder of `to`. `check` reads the copy and may refuse it; its error is one of `from`.
pub(crate) fn copy_whole(from: &Path, to: &Path, check: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), Failed> {
    let folder = parent(to);
    fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
    let aside = to.with_extension("part");
    // A judge that was killed may have left one, read-only like its original.
    match fs::remove_file(&aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err((aside, error)),
        _ => {}
    }
    let copied = fs::copy(from, &aside).map_err(|error| (from.to_owned(), error));
    let whole =
        copied.and_then(|_| sync(&aside)).and_then(|()| check(&aside).map_err(|error| (from.to_owned(), error)));
    let renamed = whole.and_then(|()| fs::rename(&aside, to).map_err(|error| (to.to_owned(), error)));
    renamed.inspect_err(|_| drop(fs::remove_file(&aside)))?;
    sync(folder)
}

fn parent(file: &Path) -> &Path {
    file.parent().expect("a file in a directory of the results")
}

fn sync(path: &Path) -> Result<(), Failed> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| (path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    /// A folder with a read-only file `from`.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        fs::write(&from, "new").unwrap();
        let mut permissions = from.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&from, permissions).unwrap();
        folder
    }

    #[test]
    fn a_copy_replaces_what_a_killed_judge_left() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let (to, part) = (path("kept/file"), path("kept/file.part"));
        // A copy that was not renamed, and a link: neither is written to.
        fs::create_dir(path("kept")).unwrap();
        fs::copy(path("from"), &part).unwrap();
        copy_whole(&path("from"), &to, |_| Ok(())).unwrap();
        fs::write(path("other"), "other").unwrap();
        std::os::unix::fs::symlink(path("other"), &part).unwrap();
        copy_whole(&path("from"), &to, |_| Ok(())).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("other")).unwrap(), "other");
        assert!(!to.is_symlink());
        assert!(part.symlink_metadata().is_err());
    }

    #[test]
    fn a_copy_that_is_refused_leaves_nothing() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let (to, part) = (path("kept/file"), path("kept/file.part"));
        let (named, _) = copy_whole(&path("from"), &to, |_| Err(io::Error::other("changed"))).unwrap_err();
        assert_eq!(named, path("from"));
        assert!(!to.exists() && !part.exists());
        let (named, error) = copy_whole(&path("none"), &to, |_| Ok(())).unwrap_err();
        assert_eq!((named, error.kind()), (path("none"), io::ErrorKind::NotFound));
        // A folder of that name cannot be replaced.
        fs::create_dir(&to).unwrap();
        assert_eq!(copy_whole(&path("from"), &to, |_| Ok(())).unwrap_err().0, to);
        assert!(!part.exists());
    }
}
