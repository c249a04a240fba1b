//! `results.csv` of a results directory.

use std::path::Path;

use super::{Failure, output_file, recorded};
use judge_core::journal::ContestState;
use judge_core::results_csv::write_runs;

/// Writes the `results.csv` of a results directory from its journal, and returns the contents of the journal.
pub(super) fn write_results_csv(results: &Path) -> Result<ContestState, Failure> {
    let contents = recorded::read(results).map_err(Failure::judge)?;
    let path = results.join("results.csv");
    output_file::replace(&path, |file| write_runs(&contents, file))
        .map_err(|error| Failure::judge(format!("{}: {error}", path.display())))?;
    Ok(contents)
}
