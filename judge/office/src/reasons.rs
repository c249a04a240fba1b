//! The reasons of withdrawals that the office makes itself. A status follows from them.

use std::fmt;

use judge_core::withdrawal::Withdrawal;

/// A submission that does not build.
pub(crate) const DOES_NOT_BUILD: &str = "does not build";
/// A submission whose build the judge failed to execute too often.
pub(crate) const HELD: &str = "held after judge errors of its build";
const SUPERSEDED: &str = "superseded by ";
const IGNORED: &str = "ignored";
const CANCELLED: &str = "cancelled by its team";
const HELD_BY_ORGANISER: &str = "held by the organiser";

/// A reason of a withdrawal that follows from the office's log. It is taken back if that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Own {
    /// Another submission counts; its entry.
    Superseded(String),
    /// The organiser does not count it; the reason.
    Ignored(String),
    Cancelled,
    Held,
}

impl Own {
    /// Reads a reason; `None` if the office did not give it.
    pub(crate) fn of(withdrawal: &Withdrawal) -> Option<Self> {
        if withdrawal.disqualified {
            return None;
        }
        match &*withdrawal.reason {
            CANCELLED => Some(Self::Cancelled),
            HELD_BY_ORGANISER => Some(Self::Held),
            IGNORED => Some(Self::Ignored(String::new())),
            reason => match (reason.strip_prefix(SUPERSEDED), reason.strip_prefix("ignored: ")) {
                (Some(by), _) => Some(Self::Superseded(by.to_owned())),
                (_, Some(because)) => Some(Self::Ignored(because.to_owned())),
                _ => None,
            },
        }
    }

    /// Tests whether one reason stands for another: which entry counts instead may change.
    pub(crate) fn is_kind(&self, other: &Self) -> bool {
        self == other || matches!((self, other), (Self::Superseded(_), Self::Superseded(_)))
    }
}

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Superseded(by) => write!(f, "{SUPERSEDED}{by}"),
            Self::Ignored(because) if because.is_empty() => f.write_str(IGNORED),
            Self::Ignored(because) => write!(f, "{IGNORED}: {because}"),
            Self::Cancelled => f.write_str(CANCELLED),
            Self::Held => f.write_str(HELD_BY_ORGANISER),
        }
    }
}
