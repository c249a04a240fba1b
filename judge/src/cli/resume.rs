//! `judge resume`: executes the runs that an interrupted contest lacks.

use std::collections::HashSet;
use std::io::Write;

use super::builds::build_entries;
use super::check::startable;
use super::directory::say_if_guessable;
use super::isolation::{is_landlock, say_if_overheard};
use super::message::Message as _;
use super::rejudge::keep_positions;
use super::session::{ExecutionOptions, RecordedContest, Session, cannot_change, site, warn};
use super::{Done, Failure, environment, say, signals};
use judge_contest::Contest;
use judge_contest::programs::hashes;
use judge_contest::update::{Now, changes_to, entries_to_run};
use judge_core::changes::{ChangeError, other_referee};
use judge_core::journal::{Line, REFEREE_PROGRAM};
use judge_core::plan::same_programs;
use judge_report::directory::{argument, short};
use judge_sandbox::Interrupt;
use judge_show::live::Shown;

/// Resume a contest: run what is missing, repeat judge errors
///
/// The contest file may have changed only in what people read, such as names and notes; `judge update` takes in other
/// changes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge resume runs/1                       after Ctrl-C, a crash or a power failure
  judge resume runs/1 --repeat-suspect 3    repeat runs that other processes disturbed
  judge resume runs/1 --engine local        finish on this machine what a cluster began
  judge resume finals --contest my/contest.toml
                                            if the contest file was moved")]
pub(super) struct Args {
    #[command(flatten)]
    recorded: RecordedContest,

    #[command(flatten)]
    how: ExecutionOptions,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        let shown = self.how.begin(Some(&self.recorded.results))?;
        let session = self.resume(shown, &interrupt)?;
        self.how.execute(session, shown, &interrupt, out)
    }

    /// Resumes a contest. Its file may have changed only in descriptions.
    fn resume<'i>(&self, shown: Shown, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let Self { recorded, how } = self;
        let results = &*recorded.results;
        let (journal, contents) = recorded.open()?;
        let mut contest = recorded.file(&contents, how)?;
        let path = contest.path.display().to_string();
        let refuse = |difference: &str| {
            let update = format!("judge update {}", argument(results));
            let results = short(results);
            let results = results.display();
            Failure::input(format!(
                "{path} does not match the contest in {results}: {difference}; make the change part of the contest with \
                 `{update}`, restore the contest file, or start a new contest with `judge run`"
            ))
        };
        let mut known = contents.plan.clone();
        if other_referee(&contents, &contest.plan, None) {
            if !recorded.may_rejudge(&contest) {
                return Err(cannot_change(&contest, results, &ChangeError::OtherReferee));
            }
            known.referee.clone_from(&contest.plan.referee);
        }
        if let Some(difference) = known.difference(&contest.plan) {
            return Err(refuse(&difference));
        }
        let now = Now { rejudge: recorded.may_rejudge(&contest), ..Now::default() };
        let mut changes = changes_to(&contest, &contents, &now).map_err(|error| refuse(&error.message()))?;
        if let Some(change) = changes.iter().find(|change| !change.descriptive) {
            return Err(refuse(&change.sentence));
        }
        changes.extend(how.new_comment(&contents, &contest));
        contest.keep_files(results).map_err(Failure::input)?;
        let executor = how.executor(&contest, Some(results), interrupt)?;
        if is_landlock(&executor) {
            say_if_guessable(results);
        }
        say_if_overheard(&contest, &executor);
        let needed = entries_to_run(&contents, how.repeat_suspect > 0);
        let builds = build_entries(&contest, &site(results, shown, interrupt), needed.as_ref())?;
        // What was not built need not be there.
        let idle = |contest: &Contest, entry: &str| {
            let entry = contest.plan.entries.iter().find(|known| known.name == entry);
            let built = entry.is_some_and(|entry| entry.build.is_some());
            built && entry.zip(needed.as_ref()).is_some_and(|(entry, needed)| !needed.contains(&entry.name))
        };
        if needed.as_ref().is_none_or(|needed| !needed.is_empty()) {
            warn(&contest, &builds.unbuilt(), &executor, |entry| idle(&contest, entry));
        }
        let path = environment("PATH");
        if let Some(before) = contents.header.path.as_ref().filter(|before| path.as_ref() != Some(before)) {
            let now = path.as_deref().unwrap_or_default();
            say(&format!("notice: PATH has changed since the contest started, from `{before}` to `{now}`"));
        }
        let programs = hashes(&contest, path.as_deref());
        let mut lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
        let mut again = None;
        let idle_referee = needed.as_ref().is_some_and(HashSet::is_empty);
        if !idle_referee {
            startable(&contest, &executor)?;
        }
        if recorded.rejudge || !idle_referee {
            if !recorded.may_rejudge(&contest) && other_referee(&contents, &contest.plan, Some(&programs)) {
                return Err(cannot_change(&contest, results, &ChangeError::OtherReferee));
            }
            again = recorded.rejudge_first(
                &mut contest,
                &contents,
                &mut lines,
                &programs,
                &executor,
                (how.jobs, interrupt),
            )?;
        } else if other_referee(&contents, &contest.plan, Some(&programs))
            && contest.plan.referee.as_ref().is_some_and(|referee| referee.build.is_none())
        {
            say(&format!(
                "notice: the referee has changed since the contest started; `judge rejudge {}` referees the \
                 answers there are again",
                argument(results)
            ));
        }
        for (entry, files) in programs.iter().filter(|(entry, _)| *entry != REFEREE_PROGRAM) {
            let differs = !contents.programs.get(entry).is_some_and(|known| same_programs(known, files));
            if differs && !contest.withdrawn.contains_key(entry) && !idle(&contest, entry) {
                say(&format!(
                    "notice: the program of {entry} has changed since the contest started; `judge update {}` makes \
                     its runs again",
                    argument(results)
                ));
            }
        }
        how.say_if_lost(results, &contents, &executor)?;
        drop(contents);
        let session = Session::resume((contest, journal, results), lines, (builds, programs), executor)?;
        again.iter().try_for_each(|again| keep_positions(again, results))?;
        Ok(session)
    }
}
