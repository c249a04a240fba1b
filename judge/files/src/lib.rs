//! Opens files of untrusted authors so that nothing in them can mislead or block the reader.
//!
//! It has three parts:
//!
//! - [`regular::open`] opens regular files only and never waits: a pipe without a writer keeps its reader waiting, and a
//!   device may be endless.
//! - A [`Folder`] is a descriptor, and everything beneath it is opened through it. No link in the folder, `..` or
//!   absolute path leads out of it, whatever other processes do with names at the same time.
//! - [`remove_all`] removes a folder, however deep it is and whatever its author closed.
//!
//! [`Folder`] and [`remove_all`] need Linux. A folder uses `openat2`, or resolves a path step by step if the kernel or a
//! filter of system calls refuses that.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(target_os = "linux")]
mod beneath;
#[cfg(target_os = "linux")]
mod folder;
mod kind;
pub mod near;
pub mod regular;
#[cfg(target_os = "linux")]
mod removal;
pub mod script;
mod unfinished;

#[cfg(target_os = "linux")]
pub use beneath::{Item, Links};
#[cfg(target_os = "linux")]
pub use folder::Folder;
#[cfg(target_os = "linux")]
pub use removal::remove_all;
pub use unfinished::is_unfinished;

/// The two ways to resolve a path, for tests that compare them.
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub mod resolving {
    pub use crate::beneath::{by_openat2, by_steps};
}
