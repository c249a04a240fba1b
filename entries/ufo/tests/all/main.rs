//! The tests of this crate, in one program.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod article;
mod atlas;
mod atlas_files;
mod atlas_program;
mod completions;
mod draw;
mod judged;
mod large;
mod naive;
mod printed;
mod programs;
mod searches;
mod support;
