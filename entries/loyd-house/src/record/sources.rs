//! The sources of the record book: results directories of `judge run`, and certificates.

use std::fs;
use std::path::Path;
use std::time::Duration;

use loyd_kit::Board;
use serde::Deserialize;

use super::{Found, RecordError};
use crate::certificate::Certificate;

/// The part of a journal's header that is needed here.
#[derive(Deserialize)]
struct Header {
    plan: Plan,
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

/// How certificates are checked.
pub struct Effort<'a> {
    /// Name of the finder, which a certificate does not contain.
    pub found_by: &'a str,
    /// Number of threads.
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
    let limits = house_check::Limits { threads: effort.threads, time: Some(effort.time) };
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
    let header = text.lines().next().unwrap_or_default();
    let Header { plan } = serde_json::from_str(header).map_err(|error| invalid(&path, error))?;
    let mut found = Vec::new();
    for entry in &plan.entries {
        let Ok(files) = fs::read_dir(folder.join("runs").join(&entry.name)) else { continue };
        let mut files: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "out")) {
            // The file of a later round has its number after the board's name.
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let of_board = plan.boards.iter().filter(|board| stem.starts_with(&board.name));
            let Some(board) = of_board.max_by_key(|board| board.name.len()) else { continue };
            let position: Board = board.text.parse().map_err(|error| invalid(&path, error))?;
            let answer = fs::read(file).map_err(|error| RecordError::Io { path: file.clone(), error })?;
            let program = entry.command.iter().map(|word| word.rsplit('/').next().unwrap_or(word));
            let limit = entry.limits.unwrap_or(plan.limits).wall_ms;
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
    Ok(found)
}
