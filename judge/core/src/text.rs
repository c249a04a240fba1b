//! Text from untrusted sources, made safe to print.

/// Text in one line that cannot steer a terminal or reorder the text around it: control characters and directional
/// marks are replaced.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_directional(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Tests whether a character is a mark, an embedding, an override or an isolate of Unicode's bidirectional algorithm.
pub fn is_directional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_printable_steers_a_terminal_or_turns_text_round() {
        for c in [
            '\u{1b}', '\n', '\u{7f}', '\u{85}', '\u{202e}', '\u{202a}', '\u{2066}', '\u{2069}', '\u{200e}', '\u{200f}',
            '\u{61c}',
        ] {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
        }
        assert_eq!(printable("Größe, שלום, 板"), "Größe, שלום, 板");
    }
}
