//! Requests that change something: submissions, questions, and changes of the contest.

use std::collections::HashSet;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_office::OfficeError;
use judge_office::line::Message;
use serde_json::Value;

use super::answers::{blocking, failure, internal, missing, object_of};
use super::asked::Asked;
use super::callers::Caller;
use super::identifiers;
use super::object::{Kind, Object};
use super::objects::{self, HIDDEN};
use super::snapshot::{look, own_submission};
use super::times;
use super::version::BASE;
use crate::accepting::{Sent, accept, is_full, later, refusal};
use crate::answers::{FULL, HandlerResult};
use crate::app::App;
use crate::forms;
use crate::named;
use crate::site::Site;

/// The name of the archive of a submission in JSON.
const ARCHIVE: &str = "files.zip";

/// Accepts a submission. The response is sent when the submission is on disk.
pub(super) async fn submit(asked: Asked, request: Request) -> HandlerResult {
    let Asked { site, caller, headers, .. } = &asked;
    // Callers who may not submit need not send the upload.
    let team = caller.team()?.to_owned();
    if is_full(site.app()).await? {
        return Err(later(failure(StatusCode::SERVICE_UNAVAILABLE, FULL)));
    }
    let under_way = site.app().unfinished.begin(&team);
    let under_way = under_way.map_err(|reason| later(failure(StatusCode::TOO_MANY_REQUESTS, &reason)))?;
    let sent = if is_json(headers) {
        let object = json_body(headers, request.into_body()).await?;
        from_json(site, team, site.app().office.now(), &object)
    } else {
        let form = forms::read(headers, request.into_body(), forms::WITH_FILES)
            .await
            .map_err(|(code, reason)| failure(code, &reason))?;
        from_form(site, team, site.app().office.now(), form)
    };
    let app = site.app();
    let sent = sent.map_err(|reason| {
        app.metrics.submission("refused");
        failure(StatusCode::BAD_REQUEST, &reason)
    })?;
    let accepted = blocking(app, move |app| accept(app, sent)).await?;
    drop(under_way);
    let receipt = accepted.map_err(|error| {
        app.metrics.submission("refused");
        refusal(app, &error, StatusCode::BAD_REQUEST, failure)
    })?;
    app.metrics.submission(if receipt.repeated { "repeated" } else { "accepted" });
    let asked = asked.again().await?;
    let (viewer, number) = (asked.caller.viewer(), receipt.submission.number);
    let found = blocking(asked.site.app(), move |app| own_submission(app, &viewer, number)).await?;
    let object = found.map_err(|error| internal(&error))?.ok_or_else(missing)?;
    located(&asked.site, &object, Kind::Submissions, number)
}

/// The response with an accepted object, and its address.
fn located(site: &Site, object: &Object, kind: Kind, number: u32) -> HandlerResult {
    let mut response = object_of(&object.json);
    let location = format!("{}/contests/{}/{}/{number}", BASE, site.id(), kind.name());
    response
        .headers_mut()
        .insert(header::LOCATION, HeaderValue::from_str(&location).map_err(|error| internal(&error))?);
    Ok(response)
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
    let bytes = forms::whole(headers, body, forms::WITH_BASE64).await;
    let bytes = bytes.map_err(|(code, reason)| failure(code, &reason))?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| failure(StatusCode::BAD_REQUEST, &format!("this is not JSON: {error}")))?;
    if value.is_object() { Ok(value) } else { Err(failure(StatusCode::BAD_REQUEST, "expected an object")) }
}

/// A submission in the form of DOMjudge's clients and `curl -F`.
fn from_form(site: &Site, team: String, arrived: u64, form: forms::Form) -> Result<Sent, String> {
    let problem = form.text("problem").or_else(|| form.text("problem_id"));
    let problem = key_of(site, &problem.unwrap_or_default())?;
    if let Some(named) = form.text("team").or_else(|| form.text("team_id")) {
        check_team(&team, &named)?;
    }
    let entry_point = form.text("entry_point").filter(|entry_point| !entry_point.is_empty());
    let language = form.text("language").or_else(|| form.text("language_id")).filter(|language| !language.is_empty());
    check_language(site.app(), language.as_deref())?;
    let files = form.files();
    let mut names = HashSet::new();
    match files.iter().find(|(name, _)| !names.insert(name.as_str())) {
        Some((twice, _)) => Err(format!("the file `{twice}` is there twice")),
        None if files.is_empty() => Err("no file was sent".to_owned()),
        None => Ok(Sent { team, problem, files, language, entry_point, arrived }),
    }
}

/// A submission in the form of the interface.
fn from_json(site: &Site, team: String, arrived: u64, object: &Value) -> Result<Sent, String> {
    decided_here(object)?;
    if let Some(named) = text(object, "team_id")? {
        check_team(&team, named)?;
    }
    let problem = text(object, "problem_id")?.filter(|id| !id.is_empty()).ok_or("`problem_id` is missing")?;
    let problem = key_of(site, problem)?;
    let language = text(object, "language_id")?.ok_or("`language_id` is missing")?;
    check_language(site.app(), Some(language))?;
    let files = object.get("files").and_then(Value::as_array).ok_or("`files` is missing")?;
    let [file] = files.as_slice() else { return Err("`files` must have one zip archive".to_owned()) };
    if file.get("mime").and_then(Value::as_str).is_some_and(|mime| mime != "application/zip") {
        return Err("`files` must have a zip archive".to_owned());
    }
    let data = file.get("data").and_then(Value::as_str).ok_or("`files` must have `data`")?;
    let zip = STANDARD.decode(data).map_err(|error| format!("`data` is not base64: {error}"))?;
    let (language, entry_point) = (Some(language.to_owned()), text(object, "entry_point")?.map(str::to_owned));
    Ok(Sent { team, problem, files: vec![(ARCHIVE.to_owned(), zip)], language, entry_point, arrived })
}

/// The office's identifier of a problem that a client names.
fn key_of(site: &Site, named: &str) -> Result<String, String> {
    named::find(site.app(), &site.app().open_contest.contents(), named).map(|problem| problem.key)
}

/// Refuses properties that only the server sets.
fn decided_here(object: &Value) -> Result<(), String> {
    let given = ["id", "time", "contest_time"].into_iter().find(|key| object.get(key).is_some());
    given.map_or(Ok(()), |key| Err(format!("`{key}` is decided here; leave it out")))
}

/// The text of a key; `None` without a value.
fn text<'o>(object: &'o Value, key: &str) -> Result<Option<&'o str>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("`{key}` must be text")),
    }
}

fn check_team(team: &str, named: &str) -> Result<(), String> {
    // Some clients send the team's name, or an empty value.
    let own = named == team || named == identifiers::team_id(team) || named.is_empty();
    if own { Ok(()) } else { Err("you can submit only for your own team".to_owned()) }
}

/// Refuses a language that no submission can have.
pub(crate) fn check_language(app: &App, language: Option<&str>) -> Result<(), String> {
    let Some(language) = language else { return Ok(()) };
    let known = objects::languages(app);
    if language != HIDDEN && known.iter().any(|(code, _, _)| code == language) {
        return Ok(());
    }
    let codes: Vec<&str> = known.iter().map(|(code, _, _)| &**code).filter(|code| *code != HIDDEN).collect();
    Err(format!("unknown language `{language}`; available: {}", codes.join(", ")))
}

/// Accepts a question of a team, and an answer or a notice of the organiser.
pub(super) async fn ask(asked: Asked, request: Request) -> HandlerResult {
    let Asked { site, caller, headers, .. } = &asked;
    if caller.holder.is_none() {
        caller.team()?;
    }
    // The organiser can still answer while the disk is full.
    if caller.team().is_ok() && is_full(site.app()).await? {
        return Err(later(failure(StatusCode::SERVICE_UNAVAILABLE, FULL)));
    }
    let object = json_body(headers, request.into_body()).await?;
    let message = message(site, caller, &object).map_err(|reason| failure(StatusCode::BAD_REQUEST, &reason))?;
    let app = site.app();
    let by = caller.organiser().ok().map(str::to_owned);
    let send = move |app: &App| match by {
        Some(by) => app.office.by(&by).send(&message),
        None => app.office.send(&message),
    };
    let number = match blocking(app, send).await? {
        Err(OfficeError::Refused { reason, .. }) => return Err(failure(StatusCode::BAD_REQUEST, &reason)),
        Err(error @ OfficeError::Quota { .. }) => {
            return Err(refusal(app, &error, StatusCode::BAD_REQUEST, failure));
        }
        sent => sent.map_err(|error| internal(&error))?,
    };
    let asked = asked.again().await?;
    let wanted = number.to_string();
    let found = look(&asked, move |_, feed| feed.snapshot().object(Kind::Clarifications, Some(&wanted)));
    located(&asked.site, &found.await?.ok_or_else(missing)?, Kind::Clarifications, number)
}

/// Parses a message.
fn message(site: &Site, caller: &Caller, object: &Value) -> Result<Message, String> {
    decided_here(object)?;
    let question = text(object, "reply_to_id")?;
    let asked = |question: &str| {
        let known = question.parse().ok().and_then(|number| caller.state.message(number));
        known.ok_or_else(|| format!("unknown question `{question}`"))
    };
    let asked = question.map(asked).transpose()?.map(|(_, asked)| asked);
    let problem = text(object, "problem_id")?.map(|named| key_of(site, named)).transpose()?;
    let problem = problem.filter(|key| !key.is_empty());
    // An answer is about the problem of its question.
    let problem = match (problem, asked) {
        (Some(problem), Some(asked)) if asked.problem.as_ref().is_some_and(|other| *other != problem) => {
            return Err("the question is about another problem".to_owned());
        }
        (problem, asked) => problem.or_else(|| asked.and_then(|asked| asked.problem.clone())),
    };
    let message = Message { problem, ..Message::new(text(object, "text")?.ok_or("`text` is missing")?) };
    let given = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
    let from = text(object, "from_team_id")?;
    if let Ok(team) = caller.team() {
        from.map_or(Ok(()), |from| check_team(team, from))?;
        return match ["to_team_id", "to_team_ids", "to_group_ids", "reply_to_id"].into_iter().find(|key| given(key)) {
            Some(key) => Err(format!("a team can only ask the organiser; leave `{key}` out")),
            None => Ok(Message { from: Some(team.to_owned()), ..message }),
        };
    }
    if from.is_some() {
        return Err("the organiser cannot ask for a team; leave `from_team_id` out".to_owned());
    }
    if given("to_group_ids") && object["to_group_ids"] != serde_json::json!([identifiers::GROUP]) {
        return Err("there is no such group".to_owned());
    }
    let to = match object.get("to_team_ids").filter(|to| !to.is_null()).map(Value::as_array) {
        None => text(object, "to_team_id")?,
        Some(Some(teams)) if teams.len() == 1 => teams[0].as_str(),
        Some(_) => return Err("a message is for one team or for everybody".to_owned()),
    };
    let to = to
        .map(|to| identifiers::team_of(to, &caller.state).ok_or_else(|| format!("unknown team `{to}`")))
        .transpose()?;
    let answers = asked.map(|asked| asked.number);
    Ok(Message { to: to.map(str::to_owned), answers, ..message })
}

/// Changes the contest: the organiser thaws the board.
pub(super) async fn change(asked: Asked, request: Request) -> HandlerResult {
    let Asked { site, caller, headers, .. } = &asked;
    let by = caller.organiser()?.to_owned();
    let object = json_body(headers, request.into_body()).await?;
    if object.get("id").and_then(Value::as_str) != Some(asked.named("contest")) {
        return Err(failure(StatusCode::BAD_REQUEST, "`id` must be that of the contest"));
    }
    let forbid = |reason: &str| Err(failure(StatusCode::FORBIDDEN, reason));
    let Some(at) = object.get("scoreboard_thaw_time") else {
        return forbid("the start is set in contest.toml; only `scoreboard_thaw_time` is changed here");
    };
    match at.as_str().and_then(times::parse) {
        None => return Err(failure(StatusCode::BAD_REQUEST, "`scoreboard_thaw_time` is no moment")),
        Some(at) if at > site.app().office.now() => {
            return forbid("the board is thawed now or not at all; send a time that is past");
        }
        Some(_) => {}
    }
    match blocking(site.app(), move |app| app.office.by(&by).thaw()).await? {
        Err(OfficeError::Refused { reason, .. }) => return forbid(&reason),
        thawed => thawed.map_err(|error| internal(&error))?,
    }
    let Asked { site, caller, version, .. } = asked.again().await?;
    // The board is thawed now, which may be later than the requested time.
    Ok((StatusCode::OK, object_of(&objects::contest(&site, &caller.state, version, false).to_string())).into_response())
}
