//! `judge try --tune`: tries values of a parameter as entries of one contest, stage by stage.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Args, OWN_SURROUNDINGS};
use crate::cli::adhoc::{self, program_name};
use crate::cli::directory::make_results;
use crate::cli::host::LocalHost;
use crate::cli::isolation::{contest_executor, limits};
use crate::cli::{DONE, Done, Failure, clock, notice, say, signals};
use judge_contest::journal::Journal;
use judge_contest::open_contest::{Event, StartOptions};
use judge_contest::progress::ContestProgress;
use judge_contest::schedule::{Local, Stopped};
use judge_contest::session::{Needed, prepare};
use judge_contest::{Contest, FILE_NAME, Overrides};
use judge_core::journal;
use judge_core::key::RunKey;
use judge_sandbox::Executor as _;
use judge_sandbox::host::now_us;
use judge_show::live::Watcher;
use judge_show::tries::write_tuning;
use judge_show::versions::{Memory, Parameter, Tuning, name_of};

/// Tries the values and prints the results.
pub(super) fn execute(args: &Args, parameter: &Parameter, out: &mut dyn Write) -> Done {
    if args.contest_file()?.is_some() || (args.seeds.is_none() && args.on.is_empty()) {
        let message =
            "--tune needs boards without a contest file: add --seeds, for example --seeds 1-64, or --on with files";
        return Err(Failure::input(message));
    }
    let (shown, is_first) = (args.progress.here()?, args.is_first_with_surroundings());
    let interrupt = signals()?;
    args.build(&interrupt)?;
    args.refuse_what_is_missing()?;
    let values = parameter.values();
    let results = directory(args, parameter)?;
    let contest = contest(args, parameter, &values, &results)?;
    let executor = contest_executor(&contest, args.isolation, &interrupt)?;
    let going_on = results.join(journal::FILE_NAME).exists();
    let host = LocalHost::new(&executor, &interrupt, shown, None);
    let prepared = prepare(contest, &results, args.preparation(Needed::All), &host)?;
    let session = if going_on {
        let (journal, _) = Journal::resume(&results, clock).map_err(|error| Failure::journal(&error))?;
        prepared.resume(journal, Vec::new(), &host)?
    } else {
        let (contest_file, comment) = (prepared.contest.path.clone(), args.comment.clone());
        prepared.begin(StartOptions { contest_file, comment, ..StartOptions::default() }, &host, clock)?
    };
    let open_contest = session.open_contest;
    let contest = open_contest.contest();
    let capacity = executor.capacity(&limits(&contest), args.jobs);
    capacity.notices.iter().for_each(notice);
    if is_first {
        notice(OWN_SURROUNDINGS);
    }
    let mut tuning = Tuning::new(parameter.clone(), contest.plan.boards.len());
    while let Some(missing) = tuning.next_stage(&open_contest.contents()).map_err(Failure::trying)? {
        if missing.is_empty() {
            continue;
        }
        let contest_progress = ContestProgress::new(&open_contest.contents(), Some(capacity.slots.len()), now_us());
        let watcher = Watcher::begin(shown, contest_progress, &interrupt, say).map_err(Failure::judge)?;
        watcher.show(Event::Pass { runs: missing.iter().cloned().collect(), repeats: false });
        // A pass of the contest contains the runs of all stages, so it is not shown.
        let mut show = watcher.subscriber();
        open_contest.subscribe(move |event| matches!(event, Event::Pass { .. }) || show(event));
        let wanted = |key: &RunKey| missing.contains(key);
        let made = open_contest.run_those(&Local::new(&executor), &capacity.slots, &interrupt, &wanted);
        drop(watcher);
        made.map_err(|stopped| match stopped {
            Stopped::Interrupted => {
                Failure::interrupted("interrupted; finished runs are kept, the same command goes on", &interrupt)
            }
            stopped => Failure::judge(stopped),
        })?;
    }
    let outcome = tuning.outcome(&open_contest.contents()).map_err(Failure::trying)?;
    write_tuning(&outcome, parameter, crate::cli::width(), out)?;
    say(&format!("runs in {}", results.display()));
    Ok(DONE)
}

/// The results directory: from the command line, or the parameter's directory in the memory of the solver.
fn directory(args: &Args, parameter: &Parameter) -> Result<PathBuf, Failure> {
    let memory =
        Memory::new(&args.command, &name_of(args.game.kind().name, &args.game.rules()?), args.remember.as_deref());
    let usual = memory.folder().join(format!("tune-{}", parameter.name()));
    let results = args.out.clone().unwrap_or(usual);
    if results.join(journal::FILE_NAME).exists() {
        return Ok(results);
    }
    if args.out.is_some() {
        return make_results(&results);
    }
    std::fs::create_dir_all(&results)
        .map_err(|error| Failure::making(&error, format!("{}: {error}", results.display())))?;
    Ok(results)
}

/// The contest of all values on all boards, which is written into the directory unless it already exists there.
fn contest(args: &Args, parameter: &Parameter, values: &[String], results: &Path) -> Result<Contest, Failure> {
    let here = std::path::absolute(".").map_err(Failure::judge)?;
    let program = program_name(&args.command).unwrap_or_else(|| "solver".into());
    let command = |value: &String| {
        let variable = format!("{}={value}", parameter.name());
        ["env".to_owned(), variable].into_iter().chain(args.command.iter().cloned()).collect::<Vec<String>>()
    };
    let readable = args.readable.iter().map(|path| here.join(path)).collect();
    let mut contest = args.described(format!("{} of {program}", parameter.name()), readable)?;
    contest.entries = values.iter().map(|value| (parameter.entry(value), command(value))).collect();
    let files = adhoc::files(&contest)?;
    let path = match results.join(journal::FILE_NAME).exists() {
        true if files.are_in(results) => results.join(FILE_NAME),
        true => {
            let results = results.display();
            return Err(Failure::input(format!(
                "{results} has another tuning of {}: other values, boards, limits or another command; name another directory \
                 with --out",
                parameter.name()
            )));
        }
        false => files.write(results).map_err(adhoc::failure)?,
    };
    let mut contest = Contest::load(&path, &Overrides::default()).map_err(Failure::input)?;
    contest.surroundings = args.surroundings()?;
    Ok(contest)
}
