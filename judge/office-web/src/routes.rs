//! The addresses of the site.

use std::sync::Arc;

use axum::extract::{Extension, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use judge_office::view::Viewer;

use crate::accepting::later;
use crate::answers::{HandlerResult, blocking, form_of_anybody, kept, organiser, page, redirect, who, with_cookie};
use crate::app::App;
use crate::arrival::Client;
use crate::pages::{self, Place};
use crate::site::Site;
use crate::table::Routes;
use crate::{
    answers, clarifications, decisions, figures, icpc, kattis, live, news, problems, readiness, registration, replay,
    reveal, statement, submissions, team_submissions, transcripts,
};

/// The routes of the site itself.
pub(crate) fn of_site() -> Routes<Arc<Site>> {
    Routes::new()
        .route("/style.css", get(style))
        .route("/script.js", get(script))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(counted))
        .route("/login", post(kattis::login))
        // The address at which DOMjudge's client expects the result.
        .route(
            "/team/submission/{number}",
            get(async |number: Path<u32>| redirect(&format!("/submissions/{}", number.0))),
        )
        .route("/kattisrc", get(kattis::settings))
        .merge(icpc::router())
}

/// The pages of the contest.
pub(crate) fn of_contest() -> Routes<Arc<App>> {
    Routes::new()
        .route("/", get(home))
        .route("/enter", get(log_in).post(try_enter))
        .route("/leave", post(leave))
        .route("/register", get(registration::form).post(registration::register))
        .route("/problems/{problem}/", get(problems::one))
        .route("/problems/{problem}/board", get(problems::board))
        .route("/problems/{problem}/board.csv", get(problems::board_csv))
        .route("/problems/{problem}/statement", get(problems::statement))
        .route("/problems/{problem}/statement.pdf", get(problems::file))
        .route("/statement", get(statement::page))
        .route("/statement.pdf", get(statement::file))
        .route("/board", get(board))
        .route("/board.csv", get(board_csv))
        .route("/live", get(follow))
        .route("/submit", get(team_submissions::form).post(team_submissions::submit))
        .route("/mine", get(team_submissions::own_submissions))
        .route("/submissions/{number}", get(submissions::one))
        .route("/submissions/{number}/files", get(submissions::files))
        .route("/submissions/{number}/cancel", post(decisions::cancel))
        .route("/submissions/{number}/choose", post(decisions::choose))
        .route("/submissions/{number}/replay", get(replay::replay))
        .route("/submissions/{number}/answers/{board}", get(replay::answer))
        .route("/submissions/{number}/games/{run}", get(transcripts::page))
        .route("/clarifications", get(clarifications::page).post(clarifications::ask))
        .route("/feed.atom", get(news::feed))
        .route("/reveal", get(reveal::page))
        .route("/office", get(pages::office::queue))
        .route("/office/submissions/{number}", post(decisions::decide))
        .route("/office/submissions/{number}/rule", post(decisions::rule))
        .route("/office/submissions/{number}/diff/{other}", get(decisions::diff))
        .route("/office/clarifications", post(clarifications::answer))
        .route("/office/clock", get(pages::clock::page).post(pages::clock::change))
        .route("/office/rejudging", get(pages::rejudging::page).post(pages::rejudging::change))
        .route("/office/contest", post(decisions::order))
        .route("/office/submissions", get(pages::office::submissions))
        .route("/office/teams", get(pages::office::teams).post(pages::office::change_team))
        .route("/office/organisers", post(pages::office::change_organiser))
        .route("/office/log", get(pages::office::log))
        .route("/office/freeze", post(pages::office::freeze))
        .route("/office/thaw", post(pages::office::thaw))
        .route("/office/play", post(pages::office::play))
        .with(|router| router.fallback(missing))
}

async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let main = pages::home::main(&app, &state, session.as_ref());
    Ok(page(session.as_ref(), &Place::new("/", &app.open_contest.contest().plan.name), &main))
}

async fn log_in(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (_, session) = who(&app, &headers).await?;
    Ok(page(session.as_ref(), &Place::new("/enter", "Enter"), &pages::home::log_in(None)))
}

async fn try_enter(
    State(app): State<Arc<App>>,
    Extension(Client(client)): Extension<Client>,
    request: Request,
) -> HandlerResult {
    let (headers, form) = form_of_anybody(request).await?;
    let (state, _) = who(&app, &headers).await?;
    let refuse = |code: StatusCode, reason: &str| {
        let mut response = page(None, &Place::new("/enter", "Enter"), &pages::home::log_in(Some(reason)));
        *response.status_mut() = code;
        Ok(response)
    };
    match app.log_in(&form.text("token").unwrap_or_default(), &state) {
        Some((session, cookie)) => {
            Ok(with_cookie(redirect(if session.is_organiser() { "/office" } else { "/mine" }), &cookie))
        }
        None if app.is_guessing(client) => {
            refuse(StatusCode::TOO_MANY_REQUESTS, "Too many wrong tokens; try again in a minute.").map(later)
        }
        None => refuse(StatusCode::FORBIDDEN, "This token is not valid. It may have been replaced by a newer one."),
    }
}

async fn leave(State(app): State<Arc<App>>) -> Response {
    with_cookie(redirect("/"), &app.logout_cookie())
}

async fn board(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let viewer = session.as_ref().map_or(Viewer::Public, |session| session.holder.clone().into());
    let times = (app.office.now(), state.rules().times.closes);
    let board = live::rendered(app.clone(), viewer).await;
    let filter = pages::board::Filter::of(uri.query());
    let html = pages::board::whole(session.as_ref(), ("/board", &board.board.title), &board, &filter, times, true)
        .into_string();
    Ok(kept(&headers, "text/html; charset=utf-8", html))
}

async fn board_csv(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let session = answers::session(&app, &headers).await?;
    let viewer = session.map_or(Viewer::Public, |session| session.holder.into());
    let board = live::rendered(app.clone(), viewer).await;
    Ok(kept(&headers, "text/csv; charset=utf-8", board.csv.clone()))
}

async fn follow(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let session = answers::session(&app, &headers).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let body = live::body(app, session, last);
    // Proxies that buffer responses would hold back the events.
    let head =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::HeaderName::from_static("x-accel-buffering"), "no")];
    Ok((head, body).into_response())
}

async fn style(headers: HeaderMap) -> Response {
    kept(&headers, "text/css; charset=utf-8", pages::STYLE.to_owned())
}

async fn script(headers: HeaderMap) -> Response {
    kept(&headers, "text/javascript; charset=utf-8", pages::SCRIPT.to_owned())
}

/// Responds whether the site is ready, with the reasons if it is not.
async fn ready(State(site): State<Arc<Site>>) -> HandlerResult {
    Ok(match blocking(site.app(), readiness::state).await? {
        Ok(lines) => lines.into_response(),
        Err(reasons) => (StatusCode::SERVICE_UNAVAILABLE, reasons).into_response(),
    })
}

/// The figures, for the organiser, and for programs on this machine that connect without a proxy.
async fn counted(
    State(site): State<Arc<Site>>,
    Extension(Client(client)): Extension<Client>,
    headers: HeaderMap,
) -> HandlerResult {
    let direct = client.is_loopback() && !headers.contains_key("x-forwarded-for") && !headers.contains_key("forwarded");
    if !direct {
        organiser(site.app(), &headers).await?;
    }
    let text = blocking(&site, figures::text).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

async fn missing(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> HandlerResult {
    if uri.path().starts_with(icpc::BASE) {
        return Ok(icpc::failure(StatusCode::NOT_FOUND, "there is no such endpoint"));
    }
    let (_, session) = who(&app, &headers).await?;
    Ok(pages::failure(session.as_ref(), StatusCode::NOT_FOUND, "there is no such page"))
}
