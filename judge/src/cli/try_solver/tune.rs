//! A parameter of a solver, tried by successive halving: all values on a few boards, the better half of them on twice as
//! many, and so on, until two are left on all boards (Jamieson and Talwalkar, "Non-stochastic best arm identification and
//! hyperparameter optimization", 2016).
//!
//! All runs are in one results directory. Which values go on follows from the runs in it, so a tuning that was interrupted
//! goes on where it was.

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::Args;
use super::memory::{Memory, name_of};
use crate::cli::adhoc::{AdHoc, USUAL_LIMIT, program_name};
use crate::cli::directory::make_results;
use crate::cli::isolation::{contest_executor, limits};
use crate::cli::progress::Watcher;
use crate::cli::{DONE, Done, Failure, clock, environment, say, signals};
use judge_contest::conduct::{Beginning, Conduct, Event};
use judge_contest::journal::Journal;
use judge_contest::schedule::{Local, Stopped};
use judge_contest::tally::Tally;
use judge_contest::{Contest, FILE_NAME, Overrides};
use judge_core::compare::statistics::sign_test;
use judge_core::compare::{Outcome, better_of, equals};
use judge_core::journal::{self, Contents, Record};
use judge_core::key::RunKey;
use judge_core::plan::RankKey;
use judge_core::ranking;
use judge_core::relative;
use judge_core::results::Results;
use judge_host::now_us;
use judge_job::count_text;
use judge_report::layout::{Column, Grid, folded};
use judge_sandbox::Executor as _;

/// The most values that are tried.
const VALUES: usize = 16;
/// From this factor between its ends, the values of a range are evenly apart as factors.
const WIDE: f64 = 50.0;
/// The width of the longest bar.
const BAR: usize = 30;

/// A parameter and the range of its values, as `DEPTH=1..20`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    name: String,
    low: f64,
    high: f64,
    /// The decimals of its values.
    decimals: usize,
}

/// Parses the range of a parameter, such as `DEPTH=1..20`. The error says how to write one.
pub(super) fn parameter(text: &str) -> Result<Parameter, String> {
    const USE: &str = "use NAME=A..B, for example DEPTH=1..20 or RATE=0.1..0.9";
    let (name, range) = text.split_once('=').ok_or(USE)?;
    let (low, high) = range.split_once("..").ok_or(USE)?;
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("`{name}` is no name of a variable; {USE}"));
    }
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() < 1e15);
    let (Some(from), Some(to)) = (number(low), number(high)) else {
        return Err(format!("`{range}` is no range; {USE}"));
    };
    if from >= to {
        return Err(format!("`{range}` has no two values: its end is not above its beginning"));
    }
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, part)| part.len());
    // A range of decimals has room between its ends.
    let written = decimals(low).max(decimals(high));
    let decimals = if written == 0 { 0 } else { written + 1 };
    Ok(Parameter { name: name.into(), low: from, high: to, decimals })
}

impl Parameter {
    /// Returns the values that are tried, in ascending order: all, if they are few whole numbers.
    fn values(&self) -> Vec<String> {
        let Self { low, high, decimals, .. } = self;
        let text = |value: f64| format!("{value:.decimals$}");
        let whole = *decimals == 0 && high - low < VALUES as f64;
        let steps = if whole { high - low } else { (VALUES - 1) as f64 };
        let factors = !whole && *low > 0.0 && high / low >= WIDE;
        let at = |step: usize| {
            let share = step as f64 / steps;
            if factors { low * (high / low).powf(share) } else { low + (high - low) * share }
        };
        let mut values: Vec<String> =
            (0..VALUES).take_while(|step| *step as f64 <= steps).map(|step| text(at(step))).collect();
        values.dedup();
        values
    }
}

/// The numbers of boards of each stage: half as many before each, and all at the end, where two values are left.
fn stages(values: usize, boards: usize) -> Vec<usize> {
    let mut stages = vec![boards];
    let mut left = 2;
    while left < values && stages[0] > 1 {
        stages.insert(0, stages[0].div_ceil(2));
        left *= 2;
    }
    stages
}

/// Tries the values and prints what came of them.
pub(super) fn execute(args: &Args, parameter: &Parameter, out: &mut dyn Write) -> Done {
    if args.contest_file()?.is_some() || (args.seeds.is_none() && args.on.is_empty()) {
        let message =
            "--tune needs boards without a contest file: add --seeds, for example --seeds 1-64, or --on with files";
        return Err(Failure::input(message));
    }
    let shown = args.progress.here()?;
    let interrupt = signals()?;
    args.build(&interrupt)?;
    args.refuse_what_is_missing()?;
    let values = parameter.values();
    let results = directory(args, parameter)?;
    let contest = contest(args, parameter, &values, &results)?;
    let executor = contest_executor(&contest, args.isolation, &interrupt)?;
    let going_on = results.join(journal::FILE_NAME).exists();
    let conduct = if going_on {
        let (journal, _) = Journal::resume(&results, clock).map_err(|error| Failure::journal(&error))?;
        Conduct::resume(contest, journal, &results)
    } else {
        let contest_file = contest.path.clone();
        let (path, comment) = (environment("PATH"), args.comment.clone());
        Conduct::begin(contest, &results, Beginning { contest_file, path, comment, ..Beginning::default() }, clock)
    };
    let conduct = conduct.map_err(Failure::judge)?;
    let contest = conduct.contest();
    let capacity = executor.capacity(&limits(&contest), args.jobs);
    capacity.notices.iter().for_each(|notice| say(&format!("notice: {notice}")));
    let stages = stages(values.len(), contest.plan.boards.len());
    let mut left: Vec<String> = contest.plan.entries.iter().map(|entry| entry.name.clone()).collect();
    for (stage, &boards) in stages.iter().enumerate() {
        let contents = conduct.contents();
        let missing = missing(&contents, &left, boards);
        if !missing.is_empty() {
            let tally = Tally::new(&contents, Some(capacity.slots.len()), now_us());
            let watcher = Watcher::begin(shown, tally, &interrupt).map_err(Failure::judge)?;
            watcher.show(Event::Pass { runs: missing.iter().cloned().collect(), repeats: false });
            // The contest has the runs of all stages.
            let mut show = watcher.subscriber();
            conduct.subscribe(move |event| matches!(event, Event::Pass { .. }) || show(event));
            let wanted = |key: &RunKey| missing.contains(key);
            let made = conduct.run_those(&Local::new(&executor), &capacity.slots, &interrupt, &wanted);
            drop(watcher);
            match made {
                Ok(()) => {}
                Err(Stopped::Interrupted) => {
                    let message = "interrupted; finished runs are kept, the same command goes on";
                    return Err(Failure::interrupted(message, &interrupt));
                }
                Err(stopped) => return Err(Failure::judge(stopped)),
            }
        }
        if stage + 1 < stages.len() {
            let contents = conduct.contents();
            let ranked = on(&contents, boards, Some(&left))?;
            left = ranked.rows.iter().map(|row| row.entry.name.clone()).take(left.len().div_ceil(2).max(2)).collect();
        }
    }
    write(&conduct.contents(), parameter, &values, &left, out)?;
    say(&format!("runs in {}", results.display()));
    Ok(DONE)
}

/// The results directory: the one of the command line, or that of the parameter in the memory of the solver.
fn directory(args: &Args, parameter: &Parameter) -> Result<PathBuf, Failure> {
    let memory =
        Memory::new(&args.command, &name_of(args.game.kind().name, &args.game.rules()?), args.remember.as_deref());
    let usual = memory.folder().join(format!("tune-{}", parameter.name));
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

/// The contest of all values on all boards, which is written into the directory or is there already.
fn contest(args: &Args, parameter: &Parameter, values: &[String], results: &Path) -> Result<Contest, Failure> {
    let here = std::path::absolute(".").map_err(Failure::judge)?;
    let program = program_name(&args.command).unwrap_or_else(|| "solver".into());
    let command = |value: &String| {
        let variable = format!("{}={value}", parameter.name);
        ["env".to_owned(), variable].into_iter().chain(args.command.iter().cloned()).collect::<Vec<String>>()
    };
    let written = AdHoc {
        name: format!("{} of {program}", parameter.name),
        game: args.game.clone(),
        on: &args.on,
        seeds: args.seeds.as_ref(),
        entries: values.iter().map(|value| (entry(parameter, value), command(value))).collect(),
        limit: args.limit.unwrap_or(USUAL_LIMIT),
        memory: args.memory,
        cores: args.cores.map(std::num::NonZeroUsize::get),
        readable: args.readable.iter().map(|path| here.join(path)).collect(),
    };
    let files = written.files()?;
    let path = match results.join(journal::FILE_NAME).exists() {
        true if files.are_in(results) => results.join(FILE_NAME),
        true => {
            let results = results.display();
            return Err(Failure::input(format!(
                "{results} has another tuning of {}: other values, boards, limits or another command; name another directory \
                 with --out",
                parameter.name
            )));
        }
        false => files.write(results)?,
    };
    Contest::load(&path, &Overrides::default()).map_err(Failure::input)
}

/// The name of an entry of a value.
fn entry(parameter: &Parameter, value: &str) -> String {
    format!("{}-{value}", parameter.name)
}

/// The runs of these entries on the first boards that have no result.
fn missing(contents: &Contents, entries: &[String], boards: usize) -> BTreeSet<RunKey> {
    let boards: HashSet<&str> = contents.plan.boards[..boards].iter().map(|board| &*board.name).collect();
    let wanted = contents
        .order
        .iter()
        .enumerate()
        .filter(|(_, key)| boards.contains(&*key.board) && entries.iter().any(|entry| **entry == *key.entry));
    let missing = wanted.filter(|(index, _)| contents.records.of_run(*index).is_none_or(Record::is_judge_error));
    missing.map(|(_, key)| key.clone()).collect()
}

/// The results of these entries on the first boards, the best relative score first.
fn on(contents: &Contents, boards: usize, entries: Option<&[String]>) -> Result<Results, Failure> {
    let boards: Vec<String> = contents.plan.boards[..boards].iter().map(|board| board.name.clone()).collect();
    let results = Results::from_journal(contents).only(Some(&boards), entries).map_err(Failure::judge)?;
    Ok(results.ranked_by(vec![RankKey::Relative, RankKey::Time]))
}

/// Writes a row per value, with the boards that it ran on and a bar of its score on those that all values ran on.
fn write(
    contents: &Contents,
    parameter: &Parameter,
    values: &[String],
    left: &[String],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let stages = stages(values.len(), contents.plan.boards.len());
    let first = on(contents, stages[0], None)?;
    let last = on(contents, contents.plan.boards.len(), Some(left))?;
    let score = |results: &Results, name: &str| {
        let at = results.rows.iter().position(|row| row.entry.name == name)?;
        let figures = ranking::figures(&results.rows).swap_remove(at).pop()?;
        figures.relative.map(|relative| relative::share(relative) / results.boards.len() as f64)
    };
    let ran = |name: &str| contents.records.iter().filter(|record| *record.key.entry == *name).count();
    let names: Vec<String> = values.iter().map(|value| entry(parameter, value)).collect();
    let scores: Vec<Option<f64>> = names.iter().map(|name| score(&first, name)).collect();
    let most = scores.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max);
    let text = |score: Option<f64>| score.map_or("-".into(), |score| format!("{score:.4}"));
    // A bar of whole cells: a part of one would look like a figure.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the width of the bar")]
    let bar = |score: Option<f64>| "█".repeat((score.unwrap_or(0.0) / most * BAR as f64).round() as usize);
    let of_all =
        |name: &str| if left.iter().any(|left| left == name) { text(score(&last, name)) } else { String::new() };
    let mut table = Grid::new(vec![
        Column::new(parameter.name.clone(), values.to_vec()).right(),
        Column::new("boards", names.iter().map(|name| ran(name).to_string())).right(),
        Column::new(format!("score on the first {}", stages[0]), scores.iter().map(|score| text(*score))).right(),
        Column::new("", scores.iter().map(|score| bar(*score))),
        Column::new("on all boards", names.iter().map(|name| of_all(name))).right(),
    ]);
    let width = crate::cli::width();
    table.fit(width);
    writeln!(out, "{table}")?;
    let best = last.rows.first().map(|row| &row.entry.name);
    let value = |name: &str| name.strip_prefix(&format!("{}-", parameter.name)).unwrap_or(name).to_owned();
    let [best, next] = [best, last.rows.get(1).map(|row| &row.entry.name)];
    let (Some(best), Some(next)) = (best, next) else { return Ok(()) };
    let points = last.scoring.as_ref().map(|scoring| scoring.direction);
    let outcomes: Vec<Outcome> =
        last.rows[0].cells.iter().zip(&last.rows[1].cells).map(|(one, other)| better_of(one, other, points)).collect();
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let (better, worse) = (count(Outcome::First), count(Outcome::Second));
    let p = sign_test(better, worse).map_or(String::new(), |p| format!(", sign test p {}", equals(p)));
    let sentence = format!(
        "best: {}={}; against {} better on {better} of {}, worse on {worse}{p}. It was chosen among {} values on these boards: try it \
         on others",
        parameter.name,
        value(best),
        value(next),
        count_text(outcomes.len(), "board", "boards"),
        values.len()
    );
    Ok(writeln!(out, "{}", folded(&sentence, width))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_tried_at_both_ends_and_evenly_between() {
        let values = |text: &str| parameter(text).unwrap().values();
        assert_eq!(values("D=1..5"), ["1", "2", "3", "4", "5"]);
        assert_eq!(values("D=-1..1"), ["-1", "0", "1"]);
        let wide = values("D=0..150");
        assert_eq!((wide.len(), wide[0].as_str(), wide[1].as_str(), wide[15].as_str()), (16, "0", "10", "150"));
        let rates = values("R=0.1..0.4");
        assert_eq!(
            (rates.len(), rates[0].as_str(), rates[1].as_str(), rates[15].as_str()),
            (16, "0.10", "0.12", "0.40")
        );
        // By factors: each is about 1.58 times the one before.
        let factors = values("N=1..1000");
        assert_eq!((factors[0].as_str(), factors.last().unwrap().as_str()), ("1", "1000"));
        assert!(factors.len() > 10 && factors.contains(&"100".to_owned()), "{factors:?}");
        for wrong in ["D", "D=1", "D=5..1", "D=1..1", "=1..2", "1D=1..2", "A-B=1..2", "D=x..2", "D=1..inf"] {
            assert!(parameter(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_boards_double_while_the_values_halve() {
        assert_eq!(stages(16, 64), [8, 16, 32, 64]);
        assert_eq!(stages(5, 10), [3, 5, 10]);
        assert_eq!(stages(2, 10), [10]);
        assert_eq!(stages(16, 1), [1]);
    }
}
