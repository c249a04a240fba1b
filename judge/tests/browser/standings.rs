//! The standings: sorting by any column.

use crate::contests::mixed;
use crate::page::Page;
use crate::support::*;

/// Returns the current cells of a column, from the top.
fn column(page: &Page, place: usize) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('#standings tbody tr')].map(row => row.cells[{place}].innerText.trim())"
    );
    serde_json::from_value(page.run(&script)).unwrap()
}

#[test]
fn every_column_sorts_in_both_directions_with_aria_sort() {
    let page = Page::made(mixed);
    let heads = page.all("#standings thead th");
    assert!(heads.len() >= 6, "place, entry, author, two boards, total, time");
    let as_made = column(&page, 1);
    for (place, head) in heads.iter().enumerate() {
        let mut orders = Vec::new();
        for _ in 0..2 {
            page.all("#standings thead th button")[place].click();
            let sort = head.attribute("aria-sort").unwrap_or_default();
            assert!(["ascending", "descending"].contains(&sort.as_str()), "column {place} has aria-sort {sort:?}");
            // Only one column at a time has aria-sort.
            assert_eq!(page.all("#standings th[aria-sort]:not([aria-sort=none])").len(), 1);
            orders.push((sort, column(&page, 1)));
            let entries: BTreeSet<String> = column(&page, 1).into_iter().collect();
            assert_eq!(entries, as_made.iter().cloned().collect(), "no row is lost or duplicated");
        }
        assert_ne!(orders[0].0, orders[1].0, "column {place} sorts in one direction only");
    }
}

#[test]
fn columns_sort_by_what_they_mean() {
    let page = Page::made(mixed);
    let heads: Vec<String> = page.all("#standings thead th").iter().map(|head| head.text()).collect();
    let sorted_by = |head: &str| {
        let place = heads.iter().position(|text| text.starts_with(head)).unwrap();
        page.all("#standings thead th button")[place].click();
        column(&page, place)
    };
    let entries = sorted_by("entry");
    assert!(entries.is_sorted(), "{entries:?}");
    // The best first, and failures at the end.
    let cells: Vec<String> = sorted_by("NEAR").iter().map(|cell| cell.trim_end_matches('?').to_owned()).collect();
    assert_eq!(cells[..4], ["4", "4", "22/2", "20/0"]);
    assert!(cells[4..].iter().all(|cell| cell.starts_with("0/")), "{cells:?}");
    let times = sorted_by("time");
    assert!(times.iter().all(|time| time.ends_with(" ms") || time.ends_with(" s")), "{times:?}");
    let keys = "return [...document.querySelectorAll('#standings tbody tr')].map(row => +row.cells[3].dataset.key)";
    let microseconds: Vec<u64> = serde_json::from_value(page.run(keys)).unwrap();
    assert!(microseconds.is_sorted(), "{times:?}");
    assert!(microseconds.len() == 7 && microseconds.last() > Some(&200_000), "{times:?}");
}
