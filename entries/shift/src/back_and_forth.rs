//! The search of the article: depth first to a limit, with a history behind and one of what failed ahead.
//!
//! A move is one unit step. At each depth, blocks are tried in their order and each in the directions right, up, left,
//! down. A step is passed over if it
//! - takes X upward;
//! - fails the BAF test (back and forth): every cell it covers was last left by this very block;
//! - leads to a position of the *backward history*, that is one on the way from the start;
//! - leads to a position of the *forward history* that was taken back at this move number or an earlier one.
//!
//! In both histories same-shaped blocks are alike, as in the article, which keeps one bit board of each block type.

use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::board::Board;
use crate::cells::Direction;
use crate::moves::Answer;
use crate::position::Position;

/// Steps between two looks at the clock.
const UNTIL_CLOCK: u64 = 1 << 12;
/// Cells that a history of leavings is kept of.
const CELLS: usize = 64;

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// X is on its goal.
    Solved(Answer),
    /// Nothing is left to try: no answer, or none that this method finds within the limit.
    Exhausted,
    /// The deadline has passed.
    OutOfTime,
}

/// A step made, to be taken back.
struct Made {
    block: usize,
    direction: Direction,
    /// The cells it left.
    left: u64,
    /// The position it led to, same-shaped blocks alike.
    reached: Position,
}

/// The search while it goes on.
struct Search<'board> {
    board: &'board Board,
    limit: usize,
    at: Position,
    free: u64,
    made: Vec<Made>,
    backward: FxHashSet<Position>,
    /// The least move number at which each position was taken back.
    forward: FxHashMap<Position, usize>,
    /// By cell: the blocks that have left it, the last on top.
    leavings: Vec<Vec<usize>>,
}

/// Searches to `limit` moves and stops at the first answer. The second figure is the number of steps made.
pub fn solve(board: &Board, limit: usize, deadline: Option<Instant>) -> (Outcome, u64) {
    let start = *board.start();
    if start.is_solved(board) {
        return (Outcome::Solved(Answer::default()), 0);
    }
    let mut search = Search {
        board,
        limit,
        at: start,
        free: start.free(board),
        made: Vec::new(),
        backward: FxHashSet::from_iter([start.alike(board)]),
        forward: FxHashMap::default(),
        leavings: vec![Vec::new(); CELLS],
    };
    search.run(deadline)
}

impl Search<'_> {
    fn run(&mut self, deadline: Option<Instant>) -> (Outcome, u64) {
        let mut steps = 0;
        // Blocks and directions together are one counter, as in the article.
        let mut trial = 0;
        loop {
            let next = (trial..self.board.blocks() * 4).find(|&trial| self.make(trial / 4, Direction::ALL[trial % 4]));
            if next.is_some() {
                steps += 1;
                if self.at.is_solved(self.board) {
                    return (Outcome::Solved(self.answer()), steps);
                }
                if steps.is_multiple_of(UNTIL_CLOCK) && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return (Outcome::OutOfTime, steps);
                }
            }
            let dead_end = next.is_none() || self.made.len() == self.limit;
            trial = if dead_end {
                let Some(taken_back) = self.take_back() else { return (Outcome::Exhausted, steps) };
                taken_back + 1
            } else {
                0
            };
        }
    }

    /// Makes a step, unless the rules or one of the tests forbid it.
    fn make(&mut self, block: usize, direction: Direction) -> bool {
        let before = self.at.footprint(self.board, block);
        let after = direction.step(before);
        let covered = after & !before;
        let whole = after.count_ones() == before.count_ones();
        if !whole || covered & !self.free != 0 || (block == self.board.target() && direction == Direction::Up) {
            return false;
        }
        if cells(covered).all(|cell| self.leavings[cell].last() == Some(&block)) {
            return false;
        }
        let corner = direction.step(1 << self.at.corner(block)).trailing_zeros();
        let next = self.at.with(block, u8::try_from(corner).expect("one of 64 cells"));
        let reached = next.alike(self.board);
        let number = self.made.len() + 1;
        if self.backward.contains(&reached) || self.forward.get(&reached).is_some_and(|&failed| number >= failed) {
            return false;
        }
        let left = before & !after;
        cells(left).for_each(|cell| self.leavings[cell].push(block));
        self.free = (self.free | left) & !covered;
        self.at = next;
        self.backward.insert(reached);
        self.made.push(Made { block, direction, left, reached });
        true
    }

    /// Takes the last step back and gives its place in the counter; `None` if there is none.
    fn take_back(&mut self) -> Option<usize> {
        let number = self.made.len();
        let Made { block, direction, left, reached } = self.made.pop()?;
        // It was made, so it is earlier than the number there, if there is one.
        self.forward.insert(reached, number);
        self.backward.remove(&reached);
        for cell in cells(left) {
            self.leavings[cell].pop();
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

/// The places of the cells of a set.
fn cells(mut cells: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (cells != 0).then_some(cells.trailing_zeros() as usize)?;
        cells &= cells - 1;
        Some(cell)
    })
}
