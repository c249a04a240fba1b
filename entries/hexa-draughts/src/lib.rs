//! What the strategies for hexa-draughts share: the lattice, games as answers, and an integer program of hop counts.
//!
//! The kit knows the rules from the puzzle of 1984 and does not use the judge, so that the two check each other.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`lattice`] | points, hops, distances |
//! | [`game`] | the board file, men and hops as an answer |
//! | [`program`] | the integer program over hop counts, of a window or of the infinite board |
//! | [`branch`] | branch and bound over its linear relaxation |
//! | [`order`] | hop counts put into a playable order |

pub mod branch;
pub mod certificate;
pub mod find;
pub mod game;
pub mod lattice;
pub mod order;
pub mod program;
pub mod prove;
pub mod tree;
pub mod weights;

pub use game::{Board, Game};
pub use lattice::{Hop, Point};
