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

/// The most names that a message lists.
const MOST_LISTED: usize = 30;

/// The error for an unknown name, with the name that was probably meant and all that exist: ``unknown board `FOXI`; did
/// you mean `FOXY`? available: FOXY, AID``.
pub fn unknown<'a>(what: &str, name: &str, available: impl IntoIterator<Item = &'a str>) -> String {
    let available: Vec<&str> = available.into_iter().collect();
    let hint = nearest(name, available.iter().copied()).map(|near| format!("did you mean `{near}`? "));
    let mut list = available.iter().take(MOST_LISTED).copied().collect::<Vec<_>>().join(", ");
    if available.len() > MOST_LISTED {
        list += &format!(" and {} more", available.len() - MOST_LISTED);
    }
    if list.is_empty() {
        list = "none".into();
    }
    format!("unknown {what} `{name}`; {}available: {list}", hint.unwrap_or_default())
}

/// The name that was probably meant: the one that takes the fewest changes of letters, if these are at most a third of
/// them. Upper and lower case are equal.
pub fn nearest<'a>(name: &str, available: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let most = (wanted.chars().count() / 3).max(1);
    let distance = |other: &str| strsim::damerau_levenshtein(&wanted, &other.to_lowercase());
    let near = available.into_iter().map(|other| (distance(other), other));
    let near = near.filter(|(distance, other)| *distance <= most && *distance < other.chars().count());
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

fn cleaned(text: &str, replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&replaced) { text.replace(replaced, "\u{fffd}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_comes_with_the_one_that_was_probably_meant() {
        assert_eq!(nearest("limt", ["name", "limit", "cores"]), Some("limit"));
        assert_eq!(nearest("foxy", ["AID", "FOXY"]), Some("FOXY"));
        assert_eq!(nearest("ocmmand", ["command"]), Some("command"), "two letters that changed places are one change");
        assert_eq!((nearest("chess", ["loyd", "swap"]), nearest("B", ["A"]), nearest("x", [])), (None, None, None));
        assert_eq!(
            unknown("board", "FOXI", ["AID", "FOXY"]),
            "unknown board `FOXI`; did you mean `FOXY`? available: AID, FOXY"
        );
        assert_eq!(unknown("entry", "mine", []), "unknown entry `mine`; available: none");
        let many: Vec<String> = (1..=200).map(|seed| format!("seed-{seed}")).collect();
        assert!(unknown("board", "x", many.iter().map(String::as_str)).ends_with("seed-30 and 170 more"));
    }

    #[test]
    fn printable_text_neither_controls_a_terminal_nor_changes_direction() {
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
