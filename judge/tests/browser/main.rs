//! Tests of the results page and of the office's pages in a real browser.
//!
//! They need more than Rust, so they run only by name: `cargo test --test browser`, with `chromium` and `chromedriver`
//! on the PATH and the path of axe-core's `axe.min.js` in AXE_CORE. `.ci/run` shows how to get them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::disallowed_methods, reason = "a test starts programs, reads the clock, and reads the path of axe")]
#![allow(clippy::disallowed_macros, reason = "a measurement prints its results")]

mod accessibility;
mod contests;
mod figures;
mod first;
mod games;
mod hostile;
#[path = "../cli/hostile.rs"]
mod hostile_contest;
mod keyboard;
mod large;
mod looks;
mod office;
mod page;
mod paper;
mod pictures;
mod quiet;
mod replay;
mod selection;
#[path = "../cli/site.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the tests of the command line use the rest of it")]
mod site;
mod speed;
mod standings;
#[path = "../cli/support.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "the tests of the command line use the rest of it")]
mod support;
mod tables;
mod talk;
mod viewer;
mod webdriver;
