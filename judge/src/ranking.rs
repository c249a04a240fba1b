//! From totals to places. Pure.

use std::cmp::Ordering;

use crate::contest::RankKey;
use crate::results::{Results, Row};
use crate::score::Figures;

/// Orders the rows and gives places.
///
/// Rows stand by rank, with one exception that the published table of 1995 shows: the winner heads the table even
/// where an entry out of competition did better. An entry that does not compete takes no place. One with a run that
/// is missing or that the judge spoilt stands below all others, without a place, until that run is made: its total
/// would count against it. Equal rows share a place.
pub fn rank(results: &mut Results) {
    let order = results.ranking.clone();
    results.rows.sort_by(|a, b| b.complete().cmp(&a.complete()).then_with(|| compare(&order, &a.total, &b.total)));
    if let Some(winner) = results.rows.iter().position(takes_place) {
        results.rows[..=winner].rotate_right(1);
    }
    let mut placed = 0;
    let mut last: Option<(usize, Figures)> = None;
    for row in &mut results.rows {
        row.place = None;
        if !takes_place(row) {
            continue;
        }
        placed += 1;
        let place = match &last {
            Some((place, total)) if compare(&order, total, &row.total).is_eq() => *place,
            _ => placed,
        };
        row.place = Some(place);
        last = Some((place, row.total));
    }
}

fn takes_place(row: &Row) -> bool {
    row.entry.competing && row.complete()
}

/// `Less` when `a` is the better total. What is not known is worse than anything known.
fn compare(order: &[RankKey], a: &Figures, b: &Figures) -> Ordering {
    let least = |a: Option<u64>, b: Option<u64>| a.unwrap_or(u64::MAX).cmp(&b.unwrap_or(u64::MAX));
    let by_key = |key: &RankKey| match key {
        RankKey::Progress => b.progress.cmp(&a.progress),
        RankKey::Moves => least(a.moves, b.moves),
        RankKey::TieBreak => least(a.tie_break, b.tie_break),
        RankKey::Time => least(a.time_ms(), b.time_ms()),
    };
    order.iter().map(by_key).find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
}
