//! Entries that are out of a contest.

use serde::{Deserialize, Serialize};

/// The reason why an entry is out of the contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawal {
    /// The reason, for everybody to read.
    pub reason: String,
    /// True if the organiser disqualified it, false if it was withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disqualified: bool,
}

impl Withdrawal {
    /// The one of two reasons that there is; the disqualification if there are both.
    pub fn from_keys(withdrawn: Option<&str>, disqualified: Option<&str>) -> Option<Self> {
        let new = |(reason, disqualified): (&str, bool)| Self { reason: reason.to_owned(), disqualified };
        disqualified.map(|reason| (reason, true)).or(withdrawn.map(|reason| (reason, false))).map(new)
    }

    /// The participle for sentences: `withdrawn` or `disqualified`.
    pub fn word(&self) -> &'static str {
        if self.disqualified { "disqualified" } else { "withdrawn" }
    }
}
