//! Results after applying the office in their log: the submissions that do not count are set aside.

use std::path::{Path, PathBuf};

use judge_core::journal::{self, ContestState, EventError, JournalError, Line};
use judge_core::results::{Results, ResultsError};

use crate::aside::as_counted;
use crate::line::Dated;
use crate::state::State;

/// Reads a results directory. If its log has an office, the office decides which submissions count.
///
/// # Errors
/// As [`journal::read`].
pub fn read(results: &Path) -> Result<ContestState, JournalError> {
    with_state(results).map(|(contents, state)| counted(contents, &state))
}

/// Reads a results directory as if its log ended with these additional lines.
///
/// # Errors
/// As [`journal::preview`].
pub fn preview(results: &Path, lines: &[Line]) -> Result<ContestState, JournalError> {
    let (_, state) = with_state(results)?;
    journal::preview(results, lines).map(|contents| counted(contents, &state))
}

fn with_state(results: &Path) -> Result<(ContestState, State), JournalError> {
    let mut state = State::default();
    let contents = journal::read_with_office(results, &mut |line| {
        let dated = Dated::read(line).map_err(|error| EventError::new(error.to_string()))?;
        state.apply(dated).map_err(|refusal| EventError::new(refusal.to_string()))
    })?;
    Ok((contents, state))
}

fn counted(contents: ContestState, state: &State) -> ContestState {
    if contents.office_lines == 0 { contents } else { as_counted(state, contents) }
}

/// The results directory of a contest with an office, from its folder.
pub fn results_of(contest: &Path) -> PathBuf {
    contest.join("results")
}

/// The table of a results directory, where an office in its log decides which submissions count, or of a CSV file.
///
/// # Errors
/// As [`Results::read`].
pub fn table(path: &Path) -> Result<Results, ResultsError> {
    Results::read(path, read)
}
