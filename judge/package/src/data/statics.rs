//! Static validation test cases: their definition in a group, and the meaning of the static validator's exit code.

use super::rules::{Rules, ScoreMode};
use crate::error::{PackageError, StaticError};
use crate::judgement::{CaseResult, CaseScore, Judgement, is_more};
use crate::metadata::Metadata;
use crate::table::Table;
use judge_core::external::{ACCEPTED, Feedback, REJECTED};

/// Keys of a group that define a static validation test case.
pub(crate) const SCORE: &str = "static_validation_score";
const ARGS: &str = "static_validator_args";

/// A static validation test case: a call of the static validator, which belongs to a group.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StaticCase {
    /// The group, such as `secret/group1`.
    pub group: String,
    /// Arguments for the static validator.
    pub args: Vec<String>,
    /// Its largest score; `None` if it only accepts or rejects.
    pub max_score: Option<f64>,
}

impl StaticCase {
    /// The static validation test case in the configuration of a group whose other rules are known.
    pub(crate) fn read(
        table: &Table<'_>,
        group: &str,
        rules: &Rules,
        metadata: &Metadata,
    ) -> Result<Option<Self>, PackageError> {
        let args = table.arguments(ARGS)?;
        let Some(node) = table.get(SCORE) else {
            return match args {
                Some(_) => Err(table.refuse(format!("{ARGS} needs {SCORE}; add it, or remove {ARGS}"))),
                None => Ok(None),
            };
        };
        let refuse = |reason: String| table.refuse_at(node, format!("{SCORE}: {reason}"));
        if group.is_empty() {
            return Err(refuse("it belongs to data/sample, data/secret or a group there".into()));
        }
        let scored = metadata.scoring && rules.score != ScoreMode::PassFail;
        let text = table.text(SCORE)?.unwrap_or_default();
        let max_score = match text {
            "pass-fail" if scored => {
                let reason = "`pass-fail` needs score_aggregation: pass-fail; name the largest score instead";
                return Err(refuse(reason.into()));
            }
            "pass-fail" => None,
            _ if !scored => {
                let reason = "only a scoring problem, in a group with score_aggregation sum or min, has scores";
                return Err(refuse(format!("{reason}; expected `pass-fail`, not `{text}`")));
            }
            _ => {
                let whole = |score: &f64| *score >= 0.0 && score.fract() == 0.0;
                let score = text.parse().ok().filter(whole);
                let score = score.ok_or_else(|| refuse(format!("expected a whole number, not `{text}`")))?;
                if let Some(most) = rules.max_score.filter(|most| *most < score) {
                    return Err(refuse(format!("{score} is more than {most}, the max_score of the group")));
                }
                Some(score)
            }
        };
        Ok(Some(Self { group: group.to_owned(), args: args.unwrap_or_default(), max_score }))
    }

    /// The result from the exit code of the static validator and the files that it left.
    ///
    /// # Errors
    ///
    /// [`StaticError`] if the validator failed: it neither accepted nor rejected, or wrote a score that the format
    /// forbids.
    pub fn result(&self, code: i32, feedback: &Feedback) -> Result<CaseResult, StaticError> {
        let fail = |reason: String| Err(StaticError(reason));
        let files = [("score.txt", &feedback.score), ("score_multiplier.txt", &feedback.score_multiplier)];
        let mut left = files.into_iter().filter_map(|(name, bytes)| Some((name, bytes.as_deref()?)));
        let judgement = match code {
            ACCEPTED => Judgement::Accepted,
            REJECTED => Judgement::WrongAnswer,
            code => return fail(format!("exit code {code}; {ACCEPTED} accepts and {REJECTED} rejects")),
        };
        let Some((name, bytes)) = left.next() else { return Ok(CaseResult { judgement, score: None }) };
        if left.next().is_some() {
            return fail("it left both score.txt and score_multiplier.txt".into());
        }
        if judgement != Judgement::Accepted {
            return fail(format!("it rejects and left {name}"));
        }
        let Some(most) = self.max_score else {
            return fail(format!("it left {name}, and {} has {SCORE}: pass-fail", self.group));
        };
        let text = String::from_utf8_lossy(bytes);
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        let Some(number) = number else {
            let shown: String = text.trim().chars().take(40).collect();
            return fail(format!("{name}: expected a number of at least 0, not `{}`", shown.escape_debug()));
        };
        let (bound, score) = match name {
            "score.txt" => (most, CaseScore::Points(number)),
            _ => (1.0, CaseScore::Share(number)),
        };
        if is_more(number, bound) {
            return fail(format!("{name}: {number} is more than {bound}"));
        }
        Ok(CaseResult { judgement, score: Some(score) })
    }
}
