//! The shared library of the strategies for Loyd's Dilemma: the board, the moves, the paths of the empty spot.
//!
//! Its rules come from the write-ups of the 1995 contest only. It does not use the judge: two independent
//! implementations of the rules check each other.
//!
//! A strategy is one file in `src/bin/`: it passes a function from a [`Board`] to its moves to [`enter`].
//!
//! ```
//! use loyd_kit::{Board, Move};
//!
//! // The goal of the game is called perfection. A move names the direction in which a tile travels.
//! let board: Board = "ABCDE FGHIJ KL+MN PQRSO UVWXT".parse().expect("a board");
//! let answer = [Move::Left, Move::Left, Move::Up, Move::Up];
//! let end = answer.iter().try_fold(board, |board, &made| board.after(made));
//! assert_eq!(end, Some(Board::perfection()));
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`spot`] | the 25 spots, distances, sets of spots |
//! | [`board`] | tiles, the board, reading one from text |
//! | [`moves`] | the five moves and where each is legal |
//! | [`play`] | a board together with the moves made on it |
//! | [`lead`] | paths of the empty spot, and tiles led along behind it |
//! | [`penalty`] | the penalty of a tile on a spot, added up over a board |
//! | [`lookahead`] | the best of all sequences of this many moves |
//! | [`key`] | boards in 128 bits, sets and maps of boards |
//! | [`move_tree`] | the moves to the positions of a search, as a tree |
//! | [`best_first`] | A* and its variants, within limits of memory and time |
//! | [`budget`] | the time limit |
//! | [`random`] | random numbers from a seed |
//! | [`entry`] | a strategy as a program |

pub mod best_first;
pub mod board;
pub mod budget;
pub mod entry;
pub mod key;
pub mod lead;
pub mod lookahead;
pub mod move_tree;
pub mod moves;
pub mod penalty;
pub mod play;
pub mod random;
pub mod spot;

pub use best_first::{BestFirst, NotFound, Revisit, Ties};
pub use board::{Board, Tile};
pub use budget::{Budget, Watch};
pub use entry::{enter, enter_or_pass, enter_seeded};
pub use key::{BoardMap, BoardSet, Key};
pub use lookahead::{Lookahead, LookaheadResult, Sequences};
pub use move_tree::{MoveTree, NodeId};
pub use moves::Move;
pub use penalty::Penalties;
pub use play::Play;
pub use random::Random;
pub use spot::{Spot, SpotSet};
