//! `judge rejudge`: referees stored answers again.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::builds::{Site, build_referee};
use super::progress::Shown;
use super::results_csv::write_results_csv;
use super::{DONE, Done, Failure, JUDGE_FAILED, environment, say, signals};
use judge_contest::Contest;
use judge_contest::journal::Journal;
use judge_contest::programs::hashes;
use judge_contest::rejudge::{Again, answered, keep_frames, rejudge};
use judge_core::journal::{self, Contents, Line, REFEREE_PROGRAM, Record, RefereeEvent};
use judge_core::plan::select;
use judge_core::results::run_name;
use judge_core::text::printable;
use judge_core::verdict::Verdict;
use judge_sandbox::{Executor as _, Interrupt, Interrupted, IsolationMode, LocalExecutor, settled};

/// Referee stored answers again, without running the entries
///
/// For a contest whose referee was wrong or failed: correct the referee, then referee its answers again. All changes are
/// printed before they are recorded. Runs that were ruled by hand keep their verdicts.
///
/// Of `[referee]` in the contest file everything may have changed except `score`, `decimals` and `full`. The groups of
/// boards must not have changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge rejudge runs/1 --dry-run        what would change
  judge rejudge runs/1
  judge rejudge runs/1 --boards A,B --entries mine

Exit code 0: done; 3: the referee failed on some answers.")]
pub(super) struct Args {
    /// Results directory
    results: PathBuf,

    /// Only print what would change
    #[arg(long)]
    dry_run: bool,

    /// Only these entries, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    entries: Option<Vec<String>>,

    /// Only these boards, by name
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    boards: Option<Vec<String>>,

    /// Contest file or its folder [default: the file of that contest]
    #[arg(long, value_name = "FILE")]
    contest: Option<PathBuf>,

    /// Answers at a time
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode of the referee [default: that of the contest]
    #[arg(long, value_name = "HOW", value_parser = super::isolation::mode())]
    isolation: Option<IsolationMode>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let interrupt = signals()?;
        let results = &self.results;
        let contents = journal::read(results).map_err(Failure::input)?;
        let (contest, definition) = self.contest(&contents, &interrupt)?;
        let runs = self.runs(&contents)?;

        let mode = self.isolation.unwrap_or(contest.plan.isolation);
        let executor = LocalExecutor::new(&interrupt, mode).map_err(Failure::judge)?;
        let limits = contest.plan.referee.as_ref().map_or(contest.plan.limits, |referee| referee.limits);
        let slots = executor.capacity(&[limits], self.jobs).slots;
        let again = rejudge(&contest, &contents, results, &runs, &executor, &slots, &interrupt);
        let again = match again.map_err(|error| Failure::judge(format!("temporary files: {error}")))? {
            Ok(again) => again,
            Err(Interrupted) => return Err(Failure::interrupted("interrupted; nothing is recorded", &interrupt)),
        };
        for &missing in &again.missing {
            let name = name_of(&contents.records[missing]);
            say(&format!("{name}: its answer is missing from {}; it keeps its verdict", results.display()));
        }
        let found = again.all.iter().filter_map(|again| {
            let record = contents.records.iter().find(|record| record.key == again.rejudged.key)?;
            again.changes(record).then_some((again, record))
        });
        let changed: Vec<(&Again, &Record)> = found.collect();
        for (again, record) in &changed {
            let (before, now) = (again.before.summary(), again.rejudged.verdict.summary());
            let name = name_of(record);
            if before == now {
                writeln!(out, "{name}: {}; another position at the end", printable(&now))?;
            } else {
                writeln!(out, "{name}: {} (before: {})", printable(&now), printable(&before))?;
            }
        }
        let (number, changes) = (again.all.len(), changed.len());
        writeln!(out, "{number} answers refereed again, {changes} changed")?;
        let failed = again.all.iter().any(|again| matches!(again.rejudged.verdict, Verdict::JudgeError { .. }));
        let code = if failed { JUDGE_FAILED } else { DONE };
        if self.dry_run {
            return Ok(code);
        }
        self.record(&changed, definition)?;
        Ok(code)
    }

    /// The contest with the plan of the journal and its referee built, and the new definition of that if it or its program is
    /// another one.
    fn contest(&self, contents: &Contents, interrupt: &Interrupt) -> Result<(Contest, Option<RefereeEvent>), Failure> {
        let header = &contents.header;
        let path = self.contest.clone().unwrap_or_else(|| settled(&self.results.join(&header.contest_file)));
        let mut contest = Contest::load(&path, &header.overrides).map_err(Failure::input)?;
        let mut plan = contents.plan.clone();
        if plan.scoring != contest.plan.scoring {
            let path = path.display();
            return Err(Failure::input(format!(
                "{path}: score, decimals, full or the groups have changed; restore them, or start a new contest"
            )));
        }
        let site = Site { results: &self.results, keeps_logs: true, shown: Shown::Nothing, interrupt };
        build_referee(&contest, &site)?;
        let definition = match (&plan.referee, &contest.plan.referee) {
            (Some(before), Some(now)) => {
                let path = environment("PATH");
                let programs = hashes(&contest, path.as_deref()).remove(REFEREE_PROGRAM).unwrap_or_default();
                let same = before == now && contents.programs.get(REFEREE_PROGRAM) == Some(&programs);
                (!same).then(|| RefereeEvent { referee: (**now).clone(), programs })
            }
            (None, None) => None,
            _ => {
                let (path, results) = (path.display(), self.results.display());
                return Err(Failure::input(format!("{path} is another game than the contest in {results}")));
            }
        };
        plan.referee.clone_from(&contest.plan.referee);
        contest.adopt(plan).map_err(Failure::input)?;
        contest.keep_files(&self.results).map_err(Failure::input)?;
        Ok((contest, definition))
    }

    /// The chosen runs, as indices into the records.
    fn runs(&self, contents: &Contents) -> Result<Vec<usize>, Failure> {
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
            let key = &contents.records[run].key;
            chosen(&entries, &key.entry) && chosen(&boards, &key.board)
        });
        Ok(runs)
    }

    fn record(&self, changed: &[(&Again, &Record)], definition: Option<RefereeEvent>) -> Result<(), Failure> {
        let mut lines: Vec<Line> = definition.map(|event| Line::Referee(Box::new(event))).into_iter().collect();
        lines.extend(changed.iter().map(|(again, _)| Line::Rejudged(Box::new(again.rejudged.clone()))));
        if lines.is_empty() {
            return Ok(());
        }
        let (mut journal, _) = Journal::resume(&self.results, super::clock).map_err(Failure::input)?;
        journal.append(&lines).map_err(Failure::judge)?;
        drop(journal);
        for (again, record) in changed {
            keep_frames(again).map_err(|error| Failure::judge(format!("{}: {error}", name_of(record))))?;
        }
        write_results_csv(&self.results)?;
        let results = shell_words::quote(&self.results.to_string_lossy()).into_owned();
        say(&format!("recorded; the table: `judge rank {results}`"));
        Ok(())
    }
}

fn name_of(record: &Record) -> String {
    let key = &record.key;
    run_name(&key.entry, &key.board, key.repeat)
}
