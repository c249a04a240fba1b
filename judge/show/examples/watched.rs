//! Runs a contest on this machine and shows it: `cargo run -p judge-show --example watched -- contest.toml new-folder`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::path::PathBuf;
use std::{error::Error, fs, io};

use judge_contest::conduct::{Beginning, Conduct};
use judge_contest::{Contest, Overrides, schedule::Local, tally::Tally};
use judge_core::results::Results;
use judge_host::now_us;
use judge_report::{Format, write};
use judge_sandbox::{Executor as _, Interrupt, LocalExecutor};
use judge_show::live::{Shown, Watcher};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [file, folder] = &arguments[..] else { return Err("usage: watched CONTEST NEW_FOLDER".into()) };
    let interrupt = Interrupt::on_signals()?;
    let contest = Contest::load(file, &Overrides::default())?;
    let executor = LocalExecutor::new(&interrupt, contest.plan.isolation)?;
    let slots =
        executor.capacity(&contest.plan.problems.iter().map(|problem| problem.limits).collect::<Vec<_>>(), None).slots;
    fs::create_dir(folder)?;
    let conduct = Conduct::begin(contest, folder, Beginning::default(), || None)?;
    let shown = if judge_show::screen::possible(io::stderr()) { Shown::Live } else { Shown::Lines };
    let tally = Tally::new(&conduct.contents(), Some(slots.len()), now_us());
    let watcher = Watcher::begin(shown, tally, &interrupt, |line| eprintln!("{line}"))?;
    conduct.subscribe(watcher.subscriber());
    let run = conduct.run_round(&Local::new(&executor), &slots, &interrupt);
    // The terminal is restored before anything is printed.
    drop(watcher);
    run?;
    Ok(write(&Results::from_journal(&conduct.contents()), Format::Table, &mut io::stdout())?)
}
