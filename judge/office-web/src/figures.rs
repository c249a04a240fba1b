//! Figures for the organiser, in Prometheus's text format.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::sync::atomic::Ordering;

use judge_core::journal::{Built, ContestState};
use judge_core::verdict::Verdict;
use judge_office::submission_state::{SubmissionState, SubmissionStates};
use judge_office::view::Viewer;

use crate::app::App;
use crate::site::Site;

/// Writes all figures in the text format of Prometheus.
pub(crate) fn text(site: &Site) -> String {
    let app = site.app();
    let mut text = String::new();
    let mut metric = |name: &str, kind: &str, help: &str, values: Vec<(String, String)>| {
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}").ok();
        for (labels, value) in values {
            writeln!(text, "{name}{labels} {value}").ok();
        }
    };
    let plain = |value: &dyn Display| vec![(String::new(), value.to_string())];
    {
        let counts = app.metrics.counts();
        let requests = counts.requests.iter();
        let requests = requests
            .map(|((route, code), count)| (format!("{{route=\"{route}\",code=\"{code}\"}}"), count.to_string()));
        metric("judge_http_requests_total", "counter", "Answered requests.", requests.collect());
        metric("judge_http_seconds_total", "counter", "Time until the head of the answer.", plain(&counts.seconds));
        let submissions = counts.submissions.iter();
        let submissions = submissions.map(|(outcome, count)| (format!("{{outcome=\"{outcome}\"}}"), count.to_string()));
        metric("judge_submissions_total", "counter", "Uploads since the server started.", submissions.collect());
    }
    metric(
        "judge_sse_viewers",
        "gauge",
        "Open streams of the live board.",
        plain(&app.viewers.load(Ordering::Relaxed)),
    );
    metric(
        "judge_clock_step_seconds",
        "gauge",
        "Last step of the clock since the server started.",
        plain(&site.clock_monitor.last()),
    );
    let label = |name: &str, value: &str| format!("{{{name}=\"{value}\"}}");
    let (mut queues, mut ages) = (Vec::new(), Vec::new());
    if let Some((counts, age)) = waiting(app) {
        queues.extend(counts.iter().map(|(state, count)| (label("state", state), count.to_string())));
        ages.extend(plain(&age));
    }
    let JudgingTotals { builds, build_us, runs, run_us, judge_errors } =
        JudgingTotals::of(&app.open_contest.contents());
    let seconds = |us: u64| plain(&(us as f64 / 1e6));
    let builds = builds.iter().map(|(outcome, count)| (label("outcome", outcome), count.to_string())).collect();
    metric("judge_queue", "gauge", "Submissions that are not judged.", queues);
    metric("judge_queue_oldest_seconds", "gauge", "Age of the oldest submission that waits to be built.", ages);
    metric("judge_builds", "gauge", "Builds by their outcome, the last of each submission.", builds);
    metric("judge_build_seconds", "gauge", "Wall clock of these builds.", seconds(build_us));
    metric("judge_runs", "gauge", "Runs that are recorded, the last attempt at each.", plain(&runs));
    metric("judge_run_seconds", "gauge", "Wall clock of these runs.", seconds(run_us));
    metric("judge_judge_errors", "gauge", "Those of these runs in which the judge failed.", plain(&judge_errors));
    metric(
        "judge_log_lines_dropped_total",
        "counter",
        "Lines of the log that were dropped because it was not read.",
        plain(&(app.log.dropped)()),
    );
    let stalled = u8::from(app.judging.stop_reason().is_some());
    metric("judge_judging_stopped", "gauge", "1 while judging has stopped and is tried again.", plain(&stalled));
    if let Ok(free) = app.free_bytes() {
        metric("judge_disk_free_bytes", "gauge", "Free space where the office is, or the results.", plain(&free));
    }
    text
}

/// Figures on builds and runs.
struct JudgingTotals {
    builds: BTreeMap<&'static str, u64>,
    build_us: u64,
    runs: u64,
    run_us: u64,
    judge_errors: u64,
}

impl JudgingTotals {
    fn of(contents: &ContestState) -> Self {
        let builds = ["succeeded", "failed", "judge_error"].map(|name| (name, 0)).into();
        let build_us = contents.builds.iter().filter_map(|build| build.wall_us).sum();
        let mut made = Self { builds, build_us, runs: 0, run_us: 0, judge_errors: 0 };
        for build in contents.builds.iter() {
            let outcome = match build.built {
                Built::Succeeded => "succeeded",
                Built::Failed { .. } => "failed",
                Built::JudgeError { .. } => "judge_error",
            };
            *made.builds.entry(outcome).or_default() += 1;
        }
        for record in contents.records.iter() {
            made.runs += 1;
            made.run_us += record.wall_us.unwrap_or_default();
            made.judge_errors += u64::from(matches!(record.verdict, Verdict::JudgeError { .. }));
        }
        made
    }
}

/// The numbers of unjudged submissions by state, and the age of the oldest one that waits to be built, in seconds.
fn waiting(app: &App) -> Option<(BTreeMap<&'static str, u64>, u64)> {
    let state = app.state().ok()?;
    let mut counts: BTreeMap<&str, u64> = ["queued", "running", "held"].map(|state| (state, 0)).into();
    let mut oldest = None;
    let contents = app.open_contest.contents();
    for (at, _, shown) in SubmissionStates::new(&Viewer::Organiser, &state, &contents).all() {
        let known = match shown {
            SubmissionState::Queued => "queued",
            SubmissionState::Running { .. } => "running",
            SubmissionState::Stuck => "held",
            _ => continue,
        };
        *counts.entry(known).or_default() += 1;
        if shown == SubmissionState::Queued {
            oldest.get_or_insert(at);
        }
    }
    Some((counts, oldest.map_or(0, |at| app.office.now().saturating_sub(at))))
}
