//! Accepts submissions of teams, from every interface.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::Response;
use judge_office::{OfficeError, Receipt, Upload, intake};

use crate::answers::{Failed, blocking, reason_of};
use crate::app::App;

/// The time after which to retry if the next moment is unknown, in seconds.
const RETRY_SECONDS: u64 = 60;

/// Tests whether the disk is full, so that an upload need not be read.
pub(crate) async fn is_full(app: &Arc<App>) -> Result<bool, Response> {
    blocking(app, App::is_full).await
}

/// Adds the time after which to retry to a response, for a client that can only wait.
pub(crate) fn later(mut response: Response) -> Response {
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_SECONDS.into());
    response
}

/// The response to what the office refused to a team, as `say` makes it of a code and a reason. `invalid` is the code of what is
/// refused for what it is.
pub(crate) fn refusal(
    app: &App,
    error: &OfficeError,
    invalid: StatusCode,
    say: impl FnOnce(StatusCode, &str) -> Response,
) -> Response {
    let reason = error.to_string();
    match error {
        OfficeError::NotOpen(_) => say(StatusCode::FORBIDDEN, &reason),
        error if error.is_final() => say(StatusCode::FORBIDDEN, &reason),
        OfficeError::Refused { .. } => say(invalid, &reason),
        OfficeError::Quota { next, .. } => {
            let mut response = say(StatusCode::TOO_MANY_REQUESTS, &reason);
            let seconds = next.map_or(RETRY_SECONDS, |next| next.saturating_sub(app.office.now()).max(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            response
        }
        error => {
            let mut response = later(say(StatusCode::SERVICE_UNAVAILABLE, reason_of(error)));
            response.extensions_mut().insert(Failed(reason));
            response
        }
    }
}

/// The submission that a team has sent.
pub(crate) struct Sent {
    pub(crate) team: String,
    /// The identifier of its problem in the office.
    pub(crate) problem: String,
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) language: Option<String>,
    pub(crate) entry_point: Option<String>,
    /// The time when its last byte arrived, in seconds since the beginning of 1970 in UTC.
    pub(crate) arrived: u64,
}

/// Accepts a submission. It is on disk when this returns.
pub(crate) fn accept(app: &App, sent: Sent) -> Result<Receipt, OfficeError> {
    let Sent { team, problem, files, language, entry_point, arrived } = sent;
    let (name, bytes) = match <[_; 1]>::try_from(files) {
        Ok([one]) => one,
        Err(none) if none.is_empty() => return Err(OfficeError::refused("no file was chosen".into())),
        Err(several) => intake::bundle(&several).map_err(|error| OfficeError::refused(error.to_string()))?,
    };
    let (language, entry_point) = (language.as_deref(), entry_point.as_deref());
    let (problem, arrived) = (Some(&*problem), Some(arrived));
    let upload = Upload { problem, language, entry_point, arrived, ..Upload::new(&team, &name, &bytes) };
    app.office.submit(&upload, Some(&app.open_contest.contents()))
}

#[cfg(test)]
mod tests;
