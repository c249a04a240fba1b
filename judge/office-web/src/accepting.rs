//! Accepts submissions of teams, from every interface.

use std::sync::Arc;

use axum::http::header;
use axum::response::Response;
use judge_office::{OfficeError, Receipt, Upload, intake};

use crate::answers::blocking;
use crate::app::App;

/// The time after which to retry if the next moment is unknown, in seconds.
pub(crate) const RETRY_SECONDS: u64 = 60;

/// The seconds after which a team may submit again. `next` is the moment, if it is known.
pub(crate) fn retry_seconds(app: &App, next: Option<u64>) -> u64 {
    next.map_or(RETRY_SECONDS, |next| next.saturating_sub(app.office.now()).max(1))
}

/// Tests whether the disk is full, so that an upload need not be read.
pub(crate) async fn is_full(app: &Arc<App>) -> Result<bool, Response> {
    blocking(app, App::is_full).await
}

/// Adds the time after which to retry to a response, for a client that can only wait.
pub(crate) fn later(mut response: Response) -> Response {
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_SECONDS.into());
    response
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
    app.office.submit(&upload, Some(&app.conduct.contents()))
}

#[cfg(test)]
mod tests;
