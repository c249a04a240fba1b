//! Contests on the nodes of a cluster: on a real Slurm with three nodes on this machine, and on pretended clusters.
//!
//! They mostly wait for Slurm, so they are their own program. Without Slurm, or for another user than root, the tests
//! that need it are skipped, unless `REQUIRE_SLURM` is set.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "a test starts the judge and looks at the clock")]

mod away;
mod cluster;
mod contest;
mod coordinator;
mod deaths;
mod failures;
mod leaving;
mod matches;
mod node;
mod nodes;
mod office;
mod pretended;
mod screen;
#[path = "../cli/support.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the tests of the command line use the rest of it")]
mod support;
mod table;
mod talks;
#[path = "../cli/terminal.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the tests of the command line use the rest of it")]
mod terminal;
