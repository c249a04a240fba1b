//! The house entry for Loyd's Dilemma: additive pattern databases, beam search, iterative deepening, and the proof that
//! nothing shorter exists. How it works and why, with the experiments that decided it, is in the crate's `README.md`.
//!
//! A *position* is who stands on each of the 25 spots. A *way* is where the empty spot goes, the spot it is on at first
//! in front; it is what an answer is inside this crate. The rules of the kit, `loyd_kit`, turn it into letters.
//!
//! | module | what is in it |
//! | --- | --- |
//! | [`geometry`] | the board as numbered spots |
//! | [`groups`], [`table`], [`relax`], [`cells`] | pattern databases: which tiles, the table, the sweeps that fill it, its memory |
//! | [`guide`] | a position's look-ups in all tables, plain and mirrored |
//! | [`position`], [`answer`] | packed positions; answers as text |
//! | [`beam`] | beam search |
//! | [`automaton`], [`ida`] | ways that need not be walked; iterative deepening |
//! | [`direction`], [`dual`] | the search from the other end, a second bound |
//! | [`stage`], [`pinwheel`], [`symmetry`] | small and large tables, the large ones by symmetry |
//! | [`window`] | shortening an answer piece by piece |
//! | [`anytime`], `pace`, [`clock`], `parallel` | which of these when, on several threads |
//! | [`grounds`], [`certificate`], [`store`], [`record`] | what a proof rests on, proofs on paper, tables on disk, the record book |

pub mod answer;
pub mod anytime;
pub mod automaton;
pub mod beam;
pub mod cells;
pub mod certificate;
pub mod clock;
pub mod direction;
pub mod dual;
mod ending;
mod first;
pub mod geometry;
pub mod grounds;
pub mod groups;
pub mod guide;
pub mod ida;
mod pace;
mod parallel;
pub mod pinwheel;
pub mod position;
pub mod record;
pub mod relax;
pub mod stage;
pub mod store;
pub mod symmetry;
pub mod table;
pub mod window;
