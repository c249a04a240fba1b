//! All integration tests of this crate, in one binary.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod forged;
mod program;
