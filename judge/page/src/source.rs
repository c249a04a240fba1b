//! The results of a contest as the page gets them.

use std::path::{Path, PathBuf};

use judge_core::compare::Source;
use judge_core::journal::{self, Contents};
use judge_core::results::{Results, ResultsError};

/// A set of results for the page, with the journal and the output files if they come from a results directory.
pub struct PageSource {
    source: Source,
    pub(crate) directory: Option<ResultsDirectory>,
}

/// A results directory and its journal.
pub(crate) struct ResultsDirectory {
    pub(crate) path: PathBuf,
    pub(crate) journal: Contents,
}

impl PageSource {
    /// Reads a results directory.
    pub fn of_directory(path: &Path, name: String) -> Result<Self, ResultsError> {
        let journal = journal::read(path)?;
        let results = Results::of_journal(&journal);
        let directory = ResultsDirectory { path: path.to_owned(), journal };
        Ok(Self { source: Source { name, results }, directory: Some(directory) })
    }

    /// Returns the named, ranked results.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the ranked results.
    pub fn results(&self) -> &Results {
        &self.source.results
    }

    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }
}

/// Results without a results directory, such as a CSV file. The page shows only their tables.
impl From<Source> for PageSource {
    fn from(source: Source) -> Self {
        Self { source, directory: None }
    }
}
