#![doc = include_str!("../README.md")]
#![allow(clippy::result_large_err, reason = "a refusal is an answer, which is made once per request")]

mod accepting;
mod answers;
mod app;
mod arrival;
mod board;
mod clarifications;
mod clock_monitor;
mod connections;
mod decisions;
mod figures;
mod forms;
mod guard;
mod icpc;
mod kattis;
mod lines;
mod live;
mod metrics;
mod named;
mod news;
mod options;
mod pages;
#[doc(hidden)]
pub mod parsers;
mod parts;
mod permits;
mod problems;
mod readiness;
mod registration;
mod replay;
mod reveal;
mod router;
mod routes;
mod server;
mod session;
mod site;
mod statement;
mod submissions;
mod table;
mod team_submissions;
#[cfg(test)]
mod tests;
mod transcripts;
mod unfinished;
mod verdicts;

pub use lines::Lines;
pub use options::{Contest, Options, ServeError};
pub use router::addresses;
pub use server::Server;
