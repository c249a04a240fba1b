//! Checks everything in a results directory against its journal. Nothing is executed and nothing is written.
//!
//! Only a hash from elsewhere proves the journal itself, because a changed journal can be given a new chain. With that hash, the
//! records in its lines prove the rest: outputs, stored files, logs of builds, and the table.

mod files;
mod recorded_files;
mod replays;
mod table;

use std::path::Path;

use judge_core::advance::{Deviation, deviations};
use judge_core::hint::Hint;
use judge_core::journal::{ContestState, JournalError, read_lines};
use judge_job::count_text;

use recorded_files::RecordedFiles;

/// The result of all checks of a results directory.
#[derive(Debug, Clone)]
pub struct Report {
    /// The hash of the journal; `None` if the journal cannot be read.
    pub journal_hash: Option<String>,
    /// The version of the judge that began the contest; `None` if the journal cannot be read.
    pub judge: Option<String>,
    /// The checks, in the order in which they were carried out.
    pub checks: Vec<Check>,
    /// Rounds that today's rules would have opened differently. They count as recorded.
    pub deviations: Vec<Deviation>,
    /// True if the contest has an office.
    pub has_office: bool,
}

/// A problem that a check found, or a fact that it could not prove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The finding and its place, as a fragment.
    pub text: String,
    /// The remedy, if one exists.
    pub hint: Option<Hint>,
}

impl From<String> for Finding {
    fn from(text: String) -> Self {
        Self { text, hint: None }
    }
}

/// A check of results, with its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its subject in one word.
    pub subject: &'static str,
    /// A description of what was checked, as a fragment.
    pub checked: String,
    /// The problems, each with its place.
    pub problems: Vec<Finding>,
    /// Facts that cannot be proved, with the reasons.
    pub unproved: Vec<Finding>,
}

impl Report {
    /// True if nothing contradicts the record.
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.problems.is_empty())
    }
}

impl Check {
    fn new(subject: &'static str) -> Self {
        Self { subject, checked: String::new(), problems: Vec::new(), unproved: Vec::new() }
    }

    /// Adds a problem.
    fn problem(&mut self, text: String) {
        self.problems.push(text.into());
    }

    /// Adds a fact that cannot be proved.
    fn not_proved(&mut self, text: String) {
        self.unproved.push(text.into());
    }
}

/// Checks a results directory. `published` is the published hash of its journal, in hexadecimal. `with_office` reads the contest if
/// the log has an office, which decides what counts in the table. Only a directory without a readable journal is an error; damage
/// is part of the result.
///
/// # Errors
/// [`JournalError`] if the directory has no readable journal.
pub fn verify(
    results: &Path,
    published: Option<&str>,
    with_office: impl FnOnce(&Path) -> Result<ContestState, JournalError>,
) -> Result<Report, JournalError> {
    let mut seen = RecordedFiles::default();
    let mut lines = 1;
    let read = read_lines(results, &mut |fold, line| {
        lines += 1;
        seen.take(results, fold, line);
    });
    let contents = match read {
        Ok(contents) => contents,
        Err(error @ (JournalError::Damaged { .. } | JournalError::Earlier(_) | JournalError::Format { .. })) => {
            let mut journal = Check::new("journal");
            journal.problems.push(Finding { text: error.to_string(), hint: error.hint() });
            journal.not_proved("nothing else was checked".into());
            return Ok(Report {
                journal_hash: None,
                judge: None,
                checks: vec![journal],
                deviations: Vec::new(),
                has_office: false,
            });
        }
        Err(error) => return Err(error),
    };
    seen.finish(&contents);
    let counted = (contents.office_lines > 0).then(|| with_office(results)).transpose()?;
    let checks = vec![
        journal(&contents, lines + contents.office_lines, published),
        files::names(results),
        files::outputs(results, &seen),
        replays::verdicts(results, &contents, &seen),
        files::stored(results, &contents, &seen),
        files::builds(results, &seen),
        table::follows(results, counted.as_ref().unwrap_or(&contents)),
    ];
    let opened = if contents.rounds.is_empty() { Vec::new() } else { deviations(results)? };
    let (journal_hash, judge) = (contents.chain.last().map(str::to_owned), contents.header.judge.clone());
    let has_office = contents.office_lines > 0;
    Ok(Report { journal_hash, judge: Some(judge), checks, deviations: opened, has_office })
}

/// Checks the journal by itself. Reading it has already proved that no line of its chain was changed.
fn journal(contents: &ContestState, lines: usize, published: Option<&str>) -> Check {
    let mut check = Check::new("journal");
    let hash = contents.chain.last().unwrap_or_default();
    check.checked = format!("{}, the chain is whole", count_text(lines, "line", "lines"));
    match published {
        Some(published) if published.eq_ignore_ascii_case(hash) => {
            check.checked += "; its last hash is the published one"
        }
        Some(published) => check.problem(format!("its last hash is {hash}, the published one is {published}")),
        None => {
            let text =
                "that it is the published one: without that hash, a changed journal with a new chain looks whole";
            check.unproved.push(Finding { text: text.into(), hint: Some(Hint::PublishedHash) });
        }
    }
    if contents.torn_bytes > 0 {
        let bytes = count_text(contents.torn_bytes, "byte", "bytes");
        let text = format!("{bytes} of an incomplete last line, which no hash covers");
        check.problems.push(Finding { text, hint: Some(Hint::DropLine) });
    }
    check
}
