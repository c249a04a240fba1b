//! Two entries, or one in two runs, side by side: who is better on each board, and what that adds up to.

use serde::Serialize;

use super::statistics::{Interval, bootstrap_mean, mean, sign_test};
use crate::score::{Cell, Metrics};

/// An entry in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryRef {
    /// The run's name, unlike that of every other run compared.
    pub run: String,
    /// The entry's name.
    pub entry: String,
}

/// Two contestants side by side. Every difference is the second's less the first's, every ratio the second's by the
/// first's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// The one that stands first: the better in its run's table, or the earlier run.
    pub first: EntryRef,
    /// The other.
    pub second: EntryRef,
    /// Boards on which the first is better.
    pub first_better: usize,
    /// Boards on which neither is.
    pub ties: usize,
    /// Boards on which the second is better.
    pub second_better: usize,
    /// Boards left out because a run is missing or the judge spoilt it.
    pub missing: usize,
    /// Boards left out because the results do not tell how far either got.
    pub untold: usize,
    /// Boards that both solved, to which the next two figures belong.
    pub both_solved: usize,
    /// Mean difference in moves.
    pub mean_difference: Option<f64>,
    /// Its bootstrap interval; `None` with fewer than two boards, and where no seed was given.
    pub interval: Option<Interval>,
    /// Two-sided p of the sign test on the boards that are no ties; `None` where all are.
    pub sign_test_p: Option<f64>,
    /// Time on all boards on which both times are known.
    pub time_ratio: Option<f64>,
    /// Board by board, in the order of the first's table: those that both runs have.
    pub boards: Vec<BoardLine>,
}

/// Two contestants on one board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardLine {
    /// The board's name.
    pub board: String,
    /// Whether it is a reconstruction.
    pub reconstruction: bool,
    /// Who is better.
    pub outcome: Outcome,
    /// What the first came to.
    pub first: Side,
    /// What the second came to.
    pub second: Side,
    /// Difference in moves; `None` unless both solved the board.
    pub moves_difference: Option<i128>,
    /// Ratio of the times.
    pub time_ratio: Option<f64>,
}

/// Who is better on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The first: alone in solving it, or in fewer moves, or with more progress where neither solves it.
    First,
    /// Neither.
    Tie,
    /// The second.
    Second,
    /// A run is missing, or the judge spoilt it.
    Missing,
    /// The results do not tell: a table has no progress of an illegal answer.
    Untold,
}

/// What a contestant came to on a board. What is not known is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The cell as the table shows it, such as `25/94` or `0/TIM`.
    pub cell: Option<String>,
    /// Whether the board is solved.
    pub solved: bool,
    /// Progress.
    pub progress: Option<u64>,
    /// Moves of a legal answer.
    pub moves: Option<u64>,
    /// The tie-break of a legal answer.
    pub tie_break: Option<u64>,
    /// Wall clock in microseconds; the limit where the run reached it.
    pub time_us: Option<u64>,
}

/// A board for [`Pair::of`]: its name, whether it is a reconstruction, and the two cells, each with the progress that
/// solves it.
pub(super) struct Meeting<'a> {
    pub(super) board: &'a str,
    pub(super) reconstruction: bool,
    pub(super) first: (&'a Cell, Option<u64>),
    pub(super) second: (&'a Cell, Option<u64>),
}

impl Pair {
    /// Two contestants on the boards that both have.
    pub(super) fn of(first: EntryRef, second: EntryRef, meetings: Vec<Meeting<'_>>, seed: Option<u64>) -> Self {
        let boards: Vec<BoardLine> = meetings.into_iter().map(BoardLine::of).collect();
        let count = |outcome: Outcome| boards.iter().filter(|line| line.outcome == outcome).count();
        let differences: Vec<i128> = boards.iter().filter_map(|line| line.moves_difference).collect();
        let (first_better, second_better) = (count(Outcome::First), count(Outcome::Second));
        let times = boards.iter().filter_map(|line| line.first.time_us.zip(line.second.time_us));
        let sum = |a: u64, b: u64| a.saturating_add(b);
        let (first_us, second_us) = times.fold((0, 0), |(a, b), (first, second)| (sum(a, first), sum(b, second)));
        Self {
            first,
            second,
            first_better,
            ties: count(Outcome::Tie),
            second_better,
            missing: count(Outcome::Missing),
            untold: count(Outcome::Untold),
            both_solved: differences.len(),
            mean_difference: mean(&differences),
            interval: seed.and_then(|seed| bootstrap_mean(&differences, seed)),
            sign_test_p: sign_test(first_better, second_better),
            time_ratio: ratio(Some(first_us), Some(second_us)),
            boards,
        }
    }

    /// On how many boards the two could be compared.
    pub fn compared(&self) -> usize {
        self.first_better + self.ties + self.second_better
    }
}

impl BoardLine {
    fn of(meeting: Meeting<'_>) -> Self {
        let Meeting { board, reconstruction, first, second } = meeting;
        let outcome = outcome(first, second);
        let [first, second] = [first, second].map(|(cell, goal)| Side::of(cell, goal));
        let moves_difference = (first.solved && second.solved)
            .then(|| Some(i128::from(second.moves?) - i128::from(first.moves?)))
            .flatten();
        let time_ratio = ratio(first.time_us, second.time_us);
        Self { board: board.to_owned(), reconstruction, outcome, first, second, moves_difference, time_ratio }
    }

    /// Whether the two differ in anything but time, which no two runs share.
    pub fn differs(&self) -> bool {
        let apart = |figure: fn(&Side) -> Option<u64>| {
            figure(&self.first).zip(figure(&self.second)).is_some_and(|(first, second)| first != second)
        };
        self.first.cell != self.second.cell || apart(|side| side.progress) || apart(|side| side.tie_break)
    }
}

impl Side {
    fn of(cell: &Cell, goal: Option<u64>) -> Self {
        let Metrics { progress, moves, tie_break, time_us } = cell.figures;
        // A table adds 0 where there is no legal answer; here that would be a figure nobody measured.
        let legal = |figure: Option<u64>| figure.filter(|_| cell.code.is_none());
        Self {
            cell: (cell != &Cell::missing()).then(|| cell.text()),
            solved: cell.solves(goal),
            progress,
            moves: legal(moves),
            tie_break: legal(tie_break),
            time_us,
        }
    }
}

/// As the ranking has it: solved before unsolved, more progress first, and at equal progress a legal answer before an
/// illegal one. Moves decide only between two that solved the board.
fn outcome((first, goal): (&Cell, Option<u64>), (second, other_goal): (&Cell, Option<u64>)) -> Outcome {
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
            let (first, second) = (first.figures.moves, second.figures.moves);
            better(first < second, second < first)
        }
        (false, false) => match (first.figures.progress, second.figures.progress) {
            (Some(a), Some(b)) if a != b => better(a > b, b > a),
            (Some(_), Some(_)) => {
                let illegal = |cell: &Cell| cell.code == Some("ILL");
                better(!illegal(first) && illegal(second), illegal(first) && !illegal(second))
            }
            _ => Outcome::Untold,
        },
        (first, second) => better(first, second),
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
        Score { progress, of: 25, moves, tie_break: 0 }
    }

    fn cell(verdict: &Verdict) -> Cell {
        Cell::of(verdict, Some(1_000), 1_000)
    }

    fn illegal(progress: u64) -> Cell {
        let illegal = IllegalMove { index: 2, token: "x".into(), reason: "it is no move".into() };
        cell(&Verdict::IllegalMove { score: score(progress, 1), illegal })
    }

    fn solved_in(moves: u64) -> Cell {
        cell(&Verdict::Solved(score(25, moves)))
    }

    fn unsolved(progress: u64) -> Cell {
        cell(&Verdict::Unsolved(score(progress, 7)))
    }

    /// An illegal answer in a table, which does not tell how far it got.
    fn illegal_in_a_table() -> Cell {
        let figures = Metrics { moves: Some(0), ..Metrics::default() };
        Cell { code: Some("ILL"), figures, ..Cell::missing() }
    }

    fn better(first: &Cell, second: &Cell) -> Outcome {
        outcome((first, first.of.or(Some(25))), (second, second.of.or(Some(25))))
    }

    #[test]
    fn what_is_better_on_a_board() {
        // From the best to the worst; what stands on one line is a tie.
        let ranks: Vec<Vec<Cell>> = vec![
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
    fn what_is_missing_or_not_told_counts_for_nobody() {
        let spoilt = cell(&Verdict::JudgeError { reason: String::new() });
        for other in [solved_in(10), unsolved(3), illegal_in_a_table(), spoilt.clone(), Cell::missing()] {
            for nothing in [&spoilt, &Cell::missing()] {
                assert_eq!(better(nothing, &other), Outcome::Missing);
                assert_eq!(better(&other, nothing), Outcome::Missing);
            }
        }
        assert_eq!(better(&solved_in(10), &illegal_in_a_table()), Outcome::First);
        assert_eq!(better(&illegal_in_a_table(), &solved_in(10)), Outcome::Second);
        assert_eq!(better(&illegal_in_a_table(), &unsolved(3)), Outcome::Untold);
        assert_eq!(better(&illegal_in_a_table(), &illegal_in_a_table()), Outcome::Untold);
    }

    #[test]
    fn a_figure_that_nobody_measured_is_none() {
        let timed_out = Side::of(&cell(&Verdict::TimedOut), Some(25));
        assert_eq!((timed_out.moves, timed_out.tie_break, timed_out.time_us), (None, None, Some(1_000_000)));
        let missing = Side::of(&Cell::missing(), Some(25));
        assert_eq!((missing.cell, missing.progress, missing.time_us), (None, None, None));
        assert_eq!(ratio(Some(0), Some(5)), None);
        assert_eq!(ratio(Some(4), Some(6)), Some(1.5));
    }
}
