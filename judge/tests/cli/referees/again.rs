//! Refereeing again, and rulings by hand.

use std::sync::LazyLock;

use super::{external, verdict};
use crate::support::*;

const STRICT: &str = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; echo "not $a"; exit 1"#;

/// Results of a right and a wrong answer, in `out`.
fn strict() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        external(&folder, "protocol = \"exit\"", STRICT, &[("A", "x")], &[super::RIGHT, super::WRONG]);
        folder.judge(["run", "--out", "out"]).exits(0);
        clear_suspicion(&folder, "out");
        Made::of(&folder)
    });
    MADE.folder()
}

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
    let dry = folder.judge(["rejudge", "out", "--dry-run"]).exits(0).stdout;
    let expected = "wrong on A: wrong answer: not 41 (before: solved)\n\
                    third on A: wrong answer: not 40 (before: judge error: referee: it crashed with exit code 9)\n";
    for line in expected.lines() {
        assert!(dry.contains(line), "{line}\n{dry}");
    }
    assert!(dry.ends_with("6 answers refereed again, 4 changed\n"), "{dry}");
    assert_eq!(folder.read("out/journal.jsonl"), journal);

    assert_eq!(folder.judge(["rejudge", "out"]).exits(0).stdout, dry);
    assert_eq!(verdict(&folder, "wrong", "A"), "wrong not 41");
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(table.contains(" WRO ") && !table.contains("JUD"), "{table}");
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, table);
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("6 answers refereed again, 0 changed\n"));
    // The contest is whole: nothing is left to run.
    let resumed = folder.judge(["resume", "out"]).exits(0);
    assert!(!resumed.stderr.contains("the referee has changed"), "{}", resumed.stderr);
    assert_eq!(folder.judge(["rank", "out"]).exits(0).stdout, table);
    folder.script("referee/referee", "exit 0");
    let resumed = folder.judge(["resume", "out"]).exits(0);
    assert!(resumed.stderr.contains("the referee has changed since the contest started; `judge rejudge"));
}

/// A referee whose rulings alternate. It counts its calls in the folder of the contest, where no isolation prevents that.
#[test]
fn a_referee_that_does_not_always_rule_alike_is_reported() {
    let folder = Folder::new();
    let count = folder.path().join("count").display().to_string();
    let script = format!("echo call >>'{count}'; [ $(($(wc -l <'{count}') % 2)) = 1 ] && exit 0; echo odd; exit 1");
    external(&folder, "protocol = \"exit\"", &script, &[("A", "x")], &[super::RIGHT]);
    let judge = |args: &[&str], code| folder.judge([args, &["--isolation", "off"]].concat()).exits(code);
    judge(&["run", "--out", "out"], 0);
    assert_eq!(verdict(&folder, "right", "A"), "solved");
    // A replay shows the ruling on record, and asks no referee.
    for _ in 0..2 {
        assert!(folder.judge(["replay", "out", "right", "A"]).exits(0).stdout.ends_with("solved\n"));
    }
    assert_eq!(folder.read("count"), "call\n");
    let message = "notice: right on A: the same referee ruled otherwise before, so it does not always rule alike; ";
    let dry = judge(&["rejudge", "out", "--dry-run"], 0);
    assert!(
        dry.stderr.contains(message) && dry.stdout.contains("right on A: wrong answer: odd (before: solved)"),
        "{}",
        dry.stderr
    );
    let again = judge(&["rejudge", "out"], 0);
    assert!(!again.stderr.contains("notice") && again.stdout.ends_with("1 answer refereed again, 0 changed\n"));
    let changed = judge(&["rejudge", "out"], 0);
    assert!(changed.stderr.contains(message), "{}", changed.stderr);
    assert_eq!(verdict(&folder, "right", "A"), "wrong odd");
    assert!(folder.judge(["replay", "out", "right", "A"]).exits(1).stdout.contains("wrong answer: odd"));
    // Asked twice, it is found, and nothing is recorded.
    folder.file("contest.toml", folder.read("contest.toml").replace("protocol = ", "repeat = 2\nprotocol = "));
    let journal = folder.read("out/journal.jsonl");
    let found = judge(&["rejudge", "out"], 3);
    assert!(found.stdout.contains("two calls gave different rulings: solved, then wrong"), "{}", found.stdout);
    assert!(found.stderr.contains("nothing is recorded: the referee failed on 1 answer"), "{}", found.stderr);
    assert_eq!(folder.read("out/journal.jsonl"), journal);
    // Another referee that rules otherwise is as it should be.
    folder.file("contest.toml", folder.read("contest.toml").replace("repeat = 2\n", ""));
    folder.script("referee/referee", STRICT);
    let strict = judge(&["rejudge", "out"], 0);
    assert!(!strict.stderr.contains("rule alike"), "{}", strict.stderr);
}

#[test]
fn the_definition_of_a_referee_may_change_except_its_score() {
    let folder = Folder::new();
    let dies = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; exit 66"#;
    external(&folder, "protocol = \"exit\"", dies, &[("A", "x")], &[super::RIGHT, super::WRONG]);
    folder.judge(["run", "--out", "out"]).exits(3);
    let text = folder.read("contest.toml");
    folder.file("contest.toml", text.replace("protocol = \"exit\"", "protocol = \"exit\"\non_crash = \"reject\""));
    folder.judge(["resume", "out"]).exits(2).says(["referee"]);
    folder.judge(["rejudge", "out"]).exits(0);
    assert!(verdict(&folder, "wrong", "A").starts_with("wrong the referee crashed"));
    let resumed = folder.judge(["resume", "out"]).exits(0);
    assert!(resumed.stdout.contains("on_crash = \"reject\""), "{}", resumed.stdout);
    folder.file(
        "contest.toml",
        text.replace("protocol = \"exit\"", "protocol = \"exit\"\n[[figure]]\nname = \"score\"\nbetter = \"more\""),
    );
    assert!(folder.judge(["rejudge", "out"]).exits(2).message().contains("start a new contest"));
}

#[test]
fn the_reason_of_a_verdict_by_hand_is_shown() {
    let folder = strict();
    let ruled = folder.judge(["rule", "out", "wrong", "A", "solved", "--because", "41 is right as well"]).exits(0);
    assert_eq!(ruled.stdout, "wrong on A: solved (before: wrong answer: not 41)\n");
    folder.judge(["rank", "out"]).exits(0).shows(["AC!", "wrong on A: ruled by hand, 41 is right as well"]);
    folder.judge(["report", "out"]).exits(0);
    assert!(folder.read("out/results.csv").contains("41 is right as well"));
    // It stands when answers are refereed again.
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("1 answer refereed again, 0 changed\n"));
    folder.judge(["rule", "out", "wrong", "A", "wrong", "--because", "no, it is not"]).exits(0);
    assert_eq!(verdict(&folder, "wrong", "A"), "wrong no, it is not");
    for (args, reason) in [
        (vec!["nobody", "A", "solved", "--because", "x"], "unknown entry `nobody`; available: right, wrong"),
        (vec!["right", "Z", "solved", "--because", "x"], "unknown board `Z`; available: A"),
        (vec!["right", "A", "solved", "--because", " "], "--because is empty"),
        (vec!["right", "A", "solved", "--figure", "score=3", "--because", "x"], "unknown figure `score`"),
        (vec!["right", "A", "solved", "--figure", "progress=0", "--because", "x"], "unknown figure `progress`"),
        (vec!["right", "A", "unsolved", "--because", "x"], "accepted or not; use `solved` or `wrong`"),
    ] {
        folder.judge([vec!["rule", "out"], args].concat()).exits(2).says([reason]);
    }
}

#[test]
fn a_ruling_by_hand_can_be_taken_back() {
    let folder = strict();
    let rule = |args: &[&str], code| folder.judge([&["rule", "out", "wrong", "A"], args].concat()).exits(code);
    let nothing = rule(&["--undo"], 2).message();
    assert!(nothing.contains("wrong on A is not ruled by hand, so nothing can be taken back: wrong answer: not 41"));
    rule(&["solved", "--because", "41 is right as well", "--by", "Ada L."], 0);
    let shown = "ruled by hand by Ada L., 41 is right as well";
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(table.contains(&format!("wrong on A: {shown}")), "{table}");
    folder.judge(["replay", "out", "wrong", "A"]).exits(0).shows(["ruled by hand by Ada L.: 41 is right as well"]);
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, table);
    let plain = folder.judge(["rank", "out", "--format", "plain"]).exits(0).stdout;
    assert!(plain.contains("# wrong on A was ruled by hand by Ada L.: 41 is right as well"), "{plain}");
    let json = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let run =
        json["entries"].as_array().unwrap().iter().find(|row| row["entry"] == "wrong").unwrap()["runs"][0].clone();
    assert_eq!((&run["ruling"], &run["ruled_by"]), (&"41 is right as well".into(), &"Ada L.".into()));

    // The last ruling is taken back first, then the one before it.
    rule(&["wrong", "--because", "no, it is not"], 0);
    assert_eq!(
        rule(&["--undo", "--because", "a slip", "--by", "Bob"], 0).stdout,
        "wrong on A: solved (before: wrong answer: no, it is not)\n"
    );
    assert!(folder.judge(["rank", "out"]).exits(0).stdout.contains(shown));
    assert_eq!(rule(&["--undo"], 0).stdout, "wrong on A: wrong answer: not 41 (before: solved)\n");
    rule(&["--undo"], 2);
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(!table.contains("ruled by hand") && !table.contains('!'), "{table}");
    folder.judge(["report", "out"]).exits(0);
    let page = folder.read("out/report.html");
    for sentence in [
        "wrong on A is ruled by hand by Ada L.: solved. The reason: 41 is right as well",
        "The ruling by hand on wrong on A is taken back by Bob; it counts as before: solved. The reason: a slip",
        "The ruling by hand on wrong on A is taken back; it counts as before: wrong answer: not 41.",
    ] {
        assert!(page.contains(sentence), "{sentence}");
    }
    // The referee rules on it again.
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.contains("2 answers refereed again, 0 changed\n"));
    // Neither is a ruling what a repetition of the run replaces.
    rule(&["solved", "--because", "x"], 0);
    folder.script("entries/wrong", "echo 43");
    folder.judge(["update", "out"]).exits(0);
    rule(&["--undo"], 2);
    for (args, reason) in [
        (&["solved", "--undo"][..], "cannot be used with"),
        (&["solved"], "--because"),
        (&["solved", "--because", "x", "--by", " "], "a name is one line of text"),
    ] {
        let refused = rule(args, 2).message();
        assert!(refused.contains(reason), "{refused}");
    }
}

#[test]
fn what_does_not_count_is_not_ruled_on() {
    let folder = Folder::new();
    external(&folder, "protocol = \"exit\"", STRICT, &[("A", "x"), ("B", "y")], &[super::RIGHT, super::WRONG]);
    folder.judge(["run", "--out", "out"]).exits(0);
    let text = folder.read("contest.toml");
    let struck = text.replace("name = \"B\"\n", "name = \"B\"\nstruck = \"a misprint\"\n");
    folder
        .file("contest.toml", struck.replace("name = \"wrong\"\n", "name = \"wrong\"\ndisqualified = \"it looks\"\n"));
    folder.judge(["update", "out"]).exits(0);
    let journal = folder.read("out/journal.jsonl");
    for (run, reason) in rows! {
        (["right", "B"], "board B is struck (a misprint), so a ruling on it would not count; to bring it back, take `struck` out"),
        (["wrong", "A"], "entry wrong is disqualified (it looks), so a ruling on it would not count; to bring it back, take `disqualified` out"),
    } {
        let refused =
            folder.judge([&["rule", "out"], &run[..], &["wrong", "--because", "x"]].concat()).exits(2).message();
        assert!(refused.contains(reason) && refused.contains("`judge update out`, then rule"), "{refused}");
    }
    assert_eq!(folder.read("out/journal.jsonl"), journal);
    // The remedy works.
    folder.file("contest.toml", text);
    folder.judge(["update", "out"]).exits(0);
    folder.judge(["rule", "out", "right", "B", "wrong", "--because", "x"]).exits(0);
}

#[test]
fn answers_of_built_in_games_are_refereed_again_too() {
    let folder = Folder::new();
    folder.script("mine", "echo lluu");
    let board = crate::support::board("near-end-1");
    let text = crate::support::contest(&[("NEAR", &board)]) + &crate::support::entry("mine", &["./mine"]);
    folder.file("contest.toml", text);
    folder.judge(["run", "--out", "out"]).exits(0);
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("1 answer refereed again, 0 changed\n"));
    folder.judge(["rule", "out", "mine", "NEAR", "wrong", "--because", "copied"]).exits(0);
    folder.judge(["rank", "out"]).exits(0).shows(["0/WRO!"]);
}

#[test]
fn a_stored_board_that_was_changed_is_stored_again_or_refused() {
    let folder = Folder::new();
    let counts = r#"[ "$(wc -c <"$1")" -eq 70000 ] && exit 0; exit 1"#;
    external(&folder, "protocol = \"exit\"", counts, &[("A", &"x".repeat(70_000))], &[super::RIGHT]);
    folder.judge(["run", "--out", "out", "--keep-programs", "off"]).exits(0);
    let stored = std::fs::read_dir(folder.path().join("out/files")).unwrap().next().unwrap().unwrap().path();
    for again in [["rejudge", "out"], ["resume", "out"], ["update", "out"]] {
        std::fs::write(&stored, "another board").unwrap();
        folder.judge(again).exits(0);
        assert_eq!(std::fs::metadata(&stored).unwrap().len(), 70_000, "{again:?}");
        assert_eq!(verdict(&folder, "right", "A"), "solved");
    }
    // The only copy.
    std::fs::write(&stored, "another board").unwrap();
    folder.file("boards/A", "y".repeat(70_000));
    folder.judge(["rejudge", "out"]).exits(2).says(["is missing from out/files, or changed; restore it from a copy"]);
}
