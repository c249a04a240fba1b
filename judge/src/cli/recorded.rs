//! What a results directory has recorded.

/// Reads a results directory. With the office of a contest next to it, what counts follows from that.
#[cfg(feature = "serve")]
pub(super) use judge_office::results::read;

/// Reads a results directory. This command knows no office, so what counts is what the journal says: it was written when the
/// judging ended, or when the results became final.
#[cfg(not(feature = "serve"))]
pub(super) use judge_core::journal::read;
