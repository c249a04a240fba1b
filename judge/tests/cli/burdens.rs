//! Kernel work that is slow on purpose: whatever a run leaves the kernel to take apart, its verdict is its own and its time
//! ends at its limit.
//!
//! The test takes a few seconds. For an hour of it:
//! `BURDEN_FUZZ_SECONDS=3600 cargo test --release -p judge --test cli burdens`.

#![allow(clippy::disallowed_macros, reason = "a long run says what it did")]

use std::collections::HashMap;

use crate::support::*;

/// Runs of one contest, and their limit in milliseconds.
const RUNS: u64 = 4;
const LIMIT_MS: u64 = 500;
/// How late a run may be, and how late a run that does nothing may be for the lateness of others to mean something: their
/// supervisors share a processor with many processes.
const LATE_US: u64 = 1_000_000;
const NOISE_US: u64 = LATE_US / 10;
const NOBODY: u32 = 65534;

/// What was seen of all runs.
#[derive(Default)]
struct Seen {
    runs: u64,
    /// Runs beside a run that did nothing and was late as well.
    noisy: u64,
    latest_us: u64,
    /// The longest time that the kernel took for the processes of a run, as its note gives it.
    longest_s: f64,
}

/// A contest of runs with these seeds, beside each a run that does nothing.
fn burden_contest(folder: &Folder, seeds: std::ops::Range<u64>, heavy: bool) {
    let limits = format!("limit = \"{LIMIT_MS}ms\"\noutput = \"1MiB\"\nscratch = \"32MiB\"\nprocesses = 64\nmemory = ");
    let limits = limits + if heavy { "\"1GiB\"" } else { "\"256MiB\"" };
    let mut text = contest(&[("NEAR", "board.txt")]).replace("limit = \"10s\"", &limits);
    for seed in seeds {
        // Some end by themselves, some have to be ended.
        let milliseconds = (LIMIT_MS / 2 + seed % 5 * LIMIT_MS / 4).to_string();
        text += &entry(&format!("seed-{seed}"), &["./burdens", &seed.to_string(), &milliseconds]);
        text += &entry(&format!("idle-{seed}"), &["./burdens", "idle"]);
    }
    folder.file("contest.toml", text);
}

/// Runs the contest as this user, and checks what came of it.
fn fuzz(seeds: std::ops::Range<u64>, isolation: &str, user: Option<u32>, heavy: bool, seen: &mut Seen) {
    let folder = Folder::new();
    fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    burden_contest(&folder, seeds.clone(), heavy);
    folder.open_to_all(&["burdens"]);
    let args = ["run", "--jobs", "2", "--format", "json", "--out", "out/1", "--isolation", isolation];
    let (document, code, printed) = json_of(&mut folder.judge_as(user, &args));
    let message = format!("seeds {seeds:?}, {isolation}, user {user:?}, heavy {heavy}: {printed}");
    assert_eq!(code, Some(0), "{message}");
    let rows = document["entries"].as_array().unwrap();
    assert_eq!(rows.len() as u64, 2 * (seeds.end - seeds.start));
    let journal = fs::read_to_string(folder.path().join("out/1/journal.jsonl")).unwrap();
    let runs = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let times: HashMap<String, u64> = runs
        .filter(|line| line["line"] == "run")
        .filter_map(|run| Some((run["entry"].as_str()?.to_owned(), run["wall_us"].as_u64()?)))
        .collect();
    // Every run has begun, so every run has a time.
    let late_us = |row: &Value| times[row["entry"].as_str().unwrap()].saturating_sub(LIMIT_MS * 1000);
    let idle = |row: &&Value| row["entry"].as_str().unwrap().starts_with("idle");
    let noise_us = rows.iter().filter(idle).map(late_us).max().unwrap();
    for row in rows {
        let (name, run) = (row["entry"].as_str().unwrap(), &row["runs"][0]);
        let cell = run["cell"].as_str().unwrap();
        assert!(!cell.ends_with("/JUD"), "{name}: {run}: {message}");
        if idle(&row) {
            assert_eq!(cell, "0/TIM", "{name}: {run}: {message}");
            continue;
        }
        assert_ne!(cell, "0/STA", "{name}: {run}: {message}");
        seen.runs += 1;
        if noise_us > NOISE_US {
            seen.noisy += 1;
        } else {
            assert!(late_us(row) <= LATE_US, "{name}, beside {noise_us} µs: {run}: {message}");
            seen.latest_us = seen.latest_us.max(late_us(row));
        }
        let notes = run["notes"].to_string();
        let took = notes.split("the kernel took ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        seen.longest_s = seen.longest_s.max(took.unwrap_or(0.0));
        assert!(!notes.contains("had not removed"), "{name}: {run}: {message}");
    }
    assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "somebody survived: {message}");
    let left: Vec<_> = fs::read_dir(folder.path().join("tmp")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}: {message}");
}

#[test]
#[ignore = "deep: fuzz"]
fn slow_work_of_the_kernel_changes_no_result() {
    let seconds = std::env::var("BURDEN_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let deadline = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let root = rustix::process::geteuid().is_root();
    let users: &[Option<u32>] = if root { &[None, Some(NOBODY)] } else { &[None] };
    let mut first = 0;
    let mut seen = Seen::default();
    loop {
        // A long search begins where none has been.
        let base = seconds.map_or(0, |_| u64::from(std::process::id()) << 32);
        for &user in users {
            for isolation in ["auto", "landlock"] {
                // Much memory only where a control group keeps to it.
                let heavy = seconds.is_some() && user.is_none() && first % (2 * RUNS) == 0;
                fuzz(base + first..base + first + RUNS, isolation, user, heavy, &mut seen);
                first += RUNS;
            }
        }
        if deadline.is_none_or(|deadline| Instant::now() > deadline) {
            break;
        }
        let Seen { runs, noisy, latest_us, longest_s } = &seen;
        eprintln!("{runs} runs, {noisy} beside noise; {latest_us} µs late at most, {longest_s} s to take one apart");
    }
    assert!(seen.runs > 0);
}
