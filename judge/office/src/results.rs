//! Results after applying the office in their log: the submissions that do not count are set aside.

use std::path::Path;

use judge_core::journal::{self, Contents, JournalError};

use crate::log::Log;
use crate::{FOLDER, judging};

/// Reads a results directory. If its log has an office, the office decides which submissions count.
///
/// # Errors
/// As [`journal::read`].
pub fn read(results: &Path) -> Result<Contents, JournalError> {
    let contents = journal::read(results)?;
    if contents.office_lines == 0 {
        return Ok(contents);
    }
    let office = results.join("..").join(FOLDER);
    Ok(match Log::of(results, &office).ok().map(|log| log.state()) {
        Some(state) => judging::as_counted(&state, contents),
        None => contents,
    })
}
