//! Shared code of the entries for SHIFT (Klotski): the board and its blocks, positions and moves on bit boards.
//!
//! The library shares no code with the judge, so that two implementations of the rules check each other. Each entry is
//! one file in `src/bin/`.
//!
//! | module | contents |
//! | --- | --- |
//! | [`cells`] | sets of cells as 64 bits, and steps of whole sets |
//! | [`board`] | the blocks and the goal, read from a board file |
//! | [`position`] | the corners of the blocks, also with interchangeable blocks of the same shape |
//! | [`moves`] | the moves of a block in three metrics, and answers |
//! | [`breadth_first`] | the fewest moves in any of the metrics |
//! | [`back_and_forth`] | the depth-limited search of the article |
//!
//! ```
//! use shift_kit::breadth_first::{Limits, solve};
//! use shift_kit::{Board, Metric};
//!
//! let board: Board = "X.\n..\ngoal 2 2".parse()?;
//! let limits = Limits { deadline: None, positions: 1000 };
//! assert_eq!(solve(&board, Metric::Moves, &limits).map(|answer| answer.moves()), Ok(1));
//! assert_eq!(solve(&board, Metric::Steps, &limits).map(|answer| answer.moves()), Ok(2));
//! # Ok::<(), String>(())
//! ```

pub mod back_and_forth;
pub mod board;
pub mod breadth_first;
pub mod cells;
pub mod moves;
pub mod position;

pub use board::Board;
pub use moves::{Answer, Metric};
