//! Tests of judging with a fake executor: builds fail if a source requests it, and every answer solves its board.

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use judge_contest::Overrides;
use judge_contest::journal::Journal;
use judge_contest::open_contest::{Event, StartOptions};
use judge_contest::schedule::{Local, Request};
use judge_core::journal::read;
use judge_core::plan::Entry;
use judge_core::results::Results;
use judge_job::{Capacity, Description, End, Interrupted, Isolation, Job, Limits, Machine, Outcome, StopFlag, Tier};

use super::*;
use judge_contest::office::{Counts, OfficeRules, Quotas};
use judge_core::journal::ManualRuling;

use crate::Upload;
use crate::disk_space::{DiskCheckedExecutor, DiskSpace};
use crate::ends::Ends;
use crate::line::{Decision, Order, number_of};
use crate::submission_state::{SubmissionState, SubmissionStates};
use crate::view::Viewer;
use crate::view::tests::club::contest_folder;

mod club;
mod cost;
mod counting;
mod decisions;
mod full_disk;
mod games;
mod instructions;
mod one_log;
mod rounds;
mod settling;

use club::*;

#[test]
fn each_submission_is_judged_once() {
    let club = Club::new();
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.work();
    assert_eq!(club.shown(), [SubmissionState::Counts, SubmissionState::Counts]);
    assert_eq!(club.placed(), ["ada.1", "bob.2", "house"]);
    assert_eq!((club.executor.builds.load(Ordering::SeqCst), club.executor.runs.load(Ordering::SeqCst)), (2, 6));
    club.work();
    assert_eq!(club.executor.runs.load(Ordering::SeqCst), 6, "nothing is left to do");
}

#[test]
fn the_last_version_that_builds_counts() {
    let club = Club::new();
    for source in [b"1", b"2"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.shown(), [SubmissionState::Superseded { by: "ada.2".into() }, SubmissionState::Counts]);
    assert_eq!(club.placed(), ["ada.2", "house"]);
    club.submit("ada", BAD);
    club.work();
    let statuses = club.shown();
    assert_eq!(statuses[1], SubmissionState::Counts, "one that does not build replaces nothing");
    assert!(
        matches!(&statuses[2], SubmissionState::Unbuildable(why) if why.contains("you asked for it")),
        "{statuses:?}"
    );
    assert_eq!(club.placed(), ["ada.2", "house"]);
}

#[test]
fn a_stop_during_the_last_run_leaves_nothing_to_be_settled() {
    let mut club = Club::new();
    club.submit("ada", b"1");
    club.work();
    club.submit("ada", b"2");
    // Four runs were executed, and two are missing.
    (club.on_cluster, club.executor.stops_in) = (true, Some(6));
    let judging = Judging::new(&club.office, &club.open_contest);
    club.with_resources(|resources| judging.work(resources, &club.executor.stop, true, &|_| {})).unwrap();
    assert_eq!(club.open_contest.contents().records.len(), 6);
    assert_eq!(club.shown(), [SubmissionState::Superseded { by: "ada.2".into() }, SubmissionState::Counts]);
    assert_eq!(club.placed(), ["ada.2", "house"]);
}

#[test]
fn a_judge_that_is_killed_after_each_step_judges_everything_once() {
    let mut club = Club::new();
    for (team, source) in [("ada", &b"1"[..]), ("bob", BAD), ("cleo", b"3"), ("ada", b"4"), ("bob", b"5")] {
        club.submit(team, source);
    }
    let steps = loop {
        let before = fs::read(club.open_contest.results().join("journal.jsonl")).unwrap();
        let judging = Judging::new(&club.office, &club.open_contest);
        let entered = club.with_resources(|resources| judging.enter_next(resources)).unwrap();
        let made = club.with_resources(|resources| judging.run_next(resources, &[], &StopFlag::default())).unwrap();
        drop(judging);
        club = club.restarted();
        if entered.is_none() && made.is_none() {
            break before.len();
        }
    };
    assert!(steps > 0);
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), 5);
    assert_eq!(club.placed(), ["ada.4", "bob.5", "cleo.3", "house"]);
    let contents = crate::results::read(club.open_contest.results()).unwrap();
    assert!(contents.missing().is_empty());
    assert!((0..contents.order().len()).all(|run| contents.attempts()[run] <= 1), "nothing was run twice");
}

#[test]
fn an_entry_whose_build_was_not_recorded_is_built_again() {
    let club = Club::new();
    club.submit("ada", b"1");
    let mut entry = Entry::new("ada.1", vec!["office/entries/ada.1/program".into()]);
    entry.build = Some("make".into());
    // A power failure that left the first of several lines.
    club.open_contest.submit(EntryEvent::new(entry, Hashes::new())).unwrap();
    assert_eq!(club.shown(), [SubmissionState::Queued]);
    let club = club.restarted();
    club.work();
    assert_eq!(club.shown(), [SubmissionState::Counts]);
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), 1);
}

#[test]
fn a_submission_held_after_three_judge_errors_blocks_nobody() {
    let mut club = Club::new();
    club.executor.breaks = Some("ada.1/".into());
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.submit("cleo", BREAKS);
    club.work();
    assert_eq!(club.shown(), [SubmissionState::Stuck, SubmissionState::Counts, SubmissionState::Stuck]);
    let contents = club.open_contest.contents();
    let state = club.office.state().unwrap();
    let reasons = [1, 2, 3].map(|number| crate::stuck::reasons(state.submission(number).unwrap().1, &contents));
    assert!(reasons[0].len() == 2 && reasons[0][0].starts_with("X: "), "{reasons:?}");
    assert!(reasons[1].is_empty() && reasons[2].len() == 1 && reasons[2][0].starts_with("its build: "), "{reasons:?}");
    let of_ada = (0..contents.order().len()).filter(|&run| &*contents.order()[run].entry == "ada.1");
    assert_eq!(of_ada.map(|run| contents.attempts()[run]).collect::<Vec<_>>(), [MAX_ATTEMPTS; 2]);
    let club = club.restarted();
    let before = club.executor.runs.load(Ordering::SeqCst);
    club.work();
    assert_eq!(club.executor.runs.load(Ordering::SeqCst), before, "it stays held");
}

#[test]
fn a_submission_whose_files_cannot_be_written_blocks_nobody() {
    let club = Club::new();
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    // The file system refuses a file for another reason than a full disk.
    fs::write(club.office.folder().join("entries/ada.1"), "").unwrap();
    club.work();
    let are_right = |club: &Club| {
        let statuses = club.shown();
        assert!(
            matches!(&statuses[0], SubmissionState::Unbuildable(why) if why.contains("cannot be written")),
            "{statuses:?}"
        );
        assert_eq!(statuses[1], SubmissionState::Counts);
    };
    are_right(&club);
    let club = club.restarted();
    club.work();
    are_right(&club);
}

#[test]
fn a_submission_whose_upload_is_missing_or_damaged_blocks_no_other() {
    let mut club = Club::new();
    let paths = [("ada", &b"1"[..]), ("bob", b"2")].map(|(team, source)| {
        let receipt = club.office.submit(&Upload::new(team, "a.c", source), None).unwrap();
        crate::uploads::path(club.office.folder(), &receipt.submission.sha256)
    });
    club.submit("cleo", b"3");
    fs::remove_file(&paths[0]).unwrap();
    fs::set_permissions(&paths[1], fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&paths[1], "4").unwrap();
    for _ in 0..2 {
        club.work();
        assert_eq!(club.shown(), [SubmissionState::Stuck, SubmissionState::Stuck, SubmissionState::Counts]);
        assert_eq!(
            (club.placed(), club.executor.builds.load(Ordering::SeqCst)),
            (vec!["cleo.3".into(), "house".into()], 1)
        );
        let contents = club.open_contest.contents();
        assert_eq!(["ada.1", "bob.2"].map(|name| contents.versions[name].len()), [3, 3], "three attempts in all");
        let Built::JudgeError { reason } = &contents.build_of("bob.2").unwrap().built else { panic!() };
        assert!(reason.contains("is not the file that was accepted; restore office/uploads"), "{reason}");
        assert!(!reason.contains(&*club.folder.path().to_string_lossy()), "{reason}");
        club = club.restarted();
    }
    for (path, bytes, number) in [(&paths[0], "1", 1), (&paths[1], "2", 2)] {
        fs::write(path, bytes).unwrap();
        club.office.decide(number, Decision::Released, None).unwrap();
    }
    club.work();
    assert_eq!(club.shown(), [SubmissionState::Counts, SubmissionState::Counts, SubmissionState::Counts]);
    assert_eq!(club.placed(), ["ada.1", "bob.2", "cleo.3", "house"]);
}

#[test]
fn builds_on_which_the_judge_failed_are_counted_after_a_restart() {
    let mut club = Club::new();
    club.submit("ada", BREAKS);
    for attempt in 1..=MAX_ATTEMPTS {
        assert_eq!(club.shown(), [SubmissionState::Queued], "before attempt {attempt}");
        let judging = Judging::new(&club.office, &club.open_contest);
        assert!(club.with_resources(|resources| judging.enter_next(resources)).unwrap().is_some());
        drop(judging);
        club = club.restarted();
    }
    assert_eq!(club.shown(), [SubmissionState::Stuck]);
    club.work();
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), MAX_ATTEMPTS);
}

#[test]
fn the_first_board_of_a_new_submission_comes_before_all_others() {
    let club = Club::new();
    club.submit("ada", b"1");
    let started = Arc::new(Mutex::new(Vec::new()));
    let heard = started.clone();
    club.open_contest.subscribe(move |event| {
        if let Event::Started(key) = event {
            heard.lock().unwrap().push(key.entry.to_string());
        }
        true
    });
    let judging = Judging::new(&club.office, &club.open_contest);
    let run = || club.with_resources(|resources| judging.run_next(resources, &[], &StopFlag::default())).unwrap();
    club.with_resources(|resources| judging.enter_next(resources)).unwrap();
    run();
    run();
    club.submit("bob", b"1");
    club.with_resources(|resources| judging.enter_next(resources)).unwrap();
    while run().is_some() {}
    let started = started.lock().unwrap().clone();
    assert_eq!(started.len(), 6);
    assert_eq!(started[2], "bob.2", "{started:?}");
}

#[test]
fn entries_are_unpacked_into_a_new_folder() {
    let club = Club::new();
    club.submit("ada", b"1");
    let folder = club.office.folder().join("entries/ada.1");
    // The remains of an interrupted build.
    fs::create_dir_all(folder.join("a.c")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("program")).unwrap();
    fs::create_dir_all(folder.join("closed/inner")).unwrap();
    fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    club.work();
    assert!(!folder.join("closed").exists());
    assert_eq!(fs::read(folder.join("a.c")).unwrap(), b"1");
    assert!(folder.join("program").symlink_metadata().unwrap().is_file());
    assert_eq!(club.shown(), [SubmissionState::Counts]);
}

#[test]
fn a_program_that_is_not_installed_any_more_is_out() {
    let club = Club::new();
    club.submit("ada", b"1");
    let Club { folder, office, open_contest, executor, .. } = club;
    let office = office.with_tools(Arc::new(|_| false));
    let club = Club {
        folder,
        office,
        open_contest,
        executor,
        on_cluster: false,
        disk_space: DiskSpace::of([]),
        refused_layer: Mutex::default(),
    };
    club.work();
    let statuses = club.shown();
    assert!(matches!(&statuses[0], SubmissionState::Unbuildable(why) if why.contains("not installed")), "{statuses:?}");
    assert!(club.office.submit(&Upload::new("bob", "a.c", b"1"), None).is_err(), "and is refused from then on");
}

#[test]
fn threads_that_settle_at_one_time_agree() {
    let club = Club::ruled(&counts(Counts::Chosen));
    for source in [b"1", b"2"] {
        club.submit("ada", source);
    }
    club.work();
    let judging = Judging::new(&club.office, &club.open_contest);
    for turn in 0..40 {
        let chosen = 1 + turn % 2;
        club.office.choose("ada", chosen).unwrap();
        let together = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    together.wait();
                    judging.settle_teams(Some("ada")).unwrap();
                });
            }
        });
        assert_eq!(club.placed(), [&*format!("ada.{chosen}"), "house"]);
    }
}

/// Readers have the results only. Nothing in the log repeats which submissions count.
#[test]
fn results_name_the_same_winners_as_the_judge() {
    let mut club = Club::new();
    let agree = |club: &Club, expected: &[&str]| {
        assert_eq!(club.placed(), expected);
        assert_eq!(Club::placed_in(&club.open_contest.contents()), expected);
    };
    // The later submission counts, although the earlier one is better.
    club.submit("ada", b"1");
    club.work();
    club.submit("ada", SHORT);
    club.submit("bob", BAD);
    club.work();
    agree(&club, &["ada.2", "house"]);
    let lines = || fs::read_to_string(club.open_contest.results().join("journal.jsonl")).unwrap();
    let before = lines();
    assert!(["superseded", "aside", "withdrawn"].iter().all(|word| !before.contains(word)), "{before}");
    club.work();
    assert_eq!(lines(), before, "nothing has changed");
    club = club.restarted();
    assert_eq!(club.placed(), ["ada.2", "house"]);
    club.office.decide(2, Decision::Ignored, None).unwrap();
    assert_eq!(club.placed(), ["ada.1", "house"]);
    club.work();
    agree(&club, &["ada.1", "house"]);
    club.office.finalise(Some(&club.open_contest.contents())).unwrap();
    club.office.reopen("a mistake").unwrap();
    club.office.decide(2, Decision::Considered, None).unwrap();
    club.work();
    agree(&club, &["ada.2", "house"]);
}

#[test]
fn a_forecast_has_what_is_built_before() {
    let club = Club::new();
    for (team, source) in [("ada", b"1"), ("ada", b"2"), ("ada", b"3"), ("bob", b"4")] {
        club.submit(team, source);
    }
    let judging = Judging::new(&club.office, &club.open_contest);
    let forecast = |number| {
        let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
        judging.handle().forecast(&state, &contents, number).map(|forecast| forecast.before)
    };
    assert_eq!([1, 2, 3, 4].map(forecast), [Some(0), Some(2), Some(3), Some(1)], "fair between teams");
    // The forecast is correct.
    let entered: Vec<u32> =
        std::iter::from_fn(|| club.with_resources(|resources| judging.enter_next(resources)).unwrap())
            .map(|entered| entered.submission.number)
            .collect();
    assert_eq!(entered, [1, 4, 2, 3]);
    assert_eq!(forecast(1), None, "it does not wait");
}

#[test]
fn a_contest_that_never_rests_gets_to_its_rejudging() {
    // Runs wait for the turn of the rejudging, however slow its thread is, so this number is never reached.
    const MAX: u32 = 100;
    let club = Club::ruled(&OfficeRules {
        limit: Quotas { waiting: None, bytes: None, ..Quotas::default() },
        ..OfficeRules::default()
    });
    club.submit("ada", b"0");
    club.work();
    club.office.ask_for_rejudging().unwrap();
    let (stop, number) = (StopFlag::default(), AtomicU32::new(1));
    // The next submission is there before the previous one is built, so that the queue is never empty.
    let submit = || {
        let (team, number) =
            (["ada", "bob", "cleo"][number.load(Ordering::SeqCst) as usize % 3], number.fetch_add(1, Ordering::SeqCst));
        club.submit(team, number.to_string().as_bytes());
    };
    (0..20).for_each(|_| submit());
    let judging = Judging::new(&club.office, &club.open_contest);
    let entered = |_: &Entered| {
        if crate::proposal::read(&club.office, &club.open_contest.contents()).unwrap().is_some()
            || club.executor.runs.load(Ordering::SeqCst) > MAX
        {
            stop.request();
        }
        submit();
    };
    club.with_resources(|resources| judging.work(resources, &stop, true, &entered)).unwrap();
    assert!(
        crate::proposal::read(&club.office, &club.open_contest.contents()).unwrap().is_some(),
        "{:?} runs",
        club.executor.runs
    );
}
