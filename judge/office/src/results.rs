//! Results as the office next to them has them: the submissions that do not count are set aside.

use std::path::Path;

use judge_core::journal::{self, Contents, JournalError};

use crate::log::Log;
use crate::{FOLDER, judging};

/// Reads a results directory. With an office next to it, what counts follows from that; without one, from what the journal has.
///
/// # Errors
/// As [`journal::read`].
pub fn read(results: &Path) -> Result<Contents, JournalError> {
    let contents = journal::read(results)?;
    let state = results.canonicalize().ok().and_then(|results| {
        let contest = results.parent().filter(|contest| judging::results_of(contest) == results)?;
        Some(Log::open(&contest.join(FOLDER)).ok()?.state())
    });
    Ok(match state {
        Some(state) => judging::as_counted(&state, contents),
        None => contents,
    })
}
