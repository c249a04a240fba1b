//! The ranking applied to single boards, and to the boards that two rows have in common.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Addend, Criterion, Decision, Rank, RankHead, RankedFigures, decided};
use crate::figure::{Failed, Source};
use crate::plan::{Plan, RankKey};
use crate::reference::{Reference, value};
use crate::relative::{self, Direction};
use crate::score::{Row, RunCell};
use crate::scoring::Scoring;

/// The better of two runs on a board, or of two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairResult {
    /// The first is better.
    First,
    /// Both are equal.
    Tie,
    /// The second is better.
    Second,
    /// A run is missing or is a judge error.
    Missing,
    /// A deciding figure is not recorded. For example, tables have no progress for an illegal answer.
    Unknown,
}

/// A ranking for runs on one board. Time does not decide there, unless it is the first measured figure: two times always differ,
/// and no board would be a tie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardRanking {
    order: Vec<RankKey>,
    scoring: Arc<Scoring>,
    timed: bool,
}

impl BoardRanking {
    /// The ranking of a contest.
    pub fn from_plan(plan: &Plan) -> Self {
        Self::new(&plan.ranking, plan.figures())
    }

    pub(crate) fn new(order: &[RankKey], scoring: Arc<Scoring>) -> Self {
        Self { order: order.to_vec(), timed: led_by_time(order, &scoring), scoring }
    }

    /// The figures that decide, most important first.
    pub fn order(&self) -> &[RankKey] {
        &self.order
    }

    /// The figures of the contest.
    pub fn scoring(&self) -> &Scoring {
        &self.scoring
    }

    /// Returns the better of two runs on a board.
    pub fn better_of(&self, first: &RunCell, second: &RunCell) -> PairResult {
        if !first.judged() || !second.judged() {
            return PairResult::Missing;
        }
        let [first, second] = self.figures([first, second]);
        for &key in self.order.iter().filter(|key| self.timed || **key != RankKey::Time) {
            match (first.gain(key), second.gain(key)) {
                // Tables contain no tie-breaks of single boards.
                (None, None) if !self.counts_for_failures(key) => {}
                (Some(_), Some(_)) => match first.compare_by(&second, key) {
                    Ordering::Less => return PairResult::First,
                    Ordering::Greater => return PairResult::Second,
                    Ordering::Equal => {}
                },
                // An answer that solves the board has all its progress.
                _ => {
                    return match first.solved.cmp(&second.solved) {
                        Ordering::Greater => PairResult::First,
                        Ordering::Less => PairResult::Second,
                        Ordering::Equal => PairResult::Unknown,
                    };
                }
            }
        }
        PairResult::Tie
    }

    /// Sorts judged runs of one board, the best first, by the whole ranking.
    pub(crate) fn sort(&self, runs: &mut [&RunCell]) {
        runs.sort_by(|first, second| {
            let [first, second] = self.figures([first, second]);
            first.compare(&second, &self.order)
        });
    }

    /// Tests whether failures count a figure that the referee gave with its ruling and that tables do not show.
    fn counts_for_failures(&self, key: RankKey) -> bool {
        let RankKey::Figure(name) = key else { return false };
        let figure = self.scoring.index_of(name).map(|at| &self.scoring.figures[at]);
        figure.is_some_and(|figure| figure.failed == Failed::Own && figure.from == Source::Referee)
    }

    fn figures<'a>(&'a self, runs: [&'a RunCell; 2]) -> [RankedFigures<'a>; 2] {
        let direction = self.scoring.direction();
        let values = runs.map(value);
        let best = relative::best(values.into_iter().flatten(), None, direction);
        let [first, second] = values.map(|own| Some(relative::answer_score(own, best, direction)));
        [RankedFigures::of_run(runs[0], &self.scoring, first), RankedFigures::of_run(runs[1], &self.scoring, second)]
    }
}

impl<'a> RankedFigures<'a> {
    /// The figures of one judged run.
    fn of_run(run: &'a RunCell, scoring: &'a Scoring, relative: Option<u64>) -> Self {
        Self {
            total: &run.metrics,
            relative,
            scoring,
            solved: (!run.may_solve()).then(|| usize::from(run.solves())),
            failed: usize::from(run.code.is_some()),
            unstarted: usize::from(run.never_started()),
        }
    }

    /// A figure as a number of which more is better; `None` if it is unknown. Times are in microseconds.
    fn gain(&self, key: RankKey) -> Option<i128> {
        let value = if key == RankKey::Time { self.total.time_us.map(i128::from) } else { self.value(key) };
        match key.better(self.scoring) {
            Direction::Up => value,
            Direction::Down => value.map(|value| -value),
        }
    }
}

/// Tests whether time is the first measured figure, so that it decides on single boards. If answers are accepted or not, time
/// must be the first of all figures.
fn led_by_time(order: &[RankKey], scoring: &Scoring) -> bool {
    let counts = |key: &&RankKey| !scoring.accepts() && key.is_count();
    order.iter().find(|key| !counts(key)) == Some(&RankKey::Time)
}

impl Criterion {
    /// The name of the figure; `rounds` if one entry reached a later round.
    pub fn name(&self) -> &str {
        match self {
            Self::Rounds => "rounds",
            Self::Figure(key) => key.name(),
        }
    }
}

/// A row, its runs on the common boards, and the reference of each.
pub(crate) struct OnBoards<'a> {
    pub(crate) row: &'a Row,
    pub(crate) runs: Vec<(&'a RunCell, &'a Reference)>,
}

impl<'a> OnBoards<'a> {
    fn figures(&self) -> Vec<RankedFigures<'a>> {
        let of_run = |&(run, reference): &(&'a RunCell, &Reference)| {
            RankedFigures::of_run(run, &self.row.scoring, reference.score(run))
        };
        self.runs.iter().map(of_run).collect()
    }
}

/// The comparison of two rows on their common boards by the ranking.
pub(crate) struct RowComparison {
    /// The row that ranks higher.
    pub(crate) better: PairResult,
    /// The decision; `None` if they are equal.
    pub(crate) decision: Option<Decision>,
    /// The gains of the first row on each board, for each criterion of each round in the order in which they decide. Criteria
    /// with an unknown figure are left out, and so are those in which both rows are equal on all boards.
    pub(crate) gains: Vec<Vec<i128>>,
}

/// Compares two rows on these boards. All of these runs were judged. Time decides only if both are `timed` together: times of two
/// contests or tries at different hours differ without a reason in the entries.
pub(crate) fn compared(first: &OnBoards<'_>, second: &OnBoards<'_>, order: &[RankKey], timed: bool) -> RowComparison {
    let rank = |side: &OnBoards<'_>| {
        let addends: Vec<Addend<'_>> = side.runs.iter().map(|(run, reference)| Addend::new(run, reference)).collect();
        // A table can have totals of figures that its cells do not contain.
        let stated = side.runs.len() == side.row.cells.len();
        Rank::new(RankHead::new(side.row), addends.iter(), stated.then_some(side.row))
    };
    let ranks = [rank(first), rank(second)];
    let timed = timed || led_by_time(order, &first.row.scoring);
    let time = Criterion::Figure(RankKey::Time);
    let decision = decided(&ranks[0], &ranks[1], order).filter(|decision| timed || decision.criterion != time);
    let better = match ranks[0].compare(&ranks[1], order) {
        Ordering::Less if decision.is_some() => PairResult::First,
        Ordering::Greater if decision.is_some() => PairResult::Second,
        _ => PairResult::Tie,
    };
    let grouped = |side: &OnBoards<'_>| !side.row.scoring.groups.is_empty();
    // Groups give points for several boards together. An exchange of single boards would split them.
    let gains = if grouped(first) || grouped(second) { Vec::new() } else { gains(first, second, order, timed) };
    RowComparison { better, decision, gains }
}

fn gains(first: &OnBoards<'_>, second: &OnBoards<'_>, order: &[RankKey], timed: bool) -> Vec<Vec<i128>> {
    let (one, other) = (first.figures(), second.figures());
    let keys = || order.iter().copied().filter(|key| timed || *key != RankKey::Time);
    let round = |at: usize| first.runs[at].0.earlier_rounds;
    let last = (0..one.len()).map(round).max().unwrap_or(0);
    let mut gains = Vec::new();
    for (round_number, key) in (0..=last).rev().flat_map(|number| keys().map(move |key| (number, key))) {
        let gain = |at: usize| match (one[at].gain(key), other[at].gain(key)) {
            _ if round(at) != round_number => Some(0),
            (Some(one), Some(other)) => Some(one - other),
            _ => None,
        };
        let all: Option<Vec<i128>> = (0..one.len()).map(gain).collect();
        gains.extend(all.filter(|all| all.iter().any(|gain| *gain != 0)));
    }
    gains
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{FigureName, Figures, RefereeFigures};
    use crate::game::{IllegalMove, Score};
    use crate::games;
    use crate::verdict::{Exit, Verdict};

    fn given(progress: u64, moves: u64) -> RefereeFigures {
        counted(Score { progress, of: 25, moves, tie_break: 0 })
    }

    fn counted(score: Score) -> RefereeFigures {
        games::GAMES[0].given(score)
    }

    fn of_game() -> Arc<Scoring> {
        Arc::new(Scoring::of_game(""))
    }

    fn cell(verdict: &Verdict) -> RunCell {
        RunCell::from_verdict(verdict, Some(1_000), 1_000, &of_game())
    }

    fn illegal(progress: u64) -> RunCell {
        let illegal = Box::new(IllegalMove { index: 2, token: "x".into(), reason: "it is no move".into() });
        cell(&Verdict::IllegalMove { given: given(progress, 1), illegal })
    }

    fn solved_in(moves: u64) -> RunCell {
        cell(&Verdict::Solved(given(25, moves)))
    }

    fn unsolved(progress: u64, moves: u64) -> RunCell {
        cell(&Verdict::Unsolved(given(progress, moves)))
    }

    /// An illegal answer in a table, which has no progress for it.
    fn illegal_in_a_table() -> RunCell {
        let mut cell = illegal(0);
        (cell.metrics.figures[0], cell.metrics.time_us) = (None, None);
        cell
    }

    fn ranking(order: &[RankKey], direction: Option<Direction>) -> BoardRanking {
        BoardRanking::new(order, direction.map_or_else(of_game, |direction| Arc::new(Scoring::new(direction, 1))))
    }

    fn better(first: &RunCell, second: &RunCell) -> PairResult {
        ranking(&RankKey::DEFAULT_ORDER, None).better_of(first, second)
    }

    #[test]
    fn a_board_has_a_better_entry_or_a_tie_by_the_ranking() {
        let tie_break = counted(Score { progress: 25, of: 25, moves: 10, tie_break: 1 });
        let quick = RunCell::from_verdict(&Verdict::Solved(given(25, 11)), Some(5), 1_000, &of_game());
        // From the best to the worst. Cells on one line tie.
        let ranks: Vec<Vec<RunCell>> = vec![
            vec![solved_in(10), solved_in(10)],
            vec![cell(&Verdict::Solved(tie_break))],
            vec![solved_in(11), quick],
            vec![unsolved(24, 7)],
            vec![unsolved(24, 99)],
            vec![illegal(24)],
            vec![unsolved(3, 7)],
            vec![illegal(3), illegal(3)],
            vec![unsolved(0, 0)],
            vec![cell(&Verdict::TimedOut), cell(&Verdict::Crashed { exit: Exit::Code(1) })],
            vec![cell(&Verdict::CouldNotStart { reason: String::new() })],
        ];
        for (rank, cells) in ranks.iter().enumerate() {
            for (other_rank, others) in ranks.iter().enumerate() {
                for (a, b) in cells.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                    let expected = match rank.cmp(&other_rank) {
                        Ordering::Less => PairResult::First,
                        Ordering::Equal => PairResult::Tie,
                        Ordering::Greater => PairResult::Second,
                    };
                    assert_eq!(better(a, b), expected, "{} {}", a.text(), b.text());
                }
            }
        }
    }

    #[test]
    fn the_figure_that_the_contest_ranks_by_decides_on_a_board() {
        let timed = |moves: u64, us: u64| {
            RunCell::from_verdict(&Verdict::Solved(given(25, moves)), Some(us), 1_000, &of_game())
        };
        let (short, quick) = (timed(10, 9_000), timed(12, 5_000));
        let cases: [(&[RankKey], PairResult); 4] = [
            (&RankKey::DEFAULT_ORDER, PairResult::First),
            (&[RankKey::Time], PairResult::Second),
            (&[RankKey::Solved, RankKey::Time], PairResult::Second),
            (&[RankKey::Relative, RankKey::Time], PairResult::First),
        ];
        for (order, expected) in cases {
            assert_eq!(ranking(order, None).better_of(&short, &quick), expected, "{order:?}");
        }
    }

    #[test]
    fn points_decide_in_their_direction() {
        // The values of failures do not depend on the direction.
        let scoring = Arc::new(Scoring::new(Direction::Up, 1));
        let scored = |points: &str| {
            let figures = Figures::one(FigureName::SCORE, points.parse().unwrap());
            let verdict = Verdict::Valid(RefereeFigures::new(figures));
            RunCell::from_verdict(&verdict, Some(1_000), 1_000, &scoring)
        };
        let crash = RunCell::from_verdict(&Verdict::Crashed { exit: Exit::Code(1) }, Some(1_000), 1_000, &scoring);
        let better = |first: &RunCell, second: &RunCell| {
            [Direction::Up, Direction::Down].map(|direction| {
                ranking(&RankKey::usual(&Scoring::new(direction, 1)), Some(direction)).better_of(first, second)
            })
        };
        assert_eq!(better(&scored("7.5"), &scored("3.0")), [PairResult::First, PairResult::Second]);
        assert_eq!(better(&scored("7.5"), &scored("7.5")), [PairResult::Tie, PairResult::Tie]);
        assert_eq!(better(&scored("0.0"), &crash), [PairResult::First, PairResult::First]);
        assert_eq!(better(&crash, &crash), [PairResult::Tie, PairResult::Tie]);
        assert_eq!(better(&crash, &RunCell::missing()), [PairResult::Missing, PairResult::Missing]);
    }

    #[test]
    fn missing_and_unknown_runs_favour_neither_entry() {
        let judge_error = cell(&Verdict::JudgeError { reason: String::new().into() });
        for other in [solved_in(10), unsolved(3, 7), illegal_in_a_table(), judge_error.clone(), RunCell::missing()] {
            for nothing in [&judge_error, &RunCell::missing()] {
                assert_eq!(better(nothing, &other), PairResult::Missing);
                assert_eq!(better(&other, nothing), PairResult::Missing);
            }
        }
        assert_eq!(better(&solved_in(10), &illegal_in_a_table()), PairResult::First);
        assert_eq!(better(&illegal_in_a_table(), &solved_in(10)), PairResult::Second);
        assert_eq!(better(&illegal_in_a_table(), &unsolved(3, 7)), PairResult::Unknown);
        assert_eq!(better(&illegal_in_a_table(), &illegal_in_a_table()), PairResult::Unknown);
    }
}
