//! Findings of a verification about the package as a whole: the margins of its time limit, and the test cases that are
//! needed.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::package_contest::PackageContest;
use crate::import::submission_result::{Mark, SubmissionResult};
use crate::import::verify::Verification;
use crate::import::work_queue::{CaseRun, QueueState};
use judge_package::{CaseResult, CaseScore, Judgement, Progress, Version};

/// A run that bounds the time limit.
#[derive(Clone, Copy)]
struct Bound<'a> {
    outcome: &'a SubmissionResult,
    case: usize,
    run: &'a CaseRun,
}

impl Verification<'_> {
    /// Lines on the margins of the time limit, besides the factors that the format asks for.
    pub(crate) fn margins(&self, contest: &PackageContest<'_>, outcomes: &[SubmissionResult]) -> Vec<String> {
        // Nothing is executed for submissions that are answers.
        if self.package.metadata.submit_answer {
            return Vec::new();
        }
        let state = &*contest.queue.state();
        let limits = &self.package.metadata.limits;
        let (below, above) = match self.package.metadata.version {
            Version::Legacy => ("time_multiplier", "time_safety_margin"),
            Version::Current => ("ac_to_time_limit", "time_limit_to_tle"),
        };
        let place = |bound: Bound<'_>| format!("on {}", self.package.data.cases[bound.case].name);
        let mut lines = Vec::new();
        if let Some(slowest) = self.slowest_accepted(state, outcomes) {
            let (path, seconds, time) = (&slowest.outcome.path, slowest.run.seconds, counted(slowest.run));
            let (ratio, wanted) = (self.limit / seconds.max(1e-6), limits.accepted_to_limit);
            let enough = match ratio >= wanted {
                true => format!("{below} asks for {wanted}"),
                false => {
                    let fitting = self.package.time_limit(seconds);
                    format!("less than the {wanted} of {below}, which makes a limit of {fitting} s")
                }
            };
            let times = times(ratio);
            let place = place(slowest);
            lines.push(format!("slowest accepted: {path}, {time} {place}; the limit is {times} that, {enough}"));
        }
        if let Some(fastest) = self.fastest_too_slow(state, outcomes) {
            let (path, seconds, time) = (&fastest.outcome.path, fastest.run.seconds, counted(fastest.run));
            let more = if fastest.run.result.judgement == Judgement::TimeLimit { "more than " } else { "" };
            let (ratio, wanted) = (seconds / self.limit, limits.limit_to_slow);
            let enough = match ratio >= wanted {
                true => format!("{above} asks for {wanted}"),
                false => format!("less than the {wanted} of {above}"),
            };
            let (times, place) = (times(ratio), place(fastest));
            lines.push(format!("fastest too slow: {path}, {more}{time} {place}; {times} the limit, {enough}"));
        }
        lines
    }

    /// The slowest run of the accepted submissions that bound the time limit.
    fn slowest_accepted<'a>(&self, state: &'a QueueState, outcomes: &'a [SubmissionResult]) -> Option<Bound<'a>> {
        // Others bound the limit too, such as those that must give a wrong answer in time.
        let is_accepted = |outcome: &&SubmissionResult| {
            let total = self.decided(state, outcome.submission, self.highest).and_then(|comparison| comparison.total);
            outcome.mark() != Mark::Skipped && total.is_none_or(|total| total.judgement == Judgement::Accepted)
        };
        let runs = outcomes.iter().filter(is_accepted).flat_map(|outcome| {
            let submission = &self.package.submissions[outcome.submission];
            let cases = self.package.timed_cases(&submission.expectation).into_iter();
            cases.filter_map(move |case| Some(Bound { outcome, case, run: state.run(outcome.submission, case)? }))
        });
        let accepted = runs.filter(|bound| self.result(bound.run, self.highest).judgement == Judgement::Accepted);
        accepted.max_by(|one, other| one.run.seconds.total_cmp(&other.run.seconds))
    }

    /// The submission closest to the limit among those that are too slow as a whole, with its slowest run. Programs that
    /// were ended because they and the validator waited for each other have no such time.
    fn fastest_too_slow<'a>(&self, state: &'a QueueState, outcomes: &'a [SubmissionResult]) -> Option<Bound<'a>> {
        let is_too_slow = |outcome: &&SubmissionResult| {
            let comparison = self.decided(state, outcome.submission, self.limit);
            let total = comparison.and_then(|comparison| comparison.total);
            outcome.mark() != Mark::Skipped && total.is_some_and(|total| total.judgement == Judgement::TimeLimit)
        };
        let slowest = outcomes.iter().filter(is_too_slow).filter_map(|outcome| {
            let cases = 0..self.package.data.cases.len();
            let runs =
                cases.filter_map(|case| Some(Bound { outcome, case, run: state.run(outcome.submission, case)? }));
            let slow = runs.filter(|bound| bound.run.seconds > self.limit);
            slow.max_by(|one, other| one.run.seconds.total_cmp(&other.run.seconds))
        });
        slowest.min_by(|one, other| one.run.seconds.total_cmp(&other.run.seconds))
    }

    /// Lines on the test cases that decide about rejected submissions, and on those without which every verdict would be the
    /// same. `complete` is true if all submissions and test cases of the package were verified.
    pub(crate) fn cases(
        &self,
        contest: &PackageContest<'_>,
        outcomes: &[SubmissionResult],
        complete: bool,
    ) -> Vec<String> {
        let (state, data) = (&*contest.queue.state(), &self.package.data);
        let mut rejects: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for outcome in outcomes.iter().filter(|outcome| outcome.mark() != Mark::Skipped) {
            for case in self.needed(state, outcome.submission) {
                rejects.entry(case).or_default().push(&outcome.path);
            }
        }
        let mut lines: Vec<String> =
            rejects.iter().map(|(&case, by)| format!("{} rejects {}", data.result_name(case), by.join(", "))).collect();
        if !complete || rejects.is_empty() {
            return lines;
        }
        let mut needed: BTreeSet<usize> = rejects.into_keys().collect();
        needed.extend(self.slowest_accepted(state, outcomes).map(|bound| bound.case));
        // Samples explain the problem to readers, and need not reject anything.
        let others =
            (0..data.results()).filter(|result| !needed.contains(result)).map(|result| data.result_name(result));
        let others: Vec<String> = others.filter(|name| !name.starts_with("sample")).collect();
        if !others.is_empty() {
            let all = others.join(", ");
            lines.push(format!("no submission needs {all}: without them every verdict would be the same"));
        }
        lines
    }

    /// The test cases without which the verdict on a submission would differ: the first that rejects it, or all of those if
    /// the first is not enough.
    fn needed(&self, state: &QueueState, submission: usize) -> Vec<usize> {
        let result = |case: usize| Some(self.result(state.run(submission, case)?, self.limit));
        let rejects = |case: &usize| result(*case).is_some_and(|result| result.judgement != Judgement::Accepted);
        let all: Vec<usize> = (0..self.package.data.results()).filter(rejects).collect();
        let Some(first) = all.first().map(|first| vec![*first]) else { return all };
        let Some(verdict) = self.decided(state, submission, self.limit) else { return all };
        // A test case that is left out counts as accepted, with a score if the package demands one.
        let score = self.package.metadata.score_required.then_some(CaseScore::Points(0.0));
        let absent = CaseResult { judgement: Judgement::Accepted, score };
        let only_first = |case: usize| {
            let kept = result(case).filter(|result| result.judgement == Judgement::Accepted || first.contains(&case));
            Some(kept.unwrap_or(absent))
        };
        let judgement = |comparison: &judge_package::Comparison| comparison.total.map(|total| total.judgement);
        match self.compare_with(state, submission, &only_first) {
            Progress::Decided(without)
                if (without.agrees, judgement(&without)) == (verdict.agrees, judgement(&verdict)) =>
            {
                first
            }
            _ => all,
        }
    }
}

/// The time of a run in words; for a run that waited, with the equivalent CPU time.
fn counted(run: &CaseRun) -> String {
    let time = run.time();
    if run.waited.is_some() { format!("{time}, as slow as {:.2} s of CPU time,", run.seconds) } else { time }
}

/// A factor in words, such as `2.5 times`.
fn times(ratio: f64) -> String {
    if ratio > 100.0 { "over 100 times".to_owned() } else { format!("{ratio:.1} times") }
}
