//! Changes of the contest by the organiser. Each is one line of the log, which a judge at work follows.

use std::collections::BTreeSet;

use judge_core::journal::{BoardAndReason, ContestState, Line as Event};

use crate::line::{Line, Order};
use crate::progress::{is_judged, is_over};

/// The reason why an order cannot be carried out, as a fragment.
pub(crate) fn problem(order: &Order, contents: &ContestState) -> Option<String> {
    let because = match order {
        Order::Disqualify { because, .. }
        | Order::Reinstate { because, .. }
        | Order::Strike { because, .. }
        | Order::Unstrike { because, .. } => because,
        Order::Rule { ruling } => &ruling.because,
    };
    if because.trim().is_empty() || because.contains(char::is_control) {
        return Some("give the reason in one line, for everybody to read".into());
    }
    match order {
        Order::Strike { board, .. } | Order::Unstrike { board, .. } => {
            let known = contents.plan.boards.iter().any(|known| known.name == *board);
            if !known {
                return Some(format!("unknown board `{board}`"));
            }
            let unjudged = unjudged(board, contents);
            let counts_again = matches!(order, Order::Unstrike { .. }) && !unjudged.is_empty();
            counts_again.then(|| {
                format!(
                    "its round is over, and these were not judged on board `{board}`: {}; leave it struck, or take them out \
                     of the contest first",
                    unjudged.into_iter().collect::<Vec<_>>().join(", ")
                )
            })
        }
        Order::Rule { ruling } => {
            let unruled = contents.record(&ruling.key).is_none();
            unruled.then(|| format!("{} has no verdict on {}", ruling.key.entry, ruling.key.board))
        }
        Order::Disqualify { .. } | Order::Reinstate { .. } => None,
    }
}

/// The entries in the contest without a verdict on a board of a round that is over. No run would give them a verdict any more,
/// so they would be ranked as with missing runs.
fn unjudged<'c>(board: &str, contents: &'c ContestState) -> BTreeSet<&'c str> {
    let entries = contents.plan.entries.iter().filter(|entry| !contents.withdrawn.contains_key(&entry.name));
    let is_unjudged = |run: usize| {
        let is_on = contents.key_of(run).is_some_and(|key| &*key.board == board);
        is_on && is_over(contents, run) && !is_judged(contents.record_of(run))
    };
    entries.filter(|entry| contents.runs_of(&entry.name).any(is_unjudged)).map(|entry| &*entry.name).collect()
}

/// The line of the log that says what the organiser wants.
pub(crate) enum Written {
    /// An event of the office.
    ByOffice(Line),
    /// An event of the contest, as a judge writes it.
    OfContest(Event),
}

/// The line for a change of the contest by an organiser.
pub(crate) fn written(order: Order, by: Option<&str>) -> Written {
    let line = |board, because| BoardAndReason { board, reason: because };
    match order {
        Order::Disqualify { team, because } => Written::ByOffice(Line::Disqualified { team, because }),
        Order::Reinstate { team, because } => Written::ByOffice(Line::Reinstated { team, because }),
        Order::Strike { board, because } => Written::OfContest(Event::Struck(line(board, because))),
        Order::Unstrike { board, because } => Written::OfContest(Event::Reinstated(line(board, because))),
        Order::Rule { mut ruling } => {
            ruling.by.get_or_insert_with(|| by.unwrap_or("the organiser").to_owned());
            Written::OfContest(Event::Ruling(Box::new(ruling)))
        }
    }
}
