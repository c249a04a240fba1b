//! The command `judge`: its subcommands and its screens.
//!
//! The parts that other programs may want are separate crates: `judge-core` (games, referee, results), `judge-job` and
//! `judge-sandbox` (jobs and their execution), `judge-contest` (contest files and schedule), `judge-package`
//! (problem packages), `judge-page` and `judge-report` (results as a page, as tables and as data), `judge-show` (screens).
//!
//! ```
//! use clap::Parser as _;
//!
//! assert!(judge::cli::Cli::try_parse_from(["judge", "rank", "runs/1"]).is_ok());
//! ```

pub mod cli;
#[cfg(feature = "sandbox")]
mod import;
