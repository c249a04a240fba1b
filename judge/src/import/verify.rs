//! Compares the submissions of a package with its expectations.

use std::io;

use crate::import::error::ImportError;
use crate::import::package_contest::PackageContest;
use crate::import::submission_result::SubmissionResult;
use crate::import::work_queue::{CaseRun, QueueState, WorkItem};
use judge_contest::builds::last_lines;
use judge_package::{
    CaseResult, Comparison, Expectation, Judged, Judgement, Objective, Package, Progress, Requirement, Submission,
};

/// A verification: submissions of a package under a time limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verification<'a> {
    /// The package, with its submissions.
    pub(crate) package: &'a Package,
    /// The submissions, by their indices.
    pub(crate) submissions: &'a [usize],
    /// The time limit, in seconds.
    pub(crate) limit: f64,
    /// The CPU time at which runs are ended, in seconds.
    pub(crate) highest: f64,
    /// True if only some test cases of the package are verified.
    pub(crate) narrowed: bool,
}

impl Verification<'_> {
    /// Runs and compares the submissions, each only as far as its comparison needs. Outcomes go to `report` in the
    /// order of the package, each as soon as it and the earlier ones are known. After a failure, `report` gets the
    /// known ones.
    pub(crate) fn all(
        &self,
        contest: &PackageContest<'_>,
        mut report: impl FnMut(&SubmissionResult) -> io::Result<()>,
    ) -> (Vec<SubmissionResult>, Option<ImportError>) {
        let mut outcomes: Vec<SubmissionResult> = Vec::new();
        let queue = &contest.queue;
        let followed = contest.work(|| {
            let runs =
                |submission: &&usize| contest.written.entries.iter().any(|entry| entry.submission == **submission);
            let runnable = self.submissions.iter().filter(runs);
            runnable.for_each(|&submission| self.want(submission, &mut queue.state()));
            for &submission in self.submissions {
                let outcome = queue.wait(|state| {
                    let fresh = state.take_updated();
                    fresh.into_iter().for_each(|submission| self.want(submission, state));
                    self.outcome(submission, contest, state)
                })?;
                report(&outcome).map_err(ImportError::Report)?;
                outcomes.push(outcome);
            }
            Ok(())
        });
        let mut failure = followed.err();
        if failure.as_ref().is_some_and(|failure| !matches!(failure, ImportError::Report(_))) {
            let state = queue.state();
            let left = self.submissions.iter().skip(outcomes.len());
            let left: Vec<SubmissionResult> =
                left.filter_map(|&submission| self.outcome(submission, contest, &state)).collect();
            for outcome in left {
                failure = report(&outcome).err().map(ImportError::Report).or(failure);
                outcomes.push(outcome);
            }
        }
        (outcomes, failure)
    }

    /// Requests what the comparison of a submission needs next, at the limit and with extra time.
    fn want(&self, submission: usize, state: &mut QueueState) {
        let mut items = Vec::new();
        for limit in [self.limit, self.highest] {
            match self.compare(state, submission, limit) {
                Progress::Needs(cases) => items.extend(cases.into_iter().map(|case| WorkItem::Run(submission, case))),
                Progress::Grade(call) => items.push(WorkItem::Grade(submission, call)),
                Progress::Decided(_) => {}
            }
        }
        // An expected acceptance needs every test case, so they run in parallel.
        if !items.is_empty() {
            let timed = self.package.timed_cases(&self.submission(submission).expectation);
            items.extend(timed.into_iter().map(|case| WorkItem::Run(submission, case)));
        }
        items.into_iter().for_each(|item| state.want(item));
    }

    fn submission(&self, submission: usize) -> &Submission {
        &self.package.submissions[submission]
    }

    /// The result of a run under a limit for its time.
    pub(crate) fn result(&self, run: &CaseRun, limit: f64) -> CaseResult {
        let ran = !matches!(run.result.judgement, Judgement::JudgeError | Judgement::CompileError);
        let slow = CaseResult { judgement: Judgement::TimeLimit, score: None };
        if ran && run.seconds > limit { slow } else { run.result }
    }

    /// The state of a comparison if every run above this time were too slow.
    fn compare(&self, state: &QueueState, submission: usize, limit: f64) -> Progress {
        self.compare_with(state, submission, &|case| Some(self.result(state.run(submission, case)?, limit)))
    }

    /// The state of a comparison with these results.
    pub(crate) fn compare_with(
        &self,
        state: &QueueState,
        submission: usize,
        results: &dyn Fn(usize) -> Option<CaseResult>,
    ) -> Progress {
        let messages = |case: usize| state.run(submission, case).map(|run| run.message.clone());
        let judged = Judged { results, messages: &messages, graded: &|call| state.grade(call) };
        self.package.compare(&self.submission(submission).expectation, &judged)
    }

    /// The comparison of a submission if every run above this time were too slow; `None` if it is not over.
    pub(crate) fn decided(&self, state: &QueueState, submission: usize, limit: f64) -> Option<Comparison> {
        match self.compare(state, submission, limit) {
            Progress::Decided(comparison) => Some(comparison),
            Progress::Needs(_) | Progress::Grade(_) => None,
        }
    }

    /// The outcome of a submission; `None` if it is not known yet.
    fn outcome(&self, index: usize, contest: &PackageContest<'_>, state: &QueueState) -> Option<SubmissionResult> {
        let Submission { path, expectation, .. } = self.submission(index);
        let mut outcome = SubmissionResult::new(index, path, expectation.to_string());
        if let Some(skipped) = contest.written.skipped.iter().find(|skipped| skipped.submission == index) {
            outcome.skipped = Some(skipped.reason.clone());
            return Some(outcome);
        }
        let at_limit = self.decided(state, index, self.limit)?;
        let with_more = self.decided(state, index, self.highest)?;
        let (mut comparison, tight) = self.weigh(at_limit, with_more);
        outcome.tight = tight;
        let runs = || {
            let results = 0..self.package.data.results();
            results.filter_map(|result| Some((result, state.run(index, result)?)))
        };
        let rejected = runs().find(|(_, run)| run.result.judgement != Judgement::Accepted);
        let is_open = comparison.may_agree || rejected.is_none() || is_of_scores(expectation);
        if self.narrowed && comparison.agrees == Some(false) && is_open {
            comparison.agrees = None;
            comparison.reason = format!("the selected test cases do not decide; expected: {expectation}");
        }
        let slow = runs().find(|(_, run)| run.seconds > self.limit);
        let says_more = outcome.tight.is_none() && comparison.agrees != Some(false);
        if let Some((result, run)) = slow.filter(|_| says_more && demands_acceptance(expectation)) {
            let place = self.package.data.result_name(result);
            outcome.tight = Some(format!("slower than the limit on {place}, {}", run.time()));
        }
        if let Some((_, slowest)) = runs().max_by(|(_, one), (_, other)| one.seconds.total_cmp(&other.seconds)) {
            (outcome.seconds, outcome.waited) = (slowest.seconds, slowest.waited);
        }
        let graded_badly = comparison.total.is_some_and(|total| total.judgement == Judgement::JudgeError);
        outcome.judge_failed = graded_badly || runs().any(|(_, run)| run.result.judgement == Judgement::JudgeError);
        outcome.remark = self.remark(expectation, &comparison);
        if let Some(fault) = self.package.score_fault(&|result| Some(state.run(index, result)?.result)) {
            outcome.message = fault;
        } else if let Some((_, run)) = rejected {
            outcome.message.clone_from(&run.message);
            outcome.stderr = run.stderr.as_deref().map(last_lines).unwrap_or_default();
        }
        outcome.comparison = Some(comparison);
        Some(outcome)
    }

    /// The comparison that counts, and how it depends on the time limit.
    fn weigh(&self, at_limit: Comparison, with_more: Comparison) -> (Comparison, Option<String>) {
        let (limit, highest) = (self.limit, self.highest);
        match (at_limit.agrees, with_more.agrees) {
            (Some(false), Some(true)) => {
                let ours = &at_limit.ours;
                let why = format!("only with extra time, up to {highest} s; at the limit of {limit} s: {ours}");
                (with_more, Some(why))
            }
            (Some(true), _) if at_limit.ours != with_more.ours => {
                let ours = with_more.ours;
                (at_limit, Some(format!("depends on the time limit: with {highest} s {ours}")))
            }
            _ => (at_limit, None),
        }
    }

    /// A remark on the score for the package's author.
    fn remark(&self, expectation: &Expectation, comparison: &Comparison) -> Option<String> {
        let total = comparison.total.filter(|total| total.judgement == Judgement::Accepted)?;
        let score = total.score?;
        if is_of_scores(expectation) && *expectation != Expectation::Partial {
            return None;
        }
        if score == 0.0 && self.package.metadata.objective == Objective::Max {
            let why = if comparison.reason.is_empty() { "" } else { ": rejected test cases cost points only" };
            return Some(format!("accepted without a point{why}"));
        }
        let best = self.package.best_score().filter(|_| demands_acceptance(expectation))?;
        let is_full = (score - best).abs() <= 1e-6 * best.abs().max(1.0);
        (!is_full).then(|| format!("the best score is {best}: partially_accepted is for such submissions"))
    }
}

/// True if every test case that counts must be accepted.
fn demands_acceptance(expectation: &Expectation) -> bool {
    let only_accepted = |requirement: &Requirement| requirement.permitted.as_deref() == Some(&[Judgement::Accepted]);
    match expectation {
        Expectation::Result(wanted) | Expectation::Tagged { results: wanted, .. } => *wanted == [Judgement::Accepted],
        Expectation::Cases(requirements) => requirements.iter().any(only_accepted),
        Expectation::Nothing | Expectation::Partial | Expectation::Rejected => false,
    }
}

/// True if it depends on scores.
fn is_of_scores(expectation: &Expectation) -> bool {
    match expectation {
        Expectation::Partial => true,
        Expectation::Tagged { score, .. } => score.is_some(),
        Expectation::Cases(requirements) => requirements.iter().any(|requirement| requirement.score.is_some()),
        Expectation::Nothing | Expectation::Result(_) | Expectation::Rejected => false,
    }
}
