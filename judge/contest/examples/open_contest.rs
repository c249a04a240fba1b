//! Conducts a contest of three entries and prints its events: `cargo run -p judge-contest --example open_contest`.
#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::{error::Error, fs, sync::Arc};

use judge_contest::open_contest::{Event, OpenContest, StartOptions};
use judge_contest::{Contest, Overrides, schedule::FinishedRun};
use judge_core::{game::Score, games::GAMES, journal::Record, results::Results, verdict::Verdict};
use judge_job::{Isolation, Tier};

/// Reports the events, and returns the winner. The runs are executed here; `OpenContest::run_round` has an engine execute
/// them.
pub(crate) fn run_contest(mut say: impl FnMut(String) + Send + 'static) -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("easy.txt"), "ABCDE FGHIJ KL+MN PQRSO UVWXT")?;
    let entries = ["ann", "bob", "cleo"].map(|name| format!("[[entry]]\nname = \"{name}\"\ncommand = \"./{name}\"\n"));
    let head = "name = \"Three\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"EASY\"\nfile = \"easy.txt\"\n";
    fs::write(folder.path().join("contest.toml"), head.to_owned() + &entries.concat())?;
    let contest = Contest::load(folder.path(), &Overrides::default())?;
    let open_contest = OpenContest::begin(contest, folder.path(), StartOptions::default(), || None)?;
    open_contest.subscribe(move |event| {
        say(match event {
            Event::Pass { runs, .. } => format!("{} runs to execute", runs.len()),
            Event::Finished(record) => format!("{}: {}", record.key.entry, record.verdict.summary()),
            other => format!("{other:?}"),
        });
        true
    });
    while let Some(lease) = open_contest.next()? {
        let (seq, attempt, moves) = (lease.run.index + 1, lease.run.attempt, 4 + 2 * lease.run.index as u64);
        let solved = Verdict::from_replay(GAMES[0], Score { progress: 25, of: 25, moves, ..Score::default() }, None);
        let isolation = Arc::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() });
        let record = Record::without_run(seq, lease.key.clone(), attempt, solved, 10_000, isolation);
        open_contest.finish(&lease, FinishedRun::new(record, None))?;
    }
    Ok(Results::from_journal(&open_contest.contents()).rows[0].entry.name.clone())
}
fn main() -> Result<(), Box<dyn Error>> {
    run_contest(|event| println!("{event}")).map(|first| println!("first: {first}"))
}
