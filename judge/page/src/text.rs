//! What strangers wrote, made fit for a page: no control character, no length without end, and directions of writing
//! that stay inside it. That markup in it is text is `maud`'s part.

use maud::{Markup, html};

use judge_core::text::printable;

/// Characters that a name or a sentence may fill.
const MOST: usize = 200;

/// Text between other text.
pub(super) fn foreign(text: &str) -> Markup {
    html! { bdi { (shortened(text)) } }
}

/// Text where no element can keep a direction of writing inside: in a title or a label.
pub(super) fn plain(text: &str) -> String {
    shortened(text)
}

/// A text without control characters; of one that is too long the beginning, with how much is left out.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        None => printable(text),
        Some((end, _)) => format!("{}… ({} more characters)", printable(&text[..end]), text[end..].chars().count()),
    }
}

/// Text of several lines without control characters.
pub(super) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}
