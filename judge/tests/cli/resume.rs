//! A contest that is cut off at any moment can be resumed, and ends in the same table.

use std::collections::HashSet;
use std::sync::LazyLock;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustix::process::Signal;

use crate::support::*;

/// Four quick entries on six boards, about ten milliseconds a run.
fn quick_contest(folder: &Folder) {
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let boards: Vec<String> = (1..=6).map(|number| board(&format!("near-end-{number}"))).collect();
    let names: Vec<String> = (1..=6).map(|number| format!("N{number}")).collect();
    let boards: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(boards.iter().map(String::as_str)).collect();
    // Not by time, which no two runs share: equal rows are to share a place.
    let mut text = contest(&boards) + "[ranking]\norder = [\"progress\", \"moves\", \"tie_break\"]\n";
    for (name, answer) in [("first", "lluu"), ("second", "lulu"), ("third", "ulul"), ("spoilt", "lx")] {
        text += &entry(name, &["./rogue", "answer-after", "10", answer]);
    }
    folder.file("contest.toml", text);
}

/// The quick contest with its results in `out`, or another folder.
fn recorded() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        quick_contest(&folder);
        folder.judge(["run", "--out", "out"]).exits(0);
        // The program is a link, which each test has of its own.
        std::fs::remove_file(folder.path().join("rogue")).unwrap();
        std::fs::remove_file(folder.path().join("contest.toml")).unwrap();
        Made::of(&folder)
    });
    let folder = MADE.folder();
    quick_contest(&folder);
    folder
}

/// A table as JSON without what was measured, which no two runs share.
fn timeless(mut document: Value) -> Value {
    document["journal_hash"].take();
    for row in document["entries"].as_array_mut().unwrap() {
        row["total"]["time_ms"].take();
        for measured in ["median_time_us", "par2_us", "suspect"] {
            row["summary"][measured].take();
        }
        for run in row["runs"].as_array_mut().unwrap() {
            // Nor which attempts were cut off when the judge was killed.
            for measured in ["time_us", "cpu_us", "memory_bytes", "suspect", "attempt"] {
                run[measured].take();
            }
        }
    }
    document
}

#[test]
#[ignore = "deep: kills"]
fn killed_at_any_moment_a_contest_resumes_to_the_same_table() {
    let whole = Folder::new();
    quick_contest(&whole);
    let begun = Instant::now();
    let expected = timeless(whole.judge(["run", "--out", "out", "--format", "json"]).exits(0).json());
    let duration = begun.elapsed();

    at_once(&[1995, 1996, 1997, 1998], |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(*seed);
        for _ in 0..5 {
            let folder = Folder::new();
            quick_contest(&folder);
            // Named in full it stands in the arguments of the judge, and so in those of every keeper, for as long as that
            // is a copy of the judge: one that still prepares its run must not outlive it either.
            let out = folder.path().join("out").display().to_string();
            // Killed once in its first life and once more when it goes on.
            for _ in 0..2 {
                let begun = folder.path().join("out/journal.jsonl").exists();
                let command = if begun { &["resume", &*out][..] } else { &["run", "--out", &*out] };
                let mut judge = folder.command(command.iter().copied()).spawn().unwrap();
                std::thread::sleep(duration.mul_f64(random.random_range(0.0..1.5)));
                judge.kill().unwrap();
                judge.wait().unwrap();
                until_none_names(folder.path());
            }
            let begun = folder.path().join("out/journal.jsonl").exists();
            let args = if begun { &["resume", "out"][..] } else { &["run", "--out", "out"] };
            let printed = folder.judge(args.iter().copied().chain(["--format", "json"])).exits(0);
            assert_eq!(timeless(printed.json()), expected);

            let runs = folder.journal("out", "run");
            let keys: HashSet<String> = runs.iter().map(|run| format!("{} {}", run["entry"], run["board"])).collect();
            assert_eq!((runs.len(), keys.len()), (24, 24), "exactly the missing runs were made");
        }
    });
}

#[test]
fn the_table_does_not_depend_on_the_order_of_results() {
    let folder = recorded();
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    let journal = folder.read("out/journal.jsonl");
    let mut lines: Vec<&str> = journal.lines().collect();
    lines[1..].reverse();
    folder.file("other/journal.jsonl", chained(lines));
    assert_eq!(folder.judge(["rank", "other"]).exits(0).stdout, table);
    assert_eq!(folder.judge(["resume", "other"]).exits(0).stdout, table);
}

#[test]
fn a_resume_runs_only_what_is_missing() {
    let folder = recorded();
    let journal = folder.read("out/journal.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    // The last run is torn in the middle of its line, the one before it is lost altogether.
    let (kept, torn) = (lines[..lines.len() - 2].concat(), &lines[lines.len() - 1][..40]);
    folder.file("out/journal.jsonl", format!("{kept}{torn}"));

    let printed = folder.judge(["resume", "out"]).exits(0);
    assert!(printed.stderr.contains("discarded an incomplete last journal line (40 bytes)"), "{}", printed.stderr);
    let after = folder.read("out/journal.jsonl");
    assert!(after.starts_with(&kept));
    assert_eq!(after.lines().count(), lines.len());
}

#[test]
fn a_contest_that_was_moved_with_its_results_can_be_resumed() {
    let folder = recorded();
    let table = timeless(folder.judge(["rank", "out", "--format", "json"]).exits(0).json());
    let journal = folder.read("out/journal.jsonl");
    assert!(!journal.contains(&folder.path().display().to_string()), "no path of this machine: {journal}");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    folder.file("out/journal.jsonl", lines[..lines.len() - 3].concat());

    let moved = Folder::new();
    for name in ["contest.toml", "rogue", "out"] {
        std::fs::rename(folder.path().join(name), moved.path().join(name)).unwrap();
    }
    let resumed = moved.judge(["resume", "out", "--format", "json"]).exits(0).json();
    assert_eq!(timeless(resumed), table);
    assert_eq!(moved.read("out/journal.jsonl").lines().count(), lines.len());
}

#[test]
fn a_judge_error_is_run_again() {
    let folder = recorded();
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    folder.change_journal("out", |lines| {
        let run = lines.iter_mut().find(|run| run["entry"] == "first" && run["board"] == "N1").unwrap();
        for key in ["figures", "full", "final_board"] {
            run.as_object_mut().unwrap().remove(key);
        }
        (run["verdict"], run["reason"]) = ("judge_error".into(), "no space left".into());
    });

    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let rows = document["entries"].as_array().unwrap();
    let last = rows.last().unwrap();
    assert_eq!((&last["entry"], &last["place"], &last["complete"]), (&"first".into(), &Value::Null, &false.into()));
    assert_eq!(last["runs"][0]["cell"], "-/JUD");
    assert_eq!(last["total"]["figures"]["moves"], Value::Null, "a missing figure is never 0");

    let again = folder.judge(["resume", "out"]).exits(0).stdout;
    // The same table, and a note about the attempt. A busy machine adds lines below the table.
    let rows = |table: &str| table.lines().filter(|line| line.starts_with('│')).count();
    assert_eq!(rows(&again), rows(&table));
    assert!(!again.contains("JUD") && again.contains("first on N1: attempt 2"), "{again}");
}

#[test]
fn what_a_resume_cannot_continue_is_refused() {
    let folder = recorded();
    let used = folder.judge(["run", "--out", "out"]).exits(2);
    insta::assert_snapshot!(used.message(), @"judge: out already contains a contest; continue it with `judge resume`, or name another directory");

    let text = folder.read("contest.toml");
    folder.file("contest.toml", text.replace("limit = \"10s\"", "limit = \"11s\""));
    let changed = folder.judge(["resume", "out"]).exits(2);
    insta::assert_snapshot!(changed.message(), @"judge: FOLDER/contest.toml does not match the contest in out: limits: `limit 10s, grace 0s, cpu unlimited, memory 1.0 GiB, processes 256, output 16.0 MiB, scratch 256.0 MiB, cores 1` in the journal, `limit 11s, grace 0s, cpu unlimited, memory 1.0 GiB, processes 256, output 16.0 MiB, scratch 256.0 MiB, cores 1` in the contest file; make the change part of the contest with `judge update out`, restore the contest file, or start a new contest with `judge run`");
    folder.file("contest.toml", text.replace("\"10\"", "\"11\""));
    let changed = folder.judge(["resume", "out"]).exits(2);
    insta::assert_snapshot!(changed.message(), @"judge: FOLDER/contest.toml does not match the contest in out: entry first differs; make the change part of the contest with `judge update out`, restore the contest file, or start a new contest with `judge run`");
    folder.file("contest.toml", text);

    let judging = std::fs::File::open(folder.path().join("out/judging.lock")).unwrap();
    judging.lock().unwrap();
    let locked = folder.judge(["resume", "out"]).exits(2);
    insta::assert_snapshot!(locked.message(), @"judge: out/journal.jsonl is in use by another judge; wait until that one has ended");
    drop(judging);
    let missing = folder.judge(["resume", "nowhere"]).exits(2);
    insta::assert_snapshot!(missing.message(), @"judge: nowhere is not a results directory: no journal.jsonl; `judge runs` lists results directories");
    folder.judge(["resume", "out"]).exits(0);
}

#[test]
fn an_entry_does_not_outlive_a_killed_judge() {
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let text = contest(&[("NEAR", &board("near-end-1"))]) + &entry("slow", &["./rogue", "sleep"]);
    folder.file("contest.toml", text.replace("10s", "1h"));
    let mut judge = folder.command(["run", "--out", "out"]).spawn().unwrap();
    until_one_names(folder.path());
    judge.kill().unwrap();
    judge.wait().unwrap();
    until_none_names(folder.path());
}

#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let text = contest(&[("NEAR", &board("near-end-1"))]);
    folder.file("contest.toml", text + &entry("slow", &["./rogue", "answer-after", "600", "lluu"]));
    // As under nohup.
    let script = format!("trap '' HUP; exec '{}' run --out out --format plain", env!("CARGO_BIN_EXE_judge"));
    let mut shell = std::process::Command::new("sh");
    let judge = shell.args(["-c", &script]).current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    until_one_names(folder.path());
    signal(&judge, Signal::HUP);
    let output = judge.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("25/4"));
}

#[test]
fn a_signal_ends_it_with_a_notice_that_names_the_command_to_resume() {
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let mut text = contest(&[("NEAR", &board("near-end-1"))]);
    text += &entry("quick", &["./rogue", "answer", "lluu"]);
    text += &entry("slow", &["./rogue", "sleep"]);
    folder.file("contest.toml", text.replace("10s", "1h"));
    for (sent, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let args = &["resume", "out"][..];
        let args = if sent == Signal::INT { &["run", "--out", "out"] } else { args };
        let judge = folder.command(args.iter().copied()).spawn().unwrap();
        let journalled = || std::fs::read_to_string(folder.path().join("out/journal.jsonl")).unwrap_or_default();
        let slow = folder.path().join("out/output/1/slow/NEAR.1.out");
        until("the slow run", || {
            !processes_naming(folder.path()).is_empty() && slow.exists() && journalled().lines().count() >= 3
        });
        signal(&judge, sent);
        let output = judge.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.ends_with("resume with `judge resume out`\n"), "{message}");
        assert_eq!(processes_naming(folder.path()), Vec::<String>::new());
        assert!(!slow.exists(), "an attempt that was interrupted leaves nothing");
    }
    assert_eq!(folder.read("out/journal.jsonl").lines().count(), 3, "the header, the machine and the finished run");
}

#[test]
fn a_full_disk_under_the_journal_loses_nothing() {
    let folder = Folder::new();
    quick_contest(&folder);
    // No file may grow beyond 8 KiB: the journal fills up after some runs.
    let judge = env!("CARGO_BIN_EXE_judge");
    let script = format!("trap '' XFSZ; ulimit -f 16; exec '{judge}' run --out out");
    let shell = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8(shell.stderr).unwrap();
    assert_eq!(shell.status.code(), Some(3), "{message}");
    assert!(message.contains("\njudge: out/journal.jsonl: File too large"), "{message}");
    assert!(message.ends_with("resume with `judge resume out`\n"), "{message}");

    let kept = folder.read("out/journal.jsonl");
    assert!(kept.ends_with('\n') && kept.lines().count() > 1, "whole lines only");
    let resumed = folder.judge(["resume", "out", "--format", "json"]).exits(0).json();
    assert!(folder.read("out/journal.jsonl").starts_with(&kept));
    let whole = recorded().judge(["rank", "out", "--format", "json"]).exits(0).json();
    assert_eq!(timeless(resumed), timeless(whole));
}

#[test]
fn a_resume_under_another_path_or_with_another_interpreter_says_so() {
    let folder = Folder::new();
    folder.script("bin/solve", "echo lluu");
    folder.file("contest.toml", contest(&[("NEAR", &board("near-end-1"))]) + &entry("one", &["solve"]));
    let path = std::env::var("PATH").unwrap();
    let run = |args: &[&str], bin: &str| {
        let mut judge = folder.command(args.iter().copied());
        judge.env("PATH", format!("{}:{path}", folder.path().join(bin).display()));
        let output = judge.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    run(&["run", "--out", "out"], "bin");
    let again = ["resume", "out"];
    let message = run(&again, "bin");
    assert!(!message.contains("changed"), "{message}");
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let message = run(&again, "empty");
    assert!(message.contains("notice: PATH has changed since the contest started"), "{message}");
    assert!(message.contains("notice: the program of one has changed since the contest started"), "{message}");
    folder.script("bin/solve", "echo uldr");
    let message = run(&again, "bin");
    assert!(message.contains("the program of one has changed") && !message.contains("PATH has changed"), "{message}");
}

#[test]
fn results_without_their_outputs_can_be_used_like_others() {
    let recorded = crate::support::project().join("results/1995-1s");
    let folder = Folder::new();
    let copied = folder.path().join("old");
    std::fs::create_dir(&copied).unwrap();
    std::fs::copy(recorded.join("journal.jsonl"), copied.join("journal.jsonl")).unwrap();
    let plain = folder.judge(["rank", "old", "--format", "plain"]).exits(0).stdout;
    let of_csv = folder.judge(["rank", &recorded.join("results.csv").display().to_string(), "--format", "plain"]);
    let rows = |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&plain), rows(&of_csv.exits(0).stdout));
    folder.judge(["compare", "old"]).exits(0);
    folder.judge(["report", &recorded.display().to_string(), "-o", "page.html"]).exits(0);
    assert!(folder.read("page.html").contains("shufflemania"));
}

#[test]
fn an_attempt_that_was_cut_off_is_not_said_to_be_in_the_journal() {
    let folder = Folder::new();
    folder.script("mine", "sleep 100");
    folder.file("contest.toml", contest(&[("N1", &board("near-end-1"))]) + &entry("mine", &["./mine"]));
    let mut judge =
        folder.command(["run", "--out", "out"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the start of the run", || folder.path().join("out/output/1/mine/N1.1.out").exists());
    judge.kill().unwrap();
    judge.wait().unwrap();
    let attempt = |printed: String| {
        let line = printed.lines().find(|line| line.contains("mine on N1: attempt")).map(str::trim);
        line.unwrap_or_else(|| panic!("{printed}")).to_owned()
    };
    folder.script("mine", "echo lluu");
    let resumed = attempt(folder.judge(["resume", "out"]).exits(0).stdout);
    assert_eq!(resumed, "mine on N1: attempt 2; the first one was cut off and has no result");
    // Without the journal nothing is known about the others.
    assert_eq!(attempt(folder.judge(["rank", "out/results.csv"]).exits(0).stdout), "mine on N1: attempt 2");
    folder.script("mine", "echo lulu");
    let updated = attempt(folder.judge(["update", "out"]).exits(0).stdout);
    let expected = "mine on N1: attempt 3; the journal has 1 of the earlier ones, the others were cut off";
    assert_eq!(updated, expected);
}

#[test]
fn a_full_disk_under_a_new_contest_is_no_fault_of_the_command_line() {
    let folder = Folder::new();
    let judge = env!("CARGO_BIN_EXE_judge");
    // No file may grow beyond 512 bytes.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec '{judge}' init p");
    let shell = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8(shell.stderr).unwrap();
    assert_eq!(shell.status.code(), Some(3), "{message}");
    contains(&message, ["judge: p/contest.toml: File too large", "name another folder than p"]);
    // A second attempt succeeds.
    folder.judge(["init", "p"]).exits(0);
}
