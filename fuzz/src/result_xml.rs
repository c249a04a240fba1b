//! The XML file of a checker built with testlib.
//!
//! What must hold: as for `ruling`, with exit codes of each kind.

use judge_core::external::decode_result;

use crate::common::{check_ruled, scorings};

/// Decodes the file with exit codes of each kind.
pub fn check(xml: &[u8]) {
    for scoring in scorings() {
        for code in [0, 1, 7] {
            check_ruled(decode_result(xml, code, scoring), scoring);
        }
    }
}
