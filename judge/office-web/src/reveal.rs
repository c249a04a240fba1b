//! The reveal after the thaw, like the resolver of the ICPC. It begins with the frozen board, and goes through the teams from the
//! last place to the first. Each step has its own address, so it works without scripts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use judge_office::view::Row;
use judge_office::view::reveal::Step;
use maud::{Markup, html};

use crate::answers::{self, HandlerResult, blocking, who};
use crate::app::App;
use crate::board::Rendered;
use crate::pages::{self, Place, foreign};

/// The page of a step of the reveal.
pub(crate) async fn page(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let step = step_of(uri.query());
    let shown = blocking(&app, move |app| app.boards.reveal(step, (state, app.open_contest.contents()))).await?;
    let refuse = |reason: &str| pages::failure(session.as_ref(), StatusCode::NOT_FOUND, reason);
    let shown = shown.ok_or_else(|| refuse("there is nothing to reveal until the board has been frozen and thawed"))?;
    let Step { board, revealed, steps } = shown.ok_or_else(|| refuse("there is no such step"))?;
    let frozen: Vec<Row> = board.rows.clone();
    let title = board.title.clone();
    let table = Rendered::of(board).table;
    let main = html! {
        (announcement(revealed.as_deref(), &frozen))
        (maud::PreEscaped(table))
        p class="actions" {
            @if step > 0 { a href={ "reveal?step=" (step - 1) } rel="prev" { "Back" } }
            @if step < steps { a href={ "reveal?step=" (step + 1) } rel="next" id="next" { "Reveal the next one" } }
            @else { "This is the result." }
        }
    };
    Ok(answers::page(session.as_ref(), &Place::new("/reveal", &title).class("big reveal"), &main))
}

/// The step that a query names; 0 for any other query.
pub(crate) fn step_of(query: Option<&str>) -> usize {
    query.and_then(|query| query.strip_prefix("step=")?.parse().ok()).unwrap_or_default()
}

fn announcement(team: Option<&str>, rows: &[Row]) -> Markup {
    let place = |name: &str| rows.iter().find(|row| row.is_team && row.name == name).and_then(|row| row.place);
    html! {
        p role="status" class="frozen" {
            @match team {
                None => "The board as it was frozen.",
                Some(team) => {
                    (foreign(team))
                    @match place(team) { Some(place) => { " has place " (place) "." } None => " has no place." }
                }
            }
        }
    }
}
