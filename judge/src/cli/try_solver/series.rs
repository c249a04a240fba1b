//! Runs a solver on many boards in parallel like a contest, compares it with earlier versions, and remembers the
//! results.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::judging::refuse_matches;
use super::{Args, OWN_SURROUNDINGS, Until};
use crate::cli::adhoc::{self, program_name};
use crate::cli::host::LocalHost;
use crate::cli::isolation::{contest_executor, limits};
use crate::cli::output_file::{self, PAGE};
use crate::cli::package::PackageFolder;
use crate::cli::{DONE, Done, Failure, NOT_SOLVED, environment, notice, notices, report as page, say, signals};
use judge_contest::progress::ContestProgress;
use judge_contest::schedule::{Local, Stopped};
use judge_contest::session::Needed;
use judge_contest::{Contest, Overrides, milliseconds};
use judge_core::journal::{ContestState, stderr_of};
use judge_core::verdict::Verdict;
use judge_files::regular;
use judge_job::count_text;
use judge_sandbox::host::now_us;
use judge_sandbox::{Executor as _, StopRequest as _};
use judge_show::live::{WatchedTry, Watcher};
use judge_show::tries::{TryReport, first_failure, hidden_text};
use judge_show::versions::{
    ChoiceNotice, HiddenModule, Memory, ReplacedBest, Series, TryOptions, Tryout, folder_of, hidden_module, name_of,
    program_of,
};

/// The most bytes of standard error that are searched for a missing module.
const STDERR_BYTES: u64 = 4096;

/// Runs the solver on the boards and prints the summary. For a package, `args` name the contest written for it.
pub(super) fn execute(args: &Args, package: Option<&PackageFolder>, out: &mut dyn Write) -> Done {
    let (shown, is_first) = (args.progress.here()?, args.is_first_with_surroundings());
    let interrupt = Arc::new(signals()?);
    args.build(&interrupt)?;
    args.refuse_what_is_missing()?;
    let scratch = tempfile::tempdir().map_err(Failure::judge)?;
    let results = args.results_in(scratch.path())?;
    let name = program_name(&args.command).unwrap_or_else(|| "solver".into());
    let contest = contest_of(args, &name, &results)?;
    let remember = remembering(args, package, scratch.path());
    let memory = Memory::new(&args.command, &memory_name(args, &contest), remember.as_deref());
    let options = TryOptions { against: args.against.clone(), keep: args.keep.clone(), comment: args.comment.clone() };
    let path = environment("PATH");
    let series = Series::new(memory, &contest, &args.command, options, path.as_deref());
    let mut series = series.map_err(Failure::trying)?;
    series.notices.iter().for_each(|found| notice(in_words(found, &program_of(&args.command))));
    if let Some(same) = &series.same {
        let title = same.title();
        notice(match (args.answers, args.build.is_none()) {
            (true, _) => format!("the answers are those of {title}, unchanged"),
            (false, false) => format!("the program and its command are those of {title}, unchanged"),
            (false, true) => format!(
                "the program and its command are those of {title}, unchanged; --build COMMAND builds it before each try"
            ),
        });
    }
    if args.until.is_some() && series.baseline.is_none() {
        notice("--until decided needs an earlier version to compare with; this try runs all boards");
    }
    if let Some(ReplacedBest { old, best, answers, .. }) = series.prepare().map_err(Failure::trying)? {
        notice(format!(
            "an earlier judge wrote {}, without hashes of boards; it is kept as {best} with {answers}/, and this try \
             begins a new one",
            old.display()
        ));
    }
    let executor = contest_executor(&contest, args.isolation, &interrupt)?;
    let host = LocalHost::new(&executor, &interrupt, shown, None);
    if let Some(page) = &args.page {
        output_file::check(page, PAGE)?;
    }
    let open_contest = args.begin(contest, &results, Needed::All, &host)?;
    if is_first {
        notice(OWN_SURROUNDINGS);
    }
    let (contest, contents) = (open_contest.contest(), open_contest.contents());
    let capacity = executor.capacity(&limits(&contest), args.jobs);
    capacity.notices.iter().for_each(notice);
    let contest_progress = ContestProgress::new(&contents, Some(capacity.slots.len()), now_us());
    let watched = WatchedTry::new(&contents.plan, series.baseline.clone());
    let watcher = Watcher::of_try(shown, contest_progress, watched, &interrupt, say).map_err(Failure::judge)?;
    // The decision subscribes before the display, so that it gets each event first.
    let stop = interrupt.clone();
    let decision = args.until.and_then(|Until::Decided| series.decide(&open_contest, move || stop.request()));
    open_contest.subscribe(watcher.subscriber());
    let played = open_contest.run_round(&Local::new(&executor), &capacity.slots, &*interrupt);
    let contents = open_contest.contents();
    drop((watcher, open_contest));
    let decision = decision.map(|deciding| deciding.now());
    let decided = decision.as_ref().is_some_and(|decision| decision.test.decided());
    match played {
        Ok(()) => {}
        Err(Stopped::Interrupted) if decided => {}
        Err(Stopped::Interrupted) => {
            return Err(Failure::interrupted("interrupted; this try is not remembered", &interrupt));
        }
        Err(stopped) => return Err(Failure::judge(stopped)),
    }

    let tryout = series.finish(&contents, &results).map_err(Failure::trying)?;
    let Tryout { version, results: now, summary: figures, .. } = &tryout;
    let mut report = TryReport::new(&series, &tryout, &results);
    (report.decision, report.is_remembered) = (decision.as_ref(), args.remember.is_some() || remember.is_none());
    let hidden = hidden_from(args, &contents, &results)?.map(|hidden| hidden_text(&hidden));
    if args.json {
        hidden.iter().for_each(notice);
        report.write_json(&notices(), out)?;
    } else {
        report.write(crate::cli::width(), out)?;
        first_failure(&contents, &results, out)?;
        hidden.iter().for_each(notice);
    }
    if let Some(file) = &args.page {
        let earlier = series.baseline.as_ref().map(|earlier| (earlier.version.title(), &earlier.runs));
        let answer = report.headline()?;
        page::of_try(&results, version.title(), earlier, &answer, file)?;
        say(&format!("page in {}", file.display()));
    }
    if let Some(directory) = &args.out {
        say(&format!("results in {}", directory.display()));
    }
    let complete = now.rows.iter().all(judge_core::score::Row::complete);
    let all_answered = figures.answered == figures.boards;
    tryout.written.map_err(Failure::trying)?;
    Ok(match (complete, all_answered) {
        (false, _) => crate::cli::JUDGE_FAILED,
        (true, true) => DONE,
        (true, false) => NOT_SOLVED,
    })
}

/// A module that the solver missed on some board because it was tried as in a contest.
fn hidden_from(args: &Args, contents: &ContestState, results: &Path) -> Result<Option<HiddenModule>, Failure> {
    let crashed = contents.records.iter().find(|record| matches!(record.verdict, Verdict::Crashed { .. }));
    let Some(record) = crashed.filter(|_| args.as_contest) else { return Ok(None) };
    let stderr = regular::tail(&stderr_of(results, record), STDERR_BYTES).unwrap_or_default();
    Ok(hidden_module(&String::from_utf8_lossy(&stderr), &args.around()?))
}

/// A remark about the version that a try of this program is compared with.
fn in_words(notice: &ChoiceNotice, program: &str) -> String {
    match notice {
        ChoiceNotice::OtherSolver(version) => format!(
            "no earlier version of {program} here; it is compared with {} of another solver, `{}`; --remember DIR keeps \
             solvers apart",
            version.title(),
            version.command
        ),
        ChoiceNotice::PassedOver { chosen, newer, reason } => {
            format!("compared with {}; {} is passed over: {reason}", chosen.title(), newer.title())
        }
        ChoiceNotice::NoVersion { latest, reason } => {
            format!("no version to compare with: {}: {reason}", latest.title())
        }
        ChoiceNotice::Partial { chosen, reason, boards } => {
            let compared = count_text(*boards, "board is", "boards are");
            format!("{}: {reason}; only {compared} compared", chosen.title())
        }
        _ => String::new(),
    }
}

/// The contest to run: one entry on the boards of the command line.
fn contest_of(args: &Args, name: &str, results: &Path) -> Result<Contest, Failure> {
    let here = std::path::absolute(".").map_err(Failure::judge)?;
    let readable: Vec<PathBuf> = args.readable.iter().map(|path| here.join(path)).collect();
    let (on, seeds) = (&args.on, args.seeds.as_ref());
    let Some(path) = args.contest_file()? else {
        let mut contest = args.described(format!("{} of {name}", args.game.kind().name), readable)?;
        contest.entries = vec![(name.to_owned(), args.command.clone())];
        let path = adhoc::files(&contest)?.write(results).map_err(adhoc::failure)?;
        let mut contest = Contest::load(&path, &Overrides::default()).map_err(Failure::input)?;
        contest.surroundings = args.surroundings()?;
        return Ok(contest);
    };
    let others = (!on.is_empty() || seeds.is_some())
        .then(|| Contest::boards_from(&path, args.game.problem(), on, seeds))
        .transpose();
    let others = others.map_err(Failure::input)?;
    let mut overrides = Overrides::default();
    overrides.wall_ms = args.limit.map(milliseconds);
    overrides.other_boards = others.as_ref().map(|others| others.boards.clone());
    let mut contest = args.game.load(&path, &overrides)?;
    refuse_matches(&contest)?;
    contest.add_files_of(others.unwrap_or_default());
    args.enter_alone(&mut contest, name)?;
    Ok(contest)
}

/// The name under which tries are remembered, from the contest file, or from the game with its house rules.
fn memory_name(args: &Args, contest: &Contest) -> String {
    let plan = &contest.plan;
    if args.contest_file().ok().flatten().is_some() {
        return plan.name.clone();
    }
    name_of(&plan.problems.only().game, &plan.problems.only().rules)
}

/// The folder that remembers tries, if it is not the solver's folder. Nothing is written into a package that contains
/// the solver.
fn remembering(args: &Args, package: Option<&PackageFolder>, scratch: &Path) -> Option<PathBuf> {
    let given = args.remember.clone();
    let inside = package.is_some_and(|package| package.contains(&folder_of(&args.command)));
    if given.is_none() && inside {
        notice("the solver is in the package, so that this try is not remembered; --remember DIR does");
        return Some(scratch.join("remembered"));
    }
    given
}
