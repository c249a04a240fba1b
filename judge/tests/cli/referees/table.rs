//! One table has one referee, and a referee that fails changes nothing.

use std::process::Output;
use std::sync::LazyLock;

use rustix::process::Signal;

use super::{external, verdict};
use crate::support::*;

const STRICT: &str = r#"read -r a <"$2"; [ "$a" = 42 ] && exit 0; echo "not $a"; exit 1"#;
const MILD: &str = r#"read -r a <"$2"; [ "$a" -gt 40 ] && exit 0; echo "not $a"; exit 1"#;
const FAILS_ON_41: &str = r#"read -r a <"$2"; [ "$a" = 41 ] && exit 9; exit 0"#;

/// A contest whose referee is a script that `sh` of the PATH reads, with results of [`STRICT`] in `out`.
fn contest() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        let entries = [super::RIGHT, super::WRONG, ("third", "echo 40")];
        external(&folder, "protocol = \"exit\"", STRICT, &[("A", "x"), ("B", "y")], &entries);
        let text = folder.read("contest.toml");
        let command = "command = [\"sh\", \"referee/referee\"]";
        let text = text.replace("command = \"referee/referee\"", command);
        // Not by time, which no two runs share.
        folder.file("contest.toml", text + "[ranking]\norder = [\"solved\"]\n");
        folder.judge(["run", "--out", "out"]).exits(0);
        Made::of(&folder)
    });
    MADE.folder()
}

fn journal(folder: &Folder) -> String {
    folder.read("out/journal.jsonl")
}

/// `judge` without a search path for programs.
fn without_path(folder: &Folder, args: &[&str]) -> (Option<i32>, String) {
    let mut command = folder.command(args.iter().copied());
    let Output { status, stdout, stderr } = command.env("PATH", "/nowhere").stdin(Stdio::null()).output().unwrap();
    let printed = [stdout, stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (status.code(), printed)
}

/// The hashes of the referees that ruled, with their numbers of rulings.
fn referees(folder: &Folder, results: &str) -> Vec<(String, u64)> {
    let json = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
    let referees = json["referees"].as_array().unwrap().iter();
    referees.map(|one| (one["hash"].as_str().unwrap().to_owned(), one["rulings"].as_u64().unwrap())).collect()
}

#[test]
fn a_referee_that_cannot_start_changes_nothing() {
    let folder = contest();
    let before = journal(&folder);
    for args in [&["rejudge", "out"][..], &["rejudge", "out", "--dry-run"], &["rejudge", "out", "--partial"]] {
        let (code, printed) = without_path(&folder, args);
        assert_eq!(code, Some(2), "{printed}");
        assert!(printed.contains("contest.toml: the referee cannot be started: sh is not on the PATH"), "{printed}");
        assert_eq!(journal(&folder), before, "{args:?}");
    }
    // The natural next command runs nothing again.
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(journal(&folder), before);
    // Nor does a contest begin, or go on, that nothing can referee.
    let (code, printed) = without_path(&folder, &["run", "--out", "other"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(!folder.path().join("other").exists(), "{printed}");
    folder.file("contest.toml", folder.read("contest.toml") + &entry("late", &["entries/right"]));
    let (code, printed) = without_path(&folder, &["update", "out"]);
    assert_eq!((code, printed.contains("the referee cannot be started")), (Some(2), true), "{printed}");
    assert_eq!(journal(&folder), before);
}

#[test]
fn all_rulings_are_recorded_or_none() {
    let folder = contest();
    let before = journal(&folder);
    folder.script("referee/referee", FAILS_ON_41);
    for args in [&["rejudge", "out", "--dry-run"][..], &["rejudge", "out"]] {
        let message = folder.judge(args.iter().copied()).exits(3);
        for line in [
            "wrong on A: judge error: referee: it crashed with exit code 9 (before: wrong answer: not 41)\n",
            "third on A: solved (before: wrong answer: not 40)\n",
            "standings: third: place 1, total 2 (before: place 2, total 0)\n",
        ] {
            assert!(message.stdout.contains(line), "{line}{}", message.stdout);
        }
        assert!(
            message.stdout.ends_with("6 answers refereed again, 2 changed, the referee failed on 2\n"),
            "{}",
            message.stdout
        );
        let refused = "nothing is recorded: the referee failed on 2 answers; --partial records the others\n";
        assert_eq!(message.stderr.contains(refused), args.len() == 2, "{}", message.stderr);
        assert_eq!(journal(&folder), before, "{args:?}");
    }
    folder.judge(["rejudge", "out", "--partial"]).exits(3);
    assert_eq!(
        (verdict(&folder, "third", "A"), verdict(&folder, "wrong", "A")),
        ("solved".into(), "wrong not 41".into())
    );
    assert_eq!(journal(&folder).lines().count(), before.lines().count() + 1, "one line has all of it");
    let resumed = folder.judge(["resume", "out"]).exits(0).stdout;
    assert_eq!(journal(&folder).lines().count(), before.lines().count() + 1, "nothing is run again");

    // Two referees have ruled now, and every output says so.
    let found = referees(&folder, "out");
    assert_eq!(found.iter().map(|(_, rulings)| *rulings).collect::<Vec<_>>(), [4, 2]);
    assert_eq!(referees(&folder, "out/results.csv"), found);
    let sentence = |number: usize, rulings: u64| format!("{rulings} rulings by {}", &found[number].0[..12]);
    folder.judge(["report", "out"]).exits(0);
    let plain = folder.judge(["rank", "out", "--format", "plain"]).exits(0).stdout;
    let again = folder.judge(["rank", "out/results.csv"]).exits(0).stdout;
    for text in [&resumed, &plain, &again, &folder.read("out/report.html")] {
        assert!(text.contains("rulings are of 2 referees"), "{text}");
        assert!(text.contains(&sentence(0, 4)) && text.contains(&sentence(1, 2)), "{text}");
    }
    let csv = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    assert!(
        csv.lines().next().unwrap().ends_with(",total_ms,referees,declaration") && csv.contains(&found[1].0),
        "{csv}"
    );

    // That is no contradiction of the record.
    let verified = folder.judge(["verify", "out", "--format", "json"]).exits(0).stdout;
    assert!(verified.contains("they are of 2 referees, "), "{verified}");
    assert!(verified.contains(&sentence(0, 4)) && verified.contains(&sentence(1, 2)), "{verified}");

    // A referee without a failure makes it one table again.
    folder.script("referee/referee", MILD);
    assert!(folder.judge(["rejudge", "out"]).exits(0).stderr.contains("recorded; the table"));
    assert_eq!(referees(&folder, "out").len(), 1);
    assert!(!folder.judge(["rank", "out"]).exits(0).stdout.contains("2 referees"));
    assert!(!folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout.contains("referees"));
    let whole = journal(&folder);
    assert!(folder.judge(["rejudge", "out"]).exits(0).stdout.ends_with("6 answers refereed again, 0 changed\n"));
    assert_eq!(journal(&folder), whole, "nothing new is to be recorded");
}

#[test]
fn a_missing_answer_is_no_reason_to_record_the_rest_in_silence() {
    let folder = contest();
    let before = journal(&folder);
    folder.script("referee/referee", MILD);
    fs::remove_file(folder.path().join("out/output/1/wrong/A.1.out")).unwrap();
    let message = folder.judge(["rejudge", "out"]).exits(3).stderr;
    assert!(message.contains("wrong on A: its answer is missing from out; it keeps its verdict\n"), "{message}");
    assert!(message.contains("nothing is recorded: 1 answer is missing; --partial records the others\n"), "{message}");
    assert_eq!(journal(&folder), before);
}

#[test]
fn an_interrupt_while_answers_are_refereed_records_nothing() {
    let folder = contest();
    let before = journal(&folder);
    folder.script("referee/referee", "sleep 100");
    let judge = folder.command(["rejudge", "out", "--jobs", "1"]).spawn().unwrap();
    until_one_names(&folder.path().join("referee/referee"));
    signal(&judge, Signal::INT);
    let ended = judge.wait_with_output().unwrap();
    let printed = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(
        (ended.status.code(), printed.contains("interrupted; nothing is recorded")),
        (Some(130), true),
        "{printed}"
    );
    assert_eq!(journal(&folder), before);
}

#[test]
fn nothing_is_refereed_for_results_that_another_judge_writes() {
    let folder = contest();
    let file = fs::File::open(folder.path().join("out/judging.lock")).unwrap();
    file.lock().unwrap();
    // Without the lock it would get as far as the referee, which cannot start.
    let (code, printed) = without_path(&folder, &["rejudge", "out"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("out/journal.jsonl is in use by another judge"), "{printed}");
}

#[test]
fn an_update_with_another_referee_is_refused_or_referees_everything_again() {
    let folder = contest();
    let before = journal(&folder);
    folder.script("referee/referee", MILD);
    folder.file("contest.toml", folder.read("contest.toml") + &entry("late", &["entries/wrong"]));
    for args in [&["update", "out"][..], &["update", "out", "--dry-run"]] {
        folder.judge(args.iter().copied()).exits(2).says([
            "the referee has changed, and a table has one referee; run `judge rejudge out` first",
            "or add --rejudge",
        ]);
        assert_eq!(journal(&folder), before);
    }
    folder
        .judge(["update", "out", "--rejudge", "--dry-run"])
        .exits(0)
        .shows(["entry late is new\n", "so 6 answers would be refereed again first"]);
    assert_eq!(journal(&folder), before);
    // If it fails on one, neither is a ruling recorded nor an entry added.
    folder.script("referee/referee", FAILS_ON_41);
    folder.judge(["update", "out", "--rejudge"]).exits(3).says(["nothing is changed: the referee failed on 2 answers"]);
    assert_eq!(journal(&folder), before);
    folder.script("referee/referee", MILD);
    folder.judge(["update", "out", "--rejudge"]).exits(0).says(["wrong on A: solved (before: wrong answer: not 41)\n"]);
    assert_eq!(verdict(&folder, "wrong", "B"), verdict(&folder, "late", "B"));
    let found = referees(&folder, "out");
    assert_eq!(found.iter().map(|(_, rulings)| *rulings).collect::<Vec<_>>(), [8]);
    // It is the contest's referee from now on.
    folder.judge(["update", "out"]).exits(0);
    folder.judge(["resume", "out", "--rejudge"]).exits(0);
    assert_eq!(referees(&folder, "out"), found);

    // To resume is to rule as well.
    let cut: Vec<String> = journal(&folder).lines().map(str::to_owned).collect();
    assert!(cut.last().unwrap().contains("\"line\":\"run\""));
    folder.file("out/journal.jsonl", cut[..cut.len() - 1].join("\n") + "\n");
    folder.script("referee/referee", STRICT);
    folder.judge(["resume", "out"]).exits(2).says(["the referee has changed, and a table has one referee"]);
    folder.judge(["resume", "out", "--rejudge"]).exits(0).says(["wrong on A: wrong answer: not 41 (before: solved)\n"]);
    assert_eq!(referees(&folder, "out").iter().map(|(_, rulings)| *rulings).collect::<Vec<_>>(), [8]);
}

#[test]
fn only_another_definition_is_another_referee() {
    let folder = contest();
    let text = folder.read("contest.toml");
    let found = referees(&folder, "out");
    folder.file(
        "contest.toml",
        text.replace("protocol = \"exit\"", "protocol = \"exit\"\nshow = [\"sh\", \"referee/referee\"]"),
    );
    folder.judge(["update", "out"]).exits(0).says(["the referee has other tools for boards"]);
    assert_eq!(referees(&folder, "out"), found);
    folder.file("contest.toml", text.replace("protocol = \"exit\"", "protocol = \"exit\"\nreject = [1, 9]"));
    for args in [&["update", "out"][..], &["resume", "out"]] {
        folder.judge(args.iter().copied()).exits(2).says(["the referee has changed, and a table has one referee"]);
    }
    folder.judge(["rejudge", "out"]).exits(0);
    let now = referees(&folder, "out");
    assert_eq!((now.len(), now[0].1, now[0].0 != found[0].0), (1, 6, true));
}

#[test]
fn rulings_of_an_older_journal_are_of_the_referee_that_it_had_then() {
    let folder = contest();
    let found = referees(&folder, "out");
    let lines = journal(&folder);
    folder.change_journal("out", |lines| {
        let runs = lines.iter_mut().filter(|line| line["line"] == "run");
        assert!(runs.map(|run| run.as_object_mut().unwrap().remove("referee")).all(|referee| referee.is_some()));
    });
    assert_ne!(journal(&folder), lines);
    assert_eq!(referees(&folder, "out"), found);
    folder.script("referee/referee", MILD);
    folder.judge(["rejudge", "out", "--entries", "third"]).exits(0);
    let now = referees(&folder, "out");
    assert_eq!((&now[0].0, now[0].1, now[1].1), (&found[0].0, 4, 2));
}

#[test]
fn results_that_were_refereed_again_hold() {
    let folder = Folder::new();
    let script = |grid: &str| {
        format!(
            r#"echo '{{"at":1,"grid":["{grid}"]}}' >"$3/frames.jsonl"
echo '{{"format":1,"verdict":"wrong","reason":"never right"}}' >"$3/ruling.json""#
        )
    };
    external(&folder, "protocol = \"native\"", &script("ab"), &[("A", "x")], &[super::RIGHT]);
    folder.judge(["run", "--out", "out"]).exits(0);
    folder.judge(["verify", "out"]).exits(0);
    // Positions of another size: those that count are recorded in the event.
    folder.script("referee/referee", &script("abc"));
    folder.judge(["rejudge", "out"]).exits(0);
    let verified = folder.judge(["verify", "out"]).exits(0).stdout;
    assert!(verified.ends_with("nothing contradicts the record\n"), "{verified}");
}

#[test]
fn positions_of_another_ruling_are_not_shown() {
    let folder = Folder::new();
    let native = |cell: &str| {
        let ruling = r#"echo '{"format":1,"verdict":"valid","figures":{"score":1}}' >"${3}ruling.json""#;
        format!("{ruling}\necho '{{\"at\":1,\"grid\":[\"{cell}\"]}}' >\"${{3}}frames.jsonl\"")
    };
    let keys = "protocol = \"native\"\n[[figure]]\nname = \"score\"\nbetter = \"more\"";
    external(&folder, keys, &native("old"), &[("A", "x")], &[("right", "echo 42")]);
    folder.judge(["run", "--out", "out"]).exits(0);
    let file = "out/output/1/right/A.1.frames.jsonl";
    let old = folder.read(file);
    folder.script("referee/referee", &native("new"));
    folder.judge(["rejudge", "out"]).exits(0);
    folder.judge(["verify", "out"]).exits(0);
    let new = folder.read(file);
    // A judge that is killed after the line of its rulings leaves the files of those before.
    folder.file(file, &old);
    folder.judge(["replay", "out", "right", "A"]).exits(2).says(["write the positions anew with `judge rejudge out`"]);
    folder.judge(["report", "out"]).exits(0);
    assert!(!folder.read("out/report.html").contains("\"old\""));
    folder.judge(["verify", "out"]).exits(1).shows(["DIFFERS  outputs: output/1/right/A.1.frames.jsonl"]);
    let before = journal(&folder);
    folder.judge(["rejudge", "out"]).exits(0);
    assert_eq!((folder.read(file), journal(&folder)), (new, before));
    folder.judge(["verify", "out"]).exits(0);
}
