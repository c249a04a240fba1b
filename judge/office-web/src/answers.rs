//! The responses of handlers, and the identification of clients.

use std::sync::Arc;

use axum::extract::{Path, Request};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_office::OfficeError;
use judge_office::state::State as Office;
use maud::Markup;

use crate::app::App;
use crate::board::tag;
use crate::connections;
use crate::forms::{self, Form};
use crate::pages::{self, Place};
use crate::session::Session;

/// The result of handlers: a response, or a refusal, which is also a response.
pub(crate) type HandlerResult = Result<Response, Response>;

/// The state of the office with the session of a request.
pub(crate) async fn who(app: &Arc<App>, headers: &HeaderMap) -> Result<(Arc<Office>, Option<Session>), Response> {
    let state = blocking(app, App::state).await?;
    let state = state.map_err(|error| internal(&error))?;
    let session = app.session(headers, &state);
    if let Some(session) = &session {
        connections::is_of(&session.holder);
    }
    Ok((state, session))
}

/// The session of a request, if it has one. A request without a cookie, as most viewers of a board send it, costs no check of the
/// log.
pub(crate) async fn session(app: &Arc<App>, headers: &HeaderMap) -> Result<Option<Session>, Response> {
    match headers.contains_key(header::COOKIE) {
        true => Ok(who(app, headers).await?.1),
        false => Ok(None),
    }
}

/// The state of the office and the session of a request that needs one. Without a session, the response leads to the page that
/// asks for a token.
pub(crate) async fn known(app: &Arc<App>, headers: &HeaderMap) -> Result<(Arc<Office>, Session), Response> {
    match who(app, headers).await? {
        (state, Some(session)) => Ok((state, session)),
        (_, None) => Err(redirect("/enter")),
    }
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

/// The state of the office and the session of the organiser's request. For everyone else, the page does not exist.
pub(crate) async fn organiser(app: &Arc<App>, headers: &HeaderMap) -> Result<(Arc<Office>, Session), Response> {
    match who(app, headers).await? {
        (state, Some(session)) if session.is_organiser() => Ok((state, session)),
        (_, session) => Err(pages::failure(session.as_ref(), StatusCode::NOT_FOUND, "there is no such page")),
    }
}

/// Executes work that may wait for the disk, on a thread that may block.
pub(crate) async fn blocking<S: Send + Sync + 'static, T: Send + 'static>(
    shared: &Arc<S>,
    work: impl FnOnce(&S) -> T + Send + 'static,
) -> Result<T, Response> {
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || work(&shared)).await.map_err(|error| internal(&error))
}

/// The reason why nothing is accepted, as a fragment.
pub(crate) const FULL: &str = "the disk of the contest is full; nothing was accepted";

/// The public reason for a failure of the office, which names no file of the organiser.
pub(crate) fn reason_of(error: &OfficeError) -> &'static str {
    if error.is_full() { FULL } else { "the site cannot do this now, and nothing has changed" }
}

/// The response to a failure of the site itself. The reason names files of the organiser, so it only goes to the log.
pub(crate) fn internal(error: &dyn std::fmt::Display) -> Response {
    let reason = "the site cannot do this now, and nothing has changed; its log says why";
    let mut response = pages::failure(None, StatusCode::SERVICE_UNAVAILABLE, reason);
    response.extensions_mut().insert(Failed(error.to_string()));
    response
}

/// The reason of a failure of the site itself, for its log.
#[derive(Clone)]
pub(crate) struct Failed(pub(crate) String);

/// Redirects to another page of the site.
pub(crate) fn redirect(address: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

/// Renders a page as a response with its content type.
pub(crate) fn page(session: Option<&Session>, place: &Place<'_>, main: &Markup) -> Response {
    let html = pages::page(session, place, main).into_string();
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

/// The form of a client without a session, with the headers.
pub(crate) async fn form_of_anybody(request: Request) -> Result<(HeaderMap, Form), Response> {
    let (head, body) = request.into_parts();
    let form = forms::read(&head.headers, body, forms::OF_ANYBODY).await;
    let form = form.map_err(|(code, reason)| pages::failure(None, code, &reason))?;
    Ok((head.headers, form))
}

pub(crate) fn with_cookie(mut response: Response, cookie: &str) -> Response {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// A response that the client may cache and revalidate.
pub(crate) fn kept(headers: &HeaderMap, kind: &'static str, text: String) -> Response {
    let name = format!("\"{}\"", tag(&[text.as_bytes()]));
    let same = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == name.as_bytes());
    let head =
        [(header::ETAG, name), (header::CACHE_CONTROL, "no-cache".to_owned()), (header::VARY, "cookie".to_owned())];
    if same {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    (head, [(header::CONTENT_TYPE, kind)], text).into_response()
}

/// The number of a submission in an address.
pub(crate) fn number(Path(number): &Path<String>) -> Option<u32> {
    number.parse().ok()
}
