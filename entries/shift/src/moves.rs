//! The moves of a block, in the three ways in which solvers of SHIFT count, and answers made of them.

use std::fmt;

use crate::board::Board;
use crate::cells::Direction;
use crate::position::Position;

/// What is one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Any number of steps of one block, round corners as well.
    Moves,
    /// Steps of one block in one direction.
    Straight,
    /// One step of one block.
    Steps,
}

impl Count {
    /// Tells every move from this position that ends elsewhere: the block, its new corner and the least number of unit
    /// steps.
    pub fn each(self, board: &Board, position: &Position, mut tell: impl FnMut(usize, u8, u16)) {
        let free = position.free(board);
        for block in 0..board.blocks() {
            for (steps, layer) in (1..).zip(self.layers(board, position, free, block)) {
                let mut corners = layer;
                while corners != 0 {
                    tell(block, cell(corners), steps);
                    corners &= corners - 1;
                }
            }
        }
    }

    /// The corners that a block can be moved to, those at the same number of steps together, nearest first.
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

    /// The steps of a shortest move of a block to another corner, in this way of counting.
    fn path(self, board: &Board, position: &Position, block: usize, to: u8) -> Vec<Direction> {
        let free = position.free(board);
        let fits = fits(board, block, free | position.footprint(board, block));
        let from = 1u64 << position.corner(block);
        let mut at = 1u64 << to;
        let mut path = Vec::new();
        let mut layers = vec![from];
        layers.extend(self.layers(board, position, free, block).take_while(|layer| layer & at == 0));
        for &layer in layers.iter().rev() {
            // A straight move goes back the way it goes on; only its first choice may be among several.
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

/// The corners a block can stand on while these cells are free, reachable or not.
fn fits(board: &Board, block: usize, free: u64) -> u64 {
    let shape = board.shape(block);
    let (height, width) = shape.size;
    let across = (0..width).fold(u64::MAX, |fits, column| fits & free >> column);
    (0..height).fold(shape.room, |fits, row| fits & across >> (crate::cells::SIDE * row))
}

/// The first cell of a set that is not empty.
fn cell(cells: u64) -> u8 {
    u8::try_from(cells.trailing_zeros()).expect("one of 64 cells")
}

/// An answer as the judge reads it: one word for each move, in the way the strategy counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    words: Vec<(char, Vec<Direction>)>,
}

impl Answer {
    /// Adds a move.
    pub fn push(&mut self, label: char, steps: Vec<Direction>) {
        self.words.push((label, steps));
    }

    /// Moves, as counted.
    pub fn moves(&self) -> usize {
        self.words.len()
    }

    /// Unit steps.
    pub fn steps(&self) -> usize {
        self.words.iter().map(|(_, steps)| steps.len()).sum()
    }

    /// The answer that leads along these positions, each one move behind the last, in which same-shaped blocks are
    /// alike: the moves say which of them it is.
    ///
    /// # Panics
    /// If two positions in a row are not one move apart.
    pub fn along(board: &Board, count: Count, positions: &[Position]) -> Self {
        let mut answer = Self::default();
        let mut at = *board.start();
        for next in positions {
            let mut best = None;
            count.each(board, &at, |block, corner, steps| {
                let nearer = best.is_none_or(|(_, _, least)| steps < least);
                if nearer && at.with(block, corner).alike(board) == *next {
                    best = Some((block, corner, steps));
                }
            });
            let (block, corner, _) = best.expect("the positions are one move apart");
            answer.push(board.label(block), count.path(board, &at, block, corner));
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
