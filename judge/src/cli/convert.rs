//! `judge convert`: converts contests and results of version 0.2.

use std::io::Write;
use std::path::PathBuf;

use judge_core::text::printable;
use judge_job::count_text;
use judge_office::convert::convert;

use super::office_folder::{failure, office_of};
use super::{DONE, Done};

/// Convert contests and results of version 0.2 to the present form
///
/// Version 0.2 wrote four numbers for every answer, of which some meant nothing; now figures have names. It also had a
/// second log, `office/office.jsonl`: its lines are put into `results/journal.jsonl`, in the order in which they
/// happened, and the file is renamed to `office/office.jsonl.converted`. Lines that set submissions aside go, because
/// that follows from the decisions. A journal that changes gets new hashes, so keep a copy. `results.csv` is written
/// again by the next run. Stop `judge serve` before. Files in the present form stay unchanged.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge convert club       # a contest with its results and its office
  judge convert runs/1     # results alone
  judge convert */         # all contests here")]
pub(super) struct Args {
    /// Folders of contests, and results directories
    #[arg(required = true)]
    contests: Vec<PathBuf>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        for contest in &self.contests {
            if !contest.join(judge_core::journal::FILE_NAME).is_file() {
                office_of(contest)?;
            }
            let shown = contest.display().to_string();
            let done = match convert(contest).map_err(failure)? {
                Some((changed, office)) => format!(
                    "{} changed, {} of office/office.jsonl added",
                    count_text(changed, "line", "lines"),
                    count_text(office, "line", "lines")
                ),
                None => "nothing to convert".to_owned(),
            };
            writeln!(out, "{}: {done}", printable(&shown))?;
        }
        Ok(DONE)
    }
}
