//! The search of the article: depth-first up to a limit, with a backward and a forward history of positions.
//!
//! A move is one unit step. At each depth the search tries the blocks in their order, each in the directions right, up,
//! left, down. It skips a step that
//! - moves X upward;
//! - fails the BAF test (back and forth): the moving block was the last to leave every cell that the step covers;
//! - leads to a position of the *backward history*: one on the path from the start;
//! - leads to a position of the *forward history* that was undone at this move number or an earlier one.
//!
//! In both histories, blocks of the same shape are interchangeable. The article does the same: it stores one bit board
//! per type of block.

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::Board;
use crate::cells::Direction;
use crate::moves::Answer;
use crate::position::Position;

/// The number of steps between two checks of the deadline.
const DEADLINE_INTERVAL: u64 = 1 << 12;
/// The number of cells of a set.
const CELLS: usize = 64;

/// The outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// X is on its goal.
    Solved(Answer),
    /// All steps were tried: there is no answer, or none that this method finds within the limit.
    Exhausted,
    /// The deadline passed before all steps were tried.
    OutOfTime,
}

/// The work of a search, and the size of its histories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Steps made. Each is undone again, and written into the forward history, unless it is part of the answer.
    pub steps: u64,
    /// The positions of the forward history, each once.
    pub forward: Vec<Position>,
    /// The most blocks on the stack of one cell for the BAF test.
    pub stack: usize,
}

/// A step on the path, with the data to undo it.
struct Made {
    block: usize,
    direction: Direction,
    /// The cells that the block left, as bits.
    left: u64,
    /// The canonical position it led to.
    reached: Position,
}

/// The state of the search.
struct Search<'board> {
    board: &'board Board,
    limit: usize,
    at: Position,
    free: u64,
    made: Vec<Made>,
    backward: FxHashSet<Position>,
    /// The lowest move number at which each position was undone.
    forward: FxHashMap<Position, usize>,
    /// For each cell, the blocks that have left it, the last on top.
    left_by: Vec<Vec<usize>>,
    /// Steps made so far, those taken back included.
    steps: u64,
    /// The most blocks on one of these stacks so far.
    stack: usize,
}

/// Searches up to `limit` moves and stops at the first answer.
pub fn solve(board: &Board, limit: usize, deadline: Option<Instant>) -> (Outcome, Work) {
    let start = *board.start();
    let mut search = Search {
        board,
        limit,
        at: start,
        free: start.free(board),
        made: Vec::new(),
        backward: FxHashSet::from_iter([start.canonical(board)]),
        forward: FxHashMap::default(),
        left_by: vec![Vec::new(); CELLS],
        steps: 0,
        stack: 0,
    };
    let outcome = search.run(deadline);
    (outcome, Work { steps: search.steps, forward: search.forward.into_keys().collect(), stack: search.stack })
}

impl Search<'_> {
    fn run(&mut self, deadline: Option<Instant>) -> Outcome {
        if self.at.is_solved(self.board) {
            return Outcome::Solved(Answer::default());
        }
        // One counter covers blocks and directions, as in the article.
        let mut trial = 0;
        loop {
            let next = (trial..self.board.blocks() * 4).find(|&trial| self.make(trial / 4, Direction::ALL[trial % 4]));
            if next.is_some() {
                self.steps += 1;
                if self.at.is_solved(self.board) {
                    return Outcome::Solved(self.answer());
                }
                if self.steps.is_multiple_of(DEADLINE_INTERVAL)
                    && deadline.is_some_and(|deadline| Instant::now() >= deadline)
                {
                    return Outcome::OutOfTime;
                }
            }
            let dead_end = next.is_none() || self.made.len() == self.limit;
            trial = if dead_end {
                let Some(undone) = self.undo() else { return Outcome::Exhausted };
                undone + 1
            } else {
                0
            };
        }
    }

    /// Makes a step unless the rules or one of the tests forbid it.
    fn make(&mut self, block: usize, direction: Direction) -> bool {
        let before = self.at.footprint(self.board, block);
        let after = direction.step(before);
        let covered = after & !before;
        let whole = after.count_ones() == before.count_ones();
        if !whole || covered & !self.free != 0 || (block == self.board.target() && direction == Direction::Up) {
            return false;
        }
        if cells(covered).all(|cell| self.left_by[cell].last() == Some(&block)) {
            return false;
        }
        let corner = direction.step(1 << self.at.corner(block)).trailing_zeros();
        let next = self.at.with(block, u8::try_from(corner).expect("one of 64 cells"));
        let reached = next.canonical(self.board);
        let number = self.made.len() + 1;
        if self.backward.contains(&reached) || self.forward.get(&reached).is_some_and(|&failed| number >= failed) {
            return false;
        }
        let left = before & !after;
        for cell in cells(left) {
            self.left_by[cell].push(block);
            self.stack = self.stack.max(self.left_by[cell].len());
        }
        self.free = (self.free | left) & !covered;
        self.at = next;
        self.backward.insert(reached);
        self.made.push(Made { block, direction, left, reached });
        true
    }

    /// Undoes the last step and returns its value of the counter; `None` if there is no step.
    fn undo(&mut self) -> Option<usize> {
        let number = self.made.len();
        let Made { block, direction, left, reached } = self.made.pop()?;
        // The step was allowed, so its number is lower than a number stored before.
        self.forward.insert(reached, number);
        self.backward.remove(&reached);
        for cell in cells(left) {
            self.left_by[cell].pop();
        }
        let back = direction.opposite().step(1 << self.at.corner(block)).trailing_zeros();
        self.at.put(block, u8::try_from(back).expect("one of 64 cells"));
        self.free = self.at.free(self.board);
        let place = Direction::ALL.iter().position(|&tried| tried == direction)?;
        Some(4 * block + place)
    }

    fn answer(&self) -> Answer {
        let mut answer = Answer::default();
        for made in &self.made {
            answer.push(self.board.label(made.block), vec![made.direction]);
        }
        answer
    }
}

/// The numbers of the cells of a set.
fn cells(mut cells: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then_some(cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(cell)
    })
}
