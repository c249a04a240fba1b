//! Compares two rows board by board: two entries, or one entry in two sources.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::significance::Test;
use super::statistics::{Interval, holm, mean, median, median_interval, sign_flip_test, sign_test};
use crate::code::Code;
use crate::judged_by::JudgedBy;
use crate::points::Points;
use crate::relative::{self, Direction};
use crate::score::{Metrics, RunCell};
use crate::summary::penalized_us;

/// An entry of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EntryRef {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// Name of the entry in that source.
    pub entry: String,
}

/// A comparison of two entries. Every difference is the second's minus the first's, every ratio the second's divided by
/// the first's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pair {
    /// The better one in its source's table, or the one from the earlier source.
    pub first: EntryRef,
    /// The entry that is compared with it.
    pub second: EntryRef,
    /// Boards on which the first is better.
    pub first_better: usize,
    /// Boards on which neither is better.
    pub ties: usize,
    /// Boards on which the second is better.
    pub second_better: usize,
    /// Boards left out because a run is missing or is a judge error.
    pub missing: usize,
    /// Boards left out because a progress is not recorded.
    pub unknown: usize,
    /// Differences in moves on the boards that both solved. They leave failures out.
    pub moves: Differences,
    /// Differences in the relative score, from 0 to 1 per board, on all boards with a run of both. They contain failures.
    #[serde(rename = "relative_to_best_known")]
    pub score: Differences,
    /// Differences in the time in microseconds on all boards with a run of both, where a board that is not solved counts
    /// twice the limit; `None` if a time or a limit is unknown, and in contests in which nothing solves a board.
    pub par2_us: Option<Differences>,
    /// The sign test on the boards that are not ties: is one better on more boards?
    pub sign_test: Test,
    /// The sign-flip test on the differences in the relative score: is the mean of one higher?
    #[serde(rename = "sign_flip_test")]
    pub flips: Test,
    /// The number of pairs in its family: those of the same two sources. A test is corrected for those among them that
    /// have one, see [`Test::tests`].
    pub family: usize,
    /// Ratio of the total times on the boards for which both times are known.
    pub time_ratio: Option<f64>,
    /// The boards that both have, in the order of the first's table; none if they were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<BoardLine>,
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
    /// A 95 % interval for the median over the boards of which these are a random sample; `None` below six boards.
    pub interval: Option<Interval>,
}

/// Two entries on one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardLine {
    /// Name of the board, with a mark if boards of one name differ.
    pub board: String,
    /// True if it is a reconstruction.
    pub reconstruction: bool,
    /// The better of the two entries here.
    pub outcome: Outcome,

    /// The run of the first.
    pub first: Side,
    /// The run of the second.
    pub second: Side,
    /// Difference in moves; `None` unless both solved the board.
    pub moves_difference: Option<i128>,
    /// Difference in the relative score; `None` if a run is missing or is a judge error.
    #[serde(rename = "relative_to_best_known_difference")]
    pub score_difference: Option<f64>,
    /// `score_difference` in billionths: exact, so that its sign and sums need no rounding.
    #[serde(skip)]
    score_billionths: Option<i64>,
    /// Time of the second divided by that of the first; `None` unless both are known.
    pub time_ratio: Option<f64>,
}

/// The better of two entries on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The first: only it solved the board, or it needed fewer moves, or neither solved it and it made more progress.
    First,
    /// Neither: both came equally far.
    Tie,
    /// The second, for the same reasons.
    Second,
    /// A run is missing or is a judge error.
    Missing,
    /// A progress is not recorded: tables have none for an illegal answer.
    Unknown,
}

/// An entry's run on a board. Unknown values are `None`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The cell as the table shows it, such as `25/94` or `0/TIM`.
    pub cell: Option<String>,
    /// True if the board is solved; `None` in a contest in which nothing solves a board.
    pub solved: Option<bool>,
    /// Progress in the game's unit; more is better.
    pub progress: Option<u64>,
    /// Points of an accepted answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// Moves of a legal answer.
    pub moves: Option<u64>,
    /// The tie-break of a legal answer.
    pub tie_break: Option<u64>,
    /// Wall-clock time in microseconds; the limit if the run reached it.
    pub time_us: Option<u64>,
    /// The relative score: the best moves divided by its own, 0 if it did not solve the board; `None` if the run is
    /// missing or is a judge error.
    #[serde(rename = "relative_to_best_known")]
    pub score: Option<f64>,
    /// The time that PAR2 counts.
    #[serde(skip)]
    penalized_us: Option<u64>,
}

/// A run as it is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared<'a> {
    pub(super) cell: &'a RunCell,
    /// The progress that solves its board.
    pub(super) goal: Option<u64>,
    /// Its relative score in billionths.
    pub(super) score: Option<u64>,
    /// The better points; `None` for puzzles without points.
    pub(super) points: Option<Direction>,
    /// True if boards of its contest can be solved.
    pub(super) solving: bool,
}

/// Two runs on one board.
pub(super) struct CellPair<'a> {
    pub(super) board: &'a str,
    pub(super) reconstruction: bool,
    pub(super) first: Compared<'a>,
    pub(super) second: Compared<'a>,
}

impl Pair {
    /// Compares two entries on the boards that both have. The tests are not corrected yet, see [`Pair::correct`].
    pub(super) fn new(first: EntryRef, second: EntryRef, cells: Vec<CellPair<'_>>, seed: u64) -> Self {
        let boards: Vec<BoardLine> = cells.into_iter().map(BoardLine::from_cells).collect();
        let count = |outcome: Outcome| boards.iter().filter(|line| line.outcome == outcome).count();
        let (first_better, second_better) = (count(Outcome::First), count(Outcome::Second));
        let moves: Vec<i128> = boards.iter().filter_map(|line| line.moves_difference).collect();
        let scores: Vec<i64> = boards.iter().filter_map(|line| line.score_billionths).collect();
        let wide: Vec<i128> = scores.iter().copied().map(i128::from).collect();
        let judged = boards.iter().filter(|line| line.outcome != Outcome::Missing);
        let penalized: Option<Vec<i128>> = judged.map(BoardLine::penalized_difference).collect();
        let times = boards.iter().filter_map(|line| line.first.time_us.zip(line.second.time_us));
        let sum = |a: u64, b: u64| a.saturating_add(b);
        let (first_us, second_us) = times.fold((0, 0), |(a, b), (first, second)| (sum(a, first), sum(b, second)));
        // Every score is rounded to a billionth.
        let slack = i64::try_from(scores.len()).unwrap_or(i64::MAX);
        let uncorrected = |p: Option<f64>| Test { p, corrected: p, tests: usize::from(p.is_some()) };
        Self {
            first,
            second,
            first_better,
            ties: count(Outcome::Tie),
            second_better,
            missing: count(Outcome::Missing),
            unknown: count(Outcome::Unknown),
            moves: Differences::new(&moves, 1.0),
            score: Differences::new(&wide, relative::ONE as f64),
            par2_us: penalized.map(|penalized| Differences::new(&penalized, 1.0)),
            sign_test: uncorrected(sign_test(first_better, second_better)),
            flips: uncorrected(sign_flip_test(&scores, slack, seed)),
            family: 1,
            time_ratio: ratio(Some(first_us), Some(second_us)),
            boards,
        }
    }

    /// Corrects the tests of pairs for the number of pairs in their family: those of the same two sources.
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
}

impl BoardLine {
    fn from_cells(cells: CellPair<'_>) -> Self {
        let CellPair { board, reconstruction, first, second } = cells;
        let outcome = match first.points {
            Some(direction) => outcome_by_points(first.cell, second.cell, direction),
            None => outcome((first.cell, first.goal), (second.cell, second.goal)),
        };
        let score_billionths = first.score.zip(second.score).map(|(a, b)| b.cast_signed() - a.cast_signed());
        let [first, second] = [first, second].map(Side::from_run);
        let moves_difference = (first.solved == Some(true) && second.solved == Some(true))
            .then(|| Some(i128::from(second.moves?) - i128::from(first.moves?)))
            .flatten();
        let time_ratio = ratio(first.time_us, second.time_us);
        Self {
            board: board.to_owned(),
            reconstruction,
            outcome,
            first,
            second,
            moves_difference,
            score_difference: score_billionths.map(|difference| difference as f64 / relative::ONE as f64),
            score_billionths,
            time_ratio,
        }
    }

    /// Returns the difference of the times that PAR2 counts.
    fn penalized_difference(&self) -> Option<i128> {
        Some(i128::from(self.second.penalized_us?) - i128::from(self.first.penalized_us?))
    }

    /// Returns true if the two differ in more than time. Times always differ.
    pub fn differs(&self) -> bool {
        let apart = |figure: fn(&Side) -> Option<u64>| {
            figure(&self.first).zip(figure(&self.second)).is_some_and(|(first, second)| first != second)
        };
        self.first.cell != self.second.cell || apart(|side| side.progress) || apart(|side| side.tie_break)
    }
}

impl Side {
    fn from_run(run: Compared<'_>) -> Self {
        let Compared { cell, goal, score, points: scored, solving } = run;
        let Metrics { progress, moves, tie_break, time_us, points } = cell.metrics;
        // A table counts 0 for an illegal answer; here that would be a value that was never measured.
        let counted = scored.is_none() && cell.judged_by == JudgedBy::Progress;
        let legal = |figure: Option<u64>| figure.filter(|_| cell.code.is_none());
        Self {
            cell: (!cell.is_empty()).then(|| cell.text()),
            solved: solving.then(|| cell.solves(goal)),
            progress: progress.filter(|_| counted || scored.is_some()),
            points,
            moves: legal(moves).filter(|_| counted),
            tie_break: legal(tie_break).filter(|_| counted || scored.is_some()),
            time_us,
            score: score.map(relative::share),
            penalized_us: penalized_us(cell, goal).filter(|_| solving),
        }
    }
}

impl Differences {
    /// Summarizes differences in parts of a unit.
    fn new(differences: &[i128], unit: f64) -> Self {
        let in_units = |figure: f64| figure / unit;
        let interval = median_interval(differences);
        Self {
            boards: differences.len(),
            mean: mean(differences).map(in_units),
            median: median(differences).map(in_units),
            interval: interval.map(|Interval { low, high }| Interval { low: low / unit, high: high / unit }),
        }
    }
}

/// Compares two runs on a board. `points` has the better points of a puzzle with points.
pub fn better_of(first: &RunCell, second: &RunCell, points: Option<Direction>) -> Outcome {
    match points {
        Some(direction) => outcome_by_points(first, second, direction),
        None => outcome((first, first.of), (second, second.of)),
    }
}

/// Compares two cells as the ranking does: solved before unsolved, then more progress, then legal before illegal. Moves
/// count only if both solved the board.
fn outcome((first, goal): (&RunCell, Option<u64>), (second, other_goal): (&RunCell, Option<u64>)) -> Outcome {
    if !first.judged() || !second.judged() {
        return Outcome::Missing;
    }
    let better = |first, second| {
        if first {
            Outcome::First
        } else if second {
            Outcome::Second
        } else {
            Outcome::Tie
        }
    };
    match (first.solves(goal), second.solves(other_goal)) {
        (true, true) => {
            let (first, second) = (first.metrics.moves, second.metrics.moves);
            better(first < second, second < first)
        }
        (false, false) => match (first.metrics.progress, second.metrics.progress) {
            (Some(a), Some(b)) if a != b => better(a > b, b > a),
            (Some(_), Some(_)) => {
                let illegal = |cell: &RunCell| cell.code == Some(Code::IllegalMove);
                better(!illegal(first) && illegal(second), illegal(first) && !illegal(second))
            }
            _ => Outcome::Unknown,
        },
        (first, second) => better(first, second),
    }
}

/// Compares two cells by their points: an accepted answer is better than none.
fn outcome_by_points(first: &RunCell, second: &RunCell, direction: Direction) -> Outcome {
    if !first.judged() || !second.judged() {
        return Outcome::Missing;
    }
    let [first, second] = [first, second].map(|cell| cell.metrics.points.filter(|_| cell.code.is_none()));
    let ordering = match (first, second, direction) {
        (Some(first), Some(second), Direction::Down) => second.cmp(&first),
        (first, second, _) => first.cmp(&second),
    };
    match ordering {
        Ordering::Greater => Outcome::First,
        Ordering::Equal => Outcome::Tie,
        Ordering::Less => Outcome::Second,
    }
}

fn ratio(first: Option<u64>, second: Option<u64>) -> Option<f64> {
    let (first, second) = first.zip(second)?;
    (first > 0).then(|| second as f64 / first as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{IllegalMove, Score};
    use crate::verdict::{Exit, Verdict};

    fn score(progress: u64, moves: u64) -> Score {
        Score { progress, of: 25, moves, ..Score::default() }
    }

    fn cell(verdict: &Verdict) -> RunCell {
        RunCell::from_verdict(verdict, Some(1_000), 1_000)
    }

    fn illegal(progress: u64) -> RunCell {
        let illegal = Box::new(IllegalMove { index: 2, token: "x".into(), reason: "it is no move".into() });
        cell(&Verdict::IllegalMove { score: score(progress, 1), illegal })
    }

    fn solved_in(moves: u64) -> RunCell {
        cell(&Verdict::Solved(score(25, moves)))
    }

    fn unsolved(progress: u64) -> RunCell {
        cell(&Verdict::Unsolved(score(progress, 7)))
    }

    /// An illegal answer in a table, which has no progress for it.
    fn illegal_in_a_table() -> RunCell {
        let metrics = Metrics { moves: Some(0), ..Metrics::default() };
        RunCell { code: Some(Code::IllegalMove), metrics, ..RunCell::missing() }
    }

    fn better(first: &RunCell, second: &RunCell) -> Outcome {
        outcome((first, first.of.or(Some(25))), (second, second.of.or(Some(25))))
    }

    #[test]
    fn a_board_has_a_better_entry_or_a_tie() {
        // From the best to the worst; cells on one line are ties.
        let ranks: Vec<Vec<RunCell>> = vec![
            vec![solved_in(10), solved_in(10)],
            vec![solved_in(11)],
            vec![unsolved(24), cell(&Verdict::Unsolved(score(24, 99)))],
            vec![illegal(24)],
            vec![unsolved(3)],
            vec![illegal(3), illegal(3)],
            vec![
                cell(&Verdict::TimedOut),
                cell(&Verdict::Crashed { exit: Exit::Code(1) }),
                cell(&Verdict::CouldNotStart { reason: String::new() }),
                unsolved(0),
            ],
        ];
        for (rank, cells) in ranks.iter().enumerate() {
            for (other_rank, others) in ranks.iter().enumerate() {
                for (a, b) in cells.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                    let expected = match rank.cmp(&other_rank) {
                        std::cmp::Ordering::Less => Outcome::First,
                        std::cmp::Ordering::Equal => Outcome::Tie,
                        std::cmp::Ordering::Greater => Outcome::Second,
                    };
                    assert_eq!(better(a, b), expected, "{} {}", a.text(), b.text());
                }
            }
        }
    }

    #[test]
    fn points_decide_in_their_direction() {
        let scored = |points: &str| {
            cell(&Verdict::Valid(Score { of: 1, points: Some(points.parse().unwrap()), ..Score::default() }))
        };
        let crash = cell(&Verdict::Crashed { exit: Exit::Code(1) });
        let better = |first: &RunCell, second: &RunCell| {
            [Direction::Up, Direction::Down].map(|direction| outcome_by_points(first, second, direction))
        };
        assert_eq!(better(&scored("7.5"), &scored("3.0")), [Outcome::First, Outcome::Second]);
        assert_eq!(better(&scored("7.5"), &scored("7.5")), [Outcome::Tie, Outcome::Tie]);
        assert_eq!(better(&scored("0.0"), &crash), [Outcome::First, Outcome::First]);
        assert_eq!(better(&crash, &crash), [Outcome::Tie, Outcome::Tie]);
        assert_eq!(better(&crash, &RunCell::missing()), [Outcome::Missing, Outcome::Missing]);
    }

    #[test]
    fn missing_and_unknown_runs_favour_neither_entry() {
        let judge_error = cell(&Verdict::JudgeError { reason: String::new().into() });
        for other in [solved_in(10), unsolved(3), illegal_in_a_table(), judge_error.clone(), RunCell::missing()] {
            for nothing in [&judge_error, &RunCell::missing()] {
                assert_eq!(better(nothing, &other), Outcome::Missing);
                assert_eq!(better(&other, nothing), Outcome::Missing);
            }
        }
        assert_eq!(better(&solved_in(10), &illegal_in_a_table()), Outcome::First);
        assert_eq!(better(&illegal_in_a_table(), &solved_in(10)), Outcome::Second);
        assert_eq!(better(&illegal_in_a_table(), &unsolved(3)), Outcome::Unknown);
        assert_eq!(better(&illegal_in_a_table(), &illegal_in_a_table()), Outcome::Unknown);
    }

    #[test]
    fn a_value_that_was_not_measured_is_none() {
        let side = |cell: &RunCell| {
            Side::from_run(Compared { cell, goal: Some(25), score: None, points: None, solving: true })
        };
        let timed_out = side(&cell(&Verdict::TimedOut));
        assert_eq!((timed_out.moves, timed_out.tie_break, timed_out.time_us), (None, None, Some(1_000_000)));
        let missing = side(&RunCell::missing());
        assert_eq!((missing.cell, missing.progress, missing.time_us), (None, None, None));
        assert_eq!(ratio(Some(0), Some(5)), None);
        assert_eq!(ratio(Some(4), Some(6)), Some(1.5));
    }
}
