//! The pages of a contest of several problems: each has its own pages below `/problems/ID`, and the contest has a first page, a
//! board of all problems, and one form and one list of submissions.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use judge_office::OfficeError;
use judge_office::view::Viewer;
use maud::{Markup, html};

use crate::answers::{Answer, blocking, internal, kept, lead_to, organiser, page, who};
use crate::board::Rendered;
use crate::pages::judging::Judging;
use crate::pages::{self, Place, foreign, from_base, left, time};
use crate::session::Session;
use crate::site::Site;
use crate::{desk, kattis, mount, routes, submissions};

/// The routes of a site whose contest has several problems.
pub(crate) fn router(site: &Arc<Site>) -> Router {
    let own = Router::new()
        .route("/", get(home))
        .route("/board", get(board))
        .route("/board.csv", get(board_csv))
        .route("/mine", get(mine))
        .route("/office", get(office))
        .route("/submit", get(form).post(submit))
        .route("/submissions/{number}", get(submission))
        .with_state(site.clone());
    let visitors = routes::of_visitors().router().fallback(routes::missing).with_state(site.first().clone());
    let problems = site.apps().iter().map(|app| {
        let mounted = mount::at(&app.part.mount(), routes::of_problem().router().with_state(app.clone()));
        let home = Router::new().route(&format!("{}/", app.part.mount()), get(routes::home)).with_state(app.clone());
        mount::at(&app.part.mount(), home).nest(&app.part.mount(), mounted)
    });
    problems.fold(own.merge(visitors), Router::merge)
}

/// The problems, each with its pages.
async fn home(State(site): State<Arc<Site>>, headers: HeaderMap) -> Answer {
    let (state, session) = who(site.first(), &headers).await?;
    let times = state.rules().times;
    let main = html! {
        @if state.frozen().is_some() { p class="frozen" { "The board is frozen." } }
        @for (at, because) in state.announced() { p { "The times have changed " (time(*at)) ": " (foreign(because)) } }
        @for (at, because) in state.reopened() { p { "The results were reopened " (time(*at)) ": " (foreign(because)) } }
        dl {
            @for (text, at) in [("Begins", times.opens), ("The board freezes", times.freezes), ("Ends", times.closes)] {
                @if let Some(at) = at { dt { (text) } dd { (time(at)) @if text == "Ends" { (left(at, site.first().office.now())) } } }
            }
            @if let Some(at) = state.finalised() { dt { "Results final since" } dd { (time(at)) } }
            dt { "Teams" } dd { (state.teams().len()) }
        }
        h2 { "Problems" }
        (problems(&site, session.as_ref()))
    };
    Ok(page(session.as_ref(), &Place::new("/", &site.name()), &main))
}

fn problems(site: &Site, session: Option<&Session>) -> Markup {
    let pages: &[(&str, &str)] = match session {
        Some(session) if session.is_organiser() => &[
            ("board", "Board"),
            ("clarifications", "Questions"),
            ("office", "Queue"),
            ("office/submissions", "Submissions"),
        ],
        _ => &[("board", "Board"), ("clarifications", "Questions")],
    };
    html! {
        div class="wide" role="region" aria-label="Problems" tabindex="0" {
            table {
                tbody {
                    @for app in site.apps() {
                        @let mount = app.part.mount();
                        tr {
                            th scope="row" { (app.part.label()) ": " a href={ (from_base(&mount)) "/" } { (foreign(&app.conduct.contents().plan.name)) } }
                            @if session.is_some_and(|session| session.team().is_some()) {
                                td { a href={ "submit?problem=" (app.part.id) } aria-label={ "Submit to " (app.part.label()) } { "Submit" } }
                            }
                            @for (path, text) in pages {
                                td { a href={ (from_base(&mount)) "/" (path) } aria-label={ (text) " of " (app.part.label()) } { (text) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The page with the board of all problems.
async fn board(State(site): State<Arc<Site>>, headers: HeaderMap, uri: Uri) -> Answer {
    let (state, session) = who(site.first(), &headers).await?;
    let viewer = session.as_ref().map_or(Viewer::Public, |session| session.holder.clone().into());
    let board = made(&site, viewer).await?;
    let filter = pages::board::Filter::of(uri.query());
    let times = (site.first().office.now(), state.rules().times.closes);
    let page = pages::board::whole(session.as_ref(), &site.name(), &board, &filter, times, false).into_string();
    Ok(kept(&headers, "text/html; charset=utf-8", page))
}

async fn board_csv(State(site): State<Arc<Site>>, headers: HeaderMap) -> Answer {
    let (_, session) = who(site.first(), &headers).await?;
    let board = made(&site, session.map_or(Viewer::Public, |session| session.holder.into())).await?;
    Ok(kept(&headers, "text/csv; charset=utf-8", board.csv.clone()))
}

async fn made(site: &Arc<Site>, viewer: Viewer) -> Result<Rendered, Response> {
    let made = blocking(site, move |site| site.board(&viewer).map(Rendered::of));
    made.await?.map_err(|error| internal(&error))
}

/// The judging of all problems, for the organiser.
async fn office(State(site): State<Arc<Site>>, headers: HeaderMap) -> Answer {
    let (_, session) = organiser(site.first(), &headers).await?;
    let mut all = Vec::new();
    for app in site.apps() {
        let of_problem =
            blocking(app, |app| Ok::<_, OfficeError>(Judging::of(app, &*app.state()?, &app.conduct.contents())));
        all.push((app, of_problem.await?.map_err(|error| internal(&error))?));
    }
    let main = html! {
        @for (app, judging) in &all {
            h2 { (app.part.label()) ": " a href={ (app.part.mount()) "/office" } { (foreign(&app.conduct.contents().plan.name)) } }
            p { (judging.summary()) }
            (judging.markup(&app.part.mount()))
        }
    };
    Ok(page(Some(&session), &Place::new("/office", "Judging").fresh(true), &main))
}

async fn form(State(site): State<Arc<Site>>, headers: HeaderMap, uri: Uri) -> Answer {
    let query = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let named = query.into_owned().find(|(name, _)| name == "problem").map(|(_, id)| id);
    desk::form(site.apps(), &headers, &named.unwrap_or_default()).await
}

async fn submit(State(site): State<Arc<Site>>, request: Request) -> Answer {
    desk::submit(site.apps(), request).await
}

async fn mine(State(site): State<Arc<Site>>, headers: HeaderMap) -> Answer {
    desk::mine(site.apps(), &headers).await
}

/// The progress of a submission, for a client of Kattis. A browser is redirected to the submission's page.
async fn submission(State(site): State<Arc<Site>>, headers: HeaderMap, uri: Uri, Path(shown): Path<String>) -> Answer {
    let missing = |session: Option<&Session>| -> Response {
        pages::failure(session, StatusCode::NOT_FOUND, "there is no such submission")
    };
    let Some((app, number)) = site.find(&shown) else { return Err(missing(None)) };
    if uri.query() != Some("json") {
        return Ok(lead_to(&format!("{}/submissions/{number}", app.part.mount())));
    }
    let (session, _, number) = submissions::own(app, &headers, &Path(number.to_string())).await?;
    kattis::progress(app, session, number).await
}
