//! The body of a request: its type in the first line, then the body. The first line is a query, too.
//!
//! What must hold: fields have only what was sent, a token of a feed names one position.

use judge_office_web::parsers::{form, parameters, position, step};

/// The name of a feed.
const FEED: &str = "feed-1";

/// A field has only bytes that were sent, a query is a number or nothing, and a token names one position.
pub fn check(input: &[u8]) {
    let end = input.iter().position(|&byte| byte == b'\n').unwrap_or(input.len());
    let kind = String::from_utf8_lossy(&input[..end]);
    let body = input.get(end + 1..).unwrap_or_default();
    step(&kind);
    let query = parameters(&kind);
    // Of three bytes that are no UTF-8, each becomes a character of three.
    assert!(query.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() <= 3 * kind.len());
    for (name, value) in &query {
        for token in [value.clone(), format!("{FEED}-{value}")] {
            let Some(at) = position(FEED, &token) else { continue };
            assert!(token.starts_with(FEED) && position(FEED, &format!("{FEED}-{at}")) == Some(at), "{name}: {token}");
        }
    }
    let Some(fields) = form(&kind, body) else { return };
    assert!(fields.len() <= 300);
    let sent = |bytes: &[u8]| bytes.is_empty() || body.windows(bytes.len()).any(|window| window == bytes);
    if kind.starts_with("multipart") {
        assert!(fields.iter().take(20).all(|(_, _, bytes)| sent(bytes)));
    }
    assert!(fields.iter().map(|(_, _, bytes)| bytes.len()).sum::<usize>() <= 3 * body.len());
}
