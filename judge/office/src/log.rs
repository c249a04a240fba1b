//! The office's lines in the log of its contest, with the state that follows from them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_contest::log::LogFile;
use judge_core::date::Date;
use judge_core::journal::{self, Chain, ContestState, EventError, JournalError, OFFICE_LINE};
use serde::Serialize;

use crate::OfficeError;
use crate::cached_file::SideFiles;
use crate::people::People;
use crate::private::{self, Private};
use crate::results::results_of;
use crate::state::{Access, Dated, FORMAT, Line, State};

/// The open log of a contest, with the state of its office after the lines that were read.
pub(crate) struct Log {
    file: LogFile,
    private: Private,
    beside: SideFiles,
    read: Read,
    /// The organiser who causes the next lines.
    by: Option<String>,
}

/// Lines that are about to be written together, and the state after them.
#[derive(Default)]
pub(crate) struct Batch {
    state: Arc<State>,
    chain: Chain,
    lines: u64,
    bytes: Vec<u8>,
    /// The lines that open private texts.
    texts: Vec<u8>,
}

impl Batch {
    /// Decides on lines after those of this batch, and adds all of them, or none. What the clock has caused by now comes first, even
    /// if the decision is refused.
    pub(crate) fn add<T>(
        &mut self,
        at: u64,
        by: Option<&str>,
        decide: impl FnOnce(&State) -> Result<(Vec<Line>, T), OfficeError>,
    ) -> Result<T, OfficeError> {
        self.write(at, None, self.state.due(at))?;
        let (lines, answer) = decide(&self.state)?;
        self.write(at, by, lines)?;
        Ok(answer)
    }

    /// Adds all of these lines, or none.
    fn write(&mut self, at: u64, by: Option<&str>, lines: Vec<Line>) -> Result<(), OfficeError> {
        if lines.is_empty() {
            return Ok(());
        }
        let (mut state, mut chain) = ((*self.state).clone(), self.chain.clone());
        let (count, mut bytes, mut texts) = (lines.len() as u64, Vec::new(), Vec::new());
        for line in lines {
            let mut dated = Dated { at, line };
            state.permits(&dated)?;
            if let Some(text) = dated.line.private() {
                texts.extend(private::seal(text)?);
            }
            bytes.extend(encode(&dated, by, &mut chain));
            state.apply(dated)?;
        }
        (self.state, self.chain) = (Arc::new(state), chain);
        self.lines += count;
        self.bytes.append(&mut bytes);
        self.texts.append(&mut texts);
        Ok(())
    }
}

/// The lines of the office that were read.
#[derive(Default)]
struct Read {
    state: Arc<State>,
    lines: u64,
    /// The number of private texts that were erased.
    erased: u64,
}

impl Log {
    /// Begins an office in this folder, in the log of the contest next to it.
    pub(crate) fn create(folder: &Path, at: u64) -> Result<Self, OfficeError> {
        let results = results_of(contest_of(folder));
        fs::create_dir_all(&results).map_err(|error| OfficeError::io(&results, error))?;
        let begun = Line::Office { format: FORMAT };
        match LogFile::create(&results, |chain| encode(&Dated { at, line: begun.clone() }, None, chain)) {
            // The contest has begun, or another process was faster.
            Ok(()) | Err(JournalError::Exists(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let mut log = Self::of(&results, folder)?;
        log.append(at, |state| Ok(((!state.has_begun()).then_some(begun).into_iter().collect(), ())))?;
        Ok(log)
    }

    /// Opens the log of the office in this folder and reads it.
    pub(crate) fn open(folder: &Path) -> Result<Self, OfficeError> {
        let missing = || OfficeError::Missing(folder.to_owned());
        match Self::of(&results_of(contest_of(folder)), folder) {
            Ok(log) if !log.read.state.has_begun() => Err(missing()),
            Err(OfficeError::Missing(_)) => Err(missing()),
            opened => opened,
        }
    }

    /// Opens the log in a results directory and reads it. `office` is the folder with the private texts.
    pub(crate) fn of(results: &Path, office: &Path) -> Result<Self, OfficeError> {
        let (private, beside) = (Private::of(office), SideFiles::of(office));
        let mut log = Self { file: LogFile::open(results)?, private, beside, read: Read::default(), by: None };
        let Self { file, private, beside, read, .. } = &mut log;
        file.read(&mut |line| read.follow(line, private))?;
        read.admit(beside)?;
        Ok(log)
    }

    /// Sets the organiser who causes the next lines.
    pub(crate) fn set_organiser(&mut self, name: Option<&str>) {
        self.by = name.map(str::to_owned);
    }

    /// The state after all lines that were read.
    pub(crate) fn state(&self) -> Arc<State> {
        self.read.state.clone()
    }

    /// Reads what other processes have added. Returns the bytes of an incomplete last line.
    pub(crate) fn refresh(&mut self) -> Result<u64, OfficeError> {
        let Self { file, private, beside, read, .. } = self;
        let incomplete = file.refresh(&mut |line| read.follow(line, private))?;
        read.admit(beside)?;
        Ok(incomplete)
    }

    /// Changes the tokens that are valid under a lock against other changes.
    pub(crate) fn change_access<T>(
        &mut self,
        change: impl FnOnce(&State, &mut Access) -> Result<T, OfficeError>,
    ) -> Result<T, OfficeError> {
        let Self { file, private, beside, read, .. } = self;
        let _locked = file.lock(&mut |line| read.follow(line, private))?;
        read.admit(beside)?;
        let mut changed = Access::clone(read.state.access());
        let answer = change(&read.state, &mut changed)?;
        if changed != **read.state.access() {
            beside.access.write(&changed)?;
        }
        read.admit(beside)?;
        Ok(answer)
    }

    /// The personal data of all teams.
    pub(crate) fn people(&mut self) -> Result<Arc<People>, OfficeError> {
        if let Some(people) = self.beside.people.refresh()? {
            self.read.set_people(Arc::new(people));
        }
        Ok(self.read.state.people().clone())
    }

    /// Changes the personal data of teams under a lock against other changes.
    pub(crate) fn change_people(&mut self, change: impl FnOnce(&mut People)) -> Result<(), OfficeError> {
        let Self { file, private, beside, read, .. } = self;
        let _locked = file.lock(&mut |line| read.follow(line, private))?;
        // A file that cannot be read must not be overwritten.
        if let Some(people) = beside.people.refresh()? {
            read.set_people(Arc::new(people));
        }
        let mut changed = People::clone(read.state.people());
        change(&mut changed);
        if changed != **read.state.people() {
            beside.people.write(&changed)?;
        }
        read.admit(beside)
    }

    /// Decides on lines, given the state after all lines of all writers, and adds them. They are on disk when this returns.
    pub(crate) fn append<T>(
        &mut self,
        at: u64,
        decide: impl FnOnce(&State) -> Result<(Vec<Line>, T), OfficeError>,
    ) -> Result<T, OfficeError> {
        let by = self.by.clone();
        self.append_batch(|batch| batch.add(at, by.as_deref(), decide))?
    }

    /// Adds what the clock has caused by now.
    pub(crate) fn append_due(&mut self, at: u64) -> Result<(), OfficeError> {
        self.append(at, |_| Ok((Vec::new(), ())))
    }

    /// Adds all lines of a batch that `fill` begins with the state after all lines of all writers. They are on disk when this
    /// returns. If this fails, none of them is in the log.
    pub(crate) fn append_batch<T>(&mut self, fill: impl FnOnce(&mut Batch) -> T) -> Result<T, OfficeError> {
        let Self { file, private, beside, read, .. } = self;
        let mut locked = file.lock(&mut |line| read.follow(line, private))?;
        read.admit(beside)?;
        let mut batch = Batch { state: read.state.clone(), chain: locked.chain().clone(), ..Batch::default() };
        let answer = fill(&mut batch);
        if batch.lines > 0 {
            private.keep(&batch.texts)?;
            locked.add(&batch.bytes, batch.chain)?;
            read.lines += batch.lines;
            read.state = batch.state;
        }
        Ok(answer)
    }

    /// Adds an event of the contest. It must be allowed after all lines of all writers, `check` must accept the contest after it,
    /// and the results must not be final.
    pub(crate) fn append_of_contest(
        &mut self,
        at: u64,
        event: &journal::Line,
        check: impl FnOnce(&State, ContestState) -> Result<(), OfficeError>,
    ) -> Result<(), OfficeError> {
        self.append_due(at)?;
        let Self { file, private, beside, read, by } = self;
        let results = file.path().parent().unwrap_or(file.path()).to_owned();
        let mut locked = file.lock(&mut |line| read.follow(line, private))?;
        read.admit(beside)?;
        read.state.check_not_final()?;
        check(&read.state, journal::preview(&results, std::slice::from_ref(event))?)?;
        let mut chain = locked.chain().clone();
        let at = Some(Date::from_unix(at));
        let line = match by {
            // A ruling already names its author.
            Some(by) if !matches!(event, journal::Line::Ruling(_)) => {
                journal::encode(&Signed { event, by }, at, &mut chain)
            }
            _ => journal::encode(event, at, &mut chain),
        };
        Ok(locked.add(&line, chain)?)
    }

    /// The number of lines of the office that were read.
    pub(crate) fn lines(&self) -> u64 {
        self.read.lines
    }

    /// The number of private texts that were erased. Their hashes prove nothing.
    pub(crate) fn erased(&self) -> u64 {
        self.read.erased
    }

    /// Simulates limits of the disk.
    #[cfg(test)]
    pub(crate) fn pretend(&mut self, disk: judge_contest::log::SimulatedDisk) {
        self.file.pretend(disk);
    }
}

impl Read {
    /// Reads the valid tokens and the personal data, if they have changed.
    fn admit(&mut self, beside: &mut SideFiles) -> Result<(), OfficeError> {
        if let Some(access) = beside.access.refresh()? {
            self.set_access(Arc::new(access));
        }
        // An unreadable file must not stop the contest: without it, the board only shows less.
        if let Ok(Some(people)) = beside.people.refresh() {
            self.set_people(Arc::new(people));
        }
        Ok(())
    }

    fn set_people(&mut self, people: Arc<People>) {
        if *people != **self.state.people() {
            Arc::make_mut(&mut self.state).set_people(people);
        }
    }

    fn set_access(&mut self, access: Arc<Access>) {
        if *access != **self.state.access() {
            Arc::make_mut(&mut self.state).set_access(access);
        }
    }

    /// Follows a line of another writer.
    fn follow(&mut self, line: &[u8], private: &mut Private) -> Result<(), EventError> {
        fn refused(error: impl ToString) -> EventError {
            EventError::new(error.to_string())
        }
        if !line.starts_with(OFFICE_LINE) {
            return Ok(());
        }
        let mut dated = Dated::read(line).map_err(refused)?;
        if let Some(text) = dated.line.private() {
            private.open(text).map_err(refused)?;
            self.erased += u64::from(text.is_erased());
        }
        Arc::make_mut(&mut self.state).apply(dated).map_err(refused)?;
        self.lines += 1;
        Ok(())
    }
}

/// The contest's folder that belongs to an office.
fn contest_of(office: &Path) -> &Path {
    office.parent().unwrap_or(office)
}

/// The path of the log that an office writes.
pub fn path_of(office: &Path) -> PathBuf {
    results_of(contest_of(office)).join(journal::FILE_NAME)
}

/// The last lines of the office in the log, within at most this many bytes at its end.
///
/// # Errors
/// The system's error if the log cannot be read.
pub fn tail(office: &Path, most: u64) -> io::Result<String> {
    let tail = judge_files::regular::tail(&path_of(office), most)?;
    let lines = tail.split_inclusive(|&byte| byte == b'\n').filter(|line| line.starts_with(OFFICE_LINE));
    Ok(lines.map(String::from_utf8_lossy).collect())
}

/// An event of the contest with the organiser who caused it.
#[derive(Serialize)]
struct Signed<'l> {
    #[serde(flatten)]
    event: &'l journal::Line,
    by: &'l str,
}

/// The encoding of a line on disk, with the organiser who caused it.
pub(crate) fn encode(Dated { at, line: event }: &Dated, by: Option<&str>, chain: &mut Chain) -> Vec<u8> {
    /// A line of the office in its written form. It begins as [`OFFICE_LINE`].
    #[derive(Serialize)]
    struct Stored<'l> {
        line: &'static str,
        #[serde(flatten)]
        event: &'l Line,
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<&'l str>,
    }
    // The line already names the person who claims a question.
    let by = by.filter(|_| !matches!(event, Line::Claimed { .. }));
    journal::encode(&Stored { line: "office", event, by }, Some(Date::from_unix(*at)), chain)
}

/// Syncs the names in a folder to disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    judge_files::Folder::open(folder)?.sync()
}

#[cfg(test)]
mod tests;
