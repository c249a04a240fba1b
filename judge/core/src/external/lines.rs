//! The output of a program as reasons in one line.

/// The most characters of a reason.
pub const MAX_REASON: usize = 300;

/// The first line that is not blank, shortened; `None` if every line is blank. Bytes that are not UTF-8 are replaced.
pub fn first_line(text: &[u8]) -> Option<String> {
    // The first lines are enough, because a referee can print megabytes.
    let text = String::from_utf8_lossy(&text[..text.len().min(64 << 10)]);
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(shorten)
}

/// The text in one line, shortened.
pub(super) fn one_line(text: &str) -> String {
    shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The beginning of a text.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_short_first_line() {
        assert_eq!(first_line(b"\n  \n wrong at 3 \nmore").as_deref(), Some("wrong at 3"));
        assert_eq!(first_line(b" \n"), None);
        assert_eq!(first_line(b"a\xffb").as_deref(), Some("a\u{fffd}b"));
        let long = first_line("ü".repeat(1000).as_bytes()).expect("a line");
        assert_eq!(long.chars().count(), MAX_REASON + 1);
        assert_eq!(one_line("a\n b\t c"), "a b c");
    }
}
