//! `judge resume`: executes the missing runs of an interrupted contest.

use std::io::Write;

use super::host::LocalHost;
use super::message::Message as _;
use super::rejudge::{keep_positions, with_referees_of};
use super::session::{ExecutionOptions, RecordedContest, Session, cannot_change, preparation};
use super::{Done, Failure, signals};
use judge_contest::session::{Needed, PreparedContest, prepare};
use judge_contest::update::{PresentPrograms, changes_to, entries_to_run};
use judge_core::changes::{ChangeError, other_referee};
use judge_core::journal::Line;
use judge_report::directory::{argument, short};
use judge_sandbox::Interrupt;
use judge_show::live::DisplayMode;

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
    fn resume<'i>(&self, shown: DisplayMode, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let Self { recorded, how } = self;
        let results = &*recorded.results;
        let (journal, contents) = recorded.open()?;
        let contest = recorded.file(&contents, how)?;
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
            with_referees_of(&mut known, &contest.plan);
        }
        if let Some(difference) = known.difference(&contest.plan) {
            return Err(refuse(&difference));
        }
        let now = PresentPrograms { rejudge: recorded.may_rejudge(&contest), ..PresentPrograms::default() };
        let mut changes = changes_to(&contest, &contents, &now).map_err(|error| refuse(&error.message()))?;
        if let Some(change) = changes.iter().find(|change| !change.descriptive) {
            return Err(refuse(&change.sentence));
        }
        changes.extend(how.new_comment(&contents, &contest));
        let executor = how.executor(&contest, Some(results), interrupt)?;
        let needed = entries_to_run(&contents, how.repeat_suspect > 0).map_or(Needed::All, Needed::Entries);
        // The referee is needed for new runs, and to rule on old ones again.
        let rules = recorded.rejudge || !needed.is_nothing();
        let host = LocalHost::new(&executor, interrupt, shown, Some(results));
        let mut prepared = prepare(contest, results, preparation(results, needed, false), &host)?;
        prepared.notify_changes(&contents, rules, &host);
        let mut lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
        let mut again = None;
        if rules {
            let PreparedContest { contest, programs, .. } = &mut prepared;
            if !recorded.may_rejudge(contest) && other_referee(&contents, &contest.plan, Some(programs)) {
                return Err(cannot_change(contest, results, &ChangeError::OtherReferee));
            }
            again =
                recorded.rejudge_first(contest, &contents, &mut lines, programs, &executor, (how.jobs, interrupt))?;
        }
        how.warn_of_lost_isolation(results, &contents, &executor)?;
        drop(contents);
        let open = prepared.resume(journal, lines, &host)?;
        again.iter().try_for_each(|again| keep_positions(again, results))?;
        Ok(Session { open, executor })
    }
}
