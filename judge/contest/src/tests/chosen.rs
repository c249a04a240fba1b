//! Tests of runs that a caller chooses.

use super::open_contest::Begun;
use super::*;
use crate::schedule::Local;

#[test]
fn only_the_wanted_runs_are_made() {
    let begun = Begun::three();
    let executor = FakeExecutor(&|_| Ok((End::Exited { code: 0 }, "lluu".into())));
    let slots = [vec![0], vec![1], vec![2]];
    let made = |wanted: &(dyn Fn(&RunKey) -> bool + Sync)| {
        begun.open_contest.run_those(&Local::new(&executor), &slots, &StopFlag::default(), wanted).unwrap();
        let contents = journal::read(&begun.folder.results()).unwrap();
        let mut made = names(&contents.records.iter().cloned().collect::<Vec<_>>());
        made.sort();
        made
    };
    assert_eq!(made(&|_| false), [""; 0]);
    let of_x = made(&|key| &*key.board == "X");
    assert!(of_x.len() == 3 && of_x.iter().all(|name| name.contains('X')), "{of_x:?}");
    assert_eq!(made(&|key| &*key.board == "X"), of_x, "none is made again");
    assert_eq!(made(&|_| true).len(), 6);
}

#[test]
fn one_run_writes_only_its_own_board_for_standard_input() {
    let begun = Begun::new(&["input = \"stdin\"\n", HEAD, BOARDS, ENTRIES].concat());
    let seen = Mutex::new(Vec::new());
    let executor = FakeExecutor(&|job| {
        let judge_job::Stdin::File(board) = &job.stdin else { panic!("no board") };
        let beside = fs::read_dir(board.parent().unwrap()).unwrap().count();
        seen.lock().unwrap().push((fs::read_to_string(board).unwrap(), beside));
        Ok((End::Exited { code: 0 }, "lluu".into()))
    });
    let engine = Local::new(&executor);
    let last = |waiting: &[&RunKey]| waiting.len().checked_sub(1);
    let key = begun.open_contest.run_one(&engine, &[], &StopFlag::default(), last).unwrap().unwrap();
    let plan = &begun.open_contest.contest().plan;
    let board = plan.boards.iter().find(|board| *board.name == *key.board).unwrap();
    assert_eq!(*seen.lock().unwrap(), [(board.text.clone(), 1)]);
}
