//! The office's log on disk: chained lines, one writer at a time, everything synced when a call returns.
//!
//! A writer locks the file for only one change, and reads what other processes have added before it decides. So a command can
//! add a team while a server accepts submissions. An incomplete last line was written by a process that was killed before it
//! answered a request: readers ignore it, and the next writer removes it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_core::journal::Chain;
use judge_files::regular;

use crate::OfficeError;
use crate::error::is_full;
use crate::state::{Dated, FORMAT, Line, State};

/// The name of the log in the office's folder.
pub const FILE_NAME: &str = "office.jsonl";

/// An open log, with the state after the lines that were read.
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// Bytes of complete lines that were read.
    length: u64,
    lines: u64,
    chain: Chain,
    state: Arc<State>,
    /// A write that may be half on disk, if any.
    broken: Option<Broken>,
    /// The simulated disk of a test.
    #[cfg(test)]
    pub(crate) disk: Disk,
}

/// A disk that fails in a test.
#[cfg(test)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Disk {
    /// The bytes that fit before it is full; `None` for no limit.
    pub(crate) takes: Option<usize>,
    /// True if the written bytes cannot be removed either.
    pub(crate) keeps: bool,
    /// The error of a write that does not fit.
    pub(crate) error: Option<io::ErrorKind>,
}

/// The reason why it is unknown what follows the lines of a log.
#[derive(Debug, Clone, Copy)]
enum Broken {
    /// The disk was full, and the written bytes could not be removed.
    Full,
    /// The disk failed. Only a restart finds out what it contains.
    Lost,
}

impl Log {
    /// Begins a log in a folder without one.
    pub(crate) fn create(folder: &Path, at: u64) -> Result<Self, OfficeError> {
        let path = folder.join(FILE_NAME);
        let io_error = |error| OfficeError::io(&path, error);
        let mut chain = Chain::default();
        let line = encode(&Dated { at, line: Line::Office { format: FORMAT } }, &mut chain);
        // Written under another name and renamed: a log without its first line never exists.
        let mut aside = tempfile::NamedTempFile::new_in(folder).map_err(io_error)?;
        aside.write_all(&line).and_then(|()| aside.as_file().sync_all()).map_err(io_error)?;
        aside.persist_noclobber(&path).map_err(|refused| io_error(refused.error))?;
        sync_folder(folder).map_err(io_error)?;
        Self::open(folder)
    }

    /// Opens a log and reads it.
    pub(crate) fn open(folder: &Path) -> Result<Self, OfficeError> {
        let path = folder.join(FILE_NAME);
        let opened = regular::open(&path).and_then(|_| OpenOptions::new().read(true).append(true).open(&path));
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => OfficeError::Missing(folder.to_owned()),
            _ => OfficeError::io(&path, error),
        })?;
        let (chain, state) = (Chain::default(), Arc::default());
        let mut log = Self {
            path,
            file,
            length: 0,
            lines: 0,
            chain,
            state,
            broken: None,
            #[cfg(test)]
            disk: Disk::default(),
        };
        log.refresh()?;
        Ok(log)
    }

    /// The state after all lines that were read.
    pub(crate) fn state(&self) -> Arc<State> {
        self.state.clone()
    }

    /// Reads what other processes have added. Returns the bytes of an incomplete last line.
    pub(crate) fn refresh(&mut self) -> Result<u64, OfficeError> {
        if self.file.metadata().map_err(|error| OfficeError::io(&self.path, error))?.len() == self.length {
            return Ok(0);
        }
        // A writer that cannot put its lines on disk takes them back before anybody has read them. While another one writes, what was
        // read before is the state.
        match self.file.try_lock_shared() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(0),
            Err(TryLockError::Error(error)) => return Err(OfficeError::io(&self.path, error)),
        }
        let read = self.read_on();
        self.file.unlock().ok();
        read
    }

    /// Reads what other processes have added, for a caller that holds the lock. Returns the bytes of an incomplete last
    /// line.
    fn read_on(&mut self) -> Result<u64, OfficeError> {
        let io_error = |error| OfficeError::io(&self.path, error);
        let end = self.file.metadata().map_err(io_error)?.len();
        if end < self.length {
            return Err(self.damaged("it is shorter than it was".into()));
        }
        if end == self.length {
            return Ok(0);
        }
        self.file.seek(SeekFrom::Start(self.length)).map_err(io_error)?;
        let mut bytes = Vec::new();
        (&self.file).take(end - self.length).read_to_end(&mut bytes).map_err(io_error)?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut state = (*self.state).clone();
        for line in bytes[..complete].split_inclusive(|&byte| byte == b'\n') {
            let (mut line, length) = (line.to_vec(), line.len() as u64);
            self.lines += 1;
            self.chain.open(&mut line).map_err(|error| self.damaged(error.to_string()))?;
            let dated = serde_json::from_slice(&line).map_err(|error| self.damaged(error.to_string()))?;
            state.apply(dated).map_err(|refusal| self.damaged(refusal.to_string()))?;
            self.length += length;
        }
        self.state = Arc::new(state);
        Ok(bytes.len() as u64 - complete as u64)
    }

    /// Decides on lines, given the state after all lines of all writers, and adds them. They are on disk when this returns.
    pub(crate) fn append<T>(
        &mut self,
        at: u64,
        decide: impl FnOnce(&State) -> Result<(Vec<Line>, T), OfficeError>,
    ) -> Result<T, OfficeError> {
        self.file.lock().map_err(|error| OfficeError::io(&self.path, error))?;
        let done = self.append_locked(at, decide);
        // A lock that cannot be given back goes with the file.
        self.file.unlock().ok();
        done
    }

    fn append_locked<T>(
        &mut self,
        at: u64,
        decide: impl FnOnce(&State) -> Result<(Vec<Line>, T), OfficeError>,
    ) -> Result<T, OfficeError> {
        let torn = self.read_on()?;
        let (lines, answer) = decide(&self.state)?;
        if lines.is_empty() {
            return Ok(answer);
        }
        self.mend(torn)?;
        let (mut state, mut chain, mut bytes) = ((*self.state).clone(), self.chain.clone(), Vec::new());
        let count = lines.len() as u64;
        for line in lines {
            let dated = Dated { at, line };
            state.permits(&dated.line)?;
            bytes.extend(encode(&dated, &mut chain));
            state.apply(dated)?;
        }
        if let Err(error) = self.put(&bytes) {
            // After a failed sync nobody can say what is on disk. What may be there is removed before anything is added. A disk that
            // was full can be written again then; after another failure, only a new start says what it has.
            let full = is_full(&error);
            let cut = self.cut();
            self.broken = match (full, cut) {
                (true, Ok(())) => None,
                (true, Err(_)) => Some(Broken::Full),
                (false, _) => Some(Broken::Lost),
            };
            return Err(OfficeError::io(&self.path, error));
        }
        self.length += bytes.len() as u64;
        self.lines += count;
        (self.chain, self.state) = (chain, Arc::new(state));
        Ok(answer)
    }

    /// Adds bytes, which are on disk when this returns.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        #[cfg(test)]
        if let Some(takes) = self.disk.takes.filter(|takes| *takes < bytes.len()) {
            self.file.write_all(&bytes[..takes])?;
            return Err(self.disk.error.unwrap_or(io::ErrorKind::StorageFull).into());
        }
        self.file.write_all(bytes)?;
        self.file.sync_data()
    }

    /// Removes everything after the lines that were read.
    fn cut(&mut self) -> io::Result<()> {
        #[cfg(test)]
        if self.disk.keeps {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.set_len(self.length)?;
        self.file.sync_data()
    }

    /// Before a line is added, removes an incomplete last line of `torn` bytes, and syncs the lines that were read. No other
    /// process writes meanwhile.
    fn mend(&mut self, torn: u64) -> Result<(), OfficeError> {
        if let Some(Broken::Lost) = self.broken {
            return Err(OfficeError::Closed(self.path.clone()));
        }
        if torn > 0 {
            self.cut().map_err(|error| OfficeError::io(&self.path, error))?;
        }
        if self.broken.is_some() {
            self.file.sync_data().map_err(|error| OfficeError::io(&self.path, error))?;
            self.broken = None;
        }
        Ok(())
    }

    /// The number of lines that were read.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    fn damaged(&self, reason: String) -> OfficeError {
        OfficeError::Damaged { path: self.path.clone(), line: self.lines.max(1), reason }
    }
}

/// The encoding of a line on disk.
fn encode(dated: &Dated, chain: &mut Chain) -> Vec<u8> {
    let mut line = serde_json::to_vec(dated).expect("lines are plain data");
    line.push(b'\n');
    chain.seal(&mut line);
    line
}

/// Returns when the names in a folder are on disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    judge_files::Folder::open(folder)?.sync()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn team(name: &str) -> impl FnOnce(&State) -> Result<(Vec<Line>, ()), OfficeError> {
        let line = Line::Team { team: name.into(), registered: false };
        move |_| Ok((vec![line], ()))
    }

    fn three() -> (tempfile::TempDir, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::create(folder.path(), 7).unwrap();
        for name in ["ada", "bob", "cleo"] {
            log.append(8, team(name)).unwrap();
        }
        let bytes = fs::read(folder.path().join(FILE_NAME)).unwrap();
        (folder, bytes)
    }

    #[test]
    fn a_log_that_was_cut_anywhere_goes_on_with_its_complete_lines() {
        let (folder, whole) = three();
        let path = folder.path().join(FILE_NAME);
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for end in first..=whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut log = Log::open(folder.path()).unwrap();
            let known = log.state().teams().len();
            assert_eq!(known, whole[..end].iter().filter(|&&byte| byte == b'\n').count() - 1);
            log.append(9, team("dora")).unwrap();
            assert_eq!(Log::open(folder.path()).unwrap().state().teams().len(), known + 1, "cut at {end}");
        }
    }

    #[test]
    fn a_changed_byte_of_a_complete_line_is_damage() {
        let (folder, whole) = three();
        let path = folder.path().join(FILE_NAME);
        for at in 0..whole.len() - 1 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert!(matches!(Log::open(folder.path()), Err(OfficeError::Damaged { .. })), "byte {at}");
        }
    }

    #[test]
    fn a_removed_line_is_damage() {
        let (folder, whole) = three();
        let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
        for removed in 0..lines.len() - 1 {
            let kept: Vec<&[u8]> = lines.iter().enumerate().filter(|(at, _)| *at != removed).map(|(_, l)| *l).collect();
            fs::write(folder.path().join(FILE_NAME), kept.concat()).unwrap();
            assert!(matches!(Log::open(folder.path()), Err(OfficeError::Damaged { .. })), "line {removed}");
        }
    }

    #[test]
    fn two_writers_see_what_the_other_wrote() {
        let (folder, _) = three();
        let (mut one, mut two) = (Log::open(folder.path()).unwrap(), Log::open(folder.path()).unwrap());
        one.append(9, team("dora")).unwrap();
        assert!(matches!(two.append(9, team("dora")), Err(OfficeError::Refused { .. })));
        two.append(9, team("eve")).unwrap();
        one.append(9, |state| Ok((Vec::new(), assert_eq!(state.teams().len(), 5)))).unwrap();
        assert_eq!(Log::open(folder.path()).unwrap().lines(), 6);
    }

    #[test]
    fn writers_at_the_same_time_lose_nothing() {
        let (folder, _) = three();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let folder = folder.path();
                scope.spawn(move || {
                    let mut log = Log::open(folder).unwrap();
                    for number in 0..10 {
                        log.append(9, team(&format!("t{writer}-{number}"))).unwrap();
                    }
                });
            }
        });
        assert_eq!(Log::open(folder.path()).unwrap().state().teams().len(), 43);
    }

    #[test]
    fn a_log_goes_on_after_a_full_disk_and_loses_and_doubles_nothing() {
        let (folder, whole) = three();
        let path = folder.path().join(FILE_NAME);
        let mut log = Log::open(folder.path()).unwrap();
        let mut other = Log::open(folder.path()).unwrap();
        for (takes, keeps) in [(0, false), (20, false), (20, true)] {
            log.disk = Disk { takes: Some(takes), keeps, error: None };
            let refused = log.append(9, team("dora")).unwrap_err();
            assert!(refused.is_full(), "{refused}");
            assert_eq!(fs::read(&path).unwrap().len() - whole.len(), if keeps { takes } else { 0 });
            // Whoever reads has the lines before, and the log of another writer goes on.
            other.refresh().unwrap();
            assert_eq!(other.state().teams().len(), 3);
            if keeps {
                assert!(log.append(9, team("dora")).unwrap_err().is_full(), "it still cannot be mended");
            }
            log.disk = Disk::default();
            log.append(9, |state| Ok((Vec::new(), assert_eq!(state.teams().len(), 3)))).unwrap();
        }
        log.append(9, team("dora")).unwrap();
        other.append(9, team("eve")).unwrap();
        log.refresh().unwrap();
        assert_eq!((log.state().teams().len(), Log::open(folder.path()).unwrap().state().teams().len()), (5, 5));
    }

    #[test]
    fn what_another_writer_added_behind_a_failure_stays() {
        let (folder, _) = three();
        let mut log = Log::open(folder.path()).unwrap();
        log.disk = Disk { takes: Some(20), keeps: true, error: None };
        log.append(9, team("dora")).unwrap_err();
        log.disk = Disk::default();
        Log::open(folder.path()).unwrap().append(9, team("eve")).unwrap();
        log.append(9, team("dora")).unwrap();
        assert_eq!(Log::open(folder.path()).unwrap().state().teams().len(), 5);
    }

    #[test]
    fn a_disk_that_fails_closes_its_log_until_a_new_start() {
        let (folder, _) = three();
        let mut log = Log::open(folder.path()).unwrap();
        log.disk = Disk { takes: Some(20), keeps: false, error: Some(io::ErrorKind::Other) };
        log.append(9, team("dora")).unwrap_err();
        log.disk = Disk::default();
        assert!(matches!(log.append(9, team("dora")), Err(OfficeError::Closed(_))));
        log.refresh().unwrap();
        assert_eq!(log.state().teams().len(), 3, "it is still read");
        Log::open(folder.path()).unwrap().append(9, team("dora")).unwrap();
    }

    #[test]
    fn a_refused_line_leaves_the_file_as_it_was() {
        let (folder, whole) = three();
        let mut log = Log::open(folder.path()).unwrap();
        log.append(9, team("ada")).unwrap_err();
        assert_eq!(fs::read(folder.path().join(FILE_NAME)).unwrap(), whole);
        log.append(9, team("dora")).unwrap();
    }
}
