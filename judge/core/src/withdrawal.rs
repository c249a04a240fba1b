//! Withdrawals of entries.

use serde::{Deserialize, Serialize};

/// The reason why an entry is out of the contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Withdrawal {
    /// The reason, visible to everyone.
    pub reason: String,
    /// True if the organiser disqualified it, false if it was withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disqualified: bool,
    /// True if it follows from the decisions of an office, and ends with them. No line of a journal has it.
    #[serde(skip)]
    pub aside: bool,
}

impl Withdrawal {
    /// The withdrawal of an entry, for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), disqualified: false, aside: false }
    }

    /// The disqualification of an entry by the organiser, for this reason.
    pub fn disqualified(reason: impl Into<String>) -> Self {
        Self { disqualified: true, ..Self::new(reason) }
    }

    /// Marks the withdrawal as one that follows from a decision of an office.
    #[must_use]
    pub fn set_aside(self) -> Self {
        Self { aside: true, ..self }
    }

    /// The withdrawal from whichever reason is present; the disqualification if both are.
    pub fn from_keys(withdrawn: Option<&str>, disqualified: Option<&str>) -> Option<Self> {
        disqualified.map(Self::disqualified).or(withdrawn.map(Self::new))
    }

    /// The participle for sentences: `withdrawn` or `disqualified`.
    pub fn word(&self) -> &'static str {
        if self.disqualified { "disqualified" } else { "withdrawn" }
    }
}
