//! Scratch directories: a fresh one a run, all of them in one base directory a judge, and nothing left behind.
//!
//! They are in memory where the system has room for that: on a disk, file systems that avoid inode numbers which were
//! freed a moment ago (ext4 does) take milliseconds a run once thousands of quick runs have passed.
//!
//! A judge that was killed cannot clean up, so the next one does it: a base directory holds a file named `lock` that
//! its judge keeps locked for as long as it lives. One that can be locked belongs to nobody any more.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

const PREFIX: &str = "judge-";
const LOCK: &str = "lock";
const ROOT: &str = "root";
/// Where Linux systems have a file system in memory that everybody may use.
const MEMORY: &str = "/dev/shm";
/// With less room than this scratch directories go to disk.
const MEMORY_BYTES: u64 = 1 << 30;

/// The base directory of this judge's scratch directories.
pub(super) struct Base {
    directory: TempDir,
    /// Locked until this judge is gone.
    _lock: File,
}

impl Base {
    /// Makes a base directory, and removes those of dead judges.
    pub(super) fn new() -> io::Result<Self> {
        let parent = parent();
        remove_abandoned(&parent);
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // Locked first, named then: a lock file that others can see is one that is locked.
        let unnamed = directory.path().join("unnamed");
        let lock = File::create_new(&unnamed)?;
        lock.lock()?;
        fs::rename(unnamed, directory.path().join(LOCK))?;
        Ok(Self { directory, _lock: lock })
    }

    /// An empty folder over which the supervisors of this judge mount their new roots, each in a world of its own.
    pub(super) fn root_folder(&self) -> io::Result<PathBuf> {
        let folder = self.directory.path().join(ROOT);
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// A fresh scratch directory.
    pub(super) fn scratch(&self) -> io::Result<TempDir> {
        tempfile::tempdir_in(self.directory.path())
    }
}

/// Where base directories are made: where TMPDIR says, else in memory, else where the system keeps temporary files.
fn parent() -> PathBuf {
    let chosen = super::inherited("TMPDIR").is_some();
    let memory = Path::new(MEMORY);
    if !chosen && is_roomy_memory(memory) { memory.to_owned() } else { std::env::temp_dir() }
}

/// Whether a directory is a file system in memory that has room, takes our files, and lets programs run from them.
fn is_roomy_memory(directory: &Path) -> bool {
    const TMPFS: rustix::fs::FsWord = 0x0102_1994;
    use rustix::fs::{Access, StatVfsMountFlags, access, statfs, statvfs};
    let in_memory = statfs(directory).is_ok_and(|system| system.f_type == TMPFS);
    let roomy = statvfs(directory).is_ok_and(|system| {
        system.f_bavail.saturating_mul(system.f_frsize) >= MEMORY_BYTES
            && !system.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY)
    });
    in_memory && roomy && access(directory, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Bytes that the files below a directory take, as far as they can be seen.
pub(super) fn bytes_in(directory: &Path) -> u64 {
    let items = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = items.filter_map(|item| {
        // Of the item itself, not of what a link leads to.
        let metadata = item.metadata().ok()?;
        Some(if metadata.is_dir() { bytes_in(&item.path()) } else { metadata.blocks() * 512 })
    });
    sizes.fold(0, u64::saturating_add)
}

/// Removes a scratch directory, also where the entry took away its own right to do so.
pub(super) fn remove(scratch: TempDir) -> io::Result<()> {
    remove_all(&scratch.keep())
}

fn remove_all(directory: &Path) -> io::Result<()> {
    fs::remove_dir_all(directory).or_else(|_| {
        open_up(directory)?;
        fs::remove_dir_all(directory)
    })
}

/// Gives the owner all rights on a directory and every directory below it.
fn open_up(directory: &Path) -> io::Result<()> {
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    for item in fs::read_dir(directory)? {
        let item = item?;
        if item.file_type()?.is_dir() {
            open_up(&item.path())?;
        }
    }
    Ok(())
}

/// Removes the base directories of dead judges. What cannot be removed stays: it is no reason not to run a contest.
fn remove_abandoned(temporary: &Path) {
    let Ok(items) = fs::read_dir(temporary) else { return };
    let named = items.flatten().filter(|item| item.file_name().to_string_lossy().starts_with(PREFIX));
    for directory in named.map(|item| item.path()) {
        if let Some(_lock) = abandoned(&directory) {
            remove_all(&directory).ok();
        }
    }
}

/// The lock of a base directory that is this user's and that no judge holds.
fn abandoned(directory: &PathBuf) -> Option<File> {
    let ours = rustix::process::geteuid().as_raw();
    let file = directory.join(LOCK);
    // Not through links, and not into a pipe that would never open: anybody may write where temporary files are.
    let (directory, lock) = (fs::symlink_metadata(directory).ok()?, fs::symlink_metadata(&file).ok()?);
    if !directory.is_dir() || directory.uid() != ours || !lock.is_file() {
        return None;
    }
    let lock = File::open(file).ok()?;
    lock.try_lock().ok()?;
    Some(lock)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn only_what_a_dead_judge_left_is_swept() {
        let temporary = tempfile::tempdir().unwrap();
        let base = |name: &str| {
            let directory = temporary.path().join(name);
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join("lock"), "").unwrap();
            directory
        };
        let (living, dead, other) = (base("judge-living"), base("judge-dead"), base("somebody-else"));
        let begun = temporary.path().join("judge-begun");
        fs::create_dir(&begun).unwrap();
        let lock = File::open(living.join("lock")).unwrap();
        lock.lock().unwrap();

        remove_abandoned(temporary.path());
        assert!(living.exists() && other.exists() && begun.exists());
        assert!(!dead.exists());
        drop(lock);
        remove_abandoned(temporary.path());
        assert!(!living.exists());
    }
}
