//! Errors of tries, typed so that each caller can word the remedy.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use crate::versions::not_comparable::NotComparable;
use judge_core::compare::CompareError;
use judge_core::hint::Hint;
use judge_core::results::ResultsError;
use judge_core::text::unknown;

/// The reason why a try cannot be executed, remembered or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TryError {
    /// A file or folder of the memory cannot be read, created or locked.
    #[error("{}: {source}", path.display())]
    Memory {
        /// The file or folder of the memory.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        source: io::Error,
    },
    /// A table of the memory has invalid rows.
    #[error("{}: {source}; correct the file, or delete it", path.display())]
    Damaged {
        /// The table, a CSV file.
        path: PathBuf,
        /// The first row that is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A new version could not be written.
    #[error("{}: {source}; this try is not remembered", path.display())]
    NotRemembered {
        /// The file or folder of the memory.
        path: PathBuf,
        /// The reason why the system could not read or write it.
        source: io::Error,
    },
    /// No version has this number or name.
    #[error("{}", unknown("version", wanted, available.iter().map(String::as_str)))]
    UnknownVersion {
        /// The number or name that was asked for.
        wanted: String,
        /// The existing numbers and names.
        available: Vec<String>,
    },
    /// An earlier version has the name that the new one should have.
    #[error("version {number} has the name `{name}`; choose another one")]
    NameTaken {
        /// The name that both would have.
        name: String,
        /// The number of the earlier version.
        number: u32,
    },
    /// The wanted version cannot be compared with the try.
    #[error("{title} cannot be compared with this try: {reason}")]
    Unlike {
        /// The title of the version.
        title: String,
        /// The difference between the version and the try.
        reason: NotComparable,
    },
    /// Results that cannot be read or selected.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// Results that cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

impl TryError {
    /// The remedy, if there is one.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Memory { .. } | Self::NotRemembered { .. } => Some(Hint::RememberElsewhere),
            Self::Unlike { .. } => Some(Hint::OtherVersion),
            Self::Results(error) => error.hint(),
            _ => None,
        }
    }
}
