//! The page of one to three results: CSV files, journals, and answers beside them.
//!
//! What must hold: the page has known elements only, no scripts but ours, and no fetches.

use crate::page::check_page;
use crate::sources::with_sources;

/// Writes the page of everything that can be read, as `judge report` does. It is inert.
pub fn check(bytes: &[u8]) {
    with_sources(bytes, |sources| {
        if sources.is_empty() {
            return;
        }
        let mut page = Vec::new();
        judge_page::write(sources, &mut page).expect("memory can be written");
        check_page(&String::from_utf8(page).expect("a page is UTF-8"));
    });
}
