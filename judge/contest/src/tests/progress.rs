//! Tests of the state of a running contest as it follows events.

use std::time::Duration;

use super::open_contest::{Begun, finished, verdict};
use super::*;
use crate::open_contest::{Event, RunLease};
use crate::progress::{ContestProgress, Left, Remark};
use crate::schedule::{EngineData, EngineState};

const SECOND: u64 = 1_000_000;

/// A contest of three entries on two boards, its tally from second 5 on, and its turns.
fn running() -> (Begun, ContestProgress, Vec<RunLease>) {
    let begun = Begun::three();
    let mut progress = ContestProgress::new(&begun.open_contest.contents(), Some(1), 5 * SECOND);
    let turns: Vec<RunLease> = std::iter::from_fn(|| begun.open_contest.next().unwrap()).collect();
    let runs = turns.iter().map(|lease| lease.key.clone()).collect();
    progress.follow(&Event::Pass { runs, repeats: false }, 5 * SECOND);
    (begun, progress, turns)
}

fn record(lease: &RunLease, change: impl FnOnce(&mut Record)) -> Box<Record> {
    Box::new(finished(lease, change).into_parts().0)
}

fn lease<'t>(turns: &'t [RunLease], entry: &str, board: &str) -> &'t RunLease {
    turns.iter().find(|lease| (&*lease.key.entry, &*lease.key.board) == (entry, board)).unwrap()
}

#[test]
fn each_run_is_waiting_running_or_done() {
    let (_, mut progress, turns) = running();
    assert_eq!((progress.title().as_str(), progress.done()), ("test, 10s per board", (6, 0)));
    assert!(!progress.begun("X") && progress.cell("a", "X").is_empty());
    let a = lease(&turns, "a", "X");
    progress.follow(&Event::Started(a.key.clone()), 6 * SECOND);
    assert!(progress.begun("X") && !progress.begun("Y"));
    assert_eq!(
        (progress.cell("a", "X").as_str(), progress.cell("b", "X").as_str(), progress.done()),
        ("…", "", (6, 0))
    );
    let now = 8 * SECOND;
    let runs: Vec<_> = progress.running(now).map(|run| (run.key.clone(), run.elapsed, run.limit)).collect();
    assert_eq!(runs, [(a.key.clone(), Duration::from_secs(2), Duration::from_secs(10))]);
    assert_eq!(progress.elapsed(now), Duration::from_secs(3));
    let run = record(a, |record| record.extras.suspect = Some("others".into()));
    progress.follow(&Event::Finished(run.clone()), now);
    assert_eq!(
        (progress.cell("a", "X").as_str(), progress.done(), progress.running(now).count()),
        ("25/4?", (6, 1), 0)
    );
    assert_eq!(progress.line(&run), "1/6  a                    X                25/4     0.001 s");
    assert_eq!(
        (progress.name(&run.key).as_str(), progress.board("X"), progress.board("none")),
        ("a on X", "X", "none")
    );
    // A cancelled run no longer counts as waiting or running.
    progress.follow(&Event::Cancelled(lease(&turns, "b", "X").key.clone()), now);
    let c = lease(&turns, "c", "X");
    progress.follow(&Event::Started(c.key.clone()), now);
    progress.follow(&Event::Cancelled(c.key.clone()), now);
    assert_eq!((progress.done(), progress.running(now).count()), ((4, 1), 0));
}

#[test]
fn standings_are_over_the_boards_that_all_have_finished() {
    let (_, mut progress, turns) = running();
    assert_eq!(progress.standings().boards, 0);
    for entry in ["a", "b", "c"] {
        let lease = lease(&turns, entry, "X");
        progress.follow(&Event::Started(lease.key.clone()), 6 * SECOND);
        progress.follow(&Event::Finished(record(lease, |_| {})), 6 * SECOND);
    }
    progress.rank(6 * SECOND - 1);
    assert_eq!(progress.standings().boards, 0, "the last ranking is not a second old");
    progress.rank(6 * SECOND);
    assert_eq!((progress.standings().boards, progress.standings().results.boards.len()), (1, 1));
    let one = lease(&turns, "a", "Y");
    progress.follow(&Event::Finished(record(one, |_| {})), 7 * SECOND);
    progress.rank(8 * SECOND);
    assert_eq!(progress.standings().boards, 1, "two entries have not run on Y");
}

#[test]
fn the_time_left_is_a_bound_until_it_can_be_estimated() {
    let (_, mut progress, turns) = running();
    assert_eq!(progress.left(5 * SECOND), Left::AtMost(Duration::from_secs(60)));
    for entry in ["a", "b", "c"] {
        let lease = lease(&turns, entry, "X");
        progress.follow(&Event::Started(lease.key.clone()), 10 * SECOND);
        progress.follow(&Event::Finished(record(lease, |_| {})), 12 * SECOND);
    }
    assert_eq!(progress.left(12 * SECOND), Left::Estimated(Duration::from_secs(6)), "two seconds for each of three");
    progress.follow(&Event::Started(lease(&turns, "a", "Y").key.clone()), 12 * SECOND);
    assert_eq!(progress.left(13 * SECOND), Left::Estimated(Duration::from_secs(5)), "one of them is half done");
    assert_eq!(progress.left(15 * SECOND), Left::Estimated(Duration::from_secs(7)), "one took longer: as long again");
    let state = EngineState { running: 2, figures: EngineData::new("two") };
    progress.follow(&Event::State(state.clone()), 15 * SECOND);
    assert_eq!(
        (progress.left(15 * SECOND), progress.elsewhere()),
        (Left::Estimated(Duration::from_millis(3_500)), Some(&state))
    );
    progress.follow(&Event::State(EngineState { running: 0, ..state }), 15 * SECOND);
    assert_eq!(progress.left(15 * SECOND), Left::Unknown);
}

#[test]
fn only_some_events_are_for_the_organiser() {
    let (_, mut progress, turns) = running();
    let a = lease(&turns, "a", "X");
    let runs = vec![a.key.clone()];
    let remark = Remark::from_event;
    assert_eq!(remark(&Event::Pass { runs: runs.clone(), repeats: false }), None);
    assert_eq!(remark(&Event::Pass { runs, repeats: true }), Some(Remark::Repeated(1)));
    let sent = EngineData::new("sent");
    assert_eq!(remark(&Event::Notice(sent.clone())), Some(Remark::Engine(sent)));
    assert_eq!(remark(&Event::Finished(record(a, |_| {}))), None);
    let in_vain = Event::Finished(record(a, |record| (record.in_vain, record.verdict) = (true, Verdict::TimedOut)));
    assert_eq!(remark(&in_vain), Some(Remark::InVain { run: a.key.clone(), verdict: Verdict::TimedOut }));
    // Failures come newest first, and a failed build counts once.
    let unbuilt = |record: &mut Record| record.verdict = Verdict::BuildFailed { reason: "make".into() };
    for board in ["X", "Y"] {
        progress.follow(&Event::Finished(record(lease(&turns, "b", board), unbuilt)), 6 * SECOND);
    }
    let late = record(a, |record| record.verdict = Verdict::TimedOut);
    progress.follow(&Event::Finished(late.clone()), 6 * SECOND);
    progress.follow(
        &Event::Finished(record(lease(&turns, "a", "Y"), |record| record.verdict = Verdict::TimedOut)),
        6 * SECOND,
    );
    let timed_out =
        |board: &str| Remark::Failed { run: lease(&turns, "a", board).key.clone(), verdict: Verdict::TimedOut };
    let unbuilt_once = Remark::Unbuilt { entry: "b".into(), verdict: Verdict::BuildFailed { reason: "make".into() } };
    assert_eq!(progress.remarks().collect::<Vec<_>>(), [&timed_out("Y"), &timed_out("X"), &unbuilt_once]);
    assert!(progress.line(&record(lease(&turns, "b", "X"), unbuilt)).ends_with("  not built, so not run"));
    assert!(
        progress.line(&late).ends_with(&format!("  {}", Verdict::TimedOut.fault().unwrap())),
        "{}",
        progress.line(&late)
    );
    assert_eq!(verdict(4).fault(), None);
    let forged =
        record(a, |record| record.verdict = Verdict::CouldNotStart { reason: "x\n2/6  b  X  25/4\u{1b}[2J".into() });
    assert!(progress.line(&forged).ends_with("x\u{fffd}2/6  b  X  25/4\u{fffd}[2J"), "{}", progress.line(&forged));
}

#[test]
fn a_tally_begins_with_the_runs_that_count() {
    let (begun, _, turns) = running();
    begun.open_contest.finish(lease(&turns, "a", "X"), finished(lease(&turns, "a", "X"), |_| {})).unwrap();
    let out = judge_core::withdrawal::Withdrawal::new("gone");
    begun.open_contest.withdraw(judge_core::journal::EntryAndReason { entry: "c".into(), withdrawal: out }).unwrap();
    begun
        .open_contest
        .strike(judge_core::journal::BoardAndReason { board: "Y".into(), reason: "misprint".into() })
        .unwrap();
    let progress = ContestProgress::new(&begun.open_contest.contents(), None, 0);
    let names = |names: Vec<&str>| names.join(" ");
    let plan = progress.plan();
    assert_eq!(names(plan.entries.iter().map(|entry| &*entry.name).collect()), "a b");
    assert_eq!(names(plan.boards.iter().map(|board| &*board.name).collect()), "X");
    assert_eq!((progress.done().0, progress.cell("a", "X").as_str(), progress.begun("X")), (2, "25/4", true));
    assert_eq!(progress.left(0), Left::Unknown, "nothing runs");
}
