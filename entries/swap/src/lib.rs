//! What the strategies for frogs and toads share: boards, moves, the row in play, and one way to search.
//!
//! The kit knows the rules from the write-up of the n-game and from nowhere else; above all it does not use the judge.
//! Squares count from 0 at the left here, from 1 in an answer.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`board`] | a start position, moves as an answer writes them |
//! | [`row`] | the row in play, and what can go into its empty square |
//! | [`search`] | depth-first search in the order of the write-up |

pub mod board;
pub mod row;
pub mod search;

pub use board::{Board, Move};
pub use row::{Colour, Row};
pub use search::{Answer, depth_first};
