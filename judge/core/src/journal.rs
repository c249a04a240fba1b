//! The journal of a contest: a log of events, from which the contest at any moment follows.
//!
//! `journal.jsonl` in a results directory holds one JSON object per line. Its key `line` names the event:
//!
//! | `line` | contents | effect |
//! |---|---|---|
//! | `contest` | [`Header`]: format, plan, order of the runs of round 1, programs | the first line, and only that |
//! | `machine` | a machine | gets the next index from 0; records name the machine by it |
//! | `build` | [`Build`]: command, entries, what came of it | the latest build of an entry counts |
//! | `entry` | [`EntryEvent`]: an entry, and the hashes of its program | added, or replaced if the name is known |
//! | `board` | a board | added |
//! | `withdrawn` | entry and reason | the entry takes no place and is not run |
//! | `restored` | entry and reason | undoes `withdrawn` |
//! | `ruling` | [`ManualRuling`]: a run, its verdict, the reason | the verdict replaces that of the record |
//! | `round` | [`Round`]: number, name, order of its runs | opens the next round |
//! | `run` | [`Record`]: a finished run | the record of that run |
//! | `format` | a number | a journal of an older format continues in this one |
//!
//! [`Fold`] applies the events one after the other; [`Contents`] is the result. A contest whose plan never changes is
//! the special case of a header that only machines and runs follow. A journal of format 2 is that case: its header
//! contains the machine, its outputs are in `runs/ENTRY/BOARD.out`, and every attempt replaced the output before it.
//!
//! # What counts
//!
//! - Of several lines about one run the last one counts, be it a record or a ruling. All of them stay in the file.
//! - A board or an entry that is added gets runs in round 1, after those that are planned already. Once round 2 is
//!   open, no board and no new entry can be added.
//! - An entry whose program is replaced loses its records in the round that is open: those runs are missing again.
//! - A withdrawn entry keeps its records. They are shown, but take no place.
//!
//! # What is refused as damaged
//!
//! - a first line that is no header, a second header, a line that is not valid JSON or of an unknown kind
//! - a run or a ruling that is not planned, a ruling on a run that has no record
//! - a record that names a machine before its line
//! - a board that is already there, an unknown entry withdrawn, an entry withdrawn twice or restored without that
//! - a round with another number than the next one, or with a run that is planned twice or names unknown things
//!
//! A last line without its newline is none of that: a judge that was killed left it. It does not count, and the writer
//! removes it when the contest is resumed.

mod error;
mod event;
mod files;
mod fold;
mod record;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

pub use error::JournalError;
pub use event::{Build, Built, EntryAndReason, EntryEvent, Hashes, Header, Line, ManualRuling, Round};
pub use files::{OUTPUT, stderr_file, stderr_of, stdout_file, stdout_of};
pub use fold::{Contents, Fold};
pub use record::{Name, Record, RunKey};

/// The journal's file name in a results directory.
pub const FILE_NAME: &str = "journal.jsonl";
/// The format written here.
pub const FORMAT: u32 = 3;
/// The oldest format that can be read.
const OLDEST_FORMAT: u32 = 2;

/// The fields of a header that every format has.
#[derive(Deserialize)]
struct AnyHeader<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
    format: u32,
}

/// The field that every line has.
#[derive(Deserialize)]
struct AnyLine<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
}

/// Reads a results directory's journal without changing it.
pub fn read(directory: &Path) -> Result<Contents, JournalError> {
    let path = directory.join(FILE_NAME);
    let bytes = fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => JournalError::Missing(directory.to_owned()),
        _ => JournalError::Io { path: path.clone(), error },
    })?;
    parse(&path, &bytes)
}

/// Parses a journal's bytes; `path` is for errors.
fn parse(path: &Path, bytes: &[u8]) -> Result<Contents, JournalError> {
    let damaged = |line: usize, reason: String| JournalError::Damaged { path: path.into(), line, reason };
    // Without its newline a line is incomplete, whatever it contains.
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n').enumerate();

    let first = lines.next().map_or(&b""[..], |(_, line)| line);
    // The format alone first: the rest of an unknown format's header cannot be expected to parse.
    match serde_json::from_slice::<AnyHeader<'_>>(first) {
        Ok(AnyHeader { line, .. }) if line != "contest" => return Err(damaged(1, "the header is missing".into())),
        Ok(AnyHeader { format: OLDEST_FORMAT..=FORMAT, .. }) => {}
        Ok(AnyHeader { format, .. }) => return Err(JournalError::Format { path: path.into(), format }),
        Err(_) => return Err(damaged(1, "this is not the header of a journal".into())),
    }
    let header = serde_json::from_slice::<Header>(first).map_err(|error| damaged(1, error.to_string()))?;
    let mut fold = Fold::begin(header).map_err(|reason| damaged(1, reason))?;
    for (index, line) in lines {
        let line = decode(line).map_err(|error| damaged(index + 1, error.to_string()))?;
        fold.apply(line).map_err(|reason| damaged(index + 1, reason))?;
    }
    Ok(fold.finish((bytes.len() - whole) as u64))
}

/// Parses a line. A record, of which there may be millions, is parsed without the detour of a tagged enum.
fn decode(line: &[u8]) -> serde_json::Result<Line> {
    match &*serde_json::from_slice::<AnyLine<'_>>(line)?.line {
        "run" => Ok(Line::Run(serde_json::from_slice(line)?)),
        _ => serde_json::from_slice(line),
    }
}

/// The bytes of a journal line, newline included.
pub fn encode(line: &Line) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(line).expect("plain data with string keys has a JSON form");
    bytes.push(b'\n');
    bytes
}
