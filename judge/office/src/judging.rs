//! Judging: what the office has accepted becomes entries of the contest, which are built and run.
//!
//! The results say what was entered, so nothing has to be remembered: a submission without its entry is still to be entered,
//! also after a kill at any moment. The last submission of a team that builds counts. It supersedes those before it, which
//! are withdrawn; one that does not build is withdrawn itself.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use judge_contest::builds::{Builder, BuildsError, exposed, plan as plan_builds};
use judge_contest::conduct::{Conduct, ConductError};
use judge_contest::programs::{hashes, keep_one};
use judge_contest::schedule::{Engine, Stopped};
use judge_contest::{Contest, ContestError};
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Build, Built, Contents, EntryAndReason, EntryEvent, Line};
use judge_core::key::RunKey;
use judge_core::plan::Entry;
use judge_core::withdrawal::Withdrawal;
use judge_job::{Executor, StopRequest};

use crate::entries::{self, Prepared};
use crate::queue::{FairQueue, Waiting};
use crate::state::{State, Submission};
use crate::{Office, OfficeError, intake};

/// The most attempts at a build or a run that ends in a judge error. After that, the submission is held.
pub const MAX_ATTEMPTS: u32 = 3;
/// The longest wall clock of a build.
const BUILD_LIMIT_MS: u64 = 60_000;
/// The most bytes that a submission's folder may have when it is built, as many as are kept with the results.
const FOLDER_BYTES: u64 = 256 << 20;
/// The time after which somebody who waits for work looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The reason why judging stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgingError {
    /// The office's files.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// The contest refused an event, or could not put it on disk.
    #[error(transparent)]
    Conduct(#[from] ConductError),
    /// The plan of the contest.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A build could not be started.
    #[error(transparent)]
    Builds(#[from] BuildsError),
    /// A run.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Entries could not be written.
    #[error("{0}: {1}")]
    Io(String, io::Error),
}

/// What judging needs of the machine.
pub struct Site<'a> {
    /// Executes builds.
    pub builder: &'a dyn Executor,
    /// Makes runs.
    pub engine: &'a dyn Engine,
    /// The logical processors of each run at a time; none for a run that is not pinned.
    pub slots: &'a [Vec<usize>],
    /// The organiser's environment, for builds.
    pub environment: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// The search path for programs.
    pub path: Option<&'a str>,
}

/// Judges what an office accepts.
pub struct Judging<'a> {
    office: &'a Office,
    conduct: &'a Conduct,
    order: Mutex<Order>,
    /// True while a submission is not superseded yet, because the frozen board shows it.
    awaits: AtomicBool,
    /// The number of the submission that is being built; 0 for none.
    building: Arc<AtomicU32>,
}

/// The order of work.
#[derive(Default)]
struct Order {
    builds: FairQueue,
    runs: FairQueue,
    /// The entries of which a run was handed out.
    begun: HashSet<String>,
    /// Builds that ended in a judge error, by submission.
    failed: HashMap<u32, u32>,
}

/// What [`Judging::enter_next`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// The submission.
    pub submission: Submission,
    /// The result of its build; `None` if it needs none or could not be prepared.
    pub build: Option<Built>,
}

impl<'a> Judging<'a> {
    /// Judges what this office accepts in this contest, which has its results beside the office.
    pub fn new(office: &'a Office, conduct: &'a Conduct) -> Self {
        conduct.repeat_judge_errors(MAX_ATTEMPTS);
        let (awaits, building) = (AtomicBool::new(false), Arc::default());
        Self { office, conduct, order: Mutex::default(), awaits, building }
    }

    /// The number of the submission that is being built, now and later; 0 while none is.
    pub fn building(&self) -> Arc<AtomicU32> {
        self.building.clone()
    }

    /// Enters what is accepted and makes all runs, until nothing is left to do (`forever` is false) or a stop is requested.
    /// Calls `entered` for each submission.
    ///
    /// # Errors
    /// The first failure of the judge itself. What is on disk stays, and the next call goes on from there.
    pub fn work(
        &self,
        site: &Site<'_>,
        interrupt: &dyn StopRequest,
        forever: bool,
        entered: &(dyn Fn(&Entered) + Sync),
    ) -> Result<(), JudgingError> {
        self.supersede()?;
        let failure = Mutex::new(None);
        let fail = |error: JudgingError| {
            // The first failure is the reason, those after it may follow from the stop.
            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        };
        let failed = || failure.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let stops = || interrupt.requested() || failed();
        let enters = AtomicBool::new(true);
        // A run that is being made may end in a judge error, and is made again then.
        let more = || enters.load(Ordering::SeqCst) || !self.conduct.snapshot().under_way.is_empty();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stops() {
                    match self.enter_next(site) {
                        Ok(Some(done)) => entered(&done),
                        Ok(None) if forever => std::thread::sleep(LOOK_AGAIN),
                        Ok(None) => break,
                        Err(error) => {
                            fail(error);
                            break;
                        }
                    }
                }
                enters.store(false, Ordering::SeqCst);
            });
            for slot in site.slots {
                scope.spawn(|| {
                    while !stops() {
                        // Asked first: what comes in between is made in the next turn.
                        let goes_on = forever || more();
                        match self.run_next(site, slot, interrupt) {
                            Ok(Some(_)) if self.awaits.load(Ordering::SeqCst) => {
                                if let Err(error) = self.supersede() {
                                    return fail(error);
                                }
                            }
                            Ok(Some(_)) => {}
                            Ok(None) if goes_on => std::thread::sleep(LOOK_AGAIN),
                            Ok(None) => return,
                            Err(Stopped::Interrupted) => return,
                            Err(error) => return fail(error.into()),
                        }
                    }
                });
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Enters the submission that is next, if one waits: unpacked, built and on disk in the results.
    ///
    /// # Errors
    /// A failure of the judge itself; the submission is still to be entered then.
    pub fn enter_next(&self, site: &Site<'_>) -> Result<Option<Entered>, JudgingError> {
        let Some(submission) = self.next_submission()? else { return Ok(None) };
        self.building.store(submission.number, Ordering::SeqCst);
        let entered = self.enter(submission, site);
        self.building.store(0, Ordering::SeqCst);
        entered.map(Some)
    }

    fn next_submission(&self) -> Result<Option<Submission>, JudgingError> {
        // Before the order is locked: `run_next` locks it while the contest is locked.
        let (state, contents) = (self.office.state()?, self.conduct.contents());
        let mut order = self.order();
        let waiting = waiting(state.submissions().iter().map(|(_, submission)| submission), &contents);
        let pieces = waiting.iter().map(|submission| Waiting { team: &submission.team, urgent: false });
        let Some(next) = order.builds.choose(pieces) else { return Ok(None) };
        let submission = waiting[next].clone();
        order.builds.charge(&submission.team, BUILD_LIMIT_MS);
        Ok(Some(submission))
    }

    fn enter(&self, submission: Submission, site: &Site<'_>) -> Result<Entered, JudgingError> {
        let contest = self.conduct.contest();
        let bytes = self.office.upload(&submission.sha256)?;
        let limits = contest.plan.limits;
        let has = |program: &str| self.office.has(program);
        let prepared = intake::files(&submission.file, &bytes)
            .map(|files| entries::prepare(self.office.folder(), &submission, &files, &limits, &has));
        let prepared = match prepared {
            Ok(Ok(prepared)) => prepared,
            Ok(Err(error)) if is_of_disk(&error) => {
                return Err(JudgingError::Io(entries::folder_of(&submission), error));
            }
            // Whatever it is about these files, it stops nobody else.
            Ok(Err(error)) => {
                let reason = format!("its files could not be written: {error}");
                if self.is_given_up(&submission) {
                    self.enter_out(&submission, HELD)?;
                }
                return Ok(Entered { submission, build: Some(Built::JudgeError { reason }) });
            }
            Err(unacceptable) => Err(unacceptable),
        };
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => {
                self.enter_out(&submission, &reason.to_string())?;
                return Ok(Entered { submission, build: None });
            }
        };
        let alone = alone(&contest, &prepared)?;
        if let Some(reason) = exposed(&alone, self.conduct.results()) {
            return Err(BuildsError::Exposed(reason).into());
        }
        let build = self.build(&alone, site)?;
        let result = build.as_ref().map(|build| build.built.clone());
        if matches!(result, Some(Built::JudgeError { .. })) && !self.is_given_up(&submission) {
            return Ok(Entered { submission, build: result });
        }
        let name = submission.entry();
        let programs = hashes(&alone, site.path).remove(&name).unwrap_or_default();
        let mut event = EntryEvent::new(prepared.entry, programs);
        event.kept = keep_one(&alone, &event.programs, self.conduct.results()).kept;
        let mut lines = vec![Line::Entry(Box::new(event))];
        lines.extend(build.map(|build| Line::Build(Box::new(build))));
        match &result {
            Some(Built::Failed { .. }) => lines.push(out(&name, DOES_NOT_BUILD)),
            Some(Built::JudgeError { .. }) => lines.push(out(&name, HELD)),
            Some(Built::Succeeded) | None => {}
        }
        self.conduct.update(lines)?;
        if !matches!(result, Some(Built::Succeeded) | None) {
            // Nobody runs it, and what it made may be much. The upload stays.
            entries::remove(self.office.folder(), &submission).ok();
        }
        self.supersede()?;
        Ok(Entered { submission, build: result })
    }

    /// Counts a failure of the judge itself on a submission; true if it was the last attempt.
    fn is_given_up(&self, submission: &Submission) -> bool {
        let mut order = self.order();
        let attempts = order.failed.entry(submission.number).or_default();
        *attempts += 1;
        *attempts >= MAX_ATTEMPTS
    }

    /// Enters a submission that has no program, out of the contest from the beginning.
    fn enter_out(&self, submission: &Submission, reason: &str) -> Result<(), JudgingError> {
        let entry = Entry::new(submission.entry(), vec![entries::folder_of(submission)]);
        let event = Line::Entry(Box::new(EntryEvent::new(entry, Hashes::new())));
        Ok(self.conduct.update(vec![event, out(&submission.entry(), reason)])?)
    }

    fn build(&self, alone: &Contest, site: &Site<'_>) -> Result<Option<Build>, JudgingError> {
        let planned = plan_builds(alone);
        let Some(planned) = planned.first() else { return Ok(None) };
        let results = self.conduct.results();
        let builder = Builder { contest: alone, results, environment: site.environment };
        Ok(Some(builder.build(planned, site.builder)?.0))
    }

    /// Withdraws what a later submission of the same team supersedes. It follows from the results alone.
    fn supersede(&self) -> Result<(), JudgingError> {
        let (state, contents) = (self.office.state()?, self.conduct.contents());
        let entered: HashSet<&str> = contents.plan.entries.iter().map(|entry| &*entry.name).collect();
        let (mut lines, mut awaits) = (Vec::new(), false);
        for team in state.teams().values() {
            let of_team = team.submissions.iter().filter_map(|&number| state.submission(number));
            let names = of_team.map(|(_, submission)| submission.entry());
            let counting: Vec<String> = names
                .filter(|name| entered.contains(&**name) && !contents.withdrawn.contains_key(name))
                .filter(|name| !is_unbuilt(&contents, name))
                .collect();
            if let Some((last, before)) = counting.split_last() {
                let (awaited, over): (Vec<_>, Vec<_>) =
                    before.iter().partition(|name| is_awaited(&state, &contents, name, last));
                awaits |= !awaited.is_empty();
                lines.extend(over.into_iter().map(|name| out(name, &format!("{SUPERSEDED}{last}"))));
            }
        }
        self.awaits.store(awaits, Ordering::SeqCst);
        Ok(self.conduct.update(lines)?)
    }

    /// Makes the run that is next, if one waits: the first board of a new submission before all others, and otherwise fair
    /// between teams.
    ///
    /// # Errors
    /// As [`Conduct::run_one`].
    pub fn run_next(
        &self,
        site: &Site<'_>,
        slot: &[usize],
        interrupt: &dyn StopRequest,
    ) -> Result<Option<RunKey>, Stopped> {
        let expected = self.conduct.contest().plan.limits.wall_ms;
        let mut chosen = String::new();
        let made = self.conduct.run_one(site.engine, slot, interrupt, |keys| {
            let mut order = self.order();
            let pieces = keys
                .iter()
                .map(|key| Waiting { team: team_of(&key.entry), urgent: !order.begun.contains(&*key.entry) });
            let next = order.runs.choose(pieces)?;
            chosen = keys[next].entry.to_string();
            order.begun.insert(chosen.clone());
            order.runs.charge(team_of(&chosen), expected);
            Some(next)
        })?;
        if let Some(key) = &made {
            let wall_us = self.conduct.contents().record(key).and_then(|record| record.wall_us).unwrap_or_default();
            self.order().runs.refund(team_of(&chosen), expected.saturating_sub(wall_us / 1000));
        }
        Ok(made)
    }

    fn order(&self) -> MutexGuard<'_, Order> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reasons of withdrawals that are made here. A status is told from them.
pub(crate) const DOES_NOT_BUILD: &str = "does not build";
pub(crate) const HELD: &str = "held after judge errors of its build";
pub(crate) const SUPERSEDED: &str = "superseded by ";

/// The submissions that are still to be entered: without an entry, or with one whose build is not recorded.
pub(crate) fn waiting<'s>(
    submissions: impl Iterator<Item = &'s Submission>,
    contents: &Contents,
) -> Vec<&'s Submission> {
    let entries: HashMap<&str, &Entry> =
        contents.plan.entries.iter().map(|entry| (entry.name.as_str(), entry)).collect();
    let is_entered = |name: &str| {
        let Some(entry) = entries.get(name) else { return false };
        entry.build.is_none() || contents.withdrawn.contains_key(name) || build_of(contents, name).is_some()
    };
    submissions.filter(|submission| !is_entered(&submission.entry())).collect()
}

/// Tests whether the frozen board shows a submission that a hidden one supersedes, and waits for its runs: they are made
/// first, otherwise the public could see that the hidden one builds.
fn is_awaited(state: &State, contents: &Contents, name: &str, by: &str) -> bool {
    let is_public = |name: &str| number_of(name).is_some_and(|number| state.is_public(number));
    let runs = || contents.order.iter().zip(0..).filter(|(key, _)| *key.entry == *name && contents.counts(key));
    let waits = |index: usize| match contents.records.of_run(index) {
        Some(run) => run.is_judge_error() && contents.attempts[index] < MAX_ATTEMPTS,
        None => true,
    };
    is_public(name) && !is_public(by) && runs().any(|(_, index)| waits(index))
}

/// The number of the submission of an entry, from its name `TEAM.NUMBER`; `None` for an entry of the contest file.
pub fn number_of(entry: &str) -> Option<u32> {
    entry.rsplit_once('.')?.1.parse().ok()
}

/// The last build of an entry.
pub(crate) fn build_of<'c>(contents: &'c Contents, name: &str) -> Option<&'c Build> {
    contents.builds.iter().rev().find(|build| build.entries.iter().any(|entry| entry == name))
}

pub(crate) fn is_unbuilt(contents: &Contents, name: &str) -> bool {
    build_of(contents, name).is_some_and(|build| build.built != Built::Succeeded)
}

/// Tests whether files could not be written because of the disk, so that others could not be written either.
fn is_of_disk(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem)
}

/// The team of an entry: what is before its last dot. An entry of the contest file is a team of its own.
fn team_of(entry: &str) -> &str {
    entry.rsplit_once('.').map_or(entry, |(team, _)| team)
}

fn out(entry: &str, reason: &str) -> Line {
    let withdrawal = Withdrawal { disqualified: false, reason: reason.to_owned() };
    Line::Withdrawn(EntryAndReason { entry: entry.to_owned(), withdrawal })
}

/// The contest with this entry alone, for its build.
fn alone(contest: &Contest, prepared: &Prepared) -> Result<Contest, ContestError> {
    let mut plan = contest.plan.clone();
    plan.entries = vec![prepared.entry.clone()];
    let mut alone = contest.adopting(plan)?;
    alone.withdrawn.clear();
    let builds = &mut alone.builds;
    builds.limits = builds.limits.with_wall_ms(builds.limits.wall_ms.min(BUILD_LIMIT_MS));
    builds.environment.extend(prepared.environment.iter().cloned());
    (builds.folder_bytes, builds.keeps_modes) = (Some(FOLDER_BYTES), true);
    builds.readable.extend(prepared.readable.iter().cloned());
    Ok(alone)
}

/// The results directory of a contest with an office, from its folder.
pub fn results_of(contest: &Path) -> std::path::PathBuf {
    contest.join("results")
}

#[cfg(test)]
mod tests;
