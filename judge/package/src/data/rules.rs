//! The rules by which results of test cases become the result of a group.

use super::InputArgs;
use crate::error::PackageError;
use crate::metadata::range;
use crate::table::Table;

/// The rules for the result of a group.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rules {
    /// True if members after a rejected one are not judged.
    pub stop_on_reject: bool,
    /// True if a program of the package grades the group.
    pub custom_grader: bool,
    /// Arguments for that grader, for this group.
    pub grader_flags: Vec<String>,
    /// The rule that derives the group's verdict from the members' verdicts.
    pub verdict: VerdictMode,
    /// The rule that derives the group's score from the members' scores.
    pub score: ScoreMode,
    /// True if the first member, the samples, does not count.
    pub ignore_sample: bool,
    /// True if one accepted member is enough.
    pub accept_if_any_accepted: bool,
    /// Score of an accepted test case that has no other score.
    pub accept_score: f64,
    /// Score of a rejected test case.
    pub reject_score: f64,
    /// The least and the largest score of the group.
    pub range: (f64, f64),
    /// The folder's own configuration, for DOMjudge's grading, in which groups do not inherit from outer ones.
    pub own: OwnRules,
    /// Format 2025-09: the largest score; `None` for no bound.
    pub max_score: Option<f64>,
    /// Format 2025-09: groups whose cases must all be accepted before this one counts.
    pub require_pass: Vec<String>,
    /// Format 2025-09: true for a folder with its own configuration, which makes it a test data group.
    pub is_test_group: bool,
    pub(super) validator_args: Vec<String>,
    pub(crate) input_args: InputArgs,
    pub(super) args: Vec<String>,
}

/// Rules of one folder, without those that it inherits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct OwnRules {
    /// Score of an accepted test case; in DOMjudge, the score of a group without rejected test cases.
    pub accept_score: Option<f64>,
    /// The rule that derives the group's score from the members' scores.
    pub score: Option<ScoreMode>,
    /// True if the samples do not count.
    pub ignore_sample: bool,
    /// True if the folder has a configuration. In DOMjudge, a folder without one is not a group, and its test cases
    /// have no score.
    pub configured: bool,
}

/// The verdict of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictMode {
    /// The worst verdict of its members.
    WorstError,
    /// The verdict of the first member that is not accepted.
    FirstError,
    /// Accepted, regardless of the judgements of its members.
    AlwaysAccept,
}

/// The score of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreMode {
    /// The sum of its members' scores.
    Sum,
    /// The mean of its members' scores.
    Average,
    /// The least score of a member.
    Min,
    /// The largest score of a member.
    Max,
    /// Format 2025-09: the largest score if all members are accepted, otherwise 0.
    PassFail,
}

/// Reads the configuration of a group of a legacy package. Returns notices about what is ignored.
pub(super) fn legacy(table: &Table<'_>, group: &str, rules: &mut Rules) -> Result<Vec<String>, PackageError> {
    let mut notices = Vec::new();
    rules.stop_on_reject = match table.text("on_reject")? {
        None => rules.stop_on_reject,
        // The old names of the two modes.
        Some("break" | "first_error") => true,
        Some("continue" | "grade" | "worst_error") => false,
        Some(other) => return Err(table.refuse(format!("unknown on_reject `{other}`; available: break, continue"))),
    };
    rules.custom_grader = match table.text("grading")? {
        None => rules.custom_grader,
        Some("default") => false,
        Some("custom") => true,
        Some(other) => return Err(table.refuse(format!("unknown grading `{other}`; available: default, custom"))),
    };
    if let Some(flags) = table.arguments("grader_flags")? {
        rules.verdict = VerdictMode::WorstError;
        rules.score = ScoreMode::Sum;
        rules.ignore_sample = false;
        rules.accept_if_any_accepted = false;
        rules.grader_flags.clone_from(&flags);
        for flag in flags {
            match flag.as_str() {
                "worst_error" | "no_errors" => rules.verdict = VerdictMode::WorstError,
                "first_error" => rules.verdict = VerdictMode::FirstError,
                "always_accept" => rules.verdict = VerdictMode::AlwaysAccept,
                "sum" => rules.score = ScoreMode::Sum,
                "avg" => rules.score = ScoreMode::Average,
                "min" => rules.score = ScoreMode::Min,
                "max" => rules.score = ScoreMode::Max,
                "ignore_sample" => {
                    rules.ignore_sample = true;
                    if !group.is_empty() && !rules.custom_grader {
                        notices.push(format!(
                            "{}: the grader flag ignore_sample is ignored: only data/testdata.yaml may have it",
                            table.file().display()
                        ));
                    }
                }
                "accept_if_any_accepted" => rules.accept_if_any_accepted = true,
                // They are for a grader of the package.
                _ if rules.custom_grader => {}
                other => return Err(table.refuse(format!("unknown grader flag `{other}`"))),
            }
        }
        rules.own.score = Some(rules.score);
        rules.own.ignore_sample = rules.ignore_sample;
    }
    rules.own.accept_score = table.score("accept_score")?;
    rules.accept_score = rules.own.accept_score.unwrap_or(rules.accept_score);
    rules.reject_score = table.score("reject_score")?.unwrap_or(rules.reject_score);
    if let Some(text) = table.text("range")? {
        rules.range = range(text).map_err(|reason| table.refuse(reason))?;
    }
    Ok(notices)
}

/// Reads the rules of a group of 2025-09. Returns notices about what is ignored.
pub(super) fn current(
    table: &Table<'_>,
    group: &str,
    scoring: bool,
    rules: &mut Rules,
) -> Result<Vec<String>, PackageError> {
    match table.text("max_score")? {
        None => {}
        Some("unbounded") => rules.max_score = None,
        Some(text) => {
            let score = table.score("max_score")?.filter(|score| *score >= 0.0);
            rules.max_score =
                Some(score.ok_or_else(|| {
                    table.refuse(format!("max_score must be 0 or more, or `unbounded`, not `{text}`"))
                })?);
        }
    }
    rules.score = match table.text("score_aggregation")? {
        None => rules.score,
        Some("pass-fail") => ScoreMode::PassFail,
        Some("sum") => ScoreMode::Sum,
        Some("min") => ScoreMode::Min,
        Some(other) => {
            return Err(table.refuse(format!("unknown score_aggregation `{other}`; available: pass-fail, sum, min")));
        }
    };
    rules.require_pass = table.texts("require_pass")?.unwrap_or_default();
    // Drafts of the format kept these keys of the legacy format.
    for key in ["on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range", "scoring"] {
        table.get(key);
    }
    let why = match (scoring, group.split('/').next()) {
        (false, _) => "only scoring problems have it",
        (true, Some("sample")) => "samples have no points",
        _ => return Ok(Vec::new()),
    };
    let given = ["max_score", "score_aggregation", "require_pass"].into_iter();
    let given = given.filter_map(|key| Some((key, table.get(key)?)));
    Ok(given.map(|(key, node)| format!("{}:{}: {key} is ignored: {why}", table.file().display(), node.line)).collect())
}
