//! Tests of a referee of the library that panics.

use judge_core::plan::Board;
use judge_core::referee::{Referee, RefereeError, Ruling};

use super::*;

/// Panics on the board Y.
struct PanicsOnY;

impl Referee for PanicsOnY {
    fn rule(&self, board: &Board, _: &Path) -> Result<Ruling, RefereeError> {
        assert!(board.name != "Y", "referee of {}", board.name);
        Ok(Verdict::TimedOut.into())
    }
}

#[test]
fn a_panic_of_the_referee_ends_only_its_run_whenever_it_is_made() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let mut contest = folder.contest();
    contest.referee = std::sync::Arc::new(PanicsOnY);
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let runner = Runner::new(&contest, &order, &results, &slots);
    let act = |_: &Job| Ok((End::Exited { code: 0 }, "lluu".into()));
    let mut runs = all(4);
    for attempt in 1..=2 {
        runner.run(&runs, &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
        let contents = journal::read(&results).unwrap();
        for (index, record) in contents.records.iter().enumerate() {
            let panicked = matches!(&record.verdict, Verdict::JudgeError { reason } if reason.to_string() == "the referee panicked: referee of Y");
            assert_eq!(panicked, &*record.key.board == "Y", "{record:?}");
            assert_eq!(
                (record.attempt, contents.attempts()[index]),
                if panicked { (attempt, attempt) } else { (1, 1) }
            );
        }
        // Exactly these runs are repeated.
        runs = contents.missing().into_iter().map(|index| PendingRun { index, attempt: attempt + 1 }).collect();
        assert_eq!((contents.records.len(), runs.len()), (4, 2));
    }
}
