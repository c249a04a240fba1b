//! Shared code of the entries for hexa-draughts: the lattice, games, and an integer program over hop counts.
//!
//! The library implements the rules of the puzzle of 1984 and shares no code with the judge, so that the two check each
//! other.
//!
//! | module | contents |
//! | --- | --- |
//! | [`lattice`] | points, hops, distances |
//! | [`game`] | the board file, and a game as an answer |
//! | [`program`] | the integer program over hop counts, for a window or for the infinite board |
//! | `branch` | branch and bound over its linear relaxation |
//! | [`tree`] | the tree of cases of a branch and bound |
//! | `order` | search for a playable order of given hop counts |
//! | [`find`] | search for games with few men |
//! | [`frame`] | the row and the window of a proof, and weights of points |
//! | [`certificate`] | proofs of lower bounds: format and check |
//! | [`tighten`] | limits on the hops and men of a case, by weights |
//! | `weights` | weights that refute a case of a certificate |
//! | [`prove`] | construction of a certificate |
//!
//! ```
//! use hexa_kit::Board;
//! use hexa_kit::certificate::Certificate;
//!
//! let board: Board = "row 4".parse()?;
//! assert_eq!(board.row, 4);
//! // No army reaches row 8: one case, refuted by weights that depend on the distance only.
//! let text = "certificate of hexa-draughts\nrow 8\nclaim unreachable\nradius 0\nweights 1\n";
//! let certificate: Certificate = text.parse()?;
//! assert_eq!(certificate.check(), Ok(1));
//! # Ok::<(), String>(())
//! ```

mod branch;
pub mod certificate;
pub mod find;
pub mod frame;
pub mod game;
pub mod lattice;
mod order;
pub mod program;
pub mod prove;
pub mod tighten;
pub mod tree;
mod weights;

pub use game::{Board, Game};
pub use lattice::{Hop, Point};
