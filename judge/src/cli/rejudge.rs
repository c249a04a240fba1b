//! `judge rejudge`: referees stored answers again.

use std::borrow::Borrow;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::directory::contest_path;
use super::host::LocalHost;
use super::isolation::available;
use super::results_csv::write_results_csv;
use super::{DONE, Done, Failure, JUDGE_FAILED, environment, notice, recorded, say, signals};
use judge_contest::Contest;
use judge_contest::builds::forget_logs;
use judge_contest::open_contest::OpenContest;
use judge_contest::programs::{hashes, keep_referee, present_referees};
use judge_contest::rejudge::{
    ChangedRow, CorrectedContest, RejudgedRun, Results as RejudgedRuns, answered, changed_rows, record_of, rejudge,
};
use judge_contest::session::{Logs, prepare_referee};
use judge_core::journal::{BUILDS, Build, ContestState, Line, Record, Rejudgement};
use judge_core::plan::{Plan, Problem, select};
use judge_core::results::run_name;
use judge_core::text::printable;
use judge_job::{StopRequest as _, count_text};
use judge_report::directory::{argument, short};
use judge_sandbox::{Executor as _, Interrupt, Interrupted, IsolationMode, Limits, LocalExecutor};
use judge_show::live::DisplayMode;

/// Referee stored answers again, without running the entries
///
/// For a contest whose referee was wrong or failed: correct the referee, then referee its answers again. All changes of
/// verdicts and standings are printed before they are recorded together. If the referee fails on an answer, nothing is
/// recorded, unless --partial is given. Runs that were ruled by hand keep their verdicts.
///
/// In the contest file, `[referee]` may have changed, but `[[figure]]`, `[table]` and the groups of boards must not.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge rejudge runs/1 --dry-run        what would change
  judge rejudge runs/1
  judge rejudge runs/1 --boards A,B --entries mine

Exit code 0: done; 2: the referee cannot be started, and nothing was changed;
3: the referee failed on some answers, or answers are missing; without --partial
nothing was changed.")]
pub(super) struct Args {
    /// Results directory
    #[arg(value_parser = super::runs::path())]
    results: PathBuf,

    /// Only print what would change
    #[arg(long)]
    dry_run: bool,

    /// If the referee fails on some answers, these keep their rulings, and the others are recorded
    #[arg(long)]
    partial: bool,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', add = super::candidates::entries())]
    entries: Option<Vec<String>>,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    boards: Option<Vec<String>>,

    /// Contest file or its folder [default: the file of that contest]
    #[arg(long, value_name = "FILE")]
    contest: Option<PathBuf>,

    /// Answers at a time
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode of the referee [default: that of the contest]
    #[arg(long, value_name = "HOW", value_parser = super::isolation::mode())]
    isolation: Option<IsolationMode>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        let results = &self.results;
        // Locks first, so that nothing is refereed for results that another `judge` writes.
        let open_contest = match self.dry_run {
            true => None,
            false => {
                super::check_not_final(results)?;
                Some(OpenContest::decide(results, super::clock).map_err(|error| Failure::journal(&error))?)
            }
        };
        let contents = recorded::read(results).map_err(Failure::input)?;
        let path = contest_path(results, &contents.header, self.contest.as_deref())?;
        let executor = |contest: &Contest| {
            let mode = self.isolation.unwrap_or(contest.plan.isolation);
            available(mode, &interrupt)
        };
        let (CorrectedContest { contest, referees, builds: built }, executor) =
            corrected(&path, &contents, results, !self.dry_run, &interrupt, executor)?;
        let runs = self.runs(&contents)?;
        let work = Rejudging {
            contest: &contest,
            contents: &contents,
            results,
            before: &[],
            executor: &executor,
            jobs: self.jobs,
            interrupt: &interrupt,
        };
        let again = work.referee(&runs)?;
        let mut events = again.events(&contents, referees);
        work.show(&again, &events, out)?;
        out.flush()?;
        let whole = again.whole();
        match open_contest {
            None => {}
            Some(_) if !whole && !self.partial => {
                forget(&built, results)?;
                say(&format!("nothing is recorded: {}; --partial records the others", work.unruled(&again)));
            }
            Some(_conduct) if events.is_empty() => {
                forget(&built, results)?;
                // A `judge` that was killed after recording may have left the positions of an earlier ruling.
                keep_positions(&again, results)?;
            }
            Some(open_contest) => {
                events.iter_mut().for_each(|event| keep_referee(&contest, event, results));
                if interrupt.requested() {
                    return Err(Failure::interrupted(NOTHING_RECORDED, &interrupt));
                }
                let built = built.into_iter().map(|build| Line::Build(Box::new(build)));
                let events = events.into_iter().map(|event| Line::Rejudgement(Box::new(event)));
                let lines: Vec<Line> = built.chain(events).collect();
                open_contest.update(lines).map_err(Failure::judge)?;
                keep_positions(&again, results)?;
                drop(open_contest);
                write_results_csv(results)?;
                let results = argument(results);
                say(&format!("recorded; the table: `judge rank {results}`"));
            }
        }
        Ok(if whole { DONE } else { JUDGE_FAILED })
    }

    /// The chosen runs, as indices into the records.
    fn runs(&self, contents: &ContestState) -> Result<Vec<usize>, Failure> {
        let plan = &contents.plan;
        let [entries, boards] = [
            (plan.entries.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>(), &self.entries, "entry"),
            (plan.boards.iter().map(|board| board.name.clone()).collect(), &self.boards, "board"),
        ]
        .map(|(names, wanted, what)| match wanted {
            Some(wanted) => select(names, wanted, |name| name, what),
            None => Ok(names),
        });
        let (entries, boards) = (entries.map_err(Failure::input)?, boards.map_err(Failure::input)?);
        let chosen = |names: &[String], name: &str| names.iter().any(|one| one == name);
        let mut runs = answered(contents);
        runs.retain(|&run| {
            let key = &record_of(contents, run).key;
            chosen(&entries, &key.entry) && chosen(&boards, &key.board)
        });
        Ok(runs)
    }
}

/// The reason why runs of a referee that needs the entries keep their rulings, and the remedy.
pub(super) const TALKS_AGAIN: &str = "this referee talks to the entries, has several passes or leads games, and none of \
    these can be held again with a stored answer: have the entries run again in a new contest, for example with `judge run --out DIR`";

/// Tests whether the referee of a contest needs the entries: it talks to them, runs them in passes, or leads games.
pub(super) fn is_interactive(contest: &Contest) -> bool {
    contest.plan.needs_entries()
}

/// The contest with the plan of the journal and its referee built, and an executor that can start the referee. If
/// `keeps` is false, no files of the build are written into the results.
pub(super) fn corrected<'i, E: Borrow<LocalExecutor<'i>>>(
    path: &Path,
    contents: &ContestState,
    results: &Path,
    keeps: bool,
    interrupt: &Interrupt,
    executor: impl FnOnce(&Contest) -> Result<E, Failure>,
) -> Result<(CorrectedContest, E), Failure> {
    let mut contest = Contest::load(path, &contents.header.overrides).map_err(Failure::input)?;
    if is_interactive(&contest) || contents.plan.needs_entries() {
        return Err(Failure::input(format!("{}: {TALKS_AGAIN}", path.display())));
    }
    contest.unseal(|board| contents.plan.boards.iter().any(|known| known.name == board));
    let mut plan = contents.plan.clone();
    if plan.scoring != contest.plan.scoring {
        let path = path.display();
        return Err(Failure::input(format!(
            "{path}: [[figure]], [table] or the groups have changed; restore them, or start a new contest"
        )));
    }
    let referees = |plan: &Plan| {
        let of = |problem: &Problem| (problem.id.clone(), problem.referee.is_some());
        plan.problems.iter().map(of).collect::<Vec<_>>()
    };
    if referees(&plan) != referees(&contest.plan) {
        let (path, results) = (path.display(), short(results));
        let results = results.display();
        return Err(Failure::input(format!("{path} is another game than the contest in {results}")));
    }
    // A dry run leaves no log in the results.
    let aside = (!keeps).then(tempfile::tempdir).transpose();
    let aside = aside.map_err(|error| Failure::judge(format!("temporary files: {error}")))?;
    let logs = aside.as_ref().map_or(results, TempDir::path);
    let executor = executor(&contest)?;
    let host = LocalHost::new(executor.borrow(), interrupt, DisplayMode::Nothing, Some(results));
    let builds = prepare_referee(&contest, Logs { folder: logs, kept: keeps }, &host)?;
    let referees = present_referees(&contest, contents, &hashes(&contest, environment("PATH").as_deref()));
    with_referees_of(&mut plan, &contest.plan);
    contest.adopt(plan).map_err(Failure::input)?;
    if keeps {
        contest.keep_files(results).map_err(Failure::input)?;
    }
    Ok((CorrectedContest { contest, referees, builds }, executor))
}

/// Replaces the referees of a plan by those of the contest file.
pub(super) fn with_referees_of(plan: &mut Plan, file: &Plan) {
    for problem in plan.problems.iter_mut() {
        if let Some(now) = file.problems.with_id(&problem.id) {
            problem.referee.clone_from(&now.referee);
        }
    }
}

/// Moves the positions that the referee left into the results directory, after its rulings are recorded and while the
/// journal is locked.
pub(super) fn keep_positions(again: &RejudgedRuns, results: &Path) -> Result<(), Failure> {
    again.keep_frames(results).map_err(|error| Failure::judge(format!("positions of the replay: {error}")))
}

/// Removes the logs of builds that will not be recorded in the journal.
fn forget(built: &[Build], results: &Path) -> Result<(), Failure> {
    let removed = forget_logs(built, results);
    removed.map_err(|error| Failure::judge(format!("{}: {error}", results.join(BUILDS).display())))
}

/// The message of `rejudge` after an interruption.
const NOTHING_RECORDED: &str = "interrupted; nothing is recorded";

/// Answers of a contest to be refereed again.
pub(super) struct Rejudging<'a> {
    /// The contest with its present referee.
    pub(super) contest: &'a Contest,
    pub(super) contents: &'a ContestState,
    pub(super) results: &'a Path,
    /// Events to record before the new rulings. The contents already include them.
    pub(super) before: &'a [Line],
    pub(super) executor: &'a LocalExecutor<'a>,
    pub(super) jobs: Option<NonZeroUsize>,
    pub(super) interrupt: &'a Interrupt,
}

impl Rejudging<'_> {
    /// Referees the answers of some runs, as indices into the records. Nothing is written.
    pub(super) fn referee(&self, runs: &[usize]) -> Result<RejudgedRuns, Failure> {
        let Self { contest, contents, results, executor, interrupt, .. } = *self;
        let limits = |problem: &Problem| problem.referee.as_ref().map_or(problem.limits, |referee| referee.limits);
        let limits: Vec<Limits> = contest.plan.problems.iter().map(limits).collect();
        let slots = executor.capacity(&limits, self.jobs).slots;
        let again = rejudge(contest, contents, results, runs, executor, &slots, interrupt);
        let again = again
            .map_err(|error| Failure::judge(format!("temporary files: {error}")))?
            .map_err(|Interrupted| Failure::interrupted(NOTHING_RECORDED, interrupt))?;
        if let Some((first, reason)) = again.changed.first() {
            let (first, number, results) = (name_of(record_of(contents, *first)), again.changed.len(), short(results));
            let results = results.display();
            let more = if number > 1 { format!(" and {} more", number - 1) } else { String::new() };
            return Err(Failure::input(format!(
                "{first}{more}: the stored answer is not the one that was recorded: it {reason}; nothing is recorded; restore \
                 it from a copy of {results}; `judge verify` lists all"
            )));
        }
        Ok(again)
    }

    /// Prints every ruling that changes and every failure, and the standings that change with them.
    pub(super) fn show(
        &self,
        again: &RejudgedRuns,
        events: &[Rejudgement],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        for &missing in &again.missing {
            let name = name_of(record_of(self.contents, missing));
            say(&format!("{name}: its answer is missing from {}; it keeps its verdict", short(self.results).display()));
        }
        let mut changed = 0;
        for again in &again.all {
            let record = record_of(self.contents, again.index);
            if !again.changes(record) && !again.failed() {
                continue;
            }
            let name = name_of(record);
            let (before, now) = (record.verdict.summary(), again.rejudged.verdict.summary());
            changed += usize::from(!again.failed());
            if before == now && !again.failed() {
                writeln!(out, "{name}: {}; another position at the end", printable(&now))?;
            } else {
                writeln!(out, "{name}: {} (before: {})", printable(&now), printable(&before))?;
            }
        }
        if events.iter().any(|event| !event.changed.is_empty()) {
            events.iter().for_each(|event| self.warn_of_changed_rulings(again, event));
            self.show_standings(events, out)?;
        }
        let number = count_text(again.all.len(), "answer", "answers");
        let failed = match again.all.iter().filter(|again| again.failed()).count() {
            0 => String::new(),
            failed => format!(", the referee failed on {failed}"),
        };
        writeln!(out, "{number} refereed again, {changed} changed{failed}")?;
        Ok(())
    }

    /// Warns if the unchanged referee now gives another verdict: its rulings are not reproducible.
    fn warn_of_changed_rulings(&self, again: &RejudgedRuns, event: &Rejudgement) {
        let otherwise = |again: &&RejudgedRun| {
            let record = record_of(self.contents, again.index);
            event.by.is_some()
                && record.key.problem() == event.problem
                && record.referee == event.by
                && !record.is_judge_error()
                && !again.failed()
                && again.rejudged.verdict != record.verdict
        };
        let mut changed = again.all.iter().filter(otherwise);
        if let Some(first) = changed.next() {
            let (name, more) = (name_of(record_of(self.contents, first.index)), changed.count());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            notice(format!(
                "{name}{more}: the same referee ruled otherwise before, so it does not always rule alike; with \
                 `repeat = 2` in [referee] it rules twice, and a difference is its failure"
            ));
        }
    }

    /// Prints the places and totals that change.
    fn show_standings(&self, events: &[Rejudgement], out: &mut dyn Write) -> Result<(), Failure> {
        let mut lines = self.before.to_vec();
        lines.extend(events.iter().map(|event| Line::Rejudgement(Box::new(event.clone()))));
        let after = judge_office::results::preview(self.results, &lines).map_err(Failure::judge)?;
        let changed = changed_rows(self.contents, &after);
        for ChangedRow { entry, before, now } in &changed {
            writeln!(out, "standings: {}: {now} (before: {before})", printable(entry))?;
        }
        if changed.is_empty() {
            writeln!(out, "standings: as before")?;
        }
        Ok(())
    }

    /// The answers without a new ruling, as a fragment.
    pub(super) fn unruled(&self, again: &RejudgedRuns) -> String {
        let failed = again.all.iter().filter(|again| again.failed()).count();
        let missing = again.missing.len();
        let failed = (failed > 0).then(|| format!("the referee failed on {}", count_text(failed, "answer", "answers")));
        let missing = (missing > 0).then(|| format!("{} missing", count_text(missing, "answer is", "answers are")));
        failed.into_iter().chain(missing).collect::<Vec<_>>().join(", and ")
    }
}

fn name_of(record: &Record) -> String {
    let key = &record.key;
    run_name(&key.entry, &key.board, key.repeat)
}
