//! `judge office rejudge`: referees stored answers again while the contest continues.

use std::io::Write;
use std::path::PathBuf;

use judge_contest::rejudge::ChangedRow;
use judge_core::date::Date;
use judge_core::text::printable;
use judge_job::count_text;
use judge_office::proposal::{self, ChangedRuling, Proposal};

use super::super::office_folder::{failure, judged};
use super::super::{DONE, Done};
use super::open;

/// Referee the stored answers again with a corrected referee: first see what would change, then record it
///
/// Correct the referee or its definition in the contest file first. Without an option, this requests a dry run, or
/// shows its result. The site, or `judge office judge`, does the dry run when nothing else waits to be judged. Only
/// --record records the rulings, all together, with those of newer answers. If a ruling differs from the one that you
/// saw, nothing is recorded, and you see the new rulings.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office rejudge club              requests a dry run; later, shows what would change
  judge office rejudge club --record
  judge office rejudge club --again      the referee was corrected once more
  judge office rejudge club --drop")]
pub(in crate::cli) struct Args {
    /// Folder of the contest
    contest: PathBuf,

    /// Record what was shown
    #[arg(long, conflicts_with_all = ["again", "drop"])]
    record: bool,

    /// If the referee fails on some answers, these keep their rulings, and the others are recorded
    #[arg(long, requires = "record")]
    partial: bool,

    /// Request another dry run
    #[arg(long, conflicts_with = "drop")]
    again: bool,

    /// Record nothing
    #[arg(long)]
    drop: bool,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let (office, contents) = (open(&self.contest)?, judged(&self.contest)?);
        if self.drop {
            office.drop_rejudging(contents.as_ref()).map_err(failure)?;
            writeln!(out, "nothing is recorded")?;
            return Ok(DONE);
        }
        if self.record {
            office.approve_rejudging(self.partial, contents.as_ref()).map_err(failure)?;
            writeln!(out, "recorded as soon as nothing else is to be judged")?;
            return Ok(DONE);
        }
        let state = office.state().map_err(failure)?;
        let asked = state.rejudging(contents.as_ref()).filter(|_| !self.again);
        let Some(asked) = asked else {
            office.ask_for_rejudging().map_err(failure)?;
            writeln!(out, "asked; the same command shows what would change")?;
            return Ok(DONE);
        };
        match proposal::read(&office, contents.as_ref()).map_err(failure)? {
            Some(proposal) => show(&proposal, asked.approved.is_some(), out)?,
            None => {
                let at = Date::from_unix(asked.asked).minute();
                writeln!(
                    out,
                    "asked {at}; it is made when nothing else is to be judged, by the site or `judge office judge`"
                )?;
            }
        }
        Ok(DONE)
    }
}

fn show(proposal: &Proposal, approved: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let Proposal { problem, note, reviewed, changed, failed, missing, standings, .. } = proposal;
    if let Some(problem) = problem {
        return writeln!(out, "the answers could not be refereed: {}", printable(problem));
    }
    for ChangedRuling { run, before, now, .. } in changed.iter().chain(failed) {
        writeln!(out, "{}: {} (before: {})", printable(run), printable(now), printable(before))?;
    }
    for run in missing {
        writeln!(out, "{}: its answer is missing; it keeps its verdict", printable(run))?;
    }
    for ChangedRow { entry, before, now } in standings {
        writeln!(out, "standings: {}: {now} (before: {before})", printable(entry))?;
    }
    let failed = if failed.is_empty() { String::new() } else { format!(", the referee failed on {}", failed.len()) };
    let number = count_text(reviewed.len(), "answer", "answers");
    writeln!(out, "{number} refereed again, {} changed{failed}", changed.len())?;
    if let Some(note) = note {
        writeln!(out, "{}", printable(note))?;
    }
    let next = match approved && note.is_none() {
        true => "it is recorded as soon as nothing else is to be judged",
        false => "nothing is recorded yet; --record does it, --drop does not",
    };
    writeln!(out, "{next}")
}
