//! The contents of the organiser's pages, as commands.

use std::io::Write;
use std::path::{Path, PathBuf};

use judge_core::date::Date;
use judge_core::text::{printable, printable_lines};
use judge_office::difference::{Change, ChangedFile, Difference};
use judge_office::submission_state::SubmissionState;

use super::super::office_folder::{failure, judged, office_of};
use super::super::{DONE, Done, Failure};
use super::{list, number, open};

/// The most bytes at the end of the log that are printed without `--all`.
const LOG_BYTES: u64 = 64 << 10;

/// Look at the queue, the times, the log and changes
#[derive(Debug, clap::Subcommand)]
pub(in crate::cli) enum Command {
    /// List the submissions that are not judged: those that wait, run, or are held after judge errors
    Queue {
        /// Folder of the contest
        contest: PathBuf,
    },
    Diff(Diff),
    /// Print the times of the contest and its rounds, and the present state: a frozen board, final rounds, struck boards
    Clock {
        /// Folder of the contest
        contest: PathBuf,
    },
    /// Print the last lines of the office in the contest's log, which have private texts as hashes
    Log {
        /// Folder of the contest
        contest: PathBuf,

        /// Print all lines
        #[arg(long)]
        all: bool,
    },
}

/// Print the differences between two submissions, as the organiser's page shows them
///
/// The submissions can be of different teams. A line begins with `-` if only the first has it, and with `+` if only the
/// second has it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office diff club 3 5
  judge office diff club bob.3 ada.5 --json      files, each with its lines and their marks")]
pub(in crate::cli) struct Diff {
    /// Folder of the contest
    contest: PathBuf,

    /// Number of the first submission, such as 3, or its entry, such as ada.3
    before: String,

    /// The second submission
    after: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Command {
    pub(in crate::cli) fn execute(self, out: &mut dyn Write) -> Done {
        match self {
            Self::Queue { contest } => {
                list(&contest, SubmissionState::is_unfinished, "no submission waits, runs or is held", out)
            }
            Self::Diff(args) => args.execute(out),
            Self::Clock { contest } => clock(&contest, out),
            Self::Log { contest, all } => log(&contest, if all { u64::MAX } else { LOG_BYTES }, out),
        }
    }
}

impl Diff {
    fn execute(self, out: &mut dyn Write) -> Done {
        let office = open(&self.contest)?;
        let state = office.state().map_err(failure)?;
        let (before, after) = (number(&self.before)?, number(&self.after)?);
        let difference = office.difference(&state, before, after).map_err(failure)?;
        match self.json {
            true => writeln!(out, "{}", serde_json::to_string(&difference).map_err(std::io::Error::from)?)?,
            false => text(&difference, out)?,
        }
        Ok(DONE)
    }
}

fn text(Difference { before, after, files, .. }: &Difference, out: &mut dyn Write) -> std::io::Result<()> {
    if files.is_empty() {
        return writeln!(out, "the files of {before} and {after} are the same");
    }
    for ChangedFile { path, change, .. } in files {
        let path = printable(path);
        match change {
            Change::Added => writeln!(out, "{path}: only {after} has it")?,
            Change::Removed => writeln!(out, "{path}: only {before} has it")?,
            Change::Lines { lines, left_out, .. } => {
                writeln!(out, "{path}:")?;
                for line in lines {
                    writeln!(out, "{}", printable_lines(&line.to_string()))?;
                }
                if *left_out > 0 {
                    writeln!(out, "and {left_out} more lines")?;
                }
            }
            _ => writeln!(out, "{path}: changed, and not UTF-8")?,
        }
    }
    Ok(())
}

fn clock(contest: &Path, out: &mut dyn Write) -> Done {
    let office = open(contest)?;
    let state = office.state().map_err(failure)?;
    let contents = judged(contest)?;
    let rounds = contents.as_ref().map_or(&[][..], |contents| &contents.plan.rounds);
    let mut line = |text: &str, at: u64| writeln!(out, "{text} {}", Date::from_unix(at));
    line("now", office.now())?;
    for (round, place) in (1..).zip(0..rounds.len().max(1)) {
        let times = state.rules().in_round(round);
        let name = rounds.get(place).filter(|_| place > 0);
        let begin = name.map_or(String::new(), |name| format!("round {round} ({}) ", printable(&name.name)));
        for (text, at) in [("opens", times.opens), ("freezes", times.freezes), ("closes", times.closes)] {
            if let Some(at) = at {
                line(&format!("{begin}{text}"), at)?;
            }
        }
    }
    for (at, because) in state.announced() {
        line(&format!("times changed: {}:", printable(because)), *at)?;
    }
    if let Some(at) = state.froze_and_thawed().0.filter(|_| state.frozen().is_some()) {
        line("the board is frozen since", at)?;
    }
    for (at, because) in state.reopened() {
        line(&format!("the results became open again: {}:", printable(because)), *at)?;
    }
    if state.finals() {
        writeln!(out, "the final rounds are judged")?;
    }
    if let Some(at) = state.finalised() {
        writeln!(out, "the results are final since {}", Date::from_unix(at))?;
    }
    for (board, because) in contents.iter().flat_map(|contents| &contents.struck) {
        writeln!(out, "board {board} is struck: {}", printable(because))?;
    }
    Ok(DONE)
}

fn log(contest: &Path, most: u64, out: &mut dyn Write) -> Done {
    let office = office_of(contest)?;
    let failed = |error| Failure::input(format!("{}: {error}", judge_office::log::path_of(&office).display()));
    let text = judge_office::log::tail(&office, most).map_err(failed)?;
    writeln!(out, "{}", printable_lines(text.trim_end()))?;
    Ok(DONE)
}
