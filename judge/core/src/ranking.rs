//! From totals to places. Pure.

use std::cmp::Ordering;

use crate::plan::RankKey;
use crate::score::{Metrics, Row};

/// Orders the rows and gives places.
///
/// Rows stand by rank, with one exception that the published table of 1995 shows: the winner heads the table even
/// where an entry out of competition did better. An entry that does not compete takes no place. One with a run that
/// is missing or that the judge spoilt stands below all others, without a place, until that run is made: its total
/// would count against it. Equal rows share a place.
///
/// An illegal answer adds progress but no moves, as in 1995. Taken alone that would reward a program that spoils its
/// answer on purpose: the same progress, fewer moves. So before moves are compared, fewer illegal answers come first.
/// No two entries of 1995 tie on progress with an illegal answer among them, so the published order stands.
pub fn rank(rows: &mut [Row], order: &[RankKey]) {
    rows.sort_by(|a, b| b.complete().cmp(&a.complete()).then_with(|| compare(order, a, b)));
    if let Some(winner) = rows.iter().position(takes_place) {
        rows[..=winner].rotate_right(1);
    }
    let mut placed = 0;
    let mut last: Option<(usize, Row)> = None;
    for row in rows {
        row.place = None;
        if !takes_place(row) {
            continue;
        }
        placed += 1;
        let place = match &last {
            Some((place, above)) if compare(order, above, row).is_eq() => *place,
            _ => placed,
        };
        row.place = Some(place);
        last = Some((place, row.clone()));
    }
}

fn takes_place(row: &Row) -> bool {
    row.entry.competing && row.complete()
}

/// `Less` when `a` is the better row. What is not known is worse than anything known.
pub(crate) fn compare(order: &[RankKey], a: &Row, b: &Row) -> Ordering {
    let least = |figure: fn(&Metrics) -> Option<u64>| {
        figure(&a.total).unwrap_or(u64::MAX).cmp(&figure(&b.total).unwrap_or(u64::MAX))
    };
    let by_key = |key: &RankKey| match key {
        RankKey::Progress => b.total.progress.cmp(&a.total.progress),
        RankKey::Moves => illegal(a).cmp(&illegal(b)).then_with(|| least(|total| total.moves)),
        RankKey::TieBreak => illegal(a).cmp(&illegal(b)).then_with(|| least(|total| total.tie_break)),
        RankKey::Time => least(Metrics::time_ms),
    };
    order.iter().map(by_key).find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
}

/// How many of its answers hold an illegal move.
fn illegal(row: &Row) -> usize {
    row.cells.iter().filter(|cell| cell.code == Some("ILL")).count()
}
