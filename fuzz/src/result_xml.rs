//! The XML file of a checker built with testlib.

use judge_core::external::decode_result;

use crate::common::{check_ruled, terms};

/// Decodes the file with exit codes of each kind.
pub fn check(xml: &[u8]) {
    for terms in terms() {
        for code in [0, 1, 7] {
            check_ruled(decode_result(xml, code, terms), terms);
        }
    }
}
