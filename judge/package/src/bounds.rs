//! Clauses of 2025-09 about largest scores: what a package must state about its groups, and the scores that its
//! validator may give.
//!
//! When a package is read, points that would never count are refused, and other breaches cause a notice. A score that
//! the validator may not give is a judge error of the run.

use std::path::Path;

use crate::Package;
use crate::data::{Data, Group, Item, ScoreMode};
use crate::error::PackageError;
use crate::grading::Results;
use crate::judgement::{CaseResult, CaseScore, Judgement, is_more, round};
use crate::metadata::Metadata;

/// The scores that a validator may give for a test case: none below 0, and none above these.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    /// Its score is ignored.
    Ignored,
    /// The validator may give no score: the group has its points as a whole.
    Nothing,
    /// The largest score that it may give, which can be infinite.
    Most(f64),
}

impl Bound {
    /// The reason why a result violates the bound, as a fragment; `None` if it does not.
    fn fault(self, result: CaseResult) -> Option<String> {
        let score = match result.score.filter(|_| result.judgement == Judgement::Accepted)? {
            CaseScore::Points(points) => points,
            CaseScore::Share(_) => return None,
        };
        match self {
            Self::Nothing | Self::Most(_) if score < 0.0 => {
                Some(format!("it has score {}, and no score of a package is below 0", round(score)))
            }
            Self::Nothing if score > 0.0 => {
                let group = "in a group with score_aggregation pass-fail a validator gives none";
                Some(format!("it has score {}, and {group}", round(score)))
            }
            Self::Most(most) if is_more(score, most) => Some(format!(
                "it has score {}, and the largest score of a test case there is {}",
                round(score),
                round(most)
            )),
            _ => None,
        }
    }

    /// Returns the result, or a judge error if the result violates the bound.
    pub(crate) fn checked(self, result: CaseResult) -> CaseResult {
        match self.fault(result) {
            Some(_) => CaseResult { judgement: Judgement::JudgeError, score: None },
            None => result,
        }
    }
}

impl Group {
    /// The test data groups of 2025-09: the folders directly in `secret` that have their own bounds or rules.
    pub(crate) fn test_groups(&self) -> Vec<&Self> {
        let direct = self.items.iter().any(|item| matches!(item, Item::Case(_)));
        let groups = self.folders().filter(|group| group.rules.is_test_group);
        groups.filter(|_| !direct).collect()
    }

    fn folders(&self) -> impl Iterator<Item = &Self> {
        self.items.iter().filter_map(|item| match item {
            Item::Group(group) => Some(&**group),
            Item::Case(_) => None,
        })
    }

    /// The first folder in it, at any depth, that has a configuration.
    fn configured_below(&self) -> Option<&Self> {
        self.folders()
            .find_map(|inner| Some(inner).filter(|inner| inner.rules.is_test_group).or(inner.configured_below()))
    }
}

impl Package {
    /// The bound of each result, in packages that have bounds.
    pub(crate) fn bounds(&self) -> Option<Vec<Bound>> {
        if self.metadata.legacy_grading || !self.metadata.scoring || self.validators.is_empty() {
            return None;
        }
        let data = &self.data;
        let mut bounds = vec![Bound::Ignored; data.results()];
        let secret = data.root.find("secret")?;
        // The groups, or secret itself.
        let mut groups = secret.test_groups();
        if groups.is_empty() {
            groups.push(secret);
        }
        for group in groups {
            let bound = match (group.rules.score, data.most_per_case(group)) {
                (ScoreMode::PassFail, _) => Bound::Nothing,
                (_, most) => Bound::Most(most.unwrap_or(f64::INFINITY)),
            };
            group.cases().into_iter().for_each(|case| bounds[case] = bound);
        }
        Some(bounds)
    }

    /// The first result whose score the validator may not give, with the reason, such as `secret/a/1: it has score 50, …`. Such a
    /// result is a judge error.
    pub fn score_fault(&self, results: Results<'_>) -> Option<String> {
        let bounds = self.bounds()?;
        bounds.iter().enumerate().find_map(|(index, bound)| {
            let fault = bound.fault(results(index)?)?;
            Some(format!("{}: {fault}", self.data.result_name(index)))
        })
    }
}

/// Checks that the groups of a package really have the points that they seem to have. Returns notices about what is
/// ignored.
pub(crate) fn check(root: &Path, metadata: &Metadata, data: &Data) -> Result<Vec<String>, PackageError> {
    let Some(secret) = data.root.find("secret").filter(|_| metadata.scoring && !metadata.legacy_grading) else {
        return Ok(Vec::new());
    };
    let refuse = |group: &Group, reason: &str| {
        let folder = root.join("data").join(&group.name);
        Err(PackageError::whole(&folder, reason))
    };
    if secret.folders().any(|group| group.rules.is_test_group) {
        let direct = secret.items.iter().find_map(|item| match item {
            Item::Case(case) => Some(&data.cases[*case]),
            Item::Group(_) => None,
        });
        if let Some(case) = direct {
            let reason = "a test case beside test data groups, which have all points; move it into one of them";
            return Err(PackageError::whole(&case.input, reason));
        }
        if let Some(other) = secret.folders().find(|group| !group.rules.is_test_group) {
            return refuse(
                other,
                "its test cases have no points: add a test_group.yaml, as folders beside it have one",
            );
        }
    }
    let mut notices = Vec::new();
    let mut say = |group: &Group, what: &str| notices.push(format!("data/{}: {what}", group.name));
    for group in secret.test_groups().into_iter().chain([secret]) {
        let is_whole = group.rules.score == ScoreMode::PassFail;
        match group.rules.max_score {
            None if is_whole => {
                let why = "a group with score_aggregation pass-fail, the default of groups, needs max_score";
                say(group, &format!("it has no points: {why} in its test_group.yaml"));
            }
            None if secret.rules.max_score.is_some() => {
                say(group, "it has no max_score, although data/secret has one, by default 100");
            }
            _ if secret.rules.score == ScoreMode::PassFail && !is_whole => {
                say(group, "its points do not count, as data/secret has score_aggregation pass-fail");
            }
            _ => {}
        }
    }
    if let Some(inner) = secret.folders().find_map(Group::configured_below) {
        say(inner, "only arguments in its configuration count: test data groups are folders directly in data/secret");
    }
    Ok(notices)
}
