//! Stored answers that are refereed again by `judge office rejudge`.

use judge_core::journal::Line;

use super::*;
use crate::referees::external;

const STRICT: &str = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; echo "not $a"; exit 1"#;
/// Programs of teams with a wrong answer and with the right one.
const OTHER: &str = "#!/bin/sh\necho 41\n";
const RIGHT: &str = "#!/bin/sh\necho 42\n";

/// A contest with a referee that accepts everything, of which one submission is judged.
fn desk() -> Folder {
    let folder = Folder::new();
    external(&folder, "protocol = \"exit\"", "exit 0", &[("A", "x"), ("B", "y")], &[("house", "echo 42")]);
    folder.judge(["team", "add", ".", "ada", "bob"]).exits(0);
    submit(&folder, "ada", "solve", OTHER);
    judge(&folder);
    assert_eq!(verdict(&folder, "ada.1"), "solved");
    folder.script("referee/referee", STRICT);
    folder
}

fn judge(folder: &Folder) {
    folder.judge(["office", "judge", "."]).exits(0);
}

fn rejudge(folder: &Folder, option: &[&str], code: i32) -> String {
    let run = folder.judge(["office", "rejudge", "."].into_iter().chain(option.iter().copied())).exits(code);
    run.stdout + &run.stderr
}

fn verdict(folder: &Folder, entry: &str) -> String {
    let contents = results::read(&folder.path().join("results")).unwrap();
    let record = contents.records.iter().find(|record| *record.key.entry == *entry).unwrap();
    record.verdict.summary()
}

#[test]
fn nothing_of_a_corrected_referee_is_recorded_before_it_was_seen() {
    let folder = desk();
    assert!(rejudge(&folder, &["--record"], 2).contains("what would change is not known yet"));
    assert!(rejudge(&folder, &["--drop"], 2).contains("no answers are to be refereed again"));
    assert!(rejudge(&folder, &[], 0).starts_with("asked; "));
    assert!(rejudge(&folder, &[], 0).contains("it is made when nothing else is to be judged"));
    let before = folder.read("results/journal.jsonl");
    judge(&folder);
    let shown = rejudge(&folder, &[], 0);
    for line in [
        "ada.1 on A: wrong answer: not 41 (before: solved)\n",
        "ada.1 on B: wrong answer: not 41 (before: solved)\n",
        // Both had all points before, so that times decided the first place.
        "standings: ada.1: place 2, total 0 (before: place ",
        "4 answers refereed again, 2 changed\nnothing is recorded yet; --record does it, --drop does not\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert_eq!(folder.read("results/journal.jsonl"), before);
    assert_eq!(verdict(&folder, "ada.1"), "solved");
    rejudge(&folder, &["--record"], 0);
    judge(&folder);
    assert_eq!(verdict(&folder, "ada.1"), "wrong answer: not 41");
    assert_eq!(verdict(&folder, "house"), "solved");
    folder.judge(["verify", "results"]).exits(0);
    let dry = folder.judge(["rejudge", "results", "--dry-run"]).exits(0).stdout;
    assert!(dry.ends_with("4 answers refereed again, 0 changed\n"), "{dry}");
    // The new referee rules on later submissions, and nothing else is left to do.
    submit(&folder, "bob", "solve", RIGHT);
    judge(&folder);
    folder.judge(["verify", "results"]).exits(0);
    assert!(rejudge(&folder, &[], 0).starts_with("asked; "));
    assert_eq!(rejudge(&folder, &["--drop"], 0), "nothing is recorded\n");
}

#[test]
fn live_runs_come_before_rejudging() {
    let folder = desk();
    rejudge(&folder, &[], 0);
    judge(&folder);
    rejudge(&folder, &["--record"], 0);
    submit(&folder, "bob", "solve", "#!/bin/sh\nsleep 1; echo 41\n");
    judge(&folder);
    let lines: Vec<Line> =
        folder.read("results/journal.jsonl").lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of_bob = |line: &Line| matches!(line, Line::Run(record) if &*record.key.entry == "bob.2");
    let runs: Vec<usize> = (0..lines.len()).filter(|&line| of_bob(&lines[line])).collect();
    let rejudged = lines.iter().position(|line| matches!(line, Line::Rejudgement(_))).unwrap();
    assert!(runs.len() == 2 && runs.iter().all(|&run| run < rejudged), "{runs:?}, {rejudged}");
    let contents = results::read(&folder.path().join("results")).unwrap();
    assert!(contents.records.iter().all(|record| record.referee.as_ref() == contents.referee_of(&record.key.board)));
    assert_eq!([verdict(&folder, "ada.1"), verdict(&folder, "bob.2")], ["wrong answer: not 41"; 2]);
}

#[test]
fn nothing_is_recorded_if_a_ruling_is_not_the_one_that_was_seen() {
    let folder = desk();
    rejudge(&folder, &[], 0);
    judge(&folder);
    rejudge(&folder, &["--record"], 0);
    folder.script("referee/referee", "echo never; exit 1");
    let before = folder.read("results/journal.jsonl");
    judge(&folder);
    let shown = rejudge(&folder, &[], 0);
    assert!(shown.contains("the referee ruled otherwise on ") && shown.contains("4 changed\n"), "{shown}");
    assert_eq!(folder.read("results/journal.jsonl"), before);
    judge(&folder);
    assert_eq!(folder.read("results/journal.jsonl"), before, "it waits to be seen");
    rejudge(&folder, &["--record"], 0);
    judge(&folder);
    assert_eq!(verdict(&folder, "house"), "wrong answer: never");
    folder.judge(["verify", "results"]).exits(0);
}

#[test]
fn a_referee_that_does_not_start_or_fails_changes_nothing() {
    let folder = desk();
    fs::remove_file(folder.path().join("referee/referee")).unwrap();
    // Requests and approvals are also in the log.
    let of_judge = || {
        let log = folder.read("results/journal.jsonl");
        log.lines().filter(|line| !line.starts_with("{\"line\":\"office\",")).count()
    };
    let before = of_judge();
    rejudge(&folder, &[], 0);
    let refused = folder.judge(["office", "judge", "."]).exits(2).message();
    assert!(refused.contains("the referee cannot be started: referee/referee: no such file"), "{refused}");
    // It fails on one of two answers.
    folder.script("referee/referee", r#"read -r a <"$2"; [ "$a" = 42 ] && exit 9; echo "not $a"; exit 1"#);
    judge(&folder);
    let shown = rejudge(&folder, &[], 0);
    assert!(shown.contains("2 changed, the referee failed on 2\n"), "{shown}");
    rejudge(&folder, &["--again"], 0);
    judge(&folder);
    assert_eq!(rejudge(&folder, &[], 0), shown);
    assert!(rejudge(&folder, &["--record"], 2).contains("did not rule on 2 answers"));
    assert_eq!(of_judge(), before);
    rejudge(&folder, &["--record", "--partial"], 0);
    judge(&folder);
    assert_eq!([verdict(&folder, "ada.1"), verdict(&folder, "house")], ["wrong answer: not 41", "solved"]);
}

#[test]
fn the_preview_has_another_submission_that_would_count() {
    let folder = Folder::new();
    let lenient = r#"read -r a <"$2"; [ "$a" != 7 ]"#;
    external(&folder, "protocol = \"exit\"", lenient, &[("A", "x"), ("B", "y")], &[("house", "echo 42")]);
    folder.judge(["team", "add", ".", "ada"]).exits(0);
    submit(&folder, "ada", "solve", OTHER);
    submit(&folder, "ada", "solve", "#!/bin/sh\nread -r b <\"$1\"; [ \"$b\" = x ] && echo 42 || echo 7\n");
    judge(&folder);
    // The first submission is accepted, and then solves no board. The second one solves one board by both referees.
    folder.script("referee/referee", STRICT);
    rejudge(&folder, &[], 0);
    judge(&folder);
    let shown = rejudge(&folder, &[], 0);
    assert!(shown.contains("standings: ada.2: place 2, ") && shown.contains("standings: ada.1: no place, "), "{shown}");
    rejudge(&folder, &["--record"], 0);
    judge(&folder);
    let contents = results::read(&folder.path().join("results")).unwrap();
    assert!(contents.withdrawn.contains_key("ada.1") && !contents.withdrawn.contains_key("ada.2"));
}
