//! Figures for the organiser, in Prometheus's text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use judge_core::journal::{Built, Contents};
use judge_core::verdict::Verdict;
use judge_office::shown::{Look, Shown};
use judge_office::view::Viewer;

use crate::app::App;
use crate::site::Site;

/// Writes all figures in the text format of Prometheus.
pub(crate) fn text(site: &Site) -> String {
    let app = site.first();
    let mut text = String::new();
    let mut metric = |name: &str, kind: &str, help: &str, values: Vec<(String, String)>| {
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}").ok();
        for (labels, value) in values {
            writeln!(text, "{name}{labels} {value}").ok();
        }
    };
    let plain = |value: String| vec![(String::new(), value)];
    {
        let counts = app.metrics.counts();
        let requests = counts.requests.iter();
        let requests = requests
            .map(|((route, code), count)| (format!("{{route=\"{route}\",code=\"{code}\"}}"), count.to_string()));
        metric("judge_http_requests_total", "counter", "Answered requests.", requests.collect());
        metric(
            "judge_http_seconds_total",
            "counter",
            "Time until the head of the answer.",
            plain(counts.seconds.to_string()),
        );
        let submissions = counts.submissions.iter();
        let submissions = submissions.map(|(outcome, count)| (format!("{{outcome=\"{outcome}\"}}"), count.to_string()));
        metric("judge_submissions_total", "counter", "Uploads since the server started.", submissions.collect());
    }
    metric(
        "judge_sse_viewers",
        "gauge",
        "Open streams of the live board.",
        plain(app.viewers.load(Ordering::Relaxed).to_string()),
    );
    metric(
        "judge_clock_step_seconds",
        "gauge",
        "Last step of the clock since the server started.",
        plain(site.steps.last().to_string()),
    );
    let (mut queues, mut ages, mut made) = (Vec::new(), Vec::new(), Made::default());
    for app in site.apps() {
        let Some((counts, age)) = waiting(app) else { continue };
        // The only problem needs no name.
        let named = site.only().is_none().then(|| format!("problem=\"{}\"", app.part.id));
        let labels = |label: Option<(&str, &str)>| {
            let label = label.map(|(name, value)| format!("{name}=\"{value}\""));
            let all: Vec<String> = named.iter().cloned().chain(label).collect();
            if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
        };
        queues.extend(counts.iter().map(|(state, count)| (labels(Some(("state", state))), count.to_string())));
        ages.push((labels(None), age.to_string()));
        made.add(&app.conduct.contents(), &labels);
    }
    metric("judge_queue", "gauge", "Submissions that are not judged.", queues);
    metric("judge_queue_oldest_seconds", "gauge", "Age of the oldest submission that waits to be built.", ages);
    let Made { builds, build_seconds, runs, run_seconds, judge_errors } = made;
    metric("judge_builds", "gauge", "Builds by their outcome, the last of each submission.", builds);
    metric("judge_build_seconds", "gauge", "Wall clock of these builds.", build_seconds);
    metric("judge_runs", "gauge", "Runs that are recorded, the last attempt at each.", runs);
    metric("judge_run_seconds", "gauge", "Wall clock of these runs.", run_seconds);
    metric("judge_judge_errors", "gauge", "Those of these runs in which the judge failed.", judge_errors);
    metric(
        "judge_log_lines_dropped_total",
        "counter",
        "Lines of the log that were dropped because it was not read.",
        plain((app.log.dropped)().to_string()),
    );
    let stalled = site.apps().iter().filter(|app| app.judging.stalled_by().is_some()).count();
    metric(
        "judge_judging_stopped",
        "gauge",
        "Problems whose judging has stopped and is tried again.",
        plain(stalled.to_string()),
    );
    if let Ok(free) = app.free_bytes() {
        metric(
            "judge_disk_free_bytes",
            "gauge",
            "Free space where the office is, or the results.",
            plain(free.to_string()),
        );
    }
    text
}

/// Creates the labels of a figure, with an additional label or without.
type Labels<'l> = &'l dyn Fn(Option<(&str, &str)>) -> String;

/// The figures about builds and runs, each with its labels.
#[derive(Default)]
struct Made {
    builds: Vec<(String, String)>,
    build_seconds: Vec<(String, String)>,
    runs: Vec<(String, String)>,
    run_seconds: Vec<(String, String)>,
    judge_errors: Vec<(String, String)>,
}

impl Made {
    /// Adds the figures of a problem, with these labels.
    fn add(&mut self, contents: &Contents, labels: Labels<'_>) {
        let mut builds: BTreeMap<&str, u64> = ["succeeded", "failed", "judge_error"].map(|name| (name, 0)).into();
        for build in contents.builds.iter() {
            let outcome = match build.built {
                Built::Succeeded => "succeeded",
                Built::Failed { .. } => "failed",
                Built::JudgeError { .. } => "judge_error",
            };
            *builds.entry(outcome).or_default() += 1;
        }
        let outcomes = builds.iter().map(|(outcome, count)| (labels(Some(("outcome", outcome))), count.to_string()));
        self.builds.extend(outcomes);
        let seconds = |us: u64| (us as f64 / 1e6).to_string();
        let built = contents.builds.iter().filter_map(|build| build.wall_us).sum();
        self.build_seconds.push((labels(None), seconds(built)));
        let (mut runs, mut us, mut errors) = (0_u64, 0, 0_u64);
        for record in contents.records.iter() {
            runs += 1;
            us += record.wall_us.unwrap_or_default();
            errors += u64::from(matches!(record.verdict, Verdict::JudgeError { .. }));
        }
        self.runs.push((labels(None), runs.to_string()));
        self.run_seconds.push((labels(None), seconds(us)));
        self.judge_errors.push((labels(None), errors.to_string()));
    }
}

/// The numbers of a problem's unjudged submissions by state, and the age of the oldest one that waits to be built, in seconds.
fn waiting(app: &App) -> Option<(BTreeMap<&'static str, u64>, u64)> {
    let state = app.state().ok()?;
    let mut counts: BTreeMap<&str, u64> = ["queued", "running", "held"].map(|state| (state, 0)).into();
    let mut oldest = None;
    let contents = app.conduct.contents();
    for (at, _, shown) in Look::new(&Viewer::Organiser, &state, &contents).all() {
        let known = match shown {
            Shown::Queued => "queued",
            Shown::Running { .. } => "running",
            Shown::Stuck => "held",
            _ => continue,
        };
        *counts.entry(known).or_default() += 1;
        if shown == Shown::Queued {
            oldest.get_or_insert(at);
        }
    }
    Some((counts, oldest.map_or(0, |at| app.office.now().saturating_sub(at))))
}
