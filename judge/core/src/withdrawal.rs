//! Entries that are out of a contest.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

/// The reason why an entry is out of the contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Withdrawal {
    /// The reason, for everybody to read.
    pub reason: String,
    /// True if the organiser disqualified it, false if it was withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disqualified: bool,
    /// True if it was not withdrawn: it follows from what an office decided, and goes when that does. Journals of before have a `cause`
    /// in such a case.
    #[serde(default, rename = "cause", skip_serializing, deserialize_with = "is_there")]
    pub aside: bool,
}

/// Tests whether a key is there, whatever it has.
fn is_there<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl Withdrawal {
    /// An entry that was withdrawn, for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), disqualified: false, aside: false }
    }

    /// An entry that the organiser disqualified, for this reason.
    pub fn disqualified(reason: impl Into<String>) -> Self {
        Self { disqualified: true, ..Self::new(reason) }
    }

    /// Marks the withdrawal as one that follows from what an office decided.
    #[must_use]
    pub fn set_aside(self) -> Self {
        Self { aside: true, ..self }
    }

    /// The one of two reasons that there is; the disqualification if there are both.
    pub fn from_keys(withdrawn: Option<&str>, disqualified: Option<&str>) -> Option<Self> {
        disqualified.map(Self::disqualified).or(withdrawn.map(Self::new))
    }

    /// The participle for sentences: `withdrawn` or `disqualified`.
    pub fn word(&self) -> &'static str {
        if self.disqualified { "disqualified" } else { "withdrawn" }
    }
}
