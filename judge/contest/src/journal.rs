//! The journal's writer: one synced line per finished run.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use judge_core::journal::{Contents, FILE_NAME, Header, JournalError, Line, Record, encode as line, read};

/// A journal open for writing; no other judge can open it meanwhile.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
}

impl Journal {
    /// Begins a journal in a directory that has none.
    pub fn create(directory: &Path, head: &Header) -> Result<Self, JournalError> {
        let path = directory.join(FILE_NAME);
        let io_error = |error| JournalError::Io { path: path.clone(), error };
        let line = line(&Line::Contest(Box::new(head.clone())));
        // Written aside and renamed: a journal without its whole head never exists.
        // Readable by whom the umask lets, as every other file of the results is.
        let readable = fs::Permissions::from_mode(0o666);
        let mut aside = tempfile::Builder::new().permissions(readable).tempfile_in(directory).map_err(io_error)?;
        aside.write_all(&line).and_then(|()| aside.as_file().sync_all()).map_err(io_error)?;
        let file = aside.persist_noclobber(&path).map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(directory.to_owned()),
            _ => io_error(refused.error),
        })?;
        File::open(directory).and_then(|directory| directory.sync_all()).map_err(io_error)?;
        let journal = Self { path: path.clone(), file, length: line.len() as u64 };
        journal.lock()?;
        Ok(journal)
    }

    /// Opens the journal of a contest that is to go on, without the torn line it may end with.
    pub fn resume(directory: &Path) -> Result<(Self, Contents), JournalError> {
        let path = directory.join(FILE_NAME);
        let io_error = |error| JournalError::Io { path: path.clone(), error };
        let file = File::options().read(true).append(true).open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => JournalError::Missing(directory.to_owned()),
            _ => io_error(error),
        })?;
        let mut journal = Self { path: path.clone(), file, length: 0 };
        journal.lock()?;
        let contents = read(directory)?;
        journal.length = journal.file.metadata().map_err(io_error)?.len() - contents.torn_bytes;
        journal.cut()?;
        Ok((journal, contents))
    }

    /// Writes finished runs, one line each, and returns when all of them are on disk.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let lines: Vec<u8> = records.iter().flat_map(|record| line(&Line::Run(Box::new(record.clone())))).collect();
        let written = self.file.write_all(&lines).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Half a line must not stand before a later whole one. Should this fail too, the next resume cuts it.
            self.cut().ok();
            return Err(JournalError::Io { path: self.path.clone(), error });
        }
        self.length += lines.len() as u64;
        Ok(())
    }

    fn cut(&mut self) -> Result<(), JournalError> {
        let cut = self.file.set_len(self.length).and_then(|()| self.file.sync_data());
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        cut.map(drop).map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }

    /// A judge that was just killed may leave a child that still holds the lock for the instant before its exec.
    fn lock(&self) -> Result<(), JournalError> {
        for _ in 0..20 {
            match self.file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(25)),
                Err(TryLockError::Error(error)) => return Err(JournalError::Io { path: self.path.clone(), error }),
            }
        }
        Err(JournalError::Locked(self.path.clone()))
    }
}
