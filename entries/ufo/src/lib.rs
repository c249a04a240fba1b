//! Shared code of the entries for UFO (Lunar Lockout): boards, bit-board positions, moves, answers and searches.
//!
//! The library implements the rules of the article of 1999 and shares no code with the judge. So two independent
//! implementations of the rules check each other.
//!
//! Each entry is one file in `src/bin/`. The searches are modules of this library because the tools and the tests use
//! them too.
//!
//! | module | contents |
//! | --- | --- |
//! | [`geometry`] | the 5 × 5 board and the cross: squares, lines, steps, symmetries |
//! | [`position`] | unlabelled pieces as two sets of squares: bit boards |
//! | [`board`] | labelled pieces on bit boards, read from and written to board files |
//! | [`large`] | square boards of any odd size, with positions as lists of squares |
//! | [`representation`] | the interface of the searches to both, and the squares that one move can end on |
//! | [`answer`] | moves as text, their replay, and answers built from a list of positions |
//! | [`search`] | limits and outcome of a search |
//! | [`breadth_first`] | breadth-first search: one best answer and the number of best answers, quickly |
//! | [`depth_first`] | iterative deepening with a table: all best answers |
//! | [`atlas`] | all problems of a group: tables, selections, configurations, files |
//! | [`recover`] | lost boards, recovered from what the article prints about them |
//!
//! ```
//! use ufo_kit::board::Board;
//! use ufo_kit::breadth_first::search;
//! use ufo_kit::search::Limits;
//!
//! let board: Board = ".12.. .X... ..... ...3. .4...".parse()?;
//! let outcome = search(&board, &Limits::NONE);
//! assert_eq!(outcome.answer(&board).to_string(), "X-DRU 1-DR X-D");
//! # Ok::<(), String>(())
//! ```

pub mod answer;
pub mod atlas;
pub mod board;
pub mod breadth_first;
pub mod depth_first;
pub mod geometry;
pub mod large;
mod pieces;
pub mod position;
pub mod recover;
pub mod representation;
pub mod search;
