//! Recorded rounds compared with the rounds that the present rules would have opened.

use std::collections::BTreeSet;
use std::path::Path;

use super::{NextStep, next};
use crate::journal::{ContestState, JournalError, Line, Round, read_lines};
use crate::key::RunKey;

/// A recorded round that the present rules would not have opened in this form.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deviation {
    /// The round as recorded, which counts.
    pub recorded: Round,
    /// The result of the present rules.
    pub today: PresentResult,
}

/// The result of the present rules instead of a recorded round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentResult {
    /// These entries would advance, in the order in which they start on the first board.
    Entrants(Vec<String>),
    /// The recorded runs would be executed in another order.
    Order,
    /// No round would have opened; the reason as a fragment.
    Closed(String),
}

impl Deviation {
    /// The deviation of a round that opened after these events.
    fn new(before: &ContestState, recorded: &Round) -> Option<Self> {
        let runs = |round: &Round| round.order.iter().cloned().collect::<BTreeSet<RunKey>>();
        let today = match next(before) {
            NextStep::Open(today) if today.order == recorded.order => return None,
            NextStep::Open(today) if runs(&today) == runs(recorded) => PresentResult::Order,
            NextStep::Open(today) => PresentResult::Entrants(today.entrants().into_iter().map(str::to_owned).collect()),
            next => PresentResult::Closed(next.reason(&before.plan)),
        };
        Some(Self { recorded: recorded.clone(), today })
    }
}

/// Compares the recorded rounds of a results directory with the rounds that the present rules would have opened. A corrected
/// ranking causes deviations in honest records, and so does a round that was opened by hand.
///
/// # Errors
///
/// The journal is missing, damaged, or has a format that this version cannot read.
pub fn deviations(directory: &Path) -> Result<Vec<Deviation>, JournalError> {
    let mut found = Vec::new();
    read_lines(directory, &mut |before, line| {
        if let Line::Round(round) = line {
            let aside = round.set_aside().map(|(entry, why)| (entry, Some(why)));
            found.extend(Deviation::new(&before.so_far().with_aside(aside), round));
        }
    })?;
    Ok(found)
}
