//! A solver on many boards: runs in parallel as a contest does, compares with earlier versions, and remembers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Args;
use super::baseline;
use super::decision::Decision;
use super::first;
use super::git::Commit;
use super::memory::{Memory, folder_of, program_of};
use super::summary::Summary;
use super::trial::Trial;
use super::version::Version;
use crate::cli::adhoc::{AdHoc, USUAL_LIMIT, program_name};
use crate::cli::builds::{Site, build_referee};
use crate::cli::check::startable;
use crate::cli::directory::make_results;
use crate::cli::gain::Earlier;
use crate::cli::isolation::contest_executor;
use crate::cli::isolation::limits;
use crate::cli::package::PackageFolder;
use crate::cli::progress::{Watched, Watcher};
use crate::cli::{DONE, Done, Failure, NOT_SOLVED, clock, environment, report, say, signals};
use judge_contest::conduct::{Beginning, Conduct, Event};
use judge_contest::schedule::{Local, Stopped};
use judge_contest::tally::Tally;
use judge_contest::{Contest, Overrides, milliseconds};
use judge_core::journal::{self, Contents};
use judge_core::results::Results;
use judge_host::now_us;
use judge_sandbox::{Executor as _, StopRequest as _};

/// Runs the solver on the boards and prints the summary.
/// Of a package, `args` name the contest that was written for it.
pub(super) fn execute(args: &Args, package: Option<&PackageFolder>, out: &mut dyn Write) -> Done {
    let shown = args.progress.here()?;
    let interrupt = Arc::new(signals()?);
    args.build(&interrupt)?;
    args.refuse_what_is_missing()?;
    let scratch = tempfile::tempdir().map_err(Failure::judge)?;
    let results = match &args.out {
        Some(directory) if directory.join(journal::FILE_NAME).exists() => {
            let directory = directory.display();
            return Err(Failure::input(format!("{directory} has results already; name another directory with --out")));
        }
        Some(directory) => make_results(directory)?,
        None => scratch.path().join("results"),
    };
    std::fs::create_dir_all(&results).map_err(|error| Failure::judge(format!("{}: {error}", results.display())))?;
    let name = program_name(&args.command).unwrap_or_else(|| "solver".into());
    let contest = contest_of(args, &name, &results)?;
    let remember = remembering(args, package, scratch.path());
    let memory = Memory::new(&args.command, &memory_name(args, &contest), remember.as_deref());
    let program = program_of(&args.command);
    if let Some(name) = &args.keep
        && let Some(other) = memory.versions()?.iter().find(|version| version.name == *name)
    {
        let number = other.number;
        return Err(Failure::input(format!("--keep {name}: version {number} has this name; choose another one")));
    }
    let trial = Trial::new(&contest, environment("PATH").as_deref());
    let baseline::Choice { baseline, notices } = baseline::choose(&memory, &trial, &program, args.against.as_deref())?;
    notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
    let versions = memory.versions()?;
    let same = versions.iter().rev().find(|version| version.program_sha256 == trial.program);
    if let Some(same) = same {
        let title = same.title();
        say(&match (args.answers, args.build.is_none()) {
            (true, _) => format!("notice: the answers are those of {title}, unchanged"),
            (false, false) => format!("notice: the program and its command are those of {title}, unchanged"),
            (false, true) => format!(
                "notice: the program and its command are those of {title}, unchanged; --build COMMAND builds it before each try"
            ),
        });
    }
    let same_as = same.map(|same| same.number);
    if args.until.is_some() && baseline.is_none() {
        say("notice: --until decided needs an earlier version to compare with; this try runs all boards");
    }

    if let Some(notice) = memory.prepare()? {
        say(&notice);
    }
    let commit = Commit::from_folder(&folder_of(&args.command));
    let executor = contest_executor(&contest, args.isolation, &interrupt)?;
    build_referee(&contest, &Site { results: &results, keeps_logs: args.out.is_some(), shown, interrupt: &interrupt })?;
    startable(&contest, &executor)?;
    let with = Beginning {
        contest_file: contest.path.clone(),
        path: environment("PATH"),
        judge: Some(crate::cli::version::text().to_owned()),
        comment: args.comment.clone(),
        ..Beginning::default()
    };
    let conduct = Conduct::begin(contest, &results, with, clock).map_err(Failure::judge)?;
    let (contest, contents) = (conduct.contest(), conduct.contents());
    let capacity = executor.capacity(&limits(&contest), args.jobs);
    capacity.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
    let earlier = baseline.as_ref();
    let earlier = earlier.map(|earlier| Earlier { title: earlier.version.title(), runs: earlier.runs.clone() });
    let tally = Tally::new(&contents, Some(capacity.slots.len()), now_us());
    let watched = Watched::new(&contents.plan, earlier);
    let watcher = Watcher::of_try(shown, tally, watched, &interrupt).map_err(Failure::judge)?;
    let decision = baseline.as_ref().filter(|_| args.until.is_some());
    let decision = decision.map(|earlier| Arc::new(Mutex::new(Decision::new(earlier.runs.clone(), &contents))));
    // The decision before the display, which may be the last to know.
    if let Some(decision) = decision.clone() {
        let stop = interrupt.clone();
        conduct.subscribe(move |event| {
            if let Event::Finished(record) = event
                && decision.lock().unwrap_or_else(PoisonError::into_inner).add(record)
            {
                stop.request();
            }
            true
        });
    }
    conduct.subscribe(watcher.subscriber());
    let played = conduct.run_round(&Local::new(&executor), &capacity.slots, &*interrupt);
    drop((watcher, conduct));
    let decision = decision.and_then(Arc::into_inner);
    let decision = decision.map(|decision| decision.into_inner().unwrap_or_else(PoisonError::into_inner));
    let decided = decision.as_ref().is_some_and(|decision| decision.test.decided());
    match played {
        Ok(()) => {}
        Err(Stopped::Interrupted) if decided => {}
        Err(Stopped::Interrupted) => {
            return Err(Failure::interrupted("interrupted; this try is not remembered", &interrupt));
        }
        Err(stopped) => return Err(Failure::judge(stopped)),
    }

    let contents = journal::read(&results).map_err(Failure::judge)?;
    let now = made(&contents)?;
    let judged = now.rows.first().map_or(0, |row| row.cells.iter().filter(|cell| cell.judged()).count());
    let version = Version {
        number: 0,
        date: contents.begun.map(|date| date.to_string()).unwrap_or_default(),
        name: args.keep.clone().unwrap_or_default(),
        comment: args.comment.clone().unwrap_or_default(),
        command: shell_words::join(&args.command),
        program,
        commit: commit.as_ref().map(|commit| commit.id.clone()).unwrap_or_default(),
        changed: commit.and_then(|commit| commit.changed),
        boards: Some(contents.order.len()),
        judged: Some(judged),
        ..Version::default()
    };
    let (remembered, written) = memory.remember(&contents, &results, &trial, version)?;
    let hash = |board: &str| trial.boards.get(board).map(String::as_str);
    let summary = Summary::new(&now, hash, &trial.objective, (&remembered.before, &remembered.best));
    let version = remembered.version;
    let view = super::summary::View {
        width: crate::cli::width(),
        results: &results,
        memory: &memory.best_file(),
        planned: contents.order.len(),
    };
    if args.json {
        summary.write_json((&version, same_as), baseline.as_ref(), &now, out)?;
    } else {
        summary.write(&version, baseline.as_ref(), &now, decision.as_ref(), &view, out)?;
        first::write(&contents, &results, out)?;
    }
    if let Some(page) = &args.page {
        let title = version.title();
        report::of_try(
            &results,
            title,
            baseline.as_ref().map(|earlier| (earlier.version.title(), &earlier.runs)),
            page,
        )?;
        say(&format!("page in {}", page.display()));
    }
    if let Some(directory) = &args.out {
        say(&format!("results in {}", directory.display()));
    }
    written?;
    let complete = now.rows.iter().all(judge_core::score::Row::complete);
    Ok(match (complete, summary.answered == summary.boards) {
        (false, _) => crate::cli::JUDGE_FAILED,
        (true, true) => DONE,
        (true, false) => NOT_SOLVED,
    })
}

/// The results on the boards that have a run: after an early decision, the others have none.
fn made(contents: &Contents) -> Result<Results, Failure> {
    let boards: Vec<String> = contents.records.iter().map(|record| record.key.board.to_string()).collect();
    Results::from_journal(contents).only(Some(&boards), None).map_err(Failure::judge)
}

/// The contest that is run: one entry on the boards of the command line.
fn contest_of(args: &Args, name: &str, results: &Path) -> Result<Contest, Failure> {
    let here = std::path::absolute(".").map_err(Failure::judge)?;
    let readable: Vec<PathBuf> = args.readable.iter().map(|path| here.join(path)).collect();
    let (on, seeds) = (&args.on, args.seeds.as_ref());
    let Some(path) = args.contest_file()? else {
        let written = AdHoc {
            name: format!("{} of {name}", args.game.kind().name),
            game: args.game.clone(),
            on,
            seeds,
            entries: vec![(name.to_owned(), args.command.clone())],
            limit: args.limit.unwrap_or(USUAL_LIMIT),
            memory: args.memory,
            cores: args.cores.map(std::num::NonZeroUsize::get),
            readable,
        };
        let path = written.files()?.write(results)?;
        return Contest::load(&path, &Overrides::default()).map_err(Failure::input);
    };
    let others = (!on.is_empty() || seeds.is_some()).then(|| Contest::boards_from(&path, on, seeds)).transpose();
    let others = others.map_err(Failure::input)?;
    let mut overrides = Overrides::default();
    overrides.wall_ms = args.limit.map(milliseconds);
    overrides.other_boards = others.as_ref().map(|others| others.boards.clone());
    let mut contest = Contest::load(&path, &overrides).map_err(Failure::input)?;
    contest.add_files_of(others.unwrap_or_default());
    args.enter_alone(&mut contest, name)?;
    Ok(contest)
}

/// The name under which tries are remembered: of the contest file, or of the game with its house rules.
fn memory_name(args: &Args, contest: &Contest) -> String {
    let plan = &contest.plan;
    if args.contest_file().ok().flatten().is_some() {
        return plan.name.clone();
    }
    super::memory::name_of(&plan.game, &plan.rules)
}

/// The folder that remembers tries, if it is not the solver's. A solver in a package leaves nothing there.
fn remembering(args: &Args, package: Option<&PackageFolder>, scratch: &Path) -> Option<PathBuf> {
    let given = args.remember.clone();
    let inside = package.is_some_and(|package| package.contains(&folder_of(&args.command)));
    if given.is_none() && inside {
        say("notice: the solver is in the package, so that this try is not remembered; --remember DIR does");
        return Some(scratch.join("remembered"));
    }
    given
}
