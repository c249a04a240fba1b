//! A contest that is run, resumed or updated.

mod execution;
mod live_files;
mod outlook;
mod recorded;

use std::collections::BTreeMap;
use std::path::Path;

use super::builds::{Builds, Site};
use super::check::programs_of;
use super::message::Message;
use super::rejudge::{TALKS_AGAIN, is_talked_to};
use super::{Failure, say};
use judge_contest::Contest;
use judge_contest::check::Level;
use judge_contest::conduct::{Conduct, ConductError};
use judge_contest::external::{RefereeContext, ToolError};
use judge_contest::journal::Journal;
use judge_contest::programs::NotKept;
use judge_core::changes::ChangeError;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{Built, Line, REFEREE_PROGRAM};
use judge_report::directory::short;
use judge_report::with_way_out_of;
use judge_sandbox::{Interrupt, LocalExecutor};
use judge_show::live::Shown;

pub(super) use execution::ExecutionOptions;
pub(super) use outlook::{fall, opens, sealed_round};
pub(super) use recorded::RecordedContest;

/// A contest ready to run: new, or with some of its runs executed.
pub(super) struct Session<'a> {
    pub(super) conduct: Conduct,
    pub(super) builds: Builds,
    /// The programs in their present state.
    pub(super) programs: BTreeMap<String, Hashes>,
    pub(super) executor: LocalExecutor<'a>,
}

impl<'a> Session<'a> {
    /// Resumes the contest of a journal after these changes, which are recorded together with the builds.
    pub(super) fn resume(
        (contest, journal, results): (Contest, Journal, &Path),
        mut lines: Vec<Line>,
        (builds, programs): (Builds, BTreeMap<String, Hashes>),
        executor: LocalExecutor<'a>,
    ) -> Result<Self, Failure> {
        let conduct = Conduct::resume(contest, journal, results).map_err(failure)?;
        // Builds behind the changes: they name entries that may be new, and a judge that is killed while it writes
        // shall find again what the builds changed.
        lines.extend(lines_of(&builds));
        conduct.update(lines).map_err(failure)?;
        Ok(Self { conduct, builds, programs, executor })
    }

    /// Opens the next round if it can begin, and reports that.
    pub(super) fn open_next_round(&self) -> Result<bool, Failure> {
        let before = self.conduct.contents().round();
        let round = self.conduct.open_next_round().map_err(failure)?;
        round.iter().for_each(|round| say(&opens(round, before)));
        Ok(round.is_some())
    }

    /// Opens the first round again whose games do not follow from the results any more, and reports that.
    pub(super) fn follow_results(&self) -> Result<(), Failure> {
        let before = self.conduct.contents();
        if let Some(round) = self.conduct.follow_results().map_err(failure)? {
            say(&opens(&round, before.round()));
            fall(&before, &self.conduct.contents()).iter().for_each(|line| say(line));
        }
        Ok(())
    }
}

pub(super) fn failure(error: ConductError) -> Failure {
    match error {
        ConductError::Contest(_) | ConductError::Round(_) => Failure::input(error),
        error => Failure::judge(error),
    }
}

/// Asks a referee program whether the boards are usable.
pub(super) fn check_boards(
    contest: &Contest,
    results: &Path,
    executor: &LocalExecutor<'_>,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let context = RefereeContext { executor, processors: Vec::new(), results: Some(results) };
    contest.check_boards(&context).map_err(|error| match error {
        ToolError::Interrupted => Failure::interrupted("interrupted before the first run", interrupt),
        error => Failure::input(error),
    })
}

pub(super) fn cannot(contest: &Contest, reason: impl Message) -> Failure {
    Failure::input(format!("{}: {}", contest.path.display(), reason.message()))
}

/// The failure for a change of the contest that these results cannot adopt, with the command that helps.
pub(super) fn cannot_change(contest: &Contest, results: &Path, error: &ChangeError) -> Failure {
    if matches!(error, ChangeError::OtherReferee) && is_talked_to(contest) {
        return cannot(contest, format!("{error}; {TALKS_AGAIN}"));
    }
    cannot(contest, with_way_out_of(error, error.way_out().as_ref(), Some(results)))
}

/// Reports which programs are not kept in the results directory, and why.
pub(super) fn say_not_kept(programs: &[NotKept], results: &Path) {
    for NotKept { program, reason, .. } in programs {
        let whose = if program == REFEREE_PROGRAM { "the referee" } else { program };
        say(&format!("notice: the program of {whose} is not kept in {}: {reason}", short(results).display()));
    }
}

/// Builds of a contest with a results directory.
pub(super) fn site<'a>(results: &'a Path, shown: Shown, interrupt: &'a Interrupt) -> Site<'a> {
    Site { results, keeps_logs: true, shown, interrupt }
}

/// Warns of programs that cannot run, except those of idle entries. Only the runs of their entries fail.
pub(super) fn warn(
    contest: &Contest,
    unbuilt: &BTreeMap<String, Built>,
    executor: &LocalExecutor<'_>,
    idle: impl Fn(&str) -> bool,
) {
    for finding in programs_of(contest, unbuilt, executor) {
        let of_idle = finding.subject.entry().is_some_and(&idle);
        if finding.level == Level::Problem && !of_idle {
            say(&format!("notice: {}: {}", finding.subject, finding.finding));
        }
    }
}

pub(super) fn lines_of(builds: &Builds) -> Vec<Line> {
    builds.all.iter().map(|build| Line::Build(Box::new(build.clone()))).collect()
}
