//! Tries of a solver in words: the explanation of a run on one board, and the summary of many boards.

mod attempt;
mod first;
mod gain;
mod history;
mod summary;
mod tuning;

use std::io;

use crate::versions::TryError;

pub use attempt::{Attempt, hidden_text};
pub use first::first_failure;
pub use gain::lines as gain_lines;
pub use history::write_history;
pub use summary::TryReport;
pub use tuning::write_tuning;

/// The reason why a report on a try was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Its results cannot be compared with those of the earlier version.
    #[error(transparent)]
    Try(#[from] TryError),
    /// It could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A mean relative score as text.
fn relative_text(score: Option<f64>) -> String {
    score.map_or("-".into(), |score| format!("{score:.4}"))
}
