//! A run of a contest as the page gets it.

use std::path::{Path, PathBuf};

use judge_core::compare::Source;
use judge_core::journal::{self, Contents};
use judge_core::results::{Results, ResultsError};

/// The results of a contest with the name that the page gives them, and all that is kept beside them.
pub struct Run {
    /// Name and ranked results.
    pub source: Source,
    /// The results directory and its journal; `None` for a file that tells the table alone.
    pub kept: Option<Kept>,
}

/// What a results directory keeps.
pub struct Kept {
    /// Its journal.
    pub contents: Contents,
    /// The directory, where the captured output lies.
    pub directory: PathBuf,
}

impl Run {
    /// Reads a results directory.
    pub fn of_directory(directory: &Path, name: String) -> Result<Self, ResultsError> {
        let contents = journal::read(directory)?;
        let results = Results::of_journal(&contents);
        let kept = Kept { contents, directory: directory.to_owned() };
        Ok(Self { source: Source { name, results }, kept: Some(kept) })
    }

    /// The ranked results.
    pub fn results(&self) -> &Results {
        &self.source.results
    }
}

impl From<Source> for Run {
    fn from(source: Source) -> Self {
        Self { source, kept: None }
    }
}
