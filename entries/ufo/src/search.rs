//! What every search takes and gives: bounds, an outcome, the best answers.

use std::time::{Duration, Instant};

use crate::answer::{Answer, Cost, through};
use crate::board::Board;
use crate::position::Position;

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Solved.
    Solved(Best),
    /// All that can be reached was seen, and no answer is among it.
    Unsolvable,
    /// Stopped by the time limit or the limit of positions.
    GaveUp,
}

impl Outcome {
    /// What it costs where it was solved.
    pub fn cost(&self) -> Option<Cost> {
        match self {
            Outcome::Solved(best) => Some(best.cost),
            Outcome::Unsolvable | Outcome::GaveUp => None,
        }
    }

    /// One best answer to the board that was searched, with its labels; empty where there is none.
    pub fn answer(&self, board: &Board) -> Answer {
        match self {
            Outcome::Solved(best) => through(board, &best.positions),
            Outcome::Unsolvable | Outcome::GaveUp => Answer::default(),
        }
    }
}

/// The best answers to a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Best {
    /// Moves and steps of each.
    pub cost: Cost,
    /// How many different ones there are: other moves, the same moves in another order, or other steps of a move.
    pub count: u64,
    /// The position after each move of one of them.
    pub positions: Vec<Position>,
}

/// How far a search may go.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// When to stop; `None` for never.
    pub until: Option<Instant>,
    /// How many positions to hold at most.
    pub positions: usize,
}

impl Bounds {
    /// No bound on time, and on positions only what their numbering takes.
    pub const NONE: Bounds = Bounds { until: None, positions: u32::MAX as usize };

    /// What an entry may take that has so much time from now on: nine tenths of it, and of positions as many as stay
    /// below 1 GiB, where a contest does not say otherwise: measured, 600 MiB breadth-first and 800 MiB depth-first.
    pub fn of_entry(limit: Duration) -> Bounds {
        Bounds { until: Instant::now().checked_add(limit - limit / 10), positions: 14_000_000 }
    }

    /// Whether a search that holds so many positions has to stop. Looks at the clock once in 1024 positions.
    pub(crate) fn passed(&self, positions: usize, expanded: usize) -> bool {
        let late = || self.until.is_some_and(|until| Instant::now() >= until);
        positions > self.positions || expanded.is_multiple_of(1024) && late()
    }
}
