//! Checks of an office's folder: its lines in the log of the contest, and the bytes of each upload that the log names.

use std::collections::BTreeSet;
use std::path::Path;

use judge_core::fingerprint::Fingerprint;
use judge_core::key::Name;
use judge_job::count_text;

use crate::log::Log;
use crate::{FOLDER, OfficeError, uploads};

/// The findings about an office's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// A description of what was checked, as a fragment.
    pub checked: String,
    /// The problems, as fragments.
    pub problems: Vec<String>,
    /// The facts that cannot be proved, as fragments.
    pub unproved: Vec<String>,
    /// Bytes of an incomplete last line, which no hash covers and the next writer removes; 0 without such a line.
    pub torn_bytes: u64,
}

/// Checks an office's folder. Nothing is written.
///
/// # Errors
/// [`OfficeError::Missing`] and [`OfficeError::Io`]. Damage is reported as a problem.
pub fn verify(folder: &Path) -> Result<Report, OfficeError> {
    check(Log::open(folder), folder)
}

/// Checks the office in the log of a results directory, which can be a copy without the office's folder.
///
/// # Errors
/// As [`verify`]. [`OfficeError::Missing`] also for results without an office.
pub fn in_results(results: &Path) -> Result<Report, OfficeError> {
    let folder = results.join("..").join(FOLDER);
    match Log::of(results, &folder) {
        Ok(log) if !log.state().has_begun() => Err(OfficeError::Missing(folder)),
        log => check(log, &folder),
    }
}

fn check(log: Result<Log, OfficeError>, folder: &Path) -> Result<Report, OfficeError> {
    let mut report = Report::default();
    let mut log = match log {
        Err(error @ OfficeError::Damaged { .. }) => {
            report.problems.push(error.to_string());
            return Ok(report);
        }
        opened => opened?,
    };
    report.torn_bytes = log.refresh()?;
    let state = log.state();
    let mut seen = BTreeSet::new();
    if !folder.is_dir() {
        let uploads = count_text(state.submissions().len(), "submission", "submissions");
        report
            .unproved
            .push(format!("the uploads of {uploads} and all private texts: the office's folder is not beside it"));
        report.checked = format!("the chain of {} lines is whole", log.lines());
        return Ok(report);
    }
    for (_, submission) in state.submissions().iter() {
        let path = uploads::path(folder, &submission.sha256);
        let expected = Fingerprint { sha256: submission.sha256, bytes: submission.bytes };
        if seen.insert(submission.sha256.to_string()) && !uploads::holds(&path, &expected) {
            let shown = path.strip_prefix(folder).unwrap_or(&path).display();
            report.problems.push(format!("submission {}: {shown} is missing or was changed", submission.number));
        }
    }
    if log.erased() > 0 {
        report
            .unproved
            .push(format!("{} private texts: they were erased, and the log has only their hashes", log.erased()));
    }
    let (lines, uploads) = (log.lines(), seen.len());
    report.checked = format!("the chain of {lines} lines is whole, {uploads} uploads are as they came");
    Ok(report)
}

/// A fragment about an incomplete last line of a log, which has this number of bytes; `None` for 0. It is not damage, because
/// requests are answered only after their lines are complete.
pub fn dropped(torn_bytes: u64) -> Option<String> {
    (torn_bytes > 0).then(|| format!("an incomplete last line of {torn_bytes} bytes, which a start drops"))
}

/// The names of the teams in an office's folder, as a start would find them; empty if the office does not exist yet. Nothing is
/// written.
///
/// # Errors
/// [`OfficeError::Io`] and [`OfficeError::Damaged`].
pub fn teams(folder: &Path) -> Result<Vec<Name>, OfficeError> {
    match Log::open(folder) {
        Err(OfficeError::Missing(_)) => Ok(Vec::new()),
        opened => Ok(opened?.state().teams().keys().cloned().collect()),
    }
}
