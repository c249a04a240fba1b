//! All tests of this crate except those of the library and of the example, in one binary.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod referee;
mod samples;
mod strategies;
mod strategy_units;
