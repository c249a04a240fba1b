//! The journal of a contest: its plan, then one line a finished run, each on disk before it is announced.
//!
//! `journal.jsonl` holds one JSON object a line. The head comes into being whole; a line that a dying judge left torn
//! at the end is dropped when the journal is opened again. Where a run stands twice, as after a judge error, the
//! later line counts.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use judge_job::{Contention, Isolation, Machine, Usage};

use crate::plan::{Overrides, Plan};
use crate::verdict::Verdict;

/// The journal's file name in a results directory.
pub const FILE_NAME: &str = "journal.jsonl";
/// The folder of a results directory that keeps what entries printed.
pub const OUTPUTS: &str = "runs";
/// The format written here; another one is refused.
const FORMAT: u32 = 2;

/// The first line: which contest this is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the journal's format.
    pub format: u32,
    /// Version of the judge that began the contest.
    pub judge: String,
    /// The machine it began on.
    pub machine: Machine,
    /// The contest file, as seen from the results directory; absolute where that lies outside the contest's folder.
    pub contest_file: PathBuf,
    /// What the command line changed of it.
    pub overrides: Overrides,
    /// The contest itself.
    pub plan: Plan,
    /// All runs in the order in which they are started.
    pub order: Vec<RunKey>,
    /// SHA-256 of the files an entry's command names, by entry and file.
    pub programs: BTreeMap<String, BTreeMap<String, String>>,
}

/// Which run of a contest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunKey {
    /// The round, from 1.
    pub round: u32,
    /// Name of the entry.
    pub entry: String,
    /// Name of the board.
    pub board: String,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its place in the order of runs, from 1.
    pub seq: usize,
    /// Which run.
    #[serde(flatten)]
    pub key: RunKey,
    /// Which attempt at it, from 1: more where a suspect run was repeated, or one that the judge had spoilt.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub attempt: u32,
    /// What it came to.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Wall clock in microseconds; `None` where nothing ran.
    pub wall_us: Option<u64>,
    /// The limit it ran under, in milliseconds.
    pub limit_ms: u64,
    /// What its processes used.
    #[serde(flatten)]
    pub usage: Usage,
    /// How much others disturbed it; `None` where nothing ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Why its time cannot be trusted, as a fragment; `None` where it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspect: Option<String>,
    /// Bytes on standard output, up to the cap.
    pub stdout_bytes: u64,
    /// Bytes on standard error.
    pub stderr_bytes: u64,
    /// What held the entry's processes together.
    pub isolation: Isolation,
    /// The position in which the replay ended, in one line; `None` where nothing was replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_board: Option<String>,
    /// What else the organiser should know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn first() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_first(attempt: &u32) -> bool {
    *attempt == 1
}

/// One line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// The header.
    Contest(Box<Header>),
    /// A finished run.
    Run(Box<Record>),
}

#[derive(Deserialize)]
struct FormatOnly {
    format: u32,
}

/// The file that keeps what an entry printed on standard output.
pub fn stdout_file(results: &Path, key: &RunKey) -> PathBuf {
    results.join(OUTPUTS).join(&key.entry).join(format!("{}.out", key.board))
}

/// The file that keeps the head and the tail of what an entry printed on standard error.
pub fn stderr_file(results: &Path, key: &RunKey) -> PathBuf {
    stdout_file(results, key).with_extension("err")
}

/// Why a journal could not be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A results directory already holds one.
    #[error("{} already holds a contest; continue it with --resume, or name another directory", .0.display())]
    Exists(PathBuf),
    /// There is none.
    #[error("{} holds no {FILE_NAME}; is it the directory that `judge run` named?", .0.display())]
    Missing(PathBuf),
    /// Another judge is writing it.
    #[error("{} is in use by another judge; wait until that one has ended", .0.display())]
    Locked(PathBuf),
    /// A line in its middle cannot be read, which no dying judge leaves behind.
    #[error("{}:{line}: damaged: {reason}; restore a copy, or remove a run's line to have it run again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why it cannot be read.
        reason: String,
    },
    /// Another format.
    #[error("{}: is of format {format}, this judge reads format {FORMAT}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
}

/// What a journal holds.
pub struct Contents {
    /// Its head.
    pub head: Header,
    /// One record a run, in the order of the head; of a run that stands twice the later one.
    pub records: Vec<Record>,
    /// Bytes of a torn last line that do not count; 0 for none.
    pub torn_bytes: u64,
}

impl Header {
    /// The head of a contest that begins now.
    pub fn new(
        contest_file: PathBuf,
        overrides: Overrides,
        plan: Plan,
        order: Vec<RunKey>,
        programs: BTreeMap<String, BTreeMap<String, String>>,
        machine: Machine,
    ) -> Self {
        let judge = env!("CARGO_PKG_VERSION").into();
        Self { format: FORMAT, judge, machine, contest_file, overrides, plan, order, programs }
    }
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
    // Without its newline a line is torn, whatever it holds.
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let torn_bytes = (bytes.len() - whole) as u64;
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n').enumerate();

    let first = lines.next().map_or(&b""[..], |(_, line)| line);
    // The format alone first: the rest of another format's head cannot be expected to parse.
    match serde_json::from_slice(first) {
        Ok(FormatOnly { format: FORMAT }) => {}
        Ok(FormatOnly { format }) => return Err(JournalError::Format { path: path.into(), format }),
        Err(_) => return Err(damaged(1, "this is not the head of a journal".into())),
    }
    let head = match serde_json::from_slice(first) {
        Ok(Line::Contest(head)) => head,
        Ok(Line::Run(_)) => return Err(damaged(1, "the head is missing".into())),
        Err(error) => return Err(damaged(1, error.to_string())),
    };
    let planned = |key: &RunKey| {
        head.plan.entries.iter().any(|entry| entry.name == key.entry)
            && head.plan.boards.iter().any(|board| board.name == key.board)
    };
    if let Some(RunKey { entry, board, .. }) = head.order.iter().find(|key| !planned(key)) {
        return Err(damaged(1, format!("{entry} on {board} is to be run, but the plan does not have both")));
    }
    let mut by_key: BTreeMap<RunKey, Record> = BTreeMap::new();
    for (index, line) in lines {
        match serde_json::from_slice::<Line>(line) {
            Ok(Line::Run(record)) => {
                by_key.insert(record.key.clone(), *record);
            }
            Ok(Line::Contest(_)) => return Err(damaged(index + 1, "a second head".into())),
            Err(error) => return Err(damaged(index + 1, error.to_string())),
        }
    }
    let records: Vec<Record> = head.order.iter().filter_map(|key| by_key.remove(key)).collect();
    if let Some(foreign) = by_key.values().next() {
        let RunKey { entry, board, .. } = &foreign.key;
        return Err(damaged(1, format!("{entry} on {board} was run, but the head does not plan it")));
    }
    Ok(Contents { head: *head, records, torn_bytes })
}

/// The bytes of a journal line, newline included.
pub fn encode(line: &Line) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(line).expect("plain data with string keys has a JSON form");
    bytes.push(b'\n');
    bytes
}
