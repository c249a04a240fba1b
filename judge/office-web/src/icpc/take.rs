//! What callers send: submissions, questions, and changes of the contest.

use std::collections::HashSet;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_office::{MAX_UPLOAD_BYTES, OfficeError, Receipt};
use serde_json::Value;

use super::callers::{self, Caller};
use super::objects::{self, HIDDEN, Kind, contest_id};
use super::{Version, blocking, check_contest, failure, internal, look, missing, object_of, times};
use crate::app::App;
use crate::forms;
use crate::guard::Client;
use crate::routes::Answer;
use crate::submissions::accept;

/// The name of the archive of a submission that came as JSON.
const ARCHIVE: &str = "files.zip";

/// A submission as it was sent.
struct Sent {
    language: Option<String>,
    files: Vec<(String, Vec<u8>)>,
}

/// Takes in a submission. The answer comes when it is on disk.
pub(super) async fn submit(
    State(app): State<Arc<App>>,
    Extension(version): Extension<Version>,
    Extension(client): Extension<Client>,
    Path(contest): Path<String>,
    request: Request,
) -> Answer {
    let (head, body) = request.into_parts();
    let caller = callers::of(&app, client, &head.headers).await?;
    check_contest(&app, &contest)?;
    // Who may not submit need not send anything.
    let team = caller.team()?.to_owned();
    let sent = if is_json(&head.headers) {
        from_json(&app, &team, &json_body(&head.headers, body).await?)
    } else {
        let form = forms::read(&head.headers, body).await.map_err(|(code, reason)| failure(code, &reason))?;
        from_form(&app, &team, form)
    };
    let sent = sent.map_err(|reason| {
        app.metrics.submission("refused");
        failure(StatusCode::BAD_REQUEST, &reason)
    })?;
    let accepted = blocking(&app, move |app| accept(app, &team, sent.files, sent.language.as_deref())).await?;
    let receipt = accepted.map_err(|error| refused(&app, &error))?;
    app.metrics.submission(if receipt.repeated { "repeated" } else { "accepted" });
    shown(&app, client, &head.headers, version, receipt).await
}

/// The answer with a submission that was accepted.
async fn shown(app: &Arc<App>, client: Client, headers: &HeaderMap, version: Version, receipt: Receipt) -> Answer {
    let id = receipt.submission.number.to_string();
    // With the state that has it.
    let caller = callers::of(app, client, headers).await?;
    let wanted = id.clone();
    let found = look(app, &caller, version, move |_, feed| {
        let mut objects = feed.snapshot().objects(Kind::Submissions);
        objects.find(|object| object.id.as_ref() == Some(&wanted)).map(|object| object.json.clone())
    });
    let mut response = object_of(&found.await?.ok_or_else(missing)?);
    let location = format!("{}/contests/{}/submissions/{id}", super::BASE, contest_id(app));
    response
        .headers_mut()
        .insert(header::LOCATION, HeaderValue::from_str(&location).map_err(|error| internal(&error))?);
    Ok(response)
}

fn refused(app: &App, error: &OfficeError) -> Response {
    match error {
        OfficeError::Refused(reason) => {
            app.metrics.submission("refused");
            failure(StatusCode::BAD_REQUEST, reason)
        }
        error => internal(error),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// An object that was sent as JSON.
async fn json_body(headers: &HeaderMap, body: Body) -> Result<Value, Response> {
    if !is_json(headers) {
        return Err(failure(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json"));
    }
    // Base64 has four bytes for three.
    let bytes = forms::whole(headers, body, MAX_UPLOAD_BYTES / 3 * 4 + 4).await;
    let bytes = bytes.map_err(|(code, reason)| failure(code, &reason))?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| failure(StatusCode::BAD_REQUEST, &format!("this is not JSON: {error}")))?;
    if value.is_object() { Ok(value) } else { Err(failure(StatusCode::BAD_REQUEST, "expected an object")) }
}

/// A submission as DOMjudge's clients and `curl -F` send it.
fn from_form(app: &App, team: &str, form: forms::Form) -> Result<Sent, String> {
    if let Some(problem) = form.text("problem").or_else(|| form.text("problem_id")) {
        check_problem(app, &problem)?;
    }
    if let Some(named) = form.text("team").or_else(|| form.text("team_id")) {
        check_team(team, &named)?;
    }
    let language = form.text("language").or_else(|| form.text("language_id")).filter(|language| !language.is_empty());
    check_language(app, language.as_deref())?;
    let files = form.files();
    let mut names = HashSet::new();
    match files.iter().find(|(name, _)| !names.insert(name.as_str())) {
        Some((twice, _)) => Err(format!("the file `{twice}` is there twice")),
        None if files.is_empty() => Err("no file was sent".to_owned()),
        None => Ok(Sent { language, files }),
    }
}

/// A submission as the interface has it.
fn from_json(app: &App, team: &str, object: &Value) -> Result<Sent, String> {
    for decided_here in ["id", "time", "contest_time"] {
        if object.get(decided_here).is_some() {
            return Err(format!("`{decided_here}` is decided here; leave it out"));
        }
    }
    let text = |key: &str| match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("`{key}` must be text")),
    };
    if let Some(named) = text("team_id")? {
        check_team(team, named)?;
    }
    check_problem(app, text("problem_id")?.ok_or("`problem_id` is missing")?)?;
    let language = text("language_id")?.ok_or("`language_id` is missing")?;
    check_language(app, Some(language))?;
    let files = object.get("files").and_then(Value::as_array).ok_or("`files` is missing")?;
    let [file] = files.as_slice() else { return Err("`files` must have one zip archive".to_owned()) };
    if file.get("mime").and_then(Value::as_str).is_some_and(|mime| mime != "application/zip") {
        return Err("`files` must have a zip archive".to_owned());
    }
    let data = file.get("data").and_then(Value::as_str).ok_or("`files` must have `data`")?;
    let zip = STANDARD.decode(data).map_err(|error| format!("`data` is not base64: {error}"))?;
    Ok(Sent { language: Some(language.to_owned()), files: vec![(ARCHIVE.to_owned(), zip)] })
}

/// Refuses another problem than the contest's, by its identifier or its label.
pub(crate) fn check_problem(app: &App, problem: &str) -> Result<(), String> {
    let id = contest_id(app);
    if problem == id || problem == "A" {
        Ok(())
    } else {
        Err(format!("unknown problem `{problem}`; this contest has `{id}`"))
    }
}

fn check_team(team: &str, named: &str) -> Result<(), String> {
    // Some clients send the name, or nothing that they know.
    let own = named == team || named == objects::team_id(team) || named.is_empty();
    if own { Ok(()) } else { Err("you can submit for your own team alone".to_owned()) }
}

/// Refuses a language that no submission can have.
pub(crate) fn check_language(app: &App, language: Option<&str>) -> Result<(), String> {
    let Some(language) = language else { return Ok(()) };
    let known = objects::languages(app);
    if language != HIDDEN && known.iter().any(|(code, _, _)| code == language) {
        return Ok(());
    }
    let codes: Vec<&str> = known.iter().map(|(code, _, _)| &**code).filter(|code| *code != HIDDEN).collect();
    Err(format!("unknown language `{language}`; there are {}", codes.join(", ")))
}

/// Takes in a question.
pub(super) async fn ask(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    Path(contest): Path<String>,
    headers: HeaderMap,
) -> Answer {
    callers::of(&app, client, &headers).await?;
    check_contest(&app, &contest)?;
    Err(failure(StatusCode::FORBIDDEN, "questions are not taken here"))
}

/// Changes the contest: the organiser thaws the board.
pub(super) async fn change(
    State(app): State<Arc<App>>,
    Extension(version): Extension<Version>,
    Extension(client): Extension<Client>,
    Path(contest): Path<String>,
    request: Request,
) -> Answer {
    let (head, body) = request.into_parts();
    let caller = callers::of(&app, client, &head.headers).await?;
    check_contest(&app, &contest)?;
    caller.organiser()?;
    let object = json_body(&head.headers, body).await?;
    if object.get("id").and_then(Value::as_str) != Some(&contest) {
        return Err(failure(StatusCode::BAD_REQUEST, "`id` must be that of the contest"));
    }
    let forbid = |reason: &str| Err(failure(StatusCode::FORBIDDEN, reason));
    let Some(at) = object.get("scoreboard_thaw_time") else {
        return forbid("the start is set in contest.toml; only `scoreboard_thaw_time` is changed here");
    };
    match at.as_str().and_then(times::parse) {
        None => return Err(failure(StatusCode::BAD_REQUEST, "`scoreboard_thaw_time` is no moment")),
        Some(at) if at > app.office.now() => {
            return forbid("the board is thawed now or not at all; send a time that is past");
        }
        Some(_) => {}
    }
    match blocking(&app, |app| app.office.thaw()).await? {
        Err(OfficeError::Refused(reason)) => return forbid(&reason),
        thawed => thawed.map_err(|error| internal(&error))?,
    }
    let Caller { state, .. } = callers::of(&app, client, &head.headers).await?;
    // The board is thawed now, which may be later than was asked for.
    Ok((StatusCode::OK, object_of(&objects::contest(&app, &state, version, false).to_string())).into_response())
}
