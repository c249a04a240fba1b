//! Work of nodes while no coordinator runs, or while the contest changes.

use std::sync::atomic::{AtomicUsize, Ordering};

use judge_contest::journal::Journal;
use judge_contest::schedule::Stopped;
use judge_contest::{Contest, Overrides};
use judge_core::changes::{DesiredContest, changes};
use judge_core::fingerprint::Hashes;
use judge_slurm::{Mode, Notice, Settings};

use crate::pretended::{Fake, all, begun, run, run_with, settings};
use crate::support::*;

/// Updates the contest to its contest file, as `judge update` does.
fn update(folder: &Folder) -> Contest {
    let contest = Contest::load(folder.path(), &Overrides::default()).unwrap();
    let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
    let Contest { plan, withdrawn, struck, .. } = &contest;
    let mut asked = DesiredContest::new(plan);
    (asked.withdrawn, asked.struck) = (withdrawn, struck);
    let lines: Vec<_> = changes(&contents, &asked).unwrap().into_iter().map(|change| change.line).collect();
    assert!(!lines.is_empty());
    journal.append(&lines).unwrap();
    contest
}

#[test]
fn outcomes_under_way_count_unless_what_decides_a_run_has_changed() {
    let near_end = |number: u32| board(&format!("near-end-{number}"));
    let cases: [(&str, &str, String, usize, usize); 7] = rows! {
        ("an author", "command = [\"./one\"]", "command = [\"./one\"]\nauthor = \"Ada\"".into(), 0, 0),
        ("the ranking", "[[board]]", "[ranking]\norder = [\"moves\"]\n[[board]]".into(), 0, 0),
        ("a note on a board", "name = \"B0\"", "name = \"B0\"\nnote = \"easy\"".into(), 0, 0),
        ("a new entry", "[[entry]]", entry("new", &["./new"]) + "[[entry]]", 3, 0),
        ("another board", &near_end(1), near_end(4), 2, 2),
        ("a limit of one entry", "command = [\"./one\"]", "command = [\"./one\"]\nlimits = { limit = \"9s\" }".into(), 3, 3),
        ("the limit", "limit = \"10s\"", "limit = \"9s\"".into(), 6, 6),
    };
    for (what, from, to, again, late) in cases {
        let folder = Folder::new();
        let contest = begun(&folder, 3);
        let sent_again = AtomicUsize::new(0);
        let fake = Fake::new(folder.path(), |fake, array, number, batch| {
            sent_again.fetch_add(if array > 1 { batch.runs.len() } else { 0 }, Ordering::SeqCst);
            all(fake, array, number, batch);
        });
        let (made, contents, _) = run(&contest, &folder, &fake, Mode::Detach);
        assert!(matches!(made, Err(Stopped::Detached)) && contents.records.is_empty());
        let text = folder.read("contest.toml");
        assert!(text.contains(from), "{what}");
        folder.file("contest.toml", text.replacen(from, &to, 1));
        let contest = update(&folder);
        let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay);
        made.unwrap();
        let runs = if what == "a new entry" { 9 } else { 6 };
        assert_eq!((contents.records.len(), fake.late()), (runs, late), "{what}");
        assert_eq!(sent_again.load(Ordering::SeqCst), again, "{what}");
    }
}

#[test]
fn outcomes_of_another_program_do_not_count() {
    let programs = |hash: &str| {
        let of = |entry: &str, hash: &str| (entry.to_owned(), Hashes::from([("program".to_owned(), hash.to_owned())]));
        BTreeMap::from([of("one", hash), of("two", "same")])
    };
    for (now, arrays, late) in [("a", 1, 0), ("b", 2, 3)] {
        let folder = Folder::new();
        let contest = begun(&folder, 3);
        let fake = Fake::new(folder.path(), all);
        let with = |mode, hash| Settings { programs: programs(hash), ..settings(mode) };
        let missing = |contents: &judge_core::journal::ContestState| contents.missing();
        run_with(&contest, &folder, &fake, with(Mode::Detach, "a"), &[&missing]).0.unwrap_err();
        let (made, contents, _) = run_with(&contest, &folder, &fake, with(Mode::Stay, now), &[&missing]);
        made.unwrap();
        assert_eq!((contents.records.len(), fake.arrays(), fake.late()), (6, arrays, late), "{now}");
    }
}

#[test]
fn batches_that_are_not_wanted_any_more_are_cancelled() {
    // The array has left no outcomes. Then one entry gets another limit, and each batch continues with the runs of the
    // other one.
    let folder = Folder::new();
    let contest = begun(&folder, 3);
    let nothing = Fake::new(folder.path(), |_, _, _, _| {});
    run(&contest, &folder, &nothing, Mode::Detach).0.unwrap_err();
    let text = folder.read("contest.toml");
    folder.file("contest.toml", text.replacen("limit = \"10s\"", "limit = \"9s\"", 1));
    let contest = update(&folder);
    let fake = Fake::new(folder.path(), all);
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay);
    made.unwrap();
    assert_eq!(contents.records.len(), 6);
    assert_eq!(*fake.cancelled.lock().unwrap(), ["1001"], "the whole array");
}

#[test]
fn a_contest_that_is_made_elsewhere_takes_what_came() {
    let folder = Folder::new();
    let contest = begun(&folder, 3);
    let fake = Fake::new(folder.path(), |fake, array, number, batch| fake.leave((array, number), batch, 0, 1, "n1"));
    run(&contest, &folder, &fake, Mode::Detach).0.unwrap_err();
    let (made, contents, notices) = run(&contest, &folder, &fake, Mode::Collect);
    made.unwrap();
    assert_eq!((contents.records.len(), fake.arrays()), (2, 1));
    assert!(notices.contains(&Notice::Cancelled { arrays: vec!["1001".into()] }), "{notices:?}");
}
