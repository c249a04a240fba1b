//! Tests of the state of a running contest as it follows events.

use std::time::Duration;

use super::conduct::{Begun, finished, verdict};
use super::*;
use crate::conduct::{Event, Turn};
use crate::schedule::{EngineData, EngineState};
use crate::tally::{Left, Remark, Tally};

const SECOND: u64 = 1_000_000;

/// A contest of three entries on two boards, its tally from second 5 on, and its turns.
fn running() -> (Begun, Tally, Vec<Turn>) {
    let begun = Begun::three();
    let mut tally = Tally::new(&begun.conduct.contents(), Some(1), 5 * SECOND);
    let turns: Vec<Turn> = std::iter::from_fn(|| begun.conduct.next().unwrap()).collect();
    let runs = turns.iter().map(|turn| turn.key.clone()).collect();
    tally.follow(&Event::Pass { runs, repeats: false }, 5 * SECOND);
    (begun, tally, turns)
}

fn record(turn: &Turn, change: impl FnOnce(&mut Record)) -> Box<Record> {
    Box::new(finished(turn, change).into_parts().0)
}

fn turn<'t>(turns: &'t [Turn], entry: &str, board: &str) -> &'t Turn {
    turns.iter().find(|turn| (&*turn.key.entry, &*turn.key.board) == (entry, board)).unwrap()
}

#[test]
fn each_run_is_waiting_running_or_done() {
    let (_, mut tally, turns) = running();
    assert_eq!((tally.title().as_str(), tally.done()), ("test, 10s per board", (6, 0)));
    assert!(!tally.begun("X") && tally.cell("a", "X").is_empty());
    let a = turn(&turns, "a", "X");
    tally.follow(&Event::Started(a.key.clone()), 6 * SECOND);
    assert!(tally.begun("X") && !tally.begun("Y"));
    assert_eq!((tally.cell("a", "X").as_str(), tally.cell("b", "X").as_str(), tally.done()), ("…", "", (6, 0)));
    let now = 8 * SECOND;
    let runs: Vec<_> = tally.running(now).map(|run| (run.key.clone(), run.elapsed, run.limit)).collect();
    assert_eq!(runs, [(a.key.clone(), Duration::from_secs(2), Duration::from_secs(10))]);
    assert_eq!(tally.elapsed(now), Duration::from_secs(3));
    let run = record(a, |record| record.extras.suspect = Some("others".into()));
    tally.follow(&Event::Finished(run.clone()), now);
    assert_eq!((tally.cell("a", "X").as_str(), tally.done(), tally.running(now).count()), ("25/4?", (6, 1), 0));
    assert_eq!(tally.line(&run), "1/6  a                    X                25/4     0.001 s");
    assert_eq!((tally.name(&run.key).as_str(), tally.board("X"), tally.board("none")), ("a on X", "X", "none"));
    // A cancelled run no longer counts as waiting or running.
    tally.follow(&Event::Cancelled(turn(&turns, "b", "X").key.clone()), now);
    let c = turn(&turns, "c", "X");
    tally.follow(&Event::Started(c.key.clone()), now);
    tally.follow(&Event::Cancelled(c.key.clone()), now);
    assert_eq!((tally.done(), tally.running(now).count()), ((4, 1), 0));
}

#[test]
fn standings_are_over_the_boards_that_all_have_finished() {
    let (_, mut tally, turns) = running();
    assert_eq!(tally.standings().boards, 0);
    for entry in ["a", "b", "c"] {
        let turn = turn(&turns, entry, "X");
        tally.follow(&Event::Started(turn.key.clone()), 6 * SECOND);
        tally.follow(&Event::Finished(record(turn, |_| {})), 6 * SECOND);
    }
    tally.rank(6 * SECOND - 1);
    assert_eq!(tally.standings().boards, 0, "the last ranking is not a second old");
    tally.rank(6 * SECOND);
    assert_eq!((tally.standings().boards, tally.standings().results.boards.len()), (1, 1));
    let one = turn(&turns, "a", "Y");
    tally.follow(&Event::Finished(record(one, |_| {})), 7 * SECOND);
    tally.rank(8 * SECOND);
    assert_eq!(tally.standings().boards, 1, "two entries have not run on Y");
}

#[test]
fn the_time_left_is_a_bound_until_it_can_be_estimated() {
    let (_, mut tally, turns) = running();
    assert_eq!(tally.left(5 * SECOND), Left::AtMost(Duration::from_secs(60)));
    for entry in ["a", "b", "c"] {
        let turn = turn(&turns, entry, "X");
        tally.follow(&Event::Started(turn.key.clone()), 10 * SECOND);
        tally.follow(&Event::Finished(record(turn, |_| {})), 12 * SECOND);
    }
    assert_eq!(tally.left(12 * SECOND), Left::Estimated(Duration::from_secs(6)), "two seconds for each of three");
    tally.follow(&Event::Started(turn(&turns, "a", "Y").key.clone()), 12 * SECOND);
    assert_eq!(tally.left(13 * SECOND), Left::Estimated(Duration::from_secs(5)), "one of them is half done");
    assert_eq!(tally.left(15 * SECOND), Left::Estimated(Duration::from_secs(7)), "one took longer: as long again");
    let state = EngineState { running: 2, figures: EngineData::new("two") };
    tally.follow(&Event::State(state.clone()), 15 * SECOND);
    assert_eq!(
        (tally.left(15 * SECOND), tally.elsewhere()),
        (Left::Estimated(Duration::from_millis(3_500)), Some(&state))
    );
    tally.follow(&Event::State(EngineState { running: 0, ..state }), 15 * SECOND);
    assert_eq!(tally.left(15 * SECOND), Left::Unknown);
}

#[test]
fn only_some_events_are_for_the_organiser() {
    let (_, mut tally, turns) = running();
    let a = turn(&turns, "a", "X");
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
        tally.follow(&Event::Finished(record(turn(&turns, "b", board), unbuilt)), 6 * SECOND);
    }
    let late = record(a, |record| record.verdict = Verdict::TimedOut);
    tally.follow(&Event::Finished(late.clone()), 6 * SECOND);
    tally.follow(
        &Event::Finished(record(turn(&turns, "a", "Y"), |record| record.verdict = Verdict::TimedOut)),
        6 * SECOND,
    );
    let timed_out =
        |board: &str| Remark::Failed { run: turn(&turns, "a", board).key.clone(), verdict: Verdict::TimedOut };
    let unbuilt_once = Remark::Unbuilt { entry: "b".into(), verdict: Verdict::BuildFailed { reason: "make".into() } };
    assert_eq!(tally.remarks().collect::<Vec<_>>(), [&timed_out("Y"), &timed_out("X"), &unbuilt_once]);
    assert!(tally.line(&record(turn(&turns, "b", "X"), unbuilt)).ends_with("  not built, so not run"));
    assert!(tally.line(&late).ends_with(&format!("  {}", Verdict::TimedOut.fault().unwrap())), "{}", tally.line(&late));
    assert_eq!(verdict(4).fault(), None);
    let forged =
        record(a, |record| record.verdict = Verdict::CouldNotStart { reason: "x\n2/6  b  X  25/4\u{1b}[2J".into() });
    assert!(tally.line(&forged).ends_with("x\u{fffd}2/6  b  X  25/4\u{fffd}[2J"), "{}", tally.line(&forged));
}

#[test]
fn a_tally_begins_with_the_runs_that_count() {
    let (begun, _, turns) = running();
    begun.conduct.finish(turn(&turns, "a", "X"), finished(turn(&turns, "a", "X"), |_| {})).unwrap();
    let out = judge_core::withdrawal::Withdrawal::new("gone");
    begun.conduct.withdraw(judge_core::journal::EntryAndReason { entry: "c".into(), withdrawal: out }).unwrap();
    begun.conduct.strike(judge_core::journal::BoardAndReason { board: "Y".into(), reason: "misprint".into() }).unwrap();
    let tally = Tally::new(&begun.conduct.contents(), None, 0);
    let names = |names: Vec<&str>| names.join(" ");
    let plan = tally.plan();
    assert_eq!(names(plan.entries.iter().map(|entry| &*entry.name).collect()), "a b");
    assert_eq!(names(plan.boards.iter().map(|board| &*board.name).collect()), "X");
    assert_eq!((tally.done().0, tally.cell("a", "X").as_str(), tally.begun("X")), (2, "25/4", true));
    assert_eq!(tally.left(0), Left::Unknown, "nothing runs");
}
