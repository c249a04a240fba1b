//! The versions of a solver as a list, with scores relative to the best answers so far.

use serde::Serialize;

use crate::versions::error::TryError;
use crate::versions::memory::Memory;
use crate::versions::summary::Summary;
use crate::versions::version::{Version, as_document};

/// A version of the list.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Listed {
    /// The version, as its folder remembers it.
    #[serde(serialize_with = "as_document")]
    pub version: Version,
    /// The number of the first version with the same program, if that is another one.
    pub same_as: Option<u32>,
    /// Its figures; `None` if the file of its runs was deleted.
    pub summary: Option<Summary>,
}

/// The versions in a memory with their summaries, in their order: those of that program, or of all.
///
/// # Errors
///
/// A file of the memory cannot be read, or is damaged.
pub fn listed(memory: &Memory, program: Option<&str>) -> Result<Vec<Listed>, TryError> {
    let (mut versions, best) = (memory.versions()?, memory.best()?);
    versions.retain(|version| program.is_none_or(|program| version.is_of(program)));
    let line = |version: &Version| {
        let mut version = version.clone();
        let summary = memory.tried(&version)?.map(|tried| {
            version.limit_ms = version.limit_ms.or(tried.results.limit_ms);
            let hash = |board: &str| tried.boards.get(board).map(String::as_str);
            Summary::new(&tried.results, hash, &version.objective, (&best, &best))
        });
        let first = versions.iter().find(|first| first.program_sha256 == version.program_sha256);
        let first = first.filter(|first| !first.program_sha256.is_empty() && first.number != version.number);
        Ok(Listed { same_as: first.map(|first| first.number), version, summary })
    };
    versions.iter().map(line).collect()
}
