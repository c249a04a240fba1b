//! Text in drawings: shortened names, estimated widths, formatted numbers. Pure.
//!
//! Fonts are not known here, so widths are generous estimates for common sans-serif fonts.

pub(super) use crate::text::duration;

use crate::text::digits_of;

/// The most characters of a name in a drawing; the page also has the whole name.
const SHOWN: usize = 24;
/// The most characters of a source's name before an entry's name.
const SHORT: usize = 14;
/// The most characters of a name in a figure's table, which contains it once per pair.
const IN_TABLE: usize = 80;
/// The most characters of a sentence with untrusted names.
const SENTENCE: usize = 400;

/// Shortens a name for a drawing.
pub(super) fn shown(name: &str) -> String {
    shortened(name, SHOWN)
}

/// Shortens a source's name before an entry's name.
pub(super) fn short(name: &str) -> String {
    shortened(name, SHORT)
}

/// Shortens a name for a figure's table.
pub(super) fn in_table(name: &str) -> String {
    shortened(name, IN_TABLE)
}

/// Shortens an untrusted name, and replaces characters that control the text direction or that XML forbids.
fn shortened(name: &str, most: usize) -> String {
    let mut characters = name.chars().map(|c| if controls_output(c) { char::REPLACEMENT_CHARACTER } else { c });
    let mut text: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        text.pop();
        text.push('…');
    }
    text
}

/// Returns true for control characters, for marks, embeddings and isolates of Unicode's bidirectional algorithm, and
/// for non-characters.
fn controls_output(c: char) -> bool {
    let bidirectional =
        matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    c.is_control() || bidirectional || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Estimates the width of a text in pixels at a font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.32,
        'f' | 'r' | 't' | '-' | '(' | ')' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.98,
        'A'..='Z' => 0.72,
        c if c.is_ascii() => 0.6,
        // Letters of other scripts, up to those that fill a square.
        c if c < '\u{1100}' => 0.7,
        _ => 1.1,
    }
}

/// Formats a number with at most two decimals: `0.05`, `1.5`, `1200`.
pub(super) fn number(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Formats a coordinate with one decimal: finer steps are invisible, and every digit occurs thousands of times.
pub(super) fn px(place: f64) -> String {
    let text = format!("{place:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

/// Formats microseconds at a tick of an axis, in seconds at most, so that powers of ten stay round: `1200 s`.
pub(super) fn tick(us: f64) -> String {
    if us < 120e6 { duration(us) } else { format!("{} s", digits_of(us / 1e6, 3)) }
}

/// Capitalizes the first letter, for the beginning of a sentence.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Turns a fragment into a sentence.
pub(super) fn sentence(fragment: &str) -> String {
    format!("{}.", capital(&shortened(fragment, SENTENCE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_printable_text() {
        assert_eq!(shown("twobits"), "twobits");
        assert_eq!(shown("a\u{202E}b\u{0}c\u{1b}[2Jd\u{FFFE}"), "a\u{FFFD}b\u{FFFD}c\u{FFFD}[2Jd\u{FFFD}");
        let long = shown(&"x".repeat(1_000_000));
        assert_eq!((long.chars().count(), long.ends_with('…')), (SHOWN, true));
        assert_eq!(shown(&"é".repeat(SHOWN)).chars().count(), SHOWN);
    }

    #[test]
    fn numbers_are_as_short_as_possible() {
        assert_eq!([0.05, 1.5, 1200.0, -0.001, 0.999].map(number), ["0.05", "1.5", "1200", "0", "1"]);
        assert_eq!([0.04, 10.26, 100.0, -0.04].map(px), ["0", "10.3", "100", "0"]);
        let times = [1.0, 850.0, 2_310.0, 999_499.0, 1e6, 12_340_000.0, 1.2e9];
        assert_eq!(times.map(tick), ["1 µs", "850 µs", "2.31 ms", "999 ms", "1 s", "12.3 s", "1200 s"]);
    }
}
