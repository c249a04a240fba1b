//! Scratch directories: a fresh one per run, all in one base directory per executor.
//!
//! They are in memory if the system has room for that. On a disk, file systems that avoid recently freed inode numbers,
//! such as ext4, take milliseconds per run after thousands of quick runs.
//!
//! A judge that was killed cannot clean up, so the next one does. A base directory holds a file named `lock` that its
//! judge keeps locked as long as it lives. A directory whose lock is free is stale.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};
use tempfile::TempDir;

use super::sandbox::open_regular;
use super::{CopiedFile, Job, Link, PlacedFile, SCRATCH_FILES};

const PREFIX: &str = "judge-";
const LOCK: &str = "lock";
const ROOT: &str = "root";
/// Usual place of an in-memory file system that every user may use.
const MEMORY: &str = "/dev/shm";
/// Room that the in-memory file system must have, in bytes.
const MEMORY_BYTES: u64 = 1 << 30;

/// The base directory of this judge's scratch directories.
pub(super) struct Base {
    directory: TempDir,
    /// Locked until this judge is gone.
    _lock: File,
}

impl Base {
    /// Creates a base directory, and removes the base directories of dead judges.
    pub(super) fn new() -> io::Result<Self> {
        let parent = parent();
        remove_abandoned(&parent, rustix::process::geteuid());
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // Locked before it gets its name: other processes never see an unlocked lock file of a living judge.
        let unnamed = directory.path().join("unnamed");
        let lock = File::create_new(&unnamed)?;
        lock.lock()?;
        fs::rename(unnamed, directory.path().join(LOCK))?;
        Ok(Self { directory, _lock: lock })
    }

    /// The base directory itself, in memory if the system has room for that.
    pub(super) fn folder(&self) -> &Path {
        self.directory.path()
    }

    /// An empty folder over which supervisors mount their new roots, each in its own mount namespace.
    pub(super) fn root_folder(&self) -> io::Result<PathBuf> {
        let folder = self.directory.path().join(ROOT);
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// A fresh scratch directory with the files and folders of a job in it, for the judge's user or another one.
    pub(super) fn scratch(&self, job: &Job, owner: Option<(Uid, Gid)>) -> io::Result<TempDir> {
        let scratch = tempfile::tempdir_in(self.directory.path())?;
        let give = |path: &Path| match owner {
            Some((uid, gid)) => rustix::fs::chown(path, Some(uid), Some(gid)),
            None => Ok(()),
        };
        if owner.is_some() {
            // Lets the other user traverse it; its contents stay closed to other users.
            rustix::fs::chmod(self.directory.path(), Mode::from_raw_mode(0o711))?;
        }
        give(scratch.path())?;
        let named = |name: &str, error: io::Error| io::Error::new(error.kind(), format!("{name:?}: {error}"));
        let folders: Vec<(&str, PathBuf)> =
            job.folders.iter().map(|name| (&**name, scratch.path().join(name))).collect();
        for (name, folder) in &folders {
            fs::create_dir(folder).map_err(|error| named(name, error))?;
        }
        for PlacedFile { name, contents } in &job.files {
            let file = scratch.path().join(name);
            File::create_new(&file)
                .and_then(|mut placed| placed.write_all(contents))
                .map_err(|error| named(name, error))?;
            give(&file)?;
        }
        for CopiedFile { name, from } in &job.copies {
            let file = scratch.path().join(name);
            let mut from = open_regular(from)?;
            File::create_new(&file)
                .and_then(|mut copy| io::copy(&mut from, &mut copy))
                .map_err(|error| named(name, error))?;
            give(&file)?;
        }
        // The judge no longer works in them.
        folders.iter().try_for_each(|(_, folder)| give(folder))?;
        for Link { name, to } in &job.links {
            std::os::unix::fs::symlink(to, scratch.path().join(name)).map_err(|error| named(name, error))?;
        }
        Ok(scratch)
    }
}

/// Parent of base directories: TMPDIR, else memory, else the system's folder of temporary files.
fn parent() -> PathBuf {
    let chosen = super::inherited("TMPDIR").is_some();
    let memory = Path::new(MEMORY);
    if !chosen && is_usable_tmpfs(memory) { memory.to_owned() } else { large() }
}

/// The system's folder of temporary files, TMPDIR or /tmp, for files that are too large for memory.
pub(super) fn large() -> PathBuf {
    std::env::temp_dir()
}

/// Checks for an in-memory file system that has room, is writable, and allows executing programs.
fn is_usable_tmpfs(directory: &Path) -> bool {
    const TMPFS: rustix::fs::FsWord = 0x0102_1994;
    use rustix::fs::{Access, StatVfsMountFlags, access, statfs, statvfs};
    let in_memory = statfs(directory).is_ok_and(|system| system.f_type == TMPFS);
    let roomy = statvfs(directory).is_ok_and(|system| {
        system.f_bavail.saturating_mul(system.f_frsize) >= MEMORY_BYTES
            && !system.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY)
    });
    in_memory && roomy && access(directory, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Checks whether a directory, with the files and folders below it, takes more than `most` bytes. More files than an in-memory
/// scratch directory may hold count as too many bytes, and so do folders that are too deep for a path or cannot be opened.
pub(super) fn exceeds(directory: &Path, most: u64) -> bool {
    /// The size of an empty folder.
    const EMPTY: u64 = 4096;
    let taken = |item: &fs::Metadata| item.blocks() * 512;
    // Names take room in their folder, which it keeps when they are removed.
    let mut bytes = fs::symlink_metadata(directory).map_or(0, |itself| taken(&itself)).saturating_sub(EMPTY);
    bytes > most
        || any_item(directory, |item| {
            bytes = bytes.saturating_add(taken(item));
            bytes > most
        })
}

/// The folder of a job whose size is limited, and the most bytes that it may take.
pub(super) fn limited_folder(job: &Job) -> Option<(u64, PathBuf)> {
    Some((job.folder_bytes?, job.writable.first()?.path()))
}

/// Checks whether that folder takes more than it may, together with bytes that are held without a name.
pub(super) fn fills_folder(job: &Job, held: u64) -> bool {
    limited_folder(job).is_some_and(|(most, folder)| held > most || exceeds(&folder, most - held))
}

/// Checks whether a scratch directory has a file of at least this size, including holes, or too many files to check.
pub(super) fn has_file_of(directory: &Path, bytes: u64) -> bool {
    any_item(directory, |item| !item.is_dir() && item.len() >= bytes)
}

/// Checks whether one of the files and folders matches, or whether there are too many or paths that are too long.
fn any_item(directory: &Path, mut is_it: impl FnMut(&fs::Metadata) -> bool) -> bool {
    /// The most bytes of paths that are still to be checked.
    const PATHS: usize = 8 << 20;
    let (mut files, mut paths) = (0, 0);
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        paths -= if folder == directory { 0 } else { folder.as_os_str().len() };
        let items = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                open_up(directory, &folder).and_then(|()| fs::read_dir(&folder))
            }
            items => items,
        };
        let items = match items {
            Ok(items) => items,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            // It is too deep, or was closed again immediately.
            Err(_) => return true,
        };
        for item in items.flatten() {
            // Metadata of the item itself, not of a link's target.
            let metadata = match item.metadata() {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    open_up(directory, &folder).and_then(|()| item.metadata())
                }
                metadata => metadata,
            };
            // It has been removed.
            let Ok(metadata) = metadata else { continue };
            files += 1;
            if metadata.is_dir() {
                let path = item.path();
                paths += path.as_os_str().len();
                folders.push(path);
            }
            if is_it(&metadata) || files > SCRATCH_FILES || paths > PATHS {
                return true;
            }
        }
    }
    false
}

/// Lets the judge read a folder below a scratch directory that its owner, the same user, has closed. The job may put a
/// link in its place at any moment, so no link on the way is followed.
fn open_up(scratch: &Path, folder: &Path) -> io::Result<()> {
    let inner = folder.strip_prefix(scratch).map_err(io::Error::other)?;
    let inner = if inner.as_os_str().is_empty() { Path::new(".") } else { inner };
    let top = open_folder(rustix::fs::CWD, scratch.as_os_str().as_bytes())?;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let folder = rustix::fs::openat2(&top, inner, flags, Mode::empty(), inside)?;
    let name = format!("/proc/self/fd/{}", folder.as_raw_fd());
    Ok(rustix::fs::chmod(name, Mode::RWXU)?)
}

fn open_folder<F: AsFd>(parent: F, name: &[u8]) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// Removes a scratch directory, even if the entry removed its own rights to it.
pub(super) fn remove(scratch: TempDir) -> io::Result<()> {
    judge_files::remove_all(&scratch.keep())
}

/// Removes the base directories of this user's dead judges. Directories that cannot be removed stay.
fn remove_abandoned(temporary: &Path, user: Uid) {
    let Ok(items) = fs::read_dir(temporary) else { return };
    let named = items.flatten().filter(|item| item.file_name().to_string_lossy().starts_with(PREFIX));
    for directory in named.map(|item| item.path()) {
        if let Some(_lock) = abandoned(&directory, user) {
            judge_files::remove_all(&directory).ok();
        }
    }
}

/// The lock of a base directory of that user that no judge holds. Directories of other users are excluded, although root
/// could lock and remove them: those users may have put anything under that name.
fn abandoned(directory: &Path, user: Uid) -> Option<File> {
    let file = directory.join(LOCK);
    // Links and pipes are refused: every user may write in the folder of temporary files.
    let (directory, lock) = (fs::symlink_metadata(directory).ok()?, fs::symlink_metadata(&file).ok()?);
    if !directory.is_dir() || directory.uid() != user.as_raw() || !lock.is_file() {
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
    fn only_directories_of_dead_judges_are_removed() {
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

        let user = rustix::process::geteuid();
        remove_abandoned(temporary.path(), Uid::from_raw(user.as_raw() + 1));
        assert!(dead.exists(), "it belongs to another user");
        remove_abandoned(temporary.path(), user);
        assert!(living.exists() && other.exists() && begun.exists());
        assert!(!dead.exists());
        // Not by closing it: a child that another test makes at this moment may hold a copy of the descriptor.
        lock.unlock().unwrap();
        remove_abandoned(temporary.path(), user);
        assert!(!living.exists());
    }

    #[test]
    fn folders_count_with_the_blocks_that_they_take_and_so_does_the_directory_itself() {
        let base = tempfile::tempdir().unwrap();
        for number in 0..100 {
            fs::create_dir(base.path().join(number.to_string())).unwrap();
        }
        // Names that take no blocks except those of the directory.
        for number in 0..200 {
            std::os::unix::fs::symlink("x", base.path().join(format!("{number:0250}"))).unwrap();
        }
        // A file system may store a small folder in its inode.
        let blocks = |path: &Path| fs::symlink_metadata(path).unwrap().blocks() * 512;
        let items = fs::read_dir(base.path()).unwrap().map(|item| blocks(&item.unwrap().path()));
        let taken: u64 = items.sum::<u64>() + blocks(base.path()).saturating_sub(4096);
        assert_eq!(exceeds(base.path(), taken.saturating_sub(1)), taken > 0);
        assert!(!exceeds(base.path(), taken));
        assert!(!has_file_of(base.path(), 2), "a folder is no file of that size");
    }

    #[test]
    fn folders_deeper_than_any_path_are_removed() {
        let base = tempfile::tempdir().unwrap();
        let top = base.path().join("top");
        fs::create_dir(&top).unwrap();
        // A folder with a name that moved folders will get.
        fs::create_dir_all(top.join("1/closed")).unwrap();
        fs::write(top.join("1/closed/file"), "x").unwrap();
        fs::write(top.join("2"), "x").unwrap();
        rustix::fs::chmod(top.join("1/closed"), Mode::empty()).unwrap();
        assert!(!exceeds(&top, 1 << 20));
        let mut folder = open_folder(rustix::fs::CWD, top.as_os_str().as_bytes()).unwrap();
        for _ in 0..3000 {
            rustix::fs::mkdirat(&folder, "deeper", Mode::RWXU).unwrap();
            folder = open_folder(&folder, b"deeper").unwrap();
        }
        rustix::fs::chmodat(&folder, ".", Mode::empty(), rustix::fs::AtFlags::empty()).unwrap();
        assert!(exceeds(&top, 1 << 20));
        judge_files::remove_all(&top).unwrap();
        assert!(!top.exists());
    }
}
