//! Decisions of the organiser and of teams on submissions, teams and boards.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use judge_core::figure::RefereeFigures;
use judge_core::journal::ManualRuling;
use judge_core::text::printable_lines;
use judge_core::verdict::Verdict;
use judge_office::OfficeError;
use judge_office::difference::{Change, ChangedFile, Difference};
use judge_office::line::{Decision, Order};
use maud::{Markup, html};

use crate::accepting::{is_full, later, refusal};
use crate::answers::{self, FULL, Failed, HandlerResult, blocking, internal, number, organiser, redirect, team};
use crate::app::App;
use crate::forms::{self, Form};
use crate::pages::submission::run_on;
use crate::pages::{self, Place, foreign};
use crate::session::By;
use crate::submissions::{missing, own};

/// The form of a request of an organiser.
pub(crate) async fn organisers_form(app: &Arc<App>, request: Request) -> Result<(By, Form), Response> {
    let (head, body) = request.into_parts();
    let (_, session) = organiser(app, &head.headers).await?;
    let form = forms::read(&head.headers, body, forms::OF_KNOWN).await;
    let form = form.map_err(|(code, reason)| pages::failure(None, code, &reason))?;
    Ok((By::of(&session), form))
}

/// Redirects if something succeeded; otherwise answers with the reason.
pub(crate) fn done<T>(done: Result<T, OfficeError>, to: &str) -> HandlerResult {
    match done {
        Ok(_) => Ok(redirect(to)),
        Err(OfficeError::Refused { reason, .. }) => {
            Err(pages::failure(None, StatusCode::UNPROCESSABLE_ENTITY, &reason))
        }
        Err(error) if error.is_full() => {
            let mut refused = later(pages::failure(None, StatusCode::SERVICE_UNAVAILABLE, FULL));
            refused.extensions_mut().insert(Failed(error.to_string()));
            Err(refused)
        }
        Err(error) => Err(internal(&error)),
    }
}

/// Refuses requests of teams and visitors that write, while the disk is full. The few lines that the organiser causes are still
/// written, such as the revocation of a team's access.
pub(crate) async fn check_room(app: &Arc<App>) -> Result<(), Response> {
    match is_full(app).await? {
        true => Err(later(pages::failure(None, StatusCode::SERVICE_UNAVAILABLE, FULL))),
        false => Ok(()),
    }
}

/// Responds like [`done`] to an action of a team that is subject to a quota.
pub(crate) fn done_by_team<T>(app: &App, done: Result<T, OfficeError>, to: &str) -> HandlerResult {
    match done {
        Err(error @ OfficeError::Quota { .. }) => {
            let say = |code: StatusCode, reason: &str| pages::failure(None, code, reason);
            Err(refusal(app, &error, StatusCode::UNPROCESSABLE_ENTITY, say))
        }
        other => self::done(other, to),
    }
}

/// A decision of the organiser on a submission.
pub(crate) async fn decide(State(app): State<Arc<App>>, path: Path<String>, request: Request) -> HandlerResult {
    let (by, form) = organisers_form(&app, request).await?;
    let number = number(&path).unwrap_or_default();
    let decision = match form.text("action").as_deref() {
        Some("admit") => Decision::Admitted,
        Some("hold") => Decision::Held,
        Some("release") => Decision::Released,
        Some("cancel") => Decision::Cancelled,
        Some("ignore") => Decision::Ignored,
        Some("consider") => Decision::Considered,
        _ => return done::<()>(Err(OfficeError::refused("there is no such action".into())), ""),
    };
    let because = form.text("because");
    let decided = blocking(&app, move |app| by.at(&app.office).decide(number, decision, because.as_deref())).await?;
    done(decided, &format!("/submissions/{number}"))
}

/// Cancels a submission on its team's request.
pub(crate) async fn cancel(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> HandlerResult {
    let (_, _, number) = own(&app, &headers, &path).await?;
    let (_, team) = team(&app, &headers).await?;
    check_room(&app).await?;
    let cancelled =
        blocking(&app, move |app| app.office.cancel(&team, number, Some(&app.open_contest.contents()))).await?;
    done(cancelled, &format!("/submissions/{number}"))
}

/// Chooses the submission that counts for a team.
pub(crate) async fn choose(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> HandlerResult {
    let (_, _, number) = own(&app, &headers, &path).await?;
    let (_, team) = team(&app, &headers).await?;
    check_room(&app).await?;
    let chosen = blocking(&app, move |app| app.office.choose(&team, number)).await?;
    done_by_team(&app, chosen, &format!("/submissions/{number}"))
}

/// Disqualifies or reinstates a team, or strikes or restores a board.
pub(crate) async fn order(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    let (by, form) = organisers_form(&app, request).await?;
    let (name, because) = (form.text("name").unwrap_or_default(), form.text("because").unwrap_or_default());
    let (order, to) = match form.text("action").as_deref() {
        Some("disqualify") => (Order::Disqualify { team: name, because }, "/office/teams"),
        Some("reinstate") => (Order::Reinstate { team: name, because }, "/office/teams"),
        Some("strike") => (Order::Strike { board: name, because }, "/office/clock"),
        Some("unstrike") => (Order::Unstrike { board: name, because }, "/office/clock"),
        _ => return done::<()>(Err(OfficeError::refused("there is no such action".into())), ""),
    };
    let ordered = blocking(&app, move |app| by.at(&app.office).order(order, &app.open_contest.contents())).await?;
    done(ordered, to)
}

/// Declares an answer wrong.
pub(crate) async fn rule(State(app): State<Arc<App>>, path: Path<String>, request: Request) -> HandlerResult {
    let (by, form) = organisers_form(&app, request).await?;
    let number = number(&path).unwrap_or_default();
    let (board, because) = (form.text("board").unwrap_or_default(), form.text("because").unwrap_or_default());
    let ruled = blocking(&app, move |app| {
        let (state, contents) = (app.state()?, app.open_contest.contents());
        let entry = state.submission(number).map(|(_, submission)| submission.entry()).unwrap_or_default();
        let key = run_on(&contents, &entry, &board);
        let record = key.as_ref().and_then(|key| contents.record(key));
        let Some(record) = record else {
            return Err(OfficeError::refused(format!("submission {number} has no verdict on {board}")));
        };
        let given = contents.plan.ruled_wrong(record.verdict.given().unwrap_or(&RefereeFigures::default()));
        let verdict = Verdict::Wrong { given, reason: because.clone() };
        let ruling = ManualRuling::new(record.key.clone(), verdict, because);
        by.at(&app.office).order(Order::Rule { ruling }, &contents)
    })
    .await?;
    done(ruled, &format!("/submissions/{number}"))
}

/// The changes between two submissions.
pub(crate) async fn diff(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path((new, old)): Path<(u32, u32)>,
) -> HandlerResult {
    let (state, session) = organiser(&app, &headers).await?;
    if state.submission(old).is_none() || state.submission(new).is_none() {
        return Err(missing(&session));
    }
    match blocking(&app, move |app| app.office.difference(&state, old, new)).await? {
        Ok(difference) => {
            let title = format!("From {} to {}", difference.before, difference.after);
            Ok(answers::page(Some(&session), &Place::new("", &title), &compared(&difference)))
        }
        Err(OfficeError::Refused { reason, .. }) => {
            Err(pages::failure(Some(&session), StatusCode::UNPROCESSABLE_ENTITY, &reason))
        }
        Err(error) => Err(internal(&error)),
    }
}

fn compared(difference: &Difference) -> Markup {
    html! {
        @if difference.files.is_empty() { p { "The files are the same." } }
        @for ChangedFile { path, change, .. } in &difference.files {
            h2 { (foreign(path)) }
            @match change {
                Change::Added => p { "It is new." },
                Change::Removed => p { "It is gone." },
                Change::Lines { lines, left_out, .. } => {
                    pre tabindex="0" { @for line in lines { (printable_lines(&line.to_string())) "\n" } }
                    @if *left_out > 0 { p { "And " (left_out) " more lines." } }
                }
                _ => p { "It is another one, and not UTF-8." },
            }
        }
    }
}

#[cfg(test)]
mod tests;
