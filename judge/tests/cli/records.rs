//! Records that stay valid: journals of earlier judges, outputs that are part of the record, and `judge verify`.

mod programs;

use std::sync::LazyLock;

use judge_core::journal;

use crate::support::*;

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
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
        folder.script("good.sh", "echo lluu; echo thinking >&2");
        folder.script("late.sh", "echo ll");
        folder.file("contest.toml", CONTEST);
        folder.judge(["run", "--out", "out"]).exits(0);
        clear_suspicion(&folder, "out");
        // Writes the table anew.
        folder.judge(["resume", "out"]).exits(0);
        Made::of(&folder)
    });
    MADE.folder()
}

/// The recorded directory of that name, in its own folder.
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
fn a_round_that_older_rules_opened_counts_with_a_warning() {
    let folder = recorded("rules-1");
    let warning = "notice: round 2, Final, was opened for missing; by the rules of this judge it would open for crashes; \
                   it counts as it is recorded";
    let ranked = folder.judge(["rank", "out", "--format", "json"]).exits(0);
    assert!(ranked.stderr.contains(warning), "{}", ranked.stderr);
    assert_eq!(ranked.json()["entries"][0]["entry"], "missing");
    folder.judge(["verify", "out"]).exits(0).shows(["rounds: round 2, Final, was opened for missing"]);
    // Without the last run, that of the recorded round is made: not one of another entry.
    let text = folder.read("out/journal.jsonl");
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    folder.file("out/journal.jsonl", &text[..end]);
    let resumed = folder.judge(["resume", "out"]).exits(0);
    assert!(resumed.stderr.contains(warning), "{}", resumed.stderr);
    let contents = journal::read(&folder.path().join("out")).unwrap();
    let last = contents.records.last().unwrap();
    assert_eq!((&*last.key.entry, &*last.key.board, last.attempt), ("missing", "FOXY", 2));
    let updated = folder.judge(["update", "out"]).exits(0);
    assert!(updated.stderr.contains(warning), "{}", updated.stderr);
    // A round of today's rules gives no warning.
    assert_eq!(recorded("rules-2").judge(["rank", "out"]).exits(0).stderr, "");
}

#[test]
fn rulings_of_two_referees_are_told_with_the_command_that_helps() {
    let folder = recorded("format-6-rejudged");
    for message in [folder.judge(["verify", "out"]).exits(0).stdout, folder.judge(["rank", "out"]).exits(0).stdout] {
        assert!(message.contains("`judge rejudge out` referees all answers by the present one"), "{message}");
    }
}

#[test]
fn the_published_hash_proves_whole_results() {
    let folder = contest();
    let json = folder.judge(["verify", "out", "--format", "json"]).exits(0).json();
    let hash = json["journal_hash"].as_str().unwrap();
    assert_eq!(hash, folder.judge(["rank", "out", "--format", "json"]).exits(0).json()["journal_hash"]);
    let printed = folder.judge(["verify", "out", "--hash", hash]).exits(0).stdout;
    contains(&printed, ["its last hash is the published one", "4 answers replay to the recorded verdict"]);
    assert!(printed.lines().all(|line| line.chars().count() < 200), "{printed}");
    let other = hash.replace(|c: char| c.is_ascii_digit(), "0");
    let printed = folder.judge(["verify", "out", "--hash", &other]).exits(1).stdout;
    assert!(printed.contains(&format!("DIFFERS  journal: its last hash is {hash}")), "{printed}");
    folder.judge(["verify", "out", "--hash", "abc"]).exits(2).says(["expected 64 hexadecimal digits"]);
    assert!(folder.judge(["verify", "."]).exits(2).message().contains("is not a results directory"));
    // Of a results directory, `check` is the same.
    assert!(folder.judge(["check", "out"]).exits(0).stdout.ends_with("nothing contradicts the record\n"));
}

#[test]
fn a_table_that_is_older_than_the_journal_is_written_anew_by_resuming() {
    let folder = contest();
    let whole = folder.read("out/results.csv");
    folder.file("out/results.csv", &whole[..whole.trim_end().rfind('\n').unwrap() + 1]);
    let message = folder.judge(["verify", "out", "--format", "json"]).exits(1).stdout;
    assert!(message.contains("`judge resume out` writes results.csv from the journal"), "{message}");
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(folder.read("out/results.csv"), whole);
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn a_changed_answer_is_not_replayed_refereed_or_shown() {
    let folder = contest();
    folder.file("out/output/1/good/NEAR.1.out", "ll\n");
    let before = folder.read("out/journal.jsonl");
    let reply = folder.judge(["replay", "out", "good", "NEAR"]).exits(2).message();
    let changed = "out/output/1/good/NEAR.1.out: the file has changed since the run: it has 3 bytes, 5 were recorded";
    assert!(reply.contains(changed), "{reply}");
    folder
        .judge(["rejudge", "out"])
        .exits(2)
        .says(["good on NEAR: the stored answer is not the one that was recorded: it has 3 bytes"]);
    assert_eq!(folder.read("out/journal.jsonl"), before, "no verdict has changed");
    folder.judge(["report", "out"]).exits(0);
    // What is whole still works.
    folder.judge(["replay", "out", "good", "OTHER"]).exits(0);
    folder.judge(["rejudge", "out", "--boards", "OTHER"]).exits(0);
}

#[test]
fn a_verdict_by_hand_counts_until_it_is_taken_back() {
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
    let text = folder.read("out/journal.jsonl").replacen("\"moves\":\"4\"", "\"moves\":\"2\"", 1);
    folder.file("out/journal.jsonl", chained(text.lines()));
    fs::remove_file(folder.path().join("out/results.csv")).unwrap();
    assert_eq!(subjects(&folder, 1), ["verdicts"], "the answer has four moves");
    let printed = folder.judge(["verify", "out", "--hash", hash.as_str().unwrap()]).exits(1).stdout;
    assert!(printed.contains("DIFFERS  journal: its last hash is"), "{printed}");
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
    folder.judge(["update", "out"]).exits(0);
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
