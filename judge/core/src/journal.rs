//! The journal of a contest: a log of events that determine the contest at any moment.
//!
//! `journal.jsonl` in a results directory has one JSON object per line. Its key `line` names the event, and `at` is its [`Date`],
//! for people only:
//!
//! | `line` | contents | effect |
//! |---|---|---|
//! | `contest` | [`Header`]: format, plan, order of the runs of round 1, programs | the first line; it occurs only there |
//! | `machine` | a machine | gets the next index from 0; records name the machine by it |
//! | `build` | [`Build`]: command, entries, result | the latest build of an entry counts |
//! | `entry` | [`EntryEvent`]: an entry, and the hashes of its program | added, or replaced if the name is known |
//! | `program` | [`ProgramEvent`]: the program of the following runs | a version; existing runs still count |
//! | `board` | [`BoardEvent`]: a board | added, or replaced if the name is known |
//! | `struck` | board and reason | the board does not count and is not run |
//! | `reinstated` | board and reason | undoes `struck` |
//! | `withdrawn` | entry and reason of a withdrawal or disqualification | the entry takes no place and is not run |
//! | `restored` | entry and reason | undoes `withdrawn` |
//! | `settings` | [`Settings`]: the other parts of the plan that can change | they apply from now on |
//! | `ruling` | [`ManualRuling`]: a run, its verdict, the reason | the verdict replaces that of the record |
//! | `ruling_undone` | [`RulingUndone`]: a run | restores the record before the last ruling by hand on it |
//! | `rejudgement` | [`Rejudgement`]: a referee, all its new rulings | they replace verdict, position and remarks of runs |
//! | `referee` | [`RefereeEvent`]: the definition of a referee that is a program | it replaces that of the plan |
//! | `round` | [`Round`]: number, name, order of its runs, entries that did not count | opens the next round |
//! | `players` | [`Players`]: tables of entries | in matches between teams, they play the games of round 1 from now on |
//! | `run` | [`Record`]: a finished run | the record of that run |
//! | `office` | an event of the contest's office, whose kind is `event` | no effect here: it changes the office |
//!
//! An office can begin the log before the contest begins, so its lines may precede the header.
//!
//! Each line ends with its hash in the [`Chain`] of all lines.
//!
//! [`Fold`] applies the events one after the other, and [`ContestState`] is the result. A contest whose plan never changes has
//! only machines and runs after its header.
//!
//! # What counts
//!
//! - Of several lines about one run, the last one counts, whether it is a record or a ruling. All of them stay in the file.
//! - A new board or entry gets runs in round 1. Once round 2 is open, neither can be added to a round that is open or over.
//! - An entry whose program is replaced, or a board with another text, loses its records in the open round: those runs are
//!   missing again. The records stay in the history, and the next attempts get the next numbers.
//! - A withdrawn or disqualified entry, and a struck board, keep their records, which do not count.
//! - The order of runs, boards and entries follows from the present plan, and not from the order of the events.
//!
//! # What is refused as damaged
//!
//! - a first line that is not a header, a second header, a line that is not valid JSON or has an unknown kind
//! - a line whose hash does not follow from it and the line before
//! - a run or a ruling that is not planned, a ruling on a run without a record, and undoing a ruling that does not exist
//! - a record that names a machine before the machine's line
//! - withdrawing an unknown entry, or one twice, restoring one that is not withdrawn; equally for struck boards
//! - a round with another number than the next one, or with impossible runs of entries and boards
//!
//! A journal records events, and never their consequences: reading one applies no rule that may change. So a round counts as
//! recorded; [`crate::advance::deviations`] compares it with the present rules.
//!
//! A last line without its newline is not damage: a judge that was killed left it. It does not count, and the writer removes it
//! when the contest is resumed.

mod chain;
mod compact;
mod contents;
#[cfg(test)]
mod contents_tests;
mod error;
mod event;
mod extras;
mod files;
mod fold;
mod history;
#[cfg(test)]
mod history_tests;
#[cfg(test)]
mod parts_tests;
#[cfg(test)]
mod problem_tests;
mod record;
mod records;
#[cfg(test)]
mod referee_tests;
#[cfg(test)]
mod round_tests;
mod run_line;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::figure::EARLIER;
use judge_files::regular;
use run_line::{RUN_LINE, RunReader};

pub use crate::plan::REFEREE_PROGRAM;
pub use chain::{Chain, ChainError};
pub(crate) use compact::{CompactRecords, CompactRun};
pub use contents::{ContestMetadata, ContestState, Version};
pub use error::{EventError, JournalError, LostLines};
pub use event::{
    Answer, BoardAndReason, BoardEvent, Build, Built, EntryAndReason, EntryEvent, FETCH_LOG, Header, Line,
    ManualRuling, Players, ProblemSettings, ProgramEvent, RefereeEvent, Rejudged, Rejudgement, Round, RulingUndone,
    Settings, referee_log,
};
pub use extras::{ExtraFields, Extras, Pass};
pub use files::{
    BUILDS, OUTPUT, Part, STORED, as_recorded, frames_file, frames_of, stderr_file, stderr_of, stdout_file, stdout_of,
    transcript_file,
};
pub use fold::Fold;
pub use history::HistoryEvent;
pub use record::{Output, Record};
pub use records::Records;

/// The journal's file name in a results directory.
pub const FILE_NAME: &str = "journal.jsonl";
/// The file next to the journal that is locked while a judge works on the contest.
pub const JUDGING_LOCK: &str = "judging.lock";
/// The format of the journals that this version begins.
pub const FORMAT: u32 = 6;
/// The beginning of a line of the contest's office.
pub const OFFICE_LINE: &[u8] = b"{\"line\":\"office\",";
/// The longest line, in bytes: the header has the whole contest.
const LONGEST_LINE: u64 = 1 << 30;
/// The bytes that are read at a time, because a journal of a million runs is long.
const READ_AT_ONCE: usize = 1 << 16;

/// The fields of a header that every format has.
#[derive(Deserialize)]
struct AnyHeader<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
    format: u32,
}

/// The fields that every line can have.
#[derive(Deserialize)]
struct AnyLine {
    at: Option<Date>,
}

/// Called with each line after the header, and the fold of the lines before it.
pub type OnLine<'a> = &'a mut dyn FnMut(&mut Fold, &mut Line);
/// Called with each line of the contest's office, without its hash.
pub type OnOffice<'a> = &'a mut dyn FnMut(&[u8]) -> Result<(), EventError>;

/// Reads a results directory's journal without changing it.
///
/// # Errors
///
/// The journal is missing, damaged, or has a format that this version cannot read.
pub fn read(directory: &Path) -> Result<ContestState, JournalError> {
    let path = directory.join(FILE_NAME);
    parse(&path, open(directory, &path)?)
}

/// Reads the journal of a results directory, and passes every line after the header to `on_line`, except those of an office.
///
/// # Errors
///
/// The journal is missing, damaged, or has a format that this version cannot read.
pub fn read_lines(directory: &Path, on_line: OnLine<'_>) -> Result<ContestState, JournalError> {
    let path = directory.join(FILE_NAME);
    let (fold, chain, incomplete) = fold(&path, open(directory, &path)?, Some(on_line), None)?;
    Ok(fold.finish(chain, incomplete))
}

/// Reads the journal of a results directory, and passes every line of an office to `on_office`. The caller knows then which
/// submissions count.
///
/// # Errors
///
/// As [`read`], and `on_office` refuses a line.
pub fn read_with_office(directory: &Path, on_office: OnOffice<'_>) -> Result<ContestState, JournalError> {
    let path = directory.join(FILE_NAME);
    let (fold, chain, incomplete) = fold(&path, open(directory, &path)?, None, Some(on_office))?;
    Ok(fold.finish(chain, incomplete))
}

/// Reads the journal of a contest that is only ranked. Its records are kept in few bytes, and [`CompactRecords`] has the rest of
/// them.
pub(crate) fn read_compact(directory: &Path) -> Result<(ContestState, CompactRecords), JournalError> {
    let path = directory.join(FILE_NAME);
    let (fold, chain, incomplete) =
        fold(&path, open(directory, &path)?, Some(&mut |fold, _| fold.compact_records()), None)?;
    Ok(fold.finish_compact(chain, incomplete))
}

fn open(directory: &Path, path: &Path) -> Result<BufReader<File>, JournalError> {
    let file = regular::open_beneath(directory, path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => JournalError::Missing(directory.to_owned()),
        io::ErrorKind::NotADirectory => JournalError::NotDirectory(directory.to_owned()),
        _ => JournalError::Io { path: path.to_owned(), error },
    })?;
    Ok(BufReader::with_capacity(READ_AT_ONCE, file))
}

/// Reads a journal to continue it: the fold of its lines, the end of their chain, and the bytes of an incomplete last line.
///
/// # Errors
/// [`JournalError`] if the journal is missing or cannot be read, or one of its lines is damaged.
pub fn read_fold(directory: &Path) -> Result<(Fold, Chain, u64), JournalError> {
    let path = directory.join(FILE_NAME);
    fold(&path, open(directory, &path)?, None, None)
}

/// Reads a journal as if it ended with these additional lines.
///
/// # Errors
///
/// The journal is missing, damaged, or has a format that this version cannot read, or a line is not allowed.
pub fn preview(directory: &Path, lines: &[Line]) -> Result<ContestState, JournalError> {
    let path = directory.join(FILE_NAME);
    let (mut fold, chain, incomplete) = read_fold(directory)?;
    for line in lines {
        let refused = |error: EventError| JournalError::Refused { path: path.clone(), reason: error.reason };
        fold.apply(line.clone(), None).map_err(refused)?;
    }
    Ok(fold.finish(chain, incomplete))
}

/// Parses a journal line by line; `path` is for errors.
///
/// # Errors
///
/// As [`read`].
pub fn parse(path: &Path, journal: impl BufRead) -> Result<ContestState, JournalError> {
    let (fold, chain, incomplete) = fold(path, journal, None, None)?;
    Ok(fold.finish(chain, incomplete))
}

/// Applies a journal's lines one by one. Also returns the end of their chain, and the bytes of an incomplete last line.
fn fold(
    path: &Path,
    journal: impl BufRead,
    on_line: Option<OnLine<'_>>,
    on_office: Option<OnOffice<'_>>,
) -> Result<(Fold, Chain, u64), JournalError> {
    let mut lines = Lines { path, journal, line: Vec::new(), number: 0, incomplete: 0 };
    fold_lines(&mut lines, on_line, on_office).map_err(|error| match error {
        JournalError::Damaged { reason, path, .. } if reason.contains(EARLIER) => JournalError::Earlier(path),
        JournalError::Damaged { path, line, reason, .. } => {
            JournalError::Damaged { path, line, reason, lost: lines.rest() }
        }
        error => error,
    })
}

fn fold_lines(
    lines: &mut Lines<'_, impl BufRead>,
    mut on_line: Option<OnLine<'_>>,
    mut on_office: Option<OnOffice<'_>>,
) -> Result<(Fold, Chain, u64), JournalError> {
    let path = lines.path;
    let damaged = |line: usize, reason: String| JournalError::Damaged {
        path: path.into(),
        line,
        reason,
        lost: LostLines::default(),
    };

    let mut chain = Chain::default();
    while lines.next()? && lines.line.starts_with(OFFICE_LINE) {
        let refuse = |reason: String| damaged(lines.number, reason);
        chain.open(&mut lines.line).map_err(|error| refuse(error.to_string()))?;
        on_office.as_mut().map_or(Ok(()), |look| look(&lines.line)).map_err(|error| refuse(error.reason))?;
    }
    if lines.line.is_empty() && lines.number > 0 {
        return Err(JournalError::NotBegun(path.parent().unwrap_or(path).to_owned()));
    }
    let header = |reason: String| damaged(lines.number.max(1), reason);
    // Only the format is read first, because the header of an unknown format may not parse.
    match serde_json::from_slice::<AnyHeader<'_>>(&lines.line) {
        Ok(AnyHeader { line, .. }) if line != "contest" => return Err(header("the header is missing".into())),
        Ok(AnyHeader { format: FORMAT, .. }) => {}
        Ok(AnyHeader { format, .. }) => return Err(JournalError::Format { path: path.into(), format }),
        Err(_) => return Err(header("this is not the header of a journal".into())),
    }
    chain.open(&mut lines.line).map_err(|error| header(error.to_string()))?;
    let begun = serde_json::from_slice::<Header>(&lines.line).map_err(|error| header(error.to_string()))?;
    let AnyLine { at, .. } = serde_json::from_slice(&lines.line).map_err(|error| header(error.to_string()))?;
    let mut fold = Fold::begin(begun, at).map_err(|error| header(error.reason))?;
    fold.office_lines = lines.number - 1;
    let mut runs = RunReader::default();
    while lines.next()? {
        let refuse = |reason: String| damaged(lines.number, reason);
        chain.open(&mut lines.line).map_err(|error| refuse(error.to_string()))?;
        if lines.line.starts_with(OFFICE_LINE) {
            fold.office_lines += 1;
            on_office.as_mut().map_or(Ok(()), |look| look(&lines.line)).map_err(|error| refuse(error.reason))?;
            continue;
        }
        let (mut line, at) = decode(&lines.line, &mut runs).map_err(|error| refuse(error.to_string()))?;
        if let Some(look) = &mut on_line {
            look(&mut fold, &mut line);
        }
        fold.apply(line, at).map_err(|error| refuse(error.reason))?;
    }
    Ok((fold, chain, lines.incomplete))
}

/// The whole lines of a journal.
struct Lines<'a, R> {
    path: &'a Path,
    journal: R,
    /// The current line with its newline.
    line: Vec<u8>,
    /// Number of the current line, from 1; 0 before the first.
    number: usize,
    /// Bytes of an incomplete last line.
    incomplete: u64,
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads the next whole line. A line without its newline is incomplete, whatever it contains.
    fn next(&mut self) -> Result<bool, JournalError> {
        self.line.clear();
        let read = (&mut self.journal).take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        read.map_err(|error| JournalError::Io { path: self.path.into(), error })?;
        if self.line.len() as u64 == LONGEST_LINE {
            let reason = "the line is longer than any line of a journal".into();
            let (path, line, lost) = (self.path.into(), self.number + 1, LostLines::default());
            return Err(JournalError::Damaged { path, line, reason, lost });
        }
        if self.line.last() != Some(&b'\n') {
            self.incomplete = self.line.len() as u64;
            self.line.clear();
            return Ok(false);
        }
        self.number += 1;
        Ok(true)
    }

    /// Counts the lines from the current one, which is damaged. None of them is trusted, so only their beginnings are read.
    fn rest(&mut self) -> LostLines {
        let mut lost = LostLines::default();
        loop {
            if self.line.starts_with(RUN_LINE) {
                lost.runs += 1;
            } else if !self.line.is_empty() {
                lost.others += 1;
            }
            if !self.next().unwrap_or(false) {
                return lost;
            }
        }
    }
}

/// Parses a line and its date.
fn decode(line: &[u8], runs: &mut RunReader) -> serde_json::Result<(Line, Option<Date>)> {
    if line.starts_with(RUN_LINE) {
        return runs.read(line).map(|(record, at)| (Line::Run(Box::new(record)), at));
    }
    let AnyLine { at, .. } = serde_json::from_slice(line)?;
    Ok((serde_json::from_slice(line)?, at))
}

/// Checks that a reader accepts a line that is about to be written: a figure in it may be out of its range, or the line may be
/// too long.
///
/// # Errors
///
/// The reader's reason.
///
/// # Panics
///
/// As [`encode`].
pub fn check_line(line: &Line) -> Result<(), EventError> {
    let bytes = serde_json::to_vec(line).expect("plain data with string keys has a JSON form");
    check_length(bytes.len())?;
    decode(&bytes, &mut RunReader::default()).map(drop).map_err(|error| EventError::new(error.to_string()))
}

/// Checks that a line of this number of bytes is not longer than a reader accepts.
///
/// # Errors
///
/// The line is longer.
pub fn check_length(bytes: usize) -> Result<(), EventError> {
    /// Bytes for the date and the hash.
    const SEAL: u64 = 1 << 10;
    if (bytes as u64) < LONGEST_LINE - SEAL {
        return Ok(());
    }
    let (size, most) = (bytes >> 20, LONGEST_LINE >> 20);
    Err(EventError::new(format!(
        "a line of {size} MiB is longer than a line of a journal can be, {most} MiB; split this contest in two"
    )))
}

/// The bytes of the next line of a journal, including its newline. It has a date if the caller has a clock.
///
/// # Panics
///
/// On a line without a JSON form. No line of a contest is such: its maps have text as keys.
pub fn encode(line: &impl Serialize, at: Option<Date>, chain: &mut Chain) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(line).expect("plain data with string keys has a JSON form");
    if let Some(at) = at {
        bytes.truncate(bytes.len() - "}".len());
        bytes.extend_from_slice(format!(",\"at\":\"{at}\"}}").as_bytes());
    }
    bytes.push(b'\n');
    chain.seal(&mut bytes);
    bytes
}
