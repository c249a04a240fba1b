//! judge: a contest referee for solver programs.
//!
//! The path of one run: a contest file ([`contest`]) names boards and entries; a [`game`] parses each board into a
//! puzzle; [`run`] starts the entry and gives back bytes, times and how it ended; the [`referee`] replays the bytes;
//! that makes a [`verdict`], a line of the [`journal`], and in the end [`score`]s, a [`ranking`] and a [`report`].
//! Each arrow is one call in one direction.

#[cfg(not(target_os = "linux"))]
compile_error!("judge runs on Linux: what holds entries together there has no counterpart elsewhere");

pub mod cli;
pub mod compare;
pub mod contest;
pub mod game;
pub mod games;
pub mod journal;
pub mod page;
pub mod picture;
pub mod ranking;
pub mod referee;
pub mod report;
pub mod results;
pub mod run;
pub mod schedule;
pub mod score;
pub mod verdict;
