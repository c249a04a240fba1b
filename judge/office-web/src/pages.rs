//! The pages: HTML without embedded scripts and styles. The style and the one script are files of the site.

pub(crate) mod board;
pub(crate) mod clock;
pub(crate) mod games;
pub(crate) mod home;
pub(crate) mod judging;
pub(crate) mod list;
pub(crate) mod office;
pub(crate) mod rejudging;
pub(crate) mod submission;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_core::date::Date;
use judge_core::text::printable;
use judge_office::state::Holder;
use maud::{DOCTYPE, Markup, html};

use crate::session::Session;

pub(crate) const STYLE: &str = include_str!("pages/style.css");
pub(crate) const SCRIPT: &str = include_str!("pages/script.js");
/// The most characters of an untrusted name or sentence.
const MAX: usize = 300;

/// The address and the title of a page.
pub(crate) struct Place<'a> {
    path: &'a str,
    title: &'a str,
    /// True if the script reloads the page every few seconds.
    fresh: bool,
    class: &'static str,
}

impl<'a> Place<'a> {
    pub(crate) fn new(path: &'a str, title: &'a str) -> Self {
        Self { path, title, fresh: false, class: "" }
    }

    /// Sets whether the script reloads the page every few seconds, because it changes.
    pub(crate) fn fresh(self, fresh: bool) -> Self {
        Self { fresh, ..self }
    }

    pub(crate) fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }
}

/// Renders a whole page: its head, the navigation for this session, and the main part.
pub(crate) fn page(session: Option<&Session>, place: &Place<'_>, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (short(place.title)) }
                base href="/";
                link rel="stylesheet" href="/style.css";
                link rel="icon" href="data:,";
                script src="/script.js" defer {}
            }
            body class=(place.class) {
                header { (navigation(session, place.path)) }
                main data-fresh[place.fresh] {
                    h1 { (foreign(place.title)) }
                    (main)
                }
                footer { p { "Judged by judge " (env!("CARGO_PKG_VERSION")) ". Scores come from checking the answers." } }
            }
        }
    }
}

/// The address of a page, relative to the base of all pages.
pub(crate) fn from_base(path: &str) -> &str {
    match path.trim_start_matches('/') {
        "" => "./",
        rest => rest,
    }
}

/// A name as a part of the path of an address: the names of boards of several problems contain a slash.
pub(crate) fn segment(name: &str) -> String {
    name.replace('/', "%2F")
}

/// A name in the query of an address.
pub(crate) fn in_query(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes()).collect()
}

fn navigation(session: Option<&Session>, here: &str) -> Markup {
    let to = |path: &str, text: &str| {
        html! { li { a href=(from_base(path)) aria-current=[(path == here).then_some("page")] { (text) } } }
    };
    html! {
        nav aria-label="Site" {
            ul {
                (to("/", "Contest"))
                (to("/board", "Board"))
                (to("/clarifications", "Questions"))
                @match session.map(|session| &session.holder) {
                    None => (to("/enter", "Enter")),
                    Some(Holder::Team(_)) => {
                        (to("/submit", "Submit"))
                        (to("/mine", "My submissions"))
                    }
                    Some(Holder::Organiser(_)) => {
                        (to("/office", "Queue"))
                        (to("/office/submissions", "Submissions"))
                        (to("/office/teams", "Teams"))
                        (to("/office/clock", "Clock"))
                        (to("/office/rejudging", "Rejudging"))
                        (to("/office/log", "Log"))
                    }
                }
            }
            @if let Some(session) = session {
                form method="post" action="leave" class="who" {
                    span { @match &session.holder { Holder::Team(name) | Holder::Organiser(name) => (foreign(name)) } }
                    button { "Leave" }
                }
            }
        }
    }
}

/// A page with the reason why the request failed.
pub(crate) fn failure(session: Option<&Session>, code: StatusCode, reason: &str) -> Response {
    let main = html! { p class="reason" { (foreign(reason)) "." } p { a href="./" { "To the contest" } } };
    let html = page(session, &Place::new("", code.canonical_reason().unwrap_or("Failure")), &main).into_string();
    (code, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

/// Untrusted text within other text: shortened, without control characters, and isolated in its writing direction.
pub(crate) fn foreign(text: &str) -> Markup {
    html! { bdi { (short(text)) } }
}

/// Untrusted text of several lines.
pub(crate) fn paragraphs(text: &str) -> Markup {
    html! { @for line in text.lines().filter(|line| !line.trim().is_empty()) { p dir="auto" { (printable(line)) } } }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX) {
        None => printable(text),
        Some((end, _)) => printable(&text[..end]) + "…",
    }
}

/// A table with the cells of its head and its rows, which scrolls where it is wider than the screen.
pub(crate) fn scrolling(label: &str, head: &Markup, rows: &Markup) -> Markup {
    html! {
        div class="wide" role="region" aria-label=(label) tabindex="0" {
            table { thead { tr { (head) } } tbody { (rows) } }
        }
    }
}

/// The meaning of the mark of a suspect run.
pub(crate) fn suspect() -> Markup {
    html! { p class="about" { "?: other processes disturbed the run, so its time is unreliable." } }
}

/// A moment, given in seconds since the beginning of 1970 in UTC.
pub(crate) fn time(at: u64) -> Markup {
    let date = Date::from_unix(at);
    html! { time datetime=(date) { (date.minute()) } }
}

/// The time until the end of the contest. The script shows it by the second.
pub(crate) fn left(at: u64, now: u64) -> Markup {
    let left = at.saturating_sub(now).div_ceil(60);
    html! {
        span data-ends=(at) {}
        noscript { @if left == 0 { ": it is over" } @else { ", in " (left / 60) ":" (format!("{:02}", left % 60)) " h" } }
    }
}

/// Formats milliseconds for people: exactly below ten seconds, then in tenths of seconds, then in whole minutes.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..10_000 if !ms.is_multiple_of(1000) || ms == 0 => format!("{ms} ms"),
        0..10_000 => format!("{} s", ms / 1000),
        10_000..120_000 => format!("{:.1} s", ms as f64 / 1e3),
        _ => format!("{} min", ms / 60_000),
    }
}
