//! Checks of an office's folder: the chain of its log, and the bytes of each upload that the log names.

use std::collections::BTreeSet;
use std::path::Path;

use judge_core::fingerprint::Fingerprint;

use crate::log::Log;
use crate::{OfficeError, uploads};

/// What was found in an office's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// What was checked, as a fragment.
    pub checked: String,
    /// What does not hold, as fragments.
    pub problems: Vec<String>,
}

/// Checks an office's folder. Nothing is written.
///
/// # Errors
/// [`OfficeError::Missing`] and [`OfficeError::Io`]; damage is a result.
pub fn verify(folder: &Path) -> Result<Report, OfficeError> {
    let mut report = Report::default();
    let mut log = match Log::open(folder) {
        Err(error @ OfficeError::Damaged { .. }) => {
            report.problems.push(error.to_string());
            return Ok(report);
        }
        opened => opened?,
    };
    let torn = log.refresh()?;
    if torn > 0 {
        report.problems.push(format!("{torn} bytes of an incomplete last line, which no hash covers"));
    }
    let state = log.state();
    let mut seen = BTreeSet::new();
    for (_, submission) in state.submissions() {
        let path = uploads::path(folder, &submission.sha256);
        let expected = Fingerprint { sha256: submission.sha256, bytes: submission.bytes };
        if seen.insert(submission.sha256.to_string()) && !uploads::holds(&path, &expected) {
            let shown = path.strip_prefix(folder).unwrap_or(&path).display();
            report.problems.push(format!("submission {}: {shown} is missing or was changed", submission.number));
        }
    }
    let (lines, uploads) = (log.lines(), seen.len());
    report.checked = format!("the chain of {lines} lines is whole, {uploads} uploads are as they came");
    Ok(report)
}
