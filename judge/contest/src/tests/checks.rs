//! Tests of findings on a contest before it runs, and on results that other versions of the judge recorded.

use super::*;
use crate::check::{self, Level};
use crate::programs::hashes;
use crate::resolve;
use crate::verify::verify;
use judge_core::journal::read;

fn message(findings: &[check::Finding]) -> Vec<String> {
    findings.iter().map(|one| format!("{}: {}", one.subject, one.finding)).collect()
}

#[test]
fn what_is_out_of_a_contest_and_what_is_sealed_is_listed() {
    let seal = judge_core::fingerprint::sha256_of(NEAR.as_bytes());
    let rounds = "[[round]]\nname = \"heats\"\nboards = [\"X\"]\nadvance = \"solved\"\n\
                  [[round]]\nname = \"final\"\nboards = [\"Y\"]\n";
    let struck = BOARDS.replacen("name = \"X\"\n", "name = \"X\"\nstruck = \"a misprint\"\n", 1);
    let out = "withdrawn = \"gone\"\n[[entry]]\nname = \"c\"\ncommand = \"b/solve\"\ndisqualified = \"it copied\"\n";
    let folder = Folder::new(&[HEAD, rounds, &struck, ENTRIES, out].concat());
    let open = message(&check::absent(&folder.contest()));
    assert_eq!(
        open,
        [
            "entry b: withdrawn: gone",
            "entry c: disqualified: it copied",
            "board X: struck: a misprint",
            "round final: 1 board"
        ]
    );
    let sealed = format!("{rounds}sealed = [\"sha256:{seal}\"]\n");
    folder.file("contest.toml", &[HEAD, &sealed, BOARDS, ENTRIES].concat());
    let last = |folder: &Folder| message(&check::absent(&folder.contest())).pop().unwrap();
    assert_eq!(last(&folder), "round final: 1 board, 1 sealed; all are there and match their seals");
    fs::remove_file(folder.0.path().join("y.txt")).unwrap();
    assert_eq!(last(&folder), "round final: 1 board, 1 sealed; it opens when all are there, 1 not yet");
}

#[test]
fn the_longest_time_is_that_of_all_limits_shared_by_those_at_a_time() {
    let head = HEAD.replace("limit = \"10s\"\n", "limit = \"10s\"\ngrace = \"2s\"\n");
    let folder = Folder::new(&[&head, BOARDS, ENTRIES, "limits = { limit = \"100s\" }\n"].concat());
    let plan = folder.contest().plan;
    let order = plan.start_order();
    // Two runs of 12 s and two of 102 s.
    for (slots, seconds) in [(0, 228), (1, 228), (2, 114), (3, 102)] {
        assert_eq!(check::longest(&plan, order.iter(), slots).as_secs(), seconds, "{slots}");
    }
}

#[test]
fn a_talk_in_which_entries_may_ask_without_end_is_a_notice() {
    let keys = "protocol = \"native\"\ncommand = [\"./referee\"]\ntalk = true\n";
    for (lines, notices) in [("", 1), ("lines = 100\n", 0)] {
        let head = format!("name = \"T\"\ngame = \"external\"\n[referee]\n{keys}{lines}");
        let folder = Folder::new(&[&head, BOARDS, ENTRIES].concat());
        folder.file("referee", "#!/bin/sh\n");
        let found = check::programs(&folder.contest(), Some("/bin"), &BTreeMap::new());
        let found = found.iter().filter(|one| one.level == Level::Notice && one.finding.contains("set `lines`"));
        assert_eq!(found.count(), notices, "{lines:?}");
    }
}

#[test]
fn answers_that_are_missing_are_counted() {
    let answered = "[[entry]]\nname = \"c\"\nanswers = \"answers\"\n";
    let folder = Folder::new(&[EXIT_HEAD, BOARDS, ENTRIES, answered].concat());
    let found = |folder: &Folder| {
        let found = check::programs(&folder.contest(), Some("/bin"), &BTreeMap::new());
        found.into_iter().find(|one| one.subject.entry() == Some("c")).map(|one| (one.level, one.finding)).unwrap()
    };
    folder.file("answers/X.txt", "1");
    assert_eq!(found(&folder), (Level::Notice, "answers to 1 of 2 boards".into()));
    folder.file("answers/Y.txt", "1");
    assert_eq!(found(&folder), (Level::Good, "answers to 2 of 2 boards".into()));
}

#[test]
fn a_folder_without_hashes_is_named() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let unseen = |folder: &Folder| {
        let found = message(&check::programs(&folder.contest(), Some("/bin"), &BTreeMap::new()));
        found.into_iter().filter(|text| text.contains("go unnoticed")).collect::<Vec<_>>()
    };
    assert_eq!(unseen(&folder), [""; 0]);
    for file in 0..1_001 {
        folder.file(&format!("big/{file}"), "");
    }
    for (word, named) in [("{dir}", "the contest's folder"), ("{dir}/big", "big")] {
        let entries = ENTRIES.replace("\"b/solve\"", &format!("[\"b/solve\", \"{word}\"]"));
        folder.file("contest.toml", &[HEAD, BOARDS, &entries].concat());
        let found = unseen(&folder);
        assert!(
            found.len() == 1 && found[0].starts_with(&format!("entry b: changes in {named} go unnoticed: ")),
            "{found:?}"
        );
        folder.file("contest.toml", &[HEAD, BOARDS, &entries, "withdrawn = \"gone\"\n"].concat());
        assert_eq!(unseen(&folder), [""; 0], "of a withdrawn entry");
    }
}

#[test]
fn a_program_has_one_name_however_its_command_is_written() {
    for command in ["a/solve", "./a/solve", "a/./solve", "b/../a/solve", "{dir}/a/solve"] {
        let entry = format!("[[entry]]\nname = \"a\"\ncommand = \"{command}\"\n");
        let folder = Folder::new(&[HEAD, BOARDS, &entry].concat());
        let all = hashes(&folder.contest(), None);
        let own: Vec<&String> = all["a"].keys().filter(|name| name.ends_with("solve")).collect();
        assert_eq!(own, ["a/solve"], "{command}");
    }
}

#[test]
fn words_that_name_files_become_absolute() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let directory = folder.0.path().canonicalize().unwrap();
    let words = ["./a/solve", "x.txt", "none.txt", "{dir}/none.txt", "-x"].map(str::to_owned);
    let here = |name: &str| directory.join(name).display().to_string();
    let expected = [here("a/solve"), here("x.txt"), "none.txt".into(), here("none.txt"), "-x".into()];
    assert_eq!(resolve(&words, &directory), expected);
    // A program without a folder is looked up on the PATH, and `/proc` shows each process its own entries.
    folder.file("solve", "");
    let words = ["solve", "/proc/self/exe"].map(str::to_owned);
    assert_eq!(resolve(&words, &directory), words);
}

#[test]
fn recorded_results_hold_as_far_as_they_can_be_proved() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/recorded");
    let of = |name: &str| {
        let report = verify(&recorded.join(name).join("out"), None, read).unwrap();
        let problems: Vec<String> =
            report.checks.iter().flat_map(|check| &check.problems).map(|finding| finding.text.clone()).collect();
        assert_eq!(problems, [""; 0], "{name}");
        let journal = report.checks.iter().find(|check| check.subject == "journal").unwrap().checked.clone();
        let unproved: Vec<String> =
            report.checks.iter().flat_map(|check| &check.unproved).map(|finding| finding.text.clone()).collect();
        (journal, unproved.join("\n"))
    };
    let (journal, _) = of("format-6");
    assert!(journal.ends_with("the chain is whole"), "{journal}");
    let (_, rejudged) = of("format-6-rejudged");
    assert!(rejudged.contains("2 verdicts of the referee, which would have to be asked again"), "{rejudged}");
    assert!(rejudged.contains("that the rulings compare: they are of 2 referees"), "{rejudged}");
    let (_, relative) = of("rules-2-relative");
    assert!(!relative.contains("of the referee") && !relative.contains("by hand"), "{relative}");
}
