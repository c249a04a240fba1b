//! The early end of a try: runs are compared with those of an earlier version as they finish.

use judge_core::compare::statistics::BettingTest;
use judge_core::compare::{BoardRanking, PairResult};
use judge_core::journal::{ContestState, Record};
use judge_core::results::Results;
use judge_core::score::RunCell;

/// The comparison with an earlier version while the boards run. Boards count in their order, not as they finish.
/// Otherwise quick boards, which may be easy ones, would count more.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Decision {
    earlier: Results,
    ranking: BoardRanking,
    outcomes: Vec<Option<PairResult>>,
    /// The number of boards that have counted, in their order, up to the decision.
    pub counted: usize,
    /// The test on these boards: a win is a board that the new version won.
    pub test: BettingTest,
}

impl Decision {
    /// A comparison with these earlier results, without any board yet.
    pub fn new(earlier: Results, contents: &ContestState) -> Self {
        let ranking = BoardRanking::from_plan(&contents.plan);
        Self {
            earlier,
            ranking,
            outcomes: vec![None; contents.order().len()],
            counted: 0,
            test: BettingTest::default(),
        }
    }

    /// Adds a finished run, and returns true if the comparison is decided.
    pub fn add(&mut self, record: &Record) -> bool {
        // Runs that were in progress at the decision do not change it.
        if self.test.decided() {
            return true;
        }
        let now = RunCell::from_verdict(&record.verdict, record.wall_us, record.limit_ms, &self.earlier.scoring);
        let column = self.earlier.boards.iter().position(|board| *board.name == *record.key.board);
        let before = column.and_then(|column| self.earlier.rows.first().map(|row| &row.cells[column]));
        let outcome = before.map_or(PairResult::Missing, |before| self.ranking.better_of(before, &now));
        self.outcomes[record.seq - 1] = Some(outcome);
        while let Some(Some(outcome)) = self.outcomes.get(self.counted).copied() {
            self.counted += 1;
            match outcome {
                PairResult::First => self.test.add(false),
                PairResult::Second => self.test.add(true),
                PairResult::Tie | PairResult::Missing | PairResult::Unknown => {}
            }
            if self.test.decided() {
                return true;
            }
        }
        false
    }
}
