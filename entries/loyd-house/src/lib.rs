//! The house entry for Loyd's Dilemma: additive pattern databases, beam search, iterative deepening, and proofs that no
//! shorter answer exists. The crate's `README.md` explains how it works, with the experiments behind the choices.
//!
//! A *position* is the occupant of each of the 25 spots. A *path* is the list of the empty spots of an answer, starting
//! with the first; this crate represents answers that way. `loyd_kit` converts a path to letters by its rules.
//!
//! ```
//! use loyd_house::answer::to_letters;
//! use loyd_house::anytime::{Event, Resources, solve};
//! use loyd_house::clock::Deadline;
//!
//! let board = "ABCDE FGHIJ KL+MN PQRSO UVWXT".parse().expect("a board");
//! let resources = Resources { threads: 1, memory: 1 << 24, deadline: Deadline::never() };
//! let mut answer = None;
//! solve(&board, resources, None, &mut |event| {
//!     if let Event::Answer(path, _) = event {
//!         answer = to_letters(&path);
//!     }
//! })?;
//! assert_eq!(answer.map(|letters| letters.len()), Some(4));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`geometry`] | the board as numbered spots |
//! | [`groups`], [`table`], [`relax`], [`buffer`] | pattern databases: groups of tiles, tables, the sweeps that fill them, their memory |
//! | [`heuristic`] | the look-ups of a position in all tables, plain and mirrored |
//! | [`estimate`], [`gap_table`], [`trips`] | the estimate that orders a beam, its tables, its corrections |
//! | [`position`], [`answer`] | packed positions; answers as text |
//! | [`beam`], `buckets`, `hashes` | beam search, its lists by score, equal positions |
//! | [`automaton`], [`pruning`], [`ida`] | paths that can be excluded, with bounds; iterative deepening |
//! | [`direction`], [`dual`] | the search from the other end; a second bound |
//! | [`table_set`], [`pinwheel`], [`symmetry`] | small and large tables, the large ones by symmetry |
//! | [`window`] | shortening an answer piece by piece |
//! | [`anytime`], `planner`, [`clock`], `parallel` | the order of work, on several threads |
//! | [`proof`], [`certificate`], [`store`], [`record`] | the state of a proof, certificates, tables on disk, the record book |

pub mod answer;
pub mod anytime;
pub mod automaton;
pub mod beam;
mod buckets;
pub mod buffer;
pub mod certificate;
pub mod clock;
pub mod direction;
pub mod dual;
mod ending;
pub mod estimate;
mod first;
pub mod gap_table;
pub mod geometry;
pub mod groups;
mod hashes;
pub mod heuristic;
pub mod ida;
mod parallel;
pub mod pinwheel;
mod planner;
pub mod position;
pub mod proof;
pub mod pruning;
pub mod record;
pub mod relax;
pub mod resume;
pub mod split;
pub mod store;
pub mod symmetry;
pub mod table;
pub mod table_set;
pub mod trips;
mod walker;
pub mod window;
