//! Misbehaving entries and the verdict each must come to, run side by side with an honest one.

use std::path::Path;
use std::time::Duration;

use judge::run::{End, Executor as _, Interrupt, Job, Limits, LocalExecutor, Outcome};
use serde_json::Value;

use crate::support::{Folder, board, contest, entry, processes_naming, rogue};

/// Name, arguments of `rogue`, the cell it must get on near-end-1, and what its fault must say.
const ROGUES: &[(&str, &[&str], &str, &str)] = &[
    ("honest", &["answer", "lluu"], "25/4", ""),
    ("spaced", &["answer", " l\tl\r\nu u\n\n"], "25/4", ""),
    ("late", &["answer-after", "100", "lluu"], "25/4", ""),
    ("nothing", &["nothing"], "20/0", "no moves on standard output"),
    ("short", &["answer", "ll"], "22/2", "stops short of the goal: 22 of 25 after 2 moves"),
    ("illegal", &["answer", "lluuu"], "0/ILL", "illegal move 5 `u`: no tile stands below the empty spot"),
    ("binary", &["binary"], "0/ILL", "illegal move 1 `\\x00`"),
    ("exit-3", &["exit", "3"], "0/CRA", "crashed with exit code 3"),
    ("solved-but-exit-1", &["answer-and-exit", "lluu", "1"], "0/CRA", "crashed with exit code 1"),
    ("abort", &["signal", "ABRT"], "0/CRA", "crashed with signal 6 (SIGABRT)"),
    ("kill-self", &["signal", "KILL"], "0/CRA", "crashed with signal 9 (SIGKILL)"),
    ("sleep", &["sleep"], "0/TIM", "still running at the limit"),
    ("spin", &["spin"], "0/TIM", "still running at the limit"),
    ("ignore-term", &["ignore-term"], "0/TIM", "still running at the limit"),
    ("answer-on-term", &["answer-on-term", "lluu"], "0/TIM", "still running at the limit"),
    ("flood-stdout", &["flood-stdout"], "0/OUT", "more on standard output than the contest allows"),
    ("flood-stderr", &["flood-stderr", "lluu"], "25/4", ""),
    ("blanks", &["blanks-after-answer", "lluu"], "0/OUT", "more on standard output than the contest allows"),
    ("child-holds-pipe", &["child-holds-pipe", "lluu"], "25/4", ""),
    ("stdin", &["read-stdin"], "20/0", "no moves on standard output"),
    ("lock-scratch", &["lock-scratch", "lluu"], "25/4", ""),
];

fn rogue_contest(folder: &Folder, grace: &str) {
    std::fs::hard_link(rogue(), folder.path().join("rogue"))
        .or_else(|_| std::fs::copy(rogue(), folder.path().join("rogue")).map(drop))
        .unwrap();
    let mut text = contest(&[("NEAR", &board("near-end-1"))]);
    text = text.replace("limit = \"10s\"", &format!("limit = \"700ms\"\ngrace = \"{grace}\"\noutput = \"1MiB\""));
    for (name, args, ..) in ROGUES {
        let mut command = vec!["./rogue"];
        command.extend(*args);
        text += &entry(name, &command);
    }
    text += &entry("missing", &["./no-such-program"]);
    text += &entry("not-on-path", &["no-such-program-anywhere"]);
    text += &entry("not-executable", &["./contest.toml"]);
    text += &entry("no-interpreter-line", &["./plain"]);
    folder.script("plain", "");
    std::fs::write(folder.path().join("plain"), "lluu\n").unwrap();
    folder.file("contest.toml", text);
}

fn run_of<'a>(document: &'a Value, entry: &str) -> &'a Value {
    let entries = document["entries"].as_array().unwrap();
    &entries.iter().find(|row| row["entry"] == entry).unwrap()["runs"][0]
}

#[test]
fn every_rogue_comes_to_its_verdict() {
    let folder = Folder::new();
    rogue_contest(&folder, "0s");
    let document = folder.judge(["run", "--out", "out", "--jobs", "2", "--format", "json"]).exits(0).json();
    let could_not_start = [
        ("missing", "no-such-program or its interpreter does not exist"),
        ("not-on-path", "no-such-program-anywhere is not on the PATH"),
        ("not-executable", "contest.toml is not an executable file"),
        ("no-interpreter-line", "plain is no program for this machine; a script needs a first line such as #!/bin/sh"),
    ];
    let expected = ROGUES.iter().map(|(name, _, cell, fault)| (*name, *cell, *fault));
    for (name, cell, fault) in expected.chain(could_not_start.map(|(name, fault)| (name, "0/STA", fault))) {
        let run = run_of(&document, name);
        assert_eq!(run["cell"], cell, "{name}: {run}");
        let told = run["fault"].as_str().unwrap_or_default();
        assert!(told.contains(fault) && fault.is_empty() == told.is_empty(), "{name}: {told}");
    }
    // Its command line holds the folder's path, so whatever survived could be seen.
    assert_eq!(processes_naming(folder.path()), Vec::<String>::new());
}

#[test]
fn in_the_grace_period_an_answer_still_counts() {
    let folder = Folder::new();
    rogue_contest(&folder, "2s");
    let entries = "answer-on-term,sleep,honest";
    let document = folder.judge(["run", "--out", "out", "--format", "json", "--entries", entries]).exits(0).json();
    assert_eq!(run_of(&document, "answer-on-term")["cell"], "25/4");
    // Its time is what it took, which is more than the limit.
    assert!(run_of(&document, "answer-on-term")["time_us"].as_u64().unwrap() >= 700_000);
    // The warning itself ends it, which is no crash.
    assert_eq!(run_of(&document, "sleep")["cell"], "0/TIM");
    assert_eq!(run_of(&document, "sleep")["time_us"], 700_000);
    assert_eq!(run_of(&document, "honest")["cell"], "25/4");
}

#[test]
fn an_entry_gets_a_clean_environment_and_the_board_as_its_only_argument() {
    let folder = Folder::new();
    rogue_contest(&folder, "0s");
    let mut text = folder.read("contest.toml");
    text += &entry("environment", &["./rogue", "environment"]);
    folder.file("contest.toml", text);
    let mut command = folder.command(["run", "--out", "out", "--entries", "environment"]);
    assert!(command.env("SECRET", "of the organiser").output().unwrap().status.success());
    let seen = folder.read("out/runs/environment/NEAR.err");
    let value = |name: &str| seen.lines().find_map(|line| line.strip_prefix(&format!("{name}="))).map(str::to_owned);
    assert_eq!(value("JUDGE_LIMIT_MS").unwrap(), "700");
    assert_eq!(value("args").unwrap(), "1");
    assert_eq!(value("HOME"), value("cwd"));
    assert_eq!(value("TMPDIR"), value("cwd"));
    assert_eq!(value("SECRET"), None);
    assert!(!Path::new(&value("cwd").unwrap()).exists(), "the scratch directory is gone after the run");
}

fn execute(executor: &LocalExecutor<'_>, folder: &Folder, args: &[&str]) -> Outcome {
    let command = std::iter::once(rogue()).chain(args.iter().map(|&arg| arg.to_owned())).collect();
    let job = Job {
        command,
        board: String::new(),
        limits: Limits { wall_ms: 300, grace_ms: 0, output_bytes: 1000 },
        stdout: folder.path().join("out"),
        stderr: folder.path().join("err"),
    };
    executor.execute(&job).unwrap()
}

#[test]
fn without_pidfds_the_outcomes_are_the_same() {
    let interrupt = Interrupt::never().unwrap();
    let (folder, other) = (Folder::new(), Folder::new());
    let with = LocalExecutor::new(&interrupt).unwrap();
    let without = LocalExecutor::without_pidfd(&interrupt).unwrap();
    for args in [
        &["answer", "lluu"][..],
        &["sleep"],
        &["exit", "3"],
        &["signal", "KILL"],
        &["flood-stdout"],
        &["flood-stderr", "lluu"],
        &["child-holds-pipe", "lluu"],
    ] {
        let (a, b) = (execute(&with, &folder, args), execute(&without, &other, args));
        assert_eq!((&a.end, a.stdout_bytes), (&b.end, b.stdout_bytes), "{args:?}");
        assert_eq!(folder.read("out"), other.read("out"), "{args:?}");
    }
}

#[test]
fn an_interrupt_ends_a_run_that_is_under_way() {
    let interrupt = Interrupt::never().unwrap();
    let folder = Folder::new();
    let executor = LocalExecutor::new(&interrupt).unwrap();
    let job = Job {
        command: vec![rogue(), "sleep".into()],
        board: String::new(),
        limits: Limits { wall_ms: 3_600_000, grace_ms: 0, output_bytes: 1000 },
        stdout: folder.path().join("out"),
        stderr: folder.path().join("err"),
    };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| executor.execute(&job));
        std::thread::sleep(Duration::from_millis(100));
        interrupt.tell();
        assert!(run.join().unwrap().is_err());
    });
}

#[test]
fn where_output_cannot_be_kept_the_judge_has_failed_and_not_the_entry() {
    let interrupt = Interrupt::never().unwrap();
    let executor = LocalExecutor::new(&interrupt).unwrap();
    let job = Job {
        command: vec![rogue(), "answer".into(), "lluu".into()],
        board: String::new(),
        limits: Limits { wall_ms: 1000, grace_ms: 0, output_bytes: 1000 },
        stdout: "/no/such/folder/out".into(),
        stderr: "/no/such/folder/err".into(),
    };
    let outcome = executor.execute(&job).unwrap();
    assert!(
        matches!(&outcome.end, End::JudgeError { reason } if reason.contains("/no/such/folder/out")),
        "{outcome:?}"
    );
    // A disk that is full: every write to this device says so.
    let job = Job { stdout: "/dev/full".into(), stderr: "/dev/null".into(), ..job };
    let outcome = executor.execute(&job).unwrap();
    assert!(matches!(&outcome.end, End::JudgeError { reason } if reason.contains("No space left")), "{outcome:?}");
}
