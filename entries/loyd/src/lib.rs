//! What the strategies for Loyd's Dilemma share: the board, the moves, the ways of the empty spot.
//!
//! The kit knows the rules from the write-ups of the 1995 contest and from nowhere else; above all it
//! does not use the judge. Two independent readings of the rules check each other.
//!
//! A strategy is one file in `src/bin/`: it hands [`enter`] a function from a [`Board`] to its moves.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`spot`] | the 25 spots, distances, sets of spots |
//! | [`board`] | tiles, the board, reading one from text |
//! | [`moves`] | the five moves and where each is legal |
//! | [`play`] | a board together with the moves made on it |
//! | [`lead`] | ways of the empty spot, and tiles led along behind it |
//! | [`entry`] | a strategy as a program |

pub mod board;
pub mod entry;
pub mod lead;
pub mod moves;
pub mod play;
pub mod spot;

pub use board::{Board, Tile};
pub use entry::enter;
pub use moves::Move;
pub use play::Play;
pub use spot::{Spot, SpotSet};
