//! Runs a contest on this machine and shows it: `cargo run -p judge-show --example watched -- contest.toml new-folder`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::path::PathBuf;
use std::{error::Error, fs, io};

use judge_contest::open_contest::{OpenContest, StartOptions};
use judge_contest::{Contest, Overrides, progress::ContestProgress, schedule::Local};
use judge_core::results::Results;
use judge_report::{Format, write};
use judge_sandbox::host::now_us;
use judge_sandbox::{Executor as _, Interrupt, LocalExecutor};
use judge_show::live::{DisplayMode, Watcher};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [file, folder] = &arguments[..] else { return Err("usage: watched CONTEST NEW_FOLDER".into()) };
    let interrupt = Interrupt::on_signals()?;
    let contest = Contest::load(file, &Overrides::default())?;
    let executor = LocalExecutor::new(&interrupt, contest.plan.isolation)?;
    let slots =
        executor.capacity(&contest.plan.problems.iter().map(|problem| problem.limits).collect::<Vec<_>>(), None).slots;
    fs::create_dir(folder)?;
    let open_contest = OpenContest::begin(contest, folder, StartOptions::default(), || None)?;
    let shown = if judge_show::screen::possible(io::stderr()) { DisplayMode::Live } else { DisplayMode::Lines };
    let progress = ContestProgress::new(&open_contest.contents(), Some(slots.len()), now_us());
    let watcher = Watcher::begin(shown, progress, &interrupt, |line| eprintln!("{line}"))?;
    open_contest.subscribe(watcher.subscriber());
    let run = open_contest.run_round(&Local::new(&executor), &slots, &interrupt);
    // The terminal is restored before anything is printed.
    drop(watcher);
    run?;
    Ok(write(&Results::from_journal(&open_contest.contents()), Format::Table, &mut io::stdout())?)
}
