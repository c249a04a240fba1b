//! The body of a request: its type in the first line, then the body.

use judge_office_web::parsers::{form, step};

/// A field has only bytes that were sent, and a query is a number or nothing.
pub fn check(input: &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let kind = String::from_utf8_lossy(&input[..end]);
    let body = input.get(end + 1..).unwrap_or_default();
    step(&kind);
    let Some(fields) = form(&kind, body) else { return };
    assert!(fields.len() <= 300);
    let sent = |bytes: &[u8]| bytes.is_empty() || body.windows(bytes.len()).any(|window| window == bytes);
    if kind.starts_with("multipart") {
        assert!(fields.iter().take(20).all(|(_, _, bytes)| sent(bytes)));
    }
    assert!(fields.iter().map(|(_, _, bytes)| bytes.len()).sum::<usize>() <= 3 * body.len());
}
