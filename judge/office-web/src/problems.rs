//! The pages of each problem of the contest.

use std::sync::Arc;

use axum::extract::{self, Path};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use judge_core::journal::ContestState;
use judge_office::state::State;
use judge_office::view::{self, Viewer};

use crate::answers::{HandlerResult, blocking, kept, page, who};
use crate::app::App;
use crate::board::{Rendered, limited};
use crate::named::{Named, all};
use crate::pages::{self, Place, home, segment};
use crate::session::Session;
use crate::statement;

/// The problem in an address, with the contest.
fn asked(app: &App, session: Option<&Session>, id: &str) -> Result<(Named, ContestState), Response> {
    let contents = app.open_contest.contents();
    let found = all(app, &contents).into_iter().find(|problem| problem.id == id);
    let missing = || pages::failure(session, StatusCode::NOT_FOUND, "there is no such problem");
    Ok((found.ok_or_else(missing)?, contents))
}

/// The page of a problem.
pub(crate) async fn one(
    extract::State(app): extract::State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let (problem, contents) = asked(&app, session.as_ref(), &id)?;
    let main = home::of_problem(&app, &state, session.as_ref(), (&contents, &problem));
    let place = format!("/problems/{id}/");
    Ok(page(session.as_ref(), &Place::new(&place, &problem.title()), &main))
}

/// The board of a single problem, as a viewer sees it.
async fn alone(
    app: &Arc<App>,
    headers: &HeaderMap,
    id: &str,
) -> Result<(Arc<State>, Option<Session>, Named, Rendered), Response> {
    let (state, session) = who(app, headers).await?;
    let (problem, contents) = asked(app, session.as_ref(), id)?;
    let viewer = session.as_ref().map_or(Viewer::Public, |session| session.holder.clone().into());
    let (key, seen) = (problem.key.clone(), state.clone());
    let made = blocking(app, move |app| {
        let board = view::board_of_problem(&seen, &contents, &key, &viewer, &app.office.ends(&seen, &contents));
        let feedback = app.feedback(&seen);
        Rendered::of(if viewer == Viewer::Organiser { board } else { limited(board, feedback) })
    });
    Ok((state, session, problem, made.await?))
}

/// The page with the board of a problem.
pub(crate) async fn board(
    extract::State(app): extract::State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
    Path(id): Path<String>,
) -> HandlerResult {
    let (state, session, problem, board) = alone(&app, &headers, &id).await?;
    let times = (app.office.now(), state.rules().times.closes);
    let filter = pages::board::Filter::of(uri.query());
    let (title, place) = (problem.title(), format!("/problems/{}/board", segment(&id)));
    let whole = pages::board::whole(session.as_ref(), (&place, &title), &board, &filter, times, false);
    Ok(kept(&headers, "text/html; charset=utf-8", whole.into_string()))
}

pub(crate) async fn board_csv(
    extract::State(app): extract::State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> HandlerResult {
    let (_, _, _, board) = alone(&app, &headers, &id).await?;
    Ok(kept(&headers, "text/csv; charset=utf-8", board.csv.clone()))
}

/// The page of a problem's statement.
pub(crate) async fn statement(
    extract::State(app): extract::State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let (problem, _) = asked(&app, session.as_ref(), &id)?;
    statement::page_of(&app, &state, session.as_ref(), &problem)
}

/// The PDF file of a problem's statement.
pub(crate) async fn file(
    extract::State(app): extract::State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let (problem, _) = asked(&app, session.as_ref(), &id)?;
    statement::file_of(&app, &state, session.as_ref(), &problem).await
}
