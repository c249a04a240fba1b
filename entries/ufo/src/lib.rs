//! What the strategies for UFO (Lunar Lockout) share: the boards, positions as bit boards, moves, answers, searches.
//!
//! The kit knows the rules from the article of 1999 and from nowhere else; above all it does not use the judge. Two
//! independent readings of the rules check each other.
//!
//! A strategy is one file in `src/bin/`; the searches are modules here because the tools and the tests need them too.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`geometry`] | the 5 × 5 board and the cross: squares, lines, steps, symmetries |
//! | [`position`] | pieces without labels as two sets of squares, and the stops of a move |
//! | [`board`] | labelled pieces, read from a board file and written as one |
//! | [`answer`] | moves as text, their replay, labels for a way through positions |
//! | [`search`] | bounds and outcome of a search |
//! | [`breadth_first`] | all positions layer by layer: the quick way to the best answer and its number |
//! | [`depth_first`] | iterative deepening with a table: all best answers |
//! | [`atlas`] | all problems of a group at once: tables, selections, configurations, files |
//! | [`recover`] | lost boards found again from what is printed about them |

pub mod answer;
pub mod atlas;
pub mod board;
pub mod breadth_first;
pub mod depth_first;
pub mod geometry;
pub mod position;
pub mod recover;
pub mod search;
