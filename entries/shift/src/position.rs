//! The position of the blocks of a board.

use crate::board::{Board, MOST_BLOCKS};

/// The top left corner of every block, by block number; entries beyond the last block are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Position([u8; MOST_BLOCKS]);

impl Position {
    /// The cell of a block's top left corner.
    pub fn corner(&self, block: usize) -> u8 {
        self.0[block]
    }

    /// Moves a block to another corner.
    pub(crate) fn put(&mut self, block: usize, corner: u8) {
        self.0[block] = corner;
    }

    /// Returns this position with a block on another corner.
    pub fn with(mut self, block: usize, corner: u8) -> Self {
        self.put(block, corner);
        self
    }

    /// The cells a block stands on.
    pub fn footprint(&self, board: &Board, block: usize) -> u64 {
        board.shape(block).cells << self.corner(block)
    }

    /// The cells that no block stands on.
    pub fn free(&self, board: &Board) -> u64 {
        (0..board.blocks()).fold(board.cells(), |free, block| free & !self.footprint(board, block))
    }

    /// True if X is on its goal.
    pub fn is_solved(&self, board: &Board) -> bool {
        self.corner(board.target()) == board.goal()
    }

    /// Returns the position that represents all in which blocks of the same shape are exchanged: their corners ascend in
    /// reading order.
    pub fn canonical(mut self, board: &Board) -> Self {
        for block in 1..board.blocks() {
            // Insertion sort among the earlier blocks of the shape; at most one of them is out of order.
            let mut at = block;
            for other in (0..block).rev().filter(|&other| board.kind(other) == board.kind(block)) {
                if self.0[other] <= self.0[at] {
                    break;
                }
                self.0.swap(other, at);
                at = other;
            }
        }
        self
    }
}
