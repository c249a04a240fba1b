//! Untrusted text on the page: without control characters, limited in length, and with its writing direction contained.
//! `maud` escapes the markup in it.

use maud::{Markup, html};

use judge_core::text::printable;

/// The most characters of a name or a sentence.
const MAX: usize = 200;

/// Formats microseconds for people, in three digits at most: `850 µs`, `2.31 ms`, `12.3 s`, `49 min`, `3.2 h`.
pub(crate) fn duration(us: f64) -> String {
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
pub(crate) fn duration_ms(ms: u64) -> String {
    duration(ms as f64 * 1e3)
}

/// Formats a number with at least so many digits if it has decimals, without zeros at the end.
pub(crate) fn digits_of(value: f64, digits: usize) -> String {
    let whole = match value {
        value if value < 9.995 => 1,
        value if value < 99.95 => 2,
        _ => 3,
    };
    let decimals = digits.saturating_sub(whole);
    let text = format!("{value:.decimals$}");
    if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Returns the median of some numbers, which are sorted; `None` for none.
pub(crate) fn median(numbers: &mut [u64]) -> Option<f64> {
    numbers.sort_unstable();
    let (low, high) = (numbers.get(numbers.len().checked_sub(1)? / 2)?, numbers.get(numbers.len() / 2)?);
    Some((*low as f64 + *high as f64) / 2.0)
}

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
    match text.char_indices().nth(MAX) {
        None => printable(text),
        Some((end, _)) => format!("{}… ({} more characters)", printable(&text[..end]), text[end..].chars().count()),
    }
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
    fn a_median_is_between_the_two_in_the_middle() {
        assert_eq!([median(&mut [3, 1, 2]), median(&mut [4, 1]), median(&mut [])], [Some(2.0), Some(2.5), None]);
    }
}
