//! Limits, outcome and best answers of a search.

use std::time::{Duration, Instant};

use crate::answer::{Answer, Cost, through};
use crate::position::Position;
use crate::representation::{Labelled, Representation};

/// The outcome of a search over positions of this type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<P = Position> {
    /// A best answer was found.
    Solved(Best<P>),
    /// All reachable positions were searched; there is no answer.
    Unsolvable,
    /// Stopped by the time limit or the limit on positions.
    GaveUp,
}

impl<P> Outcome<P> {
    /// The cost of the best answers; `None` if there is none.
    pub fn cost(&self) -> Option<Cost> {
        match self {
            Outcome::Solved(best) => Some(best.cost),
            Outcome::Unsolvable | Outcome::GaveUp => None,
        }
    }

    /// One best answer to the board that was searched, with its labels; empty if there is none.
    pub fn answer<B>(&self, board: &B) -> Answer
    where
        B: Labelled<Representation: Representation<Position = P>>,
    {
        match self {
            Outcome::Solved(best) => through(board, &best.positions),
            Outcome::Unsolvable | Outcome::GaveUp => Answer::default(),
        }
    }
}

/// The best answers to a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Best<P = Position> {
    /// Moves and steps of each.
    pub cost: Cost,
    /// The number of best answers. Answers differ by their moves, the order of moves, or the steps of a move.
    pub count: u64,
    /// The position after each move of one of them.
    pub positions: Vec<P>,
}

/// The limits of a search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The deadline, if there is one.
    pub deadline: Option<Instant>,
    /// The most positions held in memory.
    pub positions: usize,
}

impl Limits {
    /// No limit on time; as many positions as a `u32` can number.
    pub const NONE: Limits = Limits { deadline: None, positions: u32::MAX as usize };

    /// Limits for an entry with this time limit from now on: nine tenths of the time, and 14 million positions. These
    /// stay below 1 GiB, the default limit of a contest: 600 MiB breadth-first and 800 MiB depth-first.
    pub fn for_entry(limit: Duration) -> Limits {
        Limits { deadline: Instant::now().checked_add(limit - limit / 10), positions: 14_000_000 }
    }

    /// True if a search that holds this many positions has to stop. Reads the clock once per 1024 positions.
    pub(crate) fn exceeded(&self, positions: usize, expanded: usize) -> bool {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        positions > self.positions || expanded.is_multiple_of(1024) && late()
    }
}
