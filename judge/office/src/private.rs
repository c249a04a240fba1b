//! Texts that only some people may read: questions, reasons for a team, names of files and of people.
//!
//! A line of the log has the hash of such a text with a salt of 256 random bits. The text and its salt are in `private.jsonl` of
//! the office, on disk before the line. So the log can be published without them. Anyone who has a text and its salt can prove
//! the text. An erased text leaves the chain of the log intact.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use judge_core::fingerprint::{Hash, sha256_of};
use judge_files::{Folder, regular};
use serde::{Deserialize, Serialize};

use crate::OfficeError;
use crate::text::Text;

/// The name of the file in the office's folder.
const FILE_NAME: &str = "private.jsonl";

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Opening {
    salt: String,
    text: String,
}

impl Opening {
    fn new(text: &str) -> Result<Self, OfficeError> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits).map_err(|error| OfficeError::Random(error.to_string()))?;
        Ok(Self { salt: bits.iter().map(|byte| format!("{byte:02x}")).collect(), text: text.to_owned() })
    }

    /// The hash of the text in the log.
    fn commitment(&self) -> Hash {
        sha256_of(format!("{}{}", self.salt, self.text).as_bytes()).parse().expect("a hash of 64 digits")
    }
}

/// Sets the hash of a text, and returns the line that opens it.
pub(crate) fn seal(text: &mut Text) -> Result<Vec<u8>, OfficeError> {
    let opening = Opening::new(text)?;
    text.seal(opening.commitment());
    let mut line = serde_json::to_vec(&opening).expect("plain data has a JSON form");
    line.push(b'\n');
    Ok(line)
}

/// The private texts of an office.
pub(crate) struct Private {
    path: PathBuf,
    /// Bytes of the complete lines that were read.
    length: u64,
    texts: BTreeMap<Hash, String>,
}

impl Private {
    /// The texts in an office's folder, before anything is read.
    pub(crate) fn of(office: &Path) -> Self {
        Self { path: office.join(FILE_NAME), length: 0, texts: BTreeMap::new() }
    }

    /// Opens a text that has only its hash. It stays empty if it was erased.
    pub(crate) fn open(&mut self, text: &mut Text) -> Result<(), OfficeError> {
        let Some(commitment) = text.commitment().copied() else { return Ok(()) };
        if !self.texts.contains_key(&commitment) {
            self.read_on()?;
        }
        text.open(self.texts.get(&commitment).cloned().unwrap_or_default());
        Ok(())
    }

    /// Stores lines that open texts, see [`seal`]. They are on disk when this returns. The caller holds the lock of the log.
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> Result<(), OfficeError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.read_on()?;
        let is_new = !self.path.exists();
        let mut file = self.file(OpenOptions::new().create(true).append(true).mode(0o600))?;
        // This also removes the remains of a killed process.
        let written = file.set_len(self.length).and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_data());
        if written.is_err() {
            file.set_len(self.length).ok();
        }
        let synced = written.and_then(|()| match self.path.parent().filter(|_| is_new) {
            Some(folder) => Folder::open(folder)?.sync(),
            None => Ok(()),
        });
        synced.map_err(|error| OfficeError::io(&self.path, error))
    }

    fn file(&self, options: &OpenOptions) -> Result<File, OfficeError> {
        options.open(&self.path).map_err(|error| OfficeError::io(&self.path, error))
    }

    /// Reads the lines that were added.
    fn read_on(&mut self) -> Result<(), OfficeError> {
        let failed = |error| OfficeError::io(&self.path, error);
        let mut file = match regular::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened.map_err(failed)?,
        };
        let mut added = Vec::new();
        // Erasing a text rewrites the file, which may be shorter then.
        if file.metadata().map_err(failed)?.len() < self.length {
            self.length = 0;
        }
        file.seek(SeekFrom::Start(self.length)).and_then(|_| file.read_to_end(&mut added)).map_err(failed)?;
        let complete = added.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        for line in added[..complete].split_inclusive(|&byte| byte == b'\n') {
            // A line that was partly erased proves nothing.
            if let Ok(opening) = serde_json::from_slice::<Opening>(line) {
                self.texts.insert(opening.commitment(), opening.text);
            }
        }
        self.length += complete as u64;
        Ok(())
    }
}
