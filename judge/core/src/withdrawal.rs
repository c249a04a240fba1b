//! Entries that are out of a contest.

use serde::{Deserialize, Serialize};

/// The reason why an entry is out of the contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Withdrawal {
    /// The reason, for everybody to read.
    pub reason: String,
    /// True if the organiser disqualified it, false if it was withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disqualified: bool,
    /// What made an office withdraw it; `None` if a person did, or its files are no program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

/// What makes an office withdraw an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// It does not build.
    DoesNotBuild,
    /// The judge failed too often to build it.
    BuildErrors,
    /// Another entry of its team counts.
    Superseded {
        /// Name of the entry that counts.
        by: String,
    },
    /// The organiser does not count it.
    Ignored {
        /// The organiser's reason; empty for none.
        because: String,
    },
    /// Its team took it back.
    Cancelled,
    /// The organiser has it judged later.
    Held,
}

impl Withdrawal {
    /// An entry that was withdrawn, for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), disqualified: false, cause: None }
    }

    /// An entry that the organiser disqualified, for this reason.
    pub fn disqualified(reason: impl Into<String>) -> Self {
        Self { disqualified: true, ..Self::new(reason) }
    }

    /// Marks the withdrawal as one by an office, for this cause.
    #[must_use]
    pub fn with_cause(mut self, cause: Cause) -> Self {
        self.cause = Some(cause);
        self
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
