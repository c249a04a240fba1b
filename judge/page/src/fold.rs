//! Folded tables. Large pages open fast because browsers with scripts build these tables only on demand.

use maud::{Markup, html};

/// Renders content that unfolds under a summary.
///
/// With scripts, the content of `noscript` is text, and the page's script turns it into elements on demand. Without
/// scripts, it is part of the page. A large page then starts with a quarter of its elements.
pub(super) fn fold(summary: &str, content: &Markup) -> Markup {
    html! {
        details class="fold" {
            summary { (summary) }
            noscript { (content) }
        }
    }
}
