//! The results page in a real browser: what a reader sees, hears and types.
//!
//! Needs more than Rust, so a feature of cargo's guards it: `cargo test -p judge --features browser --test browser`,
//! with `chromium` and `chromedriver` on the PATH and the path of axe-core's `axe.min.js` in AXE_CORE.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "a test starts programs, looks at the clock and is told where axe is")]

mod accessibility;
mod contests;
mod hostile;
#[path = "../cli/hostile.rs"]
mod hostile_contest;
mod page;
mod quiet;
mod standings;
#[path = "../cli/support.rs"]
#[allow(dead_code, reason = "the tests of the command line use the rest of it")]
mod support;
mod webdriver;
