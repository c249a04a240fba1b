//! Results as the office in their log has them: the submissions that do not count are set aside.

use std::path::Path;

use judge_core::journal::{self, Contents, JournalError};

use crate::log::Log;
use crate::{FOLDER, judging};

/// Reads a results directory. With an office in its log, what counts follows from that.
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
