//! `judge serve --check`: reads what a start would read, and starts nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

use judge_contest::{Contest, Overrides};
use judge_job::count_text;
use judge_office::{OfficeError, verify};
use judge_office_web::Options;

use super::super::office::judged;
use super::super::team::{failure, office_of};
use super::super::{DONE, Done, Failure};
use super::refused;

/// Checks contest files, logs, uploads and options. Nothing is written.
pub(super) fn check(contests: &[PathBuf], options: &Options, out: &mut dyn Write) -> Done {
    options.check().map_err(refused)?;
    let mut problems = 0;
    for folder in contests {
        problems += one(folder, out)?;
    }
    match problems {
        0 => Ok(DONE),
        _ => Err(Failure::input(format!(
            "{} found; a start drops an incomplete last line, other damage needs a backup",
            count_text(problems, "problem", "problems")
        ))),
    }
}

/// Checks a contest and returns the number of problems.
fn one(folder: &Path, out: &mut dyn Write) -> Result<usize, Failure> {
    let contest = Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
    let (boards, entries) = (contest.plan.boards.len(), contest.plan.entries.len());
    let plan = format!("{}, {}", count_text(boards, "board", "boards"), count_text(entries, "entry", "entries"));
    let shown = folder.display();
    writeln!(out, "{shown}: contest file: {plan}")?;
    let problems = match verify::verify(&office_of(folder)?) {
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
    match judged(folder)? {
        None => writeln!(out, "{shown}: results: none yet")?,
        Some(contents) => {
            let runs = count_text(contents.records.len(), "run is", "runs are");
            writeln!(out, "{shown}: results: {runs} recorded")?;
        }
    }
    Ok(problems)
}
