//! Errors of reading and writing a journal.

use std::io;
use std::path::{Path, PathBuf};

use judge_job::count_text;

use crate::hint::Hint;

use super::{FILE_NAME, FORMAT};

/// The lines that cutting a damaged journal would lose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostLines {
    /// Runs whose result is on one of these lines.
    pub runs: usize,
    /// Other events, such as rulings by hand.
    pub others: usize,
}

/// An event that is not allowed after the earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct EventError {
    /// The reason, as a fragment.
    pub reason: String,
}

impl EventError {
    /// An error with this reason, a fragment.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// The reason why a journal could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The operating system refused to read or write the file.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file that was to be read or written.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        #[source]
        error: io::Error,
    },
    /// A results directory already has a journal.
    #[error("{} already contains a contest", .0.display())]
    Exists(PathBuf),
    /// A directory has no journal.
    #[error("{} is not a results directory: no {FILE_NAME}", .0.display())]
    Missing(PathBuf),
    /// A directory has the journal of an office whose contest has not begun.
    #[error("{} has no results yet: no submission was judged, so the contest has not begun", .0.display())]
    NotBegun(PathBuf),
    /// Another judge works on the contest.
    #[error("{} is in use by another judge; wait until that one has ended", .0.display())]
    Locked(PathBuf),
    /// The path is not a directory.
    #[error("{} is a file, not a results directory{}", .0.display(), folder_of(.0))]
    NotDirectory(PathBuf),
    /// A line before the last one is invalid.
    #[error("{}:{line}: damaged: {reason}; {}", path.display(), advice(path, *line, lost))]
    Damaged {
        /// Path of the damaged journal, as it was opened.
        path: PathBuf,
        /// Number of the first damaged line, from 1.
        line: usize,
        /// The damage, as a fragment.
        reason: String,
        /// The contents of the file from this line on.
        lost: LostLines,
    },
    /// Events that are not allowed after those of the journal. Nothing was written.
    #[error("{}: {reason}; nothing was changed", path.display())]
    Refused {
        /// The path of the journal, which has not changed.
        path: PathBuf,
        /// The reason, as a fragment.
        reason: String,
    },
    /// A journal of version 0.2, whose figures have no names.
    #[error("{}: its figures have no names, so it was recorded by an earlier version of judge", .0.display())]
    Earlier(PathBuf),
    /// A format that this version cannot read.
    #[error("{}: unsupported format {format}; this version reads format {FORMAT}", path.display())]
    Format {
        /// Path of the journal with the unknown format.
        path: PathBuf,
        /// The format that its first line declares.
        format: u32,
    },
}

impl JournalError {
    /// The remedy, if one exists that the text does not name.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Exists(_) => Some(Hint::ContinueOrMove),
            Self::Missing(missing) => Some(Hint::ListResults { missing: missing.clone() }),
            Self::NotBegun(results) => {
                Some(Hint::JudgeSubmissions { contest: results.parent().unwrap_or(results).to_owned() })
            }
            Self::Earlier(path) => Some(Hint::Convert { results: path.parent().unwrap_or(Path::new(".")).to_owned() }),
            Self::Damaged { path, line: 2.., .. } => {
                let results = path.parent().unwrap_or(Path::new(".")).to_owned();
                Some(Hint::RunAgain { results })
            }
            _ => None,
        }
    }
}

/// The folder to name instead of a file of a results directory, as the end of a sentence.
fn folder_of(file: &Path) -> String {
    let is_of_results = file.file_name().is_some_and(|name| name == FILE_NAME || name == "results.csv");
    let folder = file.parent().filter(|folder| is_of_results && !folder.as_os_str().is_empty());
    let folder = folder.map_or("the folder with its journal".into(), |folder| folder.display().to_string());
    format!("; name {folder}")
}

/// The remedies for a damaged line, as a fragment. Each first keeps the damaged file.
fn advice(path: &Path, line: usize, lost: &LostLines) -> String {
    let damaged = quoted(&format!("{}.damaged", path.display()));
    let file = quoted(&path.display().to_string());
    let keep = format!("keep it with `cp {file} {damaged}`, then restore a copy");
    if line <= 1 {
        return format!("{keep}; without its first line nothing of it can be read");
    }
    let runs = count_text(lost.runs, "run", "runs");
    let loss = match (lost.runs, lost.others) {
        (0, others) => count_text(others, "event", "events"),
        (_, 0) => runs,
        (_, others) => format!("{runs} and {}", count_text(others, "other event", "other events")),
    };
    let last = line - 1;
    format!("{keep}, or cut it before this line with `head -n {last} {damaged} > {file}`, which loses {loss}")
}

/// A word quoted for a shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
