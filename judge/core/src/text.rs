//! Text from untrusted sources, made safe for output.

use std::borrow::Cow;

/// Text in one line, without characters that control a terminal, reorder the text or hide a part of it. Control characters,
/// directional marks and invisible characters are replaced, so that different names look different. Joiners and variation
/// selectors stay where scripts and emoji need them.
pub fn printable(text: &str) -> String {
    if !text.contains(|c| controls_output(c) || is_invisible(c)) {
        return text.to_owned();
    }
    let mut characters = text.chars().peekable();
    let mut before = None;
    let mut shown = String::with_capacity(text.len());
    while let Some(c) = characters.next() {
        let hides = is_invisible(c) && !is_needed(before, c, characters.peek().copied());
        shown.push(if controls_output(c) || hides { char::REPLACEMENT_CHARACTER } else { c });
        before = Some(c);
    }
    shown
}

/// Text of several lines, without characters that control a terminal or reorder the text. The text may be one piece of a longer
/// one. Line ends, tabs and invisible characters stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let text: Cow<'_, str> = if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() };
    let controls_output = |c| controls_output(c) && !matches!(c, '\n' | '\t');
    match text {
        Cow::Borrowed(text) => cleaned(text, controls_output),
        Cow::Owned(text) => cleaned(&text, controls_output).into_owned().into(),
    }
}

/// Text of a field for programs, in which only control characters and similar ones are replaced. It is copied only if it changes.
pub(crate) fn printable_field(text: &str) -> Cow<'_, str> {
    cleaned(text, controls_output)
}

/// Tests whether a character controls the output: a control character, a separator of lines or paragraphs, or one of
/// [`is_directional`].
pub fn controls_output(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || is_directional(c)
}

/// Tests whether a character is a mark, an embedding, an override or an isolate of Unicode's bidirectional algorithm.
pub fn is_directional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Tests whether a character is invisible by default (Unicode's property `Default_Ignorable_Code_Point`), so that a text with it
/// looks like one without it.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Tests whether an invisible character changes how its neighbours are drawn. It can join letters of a script with joined forms,
/// join two pictures, or select the form of a picture.
fn is_needed(before: Option<char>, c: char, after: Option<char>) -> bool {
    let joined = |c: Option<char>| c.is_some_and(|c| matches!(c, '\u{600}'..='\u{1cff}') && !is_invisible(c));
    let picture = |c: Option<char>| c.is_some_and(|c| c >= '\u{2190}' && !c.is_alphanumeric() && !is_invisible(c));
    match c {
        '\u{200c}' => joined(before) && joined(after),
        '\u{200d}' => {
            let drawn = picture(before) || before == Some('\u{fe0f}');
            (joined(before) && joined(after)) || (drawn && picture(after))
        }
        '\u{fe0e}' | '\u{fe0f}' => picture(before),
        _ => false,
    }
}

/// A number with a label in the plural, such as `2 moves`. For 1, the label becomes singular: `1 move`, `1 piece home`.
pub fn counted(number: u64, label: &str) -> String {
    if number != 1 {
        return format!("{number} {label}");
    }
    let singular = |word: &str| match word.strip_suffix('s') {
        _ if word == "men" => "man".to_owned(),
        Some(stem) if stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word.to_owned(),
    };
    format!("1 {}", label.split(' ').map(singular).collect::<Vec<_>>().join(" "))
}

/// The number of runs with an unreliable time, as words without a full stop.
pub fn suspect_times(runs: usize) -> String {
    if runs == 1 { "the time of 1 run is suspect".into() } else { format!("the times of {runs} runs are suspect") }
}

/// The most characters of untrusted text in a sentence of a message.
const MAX_SHOWN: usize = 200;

/// Replaces control characters, and cuts a long text with a note on the number of characters left out.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        None => printable(text),
        Some((end, _)) => format!("{}… ({} more characters)", printable(&text[..end]), text[end..].chars().count()),
    }
}

/// Formats microseconds for people, with at most three digits: `850 µs`, `2.31 ms`, `12.3 s`, `49 min`, `3.2 h`.
pub fn duration(us: f64) -> String {
    let (value, unit, digits) = match us {
        us if us < 999.5 => (us, "µs", 3),
        us if us < 999_500.0 => (us / 1e3, "ms", 3),
        us if us < 120e6 => (us / 1e6, "s", 3),
        us if us < 7200e6 => (us / 60e6, "min", 2),
        us => (us / 3600e6, "h", 2),
    };
    format!("{} {unit}", digits_of(value, digits))
}

/// Formats milliseconds in the largest unit that fits, for people.
pub fn duration_ms(ms: u64) -> String {
    duration(ms as f64 * 1e3)
}

/// Formats a number with at least this many digits if it has decimals, without trailing zeros.
pub fn digits_of(value: f64, digits: usize) -> String {
    let whole = match value {
        value if value < 9.995 => 1,
        value if value < 99.95 => 2,
        _ => 3,
    };
    let decimals = digits.saturating_sub(whole);
    let text = format!("{value:.decimals$}");
    if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The most names that a message lists.
const MAX_LISTED: usize = 40;

/// The error for an unknown name, with the most similar name and the available names: ``unknown board `FOXI`; did you mean
/// `FOXY`? available: FOXY, AID``.
pub fn unknown<'a>(what: &str, name: &str, available: impl IntoIterator<Item = &'a str>) -> String {
    let available: Vec<&str> = available.into_iter().collect();
    let hint =
        judge_files::near::nearest(name, available.iter().copied()).map(|near| format!("did you mean `{near}`? "));
    let mut list = available.iter().take(MAX_LISTED).copied().collect::<Vec<_>>().join(", ");
    if available.len() > MAX_LISTED {
        list += &format!(" and {} more", available.len() - MAX_LISTED);
    }
    if list.is_empty() {
        list = "none".into();
    }
    format!("unknown {what} `{name}`; {}available: {list}", hint.unwrap_or_default())
}

fn cleaned(text: &str, replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&replaced) { text.replace(replaced, "\u{fffd}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_the_unit_that_people_use() {
        let times = [1.0, 850.0, 2_310.0, 999_499.0, 1e6, 12_340_000.0, 119e6, 605e6, 2_940_051_000.0, 11.5e9];
        let shown = ["1 µs", "850 µs", "2.31 ms", "999 ms", "1 s", "12.3 s", "119 s", "10 min", "49 min", "3.2 h"];
        assert_eq!(times.map(duration), shown);
    }

    #[test]
    fn an_unknown_name_comes_with_the_one_that_was_probably_meant() {
        assert_eq!(
            unknown("board", "FOXI", ["AID", "FOXY"]),
            "unknown board `FOXI`; did you mean `FOXY`? available: AID, FOXY"
        );
        assert_eq!(unknown("entry", "mine", []), "unknown entry `mine`; available: none");
        let many: Vec<String> = (1..=200).map(|seed| format!("seed-{seed}")).collect();
        assert!(unknown("board", "x", many.iter().map(String::as_str)).ends_with("seed-40 and 160 more"));
    }

    #[test]
    fn what_cannot_be_seen_in_a_name_is_shown() {
        for c in
            ['\u{200b}', '\u{ad}', '\u{feff}', '\u{e0041}', '\u{200c}', '\u{200d}', '\u{fe0f}', '\u{3164}', '\u{34f}']
        {
            for name in [format!("tw{c}o"), format!("{c}two"), format!("two{c}"), format!("б{c}")] {
                assert_eq!(printable(&name), name.replace(c, "\u{fffd}"), "{name:?}");
            }
        }
    }

    #[test]
    fn what_scripts_need_in_a_name_stays() {
        let family = "👩\u{200d}👩\u{200d}👧, ❤\u{fe0f}\u{200d}🔥";
        let persian = "می\u{200c}خواهم";
        for text in [family, persian, "क\u{94d}\u{200d}ष"] {
            assert_eq!(printable(text), text);
            assert_eq!(printable(&printable(text)), text);
        }
        assert_eq!(printable("❤\u{fe0f}\u{fe0f}"), "❤\u{fe0f}\u{fffd}");
    }

    #[test]
    fn one_of_a_thing_is_in_the_singular() {
        for (label, one) in [
            ("moves", "1 move"),
            ("tiles home", "1 tile home"),
            ("letter pieces out", "1 letter piece out"),
            ("men used", "1 man used"),
            ("progress", "1 progress"),
            ("tie-break", "1 tie-break"),
            ("status", "1 status"),
            ("", "1 "),
        ] {
            assert_eq!(counted(1, label), one);
            assert_eq!((counted(0, label), counted(21, label)), (format!("0 {label}"), format!("21 {label}")));
        }
    }

    #[test]
    fn printable_text_neither_controls_a_terminal_nor_changes_direction() {
        for c in [
            '\u{1b}', '\r', '\u{7f}', '\u{85}', '\u{9b}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{202a}', '\u{2066}',
            '\u{2069}', '\u{200e}', '\u{200f}', '\u{61c}',
        ] {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
            assert_eq!(printable_lines(&format!("a{c}b\nc")), "a\u{fffd}b\nc", "{c:?}");
        }
        assert_eq!(printable("a\n\tb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(printable_lines("a\r\n\tb\r"), "a\n\tb\u{fffd}");
        assert_eq!(printable("Größe, שלום, 板"), "Größe, שלום, 板");
    }
}
