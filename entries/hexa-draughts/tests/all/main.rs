//! The tests of this crate, in one program.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod certificates;
mod recorded;
mod strategies;
