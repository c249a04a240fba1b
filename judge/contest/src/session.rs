//! The preparation of a contest and the session that executes it: one sequence for every program that conducts contests.
//!
//! [`prepare`] checks the contest and keeps the files of its boards. It builds the programs and hashes them. It checks that the
//! referee starts and accepts the boards. [`PreparedContest::begin`] or [`PreparedContest::resume`] then opens the journal and
//! keeps the programs. A [`Host`] receives every notice.

mod builds;
mod host;
mod notice;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use judge_core::changes::other_referees;
use judge_core::date::Date;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Build, Built, ContestState, Line};
use judge_core::plan::{Entry, Problem, referee_in_words, same_programs};
use judge_core::shared::Shared;
use judge_job::{Isolation, IsolationMode, Tier};

use crate::Contest;
use crate::builds::{BuildsError, exposed};
use crate::check::{Level, programs_here};
use crate::external::RefereeContext;
use crate::journal::Journal;
use crate::open_contest::{OpenContest, StartOptions};
use crate::programs::{hashes, keep_all};

use builds::build_entries;
pub use builds::{Logs, build_program, prepare_referee, start_referee, unbuilt};
pub use host::{Host, PrepareError};
pub use notice::Notice;

/// The programs that are needed for the coming runs.
#[derive(Debug, Clone)]
pub enum Needed {
    /// The programs of all entries, and the referee.
    All,
    /// The programs of these entries, and the referee; nothing if the set is empty.
    Entries(HashSet<String>),
    /// The present referee: everything was built before, except these entries.
    Built(BTreeMap<String, Built>),
}

impl Needed {
    /// True if no program is needed.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Entries(entries) if entries.is_empty())
    }
}

/// The choices of a program that prepares a contest.
#[derive(Debug, Clone)]
pub struct Options {
    /// The programs that are built.
    pub needed: Needed,
    /// True if the results directory stays, with the logs of builds.
    pub keeps_logs: bool,
    /// True if programs are recorded by their hashes, and their files are kept.
    pub keeps_programs: bool,
    /// True if the referee checks every board.
    pub checks_boards: bool,
    /// True if entries that can look up names could guess the name of the results directory.
    pub can_be_guessed: bool,
}

/// A contest that is ready to begin or to continue.
pub struct PreparedContest {
    /// The contest.
    pub contest: Contest,
    /// The builds that were executed.
    pub builds: Vec<Build>,
    /// The entries that could not be built.
    pub unbuilt: BTreeMap<String, Built>,
    /// The hashes of the present programs; empty if they are not kept.
    pub programs: BTreeMap<String, Hashes>,
    results: PathBuf,
    options: Options,
}

/// An open contest whose programs are ready.
pub struct Session {
    /// The open contest.
    pub open_contest: OpenContest,
    /// The hashes of the present programs; empty if they are not kept.
    pub programs: BTreeMap<String, Hashes>,
}

/// Prepares a contest with this results directory, which must exist.
///
/// # Errors
/// The contest cannot be run on this machine, or an interrupt was requested.
pub fn prepare<H: Host>(
    contest: Contest,
    results: &Path,
    options: Options,
    host: &H,
) -> Result<PreparedContest, H::Error> {
    let isolation = host.executor().describe().isolation;
    if options.can_be_guessed && looks_up_names(&contest, &isolation) {
        host.notify(Notice::NameCanBeGuessed(results.to_owned()));
    }
    let talks = contest.plan.referees().any(|referee| referee.talk.is_some());
    if talks && isolation.tier == Tier::Landlock {
        host.notify(Notice::CommandLineVisible);
    }
    let failure = |error: PrepareError| host.failure(error);
    contest.keep_files(results).map_err(|error| failure(error.into()))?;
    if let Some(reason) = exposed(&contest, results).filter(|_| options.keeps_programs) {
        return Err(failure(BuildsError::Exposed(reason).into()));
    }
    let logs = Logs { folder: results, kept: options.keeps_logs };
    let mut builds = Vec::new();
    let mut without = BTreeMap::new();
    match &options.needed {
        needed if needed.is_nothing() => {}
        Needed::Built(unbuilt) => {
            start_referee(&contest, host)?;
            without.clone_from(unbuilt);
        }
        needed => {
            let entries = if let Needed::Entries(entries) = needed { Some(entries) } else { None };
            builds = prepare_referee(&contest, logs, host)?;
            builds.extend(build_entries(&contest, entries, logs, host)?);
            without = unbuilt(&builds);
        }
    }
    if options.checks_boards {
        let context = RefereeContext { executor: host.executor(), processors: Vec::new(), results: Some(results) };
        contest.check_boards(&context).map_err(|error| failure(PrepareError::Boards(error)))?;
    }
    let path = host.environment("PATH");
    let programs = if options.keeps_programs { hashes(&contest, path.as_deref()) } else { BTreeMap::new() };
    let prepared =
        PreparedContest { contest, builds, unbuilt: without, programs, results: results.to_owned(), options };
    if !prepared.options.needed.is_nothing() {
        let findings = programs_here(&prepared.contest, path.as_deref(), &prepared.unbuilt, host.is_another_user());
        let problems = findings.into_iter().filter(|finding| finding.level == Level::Problem);
        let problems = problems.filter(|finding| !finding.subject.entry().is_some_and(|entry| prepared.is_idle(entry)));
        problems.for_each(|finding| host.notify(Notice::CannotStart(finding)));
    }
    Ok(prepared)
}

/// True if programs of this contest lack a private root, so that they can look up files by name.
pub fn looks_up_names(contest: &Contest, isolation: &Isolation) -> bool {
    // The isolation of builds is set separately; `auto` gives them at least the tier of runs.
    let builds = contest.plan.entries.iter().any(|entry| entry.build.is_some());
    let as_landlock = contest.builds.isolation == IsolationMode::Landlock && isolation.tier > Tier::ProcessGroup;
    isolation.tier == Tier::Landlock || builds && as_landlock
}

impl PreparedContest {
    /// True if the program of an entry may be missing: the entry has no run to come, so it was not built.
    fn is_idle(&self, entry: &str) -> bool {
        let is_built = |known: &&Shared<Entry>| known.name == entry && known.build.is_some();
        let Needed::Entries(needed) = &self.options.needed else { return false };
        !needed.contains(entry) && self.contest.plan.entries.iter().any(|known| is_built(&known))
    }

    /// Reports the changes since the contest of this journal began: the search path, the programs of entries and, unless answers
    /// are refereed again, the referee.
    pub fn notify_changes<H: Host>(&self, contents: &ContestState, rejudges: bool, host: &H) {
        let path = host.environment("PATH");
        if let Some(before) = contents.header.path.as_ref().filter(|before| path.as_ref() != Some(before)) {
            host.notify(Notice::OtherPath { before: before.clone(), now: path.unwrap_or_default() });
        }
        let as_built = |problem: &Problem| problem.referee.as_ref().is_some_and(|referee| referee.build.is_none());
        let mut others = other_referees(contents, &self.contest.plan, Some(&self.programs));
        if !rejudges && others.any(|(_, now)| as_built(now)) {
            host.notify(Notice::OtherReferee);
        }
        for (entry, files) in self.programs.iter().filter(|(entry, _)| referee_in_words(entry).is_none()) {
            // A site continues the contest of the journal, even if the contest file has new entries now.
            let differs = contents.programs.get(entry).is_some_and(|known| !same_programs(known, files));
            if differs && !self.contest.withdrawn.contains_key(entry) && !self.is_idle(entry) {
                host.notify(Notice::OtherProgram(entry.clone()));
            }
        }
    }

    /// Begins the contest. Programs, builds and the search path of `with` are replaced by those of the preparation.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn begin<H: Host>(
        self,
        with: StartOptions,
        host: &H,
        clock: impl Fn() -> Option<Date> + Send + Sync + 'static,
    ) -> Result<Session, H::Error> {
        let Self { contest, builds, unbuilt, programs, results, .. } = self;
        let (kept, refused) = keep_all(&contest, &programs, &results);
        refused.into_iter().for_each(|program| host.notify(Notice::NotKept(program)));
        let with = StartOptions { programs: programs.clone(), kept, path: host.environment("PATH"), builds, ..with };
        let open_contest = OpenContest::begin(contest, &results, with, clock);
        let open_contest = open_contest.map_err(|error| host.failure(error.into()))?;
        open_contest.set_unbuilt(unbuilt);
        Ok(Session { open_contest, programs })
    }

    /// Continues the contest of a journal after these changes, which are recorded together with the builds.
    ///
    /// # Errors
    /// A change is not possible, or the journal cannot be written.
    pub fn resume<H: Host>(self, journal: Journal, mut lines: Vec<Line>, host: &H) -> Result<Session, H::Error> {
        let Self { contest, builds, unbuilt, programs, results, .. } = self;
        // Builds follow the changes, because they name entries that may be new. A judge that is killed while it writes must find
        // again what the builds changed.
        lines.extend(builds.into_iter().map(|build| Line::Build(Box::new(build))));
        let open_contest = OpenContest::resume(contest, journal, &results).and_then(|open_contest| {
            open_contest.update(lines)?;
            Ok(open_contest)
        });
        let open_contest = open_contest.map_err(|error| host.failure(error.into()))?;
        open_contest.set_unbuilt(unbuilt);
        Ok(Session { open_contest, programs })
    }
}

impl Session {
    /// Records and keeps the programs that are about to be executed, as [`OpenContest::record_programs`].
    ///
    /// # Errors
    /// As [`OpenContest::record_programs`].
    pub fn record_programs<H: Host>(&self, host: &H) -> Result<(), H::Error> {
        let refused = self.open_contest.record_programs(&self.programs).map_err(|error| host.failure(error.into()))?;
        refused.into_iter().for_each(|program| host.notify(Notice::NotKept(program)));
        Ok(())
    }
}
