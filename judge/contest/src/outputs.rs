//! Files of a results directory. The files for an attempt's output are reserved before it starts, and synced before its record is
//! written. Copied files appear atomically.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{Output, frames_file, stderr_file, stdout_file, transcript_file};
use judge_core::key::RunKey;
use judge_files::Folder;
use judge_files::regular;

use crate::disk;

/// A file or directory that could not be created or synced.
pub(crate) type Failed = (PathBuf, io::Error);

/// The files of one attempt. Nothing else ever writes to them.
pub(crate) struct AttemptFiles {
    results: PathBuf,
    pub(crate) attempt: u32,
    pub(crate) stdout: PathBuf,
    pub(crate) stderr: PathBuf,
    /// The file for positions that a referee leaves. It does not exist without positions.
    pub(crate) frames: PathBuf,
    /// The file for the transcript of a talk. It does not exist without a talk.
    pub(crate) transcript: PathBuf,
}

impl AttemptFiles {
    /// Reserves the files of an attempt with the given number. A judge that was killed during this attempt left files but no
    /// record: then the next free number is used. No link in the results directory is followed, because the directory may come
    /// from elsewhere.
    pub(crate) fn new(results: &Path, key: &RunKey, mut attempt: u32) -> Result<Self, Failed> {
        let within = Path::new("");
        let folder = stdout_file(within, key, attempt);
        let folder = parent(&folder);
        let opened = Folder::open(results).and_then(|opened| opened.create_folders(folder));
        let opened = opened.map_err(|error| (results.join(folder), error))?;
        loop {
            let [stdout, stderr, frames, transcript] =
                [stdout_file, stderr_file, frames_file, transcript_file].map(|file| file(results, key, attempt));
            match opened.create_new(name(&stdout)) {
                Ok(_) if ![&stderr, &frames, &transcript].iter().any(|file| opened.has(name(file))) => {
                    return Ok(Self { results: results.to_owned(), attempt, stdout, stderr, frames, transcript });
                }
                // Another user removed one of the files. The number stays used.
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err((stdout, error)),
            }
            attempt += 1;
        }
    }

    /// The fingerprints of the files after the attempt.
    pub(crate) fn output(&self) -> Result<Output, Failed> {
        let of = |path: &PathBuf| match regular::open_beneath(&self.results, path).and_then(Fingerprint::from_reader) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err((path.clone(), error)),
        };
        let stdout = of(&self.stdout)?.ok_or_else(|| (self.stdout.clone(), io::ErrorKind::NotFound.into()))?;
        let stderr = of(&self.stderr)?.filter(|stderr| stderr.bytes > 0);
        let [frames, transcript] = [of(&self.frames)?, of(&self.transcript)?];
        let [stderr, frames, transcript] = [stderr, frames, transcript].map(|found| found.map(Box::new));
        Ok(Output { stdout, stderr, frames, transcript })
    }

    /// Removes the files of an attempt that was interrupted. It has no record, so its number is free again.
    pub(crate) fn discard(&self) {
        for path in [&self.transcript, &self.frames, &self.stderr, &self.stdout] {
            // While the file exists, its number stays used.
            fs::remove_file(path).ok();
        }
    }
}

/// Syncs the files of finished attempts to disk, with the directories that contain them.
pub(crate) struct Syncing<'a> {
    results: &'a Path,
    /// Directories whose parents are synced.
    known: HashSet<PathBuf>,
}

impl<'a> Syncing<'a> {
    pub(crate) fn new(results: &'a Path) -> Self {
        Self { results, known: HashSet::new() }
    }

    /// Syncs the files of these attempts to disk.
    pub(crate) fn sync<'r>(&mut self, attempts: impl Iterator<Item = &'r AttemptFiles>) -> Result<(), Failed> {
        self.sync_files(attempts.flat_map(|files| [&*files.stdout, &*files.stderr, &*files.frames, &*files.transcript]))
    }

    /// Syncs those of these files that exist to disk, with their names. All are below the results directory.
    pub(crate) fn sync_files<'r>(&mut self, files: impl Iterator<Item = &'r Path>) -> Result<(), Failed> {
        let mut directories: HashSet<&Path> = HashSet::new();
        for path in files {
            match fs::metadata(path) {
                // An empty file needs only its directory synced. A run that never started has no second file.
                Ok(metadata) if metadata.len() > 0 => sync(path, disk::sync_file)?,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err((path.to_owned(), error)),
            }
            directories.insert(parent(path));
        }
        for directory in directories {
            sync(directory, disk::sync_folder)?;
            if self.known.insert(directory.to_owned()) {
                // A new directory is on disk once its parents are, up to the results directory.
                for parent in directory.ancestors().skip(1) {
                    sync(parent, disk::sync_folder)?;
                    if parent == self.results {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Copies a file into a results directory atomically: `to` never contains a part of it. Creates the folder of `to`, follows no
/// link there, and replaces a link with that name. `check` may refuse the copied data; its error counts as an error of `from`.
pub(crate) fn copy_whole(
    from: &Path,
    results: &Path,
    to: &Path,
    check: impl FnOnce(&Fingerprint) -> io::Result<()>,
) -> Result<Fingerprint, Failed> {
    let original = regular::open(from).map_err(|error| (from.to_owned(), error))?;
    let mut refused = None;
    let mut copied = None;
    let replaced = replace(results, to, |file| {
        let fingerprint = Fingerprint::copied(&original, &mut *file)?;
        copied = Some(fingerprint);
        check(&fingerprint).map_err(|error| {
            refused = Some(error);
            io::Error::other("refused")
        })
    });
    match (replaced, refused, copied) {
        (_, Some(error), _) => Err((from.to_owned(), error)),
        (Ok(()), None, Some(copied)) => Ok(copied),
        (Err(failed), ..) => Err(failed),
        (Ok(()), None, None) => unreachable!("what replaced a file was copied"),
    }
}

/// Writes a file into a results directory atomically, like [`copy_whole`].
pub(crate) fn write_whole(bytes: &[u8], results: &Path, to: &Path) -> Result<(), Failed> {
    replace(results, to, |file| file.write_all(bytes))
}

fn replace(results: &Path, to: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Failed> {
    let inside = to.strip_prefix(results).unwrap_or(to);
    let folder = Folder::open(results).and_then(|folder| folder.create_folders(parent(inside)));
    let folder = folder.map_err(|error| (results.join(parent(inside)), error))?;
    folder.replace(name(inside), write).map_err(|error| (results.join(inside), error))
}

fn name(path: &Path) -> &OsStr {
    path.file_name().expect("a file of the results has a name")
}

fn parent(file: &Path) -> &Path {
    file.parent().expect("a file in a directory of the results")
}

fn sync(path: &Path, sync: impl Fn(&Path) -> io::Result<()>) -> Result<(), Failed> {
    sync(path).map_err(|error| (path.to_owned(), error))
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
    fn a_copy_follows_no_link() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let (results, to) = (folder.path(), path("kept/file"));
        let copied = copy_whole(&path("from"), results, &to, |_| Ok(())).unwrap();
        assert_eq!((copied.bytes, fs::read_to_string(&to).unwrap().as_str()), (3, "new"));
        // A link in place of the file is replaced. A link in place of its folder is not followed.
        fs::write(path("other"), "other").unwrap();
        fs::remove_file(&to).unwrap();
        std::os::unix::fs::symlink(path("other"), &to).unwrap();
        copy_whole(&path("from"), results, &to, |_| Ok(())).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("other")).unwrap(), "other");
        assert!(!to.is_symlink());
        let names: Vec<_> = fs::read_dir(path("kept")).unwrap().map(|item| item.unwrap().file_name()).collect();
        assert_eq!(names, ["file"]);
        fs::create_dir(path("elsewhere")).unwrap();
        std::os::unix::fs::symlink(path("elsewhere"), path("linked")).unwrap();
        let (named, error) = copy_whole(&path("from"), results, &path("linked/file"), |_| Ok(())).unwrap_err();
        assert_eq!((named, error.kind()), (path("linked"), io::ErrorKind::InvalidInput));
        assert_eq!(fs::read_dir(path("elsewhere")).unwrap().count(), 0);
    }

    #[test]
    fn a_copy_that_is_refused_leaves_nothing() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let (results, to) = (folder.path(), path("kept/file"));
        let refused = copy_whole(&path("from"), results, &to, |_| Err(io::Error::other("changed")));
        let (named, error) = refused.unwrap_err();
        assert_eq!((named, error.to_string().as_str()), (path("from"), "changed"));
        assert_eq!(fs::read_dir(path("kept")).unwrap().count(), 0);
        let (named, error) = copy_whole(&path("none"), results, &to, |_| Ok(())).unwrap_err();
        assert_eq!((named, error.kind()), (path("none"), io::ErrorKind::NotFound));
        // A folder of that name cannot be replaced.
        fs::create_dir(&to).unwrap();
        assert_eq!(copy_whole(&path("from"), results, &to, |_| Ok(())).unwrap_err().0, to);
        assert_eq!(fs::read_dir(path("kept")).unwrap().count(), 1);
    }

    #[test]
    fn files_are_reserved_beneath_the_results_directory_only() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let key = RunKey::new(1, "a", "X");
        let first = AttemptFiles::new(folder.path(), &key, 1).unwrap();
        assert_eq!((first.attempt, first.stdout.is_file()), (1, true));
        // A number stays used while any file of it exists, including a link that leads nowhere.
        for (number, end) in [(2, "out"), (3, "err"), (4, "frames.jsonl"), (5, "talk.jsonl")] {
            let left = path(&format!("output/1/a/X.{number}.{end}"));
            std::os::unix::fs::symlink(path("nowhere"), left).unwrap();
        }
        assert_eq!(AttemptFiles::new(folder.path(), &key, 1).unwrap().attempt, 6);
        assert!(!path("nowhere").exists());
        // A folder that is a link is refused.
        fs::create_dir(path("elsewhere")).unwrap();
        std::os::unix::fs::symlink(path("elsewhere"), path("output/1/b")).unwrap();
        let (named, error) = AttemptFiles::new(folder.path(), &RunKey::new(1, "b", "X"), 1).err().unwrap();
        assert_eq!((named, error.kind()), (path("output/1/b"), io::ErrorKind::InvalidInput));
        assert_eq!(fs::read_dir(path("elsewhere")).unwrap().count(), 0);
    }

    #[test]
    fn the_fingerprints_of_an_attempt_are_of_all_its_files() {
        let folder = folder();
        let files = AttemptFiles::new(folder.path(), &RunKey::new(1, "a", "X"), 1).unwrap();
        let of = |text: &str| Fingerprint::from_reader(text.as_bytes()).unwrap();
        let empty = files.output().unwrap();
        assert_eq!(empty, Output { stdout: of(""), stderr: None, frames: None, transcript: None });
        fs::write(&files.stdout, "answer").unwrap();
        fs::write(&files.stderr, "").unwrap();
        fs::write(&files.frames, "{}").unwrap();
        let all = files.output().unwrap();
        let frames = Some(Box::new(of("{}")));
        assert_eq!(all, Output { stdout: of("answer"), stderr: None, frames, transcript: None });
        fs::write(&files.transcript, "talk").unwrap();
        assert_eq!(files.output().unwrap().transcript, Some(Box::new(of("talk"))));
        fs::write(&files.stderr, "error").unwrap();
        assert_eq!(files.output().unwrap().stderr, Some(Box::new(of("error"))));
        fs::remove_file(&files.stdout).unwrap();
        assert_eq!(files.output().unwrap_err().0, files.stdout);
    }
}
