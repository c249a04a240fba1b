//! Compares two rows board by board: two entries, or one entry in two sources.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::significance::Test;
use super::statistics::{Interval, holm, mean, median, median_interval, sign_flip_test, sign_test};
use crate::figure::{Failed, Figure, Named};
use crate::points::Points;
use crate::ranking::on_board::{self, OnBoards};
use crate::ranking::{BoardRanking, Decision, PairResult};
use crate::reference::Reference;
use crate::relative;
use crate::results::Results;
use crate::score::{Row, RunCell};
use crate::summary::penalized_us;

/// An entry of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EntryRef {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// Name of the entry in this source.
    pub entry: String,
}

/// A comparison of two entries. Every difference is the second's minus the first's, every ratio the second's divided by
/// the first's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pair {
    /// The one that is higher in its source's table, or the one from the earlier source.
    pub first: EntryRef,
    /// The entry that is compared with it.
    pub second: EntryRef,
    /// The number of boards on which the first is better.
    pub first_better: usize,
    /// The number of boards on which neither is better.
    pub ties: usize,
    /// The number of boards on which the second is better.
    pub second_better: usize,
    /// The number of boards left out because a run is missing or is a judge error.
    pub missing: usize,
    /// The number of boards left out of these counts because a deciding figure is not recorded.
    pub unknown: usize,
    /// These counts on the boards that both solved.
    pub both_solved: BoardCounts,
    /// The one that ranks higher on the boards that were judged for both.
    pub better: PairResult,
    /// The deciding figure; `None` if they are equal.
    #[serde(serialize_with = "decision_name", rename = "decided_by")]
    pub decision: Option<Decision>,
    /// Differences in moves on the boards that both solved. They leave out failures.
    pub moves: Differences,
    /// Differences in the relative score, from 0 to 1 per board, on all boards with a run of both. They include failures.
    #[serde(rename = "relative_to_best_known")]
    pub score: Differences,
    /// Differences in the time in microseconds on all boards with a run of both. A board that is not solved counts twice the
    /// limit. `None` if a time or a limit is unknown, and in contests without a goal.
    pub par2_us: Option<Differences>,
    /// The sign test on the boards that are not ties, for being better on more boards.
    pub sign_test: Test,
    /// The sign-flip test of the ranking, for ranking higher on boards like these. It has no p if groups of boards determine the
    /// points.
    #[serde(rename = "sign_flip_test")]
    pub flips: Test,
    /// The number of pairs in its family: the pairs of the same two sources. A test is corrected for the pairs of the family that
    /// have such a test, see [`Test::tests`].
    pub family: usize,
    /// Ratio of the total times on the boards for which both times are known.
    pub time_ratio: Option<f64>,
    /// The common boards, in the order of the first's table; empty if they are left out or too many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<BoardLine>,
}

/// Counts of the boards of a kind by the better one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BoardCounts {
    /// The number of boards on which the first is better.
    pub first_better: usize,
    /// The number of boards on which neither is better.
    pub ties: usize,
    /// The number of boards on which the second is better.
    pub second_better: usize,
}

/// Paired differences of one figure, the second's minus the first's.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Differences {
    /// The boards with a difference.
    pub boards: usize,
    /// Mean of the differences; `None` without a board.
    pub mean: Option<f64>,
    /// Median of the differences; `None` without a board.
    pub median: Option<f64>,
    /// A 95 % interval for the median over the boards of which these are a random sample; `None` below six boards. It does not
    /// apply to the mean.
    pub median_interval: Option<Interval>,
}

/// Two entries on one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardLine {
    /// Name of the board.
    pub board: Arc<str>,
    /// True if it is a reconstruction.
    pub reconstruction: bool,
    /// The better of the two entries here.
    pub outcome: PairResult,
    /// The run of the first. All pairs of an entry share its runs.
    pub first: Arc<Side>,
    /// The run of the second.
    pub second: Arc<Side>,
    /// Difference in moves; `None` unless both solved the board.
    pub moves_difference: Option<i128>,
    /// Difference in the relative score; `None` if a run is missing or is a judge error.
    #[serde(rename = "relative_to_best_known_difference")]
    pub score_difference: Option<f64>,
    /// Time of the second divided by that of the first; `None` unless both are known.
    pub time_ratio: Option<f64>,
}

/// An entry's run on a board. Unknown values are `None`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The cell as the table shows it, such as `25/94` or `0/TIM`.
    pub cell: Option<String>,
    /// True if the board is solved; `None` in a contest without a goal, and if the goal is unknown.
    pub solved: Option<bool>,
    /// The figures of the answer. An answer with a fault has only figures that were measured or reached before it.
    pub figures: Named,
    /// Wall-clock time in microseconds; the limit if the run reached it.
    pub time_us: Option<u64>,
    /// The relative score, see [`crate::relative`], with 0 for an unsolved board. `None` if the run is missing or is a judge
    /// error.
    #[serde(rename = "relative_to_best_known")]
    pub score: Option<f64>,
}

/// A run in a comparison.
pub(super) struct ComparedRun<'a> {
    pub(super) cell: &'a RunCell,
    /// Its relative score in billionths.
    pub(super) score: Option<u64>,
    /// The reference of its board in the ranking of its source.
    pub(super) reference: &'a Reference,
    /// What a line of its board shows of it; `None` if pairs have no lines.
    pub(super) side: Option<Arc<Side>>,
}

/// Two runs on one board.
pub(super) struct CellPair<'a> {
    pub(super) board: &'a Arc<str>,
    pub(super) reconstruction: bool,
    pub(super) first: &'a ComparedRun<'a>,
    pub(super) second: &'a ComparedRun<'a>,
}

/// The data that all boards of a pair share.
#[derive(Clone, Copy)]
pub(super) struct PairContext<'a> {
    pub(super) rows: [&'a Row; 2],
    pub(super) ranking: &'a BoardRanking,
    /// True for each of the two if boards of its contest can be solved.
    pub(super) solving: [bool; 2],
    /// The seed of random sign flips.
    pub(super) seed: u64,
    /// True if both ran in the same contest, so that their times are comparable.
    pub(super) timed: bool,
}

impl Pair {
    /// Compares two entries on their common boards. The tests are not corrected yet, see [`Pair::correct`].
    pub(super) fn new(first: EntryRef, second: EntryRef, cells: &[CellPair<'_>], terms: PairContext<'_>) -> Self {
        let outcomes: Vec<PairResult> = cells.iter().map(|cells| terms.outcome(cells)).collect();
        let count = |outcome: PairResult| outcomes.iter().filter(|other| **other == outcome).count();
        let (first_better, second_better) = (count(PairResult::First), count(PairResult::Second));
        let both = |outcome: PairResult| {
            let both = cells.iter().zip(&outcomes).filter(|(cells, other)| **other == outcome && cells.both_solved());
            both.count()
        };
        let moves: Vec<i128> = cells.iter().filter_map(CellPair::moves_difference).collect();
        let scores: Vec<i128> = cells.iter().filter_map(|cells| cells.score_difference().map(i128::from)).collect();
        let judged = || cells.iter().filter(|cells| cells.judged());
        let penalized: Option<Vec<i128>> = judged().map(|cells| terms.penalized_difference(cells)).collect();
        let times = cells.iter().filter_map(|cells| cells.first.time_us().zip(cells.second.time_us()));
        let sum = |a: u64, b: u64| a.saturating_add(b);
        let (first_us, second_us) = times.fold((0, 0), |(a, b), (first, second)| (sum(a, first), sum(b, second)));
        let side = |row: usize, run: for<'c> fn(&CellPair<'c>) -> &'c ComparedRun<'c>| OnBoards {
            row: terms.rows[row],
            runs: judged().map(run).map(|run| (run.cell, run.reference)).collect(),
        };
        let sides = [side(0, |cells| cells.first), side(1, |cells| cells.second)];
        let ranked = on_board::compared(&sides[0], &sides[1], terms.ranking.order(), terms.timed);
        let uncorrected = |p: Option<f64>| Test { p, corrected: p, tests: usize::from(p.is_some()) };
        let lines = cells.iter().zip(&outcomes).filter_map(|(cells, outcome)| BoardLine::new(cells, *outcome));
        Self {
            first,
            second,
            first_better,
            ties: count(PairResult::Tie),
            second_better,
            missing: count(PairResult::Missing),
            unknown: count(PairResult::Unknown),
            both_solved: BoardCounts {
                first_better: both(PairResult::First),
                ties: both(PairResult::Tie),
                second_better: both(PairResult::Second),
            },
            better: ranked.better,
            decision: ranked.decision,
            moves: Differences::new(&moves, 1.0),
            score: Differences::new(&scores, relative::ONE as f64),
            par2_us: penalized.map(|penalized| Differences::new(&penalized, 1.0)),
            sign_test: uncorrected(sign_test(first_better, second_better)),
            flips: uncorrected(sign_flip_test(&ranked.gains, terms.seed)),
            family: 1,
            time_ratio: ratio(Some(first_us), Some(second_us)),
            boards: lines.collect(),
        }
    }

    /// Compares two rows of one table, by index, under its own ranking and without relative scores.
    ///
    /// # Panics
    ///
    /// If the table has no such row.
    pub(crate) fn of_rows(results: &Results, rows: (usize, usize)) -> Self {
        let rows = [rows.0, rows.1].map(|row| &results.rows[row]);
        let references = Reference::from_boards(&results.rows, &[]);
        let boards: Vec<Arc<str>> = results.boards.iter().map(|board| board.name.as_str().into()).collect();
        let runs = rows.map(|row| -> Vec<ComparedRun<'_>> {
            let run = |(cell, reference)| ComparedRun { cell, score: None, reference, side: None };
            row.cells.iter().zip(&references).map(run).collect()
        });
        let cells = boards.iter().zip(&results.boards).zip(runs[0].iter().zip(&runs[1]));
        let cells: Vec<CellPair<'_>> = cells
            .map(|((board, head), (first, second))| CellPair {
                board,
                reconstruction: head.reconstruction,
                first,
                second,
            })
            .collect();
        let entry = |row: &Row| EntryRef { source: String::new(), entry: row.entry.name.clone() };
        let solving = results.solving();
        let terms = PairContext {
            rows,
            ranking: &results.board_ranking(),
            solving: [solving; 2],
            seed: super::DEFAULT_SEED,
            timed: true,
        };
        Self::new(entry(rows[0]), entry(rows[1]), &cells, terms)
    }

    /// Corrects the tests of pairs for the number of pairs in their family, which are the pairs of the same two sources.
    pub(super) fn correct(pairs: &mut [Self]) {
        let mut families: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for (at, pair) in pairs.iter().enumerate() {
            families.entry((pair.first.source.clone(), pair.second.source.clone())).or_default().push(at);
        }
        for family in families.into_values() {
            let corrected =
                |test: fn(&Self) -> &Test| holm(&family.iter().map(|&at| test(&pairs[at]).p).collect::<Vec<_>>());
            let (signs, flips) = (corrected(|pair| &pair.sign_test), corrected(|pair| &pair.flips));
            let [of_signs, of_flips] = [&signs, &flips].map(|corrected| corrected.iter().flatten().count());
            for ((&at, signs), flips) in family.iter().zip(signs).zip(flips) {
                pairs[at].sign_test = Test { corrected: signs, tests: of_signs, ..pairs[at].sign_test };
                pairs[at].flips = Test { corrected: flips, tests: of_flips, ..pairs[at].flips };
                pairs[at].family = family.len();
            }
        }
    }

    /// Counts the boards on which the two could be compared.
    pub fn compared(&self) -> usize {
        self.first_better + self.ties + self.second_better
    }

    /// Counts the boards that were judged for both.
    pub fn judged(&self) -> usize {
        self.compared() + self.unknown
    }
}

impl PairContext<'_> {
    fn outcome(&self, cells: &CellPair<'_>) -> PairResult {
        let CellPair { first, second, .. } = cells;
        self.ranking.better_of(first.cell, second.cell)
    }

    /// Returns the difference of the times that PAR2 counts.
    fn penalized_difference(&self, cells: &CellPair<'_>) -> Option<i128> {
        if !(self.solving[0] && self.solving[1]) {
            return None;
        }
        let [first, second] = [cells.first, cells.second].map(|run| penalized_us(run.cell));
        Some(i128::from(second?) - i128::from(first?))
    }
}

impl CellPair<'_> {
    fn judged(&self) -> bool {
        self.first.cell.judged() && self.second.cell.judged()
    }

    fn both_solved(&self) -> bool {
        self.first.cell.solves() && self.second.cell.solves()
    }

    /// Returns the difference in the costs of the solutions; `None` unless both solved the board.
    fn moves_difference(&self) -> Option<i128> {
        let cost = |cell: &RunCell| cell.scoring.as_deref()?.cost.and(cell.compared());
        let [first, second] = [self.first, self.second].map(|run| cost(run.cell));
        Some(second?.minus(first?).units())
    }

    /// Returns the difference in the relative score in billionths.
    fn score_difference(&self) -> Option<i64> {
        Some(self.second.score?.cast_signed() - self.first.score?.cast_signed())
    }
}

impl ComparedRun<'_> {
    fn time_us(&self) -> Option<u64> {
        self.cell.metrics.time_us
    }
}

impl BoardLine {
    /// `None` if the comparison has no lines.
    fn new(cells: &CellPair<'_>, outcome: PairResult) -> Option<Self> {
        let score = cells.score_difference();
        Some(Self {
            board: cells.board.clone(),
            reconstruction: cells.reconstruction,
            outcome,
            first: cells.first.side.clone()?,
            second: cells.second.side.clone()?,
            moves_difference: cells.moves_difference(),
            score_difference: score.map(|difference| difference as f64 / relative::ONE as f64),
            time_ratio: ratio(cells.first.time_us(), cells.second.time_us()),
        })
    }

    /// Returns true if the two differ in more than time. Times always differ.
    pub fn differs(&self) -> bool {
        let [first, second] = [&self.first, &self.second].map(|side| side.figures.values());
        let apart = |(first, second): (Option<Points>, Option<Points>)| first.zip(second).is_some_and(|(a, b)| a != b);
        self.first.cell != self.second.cell || first.zip(second).any(apart)
    }
}

impl Side {
    /// A run with its relative score in billionths. `solving` is true if boards of its contest can be solved.
    pub(super) fn new(cell: &RunCell, score: Option<u64>, reference: &Reference, solving: bool) -> Self {
        // A table counts 0 for an illegal answer, but that value was never measured.
        let own = |figure: &Figure| cell.code.is_none() || figure.failed == Failed::Own;
        let figures = cell.scoring.iter().flat_map(|scoring| &scoring.figures).enumerate();
        Self {
            cell: (!cell.is_empty()).then(|| cell.text()),
            solved: reference.solved(cell).filter(|_| solving),
            figures: figures
                .map(|(at, figure)| (figure.name, cell.metrics.figure(at).filter(|_| own(figure))))
                .collect(),
            time_us: cell.metrics.time_us,
            score: score.map(relative::share),
        }
    }
}

impl Differences {
    /// Summarizes differences, given as multiples of 1 / `unit`.
    fn new(differences: &[i128], unit: f64) -> Self {
        let in_units = |figure: f64| figure / unit;
        let interval = median_interval(differences);
        Self {
            boards: differences.len(),
            mean: mean(differences).map(in_units),
            median: median(differences).map(in_units),
            median_interval: interval.map(|Interval { low, high }| Interval { low: low / unit, high: high / unit }),
        }
    }
}

fn ratio(first: Option<u64>, second: Option<u64>) -> Option<f64> {
    let (first, second) = first.zip(second)?;
    (first > 0).then(|| second as f64 / first as f64)
}

/// Serializes the name of the deciding figure.
#[allow(clippy::ref_option, reason = "serde calls it with a reference")]
fn decision_name<S: serde::Serializer>(decision: &Option<Decision>, serializer: S) -> Result<S::Ok, S::Error> {
    decision.as_ref().map(|decision| decision.criterion.name()).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::Scoring;
    use crate::verdict::Verdict;

    #[test]
    fn a_value_that_was_not_measured_is_none() {
        let reference = Reference::of_runs();
        let side = |cell: &RunCell| Side::new(cell, None, &reference, true);
        let scoring = Scoring::of_game("").into();
        let timed_out = side(&RunCell::from_verdict(&Verdict::TimedOut, Some(1_000), 1_000, &scoring));
        let figures: Vec<Option<Points>> = timed_out.figures.values().collect();
        assert_eq!((figures, timed_out.time_us), (vec![Some(Points::zero(0)), None, None], Some(1_000_000)));
        let missing = side(&RunCell::missing());
        assert_eq!((missing.cell, missing.figures.values().count(), missing.time_us), (None, 0, None));
        assert_eq!(ratio(Some(0), Some(5)), None);
        assert_eq!(ratio(Some(4), Some(6)), Some(1.5));
    }
}
