//! Responses of the interface that are not objects, such as refusals in its own form.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_office::state::State as Office;
use serde_json::json;

use crate::app::App;
use crate::site::Site;

/// A refusal in the form of the interface.
pub(crate) fn failure(code: StatusCode, reason: &str) -> Response {
    let mut response = object_of(&json!({ "code": code.as_u16(), "message": reason }).to_string());
    *response.status_mut() = code;
    response
}

/// A failure of the site itself.
pub(super) fn internal(error: &dyn std::fmt::Display) -> Response {
    let reason = "the site cannot do this now, and nothing has changed";
    let mut response = failure(StatusCode::SERVICE_UNAVAILABLE, reason);
    response.extensions_mut().insert(crate::answers::Failed(error.to_string()));
    response
}

pub(super) fn missing() -> Response {
    failure(StatusCode::NOT_FOUND, "there is no such object")
}

/// JSON text as a response.
pub(super) fn object_of(text: &str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.to_owned()).into_response()
}

/// The state of the office.
pub(super) async fn state(app: &Arc<App>) -> Result<Arc<Office>, Response> {
    blocking(app, App::state).await?.map_err(|error| internal(&error))
}

/// Executes work that may wait for the disk, on a thread that may block.
pub(super) async fn blocking<S: Send + Sync + 'static, T: Send + 'static>(
    shared: &Arc<S>,
    work: impl FnOnce(&S) -> T + Send + 'static,
) -> Result<T, Response> {
    let shared = shared.clone();
    tokio::task::spawn_blocking(move || work(&shared)).await.map_err(|error| internal(&error))
}

/// Refuses any contest except this one.
pub(super) fn check_contest(site: &Site, id: &str) -> Result<(), Response> {
    if id == site.id() { Ok(()) } else { Err(failure(StatusCode::NOT_FOUND, "there is no such contest")) }
}
