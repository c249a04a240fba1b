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

#[test]
fn names_sort_as_names_cells_by_progress_then_moves_and_times_as_numbers() {
    let folder = Folder::new();
    let page = Page::open(&mixed(&folder));
    let heads: Vec<String> = page.all("#standings thead th").iter().map(|head| head.text()).collect();
    let sorted_by = |head: &str| {
        let place = heads.iter().position(|text| text.starts_with(head)).unwrap();
        page.all("#standings thead th button")[place].click();
        column(&page, place)
    };
    let entries = sorted_by("entry");
    assert!(entries.is_sorted(), "{entries:?}");
    // The best first, and answers that came to nothing at the end.
    let cells: Vec<String> = sorted_by("NEAR").iter().map(|cell| cell.trim_end_matches('?').to_owned()).collect();
    assert_eq!(cells[..4], ["25/4", "25/4", "22/2", "20/0"]);
    assert!(cells[4..].iter().all(|cell| cell.starts_with("0/")), "{cells:?}");
    let times = sorted_by("time");
    let milliseconds: Vec<u64> = times.iter().map(|time| time.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(milliseconds.is_sorted(), "{times:?}");
    assert!(milliseconds.len() == 7 && milliseconds.last() > Some(&200), "{times:?}");
}
