//! Where the blocks of a board stand.

use crate::board::{Board, MOST_BLOCKS};

/// The top left corner of every block, by the number of the block; entries beyond the last block are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Position([u8; MOST_BLOCKS]);

impl Position {
    /// The cell of a block's top left corner.
    pub fn corner(&self, block: usize) -> u8 {
        self.0[block]
    }

    /// Puts a block elsewhere.
    pub fn put(&mut self, block: usize, corner: u8) {
        self.0[block] = corner;
    }

    /// This position with a block elsewhere.
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

    /// Whether X has reached its goal.
    pub fn is_solved(&self, board: &Board) -> bool {
        self.corner(board.target()) == board.goal()
    }

    /// The position that stands for all in which blocks of the same shape have changed places: each takes the next
    /// corner in reading order.
    pub fn alike(mut self, board: &Board) -> Self {
        for block in 1..board.blocks() {
            // Insertion among the earlier blocks of the kind; all but one of them are in order already.
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
