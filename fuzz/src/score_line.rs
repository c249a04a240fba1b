//! The output of a scorer, in which a pattern finds the score; and the pattern, which is the first line of the input.
//!
//! What must hold: as for `ruling`; a bad pattern is refused.

use judge_core::external::ScorePattern;

use crate::common::{check_ruled, scorings};

/// Compiles the first line as a pattern and searches the rest; a usual pattern searches everything.
pub fn check(bytes: &[u8]) {
    let usual = ScorePattern::new("Score = (?<score>[-+0-9.eE]+)").expect("a pattern");
    let (line, rest) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(0));
    let own = std::str::from_utf8(line).ok().map(ScorePattern::new);
    // A contest file with this protocol always has points.
    for scoring in scorings().into_iter().filter(|scoring| scoring.scoring.is_some()) {
        for code in [0, 1] {
            check_ruled(usual.decode(code, bytes, rest, scoring), scoring);
            if let Some(Ok(own)) = &own {
                check_ruled(own.decode(code, rest, rest, scoring), scoring);
            }
        }
    }
    if let Some(Err(error)) = own {
        assert!(!error.to_string().is_empty());
    }
}
