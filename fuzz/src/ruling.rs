//! `ruling.json`, as a referee leaves it.
//!
//! What must hold: a ruling is consistent, has the contest's decimals, and reads back.

use judge_core::external::{MAX_RULING_BYTES, decode_ruling};

use crate::common::{check_ruled, scorings};

/// Decodes a ruling in contests with and without points. A ruling is consistent, and a refusal is printable.
pub fn check(json: &[u8]) {
    for scoring in scorings() {
        let decoded = decode_ruling(json, scoring);
        assert!(decoded.is_err() || json.len() as u64 <= MAX_RULING_BYTES);
        check_ruled(decoded, scoring);
    }
}
