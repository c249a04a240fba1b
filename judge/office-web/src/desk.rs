//! What a team submits, to any problem of a site, and the list of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_office::OfficeError;
use maud::{Markup, html};

use crate::accepting::{Sent, accept, is_full, later, retry_seconds};
use crate::answers::{self, Answer, FULL, Failed, blocking, internal, lead_to, reason_of, team};
use crate::app::App;
use crate::pages::list::{self, Listed};
use crate::pages::{Place, foreign};
use crate::session::Session;
use crate::site::problem_of;
use crate::{forms, kattis};

const SUBMIT: &str = "/submit";

/// A problem that a form can name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    id: String,
    letter: char,
    name: String,
}

/// The page with the form. `named` is the problem that is chosen at first.
pub(crate) async fn form(apps: &[Arc<App>], headers: &HeaderMap, named: &str) -> Answer {
    let (session, team) = team(&apps[0], headers).await?;
    let mut refusals = Vec::new();
    for app in apps {
        let team = team.clone();
        let allowed = blocking(app, move |app| app.office.allows(&team, Some(&app.conduct.contents()))).await?;
        match allowed {
            Ok(()) => {}
            Err(error @ (OfficeError::Quota { .. } | OfficeError::NotOpen(_) | OfficeError::Refused { .. })) => {
                refusals.push(error.to_string());
            }
            Err(error) => return Err(internal(&error)),
        }
    }
    let refused = refusals.first().filter(|_| refusals.len() == apps.len());
    Ok(page(apps, &session, named, refused.map(|reason| ("Not now", &**reason))))
}

fn page(apps: &[Arc<App>], session: &Session, named: &str, refused: Option<(&str, &str)>) -> Response {
    let choices: Vec<Choice> = apps.iter().map(|app| choice(app)).collect();
    let languages: BTreeMap<String, String> =
        apps.iter().flat_map(|app| app.office.languages()).map(|language| (language.name, language.code)).collect();
    let main = markup(&choices, &languages, named, refused);
    answers::page(Some(session), &Place::new(SUBMIT, "Submit"), &main)
}

fn choice(app: &App) -> Choice {
    Choice { id: app.part.id.clone(), letter: app.part.label(), name: app.conduct.contents().plan.name.clone() }
}

/// The form, below the reason if the last upload was refused. `languages` has the codes of languages by their names.
fn markup(
    choices: &[Choice],
    languages: &BTreeMap<String, String>,
    named: &str,
    refused: Option<(&str, &str)>,
) -> Markup {
    html! {
        @if let Some((what, reason)) = refused {
            p class="refused" role="alert" { (what) ": " (foreign(reason)) "." }
        }
        form method="post" action="submit" enctype="multipart/form-data" {
            @if choices.len() > 1 {
                label for="problem" { "Problem" }
                select id="problem" name="problem" required {
                    option value="" { "choose" }
                    @for Choice { id, letter, name } in choices {
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

/// Accepts a submission. The answer is sent when it is on disk.
pub(crate) async fn submit(apps: &[Arc<App>], request: Request) -> Answer {
    let (head, body) = request.into_parts();
    // Who may not submit need not send anything.
    let first = &apps[0];
    let (session, team) = team(first, &head.headers).await?;
    let refused = |code: StatusCode, name: &str, reason: &str| {
        first.metrics.submission("refused");
        (code, page(apps, &session, name, Some(("Not accepted", reason)))).into_response()
    };
    if is_full(apps).await? {
        return Err(later(refused(StatusCode::SERVICE_UNAVAILABLE, "", FULL)));
    }
    let under_way = first.unfinished.begin(&team);
    let under_way = under_way.map_err(|reason| later(refused(StatusCode::TOO_MANY_REQUESTS, "", &reason)))?;
    let form = forms::read(&head.headers, body, forms::WITH_FILES).await;
    let arrived = first.office.now();
    let form = form.map_err(|(code, reason)| refused(code, "", &reason))?;
    let name = form.text("problem").unwrap_or_default();
    let is_client = kattis::is_client(&form);
    let app = match apps {
        [only] => only,
        several => problem_of(several, &name).map_err(|reason| match is_client {
            true => kattis::text(StatusCode::BAD_REQUEST, reason),
            false => refused(StatusCode::UNPROCESSABLE_ENTITY, &name, &reason),
        })?,
    };
    if is_client {
        return kattis::submit(app, team, form, arrived).await;
    }
    let language = form.text("language").filter(|language| !language.is_empty());
    let sent = Sent { team, files: form.files(), language, entry_point: None, arrived };
    let accepted = blocking(app, move |app| accept(app, sent)).await?;
    drop(under_way);
    let refused = |code: StatusCode, reason: &str| refused(code, &name, reason);
    match accepted {
        Ok(receipt) => {
            app.metrics.submission(if receipt.repeated { "repeated" } else { "accepted" });
            Ok(lead_to(&format!("{}/submissions/{}", app.part.mount(), receipt.submission.number)))
        }
        Err(error) if error.is_final() => Err(refused(StatusCode::FORBIDDEN, &error.to_string())),
        Err(OfficeError::Refused { reason, .. }) => Err(refused(StatusCode::UNPROCESSABLE_ENTITY, &reason)),
        Err(error @ OfficeError::NotOpen(_)) => Err(refused(StatusCode::FORBIDDEN, &error.to_string())),
        Err(ref error @ OfficeError::Quota { next, .. }) => {
            let mut response = refused(StatusCode::TOO_MANY_REQUESTS, &error.to_string());
            response.headers_mut().insert(header::RETRY_AFTER, retry_seconds(app, next).into());
            Err(response)
        }
        Err(error) => {
            let mut response = later(refused(StatusCode::SERVICE_UNAVAILABLE, reason_of(&error)));
            response.extensions_mut().insert(Failed(error.to_string()));
            Err(response)
        }
    }
}

/// The list of a team's submissions to all problems, newest first.
pub(crate) async fn mine(apps: &[Arc<App>], headers: &HeaderMap) -> Answer {
    let (session, team) = team(&apps[0], headers).await?;
    let mut rows = Vec::new();
    for app in apps {
        let team = team.clone();
        let of_problem = blocking(app, move |app| {
            let (state, contents) = (app.state()?, app.conduct.contents());
            Ok::<_, OfficeError>(list::of_team(&state, &contents, &team, app.feedback(&state)))
        });
        let of_problem = of_problem.await?.map_err(|error| internal(&error))?;
        rows.extend(of_problem.into_iter().map(|row| Listed {
            problem: (apps.len() > 1).then(|| app.part.label()),
            address: format!("{}/{}", app.part.mount(), row.address),
            ..row
        }));
    }
    // Those of a problem stay in their order.
    rows.sort_by_key(|row| std::cmp::Reverse(row.at));
    let main = html! { p { a href="submit" { "Submit a program" } } (list::list(&rows, false)) };
    let changes = rows.iter().any(|row| row.is_active);
    Ok(answers::page(Some(&session), &Place::new("/mine", "My submissions").fresh(changes), &main))
}

#[cfg(test)]
mod tests;
