//! Changes of the contest that the organiser ordered. They follow from the office's log, and each is carried out once: the
//! journal records that.

use std::collections::{BTreeMap, BTreeSet};

use judge_core::journal::{BoardAndReason, Contents, Line, ManualRuling};

use crate::progress::{is_judged, is_over};
use crate::state::{Order, State};

/// The reason why an order cannot be carried out, as a fragment.
pub(crate) fn problem(order: &Order, contents: &Contents) -> Option<String> {
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
fn unjudged<'c>(board: &str, contents: &'c Contents) -> BTreeSet<&'c str> {
    let entries = contents.plan.entries.iter().filter(|entry| !contents.withdrawn.contains_key(&entry.name));
    let is_unjudged = |run: usize| {
        let is_on = contents.key_of(run).is_some_and(|key| &*key.board == board);
        is_on && is_over(contents, run) && !is_judged(contents.record_of(run))
    };
    entries.filter(|entry| contents.runs_of(&entry.name).any(is_unjudged)).map(|entry| &*entry.name).collect()
}

/// Names the decision from which a ruling comes, for everybody to read.
pub(crate) fn sign(order: &mut Order, state: &State) {
    if let Order::Rule { ruling } = order {
        ruling.by = Some(format!("the organiser, decision {}", state.orders().len() + 1));
    }
}

/// The events that are still to be recorded for boards and rulings.
pub(crate) fn due(state: &State, contents: &Contents) -> Vec<Line> {
    let (mut boards, mut rulings) = (BTreeMap::new(), Vec::new());
    for (order, number) in state.orders().iter().zip(1..) {
        match order {
            Order::Strike { board, because } => drop(boards.insert(board, (true, because))),
            Order::Unstrike { board, because } => drop(boards.insert(board, (false, because))),
            Order::Rule { ruling } => rulings.push((number, ruling)),
            Order::Disqualify { .. } | Order::Reinstate { .. } => {}
        }
    }
    let boards = boards.into_iter().filter_map(|(board, (struck, because))| {
        let line = BoardAndReason { board: board.clone(), reason: because.clone() };
        match (struck, contents.struck.contains_key(board)) {
            (true, false) => Some(Line::Struck(line)),
            // The round may have ended since it was ordered.
            (false, true) => unjudged(board, contents).is_empty().then_some(Line::Reinstated(line)),
            _ => None,
        }
    });
    let is_due = |number: u32, ruling: &ManualRuling| {
        !contents.orders.contains(&number) && contents.record(&ruling.key).is_some()
    };
    let rulings = rulings.into_iter().filter(|(number, ruling)| is_due(*number, ruling)).map(|(number, ruling)| {
        let mut ruling = ruling.clone();
        ruling.order = Some(number);
        Line::Ruling(Box::new(ruling))
    });
    boards.chain(rulings).collect()
}
