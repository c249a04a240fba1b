//! `judge serve --check`: reads everything that a start would read, and starts nothing.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use judge_contest::{Contest, Overrides};
use judge_core::journal::ContestState;
use judge_job::count_text;
use judge_office::{OfficeError, verify};
use judge_office_web::Options;

use super::super::office_folder::{check_entries, failure, judged, office_of};
use super::super::{DONE, Done, Failure};
use super::refused;

/// Checks the contest file, logs, uploads and options. Nothing is written.
pub(super) fn check(folder: &Path, options: &Options, out: &mut dyn Write) -> Done {
    options.check().map_err(refused)?;
    let read = ServedContest::of(folder)?;
    let problems = read.one(out)?;
    if problems > 0 {
        let problems = count_text(problems, "problem", "problems");
        return Err(Failure::input(format!("{problems} found; restore what is damaged from a backup")));
    }
    if read.judged.is_none() {
        check_entries(&read.contest, verify::teams(&read.office).map_err(failure)?.iter())?;
    }
    Ok(DONE)
}

/// A contest in the form in which a start would read it.
struct ServedContest<'a> {
    folder: &'a Path,
    contest: Contest,
    office: PathBuf,
    /// The contest as judged so far; `None` if nothing was judged.
    judged: Option<ContestState>,
}

impl<'a> ServedContest<'a> {
    fn of(folder: &'a Path) -> Result<Self, Failure> {
        let contest = Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
        Ok(Self { folder, contest, office: office_of(folder)?, judged: judged(folder)? })
    }

    /// Reports what was read, and returns the number of problems.
    fn one(&self, out: &mut dyn Write) -> Result<usize, Failure> {
        let Self { folder, contest, office, judged } = self;
        let (boards, entries) = (contest.plan.boards.len(), contest.plan.entries.len());
        let plan = format!("{}, {}", count_text(boards, "board", "boards"), count_text(entries, "entry", "entries"));
        let shown = folder.display();
        writeln!(out, "{shown}: contest file: {plan}")?;
        let problems = match verify::verify(office) {
            Ok(report) => {
                if report.problems.is_empty() {
                    writeln!(out, "{shown}: office: {}", report.checked)?;
                }
                for problem in &report.problems {
                    writeln!(out, "{shown}: office: {problem}")?;
                }
                report.problems.len()
            }
            Err(OfficeError::Missing(_)) => {
                writeln!(out, "{shown}: office: none; the first start makes it")?;
                0
            }
            Err(error) => return Err(failure(error)),
        };
        match judged {
            None => writeln!(out, "{shown}: results: none yet")?,
            Some(contents) => {
                let runs = count_text(contents.records.len(), "run is", "runs are");
                writeln!(out, "{shown}: results: {runs} recorded")?;
                drops(out, &shown, "results", contents.torn_bytes)?;
            }
        }
        Ok(problems)
    }
}

/// Reports an incomplete last line of a log.
fn drops(out: &mut dyn Write, folder: &dyn Display, what: &str, torn_bytes: u64) -> std::io::Result<()> {
    verify::dropped(torn_bytes).map_or(Ok(()), |dropped| writeln!(out, "{folder}: {what}: {dropped}"))
}
