//! Tests of results directories: journals, outputs, the parts that builds and entries may see, and changes by new rulings.

use judge_core::journal::{Build, Header, ManualRuling};

use super::*;
use crate::builds::{exposed, forget_logs, plan_referees};
use crate::disk;
use crate::outputs::{AttemptFiles, Syncing};
use crate::rejudge::{changed_rows, present_hash};

#[test]
fn a_journal_that_goes_on_is_in_a_folder_whose_name_is_on_the_disk() {
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/recorded/format-6/out").join(FILE_NAME);
    let folder = tempfile::tempdir().unwrap();
    fs::copy(&recorded, folder.path().join(FILE_NAME)).unwrap();
    disk::synced();
    drop(Journal::resume(folder.path(), || None).unwrap());
    let names = folder.path().canonicalize().unwrap();
    let synced = disk::synced();
    assert!(synced.contains(&names) && synced.contains(&names.parent().unwrap().to_owned()), "{synced:?}");
    let file = folder.path().join(FILE_NAME);
    assert_eq!(fs::read(&file).unwrap(), fs::read(recorded).unwrap(), "nothing was added");
    assert!(matches!(Journal::resume(&file, || None), Err(JournalError::NotDirectory(path)) if path == file));
}

#[test]
fn a_journal_can_be_read_by_whom_every_other_file_can_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    drop(folder.journal(&folder.contest()));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    folder.file("out/other", "");
    assert_eq!(mode(&folder.results().join(FILE_NAME)), mode(&folder.results().join("other")));
}

#[test]
fn files_of_an_attempt_that_cannot_be_made_read_or_synced_are_named() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let results = folder.results();
    let long = RunKey::new(1, "a", "x".repeat(300));
    assert!(AttemptFiles::new(&results, &long, 1).is_err());
    let files = AttemptFiles::new(&results, &RunKey::new(1, "a", "X"), 1).unwrap();
    assert!(files.output().unwrap().frames.is_none());
    fs::create_dir(&files.frames).unwrap();
    assert_eq!(files.output().unwrap_err().0, files.frames, "positions are a file");
    let below = files.stdout.join("more");
    let mut syncing = Syncing::new(&results);
    assert_eq!(syncing.sync_files([&*below].into_iter()).unwrap_err().0, below);
    syncing.sync_files([&*files.stdout.with_extension("none")].into_iter()).unwrap();
}

#[test]
fn logs_of_builds_without_a_line_are_removed() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let build = |attempt: u32| Build::new("make", vec!["a".into()], attempt, Built::Succeeded);
    for name in ["a.1.log", "a.1.err", "a.2.log", "a.2.err"] {
        folder.file(&format!("out/builds/{name}"), "");
    }
    forget_logs(&[], &folder.0.path().join("none")).unwrap();
    forget_logs(&[build(2)], &folder.results()).unwrap();
    let left = fs::read_dir(folder.results().join("builds")).unwrap().map(|item| item.unwrap().file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, ["a.1.err", "a.1.log"]);
    assert!(forget_logs(&[build(2)], &folder.results()).is_err(), "it is gone");
}

#[test]
fn a_referee_that_is_built_has_a_build_of_its_own() {
    let built = EXIT_HEAD.replace("./referee\"\n", "r/referee\"\nbuild = \"make referee\"\n");
    let folder = Folder::new(&[&built, BOARDS, ENTRIES].concat());
    let [planned] = &plan_referees(&folder.contest())[..] else { panic!("one build") };
    assert_eq!((&*planned.command, planned.entries.len()), ("make referee", 0));
    assert_eq!(plan_referees(&Folder::new(&[EXIT_HEAD, BOARDS, ENTRIES].concat()).contest()), []);
    assert_eq!(plan_referees(&Folder::new(&[HEAD, BOARDS, ENTRIES].concat()).contest()), []);
}

#[test]
fn no_entry_may_read_results_of_the_contest() {
    // The path that `b` reads, the folder of other results, their contest file, and the folder that is shown.
    for (reads, others, of, shown) in [
        ("b/data", "", "", None),
        ("out", "", "", Some("out")),
        (".", "", "", Some("out")),
        ("out/output", "", "", Some("out")),
        ("runs", "runs/1", "../../contest.toml", Some("runs/1")),
        ("runs/1/output", "runs/1", "../../contest.toml", Some("runs/1")),
        ("runs", "runs/1", "../../none.toml", Some("runs/1")),
        ("runs", "runs/1", "../../b/contest.toml", None),
        ("b", "b/old", "../../contest.toml", None),
        ("c", "b/old", "../../contest.toml", None),
    ] {
        let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
        for file in ["b/data", "b/contest.toml", "c/data", "out/output/x", "runs/1/output/x"] {
            folder.file(file, "");
        }
        if !others.is_empty() {
            let contest = folder.contest();
            let header = Header::new(
                of.into(),
                Overrides::default(),
                contest.plan.clone(),
                contest.plan.start_order(),
                BTreeMap::new(),
                None,
            );
            fs::create_dir_all(folder.0.path().join(others)).unwrap();
            drop(Journal::create(&folder.0.path().join(others), header, || None).unwrap());
        }
        let entry = format!("readable = [{reads:?}]\n");
        folder.file("contest.toml", &[HEAD, BOARDS, ENTRIES, &entry].concat());
        let why = exposed(&folder.contest(), &folder.results());
        let expected = shown.map(|shown| {
            format!("because {} is a results directory", folder.0.path().canonicalize().unwrap().join(shown).display())
        });
        let as_expected = match (&why, &expected) {
            (Some(why), Some(expected)) => why.starts_with("entry b may read ") && why.contains(expected),
            (None, None) => true,
            _ => false,
        };
        assert!(as_expected, "reads {reads} with {others} of {of}: {why:?}");
        // A withdrawn entry reads nothing.
        folder.file("contest.toml", &[HEAD, BOARDS, ENTRIES, &entry, "withdrawn = \"gone\"\n"].concat());
        assert_eq!(exposed(&folder.contest(), &folder.results()), None);
    }
}

#[test]
fn rows_that_other_rulings_change_are_shown_as_they_were_and_are() {
    let (folder, _) = refereed();
    let results = folder.results();
    let before = journal::read(&results).unwrap();
    assert_eq!(changed_rows(&before, &before).len(), 0);
    let (mut journal, _) = Journal::resume(&results, || None).unwrap();
    let ruling = ManualRuling::new(RunKey::new(1, "b", "X"), Verdict::Solved(Default::default()), "seen");
    journal.append(&[Line::Ruling(Box::new(ruling))]).unwrap();
    drop(journal);
    let after = journal::read(&results).unwrap();
    let rows = changed_rows(&before, &after);
    assert_eq!(rows.len(), 1);
    assert!(
        rows[0].entry == "b"
            && rows[0].before.starts_with("place 2, total ")
            && rows[0].now.starts_with("place 2, total "),
        "{:?}",
        (&rows[0].before, &rows[0].now)
    );
    assert_ne!(rows[0].before, rows[0].now);
    // A run that was ruled by hand is not refereed again, and the referee is the journal's.
    assert_eq!((answered(&before).len(), answered(&after).len()), (4, 3));
    assert_eq!(present_hash(&after, "", None), after.referees.get("").cloned());
}
