//! The sources of the record book: results directories of `judge run`, and certificates.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loyd_kit::Board;
use serde::Deserialize;

use super::{Found, RecordError};
use crate::certificate::Certificate;

/// The part of a journal's lines that is needed here.
#[derive(Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
enum Line {
    Contest {
        plan: Plan,
    },
    /// An entry that was added or replaced.
    Entry {
        entry: Entry,
    },
    /// A board that was added or replaced.
    Board(NamedBoard),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Plan {
    boards: Vec<NamedBoard>,
    entries: Vec<Entry>,
    limits: Limits,
}

#[derive(Deserialize)]
struct NamedBoard {
    name: String,
    text: String,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    command: Vec<String>,
    limits: Option<Limits>,
}

#[derive(Clone, Copy, Deserialize)]
struct Limits {
    wall_ms: u64,
}

/// The effort to check certificates, and who found them.
pub struct Effort<'a> {
    /// Name of the finder, which a certificate does not contain.
    pub found_by: &'a str,
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Time after which `house-check` stops; the rest of a bound is then reproduced instead.
    pub time: Duration,
    /// Receives a line after each step.
    pub progress: &'a dyn Fn(String),
}

impl std::fmt::Debug for Effort<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Effort").field("threads", &self.threads).field("time", &self.time).finish_non_exhaustive()
    }
}

/// A results directory or a certificate.
#[derive(Debug)]
pub struct Source;

impl Source {
    /// Reads all answers and bounds of a results directory or a certificate, and checks the bounds.
    ///
    /// # Errors
    /// If a file is missing or has invalid content, or a certificate is refused.
    pub fn read(path: &Path, effort: &Effort<'_>) -> Result<Vec<Found>, RecordError> {
        if path.is_dir() { results(path) } else { certificate(path, effort).map(|found| vec![found]) }
    }
}

fn invalid(path: &Path, reason: impl ToString) -> RecordError {
    RecordError::Invalid { path: path.to_owned(), reason: reason.to_string() }
}

/// Checks a certificate by `house-check`; what that does not finish is searched again by this program.
fn certificate(path: &Path, effort: &Effort<'_>) -> Result<Found, RecordError> {
    let text = fs::read_to_string(path).map_err(|error| RecordError::Io { path: path.to_owned(), error })?;
    // So that a later check continues what this one does not finish.
    let mut kept = path.as_os_str().to_owned();
    kept.push(".check");
    let progress = Some(PathBuf::from(kept));
    let limits = house_check::Limits { threads: effort.threads, time: Some(effort.time), progress };
    let checked = house_check::check_certificate(&text, &limits, &mut |line| (effort.progress)(line));
    let checked = checked.map_err(|reason| invalid(path, format!("refused by house-check: {reason}")))?;
    let certificate = Certificate::read(path).map_err(|error| invalid(path, error))?;
    if checked.complete() {
        certificate.consistent().map_err(|error| invalid(path, error))?;
    } else {
        certificate.check(effort.threads, |line| (effort.progress)(line)).map_err(|error| invalid(path, error))?;
    }
    let board = certificate.board.parse().map_err(|error| invalid(path, error))?;
    Ok(Found {
        name: path.display().to_string(),
        board,
        answer: certificate.answer,
        proved: Some(checked.checked.into()),
        reproduced: Some(certificate.bound.into()),
        found_by: format!("{} {}", effort.found_by, certificate.version),
        command: "house --certificate FILE BOARD".into(),
    })
}

/// Reads the answers of all runs, solved or not; the book refuses those that do not solve their board.
fn results(folder: &Path) -> Result<Vec<Found>, RecordError> {
    let path = folder.join("journal.jsonl");
    let text = fs::read_to_string(&path).map_err(|error| RecordError::Io { path: path.clone(), error })?;
    let mut lines = text.lines();
    let plan = match serde_json::from_str(lines.next().unwrap_or_default()) {
        Ok(Line::Contest { plan }) => plan,
        Ok(_) => return Err(invalid(&path, "the first line is not that of a contest")),
        Err(error) => return Err(invalid(&path, error)),
    };
    let Plan { mut boards, mut entries, limits } = plan;
    for line in lines {
        match serde_json::from_str(line) {
            Ok(Line::Entry { entry }) => {
                entries.retain(|known| known.name != entry.name);
                entries.push(entry);
            }
            Ok(Line::Board(board)) => boards.push(board),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for entry in &entries {
        for file in outputs(folder, &entry.name) {
            // The board's name is followed by the number of the attempt or, in format 2, of a later round.
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let of_board = boards.iter().filter(|board| stem.starts_with(&board.name));
            let Some(board) = of_board.max_by_key(|board| board.name.len()) else { continue };
            let position: Board = board.text.parse().map_err(|error| invalid(&path, error))?;
            let answer = fs::read(&file).map_err(|error| RecordError::Io { path: file.clone(), error })?;
            let program = entry.command.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
            let limit = entry.limits.unwrap_or(limits).wall_ms;
            found.push(Found {
                name: format!("{} on {}", entry.name, board.name),
                board: position,
                answer: String::from_utf8_lossy(&answer).into_owned(),
                proved: None,
                reproduced: None,
                found_by: entry.name.clone(),
                command: format!("JUDGE_LIMIT_MS={limit} {} BOARD", program.collect::<Vec<_>>().join(" ")),
            });
        }
    }
    if found.is_empty() {
        return Err(invalid(&path, "its runs have left no answers"));
    }
    Ok(found)
}

/// The files with an entry's answers: `output/ROUND/ENTRY/BOARD.ATTEMPT.out`, or `runs/ENTRY/BOARD.out` of format 2.
fn outputs(folder: &Path, entry: &str) -> Vec<PathBuf> {
    let listed = |folder: &Path| -> Vec<PathBuf> {
        let files = fs::read_dir(folder).into_iter().flatten();
        files.filter_map(|file| Some(file.ok()?.path())).collect()
    };
    let rounds = listed(&folder.join("output")).into_iter().chain([folder.join("runs")]);
    let mut files: Vec<PathBuf> = rounds.flat_map(|round| listed(&round.join(entry))).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "out"));
    files.sort();
    files
}
