//! Shows a running contest, an answer move by move, and the tries of a solver, whose versions it remembers. See the README.
//!
//! A [`live::Watcher`] subscribes to an `OpenContest` of `judge-contest` and shows its events, on a screen or line by line.
//! [`replay`] is the player of answers, [`versions`] has the tries of a solver and [`tries`] the reports on them, and
//! [`engine`] has the words for the data of an engine.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod engine;
pub mod live;
pub mod replay;
pub mod screen;
pub mod tries;
pub mod versions;

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
