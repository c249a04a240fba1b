//! Tables that are unfolded: large pages open fast because a browser that runs scripts does not build them before.

use maud::{Markup, html};

/// What can be unfolded under a summary.
///
/// Where scripts run, the content of `noscript` is text, and the page's script makes elements of it when somebody asks;
/// where they do not run it is there from the beginning. On a page of 40 entries and 200 boards that is the difference
/// between 111,000 elements and 25,000.
pub(super) fn fold(summary: &str, content: &Markup) -> Markup {
    html! {
        details class="fold" {
            summary { (summary) }
            noscript { (content) }
        }
    }
}
