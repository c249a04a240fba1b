//! Reading results directories.

/// Reads a results directory. If an office is next to it, the office decides what counts.
#[cfg(feature = "serve")]
pub(super) use judge_office::results::read;

/// Reads a results directory. This build has no office, so the journal decides what counts. That was recorded when the
/// judging ended, or when the results became final.
#[cfg(not(feature = "serve"))]
pub(super) use judge_core::journal::read;
