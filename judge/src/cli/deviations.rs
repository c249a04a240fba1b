//! Warnings of recorded rounds that the rules of this judge would have opened differently.

use std::path::Path;

use super::{Failure, notice};
use judge_core::advance::{Deviation, PresentResult, RULES, deviations};
#[cfg(feature = "sandbox")]
use judge_core::journal::ContestState;

/// Warns of rounds to which different entries would advance by today's rules. The rounds count as recorded.
pub(super) fn warn(results: &Path) -> Result<(), Failure> {
    let found = deviations(results).map_err(Failure::input)?;
    for deviation in found.iter().filter(|deviation| deviation.today != PresentResult::Order) {
        notice(format!("{}; it counts as it is recorded", sentence(deviation)));
    }
    Ok(())
}

/// Warns of rounds to which different entries would advance by today's rules, for a journal that was already read. The
/// journal is read again only if it has rounds.
#[cfg(feature = "sandbox")]
pub(super) fn warn_of(contents: &ContestState, results: &Path) -> Result<(), Failure> {
    if contents.rounds.is_empty() { Ok(()) } else { warn(results) }
}

/// A deviation in words, without a full stop.
pub(super) fn sentence(Deviation { recorded, today, .. }: &Deviation) -> String {
    let name = recorded.name.as_ref().map_or(String::new(), |name| format!(", {name},"));
    let today = match today {
        PresentResult::Entrants(entrants) => format!("it would open for {}", entrants.join(", ")),
        PresentResult::Order => "its runs would start in another order".into(),
        PresentResult::Closed(reason) => format!("it would not open: {reason}"),
    };
    let versions = match recorded.rules {
        Some(rules) if rules != RULES => format!(" (version {RULES}; it was opened by version {rules})"),
        _ => String::new(),
    };
    format!(
        "round {}{name} was opened for {}; by the rules of this judge{versions} {today}",
        recorded.number,
        recorded.entrants().join(", ")
    )
}
