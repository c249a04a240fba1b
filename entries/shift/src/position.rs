//! The position of blocks; `crate::board` has the board that they stand on.

/// The most blocks: one per letter.
const MAX_BLOCKS: usize = 26;

/// The top left corner of every block, by block number; entries beyond the last block are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Position([u8; MAX_BLOCKS]);

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
}
