//! The log of a contest on disk: one file of chained lines, to which several processes add. Everything is synced when a call
//! returns.
//!
//! A writer locks the file for one change only, and reads what others have added before it decides. So a command can add a team
//! while a judge records runs. An incomplete last line was written by a process that was killed before it replied. Readers ignore
//! it, and the next writer removes it.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use judge_core::journal::{Chain, EventError, FILE_NAME, JournalError, LostLines};
use judge_files::Folder;

use crate::disk;

/// The bytes that are read at a time.
const READ_AT_ONCE: usize = 1 << 16;
/// The most tries of a reader to lock a log that a writer holds, and the pause between them: two seconds in all.
const LOCK_TRIES: u32 = 2000;
const LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// Follows a line of another writer, without its hash and newline.
pub type Follow<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), EventError>;

/// The open log of a results directory.
pub struct LogFile {
    path: PathBuf,
    file: File,
    /// Bytes of the complete lines that were read or written.
    length: u64,
    /// The end of the chain of these lines.
    chain: Chain,
    /// True if a write failed, and its bytes may still be in the file.
    broken: bool,
    /// The simulated limits of the disk.
    disk: SimulatedDisk,
}

/// Limits of a disk that a test simulates.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub struct SimulatedDisk {
    /// The bytes that fit before the disk is full; `None` for no limit.
    pub takes: Option<usize>,
    /// True if the written bytes cannot be removed either.
    pub keeps: bool,
    /// The error of a write that does not fit; `None` for a full disk.
    pub error: Option<io::ErrorKind>,
}

/// A log to which no other writer can add a line until this is dropped. It was read to its end.
pub struct LockedLog<'a> {
    log: &'a mut LogFile,
    /// Bytes of an incomplete last line.
    incomplete: u64,
}

impl LogFile {
    /// Begins a log with a line that `begin` creates and adds to the chain.
    ///
    /// # Errors
    /// [`JournalError::Exists`] if a log exists, and [`JournalError::Io`].
    pub fn create(directory: &Path, begin: impl FnOnce(&mut Chain) -> Vec<u8>) -> Result<(), JournalError> {
        let path = directory.join(FILE_NAME);
        let failed = |error| JournalError::Io { path: path.clone(), error };
        let line = begin(&mut Chain::default());
        // Written under another name and renamed, so that a log always has its whole first line.
        let mut aside = readable_by_others().tempfile_in(directory).map_err(failed)?;
        aside.write_all(&line).and_then(|()| aside.as_file().sync_all()).map_err(failed)?;
        aside.persist_noclobber(&path).map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(directory.to_owned()),
            _ => failed(refused.error),
        })?;
        sync_names(directory).map_err(failed)
    }

    /// Opens the log of a results directory without reading it.
    ///
    /// # Errors
    /// [`JournalError::Missing`], [`JournalError::NotDirectory`] and [`JournalError::Io`].
    pub fn open(directory: &Path) -> Result<Self, JournalError> {
        let path = directory.join(FILE_NAME);
        let opened = Folder::open(directory).and_then(|folder| folder.append(FILE_NAME));
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => JournalError::Missing(directory.to_owned()),
            io::ErrorKind::NotADirectory => JournalError::NotDirectory(directory.to_owned()),
            _ => JournalError::Io { path: path.clone(), error },
        })?;
        Ok(Self { path, file, length: 0, chain: Chain::default(), broken: false, disk: SimulatedDisk::default() })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The end of the chain of the lines that were read and written.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Reads what others have added, and returns the bytes of an incomplete last line. While another process writes, it waits for
    /// at most two seconds. A slower writer has a large decision to make; its line can be read the next time.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] and [`JournalError::Io`].
    pub fn refresh(&mut self, follow: Follow<'_>) -> Result<u64, JournalError> {
        if self.file.metadata().map_err(|error| self.failed(error))?.len() == self.length {
            return Ok(0);
        }
        // A writer that cannot put its lines on disk removes them before it releases the lock.
        let mut looks = 0;
        loop {
            match self.file.try_lock_shared() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if looks < LOCK_TRIES => std::thread::sleep(LOCK_RETRY_INTERVAL),
                Err(TryLockError::WouldBlock) => return Ok(0),
                Err(TryLockError::Error(error)) => return Err(self.failed(error)),
            }
            looks += 1;
        }
        let read = self.read_on(follow);
        self.file.unlock().ok();
        read
    }

    /// Reads what others have added, like [`Self::refresh`], but waits for another writer without limit.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] and [`JournalError::Io`].
    pub fn read(&mut self, follow: Follow<'_>) -> Result<u64, JournalError> {
        self.file.lock_shared().map_err(|error| self.failed(error))?;
        let read = self.read_on(follow);
        self.file.unlock().ok();
        read
    }

    /// Locks the log, and reads what others have added.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] and [`JournalError::Io`].
    pub fn lock(&mut self, follow: Follow<'_>) -> Result<LockedLog<'_>, JournalError> {
        self.file.lock().map_err(|error| self.failed(error))?;
        let mut locked = LockedLog { log: self, incomplete: 0 };
        locked.incomplete = locked.log.read_on(follow)?;
        Ok(locked)
    }

    /// Locks the log. `read` returns what it read from all complete lines, their chain, and the bytes of an incomplete last line.
    pub(crate) fn take_up<T>(
        &mut self,
        read: impl FnOnce() -> Result<(T, Chain, u64), JournalError>,
    ) -> Result<(T, u64), JournalError> {
        self.file.lock().map_err(|error| self.failed(error))?;
        let mut locked = LockedLog { log: self, incomplete: 0 };
        let (read, chain, incomplete) = read()?;
        let log = &mut *locked.log;
        let length = log.file.metadata().map_err(|error| log.failed(error))?.len();
        (log.length, log.chain) = (length - incomplete, chain);
        locked.incomplete = incomplete;
        locked.repair()?;
        Ok((read, incomplete))
    }

    /// Reads the lines after those that were read, for a caller that holds a lock.
    fn read_on(&mut self, follow: Follow<'_>) -> Result<u64, JournalError> {
        let end = self.file.metadata().map_err(|error| self.failed(error))?.len();
        if end < self.length {
            return Err(self.damaged("it is shorter than it was".into()));
        }
        if end == self.length {
            return Ok(0);
        }
        self.file.seek(SeekFrom::Start(self.length)).map_err(|error| self.failed(error))?;
        // A second descriptor of the open file, which shares its position.
        let file = self.file.try_clone().map_err(|error| self.failed(error))?;
        let at_once = usize::try_from(end - self.length).map_or(READ_AT_ONCE, |new| new.min(READ_AT_ONCE));
        let mut lines = BufReader::with_capacity(at_once, file.take(end - self.length));
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = lines.read_until(b'\n', &mut line).map_err(|error| self.failed(error))? as u64;
            if line.last() != Some(&b'\n') {
                return Ok(read);
            }
            self.chain.open(&mut line).map_err(|error| self.damaged(error.to_string()))?;
            follow(&line).map_err(|error| self.damaged(error.reason))?;
            self.length += read;
        }
    }

    /// Adds bytes, which are on disk when this returns.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(takes) = self.disk.takes.filter(|takes| *takes < bytes.len()) {
            self.file.write_all(&bytes[..takes])?;
            return Err(self.disk.error.unwrap_or(io::ErrorKind::StorageFull).into());
        }
        self.file.write_all(bytes)?;
        disk::sync_data(&self.path, &self.file)
    }

    /// Removes everything after the lines that were read and written.
    fn cut(&mut self) -> io::Result<()> {
        if self.disk.keeps {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.set_len(self.length)?;
        self.file.sync_data()
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }

    /// The error of the first line after those that were read.
    fn damaged(&self, reason: String) -> JournalError {
        let text = fs::read(&self.path).unwrap_or_default();
        let read = usize::try_from(self.length).map_or(&*text, |length| &text[..length.min(text.len())]);
        let line = 1 + read.iter().filter(|&&byte| byte == b'\n').count();
        JournalError::Damaged { path: self.path.clone(), line, reason, lost: LostLines::default() }
    }

    /// Simulates limits of the disk, for tests.
    #[doc(hidden)]
    pub fn pretend(&mut self, disk: SimulatedDisk) {
        self.disk = disk;
    }

    /// Writes to another file from now on, and returns the previous one.
    #[cfg(test)]
    pub(crate) fn exchange_file(&mut self, file: File) -> File {
        std::mem::replace(&mut self.file, file)
    }
}

impl LockedLog<'_> {
    /// The end of the chain of all lines.
    pub fn chain(&self) -> &Chain {
        &self.log.chain
    }

    /// Adds lines that end with this chain. They are on disk when this returns; if it fails, they are not in the log.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn add(&mut self, lines: &[u8], chain: Chain) -> Result<(), JournalError> {
        self.repair()?;
        let log = &mut *self.log;
        if let Err(error) = log.put(lines) {
            // After a failed sync, the contents of the disk are unknown, so the lines are removed before anything is added.
            log.broken = log.cut().is_err();
            return Err(log.failed(error));
        }
        log.length += lines.len() as u64;
        log.chain = chain;
        Ok(())
    }

    /// Removes an incomplete last line, and syncs lines of others that may not be on disk.
    fn repair(&mut self) -> Result<(), JournalError> {
        let log = &mut *self.log;
        if self.incomplete > 0 {
            log.cut().map_err(|error| log.failed(error))?;
            self.incomplete = 0;
        }
        if log.broken {
            log.file.sync_data().map_err(|error| log.failed(error))?;
            log.broken = false;
        }
        Ok(())
    }
}

impl Drop for LockedLog<'_> {
    fn drop(&mut self) {
        // If unlocking fails, closing the file unlocks it.
        self.log.file.unlock().ok();
    }
}

/// Syncs the names in a results directory, its own name in its parent, and so on upwards, because the judge may just have created
/// them. A parent folder that cannot be opened belongs to another user, so it contains nothing new.
pub(crate) fn sync_names(directory: &Path) -> io::Result<()> {
    let directory = directory.canonicalize()?;
    disk::sync_folder(&directory)?;
    for above in directory.ancestors().skip(1) {
        disk::sync_folder(above).ok();
    }
    Ok(())
}

/// A temporary file whose read permissions follow the umask, as for every other file of the results.
fn readable_by_others() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder
}
