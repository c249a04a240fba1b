//! `judge convert`: brings a contest of an earlier version into the present form.

use std::io::Write;
use std::path::PathBuf;

use judge_core::text::printable;
use judge_job::count_text;
use judge_office::convert::convert;

use super::office_folder::{failure, office_of};
use super::{DONE, Done};

/// Convert contests of version 0.2: the log of the office becomes part of the log of the contest
///
/// In version 0.2, `office/office.jsonl` had what happened in the office. Its lines are put into `results/journal.jsonl`, in the
/// order in which they happened, and the file is renamed to `office/office.jsonl.converted`. The journal gets new hashes. Stop
/// `judge serve` before. A contest without such a file is left as it is, and so are results without teams: their form has not
/// changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge convert club
  judge convert */         # all contests here")]
pub(super) struct Args {
    /// Folders of contests
    #[arg(required = true)]
    contests: Vec<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        for contest in &self.contests {
            office_of(contest)?;
            let shown = contest.display().to_string();
            let done = match convert(contest).map_err(failure)? {
                Some(lines) => format!("{} of office/office.jsonl converted", count_text(lines, "line", "lines")),
                None => "nothing to convert".to_owned(),
            };
            writeln!(out, "{}: {done}", printable(&shown))?;
        }
        Ok(DONE)
    }
}
