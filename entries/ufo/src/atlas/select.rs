//! Selection and sorting of a group's problems, as in the second program of the article of 1999.
//!
//! The criteria of that program were "moves, steps and position of the pieces, … the sum of moves and steps, the
//! difference between moves and steps, and moves as a percentage of steps". The number of best answers is an addition.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use crate::answer::Cost;
use crate::position::Position;

use super::table::{Solution, Table};

/// A figure of a problem, used to select and sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Moves of the best answers.
    Moves,
    /// Steps of the best answers.
    Steps,
    /// The sum of moves and steps.
    Sum,
    /// The steps beyond the moves.
    Difference,
    /// Moves as a percentage of steps.
    Ratio,
    /// The number of best answers.
    Answers,
}

impl Figure {
    /// Every figure, in the order in which help lists them.
    pub const ALL: [Figure; 6] =
        [Figure::Moves, Figure::Steps, Figure::Sum, Figure::Difference, Figure::Ratio, Figure::Answers];

    /// The name used in commands.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Moves => "moves",
            Figure::Steps => "steps",
            Figure::Sum => "sum",
            Figure::Difference => "difference",
            Figure::Ratio => "ratio",
            Figure::Answers => "answers",
        }
    }

    /// The figure of a problem as a fraction; a percentage need not be whole.
    fn fraction(self, solution: &Solution) -> (u64, u64) {
        let Cost { moves, steps } = solution.cost;
        let (moves, steps) = (u64::from(moves), u64::from(steps));
        match self {
            Figure::Moves => (moves, 1),
            Figure::Steps => (steps, 1),
            Figure::Sum => (moves + steps, 1),
            Figure::Difference => (steps - moves, 1),
            Figure::Ratio => (100 * moves, steps),
            Figure::Answers => (solution.count, 1),
        }
    }

    /// A sort key that grows with the figure.
    fn key(self, solution: &Solution) -> u64 {
        let (numerator, denominator) = self.fraction(solution);
        // Only percentages have denominators. These are below 2¹³, so different percentages differ by more than 2⁻²⁶.
        if denominator == 1 { numerator } else { (numerator << 32) / denominator }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Figure {
    type Err = String;

    fn from_str(text: &str) -> Result<Figure, String> {
        let found = Figure::ALL.into_iter().find(|figure| figure.name() == text);
        found.ok_or_else(|| {
            let names = Figure::ALL.map(Figure::name).join(", ");
            format!("unknown figure `{text}`; use {names}")
        })
    }
}

/// An inclusive range of numbers: `10`, `10..12`, `10..`, `..12`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    from: u64,
    to: u64,
}

impl Span {
    fn contains(self, (numerator, denominator): (u64, u64)) -> bool {
        let times = |bound: u64| u128::from(bound) * u128::from(denominator);
        (times(self.from)..=times(self.to)).contains(&u128::from(numerator))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let refused = || format!("invalid range `{text}`; use for example 10, 10..12, 10.. or ..12");
        let number = |text: &str, absent: u64| {
            if text.is_empty() { Ok(absent) } else { text.parse().map_err(|_| refused()) }
        };
        let span = match text.split_once("..") {
            Some((from, to)) => Span { from: number(from, 0)?, to: number(to, u64::MAX)? },
            None => text.parse().map(|only| Span { from: only, to: only }).map_err(|_| refused())?,
        };
        if span.from > span.to { Err(format!("empty range `{text}`; put the smaller number first")) } else { Ok(span) }
    }
}

/// The criteria and the order of a selection.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Ranges that figures must be in.
    pub spans: Vec<(Figure, Span)>,
    /// Squares with letter pieces. One rotation or reflection of the problem must satisfy this, `numbers` and `empty`.
    pub letters: u64,
    /// Squares with number pieces; see `letters`.
    pub numbers: u64,
    /// Squares without pieces; see `letters`.
    pub empty: u64,
    /// Includes problems with insignificant number pieces.
    pub insignificant: bool,
    /// Figures to sort by, the most important first; ties keep the order of the table.
    pub order: Vec<Figure>,
    /// Sorts the smallest first instead of the largest.
    pub ascending: bool,
    /// The most problems to return.
    pub first: usize,
}

/// The result of a selection.
#[derive(Debug)]
pub struct Selected {
    /// The number of problems that meet the criteria.
    pub matching: u64,
    /// The first of them, turned so that their pieces are on the requested squares.
    pub problems: Vec<(Position, Solution)>,
}

impl Selection {
    /// Selects from all problems of a table.
    pub fn select(&self, table: &Table) -> Selected {
        // The heap holds the first problems so far, with the last of them on top.
        let mut first: BinaryHeap<(Vec<Reverse<u64>>, usize)> = BinaryHeap::new();
        let mut matching = 0;
        for (state, position, solution) in table.solved_states() {
            if !self.admits(&solution) || self.turned(table, position, solution).is_none() {
                continue;
            }
            matching += 1;
            first.push((self.key(&solution), state));
            if first.len() > self.first {
                first.pop();
            }
        }
        let problem = |(_, state): (_, usize)| {
            let (position, solution) = table.problem(state)?;
            self.turned(table, position, solution)
        };
        Selected { matching, problems: first.into_sorted_vec().into_iter().filter_map(problem).collect() }
    }

    fn admits(&self, solution: &Solution) -> bool {
        (self.insignificant || solution.is_significant())
            && self.spans.iter().all(|(figure, span)| span.contains(figure.fraction(solution)))
    }

    /// A key that sorts the first problem lowest.
    fn key(&self, solution: &Solution) -> Vec<Reverse<u64>> {
        let key = |figure: &Figure| {
            let key = figure.key(solution);
            Reverse(if self.ascending { u64::MAX - key } else { key })
        };
        self.order.iter().map(key).collect()
    }

    /// The problem in the first orientation that has its pieces on the requested squares, if there is one.
    fn turned(&self, table: &Table, position: Position, solution: Solution) -> Option<(Position, Solution)> {
        let geometry = table.index.geometry;
        (0..8).find_map(|symmetry| {
            let image = |set: u64| geometry.image(symmetry, set);
            let turned = Position { letters: image(position.letters), numbers: image(position.numbers) };
            let fits = self.letters & !turned.letters == 0
                && self.numbers & !turned.numbers == 0
                && self.empty & turned.occupied() == 0;
            fits.then(|| (turned, Solution { insignificant: image(solution.insignificant), ..solution }))
        })
    }
}
