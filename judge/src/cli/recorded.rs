//! Reading results directories.

/// Reads a results directory. If its log has an office, the office decides what counts.
pub(super) use judge_office::results::read;
