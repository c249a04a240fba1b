//! `judge office`: submissions of teams, and judging them.

mod decisions;
mod judging;
mod look;
mod rejudge;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::office_folder::{as_the_contest_says, clock, done, failure, judged, office_of, setup};
use super::results_csv::write_results_csv;
use super::slurm::ClusterOptions;
use super::team::Links;
use super::{DONE, Done, Failure, JUDGE_FAILED, notice, notices, signals};
use judge_core::date::Date;
use judge_core::results::Results;
use judge_core::text::printable;
use judge_files::regular;
use judge_job::StopRequest as _;
use judge_office::judging::{Judging, Processors, results_of};
use judge_office::state::ORGANISER;
use judge_office::submission_state::{SubmissionState, SubmissionStates};
use judge_office::view::Viewer;
use judge_office::{MAX_UPLOAD_BYTES, Office, Upload, intake};
use judge_report::layout::{Column, Grid};
use judge_report::{self as report, Format, View};

pub(super) use judging::{Machines, open_contest, work_on};
use judging::{stopped, work};

/// Accept and judge submissions of teams
///
/// The office accepts submissions of the teams that `judge team add` has added, builds them and runs them on every
/// board. `counts` of `[office]` decides which submission of a team counts. Results are in the contest's folder
/// `results`, for all other commands: `judge rank`, `judge report`, `judge verify`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Submit(Submit),
    Judge(JudgeArgs),
    /// List the submissions with their state
    List {
        /// Folder of the contest
        contest: PathBuf,
    },
    /// Freeze the public board of `judge serve`: it shows only that later submissions exist
    ///
    /// Teams still see their own results, and the organiser sees everything. The last public submission is recorded, so
    /// nothing depends on a clock.
    Freeze {
        /// Folder of the contest
        contest: PathBuf,
    },
    /// Thaw the public board of `judge serve`: everybody sees everything again
    Thaw {
        /// Folder of the contest
        contest: PathBuf,
    },
    /// Print a new link of an organiser to the pages of `judge serve`; that organiser's earlier links become invalid
    ///
    /// Each organiser has a name, which the log has with each decision on the pages.
    Link {
        /// Folder of the contest
        contest: PathBuf,

        /// Name of the organiser, who is added if there is none with this name
        #[arg(long, value_name = "NAME", default_value = ORGANISER)]
        name: String,

        #[command(flatten)]
        links: Links,
    },
    /// Remove an organiser, whose links become invalid
    Unlink {
        /// Folder of the contest
        contest: PathBuf,

        /// Name of the organiser
        name: String,
    },
    /// Let the players that teams have submitted play each other, in a contest of matches
    ///
    /// Games between players that have met on a board before are not played again. With `games = "at-once"` in [office], which is
    /// the default, every new player plays at once; with a time such as "03:00", new players also play at that time of each day.
    Play {
        /// Folder of the contest
        contest: PathBuf,
    },
    Rejudge(rejudge::Args),
    #[command(flatten)]
    Decision(decisions::Command),
    #[command(flatten)]
    Look(look::Command),
}

/// Submit a program for a team
///
/// The receipt is printed when the submission is on disk. Submitting the same files again is the same submission,
/// unless the last one is cancelled or ignored, or was late and this one is in time.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office submit my-contest ada solve.py
  judge office submit my-contest ada main.c board.c board.h
  judge office submit my-contest ada solver.zip --language java
  judge office submit my-contest ada solve.py --problem knights

One or several source files, a zip or tar.gz archive of at most 200 files and 4 MiB, or an executable; 1 MiB in all. The
file endings decide the language, unless --language names one.")]
pub(super) struct Submit {
    /// Folder of the contest
    contest: PathBuf,

    /// Name of the team
    team: String,

    /// The files
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Code of the language, such as cpp or python3; `executable` for a program
    #[arg(long, value_name = "CODE")]
    language: Option<String>,

    /// Identifier of the problem, if the contest has several
    #[arg(long, value_name = "ID")]
    problem: Option<String>,
}

/// Build and run all submissions that are not judged yet, and print the standings
///
/// Teams take turns by the cost of their work, and the first board of a new submission comes before all others. A
/// submission on which the judge fails three times is held. After an interruption, even a power failure, the same
/// command continues.
///
/// The contest is fixed when it is judged for the first time: later changes of its file are ignored.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office judge my-contest
  judge office judge my-contest --follow     also judge new submissions, until Ctrl-C")]
pub(super) struct JudgeArgs {
    /// Folder of the contest
    contest: PathBuf,

    /// Runs at a time [default: as many as do not disturb each other]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Wait for further submissions until a signal
    #[arg(long)]
    follow: bool,

    #[command(flatten)]
    engine: ClusterOptions,
}

impl Command {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        match self {
            Self::Submit(args) => args.execute(out),
            Self::Judge(args) => args.execute(out),
            Self::List { contest } => list(&contest, |_| true, "nothing was submitted yet", out),
            Self::Freeze { contest } => {
                let last = open(&contest)?.freeze().map_err(failure)?;
                writeln!(out, "the public board shows what was handed in up to submission {last}")?;
                Ok(DONE)
            }
            Self::Thaw { contest } => done(open(&contest)?.thaw()),
            Self::Unlink { contest, name } => done(open(&contest)?.remove_organiser(&name)),
            Self::Link { contest, name, links } => {
                let token = open(&contest)?.renew_organiser(&name).map_err(failure)?;
                writeln!(out, "{}", links.to("enter", &token))?;
                links.explain();
                Ok(DONE)
            }
            Self::Play { contest } => {
                let last = open(&contest)?.call().map_err(failure)?;
                writeln!(out, "the players up to submission {last} play")?;
                Ok(DONE)
            }
            Self::Rejudge(args) => args.execute(out),
            Self::Decision(command) => command.execute(out),
            Self::Look(command) => command.execute(out),
        }
    }
}

impl Submit {
    fn execute(self, out: &mut dyn Write) -> Done {
        let office = open(&self.contest)?;
        let mut files = Vec::new();
        for path in &self.files {
            let refuse = |error: std::io::Error| Failure::input(format!("{}: {error}", path.display()));
            let bytes = regular::open(path).and_then(|file| regular::read_file(file, MAX_UPLOAD_BYTES));
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            files.push((name, bytes.map_err(refuse)?));
        }
        let (name, bytes) = match <[_; 1]>::try_from(files) {
            Ok([one]) => one,
            Err(several) => intake::bundle(&several).map_err(|error| Failure::input(error.to_string()))?,
        };
        let (language, problem) = (self.language.as_deref(), self.problem.as_deref());
        let upload = Upload { language, problem, ..Upload::new(&self.team, &name, &bytes) };
        let receipt = office.submit(&upload, judged(&self.contest)?.as_ref()).map_err(failure)?;
        if let Some(left_out) = &receipt.left_out {
            notice(format!("left out of {name}: {left_out}"));
        }
        let again = if receipt.repeated { ", accepted before" } else { "" };
        let late = if receipt.submission.late { ", late: not judged unless the organiser admits it" } else { "" };
        let (entry, at) = (receipt.submission.entry(), Date::from_unix(receipt.at).minute());
        writeln!(out, "{entry} {} {at}{again}{late}", receipt.submission.sha256)?;
        Ok(DONE)
    }
}

impl JudgeArgs {
    fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        let office = open(&self.contest)?;
        let results = results_of(&self.contest);
        let (open_contest, _) = open_contest(&self.contest, &results, &interrupt, &*office.state().map_err(failure)?)?;
        let judging = Judging::new(&office, &open_contest);
        let processors = Processors::default();
        let machines = Machines {
            engine: &self.engine,
            jobs: self.jobs,
            spared: None,
            processors: &processors,
            weaker_isolation: setup(&self.contest)?.weaker_isolation,
        };
        let whole = match self.follow {
            true => work_on(&judging, &open_contest, &interrupt, &machines)?,
            false => work(&judging, &open_contest, &interrupt, &machines, false).map_err(|(failure, _)| failure)?,
        };
        drop(open_contest);
        if !whole || (interrupt.requested() && !self.follow) {
            return Err(stopped(&interrupt));
        }
        let contents = write_results_csv(&results)?;
        let table = Results::from_journal(&contents).by_team();
        let view = View { width: super::width(), results: Some(&results), notices: &notices(), ..View::default() };
        report::write_for(&table, Format::Table, view, out)?;
        Ok(if table.complete() { DONE } else { JUDGE_FAILED })
    }
}

/// Lists the submissions whose state is wanted.
fn list(folder: &Path, wanted: impl Fn(&SubmissionState) -> bool, none: &str, out: &mut dyn Write) -> Done {
    let office = open(folder)?;
    let state = office.state().map_err(failure)?;
    let contents = judged(folder)?;
    let states = SubmissionStates::new(&Viewer::Organiser, &state, contents.as_ref());
    let rows: Vec<_> = states.all().filter(|(_, _, shown)| wanted(shown)).collect();
    if rows.is_empty() {
        writeln!(out, "{none}")?;
        return Ok(DONE);
    }
    let times = rows.iter().map(|(at, _, _)| Date::from_unix(*at).minute());
    let mut columns = vec![Column::new("entry", rows.iter().map(|(_, submission, _)| submission.entry()))];
    if rows.iter().any(|(_, submission, _)| !submission.problem.is_empty()) {
        columns.push(Column::new("problem", rows.iter().map(|(_, submission, _)| submission.problem.clone())));
    }
    columns.extend([
        Column::new("time", times),
        Column::new("file", rows.iter().map(|(_, submission, _)| printable(&submission.file))),
        Column::new("status", rows.iter().map(|(_, _, shown)| printable(&shown.to_string()))),
    ]);
    let mut grid = Grid::new(columns);
    grid.fit(super::width());
    writeln!(out, "{grid}")?;
    Ok(DONE)
}

/// The number of a submission that is given by its number or its entry.
fn number(text: &str) -> Result<u32, Failure> {
    let number = text.rsplit_once('.').map_or(text, |(_, number)| number);
    number.parse().map_err(|_| Failure::input(format!("unknown submission `{text}`; give its number, such as 17")))
}

/// The office of a contest on this machine.
fn open(contest: &Path) -> Result<Office, Failure> {
    let (folder, setup) = (office_of(contest)?, setup(contest)?);
    let office = Office::open(&folder, clock()).map_err(failure)?;
    let office = as_the_contest_says(office, &setup)?;
    office.tick().map_err(failure)?;
    Ok(office)
}
