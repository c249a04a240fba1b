//! Expectations of a package about its submissions, and the comparison with the actual results.

use crate::Package;
use crate::glob::Pattern;
use crate::grading::{Graded, GraderCall, Grading, Missing, Results};
use crate::judgement::{Judgement, Total, round, same_rounded, same_score};

/// The expectation of a package for a submission.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// Nothing that can be compared.
    Nothing,
    /// One of these results as a whole. An empty list can only be checked by hand.
    Result(Vec<Judgement>),
    /// The expectation of DOMjudge for a source with this tag.
    Tagged {
        /// One of these results; an empty list for none.
        results: Vec<Judgement>,
        /// The score that it must have; `None` for any.
        score: Option<f64>,
    },
    /// Accepted, but not with the best score.
    Partial,
    /// Any judgement but accepted, on some test case.
    Rejected,
    /// These requirements on test cases, all of them.
    Cases(Vec<Requirement>),
}

/// A requirement on some test cases.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Requirement {
    /// Pattern for the test cases and groups, or `None` for all.
    pub cases: Option<String>,
    /// The judgements that these test cases may have.
    pub permitted: Option<Vec<Judgement>>,
    /// The judgements of which at least one test case must have one.
    pub required: Option<Vec<Judgement>>,
    /// The least and the largest score, of the submission or of the group.
    pub score: Option<(f64, f64)>,
    /// A text that a message of the validator for the judges must contain.
    pub message: Option<String>,
    /// The pattern of `submissions.yaml` or the folder that the requirement comes from.
    pub source: String,
    pub(crate) for_time_limit: Option<String>,
}

/// The state of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// The results of these test cases are needed first.
    Needs(Vec<usize>),
    /// The result of the package's grader is needed first.
    Grade(GraderCall),
    /// The comparison is over, with this result.
    Decided(Comparison),
}

impl Expectation {
    /// True if there is nothing to compare.
    fn is_nothing(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Result(results) => results.is_empty(),
            Self::Tagged { .. } | Self::Partial | Self::Rejected | Self::Cases(_) => false,
        }
    }

    /// True if it is about the verdict on a submission alone, and not about its score.
    fn is_verdict(&self) -> bool {
        match self {
            Self::Result(results) | Self::Tagged { results, score: None } => !results.is_empty(),
            Self::Rejected => true,
            Self::Nothing | Self::Partial | Self::Tagged { .. } | Self::Cases(_) => false,
        }
    }
}

/// The comparison of an expectation with the actual results.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// True if they agree; `None` if there is nothing to compare.
    pub agrees: Option<bool>,
    /// True if they differ only because no test case has a required judgement, message or score: with more test cases
    /// they could agree.
    pub may_agree: bool,
    /// The result of the submission here, in words.
    pub ours: String,
    /// The test case or requirement that decided, or the reason why there is nothing to compare; empty if neither
    /// applies.
    pub reason: String,
    /// The result of the submission here; `None` if the package has no grader to compute it.
    pub total: Option<Total>,
}

impl Requirement {
    pub(crate) fn is_empty(&self) -> bool {
        let Self { permitted, required, score, message, for_time_limit, .. } = self;
        permitted.is_none() && required.is_none() && score.is_none() && message.is_none() && for_time_limit.is_none()
    }

    /// Returns a check whether the requirement applies to a test case, given by its name.
    fn covers(&self) -> impl Fn(&str) -> bool + use<> {
        let pattern = self.cases.as_deref().map(Pattern::new);
        move |name| pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
    }
}

/// Judgements as alternatives in words, such as `accepted or wrong answer`.
fn either(judgements: &[Judgement]) -> String {
    let words: Vec<String> = judgements.iter().map(Judgement::to_string).collect();
    match words.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

impl std::fmt::Display for Requirement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        match (&self.permitted, &self.required) {
            (None, None) => {}
            (Some(permitted), None) => parts.push(format!("{} on every test case", either(permitted))),
            (None, Some(required)) => parts.push(format!("{} on at least one test case", either(required))),
            (Some(permitted), Some(required)) => {
                let others: Vec<Judgement> = permitted.iter().filter(|one| !required.contains(one)).copied().collect();
                let others = if others.is_empty() { permitted } else { &others };
                parts.push(format!("{} on at least one test case, {} on the others", either(required), either(others)));
            }
        }
        if let Some((low, high)) = self.score {
            parts.push(if low == high { format!("score {low}") } else { format!("score {low} to {high}") });
        }
        if let Some(message) = &self.message {
            parts.push(format!("a message with `{message}`"));
        }
        match &self.cases {
            Some(cases) if !parts.is_empty() => write!(f, "{cases}: ")?,
            _ => {}
        }
        f.write_str(&parts.join(", "))
    }
}

impl std::fmt::Display for Expectation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Result(judgements) if judgements.is_empty() => f.write_str("nothing that a program can check"),
            Self::Result(judgements) => f.write_str(&either(judgements)),
            Self::Tagged { results, score } => {
                let results = (!results.is_empty()).then(|| either(results));
                let score = score.map(|score| format!("score {score}"));
                f.write_str(&results.into_iter().chain(score).collect::<Vec<_>>().join(" with "))
            }
            Self::Partial => f.write_str("accepted with less than the best score"),
            Self::Rejected => f.write_str("not accepted"),
            Self::Cases(requirements) => {
                let sentences = requirements.iter().map(Requirement::to_string).filter(|sentence| !sentence.is_empty());
                f.write_str(&sentences.collect::<Vec<_>>().join("; "))
            }
        }
    }
}

/// Test cases and results of one submission, and the messages of the validator for the judges.
pub struct Judged<'a> {
    /// Results by the index of the test case.
    pub results: Results<'a>,
    /// Messages of the validator, by the index of the test case.
    pub messages: &'a dyn Fn(usize) -> Option<String>,
    /// Results of the package's grader.
    pub graded: Graded<'a>,
}

impl Package {
    /// The result of a submission as a whole.
    ///
    /// # Errors
    ///
    /// A call of the grader or a case is missing.
    pub fn total(&self, results: Results<'_>, graded: Graded<'_>) -> Result<Total, Missing> {
        self.grading(graded).total(results)
    }

    /// The best score of a submission; `None` if the package has no scores, or no bound for them.
    pub fn best_score(&self) -> Option<f64> {
        let best = self.grading(&|_| None).best();
        Some(best).filter(|best| self.metadata.scoring && best.is_finite())
    }

    fn grading<'a>(&'a self, graded: Graded<'a>) -> Grading<'a> {
        Grading { metadata: &self.metadata, data: &self.data, graded }
    }

    /// Compares an expectation with the results so far. A result with a score that the validator may not give is a judge
    /// error, see [`Self::score_fault`].
    pub fn compare(&self, expectation: &Expectation, judged: &Judged<'_>) -> Progress {
        let Some(bounds) = self.bounds() else { return self.compare_checked(expectation, judged) };
        let results = |index: usize| Some(bounds[index].checked((judged.results)(index)?));
        self.compare_checked(expectation, &Judged { results: &results, ..*judged })
    }

    fn compare_checked(&self, expectation: &Expectation, judged: &Judged<'_>) -> Progress {
        let requirements = match expectation {
            Expectation::Cases(requirements) => Some(requirements),
            _ => None,
        };
        let grading = self.grading(judged.graded);
        let total = match grading.total(judged.results) {
            Ok(total) => total,
            Err(Missing::Cases(cases)) => return Progress::Needs(cases),
            Err(Missing::Grader(call)) if self.grader.is_some() => return Progress::Grade(call),
            // Without the score of the grader, the test cases can still be compared one by one.
            Err(Missing::Grader(GraderCall { group, .. })) => {
                let missing = self.missing(judged.results);
                return match requirements {
                    _ if !missing.is_empty() => Progress::Needs(missing),
                    Some(requirements) => self.compare_cases(requirements, judged, None),
                    // A verdict needs no scores.
                    None if expectation.is_verdict() => {
                        let graded = &|call: &GraderCall| Some(call.verdict_alone());
                        let verdict = self.grading(graded).total(judged.results).map(|total| total.judgement);
                        match (self.compare(expectation, &Judged { graded, ..*judged }), verdict) {
                            (Progress::Decided(decided), Ok(verdict)) => {
                                Progress::Decided(Comparison { ours: verdict.to_string(), total: None, ..decided })
                            }
                            (other, _) => other,
                        }
                    }
                    None => {
                        let name = if group.is_empty() { "the test data".into() } else { format!("group {group}") };
                        let reason = format!("a grader is to grade {name}, and there is none to run");
                        let ours = self.summary(judged.results);
                        Progress::Decided(Comparison { agrees: None, may_agree: false, ours, reason, total: None })
                    }
                };
            }
        };
        let ours = total.to_string();
        let decided = |agrees: Option<bool>, ours: String, reason: String| {
            Progress::Decided(Comparison { agrees, may_agree: false, ours, reason, total: Some(total) })
        };
        match expectation {
            // No package expects a judge error, even if it only expects a rejection.
            _ if total.judgement == Judgement::JudgeError && !expectation.is_nothing() => {
                let score = "the score of secret is more than its max_score";
                let reason = match self.first_rejected(judged.results) {
                    first if first.is_empty() && !self.metadata.legacy_grading => score.to_owned(),
                    first => first,
                };
                decided(Some(false), ours, reason)
            }
            Expectation::Nothing => decided(None, ours, "the package states no expected result".into()),
            Expectation::Result(wanted) if wanted.is_empty() => {
                decided(None, ours, "the package asks for a check by hand".into())
            }
            Expectation::Cases(requirements) => self.compare_cases(requirements, judged, Some(total)),
            Expectation::Rejected => {
                decided(Some(total.judgement != Judgement::Accepted), ours, self.first_rejected(judged.results))
            }
            Expectation::Tagged { results, score } => {
                let first = self.first_rejected(judged.results);
                let holds = |total: Total| {
                    let stated = results.is_empty() || results.iter().any(|wanted| total.judgement.is(*wanted));
                    let scored = |score: f64| total.score.is_some_and(|ours| same_rounded(ours, score));
                    (stated, score.is_none_or(scored))
                };
                if holds(total) == (true, true) {
                    return decided(Some(true), ours, first);
                }
                // The score of DOMjudge needs every test case.
                let missing = self.missing(judged.results);
                if score.is_some() && !missing.is_empty() {
                    return Progress::Needs(missing);
                }
                let by_domjudge = grading.by_domjudge(judged.results);
                if holds(by_domjudge) == (true, true) {
                    let reason = if first.is_empty() { String::new() } else { format!(", {first}") };
                    return decided(Some(true), ours, format!("as DOMjudge grades: {by_domjudge}{reason}"));
                }
                match score {
                    None => self.compare_checked(&Expectation::Result(results.clone()), judged),
                    _ => decided(Some(false), ours, format!("as DOMjudge grades: {by_domjudge}; {first}")),
                }
            }
            Expectation::Partial => {
                // In 2025-09 a score does not need an accepted verdict.
                let counts = match self.metadata.legacy_grading {
                    true => total.judgement == Judgement::Accepted,
                    false => !matches!(total.judgement, Judgement::JudgeError | Judgement::CompileError),
                };
                let partial = counts && !grading.is_full(total);
                let reason = if partial { String::new() } else { self.first_rejected(judged.results) };
                decided(Some(partial), ours, reason)
            }
            Expectation::Result(wanted) => {
                if wanted.iter().any(|wanted| total.judgement.is(*wanted)) {
                    return decided(Some(true), ours, self.first_rejected(judged.results));
                }
                // The format's terms are about single test cases, including those after the deciding one.
                let Some(words) = wanted.iter().copied().find_map(words_of_format) else {
                    return decided(Some(false), ours, self.first_rejected(judged.results));
                };
                let missing = self.missing(judged.results);
                if !missing.is_empty() {
                    return Progress::Needs(missing);
                }
                match self.violation(&words, judged) {
                    None => decided(
                        Some(true),
                        ours,
                        format!("its folder demands only: {}", Expectation::Cases(vec![words])),
                    ),
                    Some(_) => {
                        let reason = self.first_rejected(judged.results);
                        let may_agree = self.is_permitted(&words, judged);
                        let total = Some(total);
                        Progress::Decided(Comparison { agrees: Some(false), may_agree, ours, reason, total })
                    }
                }
            }
        }
    }

    fn compare_cases(&self, requirements: &[Requirement], judged: &Judged<'_>, total: Option<Total>) -> Progress {
        let missing = self.missing(judged.results);
        if !missing.is_empty() {
            return Progress::Needs(missing);
        }
        let violations: Vec<String> = requirements.iter().filter_map(|one| self.violation(one, judged)).collect();
        let reason = if violations.is_empty() { self.first_rejected(judged.results) } else { violations.join("; ") };
        let ours = total.map_or("graded by the package".to_owned(), |total| total.to_string());
        let agrees = violations.is_empty();
        let may_agree = !agrees && requirements.iter().all(|one| self.is_permitted(one, judged));
        Progress::Decided(Comparison { agrees: Some(agrees), may_agree, ours, reason, total })
    }

    /// True if no test case has a judgement that a requirement does not permit.
    fn is_permitted(&self, requirement: &Requirement, judged: &Judged<'_>) -> bool {
        let Requirement { cases, permitted, .. } = requirement.clone();
        self.violation(&Requirement { cases, permitted, ..Requirement::default() }, judged).is_none()
    }

    fn missing(&self, results: Results<'_>) -> Vec<usize> {
        (0..self.data.results()).filter(|index| results(*index).is_none()).collect()
    }

    /// The first rejected test case, with its judgement; empty if there is none.
    fn first_rejected(&self, results: Results<'_>) -> String {
        let all = (0..self.data.results()).filter_map(|index| Some((index, results(index)?.judgement)));
        let mut rejected = all.filter(|(_, judgement)| *judgement != Judgement::Accepted);
        let first =
            rejected.next().map(|(index, judgement)| format!("{judgement} on {}", self.data.result_name(index)));
        first.unwrap_or_default()
    }

    /// The number of test cases per judgement.
    fn summary(&self, results: Results<'_>) -> String {
        let mut counts = std::collections::BTreeMap::new();
        for index in 0..self.data.results() {
            if let Some(result) = results(index) {
                *counts.entry(result.judgement).or_insert(0u32) += 1;
            }
        }
        counts.iter().rev().map(|(judgement, count)| format!("{count} {judgement}")).collect::<Vec<_>>().join(", ")
    }

    /// The reason why a requirement does not hold; `None` if it does.
    fn violation(&self, requirement: &Requirement, judged: &Judged<'_>) -> Option<String> {
        let covers = requirement.covers();
        let data = &self.data;
        let covered: Vec<usize> = (0..data.results()).filter(|index| covers(data.matched_name(*index))).collect();
        let judgement = |index: usize| (judged.results)(index).map(|result| result.judgement);
        if let Some(permitted) = &requirement.permitted {
            let other = covered.iter().find_map(|index| {
                let judgement = judgement(*index)?;
                let differs = !permitted.iter().any(|wanted| judgement.is(*wanted));
                differs.then(|| format!("{judgement} on {}", data.result_name(*index)))
            });
            if let Some(other) = other {
                return Some(format!("{} does not permit {other}", requirement.source));
            }
        }
        if let Some(required) = &requirement.required {
            let found = covered.iter().filter_map(|index| judgement(*index));
            let mut found = found.filter(|judgement| required.iter().any(|wanted| judgement.is(*wanted)));
            if found.next().is_none() {
                return Some(format!("{} requires {} on at least one test case", requirement.source, either(required)));
            }
        }
        if let Some((low, high)) = requirement.score {
            let name = requirement.cases.as_deref().unwrap_or_default();
            let total = self.grading(judged.graded).of_group(name, judged.results).ok().flatten();
            let score = total.and_then(|total| total.score);
            if !score.is_some_and(|score| {
                (low <= score && score <= high) || same_score(score, low) || same_score(score, high)
            }) {
                let score = score.map_or("no score".into(), |score| format!("score {}", round(score)));
                return Some(format!("{score} is not {low} to {high}"));
            }
        }
        if let Some(message) = &requirement.message {
            let found = covered
                .iter()
                .any(|index| (judged.messages)(*index).is_some_and(|text| text.contains(message.as_str())));
            if !found {
                return Some(format!("no message for the judges contains `{message}`"));
            }
        }
        None
    }

    /// Test cases on which the submission must not be too slow, so that its times bound the time limit from below.
    pub fn timed_cases(&self, expectation: &Expectation) -> Vec<usize> {
        let all = || (0..self.data.cases.len()).collect();
        match expectation {
            Expectation::Result(wanted) | Expectation::Tagged { results: wanted, .. }
                if *wanted == [Judgement::Accepted] =>
            {
                all()
            }
            Expectation::Cases(requirements) => {
                let bounding: Vec<_> = requirements
                    .iter()
                    .filter(|one| match one.for_time_limit.as_deref() {
                        Some("lower") => true,
                        Some(_) => false,
                        None => {
                            one.permitted.as_ref().is_some_and(|permitted| !permitted.contains(&Judgement::TimeLimit))
                        }
                    })
                    .map(Requirement::covers)
                    .collect();
                let cases = self.data.cases.iter().enumerate();
                cases
                    .filter(|(_, case)| bounding.iter().any(|covers| covers(&case.name)))
                    .map(|(index, _)| index)
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The time limit in seconds that follows from the slowest time of submissions that must not be too slow.
    pub fn time_limit(&self, slowest: f64) -> f64 {
        let limits = &self.metadata.limits;
        let least = slowest * limits.accepted_to_limit / limits.time_resolution;
        // A tiny excess over a multiple is a rounding error.
        (least - 1e-9).ceil().max(1.0) * limits.time_resolution
    }
}

/// The rules of the legacy format about the folder of a judgement: the permitted and required judgements of test cases.
fn words_of_format(judgement: Judgement) -> Option<Requirement> {
    use Judgement::{Accepted, RunTimeError, TimeLimit, WrongAnswer};
    let (permitted, required) = match judgement {
        WrongAnswer => (Some(vec![Accepted, WrongAnswer]), WrongAnswer),
        TimeLimit => (Some(vec![Accepted, WrongAnswer, TimeLimit]), TimeLimit),
        RunTimeError => (None, RunTimeError),
        _ => return None,
    };
    Some(Requirement { permitted, required: Some(vec![required]), ..Requirement::default() })
}
