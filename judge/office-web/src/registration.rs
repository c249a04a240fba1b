//! Registration of teams with the organiser's link. As in an invitation, the token is after the `#`.

use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use judge_office::OfficeError;
use maud::{Markup, html};

use crate::accepting::later;
use crate::answers::{self, HandlerResult, blocking, internal, with_cookie};
use crate::app::App;
use crate::arrival::Client;
use crate::decisions::check_room;
use crate::pages::{Place, foreign, from_base};

const PATH: &str = "/register";

pub(crate) async fn form() -> HandlerResult {
    Ok(answers::page(None, &Place::new(PATH, "Take part"), &fields(None)))
}

fn fields(refused: Option<&str>) -> Markup {
    html! {
        @if let Some(reason) = refused { p class="refused" role="alert" { "Not done: " (foreign(reason)) "." } }
        form method="post" action=(from_base(PATH)) id="register" {
            label for="team" { "Name of your team: letters, digits and _ + -" }
            input id="team" name="team" required maxlength="48" autocomplete="off" spellcheck="false";
            label for="token" { "Token: the characters after the " code { "#" } " of the link" }
            input id="token" name="token" type="password" required autocomplete="off" spellcheck="false";
            button { "Take part" }
        }
    }
}

/// Adds a team, and shows its link once.
pub(crate) async fn register(
    State(app): State<Arc<App>>,
    Extension(Client(client)): Extension<Client>,
    request: Request,
) -> HandlerResult {
    check_room(&app).await?;
    let (headers, form) = answers::form_of_anybody(request).await?;
    let refuse = |code: StatusCode, reason: &str| {
        Ok((code, answers::page(None, &Place::new(PATH, "Take part"), &fields(Some(reason)))).into_response())
    };
    let (team, shown) = (form.text("team").unwrap_or_default(), form.text("token").unwrap_or_default());
    let name = team.clone();
    let registered = blocking(&app, move |app| app.office.register(&shown, &name)).await?;
    let token = match registered {
        Ok(token) => token.to_string(),
        Err(OfficeError::Refused { .. }) if app.is_guessing(client) => {
            let refused = refuse(StatusCode::TOO_MANY_REQUESTS, "too many attempts; try again in a minute");
            return refused.map(later);
        }
        Err(OfficeError::Refused { reason, .. }) => {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, &reason);
        }
        Err(error) => return Err(internal(&error)),
    };
    let (state, _) = answers::who(&app, &headers).await?;
    let entered = app.log_in(&token, &state);
    let main = html! {
        p role="status" { (foreign(&team)) " takes part, and you have entered." }
        p { "This is your link for other browsers and later days. It is shown once; keep it, and give it to your team alone:" }
        p { code class="link" { (app.url()) "/enter#" (token) } }
        p { a href="submit" { "Submit a program" } }
    };
    let page = answers::page(entered.as_ref().map(|(session, _)| session), &Place::new(PATH, "Welcome"), &main);
    Ok(match &entered {
        Some((_, cookie)) => with_cookie(page, cookie),
        None => page,
    })
}
