//! The submissions of a team: the form and the list.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use judge_office::OfficeError;
use maud::{Markup, html};

use crate::accepting::{Sent, accept, is_full, later, refusal};
use crate::answers::{self, FULL, HandlerResult, blocking, internal, redirect, team};
use crate::app::App;
use crate::named::{self, Named};
use crate::pages::list;
use crate::pages::{Place, foreign};
use crate::session::Session;
use crate::{forms, kattis};

const SUBMIT: &str = "/submit";

/// The page with the form. The query can name the selected problem.
pub(crate) async fn form(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> HandlerResult {
    let (session, team) = team(&app, &headers).await?;
    let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let named = query.into_owned().find(|(name, _)| name == "problem").map(|(_, id)| id).unwrap_or_default();
    let refusals = blocking(&app, move |app| {
        let contents = app.open_contest.contents();
        let problems = named::all(app, &contents);
        let refused = |problem: &Named| match app.office.allows(&team, &problem.key, Some(&contents)) {
            Ok(()) => Ok(None),
            Err(error @ (OfficeError::Quota { .. } | OfficeError::NotOpen(_) | OfficeError::Refused { .. })) => {
                Ok(Some(error.to_string()))
            }
            Err(error) => Err(error),
        };
        problems.iter().map(refused).collect::<Result<Vec<_>, _>>()
    });
    let refusals = refusals.await?.map_err(|error| internal(&error))?;
    // A team that may submit to at least one problem gets the form without a warning.
    let refused: Option<Vec<String>> = refusals.into_iter().collect();
    let refused = refused.and_then(|refusals| refusals.into_iter().next());
    Ok(page(&app, &session, &named, refused.as_deref().map(|reason| ("Not now", reason))))
}

fn page(app: &App, session: &Session, named: &str, refused: Option<(&str, &str)>) -> Response {
    let problems = named::all(app, &app.open_contest.contents());
    let languages = app.office.languages().into_iter().map(|language| (language.name, language.code)).collect();
    let main = markup(&problems, &languages, named, refused);
    answers::page(Some(session), &Place::new(SUBMIT, "Submit"), &main)
}

/// The form, below the reason if the last upload was refused. `languages` has the codes of languages by their names.
fn markup(
    problems: &[Named],
    languages: &BTreeMap<String, String>,
    named: &str,
    refused: Option<(&str, &str)>,
) -> Markup {
    html! {
        @if let Some((what, reason)) = refused {
            p class="refused" role="alert" { (what) ": " (foreign(reason)) "." }
        }
        form method="post" action="submit" enctype="multipart/form-data" {
            @if problems.len() > 1 {
                label for="problem" { "Problem" }
                select id="problem" name="problem" required {
                    option value="" { "choose" }
                    @for Named { id, letter, name, .. } in problems {
                        option value=(id) selected[id == named] { (letter) ": " (foreign(name)) }
                    }
                }
            }
            label for="files" { "Source files, an archive, or an executable" }
            input id="files" name="files" type="file" multiple required;
            label for="language" { "Language" }
            select id="language" name="language" {
                option value="" { "by the ending of the files" }
                @for (name, code) in languages { option value=(code) { (name) } }
                option value="executable" { "executable" }
            }
            button { "Submit" }
        }
        p class="about" {
            "Its time is when its last byte has arrived. It is accepted when the next page shows its number: then it is on disk."
        }
        p class="about" { "With a client of Kattis: " a href="/kattisrc" { "your settings" } " as ~/.kattisrc." }
    }
}

/// Accepts a submission. The response is sent when the submission is on disk.
pub(crate) async fn submit(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    let (head, body) = request.into_parts();
    // Clients that may not submit need not send the upload.
    let (session, team) = team(&app, &head.headers).await?;
    let refused = |code: StatusCode, name: &str, reason: &str| {
        app.metrics.submission("refused");
        (code, page(&app, &session, name, Some(("Not accepted", reason)))).into_response()
    };
    if is_full(&app).await? {
        return Err(later(refused(StatusCode::SERVICE_UNAVAILABLE, "", FULL)));
    }
    let under_way = app.unfinished.begin(&team);
    let under_way = under_way.map_err(|reason| later(refused(StatusCode::TOO_MANY_REQUESTS, "", &reason)))?;
    let form = forms::read(&head.headers, body, forms::WITH_FILES).await;
    let arrived = app.office.now();
    let form = form.map_err(|(code, reason)| refused(code, "", &reason))?;
    let name = form.text("problem").unwrap_or_default();
    let is_client = kattis::is_client(&form);
    let problem = named::find(&app, &app.open_contest.contents(), &name).map_err(|reason| match is_client {
        true => kattis::refused(&app, reason),
        false => refused(StatusCode::UNPROCESSABLE_ENTITY, &name, &reason),
    })?;
    if is_client {
        return kattis::submit(&app, team, problem.key, form, arrived).await;
    }
    let language = form.text("language").filter(|language| !language.is_empty());
    let sent = Sent { team, problem: problem.key, files: form.files(), language, entry_point: None, arrived };
    let accepted = blocking(&app, move |app| accept(app, sent)).await?;
    drop(under_way);
    match accepted {
        Ok(receipt) => {
            app.metrics.submission(if receipt.repeated { "repeated" } else { "accepted" });
            Ok(redirect(&format!("/submissions/{}", receipt.submission.number)))
        }
        Err(error) => {
            let say = |code: StatusCode, reason: &str| refused(code, &name, reason);
            Err(refusal(&app, &error, StatusCode::UNPROCESSABLE_ENTITY, say))
        }
    }
}

/// The list of a team's submissions, newest first.
pub(crate) async fn own_submissions(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (session, team) = team(&app, &headers).await?;
    let rows = blocking(&app, move |app| {
        let (state, contents) = (app.state()?, app.open_contest.contents());
        Ok::<_, OfficeError>(list::of_team(&state, &contents, &team, app.feedback(&state)))
    });
    let rows = rows.await?.map_err(|error| internal(&error))?;
    let main = html! { p { a href="submit" { "Submit a program" } } (list::list(&rows, false)) };
    let changes = rows.iter().any(|row| row.is_active);
    Ok(answers::page(Some(&session), &Place::new("/mine", "My submissions").fresh(changes), &main))
}

#[cfg(test)]
mod tests;
