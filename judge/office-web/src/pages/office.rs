//! The organiser's pages. For everyone else, they do not exist.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use judge_contest::office::{Feedback, Games};
use judge_core::text::printable_lines;
use judge_job::count_text;
use judge_office::state::{Access, Submission};
use judge_office::submission_state::{SubmissionState, SubmissionStates};
use judge_office::token::Token;
use judge_office::view::Viewer;
use judge_office::view::judgements::is_of_matches;
use judge_office::{Office, OfficeError};
use maud::{Markup, html};

use super::judging::Judging;
use super::list::{list, rows};
use super::{Place, foreign, scrolling, time};
use crate::answers::{self, HandlerResult, blocking, internal, organiser, redirect};
use crate::app::App;
use crate::decisions::organisers_form;
use crate::session::By;

/// The most bytes at the end of the log that are shown.
const LOG_BYTES: u64 = 64 << 10;

/// The waiting and current work, and the state of the board.
pub(crate) async fn queue(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = organiser(&app, &headers).await?;
    let main = blocking(&app, move |app| {
        let contents = app.open_contest.contents();
        let states = SubmissionStates::new(&Viewer::Organiser, &state, &contents);
        let unfinished: Vec<_> = states.all().filter(|(_, _, shown)| shown.is_unfinished()).collect();
        let waiting = waiting(&unfinished);
        let rows = rows(&state, &contents, &Viewer::Organiser, Feedback::Full, unfinished);
        html! {
            (Judging::of(app, &state, &contents).markup())
            @if rows.is_empty() {
                p { "Nothing waits to be judged; " (count_text(state.submissions().len(), "submission", "submissions")) " came." }
            } @else {
                p { (rows.len()) " of " (state.submissions().len()) " submissions are not judged." }
                (list(&rows, true))
            }
            @if is_of_matches(&contents) && state.rules().games != Games::AtOnce {
                h2 { "Games" }
                p { (waiting) }
                form method="post" action="office/play" { button { "Let new players play" } }
            }
            h2 { "Board" }
            @if state.frozen().is_some() {
                p { "The board is frozen: the public sees only that later submissions exist, not their results." }
                form method="post" action="office/thaw" { button { "Thaw the board" } }
            } @else {
                p { "The board shows everything to everybody." }
                form method="post" action="office/freeze" { button { "Freeze the board" } }
            }
        }
    })
    .await?;
    Ok(answers::page(Some(&session), &Place::new("/office", "Queue").fresh(true), &main))
}

/// The number of players that wait for the next games, in words.
fn waiting(rows: &[(u64, &Submission, SubmissionState)]) -> String {
    let waiting = rows.iter().filter(|(_, _, shown)| *shown == SubmissionState::Waits).count();
    format!(
        "{} for the next games.",
        if waiting == 1 { "1 player waits".into() } else { format!("{waiting} players wait") }
    )
}

pub(crate) async fn submissions(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = organiser(&app, &headers).await?;
    let main = blocking(&app, move |app| {
        let contents = app.open_contest.contents();
        let states = SubmissionStates::new(&Viewer::Organiser, &state, &contents);
        let mut rows = rows(&state, &contents, &Viewer::Organiser, Feedback::Full, states.all());
        rows.reverse();
        list(&rows, true)
    })
    .await?;
    Ok(answers::page(Some(&session), &Place::new("/office/submissions", "Submissions"), &main))
}

pub(crate) async fn teams(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    show_teams(&app, &headers, StatusCode::OK, &html! {}).await
}

/// Adds a team, replaces its token, or revokes its tokens. A new token is shown once.
pub(crate) async fn change_team(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    change(&app, request, "team", |office, action, name| match action {
        "add" => office.add_team(name, None).map(Some),
        "renew" => office.renew_token(name).map(Some),
        "revoke" => office.revoke(name).map(|()| None),
        _ => Err(OfficeError::refused("there is no such action".into())),
    })
    .await
}

/// Adds an organiser, replaces an organiser's token, or removes an organiser.
pub(crate) async fn change_organiser(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    change(&app, request, "organiser", |office, action, name| match action {
        "renew" => office.renew_organiser(name).map(Some),
        "remove" => office.remove_organiser(name).map(|()| None),
        _ => Err(OfficeError::refused("there is no such action".into())),
    })
    .await
}

/// Changes the account that the field names. Shows the new token, or that the account no longer has one.
async fn change(
    app: &Arc<App>,
    request: Request,
    field: &str,
    act: fn(&Office, &str, &str) -> Result<Option<Token>, OfficeError>,
) -> HandlerResult {
    let headers = request.headers().clone();
    let (by, form) = organisers_form(app, request).await?;
    let (name, action) = (form.text(field).unwrap_or_default(), form.text("action").unwrap_or_default());
    let named = name.clone();
    let done = blocking(app, move |app| act(&by.at(&app.office), &action, &named)).await?;
    let (code, message) = match done {
        Ok(Some(token)) => {
            let link = format!("{}/enter#{token}", app.url());
            let message = html! {
                p role="status" {
                    "The link for " (foreign(&name)) ", which is shown once: " code class="link" { (link) }
                }
            };
            (StatusCode::OK, message)
        }
        Ok(None) => (StatusCode::OK, html! { p role="status" { (foreign(&name)) " cannot enter any more." } }),
        Err(OfficeError::Refused { reason, .. }) => {
            let message = html! { p class="refused" role="alert" { "Not done: " (foreign(&reason)) "." } };
            (StatusCode::UNPROCESSABLE_ENTITY, message)
        }
        Err(error) => return Err(internal(&error)),
    };
    show_teams(app, &headers, code, &message).await
}

async fn show_teams(app: &Arc<App>, headers: &HeaderMap, code: StatusCode, message: &Markup) -> HandlerResult {
    let (state, session) = organiser(app, headers).await?;
    let action = |team: &str, action: &str, text: &str| {
        html! {
            form method="post" action="office/teams" {
                input type="hidden" name="team" value=(team);
                button name="action" value=(action) aria-label={ (text) " for " (team) } { (text) }
            }
        }
    };
    let main = html! {
        (message)
        form method="post" action="office/teams" class="line" {
            label for="team" { "Name of a new team: letters, digits and _ + -" }
            input id="team" name="team" required maxlength="64" autocomplete="off" spellcheck="false";
            button name="action" value="add" { "Add" }
        }
        (scrolling("Teams", &html! {
            th scope="col" { "team" }
            th scope="col" { "since" }
            th scope="col" class="figure" { "submissions" }
            th scope="col" { "access" }
        }, &html! {
            @for (name, team) in state.teams().iter().map(|(name, team)| (&**name, team)) {
                tr {
                    th scope="row" { (foreign(name)) }
                    td { (time(team.since)) }
                    td class="figure" { (team.submissions.len()) }
                    td class="actions" {
                        (action(name, "renew", "New link"))
                        @if state.has_token(name) { (action(name, "revoke", "Revoke")) } @else { "revoked" }
                    }
                }
            }
        }))
    };
    let main = html! {
        (main)
        h2 { "Disqualify a team" }
        form method="post" action="office/contest" {
            label for="name" { "Team" }
            select id="name" name="name" { @for name in state.teams().keys().map(|name| &**name) { option value=(name) { (name) } } }
            label for="because" { "Reason, for everybody to read" }
            input id="because" name="because" required maxlength="500" autocomplete="off";
            div class="actions" {
                button name="action" value="disqualify" { "Disqualify it" }
                button name="action" value="reinstate" { "Reinstate it" }
            }
        }
    };
    let main = html! { (main) (organisers(state.access())) };
    let page = answers::page(Some(&session), &Place::new("/office/teams", "Teams"), &main);
    Ok((code, page).into_response())
}

/// The organisers, each with a separate link.
fn organisers(access: &Access) -> Markup {
    html! {
        h2 { "Organisers" }
        p { "Each has a link and may do everything. The log names who decided, so the names become public with the results." }
        form method="post" action="office/organisers" class="line" {
            label for="organiser" { "Name of a new organiser: letters, digits and . _ + -" }
            input id="organiser" name="organiser" required maxlength="64" autocomplete="off" spellcheck="false";
            button name="action" value="renew" { "Add" }
        }
        @for name in access.organisers.keys() {
            form method="post" action="office/organisers" class="line" {
                input type="hidden" name="organiser" value=(name);
                span class="name" { (foreign(name)) }
                button name="action" value="renew" aria-label={ "New link for the organiser " (name) } { "New link" }
                @if access.organisers.len() > 1 {
                    button name="action" value="remove" aria-label={ "Remove the organiser " (name) } { "Remove" }
                }
            }
        }
    }
}

/// The end of the log.
pub(crate) async fn log(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (_, session) = organiser(&app, &headers).await?;
    let tail = blocking(&app, |app| judge_office::log::tail(app.office.folder(), LOG_BYTES)).await?;
    let text = tail.map_err(|error| internal(&error))?;
    let main = html! {
        p { "The last lines of the office in the log of the contest. Private texts are in it as hashes." }
        pre tabindex="0" { (printable_lines(text.trim_end())) }
    };
    Ok(answers::page(Some(&session), &Place::new("/office/log", "Log"), &main))
}

pub(crate) async fn freeze(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let by = By::of(&organiser(&app, &headers).await?.1);
    after(blocking(&app, move |app| by.at(&app.office).freeze().map(drop)).await?)
}

pub(crate) async fn thaw(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let by = By::of(&organiser(&app, &headers).await?.1);
    after(blocking(&app, move |app| by.at(&app.office).thaw()).await?)
}

/// Starts the games of new players, in a contest of matches.
pub(crate) async fn play(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let by = By::of(&organiser(&app, &headers).await?.1);
    after(blocking(&app, move |app| by.at(&app.office).call().map(drop)).await?)
}

/// Redirects to the queue. An action that another page has already taken counts as done.
fn after(done: Result<(), OfficeError>) -> Result<Response, Response> {
    match done {
        Ok(()) | Err(OfficeError::Refused { .. }) => Ok(redirect("/office")),
        Err(error) => Err(internal(&error)),
    }
}
