//! The gain of a running version over an earlier one: by how much, and on how many boards. These figures include no test: a
//! test that is checked repeatedly, to stop at a convenient moment, errs more often than it promises.

use std::collections::HashMap;

use crate::versions::baseline::Baseline;
use crate::versions::summary::value;
use judge_core::compare::statistics::mean;
use judge_core::compare::{BoardRanking, PairResult};
use judge_core::journal::Record;
use judge_core::plan::Plan;
use judge_core::relative::Direction;
use judge_core::score::RunCell;

/// The figures of a try so far.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Gain {
    /// The boards that have a result so far.
    pub boards: usize,
    /// The boards with an answer.
    pub answered: usize,
    /// The boards whose answers have a value: moves or points.
    pub valued: usize,
    /// The mean value; `None` without any.
    pub mean: Option<f64>,
    /// The comparison with an earlier version, if there is one.
    pub on_earlier: Option<GainOnEarlier>,
}

/// The gain over an earlier version. It is positive if the new version is better, regardless of the direction of values.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GainOnEarlier {
    /// The title of the earlier version.
    pub title: String,
    /// The boards on which both answers have a value.
    pub both: usize,
    /// The mean gain on these boards; `None` without any.
    pub mean: Option<f64>,
    /// The boards on which the new version is better.
    pub better: usize,
    /// The boards on which it is worse.
    pub worse: usize,
    /// The other boards that both have.
    pub same: usize,
}

impl Gain {
    /// The figures of these cells of a contest with this ranking, each with its board.
    pub fn new(cells: &[(&str, &RunCell)], earlier: Option<&Baseline>, ranking: &BoardRanking) -> Self {
        // Values here are integers in their smallest unit.
        let scoring = ranking.scoring();
        let unit = 10f64.powi(scoring.figures[scoring.compared()].decimals.into());
        let values: Vec<i128> = cells.iter().filter_map(|(_, cell)| value(cell)).collect();
        Self {
            boards: cells.len(),
            answered: cells.iter().filter(|(_, cell)| cell.code.is_none()).count(),
            valued: values.len(),
            mean: mean(&values).map(|mean| mean / unit),
            on_earlier: earlier.map(|earlier| GainOnEarlier::new(cells, earlier, ranking, unit)),
        }
    }
}

impl GainOnEarlier {
    fn new(cells: &[(&str, &RunCell)], earlier: &Baseline, ranking: &BoardRanking, unit: f64) -> Self {
        let before = |board: &str| {
            let column = earlier.runs.boards.iter().position(|head| head.name == board)?;
            earlier.runs.rows.first().map(|row| &row.cells[column])
        };
        let pairs = cells.iter().filter_map(|(board, now)| Some((before(board)?, *now)));
        let pairs: Vec<(&RunCell, &RunCell)> = pairs.filter(|(old, _)| old.judged()).collect();
        let fewer = ranking.scoring().direction() == Direction::Down;
        let gains: Vec<i128> = pairs
            .iter()
            .filter_map(|(old, now)| Some((value(old)?, value(now)?)))
            .map(|(old, now)| if fewer { old - now } else { now - old })
            .collect();
        let count = |wanted| pairs.iter().filter(|(old, now)| ranking.better_of(old, now) == wanted).count();
        let (better, worse) = (count(PairResult::Second), count(PairResult::First));
        Self {
            title: earlier.version.title(),
            both: gains.len(),
            mean: mean(&gains).map(|mean| mean / unit),
            better,
            worse,
            same: pairs.len() - better - worse,
        }
    }
}

/// A try while it runs: the cells so far, and the version that it is compared with.
#[derive(Debug, Clone)]
pub struct RunningTry {
    plan: Plan,
    earlier: Option<Baseline>,
    /// The last run on each board, in the order of the first runs.
    cells: Vec<(String, RunCell)>,
    places: HashMap<String, usize>,
}

impl RunningTry {
    /// A try of this plan, compared with an earlier version if there is one.
    pub fn new(plan: &Plan, earlier: Option<Baseline>) -> Self {
        Self { plan: plan.clone(), earlier, cells: Vec::new(), places: HashMap::new() }
    }

    /// Adds a finished run, and returns true if the figures may have changed.
    pub fn add(&mut self, record: &Record) -> bool {
        let cell = self.plan.cell_of(&record.key.board, &record.verdict, record.wall_us, record.limit_ms);
        if !cell.judged() {
            return false;
        }
        let board = record.key.board.to_string();
        let place = *self.places.entry(board.clone()).or_insert(self.cells.len());
        match self.cells.get_mut(place) {
            Some(known) => known.1 = cell,
            None => self.cells.push((board, cell)),
        }
        true
    }

    /// The figures of the runs that have finished so far.
    pub fn gain(&self) -> Gain {
        let cells: Vec<(&str, &RunCell)> = self.cells.iter().map(|(board, cell)| (board.as_str(), cell)).collect();
        Gain::new(&cells, self.earlier.as_ref(), &BoardRanking::from_plan(&self.plan))
    }

    /// The plan of the try.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::version::Version;
    use judge_core::results::Results;

    fn results(name: &str, moves: &[Option<u64>]) -> Results {
        let runs = moves.iter().enumerate().map(|(board, moves)| match moves {
            Some(moves) => format!("s,B{board},solved,9,9,{moves},1,5,100\n"),
            None => format!("s,B{board},timed_out,0,9,,,5,100\n"),
        });
        let csv = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned()
            + &runs.collect::<String>();
        Results::read_csv(name, csv.as_bytes()).unwrap()
    }

    #[test]
    fn a_gain_has_the_sign_of_the_better_version() {
        let old = results("old", &[Some(10), Some(12), Some(14), Some(16), Some(18), Some(20), None, Some(9)]);
        let new = results("new", &[Some(8), Some(11), Some(13), Some(13), Some(18), Some(21), Some(50), None]);
        let cells: Vec<(&str, &RunCell)> =
            new.boards.iter().map(|head| head.name.as_str()).zip(&new.rows[0].cells).collect();
        let earlier = Baseline::new(Version { number: 3, ..Version::default() }, old);
        let gain = Gain::new(&cells, Some(&earlier), &new.board_ranking());
        assert_eq!((gain.boards, gain.answered, gain.valued), (8, 7, 7));
        assert!((gain.mean.unwrap() - 134.0 / 7.0).abs() < 1e-9);
        // Gains of 2, 1, 1, 3, 0 and -1.
        let on = gain.on_earlier.unwrap();
        assert_eq!((on.both, on.mean), (6, Some(1.0)));
        assert_eq!((on.better, on.worse, on.same), (5, 2, 1));
    }
}
