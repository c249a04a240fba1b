//! Tests of the progress and the look of the screen, with invented times.

use std::fs;
use std::path::Path;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::screen::draw;
use crate::screen::Canvas;
use judge_contest::open_contest::Event;
use judge_contest::progress::{ContestProgress, Left};
use judge_contest::schedule::{EngineData, EngineState};
use judge_contest::{Contest, Overrides, Plan};
use judge_core::journal::Record;
use judge_core::key::RunKey;
use judge_core::points::Points;
use judge_core::results::Results;
use judge_slurm::{ClusterState, Notice};

const SECOND: u64 = 1_000_000;

/// Two boards and three entries, the last of which does not compete.
fn plan() -> Plan {
    let folder = tempfile::tempdir().unwrap();
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/loyd");
    let mut text = "name = \"Small\"\ngame = \"loyd\"\nlimit = \"10s\"\n".to_owned();
    for (name, file) in [("ONE", "near-end-1.txt"), ("TWO", "near-end-2.txt")] {
        text += &format!("[[board]]\nname = \"{name}\"\nfile = {:?}\n", boards.join(file).display().to_string());
    }
    for (name, more) in [("ant", ""), ("bee", ""), ("cat", "competing = false\n")] {
        text += &format!("[[entry]]\nname = \"{name}\"\ncommand = \"true\"\n{more}");
    }
    fs::write(folder.path().join("contest.toml"), text).unwrap();
    Plan::clone(&Contest::load(folder.path(), &Overrides::default()).unwrap().plan)
}

/// A finished run that took `seconds`.
fn record(seq: usize, key: &RunKey, seconds: u64, verdict: Value) -> Record {
    let mut record = json!({
        "seq": seq, "round": 1, "entry": key.entry, "board": key.board, "wall_us": seconds * SECOND,
        "limit_ms": 10_000, "stdout_bytes": 4, "stderr_bytes": 0, "isolation": {"tier": "process_group", "layers": []},
    });
    record.as_object_mut().unwrap().extend(verdict.as_object().unwrap().clone());
    serde_json::from_value(record).unwrap()
}

fn solved(moves: u64) -> Value {
    json!({"verdict": "solved", "figures": {"progress": "25", "moves": moves.to_string(), "tie_break": "0"}, "full": "25"})
}

fn illegal() -> Value {
    json!({"verdict": "illegal_move", "figures": {"progress": "22", "moves": "3", "tie_break": "0"}, "full": "25", "failed_at": 4,
           "token": "x", "reason": "an answer holds only the moves u, d, l, r, t and white space"})
}

/// A contest before its first run.
fn begun(jobs: usize) -> (ContestProgress, Vec<RunKey>) {
    let plan = plan();
    let order = plan.start_order();
    let mut progress = ContestProgress::from_runs(plan, 1, &order, &[], Some(jobs), 0);
    progress.follow(&Event::Pass { runs: order.clone(), repeats: false }, 0);
    (progress, order)
}

fn start(progress: &mut ContestProgress, key: &RunKey, at: u64) {
    progress.follow(&Event::Started(key.clone()), at);
}

fn finish(progress: &mut ContestProgress, record: &Record, at: u64) {
    progress.follow(&Event::Finished(Box::new(record.clone())), at);
}

/// Passes a run from its start to its end to the progress.
fn make(progress: &mut ContestProgress, record: &Record) {
    start(progress, &record.key, 0);
    finish(progress, record, record.wall_us.unwrap());
}

fn screen(progress: &ContestProgress, now_us: u64, width: usize, height: usize) -> String {
    let mut canvas = Canvas::new(width, height);
    draw(progress, None, now_us, &mut canvas);
    canvas.text()
}

#[test]
fn time_left_becomes_an_estimate() {
    let (mut progress, order) = begun(2);
    assert_eq!(progress.left(0), Left::AtMost(Duration::from_secs(30)), "six runs of ten seconds, two at a time");
    start(&mut progress, &order[0], 0);
    start(&mut progress, &order[1], 0);
    assert_eq!(progress.left(4 * SECOND), Left::AtMost(Duration::from_secs(26)));
    finish(&mut progress, &record(1, &order[0], 2, solved(4)), 2 * SECOND);
    // Nothing is known of the other two entries: four runs of ten seconds, and six left of one.
    assert_eq!(progress.left(4 * SECOND), Left::AtMost(Duration::from_secs(23)));
    finish(&mut progress, &record(2, &order[1], 7, solved(4)), 8 * SECOND);
    // Boards take turns in who begins: on the second one that is the second entry.
    assert_eq!(order.iter().map(|key| &*key.entry).collect::<Vec<_>>(), ["ant", "bee", "cat", "bee", "cat", "ant"]);
    assert_eq!(progress.left(8 * SECOND), Left::AtMost(Duration::from_secs(20)), "nothing is known of the third entry");
    for key in &order[2..5] {
        start(&mut progress, key, 8 * SECOND);
        finish(&mut progress, &record(3, key, 1, solved(4)), 9 * SECOND);
    }
    // The longest of what is left cannot be shared.
    assert_eq!(progress.left(8 * SECOND), Left::Estimated(Duration::from_secs(2)));
    assert_eq!(progress.done(), (6, 5));
    // A run that takes longer than its entry usually does: as long again, but not beyond its limit.
    start(&mut progress, &order[5], 10 * SECOND);
    assert_eq!(progress.left(11 * SECOND), Left::Estimated(Duration::from_secs(1)));
    assert_eq!(progress.left(14 * SECOND), Left::Estimated(Duration::from_secs(4)));
    assert_eq!(progress.left(18 * SECOND), Left::Estimated(Duration::from_secs(2)));
}

#[test]
fn on_a_cluster_the_time_left_is_an_estimate_or_absent() {
    let plan = plan();
    let order = plan.start_order();
    let mut progress = ContestProgress::from_runs(plan, 1, &order, &[], None, 0);
    progress.follow(&Event::Pass { runs: order.clone(), repeats: false }, 0);
    let state = |running: usize| {
        let figures = ClusterState {
            cluster: "Slurm".into(),
            running,
            nodes: 1,
            waiting: 3,
            reasons: vec!["Resources".into()],
            arrays: vec!["12".into()],
            sent: 6,
            unsent: 0,
        };
        Event::State(EngineState { running, figures: EngineData::new(figures) })
    };
    assert_eq!(progress.left(0), Left::Unknown, "nothing was asked yet");
    progress.follow(&state(2), 0);
    assert_eq!(progress.left(0), Left::Unknown, "the tasks that wait may wait for long");
    let text = screen(&progress, 3 * SECOND, 80, 24);
    for line in ["3s elapsed", "Slurm: 2 tasks running on 1 node, 3 waiting (Resources)", "  array 12: 6 runs in tasks"]
    {
        assert!(text.lines().any(|shown| shown.trim_end() == line), "{line}: {text}");
    }
    for key in &order[..3] {
        make(&mut progress, &record(1, key, 4, solved(4)));
    }
    assert_eq!(
        progress.left(5 * SECOND),
        Left::Estimated(Duration::from_secs(6)),
        "three runs of four seconds, two at a time"
    );
    progress.follow(&state(0), 0);
    assert_eq!(progress.left(5 * SECOND), Left::Unknown, "nothing runs");
}

/// A copy of a board with the name `B` and this number.
fn named(board: &judge_contest::Board, number: usize) -> judge_contest::Board {
    let mut board = board.clone();
    board.name = format!("B{number}");
    board
}

#[test]
fn quick_runs_on_the_first_boards_are_no_estimate_of_the_others() {
    let mut plan = plan();
    let board = plan.boards[0].clone();
    plan.boards.extend((0..6).map(|number| named(&board, number)));
    let order = plan.start_order();
    let mut progress = ContestProgress::from_runs(plan, 1, &order, &[], Some(1), 0);
    progress.follow(&Event::Pass { runs: order.clone(), repeats: false }, 0);
    for (index, key) in order.iter().take(6).enumerate() {
        start(&mut progress, key, 0);
        finish(&mut progress, &record(index + 1, key, 0, solved(4)), SECOND / 100);
    }
    assert_eq!(progress.left(SECOND), Left::AtMost(Duration::from_secs(180)), "6 of 24 runs are done");
    assert!(screen(&progress, SECOND, 80, 24).contains("6 of 24 runs"));
    for (index, key) in order.iter().enumerate().skip(6).take(3) {
        start(&mut progress, key, SECOND);
        finish(&mut progress, &record(index + 1, key, 0, solved(4)), SECOND + SECOND / 100);
    }
    assert_eq!(progress.left(SECOND), Left::Estimated(Duration::from_millis(150)));
    assert!(screen(&progress, SECOND, 80, 24).contains("estimated less than 1s left"));
}

#[test]
fn standings_end_as_the_final_table() {
    let (mut progress, order) = begun(1);
    let records: Vec<Record> = order
        .iter()
        .enumerate()
        .map(|(index, key)| {
            let verdict =
                if &*key.entry == "bee" && &*key.board == "TWO" { illegal() } else { solved(index as u64 + 3) };
            record(index + 1, key, 1, verdict)
        })
        .collect();
    let leader = |progress: &ContestProgress| progress.standings().results.rows[0].clone();
    for (index, run) in records.iter().enumerate() {
        make(&mut progress, run);
        progress.rank((index as u64 + 1) * SECOND);
        let boards = progress.standings().boards;
        assert_eq!(boards, [0, 0, 1, 1, 1, 2][index]);
        // Once more with what the journal would hold: it is the same ranking.
        let plan = progress.plan();
        let mut common = plan.clone();
        common.boards.truncate(if boards == 0 { 2 } else { boards });
        assert_eq!(progress.standings().results, Results::from_contest(&common, &records[..=index]));
        if boards == 1 {
            assert_eq!((leader(&progress).entry.name.as_str(), leader(&progress).place), ("ant", Some(1)));
            assert_eq!(
                leader(&progress).total.figure(1),
                Some(Points::whole(3)),
                "the second board does not count yet"
            );
        }
    }
    // A repeated run takes the place of the one before it.
    make(&mut progress, &record(1, &order[0], 1, illegal()));
    progress.rank(6 * SECOND);
    assert_eq!(leader(&progress).total.figure(1), Some(Points::whole(11)), "not ranked again within a second");
    progress.rank(7 * SECOND);
    assert_ne!(leader(&progress).total.figure(1), Some(Points::whole(11)));
}

#[test]
fn a_cancelled_run_is_no_part_of_the_contest_any_more() {
    let (mut progress, order) = begun(2);
    start(&mut progress, &order[0], 0);
    progress.follow(&Event::Cancelled(order[0].clone()), 0);
    progress.follow(&Event::Cancelled(order[1].clone()), 0);
    assert_eq!(progress.done(), (4, 0));
    assert_eq!(progress.running(SECOND).count(), 0);
}

#[test]
fn nothing_on_the_screen_steers_a_terminal() {
    let (mut progress, order) = begun(2);
    make(&mut progress, &record(1, &order[0], 2, solved(4)));
    make(&mut progress, &record(2, &order[1], 8, illegal()));
    make(&mut progress, &record(3, &order[2], 3, json!({"verdict": "could_not_start", "reason": "\u{1b}[2J"})));
    start(&mut progress, &order[3], 9 * SECOND);
    start(&mut progress, &order[4], 3 * SECOND);
    progress.follow(&Event::Notice(EngineData::new(Notice::Continued { array: "12".into() })), 0);
    progress.rank(11 * SECOND);
    let all = screen(&progress, 11 * SECOND, 80, 24);
    assert!(!all.replace('\n', "").contains(char::is_control), "{all:?}");
    assert_snapshot!(all, @r#"
    Small, 10s per board
    3 of 6 runs ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────────────
    11s elapsed, estimated 6s left

    running: 2
      ■■········    2.0 s of 10s  bee on TWO
      ■■■■■■■■··    8.0 s of 10s  cat on TWO

    standings on the 1 board finished by all entries
                 ONE  TWO         total     time
      1 ant     25/4       025/0004/000  2000 ms
      2 bee    0/ILL    …  022/0000/000  8000 ms
        cat †  0/STA    …  000/0000/000     0 ms

    failures and notices, newest first
      continuing array 12
      cat on ONE: could not be started: �[2J
      bee on ONE: illegal move 4 `x`: an answer holds only the moves u, d, l, r, t a
    "#);
    // A wider screen has a longer bar, and failures to their ends.
    let wide = screen(&progress, 11 * SECOND, 120, 40);
    let same = |text: &str| text.lines().skip(2).take(14).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(same(&wide), same(&all));
    assert_eq!(wide.lines().nth(1).unwrap().chars().count(), 120);
    assert!(wide.trim_end().ends_with("an answer holds only the moves u, d, l, r, t and white space"), "{wide}");
    assert_snapshot!(screen(&progress, 11 * SECOND, 40, 15), @"
    Small, 10s per board
    3 of 6 runs ━━━━━━━━━━━━━━──────────────
    11s elapsed, estimated 6s left

    running: 2
      ■■········    2.0 s of 10s  bee on TWO
      ■■■■■■■■··    8.0 s of 10s  cat on TWO

    standings on the 1 board finished by all
               TWO         total     time
      1 ant         025/0004/000  2000 ms
      2 bee      …  022/0000/000  8000 ms
        cat †    …  000/0000/000     0 ms
    failures and notices, newest first
      continuing array 12
    ");
    // Any size will do.
    for (width, height) in (1..90).flat_map(|width| (1..30).map(move |height| (width, height))) {
        screen(&progress, 11 * SECOND, width, height);
    }
}

#[test]
fn more_boards_and_entries_than_there_is_room_for_are_counted() {
    let mut plan = plan();
    let (board, entry) = (plan.boards[0].clone(), plan.entries[0].clone());
    for number in 0..30 {
        plan.boards.push(named(&board, number));
        let mut entry = entry.clone();
        entry.name = format!("entry-{number}");
        plan.entries.push(entry);
    }
    let order = plan.start_order();
    let records: Vec<Record> =
        order.iter().take(33 * 20).enumerate().map(|(seq, key)| record(seq + 1, key, 1, solved(9))).collect();
    let mut progress = ContestProgress::from_runs(plan, 1, &order, &records, Some(1), 0);
    progress.follow(&Event::Pass { runs: order[records.len()..].to_vec(), repeats: false }, 0);
    assert_snapshot!(screen(&progress, SECOND, 60, 14), @r#"
    Small, 10s per board
    660 of 1056 runs ━━━━━━━━━━━━━━━━━━━━━━━━━━─────────────────
    1s elapsed, estimated 6m 36s left

    running: 0

    standings on the 20 boards finished by all entries
                   B14   B15   B16   B17         total      time
      1 ant       25/9  25/9  25/9  25/9  500/0180/000  20000 ms
      1 bee       25/9  25/9  25/9  25/9  500/0180/000  20000 ms
        cat †     25/9  25/9  25/9  25/9  500/0180/000  20000 ms
      1 entry-0   25/9  25/9  25/9  25/9  500/0180/000  20000 ms
      1 entry-1   25/9  25/9  25/9  25/9  500/0180/000  20000 ms
      and 28 more
    "#);
}

#[test]
fn a_failed_build_is_one_failure_of_its_entry() {
    let (mut progress, order) = begun(1);
    let failed = json!({"verdict": "build_failed", "reason": "`cc` ended with exit code 1: x.c:1: no such thing"});
    for (seq, key) in order.iter().enumerate() {
        let verdict = if &*key.entry == "ant" { failed.clone() } else { solved(4) };
        let record = record(seq + 1, key, 1, verdict);
        make(&mut progress, &record);
        let line = progress.line(&record);
        assert_eq!(line.ends_with("  not built, so not run"), &*key.entry == "ant", "{line}");
        assert!(!line.contains("no such thing"), "its reason was printed when it failed: {line}");
    }
    let faults: Vec<String> = progress.remarks().map(|remark| super::in_words(remark, &progress)).collect();
    assert_eq!(faults, ["ant: build failed: `cc` ended with exit code 1: x.c:1: no such thing"]);
}
