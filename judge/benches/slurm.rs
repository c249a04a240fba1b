//! Contests on a Slurm of three nodes on this machine, for `results/slurm.md`: one table here and there, the cost of
//! 3,000 quick runs, and the cost of a waiting coordinator.
//!
//! `cargo bench -p judge --bench slurm` needs Slurm, root, an idle machine and some minutes; with `-- table`, `-- quick` or
//! `-- waiting` it measures one of the three.

#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

#[path = "../tests/slurm/cluster.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod cluster;
#[path = "../tests/slurm/contest.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod contest;
#[path = "../tests/cli/support.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the tests use the rest of it")]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cluster::Cluster;
use crate::contest::exits;
use crate::support::{Folder, board, contest, entry, project, rogue};

/// The three nodes share two processors: with this option two tasks run at a time, on any nodes.
const TWO_AT_A_TIME: &str = "--licenses=core:1";
const AT_A_TIME: f64 = 2.0;

/// Entries of 1995, and ours, that read the clock: each has a `budget`.
const BY_THE_CLOCK: &[&str] = &[
    "10.pound.sledge",
    "O+PTM_rtll",
    "alphabits",
    "dilloydemma",
    "dubious",
    "house",
    "scrambloyd",
    "shufflemania",
    "slowmotion",
];

/// The runs of a journal by entry and board.
fn runs(results: &Path) -> BTreeMap<(String, String), Value> {
    let journal = fs::read_to_string(results.join("journal.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let key = |run: &Value| (run["entry"].as_str().unwrap().to_owned(), run["board"].as_str().unwrap().to_owned());
    lines.filter(|line| line["line"] == "run").map(|run| (key(&run), run)).collect()
}

fn answer(results: &Path, run: &Value) -> Vec<u8> {
    let name = format!("{}.{}.out", run["board"].as_str().unwrap(), run["attempt"].as_u64().unwrap_or(1));
    fs::read(results.join("output/1").join(run["entry"].as_str().unwrap()).join(name)).unwrap()
}

fn milliseconds(run: &Value) -> u64 {
    run["wall_us"].as_u64().unwrap_or(0) / 1000
}

/// Runs a command, and returns what it printed, its wall clock, and the processor time of it and the programs that it called.
fn timed(command: &Command) -> (String, Duration, String) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$@\"; code=$?; times >&2; exit $code", "sh"]).arg(command.get_program());
    shell.args(command.get_args()).current_dir(command.get_current_dir().unwrap());
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let begun = Instant::now();
    let (stdout, stderr) = exits(shell, 0);
    (stdout, begun.elapsed(), stderr.lines().last().unwrap_or_default().to_owned())
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let measurements: [(&str, fn()); 3] = [
        ("table", the_contest_of_1995_has_the_same_table_here_and_on_three_nodes),
        ("quick", three_thousand_quick_runs),
        ("waiting", a_coordinator_that_waits),
    ];
    for (name, measure) in measurements {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure();
        }
    }
}

fn the_contest_of_1995_has_the_same_table_here_and_on_three_nodes() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    let file = project().join("contest.toml").display().to_string();
    let run = ["run", &file, "--limit", "1s", "--progress", "none"];
    let here = [&run[..], &["--jobs", "2", "--out", "here"]].concat();
    let (table_here, wall_here, _) = timed(&cluster.judge(&folder, here));
    let there = [&run[..], &["--engine", "slurm", "--sbatch", TWO_AT_A_TIME, "--out", "there"]].concat();
    let (table_there, wall_there, _) = timed(&cluster.judge(&folder, there));
    println!("here, {:.1} s:\n{table_here}", wall_here.as_secs_f64());
    println!("on three nodes, {:.1} s:\n{table_there}", wall_there.as_secs_f64());
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let (runs_here, runs_there) = (runs(&here), runs(&there));
    assert!(runs_here.keys().eq(runs_there.keys()));
    let mut equal = 0;
    for ((name, board), one) in &runs_here {
        let other = &runs_there[&(name.clone(), board.clone())];
        if (&one["verdict"], answer(&here, one)) == (&other["verdict"], answer(&there, other)) {
            equal += 1;
            continue;
        }
        let of = |run: &Value| format!("{} {} moves {} ms", run["verdict"], run["figures"]["moves"], milliseconds(run));
        let clock = BY_THE_CLOCK.contains(&name.as_str());
        let why = if clock { "reads the clock" } else { "does not read the clock" };
        println!("{name} on {board}, {why}: {} here, {} there", of(one), of(other));
        // A run that has not finished at the limit is cut off by the judge's clock.
        let cut = milliseconds(one).max(milliseconds(other)) > 700;
        assert!(clock || cut, "{name} on {board} has other moves");
    }
    println!("{equal} of {} answers are equal to the letter", runs_here.len());
}

fn three_thousand_quick_runs() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let files: Vec<String> = (0..100).map(|number| board(&format!("near-end-{}", number % 6 + 1))).collect();
    let names: Vec<String> = (0..100).map(|number| format!("B{number}")).collect();
    let boards: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(files.iter().map(String::as_str)).collect();
    let mut text = contest(&boards);
    for number in 0..30 {
        text += &entry(&format!("quick-{number}"), &["./rogue", "answer", "lluu"]);
    }
    folder.file("contest.toml", text);
    let (_, here, _) = timed(&cluster.judge(&folder, ["run", "--progress", "none", "--jobs", "2", "--out", "here"]));
    let own = |results: &str| {
        runs(&folder.path().join(results)).values().map(|run| run["wall_us"].as_u64().unwrap()).sum::<u64>()
    };
    let seconds = |us: u64| us as f64 / 1e6;
    println!(
        "here, two at a time: {:.1} s of wall clock, {:.2} s in the runs",
        here.as_secs_f64(),
        seconds(own("here"))
    );
    for limits in ["1m", "10m"] {
        let out = format!("there-{limits}");
        let slurm = ["--engine", "slurm", "--sbatch", TWO_AT_A_TIME, "--batch", limits, "--out", &out];
        let command = cluster.judge(&folder, [&["run", "--progress", "none"][..], &slurm].concat());
        let (_, wall, processor) = timed(&command);
        let (mut tasks, mut work) = (0, 0.0);
        let arrays = fs::read_dir(folder.path().join(&out).join("cluster")).unwrap();
        let logs = arrays.filter_map(|array| fs::read_dir(array.unwrap().path().join("log")).ok()).flatten();
        for log in logs.map(|log| fs::read_to_string(log.unwrap().path()).unwrap()) {
            // `judge: NODE: 60 runs in 1.234 s, …`
            let time = log.rsplit_once(" runs in ").unwrap().1.split_once(" s").unwrap().0;
            work += time.parse::<f64>().unwrap();
            tasks += 1;
        }
        let (own, all) = (seconds(own(&out)), wall.as_secs_f64() * AT_A_TIME);
        println!(
            "three nodes, two tasks at a time, batches of {limits} by the limits: {:.1} s of wall clock, {tasks} tasks, {own:.2} s in \
             the runs; of two processors' time the runs took {:.1} %, judge on the nodes {:.1} %, Slurm and waiting {:.1} %; \
             processor time of the coordinator (user, system): {processor}",
            wall.as_secs_f64(),
            own * 100.0 / all,
            (work - own) * 100.0 / all,
            (all - work) * 100.0 / all,
        );
    }
}

fn a_coordinator_that_waits() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let slow = entry("slow", &["./rogue", "answer-after", "120000", "lluu"]);
    folder.file("contest.toml", contest(&[("NEAR", &board("near-end-1"))]).replace("10s", "5m") + &slow);
    let slurm = ["run", "--engine", "slurm", "--sbatch", "-p like", "--progress", "none", "--out", "out"];
    let (_, wall, processor) = timed(&cluster.judge(&folder, slurm));
    let wall = wall.as_secs_f64();
    println!("a run of two minutes, {wall:.1} s: processor time of the coordinator (user, system): {processor}");
}
