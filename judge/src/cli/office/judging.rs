//! Judges submissions of teams, on this machine or a cluster, once or until a stop is requested.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::directory::seen_from;
use super::super::host::LocalHost;
use super::super::isolation::{self, contest_executor, limits};
use super::super::office_folder::check_entries;
use super::super::rejudge::corrected;
use super::super::session::preparation;
use super::super::slurm::{self, ClusterOptions, EngineName};
use super::super::{Failure, environment, say};
use judge_contest::builds::first_error;
use judge_contest::journal::Journal;
use judge_contest::open_contest::{OpenContest, StartOptions};
use judge_contest::schedule::{Engine, Local, Stopped};
use judge_contest::session::{Needed, prepare, unbuilt};
use judge_contest::{Contest, Overrides};
use judge_core::journal::{Built, ContestState, JournalError};
use judge_job::{StopRequest as _, Tier};
use judge_office::FOLDER;
use judge_office::disk_space::{DiskCheckedExecutor, DiskSpace, MIN_BYTES_FOR_JUDGING};
use judge_office::judging::{
    Cluster, CorrectionError, Entered, Isolated, Judging, JudgingError, JudgingResources, Processors,
};
use judge_office::state::State;
use judge_sandbox::{Executor as _, Interrupt, LocalExecutor};
use judge_slurm::Mode;
use judge_slurm::log::Log;

/// The machines that execute the runs of an office: this one, or a cluster.
pub(in crate::cli) struct Machines<'a> {
    pub(in crate::cli) engine: &'a ClusterOptions,
    /// Number of runs at a time on this machine; `None` for as many as do not disturb each other.
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
    /// The processor that is kept free of runs, if there is another one.
    pub(in crate::cli) spared: Option<usize>,
    /// The processors of this machine.
    pub(in crate::cli) processors: &'a Processors,
    /// True if runs may be less isolated than earlier ones.
    pub(in crate::cli) weaker_isolation: bool,
}

/// An executor that isolates runs as well as earlier ones were, unless the contest file allows less, and what is lost.
///
/// # Errors
/// The isolation that is lost. As a retry may find it restored, the error is marked as temporary.
fn executor_as_before<'i>(
    open_contest: &OpenContest,
    interrupt: &'i Interrupt,
    weaker: bool,
    again: &Cell<bool>,
) -> Result<(LocalExecutor<'i>, Option<String>), Failure> {
    let contest = open_contest.contest();
    let executor = contest_executor(&contest, contest.plan.isolation, interrupt)?;
    match isolation::lost(&open_contest.contents(), &executor) {
        Some(lost) if !weaker => {
            again.set(true);
            Err(Failure::judge(format!("{lost}; `weaker_isolation = true` in [office] allows it")))
        }
        lost => {
            lost.iter().for_each(|lost| say(&format!("warning: {lost}")));
            Ok((executor, lost))
        }
    }
}

/// The time between attempts to judge: after the first failure, and the longest. It doubles with each failure.
const RETRY_INTERVALS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];
/// The time between two checks for a request to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// Judges submissions until a stop is requested. After a failure, it retries without limit, so that every accepted
/// submission is judged in the end. Returns false if the stop interrupted a run or a build.
///
/// # Errors
/// A failure before the judging began that a retry cannot fix. Missing isolation and full disks are retried.
pub(in crate::cli) fn work_on(
    judging: &Judging<'_>,
    open_contest: &OpenContest,
    interrupt: &Interrupt,
    machines: &Machines<'_>,
) -> Result<bool, Failure> {
    let (mut wait, mut reported) = (RETRY_INTERVALS[0], String::new());
    loop {
        let worked = catch_unwind(AssertUnwindSafe(|| work(judging, open_contest, interrupt, machines, true)));
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
        if reason != reported {
            say(&format!("judging has stopped and is tried again: {reason}"));
            (wait, reported) = (RETRY_INTERVALS[0], reason.to_owned());
        }
        let mut left = wait;
        while !left.is_zero() && !interrupt.requested() {
            std::thread::sleep(STOP_INTERVAL);
            left = left.saturating_sub(STOP_INTERVAL);
        }
        if interrupt.requested() {
            return Ok(true);
        }
        wait = (wait * 2).min(RETRY_INTERVALS[1]);
    }
}

/// Judges submissions until none is left or a stop is requested. Returns false if the stop interrupted a run or a
/// build.
///
/// # Errors
/// The failure, and true if a retry may succeed.
pub(in crate::cli) fn work(
    judging: &Judging<'_>,
    open_contest: &OpenContest,
    interrupt: &Interrupt,
    machines: &Machines<'_>,
    follow: bool,
) -> Result<bool, (Failure, bool)> {
    let again = Cell::new(false);
    let disk_space = disk_space_of(open_contest);
    work_with(judging, open_contest, interrupt, machines, follow, &disk_space, &again).map_err(|failure| {
        // Before judging begins, only missing isolation and a full disk are worth a retry.
        (failure, again.get() || disk_space.check(MIN_BYTES_FOR_JUDGING).is_err())
    })
}

/// The disks to which judging a contest writes.
fn disk_space_of(open_contest: &OpenContest) -> DiskSpace {
    let results = open_contest.results().to_owned();
    let temporary = environment("TMPDIR").filter(|folder| !folder.is_empty()).unwrap_or_else(|| "/tmp".to_owned());
    let office = results.parent().map(|contest| contest.join(FOLDER));
    DiskSpace::of([results].into_iter().chain(office).chain([PathBuf::from(temporary)]))
}

fn work_with(
    judging: &Judging<'_>,
    open_contest: &OpenContest,
    interrupt: &Interrupt,
    &Machines { engine: options, jobs, spared, processors, weaker_isolation }: &Machines<'_>,
    follow: bool,
    disk_space: &DiskSpace,
    again: &Cell<bool>,
) -> Result<bool, Failure> {
    let contest = open_contest.contest();
    let on_slurm = options.engine_of(Some(open_contest.results()))? == EngineName::Slurm;
    let (executor, lost) = match on_slurm {
        false => executor_as_before(open_contest, interrupt, weaker_isolation, again)?,
        // The nodes need the isolation, not this machine.
        true => (LocalExecutor::new(interrupt, contest.plan.isolation).map_err(Failure::judge)?, None),
    };
    if on_slurm {
        slurm::installed()?;
    }
    let slurm = match on_slurm || Log::has_work(open_contest.results()) {
        true => Some(options.slurm(open_contest.results(), interrupt)?),
        false => None,
    };
    let isolation = &|| (contest.plan.isolation, executor.describe().isolation);
    // Each batch has its own engine, because entries are added between batches.
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
            // Runs that the cluster finished count. The others are run here.
            let (contents, programs) = (open_contest.contents(), BTreeMap::new());
            let collecting = options.cluster(slurm, &contest, &contents, programs, isolation(), Mode::Collect)?;
            open_contest.run_pass(&collecting, &[], interrupt).map_err(Failure::judge)?;
            None
        }
        (None, _) => None,
    };
    let rules = &contest.builds;
    let builder = isolation::executor("build_isolation", rules.isolation, &[rules.limits], interrupt)?;
    let tier = |executor: &LocalExecutor<'_>| executor.isolation().tier;
    let (builds, runs) = (tier(&builder), (!on_slurm).then(|| tier(&executor)));
    if judging.handle().isolates(Isolated { builds, runs, lost }) {
        warn_if_open(builds, runs);
    }
    let mut slots = executor.capacity(&limits(&contest), jobs).slots;
    if let Some(spared) = spared.filter(|spared| slots.iter().any(|slot| !slot.contains(spared))) {
        slots.retain(|slot| !slot.contains(&spared));
    }
    let (runs, builds) = (&executor, &builder);
    let refused_layer = &|| runs.refused_layer().or(builds.refused_layer()).map(str::to_owned);
    // A full disk must not count against an entry.
    let (checked, builder) =
        (DiskCheckedExecutor::new(&executor, disk_space), DiskCheckedExecutor::new(&builder, disk_space));
    let (local, path) = (Local::new(&checked), environment("PATH"));
    let (slots, path) = (&slots[..], path.as_deref());
    let correct = |contents: &ContestState, keeps: bool| {
        let corrected = corrected(&contest.path, contents, open_contest.results(), keeps, interrupt, |_| Ok(&executor));
        corrected
            .map(|(corrected, _)| corrected)
            .map_err(|failure| CorrectionError::new(failure.message.unwrap_or_default()))
    };
    let resources = JudgingResources {
        builder: &builder,
        engine: &local,
        cluster,
        referee: &checked,
        correct: &correct,
        slots,
        processors,
        disk_space,
        refused_layer,
        environment: &environment,
        path,
    };
    again.set(true);
    match judging.work(&resources, interrupt, follow, &announce) {
        Ok(()) => Ok(true),
        Err(JudgingError::Stopped(Stopped::Interrupted) | JudgingError::Builds(_)) if interrupt.requested() => {
            Ok(false)
        }
        Err(error) => Err(Failure::judge(error.to_string())),
    }
}

/// Warns if programs of teams are built or run without a sandbox.
fn warn_if_open(builds: Tier, runs: Option<Tier>) {
    let open = |tier| tier == Tier::ProcessGroup;
    let what = match (open(builds), runs.is_some_and(open)) {
        (true, true) => "built and run",
        (true, false) => "built",
        (false, true) => "run",
        (false, false) => return,
    };
    say(&format!(
        "warning: submissions are {what} without a sandbox: they reach the files, the network and the programs of this machine \
         that you do"
    ));
}

/// Gives a closure the type of an engine factory, which the compiler does not infer.
fn engines<'a, F>(make: F) -> F
where
    F: Fn(&Contest, &ContestState) -> Result<Box<dyn Engine + 'a>, Stopped> + Sync,
{
    make
}

pub(super) fn stopped(interrupt: &Interrupt) -> Failure {
    Failure::interrupted("interrupted; what is judged is saved; the same command goes on", interrupt)
}

/// Reports the result of entering a submission.
fn announce(Entered { submission, build }: &Entered) {
    let name = submission.entry();
    match build {
        Some(Built::Failed { reason }) => say(&format!("{name} does not build: {}", first_error(reason))),
        Some(Built::JudgeError { reason }) => say(&format!("{name}: {reason}")),
        _ => say(&format!("{name} is entered")),
    }
}

/// Starts or resumes the contest of a folder in its results directory. Also returns the notices for the organiser.
/// `teams` contains the teams that take part at the start.
pub(in crate::cli) fn open_contest(
    folder: &Path,
    results: &Path,
    interrupt: &Interrupt,
    teams: &State,
) -> Result<(OpenContest, Vec<String>), Failure> {
    let mut contest = Contest::load(folder, &Overrides::default()).map_err(Failure::input)?;
    let executor = contest_executor(&contest, contest.plan.isolation, interrupt)?;
    let host = LocalHost::of_site(&executor, interrupt);
    let missing = isolation::missing(contest.plan.isolation, &executor);
    let begun = match Journal::resume(results, super::super::clock) {
        Err(JournalError::Missing(_) | JournalError::NotBegun(_)) => None,
        resumed => Some(resumed.map_err(|error| Failure::journal(&error))?),
    };
    if let Some((journal, contents)) = begun {
        contest.unseal(|board| contents.plan.boards.iter().any(|known| known.name == board));
        // The office decides what happens to submissions that do not build.
        let mut without = unbuilt(contents.builds.iter().map(|build| &**build));
        without.retain(|entry, _| judge_office::line::number_of(entry).is_none());
        let prepared = prepare(contest, results, preparation(results, Needed::Built(without), false), &host)?;
        prepared.notify_changes(&contents, false, &host);
        let open_contest = prepared.resume(journal, Vec::new(), &host)?.open_contest;
        return Ok((open_contest, host.notices().into_iter().chain(missing).collect()));
    }
    check_entries(&contest, teams.teams().keys())?;
    fs::create_dir_all(results).map_err(|error| Failure::making(&error, format!("{}: {error}", results.display())))?;
    let prepared = prepare(contest, results, preparation(results, Needed::All, true), &host)?;
    let contest_file = seen_from(results, &prepared.contest.path);
    let judge = Some(super::super::version::text().to_owned());
    let with = StartOptions { contest_file, judge, ..StartOptions::default() };
    let open_contest = prepared.begin(with, &host, super::super::clock)?.open_contest;
    Ok((open_contest, host.notices().into_iter().chain(missing).collect()))
}
