//! The answers of a submission: all of them in the viewer of the results page, and each as text for readers without scripts.

use std::io::Read as _;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use judge_contest::office::Feedback;
use judge_core::journal::Part;
use judge_core::text::printable_lines;
use judge_office::state::State as Office;
use judge_office::view::judgements::is_of_matches;
use judge_office::view::{Viewer, last_round};
use judge_page::PageSource;
use maud::html;

use crate::answers::{self, HandlerResult, blocking, internal};
use crate::app::App;
use crate::pages::Place;
use crate::pages::submission::run_on;
use crate::session::Session;
use crate::submissions::{missing, own};

/// The most bytes at the beginning of an answer that are shown.
const ANSWER_BYTES: u64 = 256 << 10;

/// A submission whose answers the client may see.
struct Viewing {
    session: Session,
    state: Arc<Office>,
    number: u32,
    /// The viewer whose rounds are shown.
    viewer: Viewer,
}

async fn asked(app: &Arc<App>, headers: &HeaderMap, path: &Path<String>) -> Result<Viewing, Response> {
    let (session, state, number) = own(app, headers, path).await?;
    if !session.is_organiser() && app.feedback(&state) != Feedback::Full {
        return Err(missing(&session));
    }
    // Games have separate pages, which show their seats.
    if is_of_matches(&app.open_contest.contents()) {
        return Err(missing(&session));
    }
    let viewer = if session.is_organiser() { Viewer::Organiser } else { Viewer::Public };
    Ok(Viewing { session, state, number, viewer })
}

/// All answers of a submission, in the viewer of the results page.
pub(crate) async fn replay(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> HandlerResult {
    let Viewing { session, state, number, viewer } = asked(&app, &headers, &path).await?;
    let page = blocking(&app, move |app| {
        let contents = app.open_contest.contents();
        let (_, submission) = state.submission(number)?;
        let source = PageSource::from_entry(
            app.open_contest.results(),
            &contents,
            &submission.entry(),
            last_round(&state, &contents, &viewer),
        )?;
        let mut page = Vec::new();
        judge_page::write(&[source], &mut page).ok()?;
        Some(page)
    })
    .await?
    .ok_or_else(|| missing(&session))?;
    let policy = HeaderValue::from_str(&judge_page::policy()).map_err(|error| internal(&error))?;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, policy)], page).into_response())
}

/// The answer of a submission on one board, as text.
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path((number, board)): Path<(String, String)>,
) -> HandlerResult {
    let Viewing { session, state, number, viewer } = asked(&app, &headers, &Path(number)).await?;
    let (title, begin, bytes) = blocking(&app, move |app| {
        let contents = app.open_contest.contents();
        let entry = state.submission(number)?.1.entry();
        let key = run_on(&contents, &entry, &board)?;
        let record = contents.record(&key).filter(|_| key.round <= last_round(&state, &contents, &viewer))?;
        let file = Part::Stdout.open(app.open_contest.results(), record).ok()?;
        let bytes = file.metadata().ok()?.len();
        let mut begin = Vec::new();
        file.take(ANSWER_BYTES).read_to_end(&mut begin).ok()?;
        Some((format!("Answer of {entry} on {board}"), begin, bytes))
    })
    .await?
    .ok_or_else(|| missing(&session))?;
    let text = String::from_utf8_lossy(&begin);
    let main = html! {
        @if begin.is_empty() { p { "It printed nothing." } }
        @else { pre tabindex="0" { (printable_lines(text.trim_end())) } }
        @if bytes > ANSWER_BYTES { p { "The first " (ANSWER_BYTES >> 10) " KiB of " (bytes >> 10) " KiB." } }
        p { a href={ "submissions/" (number) } { "Back to the submission" } }
    };
    Ok(answers::page(Some(&session), &Place::new("", &title), &main))
}
