//! The files with the output of entries. Each attempt has its own files, and later attempts do not change them.

use std::fs::File;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};

use super::{Output, Record};
use crate::fingerprint::{Fingerprint, sha256_of};
use crate::key::RunKey;
use judge_files::regular;

/// The folder of a results directory with the output of entries: `output/ROUND/ENTRY/BOARD.ATTEMPT.out` and `.err`. The files of
/// further repeats are one level below, in `repeat-2/`, `repeat-3/`, …. Those of games are in `against/ENTRY/`; a hash replaces
/// the names of several entries.
pub const OUTPUT: &str = "output";
/// The folder of a results directory with the output of builds: `builds/ENTRY.ATTEMPT.log`.
pub const BUILDS: &str = "builds";
/// The folder of a results directory with stored files, named by their hashes: large boards and programs.
pub const STORED: &str = "files";

/// The folder of the games of the entry in seat 1, by the entries in the other seats.
const AGAINST: &str = "against";
/// The end of the name of a transcript.
const TRANSCRIPT: &str = "talk.jsonl";

/// The file for an attempt's standard output.
pub fn stdout_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    let RunKey { round, entry, board, repeat, against } = key;
    let mut path = results.join(OUTPUT).join(round.to_string()).join(&**entry);
    match against.as_deref() {
        None => {}
        Some([other]) => path.extend([AGAINST, &**other]),
        // The names of many entries are too long for a path.
        Some(others) => {
            let names: Vec<&str> = others.iter().map(|name| &**name).collect();
            path.extend([AGAINST, &*sha256_of(names.join("\0").as_bytes())]);
        }
    }
    if *repeat > 1 {
        path.push(format!("repeat-{repeat}"));
    }
    path.join(format!("{board}.{attempt}.out"))
}

/// The file for the head and the tail of an attempt's standard error.
pub fn stderr_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    stdout_file(results, key, attempt).with_extension("err")
}

/// The file for the positions that a referee recorded for an attempt's answer.
pub fn frames_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    stdout_file(results, key, attempt).with_extension("frames.jsonl")
}

/// The file for the transcript of an attempt's talk with its referee.
pub fn transcript_file(results: &Path, key: &RunKey, attempt: u32) -> PathBuf {
    stdout_file(results, key, attempt).with_extension(TRANSCRIPT)
}

/// The file with the positions that a referee recorded for a run's answer. It may be missing.
pub fn frames_of(results: &Path, record: &Record) -> PathBuf {
    stdout_of(results, record).with_extension("frames.jsonl")
}

/// The file with the standard output of a recorded run.
pub fn stdout_of(results: &Path, record: &Record) -> PathBuf {
    stdout_file(results, &record.key, record.attempt)
}

/// The file with the head and the tail of the standard error of a recorded run.
pub fn stderr_of(results: &Path, record: &Record) -> PathBuf {
    stdout_of(results, record).with_extension("err")
}

/// A kind of file of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Standard output, which is the answer.
    Stdout,
    /// The head and the tail of standard error.
    Stderr,
    /// The positions that a referee recorded.
    Frames,
    /// The transcript of the talk with its referee.
    Transcript,
}

impl Part {
    /// All kinds of files. The contest decides which of them an attempt has.
    pub const ALL: [Self; 4] = [Self::Stdout, Self::Stderr, Self::Frames, Self::Transcript];

    /// The path of this part of the attempt whose standard output is in that file.
    pub fn beside(self, stdout: &Path) -> PathBuf {
        match self {
            Self::Stdout => stdout.to_owned(),
            Self::Stderr => stdout.with_extension("err"),
            Self::Frames => stdout.with_extension("frames.jsonl"),
            Self::Transcript => stdout.with_extension(TRANSCRIPT),
        }
    }

    /// The path of this part of a recorded run.
    pub fn of(self, results: &Path, record: &Record) -> PathBuf {
        self.beside(&stdout_of(results, record))
    }

    /// The recorded fingerprint of this part; `None` if there is nothing to store.
    pub fn recorded(self, output: &Output) -> Option<Fingerprint> {
        let boxed = match self {
            Self::Stdout => return Some(output.stdout),
            Self::Stderr => &output.stderr,
            Self::Frames => &output.frames,
            Self::Transcript => &output.transcript,
        };
        boxed.as_deref().copied()
    }

    /// Opens this part of a recorded run, without following a link. [`as_recorded`] refuses a file that differs from the record.
    /// A part that the record does not have counts as missing.
    ///
    /// # Errors
    ///
    /// The system's error, or one of kind `InvalidData` if the file differs from the record.
    pub fn open(self, results: &Path, record: &Record) -> io::Result<File> {
        let recorded = match &record.output {
            None => None,
            Some(output) => Some(self.recorded(output).ok_or(io::ErrorKind::NotFound)?),
        };
        as_recorded(results, &self.of(results, record), recorded)
    }
}

/// Opens a file of a results directory, without following a link. It refuses a file that differs from its recorded fingerprint.
///
/// # Errors
///
/// The system's error, or one of kind `InvalidData` if the file differs. Its text is a fragment with the difference.
pub fn as_recorded(results: &Path, path: &Path, recorded: Option<Fingerprint>) -> io::Result<File> {
    let mut file = regular::open_beneath(results, path)?;
    if let Some(recorded) = recorded {
        // The size comes first, so that a file that has grown without bound is not read.
        let bytes = file.metadata()?.len();
        let now =
            if bytes == recorded.bytes { Fingerprint::from_reader(&file)? } else { Fingerprint { bytes, ..recorded } };
        if let Some(difference) = recorded.difference(&now) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, difference));
        }
        file.rewind()?;
    }
    Ok(file)
}
