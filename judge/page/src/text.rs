//! Untrusted text on the page: without control characters, limited in length, and with its writing direction contained.
//! `maud` escapes the markup in it.

use maud::{Markup, html};

use judge_core::text::printable;

/// The most characters of a name or a sentence.
const MOST: usize = 200;

/// Renders text within other text.
pub(super) fn foreign(text: &str) -> Markup {
    html! { bdi { (shortened(text)) } }
}

/// Prepares text for a title or a label, where no element can contain a writing direction.
pub(super) fn plain(text: &str) -> String {
    shortened(text)
}

/// Replaces control characters, and cuts a long text with a note on the number of characters left out.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        None => printable(text),
        Some((end, _)) => format!("{}… ({} more characters)", printable(&text[..end]), text[end..].chars().count()),
    }
}
