//! Untrusted text on the page: without control characters, limited in length, and with its writing direction contained.
//! `maud` escapes the markup in it.

use maud::{Markup, html};

pub(crate) use judge_core::text::{digits_of, duration, duration_ms, shortened};

/// Sorts numbers and returns their median; `None` without numbers.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_between_the_two_in_the_middle() {
        assert_eq!([median(&mut [3, 1, 2]), median(&mut [4, 1]), median(&mut [])], [Some(2.0), Some(2.5), None]);
    }
}
