//! The executions of the command for news, in a separate file. No result depends on them, and other writers of the log need not
//! read them.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::OfficeError;
use crate::log::sync_folder;

/// The name of the file in the office's folder.
pub const FILE_NAME: &str = "outbox.jsonl";

/// The executions of the command for news for one event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Notification {
    /// The number of executions, including failures.
    pub times: u32,
    /// True if the last execution failed.
    pub failed: bool,
}

/// A line: the command is about to be executed for an event, or has failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    event: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

/// The executions so far. Several processes can have the file open. Each locks it for a change, and first reads what others have
/// added.
pub struct NotificationLog {
    path: PathBuf,
    file: File,
    /// Bytes of the complete lines that were read.
    length: u64,
    events: BTreeMap<String, Notification>,
}

impl NotificationLog {
    /// Opens the file in an office's folder, or creates it.
    ///
    /// # Errors
    /// [`OfficeError::Io`], including for an invalid line.
    pub fn open(office: &Path) -> Result<Self, OfficeError> {
        let path = office.join(FILE_NAME);
        let failed = |error| OfficeError::io(&path, error);
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&path).map_err(failed)?;
        sync_folder(office).map_err(failed)?;
        let mut sent = Self { path, file, length: 0, events: BTreeMap::new() };
        sent.refresh()?;
        Ok(sent)
    }

    /// The executions for an event.
    pub fn notified(&self, event: &str) -> Notification {
        self.events.get(event).copied().unwrap_or_default()
    }

    /// Notes that the command is about to be executed for an event. Returns false if it may not be executed: it already was, or
    /// it is unknown whether it was. Without a later note about a failure, it is not executed again.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn begin(&mut self, event: &str) -> Result<bool, OfficeError> {
        self.locked(|sent| {
            let notified = sent.notified(event);
            let may = notified.times == 0 || notified.failed;
            if may {
                sent.write(Line { event: event.to_owned(), failed: false })?;
            }
            Ok(may)
        })
    }

    /// Notes that the command failed, so that it may be executed again.
    ///
    /// # Errors
    /// As [`Self::open`], and [`OfficeError::Refused`] if it was not executed.
    pub fn failed(&mut self, event: &str) -> Result<(), OfficeError> {
        self.locked(|sent| {
            if sent.notified(event).times == 0 {
                return Err(OfficeError::refused("the command was not executed for this event".into()));
            }
            sent.write(Line { event: event.to_owned(), failed: true })
        })
    }

    /// Reads new lines and makes a change under a lock.
    fn locked<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T, OfficeError>) -> Result<T, OfficeError> {
        self.file.lock().map_err(|error| OfficeError::io(&self.path, error))?;
        let changed = self.refresh().and_then(|()| change(self));
        self.file.unlock().map_err(|error| OfficeError::io(&self.path, error))?;
        changed
    }

    fn refresh(&mut self) -> Result<(), OfficeError> {
        let mut added = Vec::new();
        let read = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.read_to_end(&mut added));
        read.map_err(|error| OfficeError::io(&self.path, error))?;
        // An incomplete last line was written by a process that was killed before it executed anything.
        let complete = added.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        for line in added[..complete].split_inclusive(|&byte| byte == b'\n') {
            let line: Line = serde_json::from_slice(line)
                .map_err(|error| OfficeError::io(&self.path, io::Error::new(io::ErrorKind::InvalidData, error)))?;
            self.apply(line);
        }
        self.length += complete as u64;
        Ok(())
    }

    fn apply(&mut self, Line { event, failed }: Line) {
        let notified = self.events.entry(event).or_default();
        *notified = Notification { times: notified.times + u32::from(!failed), failed };
    }

    /// Writes a line and syncs it to disk. The caller holds the lock.
    fn write(&mut self, line: Line) -> Result<(), OfficeError> {
        let failed = |error| OfficeError::io(&self.path, error);
        let mut bytes = serde_json::to_vec(&line).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        // This also removes the remains of a killed process.
        self.file.set_len(self.length).map_err(failed)?;
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            self.file.set_len(self.length).ok();
            return Err(failed(error));
        }
        self.length += bytes.len() as u64;
        self.apply(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;

    use super::*;

    #[test]
    fn the_command_for_news_is_not_executed_twice_unless_it_failed() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = NotificationLog::open(folder.path()).unwrap();
        assert!(sent.begin("message-1").unwrap());
        // The process was killed before its end, so it is unknown whether the command was executed.
        let mut again = NotificationLog::open(folder.path()).unwrap();
        assert!(!again.begin("message-1").unwrap());
        again.failed("message-1").unwrap();
        assert!(sent.begin("message-1").unwrap(), "the other one noted the failure");
        assert!(!again.begin("message-1").unwrap());
        assert_eq!(again.notified("message-1"), Notification { times: 2, failed: false });
        assert!(again.failed("message-2").is_err());
    }

    #[test]
    fn a_line_that_a_kill_cut_off_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::write(&path, "{\"event\":\"a\"}\n{\"event\":\"b").unwrap();
        let mut sent = NotificationLog::open(folder.path()).unwrap();
        assert!(!sent.begin("a").unwrap() && sent.begin("b").unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"event\":\"a\"}\n{\"event\":\"b\"}\n");
    }

    #[test]
    fn events_are_executed_once_by_twelve_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let begun = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    let mut sent = NotificationLog::open(folder.path()).unwrap();
                    for number in 0..20 {
                        let may = sent.begin(&format!("message-{number}")).unwrap();
                        begun.fetch_add(u32::from(may), std::sync::atomic::Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(begun.into_inner(), 20);
    }
}
