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
//! | [`penalty`] | what a tile costs on a spot, added up over a board |
//! | [`lookahead`] | where the best of all sequences of some moves leads |
//! | [`key`] | boards in 128 bits, sets of those seen |
//! | [`trail`] | how the positions of a search were reached |
//! | [`best_first`] | A* and its kin, in bounds of memory and time |
//! | [`budget`] | the time there is |
//! | [`random`] | random numbers from a seed |
//! | [`entry`] | a strategy as a program |

pub mod best_first;
pub mod board;
pub mod budget;
pub mod entry;
pub mod key;
pub mod lead;
pub mod lookahead;
pub mod moves;
pub mod penalty;
pub mod play;
pub mod random;
pub mod spot;
pub mod trail;

pub use best_first::{Again, BestFirst, NotFound, Ties};
pub use board::{Board, Tile};
pub use budget::{Budget, Watch};
pub use entry::{enter, enter_or_pass, enter_seeded};
pub use key::{Key, Seen, SeenWith};
pub use lookahead::{Lookahead, Outlook};
pub use moves::Move;
pub use penalty::Penalties;
pub use play::Play;
pub use random::Random;
pub use spot::{Spot, SpotSet};
pub use trail::{Mark, Trail};
