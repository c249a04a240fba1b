//! `judge check`: checks a contest without running it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::package::{PackageFolder, is_package};
use super::runs::DEFAULT_RESULTS;
use super::{BAD_INPUT, DONE, Done, Failure, environment, notice};
use judge_contest::builds::{self, Builder};
use judge_contest::check::{Finding, Level, Subject, absent, longest, programs_here};
use judge_contest::{Contest, FILE_NAME, Overrides};
use judge_core::hint::Hint;
use judge_core::journal::{self, Built};
use judge_core::key::{Name, RunKey};
use judge_core::plan::{Plan, RankKey};
use judge_core::scoring::Scoring;
use judge_core::text::printable;
use judge_job::{count_text, duration_text};
use judge_package::other_format;
use judge_report::layout::explained;
use judge_report::with_hint;
use judge_sandbox::{Executor as _, Interrupt, IsolationMode, LocalExecutor, machine, unmet};

/// Check a contest without running it: its files, commands, boards and limits, and the time it may take
///
/// `judge run` also does these checks when it starts. There, a missing program is only a notice: the runs of its entry
/// fail, and the other entries are run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge check                  the contest.toml in this folder
  judge check my/contest.toml --jobs 2
  judge check my-package       the contest of a problem package, with its submissions
  judge check runs/1           results, like `judge verify runs/1`

Exit code 0: no problem was found; 2: the contest cannot run as it is;
1: results are not as they were recorded.")]
pub(super) struct Args {
    /// Contest file or its folder, a problem package, or a results directory [default: contest.toml]
    #[arg(value_parser = super::runs::path())]
    contest: Option<PathBuf>,

    /// Runs at a time [default: as `judge run` chooses]
    #[arg(long, value_name = "N", value_parser = crate::cli::at_least_one)]
    jobs: Option<NonZeroUsize>,

    /// Isolation mode instead of the contest file's
    #[arg(long, value_name = "HOW", value_parser = super::isolation::mode())]
    isolation: Option<IsolationMode>,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let path = self.contest.clone().unwrap_or_else(|| FILE_NAME.into());
        if path.join(journal::FILE_NAME).is_file() {
            return super::verify::check(&path, out);
        }
        let package = is_package(&path).then(|| {
            let mode = self.isolation.unwrap_or(IsolationMode::Auto);
            PackageFolder::open(&path, &[], None, None, mode)
        });
        let package = package.transpose()?;
        if let Some(PackageFolder { package, written, .. }) = &package {
            for skipped in &written.skipped {
                let path = &package.submissions[skipped.submission].path;
                notice(format!("{path} is left out: {}", skipped.reason));
            }
        }
        if let Some(format) = other_format(&path).filter(|_| package.is_none() && !path.join(FILE_NAME).exists()) {
            let reason = format!("{}: {}", path.display(), format.reason);
            return Err(Failure::input(with_hint(reason, format.hint.as_ref())));
        }
        let path = package.as_ref().map_or(path, |package| package.path().to_owned());
        let contest = Contest::load(&path, &Overrides::default()).map_err(Failure::input)?;
        let interrupt = Interrupt::never().map_err(Failure::judge)?;
        let mode = self.isolation.unwrap_or(contest.plan.isolation);
        let executor = LocalExecutor::new(&interrupt, mode).map_err(Failure::judge)?;
        let findings = [
            programs_of(&contest, &BTreeMap::new(), &executor),
            absent(&contest),
            self.of_machine(&contest, &executor),
            shown_results(&contest),
        ];
        let findings = findings.concat();

        let plan = &contest.plan;
        writeln!(out, "{}", printable(&plan.name))?;
        declaration(plan, out)?;
        for Finding { level, subject, finding } in &findings {
            let level = match level {
                Level::Good => "ok",
                Level::Notice => "note",
                Level::Problem => "PROBLEM",
            };
            let finding = format!("{}: {}", printable(&subject.to_string()), printable(finding));
            writeln!(out, "{}", explained(&format!("  {level:7} "), &finding, super::width()))?;
        }
        for build in builds::plan(&contest) {
            writeln!(out, "  note    build: `{}` for {}", printable(&build.command), build.entries.join(", "))?;
        }
        let slots = executor.capacity(&super::isolation::limits(&contest), self.jobs).slots.len();
        self.cost(&contest, slots, out)?;
        let problems = findings.iter().filter(|finding| finding.level == Level::Problem).count();
        if problems == 0 {
            writeln!(out, "no problem found")?;
            return Ok(DONE);
        }
        writeln!(out, "{}", count_text(problems, "problem", "problems"))?;
        Ok(BAD_INPUT)
    }

    /// Checks the limits and the isolation against this machine.
    fn of_machine(&self, contest: &Contest, executor: &LocalExecutor<'_>) -> Vec<Finding> {
        let mode = self.isolation.unwrap_or(contest.plan.isolation);
        let limits = super::isolation::limits(contest);
        let unmet = unmet(mode, executor.probe(), &limits);
        let isolation = unmet.into_iter().map(|finding| (Level::Problem, Subject::Isolation, finding.to_string()));
        let notices = executor.capacity(&limits, self.jobs).notices;
        let notices = notices.into_iter().map(|finding| (Level::Notice, Subject::Machine, finding));
        let memory = limits.iter().filter_map(|limits| limits.memory_bytes).max();
        let has = machine::this().memory_bytes;
        let memory = memory.zip(has).filter(|(limit, has)| limit > has).map(|(limit, has)| {
            let [limit, has] = [limit, has].map(|bytes| bytesize::ByteSize(bytes).to_string());
            (
                Level::Problem,
                Subject::Memory,
                format!("an entry may use {limit}, but this machine has {has}; lower the limit"),
            )
        });
        isolation
            .chain(notices)
            .chain(memory)
            .map(|(level, subject, finding)| Finding { level, subject, finding })
            .collect()
    }

    /// Writes the number of runs, and the longest time that they can take.
    fn cost(&self, contest: &Contest, slots: usize, out: &mut dyn Write) -> std::io::Result<()> {
        let plan = &contest.plan;
        let inside = plan.entries.iter().filter(|entry| !contest.withdrawn.contains_key(&entry.name));
        let entries: Vec<Name> = inside.map(|entry| Name::from(&*entry.name)).collect();
        let rounds = u32::try_from(plan.rounds.len()).unwrap_or(u32::MAX).max(1);
        // Only the number of entries that advance is known. They may be those with the longest limits.
        let mut longest_first = entries.clone();
        let by_name = plan.entries_by_name();
        let limit = |name: &Name| {
            by_name.get(&**name).and_then(|entry| plan.limits_of(entry).map(|limits| limits.wall_ms).max())
        };
        longest_first.sort_by_key(|name| Reverse(limit(name)));
        let mut most_entries = entries.len();
        for round in 1..=rounds {
            let playing = &longest_first[..most_entries];
            let mut runs = match plan.match_rules {
                None => plan.start_order_in(round, &entries),
                Some(_) => {
                    let boards = plan.boards.iter().zip(plan.rounds_of_boards()).filter(|(_, of)| *of == round);
                    let boards: Vec<Name> = boards.map(|(board, _)| Name::from(&*board.name)).collect();
                    plan.games_in(round, playing, &boards)
                }
            };
            if plan.is_knock_out(round) {
                most_entries = most_entries.div_ceil(2);
            }
            // Sealed boards that are still missing are run later, and their runs count here.
            for board in plan.absent_boards(round) {
                if plan.match_rules.is_some() {
                    runs.extend(plan.games_in(round, playing, &[board.into()]));
                    continue;
                }
                let keys = |repeat| entries.iter().map(move |entry| (entry.clone(), repeat));
                let keys = (1..=plan.repeat).flat_map(keys);
                runs.extend(keys.map(|(entry, repeat)| RunKey { repeat, ..RunKey::new(round, entry, board) }));
            }
            runs.retain(|key: &RunKey| !contest.struck.contains_key(&*key.board));
            let time = longest(plan, runs.iter(), slots);
            let time = duration_text(time.as_millis().try_into().unwrap_or(u64::MAX));
            let (name, most) = match plan.round_plan(round) {
                Some(plan) if round == 1 => (format!("round {}: ", plan.name), ""),
                Some(plan) => (format!("round {}: ", plan.name), "at most "),
                None => (String::new(), ""),
            };
            let runs = match plan.match_rules {
                None => count_text(runs.len(), "run", "runs"),
                Some(_) => count_text(runs.len(), "game", "games"),
            };
            writeln!(out, "  {}{most}{runs}, {slots} at a time: at most {time}", printable(&name))?;
        }
        Ok(())
    }
}

/// Finds reasons why entries could see each other's answers in a default results directory.
fn shown_results(contest: &Contest) -> Vec<Finding> {
    let results = Path::new(DEFAULT_RESULTS).join("1");
    let entries = builds::exposed(contest, &results).map(|reason| (Subject::Isolation, reason));
    let builder = Builder { contest, results: &results, environment: &environment };
    let planned = builds::plan_referees(contest).into_iter().chain(builds::plan(contest));
    let of_builds = planned.filter_map(|build| Some((build.subject(), builder.exposed(&build)?)));
    let problem = |(subject, reason): (Subject, String)| Finding {
        level: Level::Problem,
        subject,
        finding: with_hint(reason, Some(&Hint::OtherResults)),
    };
    entries.into_iter().chain(of_builds).map(problem).collect()
}

/// Checks the programs of a contest, except those of entries that could not be built.
pub(super) fn programs_of(
    contest: &Contest,
    unbuilt: &BTreeMap<String, Built>,
    executor: &LocalExecutor<'_>,
) -> Vec<Finding> {
    programs_here(contest, environment("PATH").as_deref(), unbuilt, executor.is_another_user())
}

/// Writes what decides places: every figure with its defaults, the contents of cells and totals, and the full ranking.
/// Rules 31 and 64 of docs/scoring.md.
fn declaration(plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
    if let Some(rules) = &plan.match_rules {
        writeln!(out, "  match   {rules}")?;
        if rules.clock.move_ms.is_some() && rules.clock.game_ms.is_none() {
            let note = "  note    `move` alone bounds no game; the time below is that of games of one `limit` per seat";
            writeln!(out, "{note}")?;
        }
        return writeln!(out, "  places  by {}", RankKey::listed(&plan.ranking));
    }
    let scoring = plan.figures();
    if !scoring.accepts() {
        for figure in &scoring.figures {
            writeln!(out, "  figure  {figure}")?;
        }
        let (cell, total) = (Scoring::names(&scoring.cell, "/"), Scoring::names(&scoring.total, " "));
        writeln!(out, "  table   a cell has {cell}, a total {total}")?;
    }
    writeln!(out, "  places  by {}", RankKey::listed(&plan.ranking))
}
