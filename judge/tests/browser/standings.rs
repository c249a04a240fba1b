//! The standings: sorted by any column, and readable however they are looked at.

use std::collections::BTreeSet;

use crate::contests::mixed;
use crate::page::Page;
use crate::support::Folder;

/// The fields of a column from the top, as they stand now.
fn column(page: &Page, place: usize) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('#standings tbody tr')].map(row => row.cells[{place}].innerText.trim())"
    );
    serde_json::from_value(page.run(&script)).unwrap()
}

#[test]
fn every_column_sorts_both_ways_and_says_so() {
    let folder = Folder::new();
    let page = Page::open(&mixed(&folder));
    let heads = page.all("#standings thead th");
    assert!(heads.len() >= 6, "place, entry, author, two boards, total, time");
    let as_made = column(&page, 1);
    for (place, head) in heads.iter().enumerate() {
        let mut orders = Vec::new();
        for _ in 0..2 {
            page.all("#standings thead th button")[place].click();
            let said = head.attribute("aria-sort").unwrap_or_default();
            assert!(["ascending", "descending"].contains(&said.as_str()), "column {place} says {said:?}");
            // One column at a time says that it is the one.
            assert_eq!(page.all("#standings th[aria-sort]:not([aria-sort=none])").len(), 1);
            orders.push((said, column(&page, 1)));
            let entries: BTreeSet<String> = column(&page, 1).into_iter().collect();
            assert_eq!(entries, as_made.iter().cloned().collect(), "no row is lost or doubled");
        }
        assert_ne!(orders[0].0, orders[1].0, "column {place} sorts one way only");
    }
}
