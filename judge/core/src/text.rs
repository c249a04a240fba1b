//! Text from untrusted sources, made safe to print.

/// Text without control characters: names and reasons are untrusted and must not steer a terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
