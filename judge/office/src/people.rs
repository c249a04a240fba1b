//! `people.json`: the names that people chose, and their contacts. It is replaced as a whole and is not part of a chain, so
//! it can be erased.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use judge_files::{Folder, regular};
use serde::{Deserialize, Serialize};

use crate::OfficeError;

/// The name of the file in the office's folder.
pub const FILE_NAME: &str = "people.json";
/// The largest such file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The people of a team.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Name for people; empty if the team gave none.
    pub name: String,
    /// Their contact, such as an address; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contact: String,
}

/// The people of all teams, by team.
pub type People = BTreeMap<String, Person>;

/// Reads the file; empty if it does not exist.
pub(crate) fn read(folder: &Folder) -> Result<People, OfficeError> {
    let path = folder.join(FILE_NAME);
    let bytes = match folder.read(FILE_NAME).and_then(|file| regular::read_file(file, MAX_BYTES)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(People::new()),
        Err(error) => return Err(OfficeError::io(&path, error)),
    };
    let reason = |error: serde_json::Error| error.to_string();
    serde_json::from_slice(&bytes).map_err(|error| OfficeError::Damaged { path, line: 1, reason: reason(error) })
}

/// Replaces the file atomically, so that a crash leaves the old or the new one.
pub(crate) fn write(folder: &Folder, people: &People) -> Result<(), OfficeError> {
    let bytes = serde_json::to_vec_pretty(people).expect("people are plain data");
    let written = folder.replace(FILE_NAME, |file| file.write_all(&bytes)).and_then(|()| folder.sync());
    written.map_err(|error| OfficeError::io(&folder.join(FILE_NAME), error))
}
