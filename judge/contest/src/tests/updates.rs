//! Tests of updating a contest to its file: the runs to execute, the runs that would be lost, and the programs that are
//! recorded before they run.

use judge_core::fingerprint::Hashes;
use judge_core::journal::{REFEREE_PROGRAM, Rejudgement};

use super::open_contest::{Begun, finished, verdict};
use super::*;
use crate::open_contest::{OpenContest, StartOptions};
use crate::programs::{hashes, keep_all, keep_changed, keep_referee, present_referees};
use crate::update::{PresentPrograms, changes_to, entries_to_run, losses, waits_for_boards};

/// A contest of one board and the entries a and b, with the hashes of their programs.
fn begun() -> (Begun, BTreeMap<String, Hashes>) {
    let board = "[[board]]\nname = \"X\"\nfile = \"x.txt\"\n";
    let begun = Begun::new(&[HEAD, board, ENTRIES].concat());
    let programs = hashes(&begun.folder.contest(), None);
    (begun, programs)
}

/// The recorded programs with hashes, each with the number of its kept files.
fn recorded(begun: &Begun) -> Vec<(String, usize)> {
    let contents = begun.open_contest.contents();
    let last = contents.versions.iter().filter_map(|(name, versions)| Some((name.clone(), versions.last()?)));
    last.filter(|(_, last)| !last.programs.is_empty()).map(|(name, last)| (name, last.kept.len())).collect()
}

#[test]
fn only_an_entry_with_a_run_left_is_needed() {
    let (begun, _) = begun();
    let needed =
        |suspect| entries_to_run(&begun.open_contest.contents(), suspect).unwrap().into_iter().collect::<Vec<_>>();
    let turn = begun.open_contest.next().unwrap().unwrap();
    begun.open_contest.finish(&turn, finished(&turn, |record| record.extras.suspect = Some("others".into()))).unwrap();
    assert_eq!(needed(false), ["b"]);
    let turn = begun.open_contest.next().unwrap().unwrap();
    begun.open_contest.finish(&turn, finished(&turn, |_| {})).unwrap();
    assert_eq!(needed(false), [""; 0]);
    assert_eq!(needed(true), ["a"], "its run was suspect");
}

#[test]
fn a_judge_error_and_a_failed_build_need_their_entry() {
    for again in [
        Verdict::JudgeError { reason: JudgeFailure::Judge("no disk".into()) },
        Verdict::BuildFailed { reason: "no compiler".into() },
    ] {
        let (begun, _) = begun();
        for verdict in [verdict(4), again] {
            let turn = begun.open_contest.next().unwrap().unwrap();
            begun.open_contest.finish(&turn, finished(&turn, |record| record.verdict = verdict)).unwrap();
        }
        assert_eq!(entries_to_run(&begun.open_contest.contents(), false).unwrap(), ["b".to_owned()].into());
    }
}

#[test]
fn a_later_round_may_need_any_entry() {
    let rounds = "[[round]]\nname = \"heats\"\nboards = [\"X\"]\nadvance = \"solved\"\n\
                  [[round]]\nname = \"final\"\nboards = [\"Y\"]\n";
    let begun = Begun::new(&[HEAD, BOARDS, ENTRIES, rounds].concat());
    assert_eq!(entries_to_run(&begun.open_contest.contents(), false), None);
}

#[test]
fn good_runs_that_are_made_again_are_a_loss() {
    let (begun, mut programs) = begun();
    for verdict in [verdict(4), Verdict::CouldNotStart { reason: "gone".into() }] {
        let turn = begun.open_contest.next().unwrap().unwrap();
        begun.open_contest.finish(&turn, finished(&turn, |record| record.verdict = verdict)).unwrap();
    }
    for hashes in programs.values_mut() {
        hashes.values_mut().for_each(|hash| *hash = "0".repeat(64));
    }
    let (contest, before) = (begun.folder.contest(), begun.open_contest.contents());
    let now = PresentPrograms { programs: Some(&programs), ..PresentPrograms::default() };
    let changes = changes_to(&contest, &before, &now).unwrap();
    let lines: Vec<Line> = changes.into_iter().map(|change| change.line).collect();
    let after = begun.open_contest.preview(&lines).unwrap();
    assert_eq!(after.missing().len(), 2, "both programs have changed");
    assert_eq!(losses(&before, &after, |_| true), [("a", 1)].into(), "b had no good run");
    assert_eq!(losses(&before, &after, |entry| entry == "b"), BTreeMap::new());
    assert_eq!(losses(&before, &before, |_| true), BTreeMap::new(), "nothing is made again");
}

#[test]
fn programs_are_recorded_before_they_run() {
    let (begun, programs) = begun();
    assert_eq!(recorded(&begun), [], "the contest began without them");
    begun.open_contest.set_unbuilt([("b".to_owned(), Built::Failed { reason: "no compiler".into() })].into());
    assert_eq!(begun.open_contest.record_programs(&programs).unwrap(), []);
    assert_eq!(recorded(&begun), [("a".to_owned(), 1)], "b is not executed");
    let lines = || fs::read_to_string(begun.folder.results().join(FILE_NAME)).unwrap().lines().count();
    let before = lines();
    assert_eq!(begun.open_contest.record_programs(&programs).unwrap(), []);
    assert_eq!(lines(), before, "it is recorded once");
}

#[test]
fn a_program_without_a_run_is_not_recorded() {
    let (begun, programs) = begun();
    let turn = begun.open_contest.next().unwrap().unwrap();
    assert_eq!(&*turn.key.entry, "a");
    begun.open_contest.finish(&turn, finished(&turn, |record| record.extras.suspect = Some("others".into()))).unwrap();
    begun.open_contest.record_programs(&programs).unwrap();
    assert_eq!(recorded(&begun), [("b".to_owned(), 1)]);
    begun.open_contest.repeat_suspect(1);
    begun.open_contest.record_programs(&programs).unwrap();
    assert_eq!(recorded(&begun).len(), 2, "the suspect run is made again");
}

#[test]
fn a_program_that_is_too_large_is_recorded_by_its_hashes() {
    let keep = "keep_programs = \"3B\"\n";
    let begun = Begun::new(&[HEAD, keep, BOARDS, ENTRIES].concat());
    let programs = hashes(&begun.folder.contest(), None);
    let refused = begun.open_contest.record_programs(&programs).unwrap();
    let names: Vec<&str> = refused.iter().map(|not_kept| &*not_kept.program).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(refused[0].reason.starts_with("it has 10 bytes"), "{refused:?}");
    assert_eq!(recorded(&begun), [("a".to_owned(), 0), ("b".to_owned(), 0)]);
    assert_eq!(begun.open_contest.record_programs(&programs).unwrap(), [], "it was said once");
}

#[test]
fn what_changes_bring_is_kept() {
    let (begun, mut programs) = begun();
    begun.folder.file("b/solve", "#!/bin/sh\nexit 1\n");
    programs.extend(hashes(&begun.folder.contest(), None));
    let (contest, contents) = (begun.folder.contest(), begun.open_contest.contents());
    let now = PresentPrograms { programs: Some(&programs), ..PresentPrograms::default() };
    let mut changes = changes_to(&contest, &contents, &now).unwrap();
    assert_eq!(keep_changed(&contest, &mut changes, &begun.folder.results()), []);
    let kept: Vec<_> = changes
        .iter()
        .filter_map(|change| match &change.line {
            Line::Entry(event) => Some((&*event.entry.name, event.kept.len())),
            _ => None,
        })
        .collect();
    assert_eq!(kept, [("a", 1), ("b", 1)]);
    let (all, refused) = keep_all(&contest, &programs, &begun.folder.results());
    assert_eq!((all.len(), refused), (2, Vec::new()));
}

#[test]
fn a_referee_is_another_one_by_its_program() {
    let folder = Folder::new(&[EXIT_HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let programs = hashes(&contest, None);
    let with =
        StartOptions { contest_file: "../contest.toml".into(), programs: programs.clone(), ..StartOptions::default() };
    let open_contest = OpenContest::begin(folder.contest(), &folder.results(), with, || None).unwrap();
    assert_eq!(present_referees(&contest, &open_contest.contents(), &programs), [], "the contest began with it");
    folder.file("referee", "#!/bin/sh\nexit 1\n");
    let programs = hashes(&contest, None);
    let event = present_referees(&contest, &open_contest.contents(), &programs).remove(0);
    assert_eq!(event.programs, programs[REFEREE_PROGRAM]);
    let mut rejudgement = Rejudgement::default();
    keep_referee(&contest, &mut rejudgement, &folder.results());
    assert_eq!(rejudgement, Rejudgement::default(), "without a referee nothing is kept");
    rejudgement.referee = Some(Box::new(event));
    keep_referee(&contest, &mut rejudgement, &folder.results());
    assert_eq!(rejudgement.referee.unwrap().kept.len(), 1);
    let built_in = Begun::three();
    assert_eq!(present_referees(&built_in.folder.contest(), &built_in.open_contest.contents(), &BTreeMap::new()), []);
}

#[test]
fn a_round_without_sealed_boards_waits_for_none() {
    let (begun, _) = begun();
    assert!(waits_for_boards(&begun.folder.contest(), &begun.open_contest.contents()).is_none());
}

#[test]
fn a_round_waits_for_its_sealed_boards_until_they_are_there() {
    let seal = judge_core::fingerprint::sha256_of(NEAR.as_bytes());
    let rounds = format!(
        "[[round]]\nname = \"heats\"\nboards = [\"X\"]\n\
         [[round]]\nname = \"final\"\nboards = [\"Y\"]\nsealed = \"sha256:{seal}\"\n"
    );
    let begun = Begun::new(&[HEAD, BOARDS, ENTRIES, &rounds].concat());
    let waits = || waits_for_boards(&begun.folder.contest(), &begun.open_contest.contents());
    assert!(waits().is_none(), "it is there");
    fs::remove_file(begun.folder.0.path().join("y.txt")).unwrap();
    let (upcoming, absent) = waits().unwrap();
    assert_eq!((&*upcoming.name, absent), ("final", vec!["Y".to_owned()]));
}
