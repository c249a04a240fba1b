//! The moves of a block in the three metrics of SHIFT solvers, and answers.

use std::fmt;

use crate::board::Board;
use crate::cells::Direction;
use crate::position::Position;

/// The metric: the definition of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Any number of steps of one block, also around corners.
    Moves,
    /// Any number of steps of one block in one direction.
    Straight,
    /// One step of one block.
    Steps,
}

impl Metric {
    /// Calls `visit` with each possible move: the block, its new corner and the fewest unit steps.
    pub(crate) fn for_each_move(self, board: &Board, position: &Position, mut visit: impl FnMut(usize, u8, u16)) {
        let free = position.free(board);
        for block in 0..board.blocks() {
            for (steps, layer) in (1..).zip(self.layers(board, position, free, block)) {
                let mut corners = layer;
                while corners != 0 {
                    visit(block, cell(corners), steps);
                    corners &= corners - 1;
                }
            }
        }
    }

    /// The corners that a block can reach in one move, as one set per number of steps, nearest first.
    fn layers(self, board: &Board, position: &Position, free: u64, block: usize) -> impl Iterator<Item = u64> {
        let corner = 1u64 << position.corner(block);
        let fits = fits(board, block, free | position.footprint(board, block));
        let mut seen = corner;
        let mut fronts = [corner; 4];
        let mut layer = 0;
        std::iter::from_fn(move || {
            layer += 1;
            if self == Self::Steps && layer > 1 {
                return None;
            }
            let ahead = Direction::ALL.into_iter().zip(&mut fronts).fold(0, |ahead, (direction, front)| {
                *front = direction.step(*front) & fits;
                ahead | *front
            });
            let new = ahead & !seen;
            seen |= new;
            if self == Self::Moves {
                fronts = [new; 4];
            }
            (new != 0).then_some(new)
        })
    }

    /// The steps of a shortest move of a block to another corner in this metric.
    fn path(self, board: &Board, position: &Position, block: usize, to: u8) -> Vec<Direction> {
        let free = position.free(board);
        let fits = fits(board, block, free | position.footprint(board, block));
        let from = 1u64 << position.corner(block);
        let mut at = 1u64 << to;
        let mut path = Vec::new();
        let mut layers = vec![from];
        layers.extend(self.layers(board, position, free, block).take_while(|layer| layer & at == 0));
        for &layer in layers.iter().rev() {
            // A straight move keeps its direction, so only the first choice is free.
            let back = Direction::ALL.into_iter().find(|direction| {
                let straight = self == Self::Moves || path.first().is_none_or(|step| step == direction);
                straight && direction.opposite().step(at) & layer & fits != 0
            });
            let Some(direction) = back else { break };
            at = direction.opposite().step(at);
            path.push(direction);
        }
        path.reverse();
        path
    }
}

/// The corners that a block fits on if these cells are free, reachable or not.
fn fits(board: &Board, block: usize, free: u64) -> u64 {
    let shape = board.shape(block);
    let (height, width) = shape.size;
    let across = (0..width).fold(u64::MAX, |fits, column| fits & free >> column);
    (0..height).fold(shape.room, |fits, row| fits & across >> (crate::cells::SIDE * row))
}

/// The first cell of a non-empty set.
fn cell(cells: u64) -> u8 {
    u8::try_from(cells.trailing_zeros()).expect("one of 64 cells")
}

/// An answer: one word per move in the metric of the entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    words: Vec<(char, Vec<Direction>)>,
}

impl Answer {
    /// Appends a move of the block with this label.
    pub fn push(&mut self, label: char, steps: Vec<Direction>) {
        self.words.push((label, steps));
    }

    /// The number of moves, each of one or more steps.
    pub fn moves(&self) -> usize {
        self.words.len()
    }

    /// The number of unit steps.
    pub fn steps(&self) -> usize {
        self.words.iter().map(|(_, steps)| steps.len()).sum()
    }

    /// Builds the answer that leads through these canonical positions, one move each, and finds the block of each move.
    ///
    /// # Panics
    /// If two consecutive positions are not one move apart.
    pub(crate) fn through(board: &Board, metric: Metric, positions: &[Position]) -> Self {
        let mut answer = Self::default();
        let mut at = *board.start();
        for next in positions {
            let mut best = None;
            metric.for_each_move(board, &at, |block, corner, steps| {
                let nearer = best.is_none_or(|(_, _, fewest)| steps < fewest);
                if nearer && at.with(block, corner).canonical(board) == *next {
                    best = Some((block, corner, steps));
                }
            });
            let (block, corner, _) = best.expect("the positions are one move apart");
            answer.push(board.label(block), metric.path(board, &at, block, corner));
            at.put(block, corner);
        }
        answer
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (label, steps)) in self.words.iter().enumerate() {
            let blank = if index == 0 { "" } else { " " };
            let steps: String = steps.iter().map(|step| step.letter()).collect();
            write!(f, "{blank}{label}-{steps}")?;
        }
        Ok(())
    }
}
