//! Refereeing again, and rulings by hand.

use super::{external, verdict};
use crate::support::Folder;

const STRICT: &str = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; echo "not $a"; exit 1"#;

#[test]
fn answers_are_refereed_again_without_running_their_entries() {
    let folder = Folder::new();
    let broken = r#"read -r a <"$2"; [ "$a" = 40 ] && exit 9; exit 0"#;
    external(
        &folder,
        "protocol = \"exit\"",
        broken,
        &[("A", "x"), ("B", "y")],
        &[super::RIGHT, super::WRONG, ("third", "echo 40")],
    );
    folder.judge(["run", "--out", "out"]).exits(3);
    assert_eq!(verdict(&folder, "wrong", "A"), "solved");
    // Nothing of an entry is needed any more.
    for entry in ["right", "wrong", "third"] {
        folder.script(&format!("entries/{entry}"), "exit 1");
    }
    folder.script("referee/referee", STRICT);
    let journal = folder.read("out/journal.jsonl");
    let told = folder.judge(["rejudge", "out", "--dry-run"]).exits(0).stdout;
    let expected = "wrong on A: wrong answer: not 41 (before: solved)\n\
                    third on A: wrong answer: not 40 (before: judge error: referee: it crashed with exit code 9)\n";
    for line in expected.lines() {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(told.ends_with("6 answers refereed again, 4 changed\n"), "{told}");
    assert_eq!(folder.read("out/journal.jsonl"), journal);

    assert_eq!(folder.judge(["rejudge", "out"]).exits(0).stdout, told);
    assert_eq!(verdict(&folder, "wrong", "A"), "wrong not 41");
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(table.contains(" WRO ") && !table.contains("JUD"), "{table}");
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, table);
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("6 answers refereed again, 0 changed\n"));
    // The contest is whole: nothing is left to run.
    let resumed = folder.judge(["run", "--resume", "out"]).exits(0);
    assert!(!resumed.stderr.contains("the referee has changed"), "{}", resumed.stderr);
    assert_eq!(folder.judge(["rank", "out"]).exits(0).stdout, table);
    folder.script("referee/referee", "exit 0");
    let resumed = folder.judge(["run", "--resume", "out"]).exits(0);
    assert!(resumed.stderr.contains("the referee has changed since the contest started; `judge rejudge"));
}

#[test]
fn the_definition_of_a_referee_may_change_except_its_score() {
    let folder = Folder::new();
    let dies = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; exit 66"#;
    external(&folder, "protocol = \"exit\"", dies, &[("A", "x")], &[super::RIGHT, super::WRONG]);
    folder.judge(["run", "--out", "out"]).exits(3);
    let text = folder.read("contest.toml");
    folder.file("contest.toml", text.replace("protocol = \"exit\"", "protocol = \"exit\"\non_crash = \"reject\""));
    let resumed = folder.judge(["run", "--resume", "out"]).exits(2).message();
    assert!(resumed.contains("referee"), "{resumed}");
    folder.judge(["rejudge", "out"]).exits(0);
    assert!(verdict(&folder, "wrong", "A").starts_with("wrong the referee crashed"));
    let resumed = folder.judge(["run", "--resume", "out"]).exits(0);
    assert!(resumed.stdout.contains("on_crash = \"reject\""), "{}", resumed.stdout);
    folder.file("contest.toml", text.replace("protocol = \"exit\"", "protocol = \"exit\"\nscore = \"up\""));
    assert!(folder.judge(["rejudge", "out"]).exits(2).message().contains("start a new contest"));
}

#[test]
fn a_verdict_is_set_by_hand_and_its_reason_is_shown() {
    let folder = Folder::new();
    external(&folder, "protocol = \"exit\"", STRICT, &[("A", "x")], &[super::RIGHT, super::WRONG]);
    folder.judge(["run", "--out", "out"]).exits(0);
    let ruled = folder.judge(["rule", "out", "wrong", "A", "solved", "--because", "41 is right as well"]).exits(0);
    assert_eq!(ruled.stdout, "wrong on A: solved (before: wrong answer: not 41)\n");
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(table.contains("AC!"), "{table}");
    assert!(table.contains("wrong on A: ruled by hand, 41 is right as well"), "{table}");
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/results.csv").contains("41 is right as well"));
    // It stands when answers are refereed again.
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("1 answers refereed again, 0 changed\n"));
    folder.judge(["rule", "out", "wrong", "A", "wrong", "--because", "no, it is not"]).exits(0);
    assert_eq!(verdict(&folder, "wrong", "A"), "wrong no, it is not");
    for (args, reason) in [
        (vec!["nobody", "A", "solved", "--because", "x"], "unknown entry `nobody`; available: right, wrong"),
        (vec!["right", "Z", "solved", "--because", "x"], "unknown board `Z`; available: A"),
        (vec!["right", "A", "solved", "--because", " "], "--because is empty"),
        (vec!["right", "A", "solved", "--score", "3", "--because", "x"], "this one has none"),
        (vec!["right", "A", "solved", "--progress", "0", "--because", "x"], "does not fit"),
        (vec!["right", "A", "unsolved", "--because", "x"], "accepted or not; use `solved` or `wrong`"),
    ] {
        let refused = folder.judge([vec!["rule", "out"], args].concat()).exits(2).message();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn answers_of_built_in_games_are_refereed_again_and_ruled_on_too() {
    let folder = Folder::new();
    folder.script("mine", "echo lluu");
    let board = crate::support::board("near-end-1");
    let text = crate::support::contest(&[("NEAR", &board)]) + &crate::support::entry("mine", &["./mine"]);
    folder.file("contest.toml", text);
    folder.judge(["run", "--out", "out"]).exits(0);
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("1 answers refereed again, 0 changed\n"));
    folder.judge(["rule", "out", "mine", "NEAR", "wrong", "--because", "copied"]).exits(0);
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(table.contains("0/WRO!"), "{table}");
}

#[test]
fn a_stored_board_that_was_changed_is_stored_again_or_refused() {
    let folder = Folder::new();
    let counts = r#"[ "$(wc -c <"$1")" -eq 70000 ] && exit 0; exit 1"#;
    external(&folder, "protocol = \"exit\"", counts, &[("A", &"x".repeat(70_000))], &[super::RIGHT]);
    folder.judge(["run", "--out", "out"]).exits(0);
    let stored = std::fs::read_dir(folder.path().join("out/files")).unwrap().next().unwrap().unwrap().path();
    for again in [["rejudge", "out"], ["run", "--resume=out"], ["run", "--update=out"]] {
        std::fs::write(&stored, "another board").unwrap();
        folder.judge(again).exits(0);
        assert_eq!(std::fs::metadata(&stored).unwrap().len(), 70_000, "{again:?}");
        assert_eq!(verdict(&folder, "right", "A"), "solved");
    }
    // The only copy.
    std::fs::write(&stored, "another board").unwrap();
    folder.file("boards/A", "y".repeat(70_000));
    let refused = folder.judge(["rejudge", "out"]).exits(2).message();
    assert!(refused.contains("is missing from out/files, or changed; restore it from a copy"), "{refused}");
}
