//! Tests of the public interface, one program.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod example;
mod folder;
mod removal;
mod trees;
