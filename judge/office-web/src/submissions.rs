//! The pages of a submission, for its team and the organiser.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use judge_contest::office::Feedback;
use judge_office::state::{State as Office, Submission};

use crate::answers::{self, HandlerResult, blocking, internal, known, number};
use crate::app::App;
use crate::kattis;
use crate::pages::submission::Details;
use crate::pages::{self, Place};
use crate::session::Session;

pub(crate) async fn one(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
    path: Path<String>,
) -> HandlerResult {
    let (session, state, number) = own(&app, &headers, &path).await?;
    if uri.query() == Some("json") {
        return kattis::progress(&app, session, number).await;
    }
    let feedback = if session.is_organiser() { Feedback::Full } else { app.feedback(&state) };
    let for_organiser = session.is_organiser();
    let (main, changes, title) = blocking(&app, move |app| {
        let (at, submission) = state.submission(number)?;
        let contents = app.open_contest.contents();
        let details = Details { app, state: &state, contents: &contents, feedback, for_organiser };
        let (main, changes) = details.main(at, submission);
        Some((main, changes, format!("Submission {}", submission.entry())))
    })
    .await?
    .ok_or_else(|| missing(&session))?;
    let path = format!("/submissions/{number}");
    Ok(answers::page(Some(&session), &Place::new(&path, &title).fresh(changes), &main))
}

/// The unchanged upload. Browsers save it instead of showing it.
pub(crate) async fn files(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> HandlerResult {
    let (session, state, number) = own(&app, &headers, &path).await?;
    let found = state.submission(number).map(|(_, submission)| (submission.sha256, name_of(submission)));
    let (hash, name) = found.ok_or_else(|| missing(&session))?;
    let bytes = blocking(&app, move |app| app.office.upload(&hash)).await?.map_err(|error| internal(&error))?;
    let saved = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(|error| internal(&error))?;
    let kind = HeaderValue::from_static("application/octet-stream");
    Ok(([(header::CONTENT_DISPOSITION, saved), (header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// A file name that is safe in a header and on a disk.
fn name_of(submission: &Submission) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    format!("{}-{}", submission.entry(), submission.file.chars().map(plain).collect::<String>())
}

/// The number of a submission that the client may see. For others, it does not exist.
pub(crate) async fn own(
    app: &Arc<App>,
    headers: &HeaderMap,
    path: &Path<String>,
) -> Result<(Session, Arc<Office>, u32), Response> {
    let (state, session) = known(app, headers).await?;
    let found = number(path).filter(|&number| {
        let submission = state.submission(number);
        submission
            .is_some_and(|(_, submission)| session.is_organiser() || session.team() == Some(submission.team.as_str()))
    });
    match found {
        Some(number) => Ok((session, state, number)),
        None => Err(missing(&session)),
    }
}

pub(crate) fn missing(session: &Session) -> Response {
    pages::failure(Some(session), StatusCode::NOT_FOUND, "there is no such submission")
}
