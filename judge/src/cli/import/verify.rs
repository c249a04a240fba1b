//! The submissions of a package, compared with what the package expects of them.

use std::fmt;

use super::super::Failure;
use super::bench::PackageContest;
use judge_package::{CaseResult, Comparison, Judged, Judgement, Package, Progress};

/// The result of one submission.
pub(super) struct Outcome {
    /// Path of the submission below `submissions`.
    path: String,
    /// The expectation of the package.
    expected: String,
    /// The comparison; `None` if it was not run.
    comparison: Option<Comparison>,
    /// The longest time of its runs, in seconds.
    seconds: f64,
    /// True if it agrees only with the longer time that the package allows for slow machines.
    with_extra_time: bool,
    /// The message about the first rejected run.
    message: String,
    /// The reason why it was not run.
    pub(super) skipped: Option<String>,
    /// True if the judge or the validator failed on one of its runs.
    pub(super) judge_failed: bool,
}

impl Outcome {
    /// True if it agrees with the package; `None` if there is nothing to compare.
    pub(super) fn agrees(&self) -> Option<bool> {
        self.comparison.as_ref()?.agrees
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path)?;
        let Some(comparison) = &self.comparison else {
            return f.write_str(self.skipped.as_deref().unwrap_or_default());
        };
        f.write_str(&comparison.ours)?;
        let differs = comparison.agrees == Some(false);
        if differs {
            write!(f, "; expected: {}", self.expected)?;
        }
        if !comparison.reason.is_empty() {
            write!(f, "; {}", comparison.reason)?;
        }
        if differs && !self.message.is_empty() {
            write!(f, " ({})", self.message)?;
        }
        write!(f, "; {:.2} s", self.seconds)?;
        if self.with_extra_time { f.write_str(", with extra time") } else { Ok(()) }
    }
}

/// Runs and compares every submission. Submissions go on side by side, and only as far as comparisons need them.
pub(super) fn all(package: &Package, bench: &mut PackageContest<'_>, limit: f64) -> Result<Vec<Outcome>, Failure> {
    let submissions: Vec<usize> = bench.written.entries.iter().map(|entry| entry.submission).collect();
    loop {
        let mut wanted = Vec::new();
        let mut graded = false;
        for &submission in &submissions {
            for limit in [limit, f64::INFINITY] {
                match compare(package, bench, submission, limit) {
                    Progress::Needs(cases) => wanted.extend(cases.into_iter().map(|case| (submission, case))),
                    Progress::Grade(call) => {
                        bench.grade(&call)?;
                        graded = true;
                    }
                    Progress::Decided(_) => {}
                }
            }
            // What is to be accepted needs every test case, so they are run side by side.
            if !wanted.is_empty() {
                let timed = package.timed_cases(&package.submissions[submission].expectation);
                wanted.extend(timed.into_iter().map(|case| (submission, case)));
            }
        }
        let made = if wanted.is_empty() { 0 } else { bench.make(&wanted)? };
        if made == 0 && !graded {
            break;
        }
    }
    Ok((0..package.submissions.len()).map(|submission| outcome(package, bench, submission, limit)).collect())
}

/// The state of a comparison if every run above this time were too slow.
fn compare(package: &Package, bench: &PackageContest<'_>, submission: usize, limit: f64) -> Progress {
    let results = |case: usize| {
        let run = bench.get(submission, case)?;
        let ran = !matches!(run.result.judgement, Judgement::JudgeError | Judgement::CompileError);
        let slow = CaseResult { judgement: Judgement::TimeLimit, score: None };
        Some(if ran && run.seconds > limit { slow } else { run.result })
    };
    let messages = |case: usize| bench.get(submission, case).map(|run| run.message.clone());
    let judged = Judged { results: &results, messages: &messages, graded: &|call| bench.graded(call) };
    package.compare(&package.submissions[submission].expectation, &judged)
}

fn outcome(package: &Package, bench: &PackageContest<'_>, submission: usize, limit: f64) -> Outcome {
    let skipped = bench.written.skipped.iter().find(|skipped| skipped.submission == submission);
    let decided = |limit: f64| match compare(package, bench, submission, limit) {
        Progress::Decided(comparison) => Some(comparison),
        Progress::Needs(_) | Progress::Grade(_) => None,
    };
    let mut comparison = decided(limit).filter(|_| skipped.is_none());
    let mut with_extra_time = false;
    if comparison.as_ref().is_some_and(|comparison| comparison.agrees == Some(false)) {
        let longer = decided(f64::INFINITY).filter(|comparison| comparison.agrees == Some(true));
        with_extra_time = longer.is_some();
        comparison = longer.or(comparison);
    }
    let runs = || (0..package.data.cases.len()).filter_map(|case| bench.get(submission, case));
    let rejected = runs().find(|run| run.result.judgement != Judgement::Accepted);
    Outcome {
        path: package.submissions[submission].path.clone(),
        expected: package.submissions[submission].expectation.to_string(),
        comparison,
        seconds: runs().map(|run| run.seconds).fold(0.0, f64::max),
        with_extra_time,
        message: rejected.map(|run| run.message.clone()).unwrap_or_default(),
        skipped: skipped.map(|skipped| skipped.reason.clone()),
        judge_failed: runs().any(|run| run.result.judgement == Judgement::JudgeError),
    }
}
