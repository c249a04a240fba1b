//! The end of a job by a request to stop.

use std::error::Error;
use std::fmt;

/// The job was cut off because the caller asked to stop. It has no outcome and is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl Error for Interrupted {}
