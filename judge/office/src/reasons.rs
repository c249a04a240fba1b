//! The causes for which the office itself withdraws entries. A status follows from them.

use judge_core::journal::{EntryAndReason, Line};
use judge_core::withdrawal::{Cause, Withdrawal};

const DOES_NOT_BUILD: &str = "does not build";
const BUILD_ERRORS: &str = "held after judge errors of its build";
const SUPERSEDED: &str = "superseded by ";
const IGNORED: &str = "ignored";
const CANCELLED: &str = "cancelled by its team";
const HELD: &str = "held by the organiser";

/// The cause for which the office withdrew an entry; `None` if a person did.
pub(crate) fn cause(withdrawal: &Withdrawal) -> Option<Cause> {
    withdrawal.cause.clone().or_else(|| in_older_journals(withdrawal))
}

/// The cause, if it follows from the office's log. The withdrawal is taken back if the cause is.
pub(crate) fn of_log(withdrawal: &Withdrawal) -> Option<Cause> {
    cause(withdrawal).filter(|cause| !matches!(cause, Cause::DoesNotBuild | Cause::BuildErrors))
}

/// Tests whether two causes are of the same kind: the entry that counts instead may differ.
pub(crate) fn is_kind(one: &Cause, other: &Cause) -> bool {
    one == other || matches!((one, other), (Cause::Superseded { .. }, Cause::Superseded { .. }))
}

/// The event that withdraws an entry for a cause, with the reason for everybody to read.
pub(crate) fn out(entry: &str, cause: Cause) -> Line {
    let reason = match &cause {
        Cause::DoesNotBuild => DOES_NOT_BUILD.to_owned(),
        Cause::BuildErrors => BUILD_ERRORS.to_owned(),
        Cause::Superseded { by } => format!("{SUPERSEDED}{by}"),
        Cause::Ignored { because } if because.is_empty() => IGNORED.to_owned(),
        Cause::Ignored { because } => format!("{IGNORED}: {because}"),
        Cause::Cancelled => CANCELLED.to_owned(),
        Cause::Held => HELD.to_owned(),
        other => format!("{other:?}"),
    };
    let withdrawal = Withdrawal::new(reason).with_cause(cause);
    Line::Withdrawn(EntryAndReason { entry: entry.to_owned(), withdrawal })
}

/// The event that takes a withdrawal back.
pub(crate) fn back(entry: &str) -> Line {
    Line::Restored(EntryAndReason { entry: entry.to_owned(), withdrawal: Withdrawal::new("") })
}

/// The cause in journals of version 0.2.0, which contain only the reason.
fn in_older_journals(withdrawal: &Withdrawal) -> Option<Cause> {
    if withdrawal.disqualified {
        return None;
    }
    match &*withdrawal.reason {
        DOES_NOT_BUILD => Some(Cause::DoesNotBuild),
        BUILD_ERRORS => Some(Cause::BuildErrors),
        CANCELLED => Some(Cause::Cancelled),
        HELD => Some(Cause::Held),
        IGNORED => Some(Cause::Ignored { because: String::new() }),
        reason => match (reason.strip_prefix(SUPERSEDED), reason.strip_prefix("ignored: ")) {
            (Some(by), _) => Some(Cause::Superseded { by: by.to_owned() }),
            (_, Some(because)) => Some(Cause::Ignored { because: because.to_owned() }),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn all() -> [Cause; 7] {
        let (by, because) = ("ada.2".to_owned(), "twice".to_owned());
        [
            Cause::DoesNotBuild,
            Cause::BuildErrors,
            Cause::Superseded { by },
            Cause::Ignored { because },
            Cause::Ignored { because: String::new() },
            Cause::Cancelled,
            Cause::Held,
        ]
    }

    #[test]
    fn a_cause_is_read_back_whatever_its_words() {
        for expected in all() {
            let Line::Withdrawn(event) = out("ada.1", expected.clone()) else { panic!("another event") };
            let mut line = serde_json::to_value(&event).unwrap();
            line["reason"] = "in other words".into();
            let read: EntryAndReason = serde_json::from_value(line).unwrap();
            assert_eq!(cause(&read.withdrawal), Some(expected));
        }
        assert_eq!(cause(&Withdrawal::new("in other words")), None);
    }

    #[test]
    fn a_journal_without_causes_has_them_in_its_reasons() {
        for expected in all() {
            let Line::Withdrawn(mut event) = out("ada.1", expected.clone()) else { panic!("another event") };
            event.withdrawal.cause = None;
            assert_eq!(cause(&event.withdrawal), Some(expected));
            event.withdrawal.disqualified = true;
            assert_eq!(cause(&event.withdrawal), None, "the organiser's own words");
        }
    }
}
