//! The machine of the judge itself: trusted programs that it executes, its clocks, its environment and its name.
//!
//! Nothing here is isolated.

mod programs;

use std::ffi::OsString;

use rustix::time::{ClockId, clock_gettime};

pub use programs::{ProgramOutput, run_program, shell, shell_within};

/// Microseconds of the monotonic clock, which cannot be set. Safe to call after a clone.
pub fn now_us() -> u64 {
    crate::clock_us(ClockId::Monotonic)
}

/// Seconds of the system's clock since the beginning of 1970 in UTC; 0 if it is set to an earlier time. It can be set
/// forward and back, so it is only for display.
pub fn utc_seconds() -> u64 {
    u64::try_from(clock_gettime(ClockId::Realtime).tv_sec).unwrap_or(0)
}

/// A variable of the judge's own environment; `None` if it is not set.
pub fn inherited(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// All variables of the judge's own environment whose names and values are UTF-8, sorted by name.
pub fn all_inherited() -> Vec<(String, String)> {
    let text = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
    let mut all: Vec<_> = std::env::vars_os().filter_map(text).collect();
    all.sort();
    all
}

/// The host name of this machine.
pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
