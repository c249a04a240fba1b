//! The results page: one HTML file with the standings, the run behind every cell, and figures.
//!
//! A page is a pure function of ranked results, their journal, the entries' output, and replays of it. It needs no
//! network and is readable without its script. Untrusted text is always escaped.
//!
//! ```
//! use judge_core::compare::Source;
//! use judge_core::results::Results;
//!
//! let csv = "entry,board,verdict,progress,full,moves,tie_break,limit_ms\nmine,EASY,solved,25,25,12,1,10000\n";
//! let results = Results::read_csv("results.csv", csv.as_bytes()).expect("a file of runs");
//! let mut page = Vec::new();
//! judge_page::write(&[Source { name: "today".into(), results }.into()], &mut page)?;
//! assert!(String::from_utf8_lossy(&page).contains("mine"));
//! # Ok::<(), std::io::Error>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod best;
mod boards;
mod cell;
mod compact_replay;
mod cross;
mod data;
mod dialogue;
mod document;
mod drawing;
mod embedded;
mod entries;
mod excerpt;
mod facts;
mod first;
mod fold;
mod games;
mod headline;
mod history;
mod knock_out;
mod markdown;
mod plot;
mod plots;
mod repeats;
mod scrolling;
mod side_by_side;
mod source;
mod standings;
mod statement;
mod strength;
mod text;
mod viewer;

pub use document::{MAX_RUNS, TooManyRuns, check_size, policy, write, write_answer, write_running};
pub use drawing::{Drawing, drawings};
pub use markdown::markdown;
pub use source::PageSource;
