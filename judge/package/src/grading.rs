//! Grading: computes the results of groups and of the submission from the results of test cases.
//!
//! Legacy packages grade each group from its members and stop at the first rejected one unless configured otherwise;
//! 2025-09 packages need every test case. Missing results are returned, so that a caller runs only what is needed.

use std::collections::BTreeMap;

use crate::data::{Data, Group, Item, Rules, ScoreMode, VerdictMode};
use crate::judgement::{CaseResult, CaseScore, Judgement, Total, is_more};
use crate::metadata::{Metadata, Objective};
use crate::table::MAX_SCORE;

/// Results by the index of the test case; `None` for those that were not run.
pub type Results<'a> = &'a dyn Fn(usize) -> Option<CaseResult>;

/// The reason why there is no total yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// Results of these test cases.
    Cases(Vec<usize>),
    /// The result of the package's grader.
    Grader(GraderCall),
}

/// A call of the package's grader.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GraderCall {
    /// The group that it grades; empty for the root.
    pub group: String,
    /// Arguments for the grader, from the group's configuration.
    pub flags: Vec<String>,
    /// Its standard input: verdict and score of each member, one per line.
    pub input: String,
}

/// The result of a call of the grader; `None` if the grader was not called yet.
pub type Graded<'a> = &'a dyn Fn(&GraderCall) -> Option<Total>;

/// The reason why a grader's output is refused, as a fragment with the beginning of the output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected for example `AC 12.5`, not `{}`", .0.escape_debug())]
pub struct GraderError(String);

impl GraderCall {
    /// The worst verdict of its members, without the grader, and no score.
    pub(crate) fn verdict_alone(&self) -> Total {
        let named = self.input.lines().filter_map(|line| Judgement::named(line.split_whitespace().next()?));
        Total { judgement: named.min().unwrap_or(Judgement::Accepted), score: None }
    }

    /// Reads the result from a grader's output, such as `AC 12.5`.
    ///
    /// # Errors
    ///
    /// The output is not a verdict with a number of at most 10^12.
    pub fn read(printed: &str) -> Result<Total, GraderError> {
        let expected = || GraderError(printed.trim().chars().take(MAX_SHOWN).collect());
        let words: Vec<&str> = printed.split_whitespace().collect();
        let [verdict, score] = words[..] else { return Err(expected()) };
        let judgement = match verdict {
            "AC" => Judgement::Accepted,
            "WA" => Judgement::WrongAnswer,
            "TLE" => Judgement::TimeLimit,
            "RTE" => Judgement::RunTimeError,
            _ => return Err(expected()),
        };
        let score = score.parse().ok().filter(|score: &f64| score.abs() <= MAX_SCORE).ok_or_else(expected)?;
        Ok(Total { judgement, score: Some(score) })
    }
}

/// The most characters of a grader's output that a message quotes.
const MAX_SHOWN: usize = 60;

/// Test data with the metadata that grading needs.
pub(crate) struct Grading<'a> {
    pub(crate) metadata: &'a Metadata,
    pub(crate) data: &'a Data,
    pub(crate) graded: Graded<'a>,
}

impl Grading<'_> {
    /// The result of the whole submission.
    pub(crate) fn total(&self, results: Results<'_>) -> Result<Total, Missing> {
        match self.metadata.legacy_grading {
            true => self.legacy(&self.data.root, results),
            false => self.current(results).map(|groups| groups[""]),
        }
    }

    /// The result of one group.
    pub(crate) fn of_group(&self, name: &str, results: Results<'_>) -> Result<Option<Total>, Missing> {
        match self.metadata.legacy_grading {
            true => self.data.root.find(name).map(|group| self.legacy(group, results)).transpose(),
            false => self.current(results).map(|groups| groups.get(name).copied()),
        }
    }

    /// Checks whether a total has the best score of the package.
    pub(crate) fn is_full(&self, total: Total) -> bool {
        let best = self.best();
        total.judgement == Judgement::Accepted
            && total.score.is_none_or(|score| crate::judgement::same_score(score, best))
    }

    /// The best score of a submission; infinite if it has no bound.
    pub(crate) fn best(&self) -> f64 {
        let (low, high) = self.range(&self.data.root);
        if self.metadata.objective == Objective::Min { low } else { high }
    }

    /// The range of scores of a group.
    fn range(&self, group: &Group) -> (f64, f64) {
        if !self.metadata.legacy_grading {
            let secret = self.data.root.find("secret").map_or(&self.data.root, |secret| secret);
            return (0.0, secret.rules.max_score.unwrap_or(f64::INFINITY));
        }
        group.rules.range
    }

    fn legacy(&self, group: &Group, results: Results<'_>) -> Result<Total, Missing> {
        let scoring = self.metadata.scoring;
        let mut totals: Vec<Total> = Vec::new();
        let mut missing = Vec::new();
        for item in &group.items {
            let total = match item {
                Item::Group(inner) => self.legacy(inner, results),
                Item::Case(index) => results(*index)
                    .map(|result| self.of_case(result, &group.rules))
                    .ok_or_else(|| Missing::Cases(vec![*index])),
            };
            match total {
                Ok(total) => totals.push(total),
                Err(Missing::Cases(cases)) => missing.extend(cases),
                Err(grader) => return Err(grader),
            }
            let rejected = totals.last().is_some_and(|total| total.judgement != Judgement::Accepted);
            // A member whose result is unknown may be the last one that counts.
            if group.rules.stop_on_reject && (rejected || !missing.is_empty()) {
                break;
            }
        }
        if !missing.is_empty() {
            return Err(Missing::Cases(missing));
        }
        if totals.is_empty() {
            return Ok(Total { judgement: Judgement::Accepted, score: scoring.then_some(0.0) });
        }
        if totals.iter().any(|total| total.judgement == Judgement::JudgeError) {
            return Ok(Total { judgement: Judgement::JudgeError, score: None });
        }
        if group.rules.custom_grader {
            let call = GraderCall {
                group: group.name.clone(),
                flags: group.rules.grader_flags.clone(),
                input: totals.iter().map(line_for_grader).collect(),
            };
            let total = (self.graded)(&call).ok_or(Missing::Grader(call))?;
            return Ok(Total { score: total.score.filter(|_| scoring), ..total });
        }
        if group.rules.ignore_sample && group.name.is_empty() && totals.len() > 1 {
            totals.remove(0);
        }
        let judgement = verdict(&group.rules, &totals);
        Ok(Total { judgement, score: scoring.then(|| score(group.rules.score, &totals)) })
    }

    /// The result by DOMjudge's grading of legacy groups, from the results so far: the first rejected test case decides,
    /// and a group without inner groups gets its score if all its test cases are accepted.
    pub(crate) fn by_domjudge(&self, results: Results<'_>) -> Total {
        let cases = self.data.root.cases();
        let mut known = cases.iter().filter_map(|index| results(*index)).map(|result| result.judgement);
        let judgement = known.find(|judgement| *judgement != Judgement::Accepted).unwrap_or(Judgement::Accepted);
        Total { judgement, score: self.domjudge_score(&self.data.root, results) }
    }

    /// The score of a group in DOMjudge; `None` if it has none.
    fn domjudge_score(&self, group: &Group, results: Results<'_>) -> Option<f64> {
        let groups = group.items.iter().filter_map(|item| match item {
            Item::Group(inner) => Some(&**inner).filter(|inner| inner.rules.own.configured),
            Item::Case(_) => None,
        });
        let groups: Vec<&Group> = groups.collect();
        let scores: Vec<f64> = if groups.is_empty() {
            let results: Vec<CaseResult> = group.cases().iter().filter_map(|index| results(*index)).collect();
            let given = |result: &CaseResult| match (result.judgement, result.score) {
                (Judgement::Accepted, Some(CaseScore::Points(score) | CaseScore::Share(score))) => Some(score),
                _ => None,
            };
            let accepted = results.iter().all(|result| result.judgement == Judgement::Accepted);
            if results.iter().any(|result| given(result).is_some()) {
                results.iter().map(|result| given(result).unwrap_or(0.0)).collect()
            } else {
                let whole = group.rules.own.accept_score.filter(|_| !results.is_empty());
                whole.map(|score| if accepted { score } else { 0.0 }).into_iter().collect()
            }
        } else {
            let counts = |inner: &&&Group| !(group.rules.own.ignore_sample && inner.name == "sample");
            groups.iter().filter(counts).filter_map(|inner| self.domjudge_score(inner, results)).collect()
        };
        let totals: Vec<Total> =
            scores.into_iter().map(|score| Total { judgement: Judgement::Accepted, score: Some(score) }).collect();
        let mode = group.rules.own.score.unwrap_or(ScoreMode::Sum);
        (!totals.is_empty()).then(|| score(mode, &totals))
    }

    fn of_case(&self, result: CaseResult, rules: &Rules) -> Total {
        let accepted = result.judgement == Judgement::Accepted;
        let own = match result.score {
            Some(CaseScore::Points(score) | CaseScore::Share(score)) => Some(score),
            None => None,
        };
        if accepted && own.is_none() && self.metadata.score_required {
            return Total { judgement: Judgement::JudgeError, score: None };
        }
        let usual = if accepted { rules.accept_score } else { rules.reject_score };
        let score = if accepted { own.unwrap_or(usual) } else { usual };
        Total { judgement: result.judgement, score: self.metadata.scoring.then_some(score) }
    }

    /// The results of every group of a 2025-09 package; the empty name is the root.
    fn current(&self, results: Results<'_>) -> Result<BTreeMap<String, Total>, Missing> {
        let missing: Vec<usize> = (0..self.data.results()).filter(|index| results(*index).is_none()).collect();
        if !missing.is_empty() {
            return Err(Missing::Cases(missing));
        }
        let judged = |group: &Group| {
            let results = self.data.results_in(group).into_iter().filter_map(results);
            results.map(|result| result.judgement).find(|judgement| *judgement != Judgement::Accepted)
        };
        let mut groups = BTreeMap::new();
        let Some(secret) = self.data.root.find("secret") else {
            let total = Total { judgement: judged(&self.data.root).unwrap_or(Judgement::Accepted), score: None };
            return Ok([(String::new(), total)].into());
        };
        let mut parts = Vec::new();
        let scored = secret.test_groups();
        for group in &scored {
            let judgement = judged(group).unwrap_or(Judgement::Accepted);
            let score = if self.passes(group, results) { self.group_score(group, results) } else { 0.0 };
            parts.push(Total { judgement, score: Some(score) });
        }
        let accepted = judged(secret);
        let score = if !self.passes(secret, results) {
            0.0
        } else if secret.rules.score == ScoreMode::PassFail {
            if accepted.is_none() { secret.rules.max_score.unwrap_or(0.0) } else { 0.0 }
        } else if parts.is_empty() {
            self.group_score(secret, results)
        } else {
            let own = |result: &usize| self.data.static_case(*result).is_some_and(|case| case.group == secret.name);
            let own = self.data.results_in(secret).into_iter().filter(own);
            let own = own.filter_map(|result| Some(self.scored(result, None, results(result)?)));
            score(secret.rules.score, &parts.iter().copied().chain(own).collect::<Vec<_>>())
        };
        let too_much = secret.rules.max_score.is_some_and(|most| is_more(score, most)) && self.metadata.scoring;
        let accepted = if too_much { Some(Judgement::JudgeError) } else { accepted };
        let keep = |score: f64| self.metadata.scoring.then_some(score);
        for (group, total) in scored.iter().zip(parts) {
            groups.insert(group.name.clone(), Total { score: total.score.and_then(keep), ..total });
        }
        if let Some(sample) = self.data.root.find("sample") {
            let judgement = judged(sample).unwrap_or(Judgement::Accepted);
            groups.insert("sample".into(), Total { judgement, score: None });
        }
        groups
            .insert("secret".into(), Total { judgement: accepted.unwrap_or(Judgement::Accepted), score: keep(score) });
        let failed = accepted.filter(|judgement| *judgement == Judgement::JudgeError);
        let judgement = failed.or_else(|| judged(&self.data.root)).unwrap_or(Judgement::Accepted);
        groups.insert(String::new(), Total { judgement, score: keep(score) });
        Ok(groups)
    }

    /// Checks whether the groups that a group depends on were accepted.
    fn passes(&self, group: &Group, results: Results<'_>) -> bool {
        let accepted = |index: &usize| results(*index).is_some_and(|result| result.judgement == Judgement::Accepted);
        let needed = group.rules.require_pass.iter().filter_map(|name| self.data.root.find(name));
        // A group that was not judged because another one failed has not passed. Groups only name earlier ones.
        needed.into_iter().all(|group| self.data.results_in(group).iter().all(accepted) && self.passes(group, results))
    }

    fn group_score(&self, group: &Group, results: Results<'_>) -> f64 {
        let all = self.data.results_in(group);
        let results: Vec<(usize, CaseResult)> =
            all.iter().filter_map(|&index| Some((index, results(index)?))).collect();
        if group.rules.score == ScoreMode::PassFail {
            let all = results.iter().all(|(_, result)| result.judgement == Judgement::Accepted);
            return if all { group.rules.max_score.unwrap_or(0.0) } else { 0.0 };
        }
        let most = self.data.most_per_case(group);
        let totals: Vec<Total> = results.iter().map(|(index, result)| self.scored(*index, most, *result)).collect();
        score(group.rules.score, &totals)
    }

    /// A result with its score, in 2025-09. `most` is the largest score of a test case of its group.
    fn scored(&self, index: usize, most: Option<f64>, result: CaseResult) -> Total {
        let most = self.data.static_case(index).map_or(most, |case| case.max_score).unwrap_or(0.0);
        let own = match result.score {
            _ if result.judgement != Judgement::Accepted => 0.0,
            Some(CaseScore::Points(points)) => points,
            Some(CaseScore::Share(share)) => share * most,
            None => most,
        };
        Total { judgement: result.judgement, score: Some(own) }
    }
}

/// The line with the result of a member that a grader reads.
fn line_for_grader(total: &Total) -> String {
    let verdict = match total.judgement {
        Judgement::Accepted => "AC",
        Judgement::WrongAnswer => "WA",
        Judgement::TimeLimit => "TLE",
        Judgement::JudgeError | Judgement::CompileError | Judgement::RunTimeError | Judgement::OutputLimit => "RTE",
    };
    format!("{verdict} {}\n", total.score.unwrap_or(0.0))
}

fn verdict(rules: &Rules, totals: &[Total]) -> Judgement {
    let judgements = || totals.iter().map(|total| total.judgement);
    if rules.accept_if_any_accepted && judgements().any(|judgement| judgement == Judgement::Accepted) {
        return Judgement::Accepted;
    }
    match rules.verdict {
        VerdictMode::AlwaysAccept => Judgement::Accepted,
        VerdictMode::WorstError => judgements().min().unwrap_or(Judgement::Accepted),
        VerdictMode::FirstError => {
            judgements().find(|judgement| *judgement != Judgement::Accepted).unwrap_or(Judgement::Accepted)
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "fewer members than a float counts exactly")]
fn score(mode: ScoreMode, totals: &[Total]) -> f64 {
    let scores = || totals.iter().filter_map(|total| total.score);
    match mode {
        ScoreMode::Sum => scores().sum(),
        ScoreMode::Average => scores().sum::<f64>() / totals.len().max(1) as f64,
        ScoreMode::Min => scores().reduce(f64::min).unwrap_or(0.0),
        ScoreMode::Max => scores().reduce(f64::max).unwrap_or(0.0),
        ScoreMode::PassFail => 0.0,
    }
}
