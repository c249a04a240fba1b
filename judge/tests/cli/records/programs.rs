//! Programs of entries, which results keep so that every version can be run again.

use super::{CONTEST, contest, differences, subjects};
use crate::support::*;

#[test]
fn every_version_of_a_program_can_be_run_again() {
    let folder = contest();
    let first = folder.read("good.sh");
    folder.script("good.sh", "echo uu");
    folder.judge(["update", "out"]).exits(0);
    clear_suspicion(&folder, "out");
    folder.judge(["resume", "out"]).exits(0);
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
    assert_eq!(again["entries"][0]["total"]["figures"]["moves"], "8");
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
    folder.change_journal("out", |lines| {
        change(&mut lines[0]);
        lines.remove(lines.iter().rposition(|line| line["line"] == "run").unwrap());
    });
}

/// The events of the journal that name a program, as entry and kept files.
fn program_events(folder: &Folder) -> Vec<(String, Value)> {
    let events = folder.journal("out", "program").into_iter();
    events.map(|line| (line["entry"].as_str().unwrap().to_owned(), line["kept"].clone())).collect()
}

#[test]
fn a_program_that_changed_is_named_before_its_first_run() {
    let folder = contest();
    let first = ["good.sh", "late.sh"].map(|name| folder.read(name));
    with_a_run_less(&folder, |_| {});
    folder.script("good.sh", "echo uldr");
    folder.script("late.sh", "echo l");
    folder.judge(["resume", "out"]).exits(0).says(["notice: the program of good has changed"]);
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
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(program_events(&folder).len(), 1);
    folder.judge(["update", "out", "--dry-run"]).exits(0).shows(["4 runs to execute: good 2, late 2"]);
    folder.judge(["update", "out"]).exits(0);
    assert_eq!(program_events(&folder).len(), 1);
    assert_eq!(differences(&folder, 0), []);
}

#[test]
fn a_program_that_is_too_large_to_be_kept_is_named_by_its_hashes() {
    let folder = contest();
    with_a_run_less(&folder, |_| {});
    folder.script("good.sh", "echo uldr");
    folder.script("late.sh", "echo l");
    folder.judge(["resume", "out", "--keep-programs", "5B"]).exits(0).says([" is not kept with the results: it has"]);
    let events = program_events(&folder);
    assert!(events.len() == 1 && events[0].1.is_null(), "{events:?}");
    folder.judge(["restore", "out", &events[0].0, "-o", "x"]).exits(2).says(["no file of version 2 of"]);
    // Room for it later is enough, if it has runs to execute.
    with_a_run_less(&folder, |_| {});
    folder.judge(["resume", "out"]).exits(0);
    folder.judge(["restore", "out", &events[0].0, "--version", "2", "-o", "x"]).exits(0);
    assert_eq!(program_events(&folder).len(), 2);
}

#[test]
fn the_programs_of_a_journal_that_kept_none_are_kept_when_it_goes_on() {
    let folder = contest();
    with_a_run_less(&folder, |header| drop(header.as_object_mut().unwrap().remove("kept").unwrap()));
    fs::remove_dir_all(folder.path().join("out/files")).unwrap();
    folder.judge(["resume", "out"]).exits(0).does_not_say(["notice"]);
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
fn programs_are_kept_as_the_contest_file_says() {
    let folder = contest();
    let files = |out: &str| fs::read_dir(folder.path().join(out).join("files")).map_or(0, Iterator::count);
    assert_eq!(files("out"), 2);
    folder.judge(["run", "--out", "off", "--keep-programs", "off"]).exits(0);
    assert_eq!(files("off"), 0);
    folder.judge(["restore", "off", "good", "-o", "x"]).exits(2).says(["no file of version 1 of good was kept"]);
    folder.file("contest.toml", format!("keep_programs = \"20B\"\n{CONTEST}"));
    let message = folder.judge(["run", "--out", "small"]).exits(0).stderr;
    assert!(message.contains("notice: the program of good is not kept with the results: it has"), "{message}");
    assert!(!message.contains("the program of late"), "{message}");
    assert_eq!(files("small"), 1);
    folder.file("contest.toml", format!("keep_programs = \"much\"\n{CONTEST}"));
    let refused = folder.judge(["run", "--out", "x"]).exits(2).message();
    assert!(refused.contains("keep_programs: invalid size `much`; use for example \"16MiB\", or \"off\""), "{refused}");
}
