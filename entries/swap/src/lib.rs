//! Shared code of the entries for frogs and toads: boards, moves, the row during play, and a depth-first search.
//!
//! The library implements the rules of the write-up of the n-game and shares no code with the judge. Squares are numbered
//! from 0 at the left here, and from 1 in an answer.
//!
//! | module | contents |
//! | --- | --- |
//! | [`board`] | the start position of a board file, the moves of an answer |
//! | [`row`] | the row during play, and the moves into its empty square |
//! | [`search`] | depth-first search in the order of the write-up |
//!
//! ```
//! use swap_kit::{Board, depth_first};
//!
//! let board: Board = "B.R".parse()?;
//! let answer = depth_first(&board, |_, _, _| false);
//! assert_eq!(answer.to_string(), "1 -> 2\n3 -> 1\n2 -> 3\n");
//! # Ok::<(), &str>(())
//! ```

pub mod board;
pub mod row;
pub mod search;

pub use board::{Board, Move};
pub use row::{Colour, Row};
pub use search::{Answer, depth_first};
