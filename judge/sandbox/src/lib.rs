//! Runs a job under limits in the strongest isolation that this Linux machine offers, without any setup.
//!
//! A [`LocalExecutor`] takes a [`Job`] and returns an [`Outcome`]. A supervisor process separates the caller from the job;
//! when the job ends, nothing that it started survives. Only this crate starts processes, sets limits, reads clocks and
//! contains `unsafe` code. It does not know about games or contests.
//!
//! ```
//! use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, LocalExecutor};
//!
//! let folder = std::env::temp_dir().join(format!("judge-sandbox-example-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let interrupt = Interrupt::never()?;
//! let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto)?;
//! let job = Job::new(["sh", "-c", "echo hello"], folder.join("out"), folder.join("err"));
//! let outcome = executor.execute(&job).expect("no interrupt");
//! assert_eq!(outcome.end, End::Exited { code: 0 });
//! assert_eq!(std::fs::read_to_string(folder.join("out"))?, "hello\n");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, reason = "this crate starts processes and reads clocks")]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(not(target_os = "linux"))]
compile_error!("judge-sandbox needs Linux: no other system has the same means of isolation");

mod capture;
mod directed;
mod hidden;
pub mod host;
mod interrupt;
mod isolation;
mod local;
pub mod machine;
mod monitor;
pub mod promises;
mod sandbox;
mod scratch;
mod setup_error;
mod shell_limits;
mod talk;
mod transcript;
mod tree;
mod wanted;
mod watch;

use rustix::time::{ClockId, clock_gettime};

use host::{inherited, now_us};
use watch::poll_for;

pub use interrupt::{Interrupt, ignored_signals};
pub use isolation::{Unmet, missing_layers, unmet};
pub use judge_job::{
    Argument, Capacity, Contention, CopiedFile, Cut, Description, DirectedSide, Director, End, Executor, Interrupted,
    Isolation, IsolationMode, Job, LayerState, Limits, Link, Machine, MeasuredBy, Order, Outcome, Place, PlacedFile,
    Ruler, Side, SideOutcome, Stdin, StopFlag, StopRequest, Talk, TalkOutcome, Tier, Usage, WantedFile, WantedFolder,
    Wire, canonical_parent, leads_through_proc,
};
pub use local::LocalExecutor;
pub use sandbox::{AllowedCall, Enforcement, Layer, LayerName, Probe, allowed_calls};
pub use setup_error::SetupError;
pub use watch::{wait_readable, wait_writable};

/// The most files that a scratch directory may hold.
const SCRATCH_FILES: u64 = 65536;

/// Microseconds of a clock. Safe to call after a clone.
fn clock_us(clock: ClockId) -> u64 {
    let now = clock_gettime(clock);
    now.tv_sec.cast_unsigned() * 1_000_000 + now.tv_nsec.cast_unsigned() / 1000
}
