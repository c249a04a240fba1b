//! Tries a program in a contest of matches. It plays against an entry on the boards, in both seats, until it is clear
//! which one is better.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::Args;
use crate::cli::host::LocalHost;
use crate::cli::isolation::{contest_executor, limits};
use crate::cli::{DONE, Done, Failure, JUDGE_FAILED, notice, notices, say, signals};
use judge_contest::open_contest::Event;
use judge_contest::progress::ContestProgress;
use judge_contest::schedule::{Local, Stopped};
use judge_contest::session::Needed;
use judge_contest::{Contest, Overrides, milliseconds, resolve};
use judge_core::compare::equals;
use judge_core::compare::statistics::Interval;
use judge_core::key::Name;
use judge_core::matches::{Schedule, Seats};
use judge_core::plan::Entry;
use judge_core::shared::Shared;
use judge_core::text::{printable, unknown};
use judge_job::count_text;
use judge_report::output::write_pretty_json;
use judge_sandbox::host::now_us;
use judge_sandbox::{Executor as _, StopRequest as _};
use judge_show::live::Watcher;
use judge_show::versions::{Better, Duel};

/// The name of the program of the command line.
const NEW: &str = "new";

/// The result as JSON.
#[derive(Serialize)]
struct DuelDocument<'a> {
    answer: Better,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    new: &'a str,
    against: &'a str,
    /// The boards that counted, and those that the program won, drew and lost.
    boards: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    /// The lead in points per game, and its range over resampled boards.
    lead: Option<f64>,
    range: Option<Interval>,
    /// The two-sided p of the test by betting, which may stop at any time.
    p: f64,
}

/// Plays the games and prints the result.
pub(super) fn execute(args: &Args, path: &Path, out: &mut dyn Write) -> Done {
    args.refuse_options_of_solvers()?;
    let (shown, interrupt) = (args.progress.here()?, Arc::new(signals()?));
    args.build(&interrupt)?;
    args.refuse_what_is_missing()?;
    let (contest, against) = contest_of(args, path)?;
    let scratch = tempfile::tempdir().map_err(Failure::judge)?;
    let results = args.results_in(scratch.path())?;
    let executor = contest_executor(&contest, args.isolation, &interrupt)?;
    let host = LocalHost::new(&executor, &interrupt, shown, None);
    let open_contest = args.begin(contest, &results, Needed::All, &host)?;
    let (contest, contents) = (open_contest.contest(), open_contest.contents());
    let capacity = executor.capacity(&limits(&contest), args.jobs);
    capacity.notices.iter().for_each(notice);
    let contest_progress = ContestProgress::new(&contents, Some(capacity.slots.len()), now_us());
    let watcher = Watcher::begin(shown, contest_progress, &interrupt, say).map_err(Failure::judge)?;
    let duel = Arc::new(Mutex::new(Duel::new(NEW.into(), &contents.plan)));
    let (deciding, stop) = (duel.clone(), interrupt.clone());
    open_contest.subscribe(move |event| {
        if let Event::Finished(record) = event
            && deciding.lock().unwrap_or_else(PoisonError::into_inner).add(record)
        {
            stop.request();
        }
        true
    });
    open_contest.subscribe(watcher.subscriber());
    let played = open_contest.run_round(&Local::new(&executor), &capacity.slots, &*interrupt);
    let missing = open_contest.contents().missing().len();
    drop((watcher, open_contest));
    let duel = duel.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match played {
        Ok(()) => {}
        Err(Stopped::Interrupted) if duel.test.decided() => {}
        Err(Stopped::Interrupted) => return Err(Failure::interrupted("interrupted", &interrupt)),
        Err(stopped) => return Err(Failure::judge(stopped)),
    }
    let (won, drawn, lost) = duel.tally();
    let (lead, range, answer) = (duel.lead(), duel.range(), duel.found());
    if args.json {
        let (boards, p) = (duel.counted, duel.test.p());
        let found = DuelDocument {
            answer,
            notices: notices(),
            new: NEW,
            against: &against,
            boards,
            won,
            drawn,
            lost,
            lead,
            range,
            p,
        };
        write_pretty_json(&found, out)?;
        writeln!(out)?;
    } else {
        let word = match answer {
            Better::Better => "better",
            Better::Worse => "worse",
            Better::NotDecided => "not decided",
        };
        let range = range.map_or(String::new(), |Interval { low, high }| format!(" ({low:+.3} to {high:+.3})"));
        let lead = lead.map_or("no points".to_owned(), |lead| format!("{lead:+.3} points per game{range}"));
        writeln!(
            out,
            "{word}: {lead} against {}; {won} of {} won, {drawn} drawn, {lost} lost, p {}",
            printable(&against),
            count_text(duel.counted, "board", "boards"),
            equals(duel.test.p())
        )?;
    }
    if let Some(directory) = &args.out {
        say(&format!("results in {}", directory.display()));
    }
    Ok(if missing > 0 && !duel.test.decided() { JUDGE_FAILED } else { DONE })
}

/// The contest of the program and its opponent, and the opponent's name.
fn contest_of(args: &Args, path: &Path) -> Result<(Contest, String), Failure> {
    let mut overrides = Overrides::default();
    overrides.wall_ms = args.limit.map(milliseconds);
    let others = (!args.on.is_empty() || args.seeds.is_some())
        .then(|| Contest::boards_from(path, None, &args.on, args.seeds.as_ref()))
        .transpose()
        .map_err(Failure::input)?;
    overrides.other_boards = others.as_ref().map(|others| others.boards.clone());
    if args.game.contest()?.is_some() && !args.boards.is_empty() {
        overrides.boards = Some(args.boards.iter().map(|board| board.to_string_lossy().into_owned()).collect());
    }
    let mut contest = Contest::load(path, &overrides).map_err(Failure::input)?;
    contest.add_files_of(others.unwrap_or_default());
    let refuse = |reason: String| Failure::input(format!("{}: {reason}", path.display()));
    let mut plan = contest.plan.clone();
    let Some(rules) = plan.match_rules.as_mut().filter(|rules| rules.seats == Seats::Number(2)) else {
        return Err(refuse("a game has more than two seats, so no program can be compared with another one".into()));
    };
    // The schedule decides here, not the submissions of an office.
    (rules.schedule, rules.called) = (Schedule::RoundRobin { mirror: true }, false);
    let names: Vec<&str> = plan.entries.iter().map(|entry| entry.name.as_str()).collect();
    let Some(wanted) = &args.against else {
        let names = names.join(", ");
        return Err(refuse(format!(
            "entries play each other; name the one to play against with --against, of {names}"
        )));
    };
    let Some(mut old) = plan.entries.iter().find(|entry| entry.name == *wanted).map(|entry| Entry::clone(entry)) else {
        return Err(Failure::input(unknown("entry", wanted, names)));
    };
    let here = std::path::absolute(".").map_err(Failure::judge)?;
    plan.problems.iter_mut().for_each(|problem| problem.limits = args.limits(problem.limits));
    plan.rounds.clear();
    let mut new = Entry::new(NEW, resolve(&args.command, &here));
    new.readable = args.readable.iter().map(|path| here.join(path).to_string_lossy().into_owned()).collect();
    // An opponent with the name of the program gets another name.
    if old.name == NEW {
        old.name = "old".into();
    }
    let against: Name = old.name.as_str().into();
    plan.entries = [new, old].into_iter().map(Shared::from).collect();
    contest.withdrawn.clear();
    contest.surroundings = args.surroundings()?;
    contest.adopt(plan).map_err(Failure::input)?;
    Ok((contest, against.to_string()))
}
