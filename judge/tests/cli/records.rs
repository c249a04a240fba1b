//! Records that stay valid: journals of earlier judges, outputs that are part of the record, and `judge verify`.

use std::fs;
use std::path::Path;

use judge_core::journal::{self, stdout_file};
use judge_core::key::RunKey;
use serde_json::Value;

use crate::support::{Folder, chained, clear_suspicion, copy_folder, project};

const CONTEST: &str = r#"
name = "Records"
game = "loyd"
limit = "10s"
[[board]]
name = "NEAR"
file = "near.txt"
[[board]]
name = "OTHER"
file = "near.txt"
[[entry]]
name = "good"
command = "./good.sh"
[[entry]]
name = "late"
command = "./late.sh"
"#;

/// A contest of two entries on two boards, whose results are in `out`.
fn contest() -> Folder {
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.script("good.sh", "echo lluu; echo thinking >&2");
    folder.script("late.sh", "echo ll");
    folder.file("contest.toml", CONTEST);
    folder.judge(["run", "--out", "out"]).exits(0);
    clear_suspicion(&folder, "out");
    // Writes the table anew.
    folder.judge(["run", "--resume", "out"]).exits(0);
    folder
}

/// The recorded directory of that name, in a folder of its own.
fn recorded(name: &str) -> Folder {
    let folder = Folder::new();
    copy_folder(&project().join("judge/core/tests/recorded").join(name), folder.path());
    folder
}

/// The checks of `judge verify` that find a difference, with what they find.
fn differences(folder: &Folder, code: i32) -> Vec<(String, Vec<String>)> {
    let json = folder.judge(["verify", "out", "--format", "json"]).exits(code).json();
    assert_eq!(json["holds"], Value::Bool(code == 0));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let checks = json["checks"].as_array().unwrap().iter().filter(|check| check["holds"] == Value::Bool(false));
    checks
        .map(|check| (text(&check["subject"]), check["problems"].as_array().unwrap().iter().map(text).collect()))
        .collect()
}

/// The subjects of the checks that find a difference.
fn subjects(folder: &Folder, code: i32) -> Vec<String> {
    differences(folder, code).into_iter().map(|(subject, _)| subject).collect()
}

#[test]
fn a_round_that_older_rules_opened_counts_with_a_warning_and_goes_on() {
    let folder = recorded("rules-1");
    let warning = "notice: round 2, Final, was opened for missing; by the rules of this judge it would open for crashes; \
                   it counts as it is recorded";
    let ranked = folder.judge(["rank", "out", "--format", "json"]).exits(0);
    assert!(ranked.stderr.contains(warning), "{}", ranked.stderr);
    assert_eq!(ranked.json()["entries"][0]["entry"], "missing");
    let verified = folder.judge(["verify", "out"]).exits(0).stdout;
    assert!(verified.contains("rounds: round 2, Final, was opened for missing"), "{verified}");
    // Without the last run, that of the recorded round is made: not one of another entry.
    let text = folder.read("out/journal.jsonl");
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    folder.file("out/journal.jsonl", &text[..end]);
    let resumed = folder.judge(["run", "--resume", "out"]).exits(0);
    assert!(resumed.stderr.contains(warning), "{}", resumed.stderr);
    let contents = journal::read(&folder.path().join("out")).unwrap();
    let last = contents.records.last().unwrap();
    assert_eq!((&*last.key.entry, &*last.key.board, last.attempt), ("missing", "FOXY", 2));
    let updated = folder.judge(["run", "--update", "out"]).exits(0);
    assert!(updated.stderr.contains(warning), "{}", updated.stderr);
    // A round of today's rules gives no warning.
    assert_eq!(recorded("rules-2").judge(["rank", "out"]).exits(0).stderr, "");
}

#[test]
fn results_of_every_format_are_verified_as_far_as_they_can_be() {
    for (name, unproved) in [
        ("format-2", "of 6 attempts only the size is recorded"),
        ("format-3", "of 2 attempts only the size is recorded"),
        ("format-4", "4 verdicts of the referee"),
        ("format-5", "21 verdicts of the referee"),
        ("format-5-rejudged", "2 verdicts of the referee"),
    ] {
        let folder = recorded(name);
        let printed = folder.judge(["verify", "out"]).exits(0).stdout;
        assert!(printed.contains(unproved), "{printed}");
        assert!(printed.ends_with("nothing contradicts the record\n"), "{printed}");
    }
    // The rulings of two referees are told, with the command that helps.
    let folder = recorded("format-5-rejudged");
    for told in [folder.judge(["verify", "out"]).exits(0).stdout, folder.judge(["rank", "out"]).exits(0).stdout] {
        assert!(told.contains("`judge rejudge out` referees all answers by the present one"), "{told}");
    }
    let folder = recorded("format-2");
    folder.file("out/runs/shufflemania/FOXY.out", "ddd");
    assert_eq!(subjects(&folder, 1), ["outputs", "verdicts"]);
}

#[test]
fn every_run_records_what_it_left() {
    let folder = contest();
    let contents = journal::read(&folder.path().join("out")).unwrap();
    for record in &contents.records {
        let output = record.output.as_ref().unwrap();
        let stdout = fs::read(journal::stdout_of(&folder.path().join("out"), record)).unwrap();
        assert_eq!(output.stdout.sha256.to_string(), judge_core::fingerprint::sha256_of(&stdout));
        assert_eq!(output.stdout.bytes, stdout.len() as u64);
        assert_eq!(output.stderr.is_some(), &*record.key.entry == "good");
        assert_eq!(output.frames, None);
    }
}

#[test]
fn whole_results_hold_and_the_published_hash_proves_them() {
    let folder = contest();
    let json = folder.judge(["verify", "out", "--format", "json"]).exits(0).json();
    let hash = json["journal_hash"].as_str().unwrap();
    assert_eq!(hash, folder.judge(["rank", "out", "--format", "json"]).exits(0).json()["journal_hash"]);
    let printed = folder.judge(["verify", "out", "--hash", hash]).exits(0).stdout;
    assert!(printed.contains("its last hash is the published one"), "{printed}");
    assert!(printed.contains("4 answers replay to the recorded verdict"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() < 200), "{printed}");
    let other = hash.replace(|c: char| c.is_ascii_digit(), "0");
    let printed = folder.judge(["verify", "out", "--hash", &other]).exits(1).stdout;
    assert!(printed.contains(&format!("DIFFERS  journal: its last hash is {hash}")), "{printed}");
    let refused = folder.judge(["verify", "out", "--hash", "abc"]).exits(2).stderr;
    assert!(refused.contains("expected 64 hexadecimal digits"), "{refused}");
    assert!(folder.judge(["verify", "."]).exits(2).message().contains("is not a results directory"));
    // Of a results directory, `check` is the same.
    assert!(folder.judge(["check", "out"]).exits(0).stdout.ends_with("nothing contradicts the record\n"));
}

#[test]
fn what_was_changed_is_found_and_named() {
    let whole = contest();
    let out = |folder: &Folder, path: &str| folder.path().join("out").join(path);
    let answer = |entry: &str, board: &str| stdout_file(Path::new(""), &RunKey::new(1, entry, board), 1);
    let good = answer("good", "NEAR").display().to_string();
    let late = answer("late", "NEAR").display().to_string();
    let changed = |change: &dyn Fn(&Folder)| {
        let folder = Folder::new();
        copy_folder(whole.path(), folder.path());
        change(&folder);
        folder
    };
    type Case<'a> = (&'a str, &'a dyn Fn(&Folder), &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        ("an answer cut", &|f| drop(f.file(&format!("out/{good}"), "ll\n")), &["outputs", "verdicts"]),
        ("an answer of equal size and verdict", &|f| drop(f.file(&format!("out/{good}"), "lluu ")), &["outputs"]),
        ("an answer removed", &|f| fs::remove_file(out(f, &good)).unwrap(), &["outputs", "verdicts"]),
        (
            "swapped answers",
            &|f| {
                fs::rename(out(f, &good), out(f, "x")).unwrap();
                fs::rename(out(f, &late), out(f, &good)).unwrap();
                fs::rename(out(f, "x"), out(f, &late)).unwrap();
            },
            &["outputs", "verdicts"],
        ),
        (
            "standard error",
            &|f| drop(f.file(&format!("out/{}", good.replace(".out", ".err")), "thinkinG\n")),
            &["outputs"],
        ),
        (
            "standard error of nothing",
            &|f| drop(f.file(&format!("out/{}", late.replace(".out", ".err")), "x")),
            &["outputs"],
        ),
        (
            "positions of nothing",
            &|f| drop(f.file(&format!("out/{}", late.replace(".out", ".frames.jsonl")), "{}")),
            &["outputs"],
        ),
        (
            "the table",
            &|f| drop(f.file("out/results.csv", f.read("out/results.csv").replace("solved", "unsolved"))),
            &["table"],
        ),
        (
            "half a table",
            &|f| {
                let text = f.read("out/results.csv");
                drop(f.file("out/results.csv", &text[..text.trim_end().rfind('\n').unwrap() + 1]));
            },
            &["table"],
        ),
        ("a stored file", &|f| drop(f.file(&format!("out/files/{}", "0".repeat(64)), "x")), &["files"]),
        (
            "half a line",
            &|f| drop(f.file("out/journal.jsonl", f.read("out/journal.jsonl") + "{\"line\":")),
            &["journal"],
        ),
        (
            "a line",
            &|f| {
                let text = f.read("out/journal.jsonl").replacen("\"moves\":4", "\"moves\":3", 1);
                drop(f.file("out/journal.jsonl", text));
            },
            &["journal"],
        ),
        (
            "a link",
            &|f| {
                fs::rename(out(f, &good), f.path().join("elsewhere")).unwrap();
                std::os::unix::fs::symlink(f.path().join("elsewhere"), out(f, &good)).unwrap();
            },
            &["directory", "outputs", "verdicts"],
        ),
    ];
    for (what, change, expected) in cases {
        let folder = changed(change);
        assert_eq!(subjects(&folder, 1), *expected, "{what}");
        folder.judge(["verify", "out"]).exits(1);
    }
}

#[test]
fn a_table_that_is_older_than_the_journal_is_written_anew_by_resuming() {
    let folder = contest();
    let whole = folder.read("out/results.csv");
    folder.file("out/results.csv", &whole[..whole.trim_end().rfind('\n').unwrap() + 1]);
    let told = folder.judge(["verify", "out", "--format", "json"]).exits(1).stdout;
    assert!(told.contains("`judge run --resume out` writes results.csv from the journal"), "{told}");
    folder.judge(["run", "--resume", "out"]).exits(0);
    assert_eq!(folder.read("out/results.csv"), whole);
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn a_changed_answer_is_not_replayed_refereed_or_shown() {
    let folder = contest();
    folder.file("out/output/1/good/NEAR.1.out", "ll\n");
    let before = folder.read("out/journal.jsonl");
    let said = folder.judge(["replay", "out", "good", "NEAR"]).exits(2).message();
    let changed = "out/output/1/good/NEAR.1.out: the file has changed since the run: it has 3 bytes, 5 were recorded";
    assert!(said.contains(changed), "{said}");
    let said = folder.judge(["rejudge", "out"]).exits(2).message();
    assert!(
        said.contains("good on NEAR: the stored answer is not the one that was recorded: it has 3 bytes"),
        "{said}"
    );
    assert_eq!(folder.read("out/journal.jsonl"), before, "no verdict has changed");
    folder.judge(["report", "out"]).exits(0);
    // What is whole still works.
    folder.judge(["replay", "out", "good", "OTHER"]).exits(0);
    folder.judge(["rejudge", "out", "--boards", "OTHER"]).exits(0);
}

#[test]
fn a_verdict_by_hand_is_replayed_and_counts_until_it_is_taken_back() {
    let folder = contest();
    let replayed = |code| folder.judge(["replay", "out", "good", "NEAR"]).exits(code).stdout;
    let verified = || folder.judge(["verify", "out"]).exits(0).stdout;
    assert!(!replayed(0).contains("by hand") && !verified().contains("by hand"));
    folder.judge(["rule", "out", "good", "NEAR", "wrong", "--because", "copied", "--by", "Ada"]).exits(0);
    assert!(
        replayed(1).ends_with("ruled by hand by Ada: wrong answer: copied; the reason: copied\n"),
        "{}",
        replayed(1)
    );
    assert!(verified().contains("unproved verdicts: 1 verdict by hand"), "{}", verified());
    folder.judge(["rule", "out", "good", "NEAR", "--undo"]).exits(0);
    assert!(!replayed(0).contains("by hand") && !verified().contains("by hand"));
}

#[test]
fn a_journal_with_a_new_chain_is_found_by_the_published_hash_or_by_the_answers() {
    let folder = contest();
    let hash = folder.judge(["rank", "out", "--format", "json"]).exits(0).json()["journal_hash"].clone();
    let text = folder.read("out/journal.jsonl").replacen("\"moves\":4", "\"moves\":2", 1);
    folder.file("out/journal.jsonl", chained(text.lines()));
    fs::remove_file(folder.path().join("out/results.csv")).unwrap();
    assert_eq!(subjects(&folder, 1), ["verdicts"], "the answer has four moves");
    let printed = folder.judge(["verify", "out", "--hash", hash.as_str().unwrap()]).exits(1).stdout;
    assert!(printed.contains("DIFFERS  journal: its last hash is"), "{printed}");
}

#[test]
fn builds_have_logs_on_record() {
    let folder = Folder::new();
    folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
    folder.script("good.sh", "echo lluu");
    let contest =
        CONTEST.replace("command = \"./good.sh\"", "command = \"./good.sh\"\nbuild = \"echo built\"\nfolder = \".\"");
    let contest = contest[..contest.find("[[entry]]\nname = \"late\"").unwrap()].to_owned();
    folder.file("contest.toml", format!("build_isolation = \"off\"\n{contest}"));
    folder.judge(["run", "--out", "out"]).exits(0);
    assert_eq!(differences(&folder, 0), []);
    let log = folder.path().join("out/builds/good.1.log");
    assert_eq!(fs::read_to_string(&log).unwrap(), "built\n");
    fs::write(&log, "better\n").unwrap();
    assert_eq!(
        differences(&folder, 1),
        [("builds".to_owned(), vec!["builds/good.1.log has 7 bytes, 6 were recorded".to_owned(),])]
    );
}

/// What `judge verify` cannot prove, of files.
fn unproved(folder: &Folder) -> Vec<String> {
    let report = folder.judge(["verify", "out", "--format", "json"]).exits(0).json();
    let checks = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["subject"] != "journal" && check["subject"] != "verdicts");
    let lists = checks.flat_map(|check| check["unproved"].as_array().unwrap().clone());
    lists.map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn logs_of_a_referee_and_of_what_builds_fetch_are_on_record() {
    let folder = Folder::new();
    let script = r#"[ "$(cat "$2")" = 42 ]"#;
    crate::referees::external(&folder, "protocol = \"exit\"", script, &[("A", "x")], &[("right", "echo 42")]);
    let built = "protocol = \"exit\"\nbuild = \"echo built\"";
    let text = folder.read("contest.toml").replace("protocol = \"exit\"", built);
    let head = "build_isolation = \"off\"\n";
    folder.file("contest.toml", head.to_owned() + &text + "[build]\nfetch = \"echo fetched\"\n");
    folder.judge(["run", "--out", "out"]).exits(0);
    assert_eq!((differences(&folder, 0), unproved(&folder)), (vec![], vec![]));
    // A rejudgement that changes nothing leaves nothing, one that records something has its logs.
    let before = folder.read("out/journal.jsonl");
    folder.judge(["rejudge", "out"]).exits(0);
    assert_eq!(
        (folder.read("out/journal.jsonl"), differences(&folder, 0), unproved(&folder)),
        (before, vec![], vec![])
    );
    folder.script("referee/referee", r#"[ "$(cat "$2")" = 43 ]"#);
    folder.judge(["rejudge", "out"]).exits(0);
    assert_eq!((differences(&folder, 0), unproved(&folder)), (vec![], vec![]));
    folder.judge(["run", "--update", "out"]).exits(0);
    assert_eq!((differences(&folder, 0), unproved(&folder)), (vec![], vec![]));
    for log in ["referee.1", "referee.2", "fetch.1", "fetch.2", "fetch.3"] {
        let name = format!("out/builds/{log}.log");
        let printed = folder.read(&name);
        folder.file(&name, "other\n");
        assert_eq!(subjects(&folder, 1), ["builds"], "{log}");
        folder.file(&name, printed);
        folder.file(&format!("out/builds/{log}.err"), "other\n");
        assert_eq!(subjects(&folder, 1), ["builds"], "{log}");
        folder.file(&format!("out/builds/{log}.err"), "");
    }
}

#[test]
fn every_version_of_a_program_is_kept_and_can_be_run_again() {
    let folder = contest();
    let first = folder.read("good.sh");
    folder.script("good.sh", "echo uu");
    folder.judge(["run", "--update", "out"]).exits(0);
    clear_suspicion(&folder, "out");
    folder.judge(["run", "--resume", "out"]).exits(0);
    assert_eq!(differences(&folder, 0), []);
    let listed = folder.judge(["restore", "out"]).exits(0).stdout;
    assert_eq!(listed.matches("good.sh").count(), 2, "{listed}");
    // The system's shell is named, and not kept.
    let kept = fs::read_dir(folder.path().join("out/files")).unwrap().count();
    assert_eq!(kept, 3, "two versions of good.sh, and late.sh");
    let printed = folder.judge(["restore", "out", "good", "--version", "1", "-o", "old"]).exits(0).stdout;
    assert!(printed.contains("old/good.sh: good.sh\n"), "{printed}");
    assert!(printed.contains("not kept: ") && printed.contains("sh, a file of the system\n"), "{printed}");
    assert_eq!(folder.read("old/good.sh"), first);
    // It is a contest, with the same boards.
    let again = folder.judge(["run", "old", "--out", "again", "--format", "json"]).exits(0).json();
    assert_eq!(again["entries"][0]["total"]["moves"], 8);
    assert_eq!(again["boards"].as_array().unwrap().len(), 2);
    // The latest, what is not there, and a stored file that was changed.
    folder.judge(["restore", "out", "good", "-o", "new"]).exits(0);
    assert!(folder.read("new/good.sh").contains("echo uu"));
    let refused = |args: &[&str]| folder.judge([&["restore", "out"], args].concat()).exits(2).message();
    assert!(refused(&["good", "--version", "3", "-o", "x"]).contains("good has 2 versions, not 3"));
    assert!(refused(&["gud", "-o", "x"]).contains("unknown entry `gud`"));
    assert!(refused(&["good", "-o", "old"]).contains("name a folder that does not exist"));
    assert!(refused(&["good"]).contains("name the folder to write with -o"));
    let hash = judge_core::fingerprint::sha256_of(first.as_bytes());
    folder.file(&format!("out/files/{hash}"), "#!/bin/sh\nrm -rf /\n");
    assert!(refused(&["good", "--version", "1", "-o", "x"]).contains("has changed since it was kept"));
    assert!(!folder.path().join("x/good.sh").exists());
    assert_eq!(subjects(&folder, 1), ["files"]);
}

/// Takes the last run out of the journal and deletes the kept programs; `change` can alter the header.
fn with_a_run_less(folder: &Folder, change: impl Fn(&mut Value)) {
    let journal = folder.read("out/journal.jsonl");
    let mut lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    change(&mut lines[0]);
    let last = lines.iter().rposition(|line| line["line"] == "run").unwrap();
    lines.remove(last);
    let lines: Vec<String> = lines
        .into_iter()
        .map(|mut line| {
            line.as_object_mut().unwrap().remove("chain");
            line.to_string()
        })
        .collect();
    folder.file("out/journal.jsonl", chained(lines.iter().map(String::as_str)));
}

/// The events of the journal that name a program, as entry and kept files.
fn program_events(folder: &Folder) -> Vec<(String, Value)> {
    let lines = folder.read("out/journal.jsonl");
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let events = lines.filter(|line| line["line"] == "program");
    events.map(|line| (line["entry"].as_str().unwrap().to_owned(), line["kept"].clone())).collect()
}

#[test]
fn a_program_that_changed_before_a_resume_is_kept_and_named_before_its_first_run() {
    let folder = contest();
    let first = ["good.sh", "late.sh"].map(|name| folder.read(name));
    with_a_run_less(&folder, |_| {});
    folder.script("good.sh", "echo uldr");
    folder.script("late.sh", "echo l");
    let said = folder.judge(["run", "--resume", "out"]).exits(0).stderr;
    assert!(said.contains("notice: the program of good has changed"), "{said}");
    // Only the entry with a run to execute has another version.
    let events = program_events(&folder);
    let [(entry, kept)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(*kept, serde_json::json!([format!("{entry}.sh")]));
    let journal = folder.read("out/journal.jsonl");
    let place =
        |wanted: &str| journal.lines().collect::<Vec<_>>().iter().rposition(|line| line.contains(wanted)).unwrap();
    assert!(place(r#""line":"program""#) < place(r#""line":"run""#));
    assert_eq!(differences(&folder, 0), []);
    let number = usize::from(entry == "late");
    for (version, expected) in [("1", first[number].clone()), ("2", folder.read(&format!("{entry}.sh")))] {
        folder.judge(["restore", "out", entry, "--version", version, "-o", version]).exits(0);
        assert_eq!(folder.read(&format!("{version}/{entry}.sh")), expected);
    }
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    assert!(page.contains(" is another one from here on; earlier runs count as they are."), "the page has the event");
    // Nothing is recorded twice, and an update still sees both changes.
    folder.judge(["run", "--resume", "out"]).exits(0);
    assert_eq!(program_events(&folder).len(), 1);
    let preview = folder.judge(["run", "--update", "out", "--dry-run"]).exits(0).stdout;
    assert!(preview.contains("4 runs to execute: good 2, late 2"), "{preview}");
    folder.judge(["run", "--update", "out"]).exits(0);
    assert_eq!(program_events(&folder).len(), 1);
    assert_eq!(differences(&folder, 0), []);
}

#[test]
fn a_program_that_is_too_large_to_be_kept_is_named_by_its_hashes() {
    let folder = contest();
    with_a_run_less(&folder, |_| {});
    folder.script("good.sh", "echo uldr");
    folder.script("late.sh", "echo l");
    let said = folder.judge(["run", "--resume", "out", "--keep-programs", "5B"]).exits(0).stderr;
    assert!(said.contains(" is not kept in out: it has"), "{said}");
    let events = program_events(&folder);
    assert!(events.len() == 1 && events[0].1.is_null(), "{events:?}");
    let refused = folder.judge(["restore", "out", &events[0].0, "-o", "x"]).exits(2).message();
    assert!(refused.contains("no file of version 2 of"), "{refused}");
    // Room for it later is enough, if it has runs to execute.
    with_a_run_less(&folder, |_| {});
    folder.judge(["run", "--resume", "out"]).exits(0);
    folder.judge(["restore", "out", &events[0].0, "--version", "2", "-o", "x"]).exits(0);
    assert_eq!(program_events(&folder).len(), 2);
}

#[test]
fn the_programs_of_a_journal_that_kept_none_are_kept_when_it_goes_on() {
    let folder = contest();
    with_a_run_less(&folder, |header| {
        header["format"] = 4.into();
        header.as_object_mut().unwrap().remove("kept").unwrap();
    });
    fs::remove_dir_all(folder.path().join("out/files")).unwrap();
    let said = folder.judge(["run", "--resume", "out"]).exits(0).stderr;
    assert!(!said.contains("notice"), "{said}");
    let events = program_events(&folder);
    let [(entry, _)] = &events[..] else { panic!("{events:?}") };
    // The same version, which has its files now.
    folder.judge(["restore", "out", entry, "--version", "1", "-o", "x"]).exits(0);
    assert_eq!(folder.read(&format!("x/{entry}.sh")), folder.read(&format!("{entry}.sh")));
    folder.judge(["restore", "out", entry, "--version", "2", "-o", "y"]).exits(2);
    assert_eq!(differences(&folder, 0), []);
    // The other one has no run to execute: its files are not those of a run.
    assert_eq!(fs::read_dir(folder.path().join("out/files")).unwrap().count(), 1);
}

#[test]
fn programs_are_kept_up_to_a_size_and_not_if_that_is_off() {
    let folder = contest();
    let files = |out: &str| fs::read_dir(folder.path().join(out).join("files")).map_or(0, Iterator::count);
    assert_eq!(files("out"), 2);
    folder.judge(["run", "--out", "off", "--keep-programs", "off"]).exits(0);
    assert_eq!(files("off"), 0);
    let refused = folder.judge(["restore", "off", "good", "-o", "x"]).exits(2).message();
    assert!(refused.contains("no file of version 1 of good was kept"), "{refused}");
    folder.file("contest.toml", format!("keep_programs = \"20B\"\n{CONTEST}"));
    let said = folder.judge(["run", "--out", "small"]).exits(0).stderr;
    assert!(said.contains("notice: the program of good is not kept in small: it has"), "{said}");
    assert!(!said.contains("the program of late"), "{said}");
    assert_eq!(files("small"), 1);
    folder.file("contest.toml", format!("keep_programs = \"much\"\n{CONTEST}"));
    let refused = folder.judge(["run", "--out", "x"]).exits(2).message();
    assert!(refused.contains("keep_programs: invalid size `much`; use for example \"16MiB\", or \"off\""), "{refused}");
}
