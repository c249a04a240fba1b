//! All tests of this crate except those of the library, in one binary.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod referee;
mod samples;
mod strategies;
mod strategy_units;

#[path = "../../examples/fidelity/main.rs"]
#[allow(dead_code, reason = "the test of the report does not call its `main`")]
mod fidelity;
