//! Arguments of the default validator, the judge's answer, and an answer.
//!
//! What must hold: the size of pieces does not matter; an answer is equal to itself.

use std::io::Read;

use judge_core::tokens::TokenRules;

/// Compares an answer with the judge's answer. The pieces in which they are read do not matter, and a judge's answer is
/// equal to itself.
pub fn check(input: &[u8]) {
    let mut parts = input.splitn(3, |&byte| byte == b'|');
    let mut next = || parts.next().unwrap_or_default();
    let (arguments, expected, answer) = (next(), next(), next());
    let arguments = String::from_utf8_lossy(arguments);
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let rules = match TokenRules::parse(&words) {
        Ok(rules) => rules,
        Err(reason) => {
            assert!(!reason.to_string().is_empty());
            return;
        }
    };
    let whole = rules.compare(expected, answer).expect("bytes can be read");
    let pieces = rules.compare(OneByOne(expected), OneByOne(answer)).expect("bytes can be read");
    assert_eq!(whole, pieces);
    if let Err(mismatch) = whole {
        assert!(mismatch.reason.bytes().all(|byte| byte == b' ' || !byte.is_ascii_control()), "{mismatch:?}");
        assert!(mismatch.reason.len() < 500);
    }
    assert!(rules.compare(expected, expected).expect("bytes can be read").is_ok());
}

/// Bytes that are read one at a time.
struct OneByOne<'a>(&'a [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}
