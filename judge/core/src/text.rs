//! Text from untrusted sources, made safe to print.

use std::borrow::Cow;

/// Text in one line that cannot steer a terminal or reorder the text around it: control characters and directional
/// marks are replaced.
pub fn printable(text: &str) -> String {
    cleaned(text, steers).into_owned()
}

/// The same for text of several lines: line ends and tabs stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let text: Cow<'_, str> = if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() };
    let steers = |c| steers(c) && !matches!(c, '\n' | '\t');
    match text {
        Cow::Borrowed(text) => cleaned(text, steers),
        Cow::Owned(text) => cleaned(&text, steers).into_owned().into(),
    }
}

/// The same as [`printable`], without a copy of text that is printable already.
pub(crate) fn printable_field(text: &str) -> Cow<'_, str> {
    cleaned(text, steers)
}

/// Tests whether a character can do more than be shown: a control character, or one of [`is_directional`].
pub fn steers(c: char) -> bool {
    c.is_control() || is_directional(c)
}

/// Tests whether a character is a mark, an embedding, an override or an isolate of Unicode's bidirectional algorithm.
pub fn is_directional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn cleaned(text: &str, replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&replaced) { text.replace(replaced, "\u{fffd}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_printable_steers_a_terminal_or_turns_text_round() {
        for c in [
            '\u{1b}', '\r', '\u{7f}', '\u{85}', '\u{9b}', '\u{202e}', '\u{202a}', '\u{2066}', '\u{2069}', '\u{200e}',
            '\u{200f}', '\u{61c}',
        ] {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
            assert_eq!(printable_lines(&format!("a{c}b\nc")), "a\u{fffd}b\nc", "{c:?}");
        }
        assert_eq!(printable("a\n\tb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(printable_lines("a\r\n\tb\r"), "a\n\tb\u{fffd}");
        assert_eq!(printable("Größe, שלום, 板"), "Größe, שלום, 板");
    }
}
