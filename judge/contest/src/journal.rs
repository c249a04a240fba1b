//! The journal's writer. Everything is on disk when a call returns.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use judge_core::date::Date;
use judge_core::journal::{
    ContestState, EventError, FILE_NAME, Fold, Header, JUDGING_LOCK, JournalError, Line, OFFICE_LINE, Record,
    check_length, check_line, encode, read_fold,
};
use judge_core::withdrawal::Withdrawal;
use judge_files::Folder;
use judge_job::Machine;

use crate::log::{LogFile, sync_names};

/// A journal open for judging. No other judge can open it meanwhile. Other processes can add lines of the contest's office. The
/// journal holds the contest that follows from its lines, so written lines need not be read again.
pub struct Journal {
    log: LogFile,
    /// The lock file, which is locked as long as the journal is open.
    _judging: File,
    /// The machines that have a line, with their indices.
    machines: HashMap<Machine, u32>,
    /// The index of the next machine line.
    next_machine: u32,
    /// The caller's clock, for the dates of lines; `None` for lines without dates.
    clock: Box<dyn Fn() -> Option<Date> + Send + Sync>,
    /// The contest after all lines on disk.
    fold: Fold,
    /// Events that other processes added to the fold, until [`Journal::catch_up`] returns them.
    others: Vec<Line>,
}

/// Lines that are about to be written, and the contest after them.
pub(crate) struct PendingLines {
    lines: Vec<(Line, Option<Date>)>,
    fold: Fold,
}

impl Journal {
    /// Begins a contest in a directory without one. The directory may have an office. The lines get dates from the clock, if it
    /// returns any.
    ///
    /// # Errors
    /// [`JournalError::Exists`] if the directory has a contest, [`JournalError::Refused`] if the header contradicts itself,
    /// [`JournalError::Locked`] and [`JournalError::Io`].
    pub fn create(
        directory: &Path,
        header: Header,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<Self, JournalError> {
        let path = directory.join(FILE_NAME);
        let at = clock();
        let refused = |error: EventError| JournalError::Refused { path: path.clone(), reason: error.reason };
        let fold = Fold::begin(header.clone(), at).map_err(refused)?;
        let header = Line::Contest(Box::new(header));
        check_length(encode(&header, at, &mut Default::default()).len()).map_err(refused)?;
        match LogFile::create(directory, |chain| encode(&header, at, chain)) {
            Ok(()) => {}
            Err(JournalError::Exists(_)) => begin_after_office(directory, &header, at)?,
            Err(error) => return Err(error),
        }
        let mut log = LogFile::open(directory)?;
        let judging = judging(directory)?;
        log.read(&mut |_| Ok(()))?;
        Ok(Self {
            log,
            _judging: judging,
            machines: HashMap::new(),
            next_machine: 0,
            clock: Box::new(clock),
            fold,
            others: Vec::new(),
        })
    }

    /// Opens the journal of a contest to continue it, and removes an incomplete last line.
    ///
    /// # Errors
    /// [`JournalError`] if no contest has begun, the journal is damaged, or another judge works on it.
    #[allow(clippy::missing_panics_doc, reason = "there are fewer machines than runs")]
    pub fn resume(
        directory: &Path,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<(Self, ContestState), JournalError> {
        let mut log = LogFile::open(directory)?;
        let judging = judging(directory)?;
        let (mut fold, torn_bytes) = log.take_up(|| read_fold(directory))?;
        let contents = fold.so_far();
        // A judge that was killed at the beginning may not have synced the names.
        sync_names(directory).map_err(|error| JournalError::Io { path: log.path().to_owned(), error })?;
        let mut machines = HashMap::new();
        for (machine, index) in contents.machines.iter().zip(0..) {
            machines.entry(machine.clone()).or_insert(index);
        }
        let next_machine = u32::try_from(contents.machines.len()).expect("fewer machines than runs");
        drop(contents);
        let mut journal =
            Self { log, _judging: judging, machines, next_machine, clock: Box::new(clock), fold, others: Vec::new() };
        let mut contents = journal.contents();
        contents.torn_bytes = torn_bytes;
        Ok((journal, contents))
    }

    /// The results directory that contains the journal.
    pub fn directory(&self) -> &Path {
        self.log.path().parent().unwrap_or(self.log.path())
    }

    /// The contest after all lines on disk. It is cheap, see [`Fold::so_far`].
    pub fn contents(&mut self) -> ContestState {
        let mut contents = self.fold.so_far();
        contents.chain.clone_from(self.log.chain());
        contents
    }

    /// Sets entries aside, or takes them back in, without a line. Returns the changed entries.
    pub(crate) fn set_aside(&mut self, changes: Vec<(String, Option<Withdrawal>)>) -> Vec<String> {
        self.fold.set_aside(changes)
    }

    /// The contest as it would be after these lines at the end of the journal.
    ///
    /// # Errors
    /// [`JournalError::Refused`] if one of the lines is not allowed after the earlier ones.
    pub fn preview(&self, lines: &[Line]) -> Result<ContestState, JournalError> {
        Ok(self.contents_with(&mut self.next(lines)?))
    }

    /// Writes events, one line each, and returns when all of them are on disk.
    ///
    /// # Errors
    /// [`JournalError::Refused`] if one of the lines is not allowed after the earlier ones, and [`JournalError::Io`]. Nothing has
    /// changed then.
    pub fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        loop {
            let next = self.next(lines)?;
            if self.append_next(next)? {
                return Ok(());
            }
        }
    }

    /// Reads what other processes have added, and returns their events since the last call.
    pub(crate) fn catch_up(&mut self) -> Result<Vec<Line>, JournalError> {
        let Self { log, fold, others, .. } = self;
        log.refresh(&mut |line| follow(fold, others, line))?;
        Ok(std::mem::take(others))
    }

    /// The contest after these lines, which [`Self::append_next`] writes.
    ///
    /// # Errors
    /// As [`Self::preview`].
    pub(crate) fn next(&self, lines: &[Line]) -> Result<PendingLines, JournalError> {
        let lines = self.dated(lines);
        Ok(PendingLines { fold: self.after(&lines)?, lines })
    }

    /// Writes lines that follow the lines on disk. Returns false and writes nothing if other processes have added events
    /// meanwhile.
    ///
    /// # Errors
    /// [`JournalError::Io`]; nothing has changed then.
    pub(crate) fn append_next(&mut self, PendingLines { lines, fold }: PendingLines) -> Result<bool, JournalError> {
        let known = self.others.len();
        let written = self.write(&lines, |others| others.len() == known)?;
        if written {
            self.fold = fold;
        }
        Ok(written)
    }

    /// The contest after lines that are about to be written.
    pub(crate) fn contents_with(&self, next: &mut PendingLines) -> ContestState {
        let mut contents = next.fold.so_far();
        contents.chain.clone_from(self.log.chain());
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
            let refused =
                |error: EventError| JournalError::Refused { path: self.log.path().to_owned(), reason: error.reason };
            check_line(line).and_then(|()| fold.apply(line.clone(), *at)).map_err(refused)?;
        }
        Ok(fold)
    }

    /// Writes lines if they still fit after what other processes have added. Returns true if they are written.
    fn write(
        &mut self,
        lines: &[(Line, Option<Date>)],
        fits: impl FnOnce(&[Line]) -> bool,
    ) -> Result<bool, JournalError> {
        let Self { log, fold, others, .. } = self;
        let mut locked = log.lock(&mut |line| follow(fold, others, line))?;
        if !fits(others) {
            return Ok(false);
        }
        let mut chain = locked.chain().clone();
        let bytes: Vec<u8> = lines.iter().flat_map(|(line, at)| encode(line, *at, &mut chain)).collect();
        locked.add(&bytes, chain).map(|()| true)
    }

    /// Writes finished runs, each with the machine that executed it, if any. Returns the records as written when all of them are
    /// on disk.
    ///
    /// # Errors
    /// [`JournalError::Refused`] for a run that is not planned, and [`JournalError::Io`].
    pub fn append_runs(&mut self, runs: Vec<(Record, Option<Machine>)>) -> Result<Vec<Record>, JournalError> {
        if let Some((run, _)) = runs.iter().find(|(run, _)| self.fold.attempts_at(&run.key).is_none()) {
            let reason = format!("{} on {} was run, but is not planned", run.key.entry, run.key.board);
            return Err(JournalError::Refused { path: self.log.path().to_owned(), reason });
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
        // Other processes change neither the planned runs nor the machines.
        self.write(&lines, |_| true).inspect_err(|_| {
            self.machines.retain(|_, index| *index < known);
            self.next_machine = known;
        })?;
        let mut records = Vec::with_capacity(lines.len());
        for (line, at) in lines {
            if let Line::Run(record) = &line {
                let mut record = (**record).clone();
                (record.at, record.earlier) = (at, self.fold.attempts_at(&record.key));
                records.push(record);
            }
            // Every run is planned and every machine is recorded, so this cannot fail.
            let refused =
                |error: EventError| JournalError::Refused { path: self.log.path().to_owned(), reason: error.reason };
            self.fold.apply(line, at).map_err(refused)?;
        }
        Ok(records)
    }

    /// Writes to another file from now on, and returns the previous one.
    #[cfg(test)]
    pub(crate) fn exchange_file(&mut self, file: File) -> File {
        self.log.exchange_file(file)
    }
}

/// Follows a line of another writer. The error is a fragment.
fn follow(fold: &mut Fold, others: &mut Vec<Line>, line: &[u8]) -> Result<(), EventError> {
    others.extend(fold.read(line)?);
    Ok(())
}

/// Begins the contest in a log that has lines of its office.
fn begin_after_office(directory: &Path, header: &Line, at: Option<Date>) -> Result<(), JournalError> {
    let mut log = LogFile::open(directory)?;
    let mut has_begun = false;
    let mut locked = log.lock(&mut |line| {
        has_begun |= !line.starts_with(OFFICE_LINE);
        Ok(())
    })?;
    if has_begun {
        return Err(JournalError::Exists(directory.to_owned()));
    }
    let mut chain = locked.chain().clone();
    let line = encode(header, at, &mut chain);
    locked.add(&line, chain)
}

/// Locks the judging of a contest while the file is open. A judge that was just killed may leave a child that still holds the
/// lock until its exec.
///
/// # Errors
/// [`JournalError::Locked`] if another judge works on the contest, and [`JournalError::Io`].
pub fn judging(directory: &Path) -> Result<File, JournalError> {
    let path = directory.join(JUDGING_LOCK);
    let failed = |error| JournalError::Io { path: path.clone(), error };
    let folder = Folder::open(directory).map_err(failed)?;
    let file = match folder.create_new(JUDGING_LOCK) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => folder.append(JUDGING_LOCK),
        made => made,
    };
    let file = file.map_err(failed)?;
    for _ in 0..20 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(std::time::Duration::from_millis(25)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    Err(JournalError::Locked(directory.join(FILE_NAME)))
}
