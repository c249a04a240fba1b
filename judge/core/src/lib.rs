//! Games, referee, verdicts, scores, ranking and results of a contest between solver programs, as plain data and pure code.
//!
//! A [`game`] parses a board into a puzzle. The [`referee`] replays an answer on it, which gives a [`verdict`]. The [`journal`]
//! records it as a run; [`score`]s, a [`ranking`] and [`results`] follow from the runs. The code starts no process, reads no
//! clock and no environment, and does not depend on the operating system. `judge-files` opens journals and answers, so a program
//! that only validates answers needs no other crate.
//!
//! ```
//! use judge_core::{game, games, referee, verdict::Verdict};
//!
//! let info = games::find("loyd").expect("a built-in game");
//! let loyd = (info.open)(&game::HouseRules::default()).expect("no house rules");
//! let board = loyd.parse(b"ABCDE FGHIJ KL+MN PQRSO UVWXT").expect("a good board");
//! let ruling = referee::rule(&*board, &b"lluu"[..]).expect("memory can be read");
//! let verdict = Verdict::from_replay(info, ruling.score, ruling.illegal);
//! assert_eq!(verdict.summary(), "solved with progress 25 of 25, moves 4, tie_break 0");
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod advance;
pub mod changes;
pub mod chunks;
pub mod code;
pub mod compare;
pub mod date;
pub mod external;
pub mod figure;
pub mod fingerprint;
pub mod game;
pub mod games;
pub mod hint;
pub mod indexed_replay;
pub mod journal;
pub mod key;
pub mod legend;
pub mod map;
pub mod matches;
pub mod names;
pub mod picture;
pub mod plan;
pub mod points;
pub mod ranking;
pub mod rare;
mod recorded;
pub mod referee;
mod reference;
pub mod relative;
pub mod results;
pub mod results_csv;
pub mod score;
pub mod scoring;
pub mod season;
pub mod shared;
pub mod stream;
pub mod summary;
pub mod text;
pub mod tokens;
pub mod verdict;
pub mod withdrawal;
