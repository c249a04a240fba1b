//! Figures for the organiser, in Prometheus's text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use judge_office::status::{self, Status};

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
    let (mut queues, mut ages) = (Vec::new(), Vec::new());
    for app in site.apps() {
        let Some((counts, age)) = waiting(app) else { continue };
        // The only problem needs no name.
        let named = site.only().is_none().then(|| format!("problem=\"{}\"", app.part.id));
        let labels = |state: Option<&str>| {
            let state = state.map(|state| format!("state=\"{state}\""));
            let all: Vec<String> = named.iter().cloned().chain(state).collect();
            if all.is_empty() { String::new() } else { format!("{{{}}}", all.join(",")) }
        };
        queues.extend(counts.iter().map(|(state, count)| (labels(Some(state)), count.to_string())));
        ages.push((labels(None), age.to_string()));
    }
    metric("judge_queue", "gauge", "Submissions that are not judged.", queues);
    metric("judge_queue_oldest_seconds", "gauge", "Age of the oldest submission that waits to be built.", ages);
    if let Ok(free) = app.free_bytes() {
        metric("judge_disk_free_bytes", "gauge", "Free space where the office is.", plain(free.to_string()));
    }
    text
}

/// The submissions of a problem that are not judged, by their state, and the age of the oldest that waits to be built, in seconds.
fn waiting(app: &App) -> Option<(BTreeMap<&'static str, u64>, u64)> {
    let state = app.state().ok()?;
    let mut counts: BTreeMap<&str, u64> = ["queued", "running", "held"].map(|state| (state, 0)).into();
    let mut oldest = None;
    for ((_, how), (at, _)) in status::all(&state, &app.conduct.contents()).iter().zip(state.submissions()) {
        let known = match how {
            Status::Queued => "queued",
            Status::Running { .. } => "running",
            Status::Held => "held",
            _ => continue,
        };
        *counts.entry(known).or_default() += 1;
        if *how == Status::Queued {
            oldest.get_or_insert(*at);
        }
    }
    Some((counts, oldest.map_or(0, |at| app.office.now().saturating_sub(at))))
}
