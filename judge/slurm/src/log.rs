//! The arrays of a contest, in an append-only file. A coordinator that resumes takes over the arrays of earlier ones
//! from it.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::spool::Spool;

/// The name of the file.
pub const FILE_NAME: &str = "arrays.jsonl";

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum LogLine {
    /// The options for all arrays that are sent from now on.
    Options {
        /// Options of `sbatch`, as the organiser wrote them.
        sbatch: String,
    },
    /// An array is about to be sent. It can be found by its name if the coordinator is killed before the next line.
    Planned {
        /// Its number in the spool.
        array: u32,
        /// Its name in the cluster.
        name: String,
        /// The number of its tasks.
        tasks: u32,
        /// Nodes of other kinds, which the array may not use.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exclude: Vec<String>,
    },
    /// The cluster has accepted the array.
    Sent {
        /// Number of the array, as in its plan.
        array: u32,
        /// Its id in the cluster.
        id: String,
    },
    /// All its batches are over.
    Over {
        /// Number of the array, as in its plan.
        array: u32,
    },
}

/// An array that is not over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenArray {
    /// Its number in the spool.
    pub number: u32,
    /// Its name in the cluster.
    pub name: String,
    /// Its id in the cluster; `None` if a coordinator was killed while it sent it.
    pub id: Option<String>,
    /// Nodes that the array may not use.
    pub exclude: Vec<String>,
}

/// The log, open for writing. The coordinator that has the journal is its only writer.
pub struct Log {
    path: PathBuf,
    file: File,
    /// The arrays that are not over.
    pub arrays: Vec<OpenArray>,
    /// The number of the next array.
    pub next: u32,
    /// The options with which the last arrays were sent.
    pub sbatch: Option<String>,
}

impl Log {
    /// Opens the log of a spool, and creates it if it is missing.
    ///
    /// # Errors
    /// The system's, if the log cannot be read.
    pub fn open(spool: &Spool) -> io::Result<Self> {
        spool.create()?;
        let path = spool.folder().join(FILE_NAME);
        let (results, inside) = (spool.open()?, spool.inside(&path));
        let mut file = match results.append(inside) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                results.create_new(inside)?;
                results.append(inside)?
            }
            opened => opened?,
        };
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A coordinator that was killed may have left half a line.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        let mut log = Self { path, file, arrays: Vec::new(), next: 1, sbatch: None };
        for line in text[..whole].lines() {
            log.apply(serde_json::from_str(line)?);
        }
        Ok(log)
    }

    /// Tests whether a cluster may still have work of a contest: unfinished arrays, or outcomes that are not taken in.
    /// Also true if the files cannot be read, as the engine then reports the reason.
    pub fn has_work(results: &Path) -> bool {
        let spool = Spool::in_results(results);
        let open = || Self::open(&spool).map_or(true, |log| !log.arrays.is_empty());
        Self::exists(results) && (open() || spool.arrived().map_or(true, |names| !names.is_empty()))
    }

    /// Tests whether runs of a results directory were ever sent to a cluster.
    pub fn exists(results: &Path) -> bool {
        Spool::in_results(results).folder().join(FILE_NAME).is_file()
    }

    /// Appends a line, and returns when it is on disk.
    ///
    /// # Errors
    /// The system's, if the line cannot be put on disk.
    pub fn append(&mut self, line: LogLine) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        let written = self.file.write_all(&bytes).and_then(|()| self.file.sync_all());
        written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.path.display())))?;
        self.apply(line);
        Ok(())
    }

    fn apply(&mut self, line: LogLine) {
        match line {
            LogLine::Options { sbatch } => self.sbatch = Some(sbatch),
            LogLine::Planned { array, name, exclude, .. } => {
                self.arrays.push(OpenArray { number: array, name, id: None, exclude });
                self.next = self.next.max(array.saturating_add(1));
            }
            LogLine::Sent { array, id } => {
                if let Some(open) = self.arrays.iter_mut().find(|open| open.number == array) {
                    open.id = Some(id);
                }
            }
            LogLine::Over { array } => self.arrays.retain(|open| open.number != array),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::fs;

    use super::*;

    #[test]
    fn a_log_that_cannot_be_read_may_have_work() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path();
        assert!(!Log::has_work(results));
        let spool = Spool::in_results(results);
        let mut log = Log::open(&spool).unwrap();
        log.append(LogLine::Planned { array: 1, name: "a".into(), tasks: 1, exclude: Vec::new() }).unwrap();
        assert!(Log::has_work(results));
        log.append(LogLine::Over { array: 1 }).unwrap();
        assert!(!Log::has_work(results));
        // A killed judge may leave an incomplete line; a complete line that is not JSON is damage.
        let path = spool.folder().join(FILE_NAME);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{{\"ev")).unwrap();
        assert!(!Log::has_work(results));
        fs::write(&path, format!("{{\"ev\n{text}")).unwrap();
        assert!(Log::has_work(results));
    }
}
