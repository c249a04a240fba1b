//! The pages of teams: submitting, and looking at results.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use judge_contest::office::Feedback;
use judge_office::OfficeError;
use judge_office::state::{State as Office, Submission};
use maud::html;

use crate::accepting::{Sent, accept, is_full, later, retry_seconds};
use crate::answers::{self, Answer, FULL, Failed, blocking, internal, known, number, reason_of, see};
use crate::app::App;
use crate::pages::submission::{self, Details};
use crate::pages::{self, Place};
use crate::session::Session;
use crate::{forms, kattis};

pub(crate) async fn form(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer {
    let (session, team) = team(&app, &headers).await?;
    let allowed = blocking(&app, move |app| app.office.allows(&team, Some(&app.conduct.contents()))).await?;
    let refused = match allowed {
        Ok(()) => None,
        Err(error @ (OfficeError::Quota { .. } | OfficeError::NotOpen(_) | OfficeError::Refused { .. })) => {
            Some(error.to_string())
        }
        Err(error) => return Err(internal(&error)),
    };
    let form = submission::form(&app, refused.as_deref().map(|reason| ("Not now", reason)));
    Ok(answers::page(Some(&session), &Place::new("/submit", "Submit"), &form))
}

/// Accepts a submission. The answer is sent when it is on disk.
pub(crate) async fn submit(State(app): State<Arc<App>>, request: Request) -> Answer {
    let (head, body) = request.into_parts();
    // Who may not submit need not send anything.
    let (session, team) = team(&app, &head.headers).await?;
    let refused = |code: StatusCode, reason: &str| {
        app.metrics.submission("refused");
        let form = submission::form(&app, Some(("Not accepted", reason)));
        (code, answers::page(Some(&session), &Place::new("/submit", "Submit"), &form)).into_response()
    };
    if is_full(std::slice::from_ref(&app)).await? {
        return Err(later(refused(StatusCode::SERVICE_UNAVAILABLE, FULL)));
    }
    let under_way = app.unfinished.begin(&team);
    let under_way = under_way.map_err(|reason| later(refused(StatusCode::TOO_MANY_REQUESTS, &reason)))?;
    let form = forms::read(&head.headers, body, forms::WITH_FILES).await;
    let arrived = app.office.now();
    let form = form.map_err(|(code, reason)| refused(code, &reason))?;
    if kattis::is_client(&form) {
        return kattis::submit(&app, team, form, arrived).await;
    }
    let language = form.text("language").filter(|language| !language.is_empty());
    let sent = Sent { team, files: form.files(), language, entry_point: None, arrived };
    let accepted = blocking(&app, move |app| accept(app, sent)).await?;
    drop(under_way);
    match accepted {
        Ok(receipt) => {
            app.metrics.submission(if receipt.repeated { "repeated" } else { "accepted" });
            Ok(see(&format!("/submissions/{}", receipt.submission.number)))
        }
        Err(error) if error.is_final() => Err(refused(StatusCode::FORBIDDEN, &error.to_string())),
        Err(OfficeError::Refused { reason, .. }) => Err(refused(StatusCode::UNPROCESSABLE_ENTITY, &reason)),
        Err(error @ OfficeError::NotOpen(_)) => Err(refused(StatusCode::FORBIDDEN, &error.to_string())),
        Err(ref error @ OfficeError::Quota { next, .. }) => {
            let mut response = refused(StatusCode::TOO_MANY_REQUESTS, &error.to_string());
            response.headers_mut().insert(header::RETRY_AFTER, retry_seconds(&app, next).into());
            Err(response)
        }
        Err(error) => {
            let mut response = later(refused(StatusCode::SERVICE_UNAVAILABLE, reason_of(&error)));
            response.extensions_mut().insert(Failed(error.to_string()));
            Err(response)
        }
    }
}

pub(crate) async fn mine(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer {
    let (session, team) = team(&app, &headers).await?;
    let rows = blocking(&app, move |app| {
        let (state, contents) = (app.state()?, app.conduct.contents());
        Ok::<_, OfficeError>(pages::list::of_team(&state, &contents, &team, app.feedback(&state)))
    });
    let rows = rows.await?.map_err(|error| internal(&error))?;
    let main = html! { p { a href="submit" { "Submit a program" } } (pages::list::list(&rows, false)) };
    let changes = rows.iter().any(|row| row.is_active);
    Ok(answers::page(Some(&session), &Place::new("/mine", "My submissions").fresh(changes), &main))
}

pub(crate) async fn one(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri, path: Path<String>) -> Answer {
    let (session, state, number) = own(&app, &headers, &path).await?;
    if uri.query() == Some("json") {
        return kattis::progress(&app, session, number).await;
    }
    let feedback = if session.is_organiser() { Feedback::Full } else { app.feedback(&state) };
    let for_organiser = session.is_organiser();
    let (main, changes, title) = blocking(&app, move |app| {
        let (at, submission) = state.submission(number)?;
        let contents = app.conduct.contents();
        let details = Details { app, state: &state, contents: &contents, feedback, for_organiser };
        let (main, changes) = details.main(at, submission);
        Some((main, changes, format!("Submission {}", submission.entry())))
    })
    .await?
    .ok_or_else(|| missing(&session))?;
    let path = format!("/submissions/{number}");
    Ok(answers::page(Some(&session), &Place::new(&path, &title).fresh(changes), &main))
}

/// The unchanged upload. Browsers save it and do not show it.
pub(crate) async fn files(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> Answer {
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

/// The session and the name of the requesting team.
pub(crate) async fn team(app: &Arc<App>, headers: &HeaderMap) -> Result<(Session, String), Response> {
    let (_, session) = known(app, headers).await?;
    let team = session.team().map(str::to_owned);
    match team {
        Some(team) => Ok((session, team)),
        None => Err(pages::failure(Some(&session), StatusCode::FORBIDDEN, "only teams submit; you are the organiser")),
    }
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
