//! What the strategies for SHIFT share: the board, its blocks, positions and moves on bit boards.
//!
//! The kit does not use the judge: two readings of the rules check each other. A strategy is one file in `src/bin/`.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`cells`] | sets of cells as 64 bits, and steps of whole sets |
//! | [`board`] | the blocks, the goal, reading them from text |
//! | [`position`] | where the blocks stand, with same-shaped blocks alike or not |
//! | [`moves`] | the moves of a block, in three ways to count them |
//! | [`breadth_first`] | the least number of moves, counted in either way |
//! | [`back_and_forth`] | the depth-limited search of the article |

pub mod back_and_forth;
pub mod board;
pub mod breadth_first;
pub mod cells;
pub mod moves;
pub mod position;

pub use board::Board;
pub use moves::{Answer, Count};
