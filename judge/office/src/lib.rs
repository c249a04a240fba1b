#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "run"),
    allow(dead_code, unreachable_pub, unused_imports, reason = "only the office at work uses the rest")
)]

// Tests share files with those of other crates, which use this name of the crate.
#[cfg(test)]
extern crate self as judge_office;

#[cfg(feature = "run")]
mod accounts;
#[cfg(feature = "run")]
mod actions;
mod aside;
#[cfg(feature = "run")]
pub mod backup;
#[cfg(feature = "run")]
mod batch;
#[cfg(feature = "run")]
mod cached_file;
#[cfg(feature = "run")]
pub mod convert;
mod counting;
#[cfg(feature = "run")]
pub mod difference;
#[cfg(feature = "run")]
pub mod disk_space;
pub mod ends;
#[cfg(feature = "run")]
mod entries;
#[cfg(feature = "run")]
mod error;
#[cfg(feature = "run")]
pub mod intake;
mod judgement_type;
#[cfg(feature = "run")]
pub mod judging;
pub mod line;
#[cfg(feature = "run")]
pub mod log;
#[cfg(feature = "run")]
pub mod notification_log;
#[cfg(feature = "run")]
mod office;
#[cfg(feature = "run")]
pub mod orders;
#[cfg(feature = "run")]
pub mod outbox;
pub mod people;
#[cfg(feature = "run")]
mod private;
mod progress;
#[cfg(feature = "run")]
pub mod proposal;
#[cfg(feature = "run")]
pub mod queue;
#[cfg(feature = "run")]
mod quota;
pub mod results;
pub mod state;
#[cfg(feature = "run")]
pub mod stuck;
pub mod submission_state;
#[cfg(feature = "run")]
mod submitting;
mod text;
#[cfg(feature = "run")]
pub mod token;
#[cfg(feature = "run")]
mod uploads;
#[cfg(feature = "run")]
pub mod verify;
#[cfg(feature = "run")]
pub mod view;
mod viewer;

#[cfg(feature = "run")]
pub use entries::EXECUTABLE;
#[cfg(feature = "run")]
pub use error::OfficeError;
#[cfg(feature = "run")]
pub use office::{Clock, Office, Tools, Upload};
#[cfg(feature = "run")]
pub use submitting::Receipt;

/// The name of the office's folder, next to the contest file.
pub const FOLDER: &str = "office";
/// The largest upload, in bytes.
pub const MAX_UPLOAD_BYTES: u64 = 1 << 20;
/// The time within which an upload must be complete, in seconds.
pub const UPLOAD_SECONDS: u64 = 60;
/// The most characters of the name of an uploaded file.
const MAX_FILE_NAME: usize = 100;

#[cfg(test)]
#[cfg(feature = "run")]
mod tests;
