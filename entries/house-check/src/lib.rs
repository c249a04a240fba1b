//! Checks claims that a board of Loyd's Dilemma needs at least some number of moves.
//!
//! The claims come from the house entry (`entries/loyd-house`), whose search is faster and more complicated. This program
//! shares no code with it. Its rules come from `docs/puzzles.md`; it builds its own tables, finds by enumeration which paths of
//! the empty spot do the same, and splits answers in its own way. The crate's `README.md` describes what is checked.
//!
//! ```
//! use house_check::{Limits, Verdict, check_claim};
//!
//! let verdict = check_claim("ABCDE FGHIJ KL+MN PQRSO UVWXT", 4, &Limits::default(), &mut |_| ())?;
//! assert_eq!(verdict, Verdict { claimed: 4, checked: 4, moves: None });
//! // `lluu` is an answer of four moves.
//! assert!(check_claim("ABCDE FGHIJ KL+MN PQRSO UVWXT", 6, &Limits::default(), &mut |_| ()).is_err());
//! # Ok::<(), String>(())
//! ```

mod automaton;
mod bound;
mod certificate;
mod check;
mod progress;
mod rules;
mod search;
mod split;
mod table;

pub use certificate::seal;
pub use check::{Limits, Verdict, check_certificate, check_claim};
