//! `judge office`: what teams hand in, and judging it.

mod desk;
mod look;
mod rejudge;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::builds::{Site as BuildSite, build_entries};
use super::check::startable;
use super::directory::seen_from;
use super::isolation::{self, contest_executor, limits};
use super::office_folder::{as_the_contest_says, check_entries, clock, failure, judged, office_of, setup};
use super::rejudge::corrected;
use super::results_csv::write_results_csv;
use super::slurm::{self, ClusterOptions, EngineName};
use super::team::Links;
use super::{DONE, Done, Failure, JUDGE_FAILED, environment, say, signals};
use judge_contest::builds::first_error;
use judge_contest::conduct::{Beginning, Conduct};
use judge_contest::external::RefereeContext;
use judge_contest::journal::Journal;
use judge_contest::programs::{hashes, keep};
use judge_contest::schedule::{Engine, Local, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::date::Date;
use judge_core::journal::{Built, Contents, FILE_NAME as JOURNAL};
use judge_core::results::Results;
use judge_core::text::printable;
use judge_files::regular;
use judge_job::StopRequest as _;
use judge_office::judging::{Cluster, CorrectionError, Entered, Judging, JudgingError, Processors, Site, results_of};
use judge_office::room::{FOR_JUDGING, Room, WithRoom};
use judge_office::state::State;
use judge_office::status::{self, Status};
use judge_office::{FOLDER, MAX_UPLOAD_BYTES, Office, Upload, intake};
use judge_report::layout::{Column, Grid};
use judge_report::{self as report, Format, View};
use judge_sandbox::{Executor as _, Interrupt, LocalExecutor};
use judge_show::live::Shown;
use judge_slurm::Mode;
use judge_slurm::log::Log;

/// What teams hand in, and judging it
///
/// The office takes submissions of the teams that `judge team add` has added, builds them and runs them on every board. The
/// last submission of a team that builds counts. Results are in the contest's folder `results`, and all other commands take
/// them: `judge rank`, `judge report`, `judge verify`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Submit(Submit),
    Judge(JudgeArgs),
    List(List),
    Freeze(Freeze),
    Thaw(Thaw),
    Link(Link),
    Rejudge(rejudge::Args),
    #[command(flatten)]
    Desk(desk::Command),
    #[command(flatten)]
    Look(look::Command),
}

/// Hand in a program for a team
///
/// It is accepted when this prints its receipt: then it is on disk. The same upload again is the same submission, unless the
/// last one is cancelled or ignored, or came late and this one is in time.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office submit my-contest ada solve.py
  judge office submit my-contest ada main.c board.c board.h
  judge office submit my-contest ada solver.zip --language java

One or several source files, a zip or tar.gz archive of at most 200 files and 4 MiB, or an executable; 1 MiB in all. The
endings of the files decide on the language, unless --language names one.")]
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
}

/// Build and run everything that was handed in and is not judged yet, and print the standings
///
/// Teams have their turn by the cost of their work, and the first board of a new submission comes before all others. A
/// submission on which the judge fails three times is held. After an interruption, even a power failure, the same command
/// goes on.
///
/// The contest is fixed when it is judged for the first time: later changes of its file do not count.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge office judge my-contest
  judge office judge my-contest --follow     go on until Ctrl-C, with what comes in meanwhile")]
pub(super) struct JudgeArgs {
    /// Folder of the contest
    contest: PathBuf,

    /// Runs at a time [default: as many as do not disturb each other]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Wait for further submissions until a signal ends this
    #[arg(long)]
    follow: bool,

    #[command(flatten)]
    engine: ClusterOptions,
}

/// List the submissions, and how far each is
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// Folder of the contest
    contest: PathBuf,
}

/// Freeze the public board of `judge serve`: of later submissions, it shows only that they came
///
/// Teams see everything of their own, and the organiser sees everything. The last submission that is public is recorded, so
/// nothing depends on a clock.
#[derive(Debug, clap::Args)]
pub(super) struct Freeze {
    /// Folder of the contest
    contest: PathBuf,
}

/// Thaw the public board of `judge serve`: everybody sees everything again
#[derive(Debug, clap::Args)]
pub(super) struct Thaw {
    /// Folder of the contest
    contest: PathBuf,
}

/// Print a new link to the organiser's pages of `judge serve`; those before are void
#[derive(Debug, clap::Args)]
pub(super) struct Link {
    /// Folder of the contest
    contest: PathBuf,

    #[command(flatten)]
    links: Links,
}

impl Command {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        match self {
            Self::Submit(args) => args.execute(out),
            Self::Judge(args) => args.execute(out),
            Self::List(List { contest }) => list(&contest, |_| true, out),
            Self::Freeze(Freeze { contest }) => {
                let last = open(&contest)?.freeze().map_err(failure)?;
                writeln!(out, "the public board shows what was handed in up to submission {last}")?;
                Ok(DONE)
            }
            Self::Thaw(Thaw { contest }) => {
                open(&contest)?.thaw().map_err(failure)?;
                Ok(DONE)
            }
            Self::Link(Link { contest, links }) => {
                let token = open(&contest)?.renew_organiser().map_err(failure)?;
                writeln!(out, "{}", links.to("enter", &token))?;
                links.explain();
                Ok(DONE)
            }
            Self::Rejudge(args) => args.execute(out),
            Self::Desk(command) => command.execute(out),
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
        let language = self.language.as_deref();
        let upload = Upload { language, ..Upload::new(&self.team, &name, &bytes) };
        let receipt = office.submit(&upload, judged(&self.contest)?.as_ref()).map_err(failure)?;
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
        let conduct = conduct(&self.contest, &results, &interrupt, &[office.state().map_err(failure)?])?;
        let judging = Judging::new(&office, &conduct);
        let processors = Processors::default();
        let machines = Machines { engine: &self.engine, jobs: self.jobs, spared: None, processors: &processors };
        let whole = match self.follow {
            true => work_on(&judging, &conduct, &interrupt, &machines)?,
            false => work(&judging, &conduct, &interrupt, &machines, false).map_err(|(failure, _)| failure)?,
        };
        drop(conduct);
        if !whole || (interrupt.requested() && !self.follow) {
            return Err(stopped(&interrupt));
        }
        let contents = write_results_csv(&results)?;
        let table = Results::from_journal(&contents);
        let view = View { width: super::width(), results: Some(&results), ..View::default() };
        report::write_for(&table, Format::Table, view, out)?;
        Ok(if table.complete() { DONE } else { JUDGE_FAILED })
    }
}

/// The machines that execute the runs of an office: this one, or a cluster.
pub(super) struct Machines<'a> {
    pub(super) engine: &'a ClusterOptions,
    /// Runs at a time on this machine; `None` for as many as do not disturb each other.
    pub(super) jobs: Option<NonZeroUsize>,
    /// The processor that no run gets, if there is another one.
    pub(super) spared: Option<usize>,
    /// The processors of this machine, which other contests may share.
    pub(super) processors: &'a Processors,
}

/// The time between two attempts to judge after the first failure; it doubles with each, up to the second.
const TRY_AGAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];
/// The time between two looks for a request to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Judges what is handed in until a stop is requested. A judge that fails tries again, for as long as it takes: what was accepted is
/// judged in the end, and whoever looks at the pages is not concerned. Returns whether what was under way could end.
///
/// # Errors
/// A failure before anything was judged that no disk is to blame for.
pub(super) fn work_on(
    judging: &Judging<'_>,
    conduct: &Conduct,
    interrupt: &Interrupt,
    machines: &Machines<'_>,
) -> Result<bool, Failure> {
    let (mut wait, mut said) = (TRY_AGAIN[0], String::new());
    loop {
        let worked = catch_unwind(AssertUnwindSafe(|| work(judging, conduct, interrupt, machines, true)));
        let (failure, goes_on) = match worked {
            Ok(Ok(whole)) => return Ok(whole),
            Ok(Err(failed)) => failed,
            Err(_) => (Failure::judge("judging ended with a panic"), true),
        };
        if interrupt.requested() || !goes_on {
            return Err(failure);
        }
        let reason = failure.reason();
        judging.handle().stalls(reason);
        if reason != said {
            say(&format!("judging has stopped and is tried again: {reason}"));
            (wait, said) = (TRY_AGAIN[0], reason.to_owned());
        }
        let mut left = wait;
        while !left.is_zero() && !interrupt.requested() {
            std::thread::sleep(LOOK);
            left = left.saturating_sub(LOOK);
        }
        if interrupt.requested() {
            return Ok(true);
        }
        wait = (wait * 2).min(TRY_AGAIN[1]);
    }
}

/// Judges what is handed in, all of it or until a stop is requested. Returns whether what was under way could end.
///
/// # Errors
/// The failure, and true if it may be gone when it is tried again.
pub(super) fn work(
    judging: &Judging<'_>,
    conduct: &Conduct,
    interrupt: &Interrupt,
    machines: &Machines<'_>,
    follow: bool,
) -> Result<bool, (Failure, bool)> {
    let begun = Cell::new(false);
    let room = room_of(conduct);
    work_with(judging, conduct, interrupt, machines, follow, &room, &begun).map_err(|failure| {
        // Before that, what the organiser has chosen may not be there; a full disk may be free later.
        (failure, begun.get() || room.check(FOR_JUDGING).is_err())
    })
}

/// The disks that judging a contest writes to.
fn room_of(conduct: &Conduct) -> Room {
    let results = conduct.results().to_owned();
    let temporary = environment("TMPDIR").filter(|folder| !folder.is_empty()).unwrap_or_else(|| "/tmp".to_owned());
    let office = results.parent().map(|contest| contest.join(FOLDER));
    Room::of([results].into_iter().chain(office).chain([PathBuf::from(temporary)]))
}

fn work_with(
    judging: &Judging<'_>,
    conduct: &Conduct,
    interrupt: &Interrupt,
    &Machines { engine: options, jobs, spared, processors }: &Machines<'_>,
    follow: bool,
    room: &Room,
    begun: &Cell<bool>,
) -> Result<bool, Failure> {
    let contest = conduct.contest();
    let on_slurm = options.engine_of(Some(conduct.results()))? == EngineName::Slurm;
    let executor = match on_slurm {
        false => contest_executor(&contest, contest.plan.isolation, interrupt)?,
        // Nodes have to have the isolation.
        true => LocalExecutor::new(interrupt, contest.plan.isolation).map_err(Failure::judge)?,
    };
    if on_slurm {
        slurm::installed()?;
    }
    let slurm = match on_slurm || Log::has_work(conduct.results()) {
        true => Some(options.slurm(conduct.results(), interrupt)?),
        false => None,
    };
    let isolation = &|| (contest.plan.isolation, executor.describe().isolation);
    // Each batch has an engine of its own, because entries come between two batches.
    let engines = slurm.as_ref().map(|slurm| {
        engines(move |contest, contents| {
            let programs = contents.programs.iter().map(|(entry, files)| (entry.clone(), (**files).clone()));
            let programs = programs.collect();
            let made = options.cluster(slurm, contest, contents, programs, isolation(), Mode::Stay);
            let engine = made.map_err(|failure| Stopped::Engine(failure.message.unwrap_or_default().into()))?;
            Ok(Box::new(engine))
        })
    });
    let cluster = match (&slurm, &engines) {
        (Some(slurm), Some(engine)) if on_slurm => Some(Cluster { engine, at_a_time: options.cores(slurm)? }),
        (Some(slurm), _) => {
            // What the cluster has made counts, and the rest is made here.
            let (contents, programs) = (conduct.contents(), BTreeMap::new());
            let collecting = options.cluster(slurm, &contest, &contents, programs, isolation(), Mode::Collect)?;
            conduct.run_pass(&collecting, &[], interrupt).map_err(Failure::judge)?;
            None
        }
        (None, _) => None,
    };
    let rules = &contest.builds;
    let builder = isolation::executor("build_isolation", rules.isolation, &[rules.limits], interrupt)?;
    let mut slots = executor.capacity(&limits(&contest), jobs).slots;
    if let Some(spared) = spared.filter(|spared| slots.iter().any(|slot| !slot.contains(spared))) {
        slots.retain(|slot| !slot.contains(&spared));
    }
    // What a full disk spoils is nobody's fault.
    let (with_room, builder) = (WithRoom::new(&executor, room), WithRoom::new(&builder, room));
    let (local, path) = (Local::new(&with_room), environment("PATH"));
    let (slots, path) = (&slots[..], path.as_deref());
    let correct = |contents: &Contents, keeps: bool| {
        let corrected = corrected(&contest.path, contents, conduct.results(), keeps, interrupt, |_| Ok(&executor));
        corrected
            .map(|(corrected, _)| corrected)
            .map_err(|failure| CorrectionError::new(failure.message.unwrap_or_default()))
    };
    let site = Site {
        builder: &builder,
        engine: &local,
        cluster,
        referee: &with_room,
        correct: &correct,
        slots,
        processors,
        room,
        environment: &environment,
        path,
    };
    begun.set(true);
    match judging.work(&site, interrupt, follow, &announce) {
        Ok(()) => Ok(true),
        Err(JudgingError::Stopped(Stopped::Interrupted) | JudgingError::Builds(_)) if interrupt.requested() => {
            Ok(false)
        }
        Err(error) => Err(Failure::judge(error.to_string())),
    }
}

/// Gives a closure the type of something that makes engines, which the compiler does not find by itself.
fn engines<'a, F>(make: F) -> F
where
    F: Fn(&Contest, &Contents) -> Result<Box<dyn Engine + 'a>, Stopped> + Sync,
{
    make
}

fn stopped(interrupt: &Interrupt) -> Failure {
    Failure::interrupted("interrupted; what is judged is saved; the same command goes on", interrupt)
}

/// Says what became of a submission.
fn announce(Entered { submission, build }: &Entered) {
    let name = submission.entry();
    match build {
        Some(Built::Failed { reason }) => say(&format!("{name} does not build: {}", first_error(reason))),
        Some(Built::JudgeError { reason }) => say(&format!("{name}: {reason}")),
        _ => say(&format!("{name} is entered")),
    }
}

/// The contest in its results directory: begun, or continued. `teams` are those that take part when it begins.
pub(super) fn conduct(
    folder: &Path,
    results: &Path,
    interrupt: &Interrupt,
    teams: &[Arc<State>],
) -> Result<Conduct, Failure> {
    let mut contest = Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
    let executor = contest_executor(&contest, contest.plan.isolation, interrupt)?;
    isolation::say_if_overheard(&contest, &executor);
    if results.join(JOURNAL).exists() {
        let (journal, contents) = Journal::resume(results, super::clock).map_err(|error| Failure::journal(&error))?;
        contest.unseal(|board| contents.plan.boards.iter().any(|known| known.name == board));
        let built = contents
            .builds
            .iter()
            .flat_map(|build| build.entries.iter().map(|entry| (entry.clone(), build.built.clone())));
        let unbuilt = built.filter(|(_, built)| *built != Built::Succeeded).collect();
        startable(&contest, &executor)?;
        let conduct = Conduct::resume(contest, journal, results).map_err(Failure::judge)?;
        conduct.set_unbuilt(unbuilt);
        return Ok(conduct);
    }
    check_entries(&contest, teams.iter().flat_map(|state| state.teams().keys()))?;
    fs::create_dir_all(results).map_err(|error| Failure::making(&error, format!("{}: {error}", results.display())))?;
    contest.keep_files(results).map_err(Failure::judge)?;
    let site = BuildSite { results, keeps_logs: true, shown: Shown::Nothing, interrupt };
    let builds = build_entries(&contest, &site, None)?;
    startable(&contest, &executor)?;
    let context = RefereeContext { executor: &executor, processors: Vec::new(), results: Some(results) };
    contest.check_boards(&context).map_err(Failure::input)?;
    let path = environment("PATH");
    let programs = hashes(&contest, path.as_deref());
    let kept = keep(&contest, &programs, results).into_iter().map(|(entry, files)| (entry, files.kept)).collect();
    let contest_file = seen_from(results, &contest.path);
    let unbuilt = builds.unbuilt();
    let judge = Some(super::version::text().to_owned());
    let with = Beginning { contest_file, programs, kept, path, judge, builds: builds.all, ..Beginning::default() };
    let conduct = Conduct::begin(contest, results, with, super::clock).map_err(Failure::judge)?;
    conduct.set_unbuilt(unbuilt);
    Ok(conduct)
}

/// Lists the submissions with such a status.
fn list(folder: &Path, wanted: impl Fn(&Status) -> bool, out: &mut dyn Write) -> Done {
    let office = open(folder)?;
    let state = office.state().map_err(failure)?;
    let mut rows = status::all(&state, judged(folder)?.as_ref());
    rows.retain(|(_, status)| wanted(status));
    let accepted = |number: u32| state.submission(number).map_or(0, |(at, _)| at);
    let times = rows.iter().map(|(submission, _)| Date::from_unix(accepted(submission.number)).minute());
    let mut grid = Grid::new(vec![
        Column::new("entry", rows.iter().map(|(submission, _)| submission.entry())),
        Column::new("time", times),
        Column::new("file", rows.iter().map(|(submission, _)| printable(&submission.file))),
        Column::new("status", rows.iter().map(|(_, status)| printable(&status.to_string()))),
    ]);
    grid.fit(super::width());
    writeln!(out, "{grid}")?;
    Ok(DONE)
}

/// The number of a submission, which is given by it or by its entry.
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
