//! Tests of turns that were returned, overtaken by events, or repeated.

use judge_core::fingerprint::sha256_of;
use judge_core::journal::{BoardEvent, Build};

use super::*;
use crate::schedule::{Engine, Local, Request};

/// A command that changes a contest.
type Change<'a> = &'a dyn Fn(&Begun);

#[test]
fn an_older_turn_is_none_of_the_run_that_was_handed_out_again() {
    let begun = Begun::three();
    let older = begun.next();
    begun.open_contest.requeue(&older);
    let newer = std::iter::from_fn(|| begun.open_contest.next().unwrap()).find(|lease| lease.key == older.key).unwrap();
    assert!(begun.finish(&older, |_| {}).is_none());
    assert!(begun.finish(&newer, |_| {}).is_some());
}

#[test]
fn a_repetition_that_was_given_back_is_not_one_of_those_that_were_made() {
    let begun = Begun::three();
    begun.open_contest.repeat_suspect(1);
    let lease = begun.next();
    begun.finish(&lease, |record| record.extras.suspect = Some("others".into()));
    (0..5).for_each(|_| drop(begun.finish(&begun.next(), |_| {}).unwrap()));
    for _ in 0..3 {
        let again = begun.next();
        assert!(again.repeats);
        begun.open_contest.requeue(&again);
    }
    let last = begun.next();
    let made = begun.finish(&last, |_| {}).unwrap();
    assert!(!made.in_vain && begun.none_left(), "a good repetition counts");
    assert_eq!(begun.read().record(&lease.key).unwrap().attempt, 2);
}

#[test]
fn a_judge_error_of_a_first_attempt_is_not_in_vain() {
    let begun = Begun::three();
    let lease = begun.next();
    assert!(!begun.finish(&lease, |record| record.verdict = judge_error()).unwrap().in_vain);
}

#[test]
fn only_what_replaces_a_run_under_way_costs_it() {
    let changed = |begun: &Begun, name: &str, text: &str, note: &str| {
        let boards = begun.open_contest.contents().plan.boards.clone();
        let mut board = boards.into_iter().find(|board| board.name == name).unwrap();
        (board.text, board.note) = (text.into(), Some(note.into()));
        let mut event = serde_json::to_value(&board).unwrap();
        event.as_object_mut().unwrap().insert("reason".into(), "a typo".into());
        let event: BoardEvent = serde_json::from_value(event).unwrap();
        begun.open_contest.update(vec![Line::Board(Box::new(event))]).unwrap();
    };
    let text = |begun: &Begun, name: &str| {
        let boards = begun.open_contest.contents().plan.boards.clone();
        boards.into_iter().find(|board| board.name == name).unwrap().text.to_string()
    };
    let other = NEAR.replace("KL+MN PQRSO", "KLSMN PQR+O");
    let submit = |begun: &Begun, name: &str, keeps_runs: bool| {
        let mut event = version(begun, name, "./other");
        event.keeps_runs = keeps_runs;
        begun.open_contest.submit(event).unwrap();
    };
    let cases: [(&str, bool, Change<'_>); 6] = [
        ("another version of another entry", true, &|begun| submit(begun, "b", false)),
        ("another version", false, &|begun| submit(begun, "a", false)),
        ("a version that keeps its runs", true, &|begun| submit(begun, "a", true)),
        ("a note on the board", true, &|begun| changed(begun, "X", &text(begun, "X"), "easy")),
        ("another text of another board", true, &|begun| changed(begun, "Y", &other, "")),
        ("another text of the board", false, &|begun| changed(begun, "X", &other, "")),
    ];
    for (what, counts, change) in cases {
        let begun = Begun::three();
        let turns: Vec<RunLease> = std::iter::from_fn(|| begun.open_contest.next().unwrap()).collect();
        let lease = turns.iter().find(|lease| (&*lease.key.entry, &*lease.key.board) == ("a", "X")).unwrap();
        change(&begun);
        assert_eq!(begun.finish(lease, |_| {}).is_some(), counts, "{what}");
    }
}

#[test]
fn a_failed_build_counts_until_the_entry_is_built() {
    let begun = Begun::three();
    let failed = || Built::Failed { reason: "no compiler".into() };
    let unbuilt = || BTreeMap::from([("b".to_owned(), failed())]);
    while let Some(lease) = begun.open_contest.next().unwrap() {
        let of_b = &*lease.key.entry == "b";
        begun.finish(&lease, |record| {
            if of_b {
                record.verdict = Verdict::BuildFailed { reason: "no compiler".into() };
            }
        });
    }
    let begun = begun.resumed();
    begun.open_contest.set_unbuilt(unbuilt());
    assert!(begun.none_left(), "it still cannot be built");
    begun.open_contest.set_unbuilt(BTreeMap::new());
    assert_eq!(begun.finish_all().len(), 2);
}

#[test]
fn a_sealed_round_opens_when_its_board_is_there() {
    let seal = format!("sealed = [\"sha256:{}\"]\n", sha256_of(NEAR.as_bytes()));
    let folder = Folder::new(&[HEAD, ROUNDS, &seal, BOARDS, ENTRIES].concat());
    let open_contest =
        OpenContest::begin(folder.contest(), &folder.results(), StartOptions::default(), at_noon).unwrap();
    let executor = FakeExecutor(&|_| Ok((End::Exited { code: 0 }, "lluu\n".into())));
    let run_round = || open_contest.run_round(&Local::new(&executor), &[Vec::new()], &StopFlag::default()).unwrap();
    run_round();
    assert!(open_contest.open_next_round().unwrap().is_some());
    run_round();
    let contents = open_contest.contents();
    let solved = |board: &str| {
        let runs = contents.records.iter().filter(|record| &*record.key.board == board);
        runs.filter(|record| matches!(record.verdict, Verdict::Solved(_))).count()
    };
    assert_eq!((solved("X"), solved("Y")), (2, 2), "the referee knows both");
}

#[test]
fn a_contest_begins_with_its_builds_in_a_named_directory() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let build = Build::new("make", vec!["a".into()], 1, Built::Succeeded);
    let with = StartOptions { builds: vec![build], ..StartOptions::default() };
    let open_contest = OpenContest::begin(folder.contest(), &folder.results(), with, at_noon).unwrap();
    assert_eq!(open_contest.results(), folder.results());
    assert_eq!(open_contest.contents().builds.len(), 1);
    drop(open_contest);
    let (journal, _) = Journal::resume(&folder.results(), at_noon).unwrap();
    assert_eq!(journal.directory(), folder.results());
    // Without builds, the header is the only line.
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    drop(OpenContest::begin(folder.contest(), &folder.results(), StartOptions::default(), at_noon).unwrap());
    assert_eq!(fs::read_to_string(folder.results().join(FILE_NAME)).unwrap().lines().count(), 1);
}

#[test]
fn a_contest_file_that_was_read_again_comes_with_its_events() {
    let begun = Begun::three();
    begun.folder.file("contest.toml", &[HEAD, BOARDS, ENTRIES, THIRD, "author = \"somebody\"\n"].concat());
    begun.open_contest.update_with(begun.folder.contest(), vec![Line::Struck(board("X"))]).unwrap();
    assert_eq!(begun.open_contest.contents().struck.len(), 1);
    assert_eq!(
        begun.open_contest.contest().plan,
        begun.open_contest.contents().plan,
        "the plan stays that of the journal"
    );
}

/// Counts the requests to the engine.
struct Counted<'a>(Local<'a>, &'a AtomicUsize);

impl Engine for Counted<'_> {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.execute(request)
    }

    fn isolation(&self) -> Arc<Isolation> {
        self.0.isolation()
    }
}

#[test]
fn an_engine_is_asked_once_more_than_there_are_runs_only_by_a_pass() {
    let begun = Begun::three();
    let (asked, fails, stop) = (AtomicUsize::new(0), AtomicUsize::new(1), StopFlag::default());
    let act = |_: &Job| {
        assert_eq!(fails.swap(0, Ordering::SeqCst), 0, "the first run fails");
        Ok((End::Exited { code: 0 }, "lluu\n".to_owned()))
    };
    let executor = FakeExecutor(&act);
    let engine = Counted(Local::new(&executor), &asked);
    begun.open_contest.run_round(&engine, &[Vec::new()], &stop).unwrap();
    assert_eq!((asked.load(Ordering::SeqCst), begun.read().missing().len()), (1, 1), "a judge error is not repeated");
    // Another beginning of the round repeats it.
    begun.open_contest.run_round(&engine, &[Vec::new()], &stop).unwrap();
    assert_eq!((asked.load(Ordering::SeqCst), begun.read().missing().len()), (2, 0));
    // Without a run, the engine is called once, because it may have something to finish.
    begun.open_contest.run_round(&engine, &[Vec::new()], &stop).unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert!(!begun.open_contest.run_pass(&engine, &[Vec::new()], &stop).unwrap(), "nothing was made");
    assert_eq!(asked.load(Ordering::SeqCst), 4);
    begun.open_contest.submit(version(&begun, "c", "c/better")).unwrap();
    assert!(begun.open_contest.run_pass(&engine, &[Vec::new()], &stop).unwrap());
    assert_eq!((asked.load(Ordering::SeqCst), begun.read().missing().len()), (5, 0));
}
