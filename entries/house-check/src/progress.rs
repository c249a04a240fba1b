//! The progress of a check, in a file, so that it can be interrupted.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The time between two writes of the file.
const INTERVAL: Duration = Duration::from_secs(10);

/// The check that a file belongs to. Other checks do not use the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    /// The version of this program.
    pub(crate) version: String,
    /// The spot of the goal of each symbol of the board.
    pub(crate) board: Vec<u8>,
    /// True for a search from the goal.
    pub(crate) backwards: bool,
    pub(crate) split: bool,
}

/// The threshold in progress. All lower ones have no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Threshold {
    pub(crate) moves: u8,
    /// True if the tables of six tiles are in use.
    pub(crate) large: bool,
    /// The hash of the beginnings.
    pub(crate) beginnings: String,
    /// The number of beginnings that are done.
    pub(crate) done: usize,
    /// The positions looked up for them, and the time.
    pub(crate) nodes: u64,
    pub(crate) milliseconds: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    task: Task,
    threshold: Threshold,
}

/// The file of a check; without a path nothing is kept.
pub(crate) struct Progress {
    path: Option<PathBuf>,
    task: Task,
    written: Mutex<Option<Instant>>,
}

impl Progress {
    /// Reads the progress of an earlier check; `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read, or belongs to another check.
    pub(crate) fn open(path: Option<&Path>, task: Task) -> Result<(Progress, Option<Threshold>), String> {
        let progress = Progress { path: path.map(Path::to_owned), task, written: Mutex::new(None) };
        let Some(path) = path else { return Ok((progress, None)) };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((progress, None)),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let of_other = || format!("{} is of another check; remove it to begin anew", path.display());
        let content: Content = serde_json::from_str(&text).map_err(|_| of_other())?;
        if content.task != progress.task {
            return Err(of_other());
        }
        Ok((progress, Some(content.threshold)))
    }

    /// Writes the file, unless that was done a moment ago.
    pub(crate) fn keep(&self, threshold: &Threshold) {
        let mut written = self.written.lock().expect("no thread panics with it");
        if written.is_none_or(|written| written.elapsed() >= INTERVAL) {
            *written = Some(Instant::now());
            self.write(threshold);
        }
    }

    /// Writes the file. If that fails, the check continues and the progress is lost.
    pub(crate) fn write(&self, threshold: &Threshold) {
        let Some(path) = &self.path else { return };
        let content = Content { task: self.task.clone(), threshold: threshold.clone() };
        let text = serde_json::to_string_pretty(&content).expect("plain data") + "\n";
        // In one step, so that an interruption leaves the old file or the new one.
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let written = fs::File::create(&new)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&new, path));
        if let Err(error) = written {
            eprintln!("the progress is not kept: {}: {error}", path.display());
        }
    }

    /// Removes the file of a check that is complete.
    pub(crate) fn finish(&self) {
        if let Some(path) = &self.path {
            fs::remove_file(path).ok();
        }
    }
}
