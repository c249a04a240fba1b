//! `judge update`: updates a contest to its contest file, or shows what an update would do.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use super::check::programs_of;
use super::host::LocalHost;
use super::rejudge::keep_positions;
use super::session::{
    ExecutionOptions, RecordedContest, Session, cannot, cannot_change, fall, opens, preparation, sealed_round,
};
use super::{BAD_INPUT, DONE, Done, Failure, deviations, environment, say, signals};
use judge_contest::Contest;
use judge_contest::check::{Finding, Level, Subject};
use judge_contest::programs::{hashes, keep_changed, present_referees};
use judge_contest::rejudge::answered;
use judge_contest::session::{Host as _, Needed, Notice, PreparedContest, prepare};
use judge_contest::update::{self, PresentPrograms, changes_to};
use judge_core::advance::{self, NextStep};
use judge_core::changes::other_referee;
use judge_core::journal::{self, Built, ContestState, Line, Rejudgement};
use judge_core::key::Name;
use judge_core::text::printable;
use judge_job::count_text;
use judge_report::directory::argument;
use judge_sandbox::{Interrupt, LocalExecutor};
use judge_show::live::DisplayMode;

/// Update a contest to its contest file: run what the results do not have
///
/// These are the runs of new entries and boards, and of entries whose program, build or limits have changed. Nothing else is
/// run again. Every change is printed and recorded, with its reason.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge update finals --dry-run    what a changed contest file would cost
  judge update finals              run late entries, fixed programs and new boards
  judge update finals --rejudge    after a change of the referee: all stored answers are ruled on again
  judge update finals --contest my/contest.toml
                                   if the contest file was moved")]
pub(super) struct Args {
    #[command(flatten)]
    recorded: RecordedContest,

    /// Only print what would be done and why
    #[arg(long)]
    dry_run: bool,

    /// Replace good runs even if the program to repeat them is missing
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    how: ExecutionOptions,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        if self.dry_run {
            return self.preview(&interrupt, out);
        }
        let shown = self.how.begin(Some(&self.recorded.results))?;
        let session = self.update(shown, &interrupt)?;
        self.how.execute(session, shown, &interrupt, out)
    }

    /// Updates a contest to its contest file, after printing what will happen.
    fn update<'i>(&self, shown: DisplayMode, interrupt: &'i Interrupt) -> Result<Session<'i>, Failure> {
        let Self { recorded, how, .. } = self;
        let results = &*recorded.results;
        let (journal, contents) = recorded.open()?;
        let contest = recorded.file(&contents, how)?;
        // Checked before the builds, so that impossible changes are refused at once.
        let now = PresentPrograms { rejudge: recorded.may_rejudge(&contest), ..PresentPrograms::default() };
        changes_to(&contest, &contents, &now).map_err(|error| cannot_change(&contest, results, &error))?;
        let executor = how.executor(&contest, Some(results), interrupt)?;
        let host = LocalHost::new(&executor, interrupt, shown, Some(results));
        let rejudge = now.rejudge;
        let mut prepared = prepare(contest, results, preparation(results, Needed::All, true), &host)?;
        let PreparedContest { contest, programs, unbuilt, .. } = &mut prepared;
        let now = PresentPrograms { programs: Some(programs), unbuilt: unbuilt.clone(), rejudge };
        let mut changes =
            changes_to(contest, &contents, &now).map_err(|error| cannot_change(contest, results, &error))?;
        changes.extend(how.new_comment(&contents, contest));
        let mut lines: Vec<Line> = changes.iter().map(|change| change.line.clone()).collect();
        if !self.force {
            let after = journal.preview(&lines).map_err(Failure::input)?;
            if let Some(loss) = losses(&contents, &after, &programs_of(contest, unbuilt, &executor)).first() {
                return Err(cannot(contest, format!("{loss}; correct it, or replace them with --force")));
            }
        }
        changes.iter().for_each(|change| say(&change.sentence));
        let refused = keep_changed(contest, &mut changes, results).into_iter();
        refused.for_each(|program| host.notify(Notice::NotKept(program)));
        lines = changes.into_iter().map(|change| change.line).collect();
        let again =
            recorded.rejudge_first(contest, &contents, &mut lines, programs, &executor, (how.jobs, interrupt))?;
        how.warn_of_lost_isolation(results, &contents, &executor)?;
        drop(contents);
        let open = prepared.resume(journal, lines, &host)?;
        let session = Session { open, executor };
        again.iter().try_for_each(|again| keep_positions(again, results))?;
        session.follow_results()?;
        let (contest, contents) = (session.open.open_contest.contest(), session.open.open_contest.contents());
        say(&how.pending_text(&contest, &contents, &session.executor, results)?);
        if let Some(sentence) = sealed_round(&contest, &contents) {
            say(&sentence);
        }
        Ok(session)
    }

    /// Prints what an update would do, and changes nothing. Like `judge check`, exits with 2 if a program has a
    /// problem; with --force, only if the update would still be refused.
    fn preview(&self, interrupt: &Interrupt, out: &mut dyn Write) -> Done {
        let Self { recorded, how, .. } = self;
        let results = &*recorded.results;
        let contents = journal::read(results).map_err(Failure::input)?;
        deviations::warn_of(&contents, results)?;
        let contest = recorded.file(&contents, how)?;
        let executor = how.executor(&contest, Some(results), interrupt)?;
        let programs = hashes(&contest, environment("PATH").as_deref());
        // Nothing is built here, so the recorded builds count.
        let failed = contents.builds.iter().filter(|build| matches!(build.built, Built::Failed { .. }));
        let unbuilt = failed.flat_map(|build| build.entries.iter().map(|entry| (entry.clone(), build.built.clone())));
        let now = PresentPrograms {
            programs: Some(&programs),
            unbuilt: unbuilt.collect(),
            rejudge: recorded.may_rejudge(&contest),
        };
        let mut changes =
            changes_to(&contest, &contents, &now).map_err(|error| cannot_change(&contest, results, &error))?;
        changes.extend(how.new_comment(&contents, &contest));
        for change in &changes {
            writeln!(out, "{}", printable(&change.sentence))?;
        }
        let builds = judge_contest::builds::plan(&contest);
        for build in &builds {
            let entries = build.entries.join(", ");
            writeln!(out, "{entries}: built first, and run again if that changes the program")?;
        }
        let findings = programs_of(&contest, &BTreeMap::new(), &executor);
        for Finding { subject, finding, .. } in findings.iter().filter(|finding| finding.level == Level::Problem) {
            writeln!(out, "PROBLEM {}: {}", printable(&subject.to_string()), printable(finding))?;
        }
        let mut lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
        if recorded.rejudge && other_referee(&contents, &contest.plan, Some(&programs)) {
            let answers = count_text(answered(&contents).len(), "answer", "answers");
            let directory = argument(results);
            writeln!(
                out,
                "the referee has changed, so {answers} would be refereed again first; `judge rejudge {directory} --dry-run` \
                 shows what that changes"
            )?;
            let events = present_referees(&contest, &contents, &programs).into_iter().map(|event| {
                let mut rejudgement = Rejudgement::default();
                rejudgement.problem.clone_from(&event.problem);
                rejudgement.by = Some(Name::from(event.referee.hash(&event.programs)));
                rejudgement.referee = Some(Box::new(event));
                rejudgement
            });
            lines.extend(events.map(|event| Line::Rejudgement(Box::new(event))));
        }
        let mut after = journal::preview(results, &lines).map_err(Failure::input)?;
        let lost = losses(&contents, &after, &findings);
        for loss in &lost {
            writeln!(out, "{}; the update would need --force", printable(loss))?;
        }
        let problem = findings.iter().any(|finding| finding.level == Level::Problem);
        let refused = (problem && !self.force) || findings.iter().any(is_of_referee);
        if let Some(again) = advance::again(&after) {
            writeln!(out, "{}", printable(&opens(&again, after.round())))?;
            lines.push(Line::Round(Box::new(again)));
            after = journal::preview(results, &lines).map_err(Failure::input)?;
            if let Some(sentence) = fall(&contents, &after) {
                writeln!(out, "{}", printable(&sentence))?;
            }
        }
        let mut adopted = contest;
        adopted.adopt(after.plan.clone()).map_err(Failure::input)?;
        writeln!(out, "{}", how.pending_text(&adopted, &after, &executor, results)?)?;
        self.preview_round(results, adopted, after, &mut lines, &executor, out)?;
        Ok(if refused { BAD_INPUT } else { DONE })
    }

    /// Prints the round that would open before any run, and the longest time of its runs.
    fn preview_round(
        &self,
        results: &Path,
        mut contest: Contest,
        mut after: ContestState,
        lines: &mut Vec<Line>,
        executor: &LocalExecutor<'_>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut next = advance::next(&after);
        if let NextStep::Sealed(boards) = &next {
            contest.unseal(|board| boards.iter().any(|sealed| sealed == board));
            let changes = changes_to(&contest, &after, &PresentPrograms::default()).map_err(Failure::input)?;
            lines.extend(changes.into_iter().map(|change| change.line));
            after = journal::preview(results, lines).map_err(Failure::input)?;
            next = advance::next(&after);
        }
        let NextStep::Open(round) = next else {
            if let Some(sentence) = sealed_round(&contest, &after) {
                writeln!(out, "{}", printable(&sentence))?;
            }
            return Ok(());
        };
        let sentence = printable(&opens(&round, after.round()));
        lines.push(Line::Round(Box::new(round)));
        after = journal::preview(results, lines).map_err(Failure::input)?;
        contest.adopt(after.plan.clone()).map_err(Failure::input)?;
        writeln!(out, "then {sentence}; {}", self.how.pending_text(&contest, &after, executor, results)?)?;
        Ok(())
    }
}

fn is_of_referee(finding: &Finding) -> bool {
    finding.level == Level::Problem && matches!(finding.subject, Subject::Referee(_))
}

/// The good runs that an update would have to repeat but cannot, as the program is missing. Has a sentence per entry.
fn losses(before: &ContestState, after: &ContestState, findings: &[Finding]) -> Vec<String> {
    let problems = findings.iter().filter(|finding| finding.level == Level::Problem);
    let problems: HashMap<&str, &str> =
        problems.filter_map(|problem| Some((problem.subject.entry()?, &*problem.finding))).collect();
    let lost = update::losses(before, after, |entry| problems.contains_key(entry));
    let sentence = |(entry, runs): (&str, usize)| {
        let runs = count_text(runs, "good run", "good runs");
        format!("{runs} of {entry} would be replaced by runs that cannot start: {}", problems[entry])
    };
    lost.into_iter().map(sentence).collect()
}
