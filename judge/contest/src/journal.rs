//! The journal's writer: everything is on disk when a call returns.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use judge_core::date::Date;
use judge_core::journal::{
    Chain, Contents, EventError, FILE_NAME, Fold, Header, JournalError, Line, Record, check_length, check_line, encode,
    read_fold,
};
use judge_core::withdrawal::Withdrawal;
use judge_files::Folder;
use judge_job::Machine;

use crate::disk;

/// A journal open for writing; no other judge can open it meanwhile. It contains the contest that follows from its lines, so
/// written lines need not be read again.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Length of the complete lines in bytes, where the next line begins.
    length: u64,
    /// The chain of these lines.
    chain: Chain,
    /// The machines that have a line, with their indices.
    machines: HashMap<Machine, u32>,
    /// The index of the next machine line.
    next_machine: u32,
    /// The caller's clock, for the dates of lines; `None` for lines without dates.
    clock: Box<dyn Fn() -> Option<Date> + Send + Sync>,
    /// The contest after all lines on disk.
    fold: Fold,
    /// True if a write failed, and the partial line that it may have left could not be removed.
    torn: bool,
}

/// Lines that are about to be written, and the contest after them.
pub(crate) struct Next {
    lines: Vec<(Line, Option<Date>)>,
    fold: Fold,
}

impl Journal {
    /// Begins a journal in a directory without one. Its lines get dates from the clock, if the clock returns any.
    ///
    /// # Errors
    /// [`JournalError::Exists`] if the directory has a journal, [`JournalError::Refused`] if the header contradicts itself, and
    /// [`JournalError::Io`].
    pub fn create(
        directory: &Path,
        header: Header,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<Self, JournalError> {
        let path = directory.join(FILE_NAME);
        let io_error = |error| JournalError::Io { path: path.clone(), error };
        let (mut chain, at) = (Chain::default(), clock());
        let refused = |error: EventError| JournalError::Refused { path: path.clone(), reason: error.reason };
        let fold = Fold::begin(header.clone(), at).map_err(refused)?;
        let line = encode(&Line::Contest(Box::new(header)), at, &mut chain);
        check_length(line.len()).map_err(refused)?;
        // Written under another name and renamed: a journal without its whole header never exists.
        let mut aside = readable_by_others().tempfile_in(directory).map_err(io_error)?;
        aside.write_all(&line).and_then(|()| aside.as_file().sync_all()).map_err(io_error)?;
        let file = aside.persist_noclobber(&path).map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(directory.to_owned()),
            _ => io_error(refused.error),
        })?;
        sync_names(directory).map_err(io_error)?;
        let length = line.len() as u64;
        let (path, machines) = (path.clone(), HashMap::new());
        lock(&file, &path)?;
        Ok(Self { path, file, length, chain, machines, next_machine: 0, clock: Box::new(clock), fold, torn: false })
    }

    /// Opens the journal of a contest to continue it, and removes an incomplete last line.
    ///
    /// # Errors
    /// [`JournalError`] if there is no journal, it is damaged, or another judge writes it.
    #[allow(clippy::missing_panics_doc, reason = "there are fewer machines than runs")]
    pub fn resume(
        directory: &Path,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<(Self, Contents), JournalError> {
        let path = directory.join(FILE_NAME);
        let io_error = |error| JournalError::Io { path: path.clone(), error };
        let opened = Folder::open(directory).and_then(|folder| folder.append(FILE_NAME));
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => JournalError::Missing(directory.to_owned()),
            io::ErrorKind::NotADirectory => JournalError::NotDirectory(directory.to_owned()),
            _ => io_error(error),
        })?;
        lock(&file, &path)?;
        let (mut fold, chain, torn_bytes) = read_fold(directory)?;
        let contents = fold.so_far();
        let length = file.metadata().map_err(io_error)?.len() - torn_bytes;
        let (machines, clock) = (HashMap::new(), Box::new(clock));
        let mut journal =
            Self { path: path.clone(), file, length, chain, machines, next_machine: 0, clock, fold, torn: false };
        journal.cut()?;
        // A judge that was killed when it began may not have come to this.
        sync_names(directory).map_err(io_error)?;
        for (machine, index) in contents.machines.iter().zip(0..) {
            journal.machines.entry(machine.clone()).or_insert(index);
        }
        journal.next_machine = u32::try_from(contents.machines.len()).expect("fewer machines than runs");
        drop(contents);
        let mut contents = journal.contents();
        contents.torn_bytes = torn_bytes;
        Ok((journal, contents))
    }

    /// The results directory that contains the journal.
    pub fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// The contest after all lines on disk. It is cheap, see [`Fold::so_far`].
    pub fn contents(&mut self) -> Contents {
        let mut contents = self.fold.so_far();
        contents.chain.clone_from(&self.chain);
        contents
    }

    /// Sets entries aside, or takes them back in, without a line. Returns those that went out or came in.
    pub(crate) fn set_aside(&mut self, changes: Vec<(String, Option<Withdrawal>)>) -> Vec<String> {
        self.fold.set_aside(changes)
    }

    /// The contest as it would be after these lines at the end of the journal.
    ///
    /// # Errors
    /// [`JournalError::Refused`] if one of them is not allowed after the earlier ones.
    pub fn preview(&self, lines: &[Line]) -> Result<Contents, JournalError> {
        Ok(self.contents_with(&mut self.next(lines)?))
    }

    /// Writes events, one line each, and returns when all of them are on disk.
    ///
    /// # Errors
    /// [`JournalError::Refused`] if one of them is not allowed after the earlier ones, and [`JournalError::Io`]. Then
    /// nothing has changed.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        let next = self.next(lines)?;
        self.append_next(next)
    }

    /// The contest after these lines, which [`Self::append_next`] writes.
    ///
    /// # Errors
    /// As [`Self::preview`].
    pub(crate) fn next(&self, lines: &[Line]) -> Result<Next, JournalError> {
        let lines = self.dated(lines);
        Ok(Next { fold: self.after(&lines)?, lines })
    }

    /// Writes lines that follow the lines on disk.
    ///
    /// # Errors
    /// [`JournalError::Io`]; nothing has changed then.
    pub(crate) fn append_next(&mut self, Next { lines, fold }: Next) -> Result<(), JournalError> {
        self.write(&lines)?;
        self.fold = fold;
        Ok(())
    }

    /// The contest after lines that are about to be written.
    pub(crate) fn contents_with(&self, next: &mut Next) -> Contents {
        let mut contents = next.fold.so_far();
        contents.chain.clone_from(&self.chain);
        contents
    }

    /// Each line with its date.
    fn dated(&self, lines: &[Line]) -> Vec<(Line, Option<Date>)> {
        lines.iter().map(|line| (line.clone(), (self.clock)())).collect()
    }

    /// The fold after these lines.
    fn after(&self, lines: &[(Line, Option<Date>)]) -> Result<Fold, JournalError> {
        let mut fold = self.fold.clone();
        for (line, at) in lines {
            let refused = |error: EventError| JournalError::Refused { path: self.path.clone(), reason: error.reason };
            check_line(line).and_then(|()| fold.apply(line.clone(), *at)).map_err(refused)?;
        }
        Ok(fold)
    }

    fn write(&mut self, lines: &[(Line, Option<Date>)]) -> Result<(), JournalError> {
        let mut chain = self.chain.clone();
        let bytes: Vec<u8> = lines.iter().flat_map(|(line, at)| encode(line, *at, &mut chain)).collect();
        if self.torn {
            self.cut()?;
            self.torn = false;
        }
        let written = self.file.write_all(&bytes).and_then(|()| disk::sync_data(&self.path, &self.file));
        if let Err(error) = written {
            // Half a line must not be followed by a whole one. If this fails too, the next write or resume cuts it.
            self.torn = self.cut().is_err();
            return Err(JournalError::Io { path: self.path.clone(), error });
        }
        self.length += bytes.len() as u64;
        self.chain = chain;
        Ok(())
    }

    /// Writes finished runs, each with the machine that executed it if one did, and returns the records as written
    /// when all of them are on disk.
    ///
    /// # Errors
    /// [`JournalError::Refused`] for a run that is not planned, and [`JournalError::Io`].
    pub fn append_runs(&mut self, runs: Vec<(Record, Option<Machine>)>) -> Result<Vec<Record>, JournalError> {
        if let Some((run, _)) = runs.iter().find(|(run, _)| !self.fold.plans(&run.key)) {
            let reason = format!("{} on {} was run, but is not planned", run.key.entry, run.key.board);
            return Err(JournalError::Refused { path: self.path.clone(), reason });
        }
        let mut lines = Vec::with_capacity(runs.len());
        let known = self.next_machine;
        for (mut record, machine) in runs {
            if let Some(machine) = machine {
                record.machine = match self.machines.get(&machine) {
                    Some(&index) => index,
                    None => {
                        lines.push(Line::Machine(Box::new(machine.clone())));
                        self.machines.insert(machine, self.next_machine);
                        self.next_machine += 1;
                        self.next_machine - 1
                    }
                };
            }
            lines.push(Line::Run(Box::new(record)));
        }
        let lines = self.dated(&lines);
        self.write(&lines).inspect_err(|_| {
            self.machines.retain(|_, index| *index < known);
            self.next_machine = known;
        })?;
        let mut records = Vec::with_capacity(lines.len());
        for (line, at) in lines {
            if let Line::Run(record) = &line {
                let mut record = (**record).clone();
                record.at = at;
                records.push(record);
            }
            // Every run is planned and every machine known, so this fails for no journal.
            let refused = |error: EventError| JournalError::Refused { path: self.path.clone(), reason: error.reason };
            self.fold.apply(line, at).map_err(refused)?;
        }
        Ok(records)
    }

    fn cut(&mut self) -> Result<(), JournalError> {
        let cut = self.file.set_len(self.length).and_then(|()| self.file.sync_data());
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        cut.map(drop).map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }
}

/// Locks the file. A judge that was just killed may leave a child that still holds the lock until its exec.
fn lock(file: &File, path: &Path) -> Result<(), JournalError> {
    for _ in 0..20 {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(25)),
            Err(TryLockError::Error(error)) => return Err(JournalError::Io { path: path.to_owned(), error }),
        }
    }
    Err(JournalError::Locked(path.to_owned()))
}

#[cfg(test)]
impl Journal {
    /// Writes to another file from now on, and returns the one before.
    pub(crate) fn exchange_file(&mut self, file: File) -> File {
        std::mem::replace(&mut self.file, file)
    }
}

/// Syncs the names in a results directory, its own name in its parent, and so on upwards, as the judge may just have
/// created them. A parent folder that cannot be opened belongs to another user, so nothing in it is new.
fn sync_names(directory: &Path) -> io::Result<()> {
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
