//! A score that a scorer prints, found by a regular expression.

use regex::bytes::{Regex, RegexBuilder};

use super::lines::first_line;
use super::{BoardScoring, Decoded, Malformed};
use crate::figure::RefereeFigures;
use crate::points::Points;
use crate::verdict::Verdict;

/// The name of the group that has the score.
const GROUP: &str = "score";
/// The memory limit of a compiled pattern, in bytes.
const PATTERN_BYTES: usize = 1 << 20;
/// The largest product of the counted repeats of a pattern. Compiling nested repeats takes time before it takes memory.
const MAX_REPEATS: u64 = 100_000;

/// A pattern that finds scores.
#[derive(Debug, Clone)]
pub struct ScorePattern(Regex);

/// The reason why a pattern was refused, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PatternError(String);

impl ScorePattern {
    /// Compiles a pattern, which must have a group named `score`. Matching takes time linear in the text.
    ///
    /// # Errors
    ///
    /// The pattern is not a regular expression, or has no group `score`.
    pub fn new(pattern: &str) -> Result<Self, PatternError> {
        let repeats = repeats(pattern);
        if repeats > MAX_REPEATS {
            let reason = format!("its counted repeats such as {{9}} multiply to more than {MAX_REPEATS}; use + or *");
            return Err(PatternError(reason));
        }
        let regex = RegexBuilder::new(pattern).multi_line(true).size_limit(PATTERN_BYTES).build();
        let regex = regex.map_err(|error| {
            // The message draws the place under the pattern, in several lines.
            let reason = error.to_string();
            PatternError(reason.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned())
        })?;
        if regex.capture_names().flatten().any(|name| name == GROUP) {
            return Ok(Self(regex));
        }
        Err(PatternError("it has no group named score; write for example 'Score = (?<score>[-+0-9.eE]+)'".into()))
    }

    /// Decodes the output of a scorer that exited with this code: the last match on standard output, or otherwise on standard
    /// error.
    ///
    /// # Errors
    ///
    /// The output has no score, or a score that does not fit the contest's scoring.
    pub fn decode(
        &self,
        code: i32,
        stdout: &[u8],
        stderr: &[u8],
        board: BoardScoring<'_>,
    ) -> Result<Decoded, Malformed> {
        let mut notes = Vec::new();
        let found = if code == 0 { self.last(stdout).or_else(|| self.last(stderr)) } else { None };
        let verdict = match found {
            Some(text) => {
                let text = String::from_utf8_lossy(text);
                let points = board.given(Some(&text), None, &mut notes).map_err(Malformed)?;
                board.graded(points.unwrap_or(Points::zero(0)))
            }
            None => {
                let reason = first_line(stderr).or_else(|| first_line(stdout));
                let usual = if code == 0 { "the scorer prints no score".into() } else { format!("exit code {code}") };
                let reason = reason.unwrap_or(usual);
                Verdict::Wrong { given: RefereeFigures::default(), reason }
            }
        };
        Ok(Decoded { verdict, notes })
    }

    fn last<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        self.0.captures_iter(text).filter_map(|found| found.name(GROUP)).last().map(|found| found.as_bytes())
    }
}

/// The product of all counted repeats: 6 for `a{2}b{1,3}`.
fn repeats(pattern: &str) -> u64 {
    let counted = pattern.split('{').skip(1).filter_map(|after| {
        let counts = after.split_once('}')?.0;
        let numbers = counts.split(',').map(str::trim).filter(|number| !number.is_empty());
        // A number beyond this type counts as its largest value.
        let numbers = numbers
            .map(|number| number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().unwrap_or(u64::MAX)));
        numbers.collect::<Option<Vec<u64>>>()?.into_iter().max()
    });
    counted.fold(1, |product: u64, count| product.saturating_mul(count.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relative::Direction;
    use crate::scoring::Scoring;

    #[test]
    fn a_pattern_that_would_take_long_to_compile_is_refused() {
        for pattern in
            ["(?<score>((\\w{1000}){1000}){1000})", "(?<score>a{99999999999999999999})", "(?<score>(x{0,400}){0,400})"]
        {
            let refused = ScorePattern::new(pattern).expect_err("refused").to_string();
            assert!(refused.contains("multiply to more than 100000"), "{refused}");
        }
        assert_eq!((repeats("a{2}b{1,3}\\p{L}{x}{"), repeats("{0}{,5}")), (6, 5));
        assert!(ScorePattern::new("(?<score>\\d{1,9}\\.\\d{2})").is_ok());
        let large = format!("(?<score>{})", "[a-z]{30}".repeat(2));
        assert!(ScorePattern::new(&large).is_ok());
    }

    #[test]
    fn the_last_match_of_the_pattern_counts() {
        let pattern = ScorePattern::new("Score = (?<score>[-+0-9.eE]+)").expect("a pattern");
        let scoring = Scoring::new(Direction::Up, 1);
        let board = BoardScoring { scoring: Some(&scoring), points: None };
        let decode = |code, stdout: &str, stderr: &str| {
            let ruled = pattern.decode(code, stdout.as_bytes(), stderr.as_bytes(), board).map_err(|error| error.0)?;
            Ok::<_, String>(match &ruled.verdict {
                Verdict::Wrong { reason, .. } => reason.clone(),
                verdict => verdict.given().and_then(|given| given.figures.first()).expect("points").to_string(),
            })
        };
        assert_eq!(decode(0, "Score = 1\nScore = 2.25\n", "Score = 9"), Ok("2.3".into()));
        assert_eq!(decode(0, "", "log\nScore = 9"), Ok("9.0".into()));
        assert_eq!(decode(1, "Score = 1", "assertion failed\n"), Ok("assertion failed".into()));
        assert_eq!(decode(0, "done", ""), Ok("done".into()));
        assert_eq!(decode(0, "", ""), Ok("the scorer prints no score".into()));
        assert_eq!(decode(3, "", ""), Ok("exit code 3".into()));
        assert_eq!(decode(0, "Score = -3", ""), Ok("-3.0".into()));
        for malformed in ["Score = e", "Score = 1e99", "Score = 1.2.3"] {
            assert!(decode(0, malformed, "").is_err(), "{malformed}");
        }
        for (pattern, reason) in
            [("(", "unclosed group"), ("[0-9]+", "no group named score"), ("(?<score>\\w{9999})", "limit")]
        {
            assert!(ScorePattern::new(pattern).expect_err(pattern).0.contains(reason), "{pattern}");
        }
    }
}
