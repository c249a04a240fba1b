//! `judge verify`: checks the contents of a results directory.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{DONE, Done, Failure, NOT_SOLVED, deviations, recorded};
use judge_contest::verify::{Check, Finding, Report, verify};
use judge_core::fingerprint::Hash;
use judge_core::text::printable;
use judge_job::count_text;
use judge_report::layout::explained;
use judge_report::output::write_pretty_json;
use judge_report::with_hint_for;

/// The most problems of a check in the text. JSON has all.
const MAX_LISTED: usize = 20;
/// The version of the JSON.
const FORMAT: u32 = 1;

/// Check results against their record: journal, outputs, verdicts, stored files, builds, table
///
/// If the contest has an office, its log and its uploads are also checked.
///
/// The journal's lines are chained by hashes, and contain the hashes of stored files. Every answer to a board of a
/// built-in game is replayed. Nothing is executed or written.
///
/// Somebody who changes a journal can also compute a new chain. Only the published hash of its last line,
/// `journal_hash` in `judge rank --format json`, proves that it is the published record: give it with --hash.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge verify runs/1
  judge verify finals --hash 1c4e…     the published hash, all 64 digits
  judge verify finals --format json

Exit code 0: nothing contradicts the record; 1: something does; 2: no results directory.
Statements that the record cannot prove are listed, and do not contradict it.")]
pub(super) struct Args {
    /// Results directory
    #[arg(value_parser = super::runs::path())]
    results: PathBuf,

    /// The published hash of the journal
    #[arg(long, value_name = "SHA256")]
    hash: Option<Hash>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The result as JSON, for programs.
#[derive(Serialize)]
struct Json<'a> {
    format: u32,
    results: String,
    journal_hash: Option<&'a str>,
    /// The version of the judge that started the contest.
    judge: Option<&'a str>,
    holds: bool,
    checks: Vec<JsonCheck<'a>>,
    /// Rounds that the rules of this judge would have opened differently, as sentences.
    deviations: Vec<String>,
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    subject: &'a str,
    holds: bool,
    checked: &'a str,
    problems: Vec<String>,
    unproved: Vec<String>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let published = self.hash.map(|hash| hash.to_string());
        let mut report = verify(&self.results, published.as_deref(), recorded::read).map_err(Failure::input)?;
        if report.has_office {
            report.checks.push(office(&self.results)?);
        }
        match self.format {
            Format::Text => text(&report, &self.results, out)?,
            Format::Json => json(&report, &self.results, out)?,
        }
        Ok(if report.holds() { DONE } else { NOT_SOLVED })
    }
}

/// Verifies results for `judge check RESULTS`, and returns the exit code.
#[cfg(feature = "sandbox")]
pub(super) fn check(results: &Path, out: &mut dyn Write) -> Done {
    Args { results: results.to_owned(), hash: None, format: Format::Text }.execute(out)
}

/// The check of the office in the log of these results.
fn office(results: &Path) -> Result<Check, Failure> {
    let check = Check { subject: "office", checked: String::new(), problems: Vec::new(), unproved: Vec::new() };
    #[cfg(feature = "sandbox")]
    {
        let report = judge_office::verify::in_results(results).map_err(super::office_folder::failure)?;
        let findings = |found: Vec<String>| found.into_iter().map(Finding::from).collect();
        let (problems, unproved) = (findings(report.problems), findings(report.unproved));
        Ok(Check { checked: report.checked, problems, unproved, ..check })
    }
    #[cfg(not(feature = "sandbox"))]
    {
        let reason = format!("{}: this `judge` is built without the feature `sandbox`", results.display());
        Ok(Check { unproved: vec![Finding::from(reason)], ..check })
    }
}

/// A finding on results, with its remedy.
fn finding(finding: &Finding, results: &Path) -> String {
    with_hint_for(&finding.text, finding.hint.as_ref(), Some(results))
}

fn text(report: &Report, results: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    let width = super::width();
    let mut line = |begin: &str, text: &str| writeln!(out, "{}", explained(begin, &printable(text), width));
    for Check { subject, checked, problems, unproved } in &report.checks {
        if problems.is_empty() {
            line("  ok       ", &format!("{subject}: {checked}"))?;
        }
        for problem in problems.iter().take(MAX_LISTED) {
            line("  DIFFERS  ", &format!("{subject}: {}", finding(problem, results)))?;
        }
        if problems.len() > MAX_LISTED {
            let more = problems.len() - MAX_LISTED;
            line("  DIFFERS  ", &format!("{subject}: and {more} more; --format json lists all"))?;
        }
        for unproved in unproved {
            line("  unproved ", &format!("{subject}: {}", finding(unproved, results)))?;
        }
    }
    for deviation in &report.deviations {
        line("  note     ", &format!("rounds: {}; it counts as it is recorded", deviations::sentence(deviation)))?;
    }
    if let Some(judge) = &report.judge {
        line("", &format!("begun by judge {judge}, verified by judge {}", super::version::text()))?;
    }
    if let Some(hash) = &report.journal_hash {
        line("", &format!("journal hash {hash}"))?;
    }
    let problems: usize = report.checks.iter().map(|check| check.problems.len()).sum();
    match problems {
        0 => line("", "nothing contradicts the record"),
        problems => line(
            "",
            &format!(
                "{} from the record; restore a copy of the results directory",
                count_text(problems, "difference", "differences")
            ),
        ),
    }
}

fn json(report: &Report, results: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    let checks = report.checks.iter().map(|check| JsonCheck {
        subject: check.subject,
        holds: check.problems.is_empty(),
        checked: &check.checked,
        problems: check.problems.iter().map(|found| finding(found, results)).collect(),
        unproved: check.unproved.iter().map(|found| finding(found, results)).collect(),
    });
    let json = Json {
        format: FORMAT,
        results: results.display().to_string(),
        journal_hash: report.journal_hash.as_deref(),
        judge: report.judge.as_deref(),
        holds: report.holds(),
        checks: checks.collect(),
        deviations: report.deviations.iter().map(deviations::sentence).collect(),
    };
    write_pretty_json(&json, out)?;
    writeln!(out)
}
