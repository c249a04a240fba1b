//! The clock, the board and the end of the contest, for the organiser.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use judge_contest::office::Times;
use judge_core::date::Date;
use judge_core::journal::ContestState;
use judge_office::OfficeError;
use judge_office::state::State as Office;
use maud::{Markup, html};

use super::{Place, foreign, from_base, time};
use crate::answers::{self, HandlerResult, blocking, organiser};
use crate::app::App;
use crate::decisions::{done, organisers_form};

const PATH: &str = "/office/clock";
/// The text that the organiser confirms.
const FINAL: &str = "Everything is judged. From now on, the results cannot change: nothing else is accepted or judged.";
const FINALS: &str = "Nothing else is judged from now on, and the sealed boards become known to programs.";

pub(crate) async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = organiser(&app, &headers).await?;
    let main = html! { p { "Now it is " (time(app.office.now())) "." } (clock(&state, &app.open_contest.contents())) };
    Ok(answers::page(Some(&session), &Place::new(PATH, "Clock"), &main))
}

/// The form for changing the times of a round, from 1; the first round has the times of the contest.
fn times(state: &Office, round: u32) -> Markup {
    let times = state.rules().in_round(round);
    let id = |name: &str| if round == 1 { name.to_owned() } else { format!("{name}-{round}") };
    let field = |name: &str, text: &str, at: Option<u64>| {
        let value = at.map(|at| Date::from_unix(at).to_string());
        html! {
            label for=(id(name)) { (text) }
            input id=(id(name)) name=(name) value=[value] placeholder="2026-11-24T18:00:00Z" autocomplete="off";
        }
    };
    html! {
        form method="post" action=(from_base(PATH)) {
            @if round == 1 {
                (field("opens", "Submissions from, in UTC", times.opens))
                (field("freezes", "The board freezes", times.freezes))
                (field("closes", "Submissions are late from", times.closes))
            } @else {
                input type="hidden" name="round" value=(round);
                (field("opens", "It is judged from, in UTC", times.opens))
                (field("closes", "Its results are public from", times.closes))
            }
            label for=(id("because")) { "Reason of the change, for everybody to read" }
            input id=(id("because")) name="because" required maxlength="500" autocomplete="off";
            button name="action" value="extend" { "Change the times" }
        }
    }
}

fn clock(state: &Office, contents: &ContestState) -> Markup {
    let button = |action: &str, text: &str| {
        html! { form method="post" action=(from_base(PATH)) { button name="action" value=(action) { (text) } } }
    };
    // A slip of the hand must not start what is hard to undo.
    let confirmed = |action: &str, text: &str, sure: &str| {
        let id = format!("sure-{action}");
        html! {
            form method="post" action=(from_base(PATH)) {
                div class="actions" {
                    input id=(id) name="sure" type="checkbox" value="yes" required;
                    label for=(id) { (sure) }
                }
                button name="action" value=(action) { (text) }
            }
        }
    };
    let finalise = confirmed("finalize", "Declare the results final", FINAL);
    html! {
        (times(state, 1))
        @for (round, number) in contents.plan.rounds.iter().zip(1..).skip(1) {
            h2 { "Round " (number) ": " (foreign(&round.name)) }
            (times(state, number))
        }
        @for (at, because) in state.announced() { p { (time(*at)) ": " (foreign(because)) } }
        h2 { "Board" }
        @if state.frozen().is_some() { (button("thaw", "Thaw the board")) } @else { (button("freeze", "Freeze the board")) }
        h2 { "End" }
        @match (state.finals(), state.finalised()) {
            (_, Some(at)) => {
                p { "The results are final since " (time(at)) ". Nothing that could change them is accepted or judged." }
                form method="post" action=(from_base(PATH)) {
                    label for="reopen" { "Reason to change them again, for everybody to read" }
                    input id="reopen" name="because" required maxlength="500" autocomplete="off";
                    button name="action" value="reopen" { "Reopen the results" }
                }
            },
            (false, None) => {
                p { "The final rounds judge sealed boards. Nothing else is judged from then on." }
                @if let Some(at) = state.rules().in_round(2).opens { p { "They begin by themselves " (time(at)) "." } }
                (confirmed("begin-finals", "Begin the final rounds", FINALS))
                (finalise)
            }
            (true, None) => {
                p { "The final rounds are judged. Only you see the results of a round until it closes, or the results are final." }
                @for (at, round) in state.published() { p { "Rounds up to " (round) " are public since " (time(*at)) "." } }
                (finalise)
            }
        }
        (boards(contents))
    }
}

fn boards(contents: &ContestState) -> Markup {
    html! {
        h2 { "Boards" }
        form method="post" action="office/contest" {
            label for="name" { "Board" }
            select id="name" name="name" {
                @for board in &contents.plan.boards { option value=(board.name) { (board.name) } }
            }
            label for="why" { "Reason, for everybody to read" }
            input id="why" name="because" required maxlength="500" autocomplete="off";
            div class="actions" {
                button name="action" value="strike" { "Strike it" }
                button name="action" value="unstrike" { "Take it back" }
            }
        }
        @for (board, because) in &contents.struck { p { (board) " is struck: " (foreign(because)) } }
    }
}

pub(crate) async fn change(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    let (by, form) = organisers_form(&app, request).await?;
    let moment = |name: &str| match form.text(name).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            judge_contest::office::moment(&text).map(Some).map_err(|error| OfficeError::refused(error.to_string()))
        }
    };
    let rounds = app.open_contest.contents().plan.rounds.len();
    let round = match form.text("round") {
        None => Ok(1),
        Some(text) => text
            .parse()
            .ok()
            .filter(|round| (1..=rounds).contains(&(*round as usize)))
            .ok_or_else(|| OfficeError::refused("there is no such round".into())),
    };
    let times = || {
        Ok::<_, OfficeError>(Times { opens: moment("opens")?, freezes: moment("freezes")?, closes: moment("closes")? })
    };
    let (action, because) = (form.text("action").unwrap_or_default(), form.text("because").unwrap_or_default());
    let (times, sure) = (times(), form.text("sure").as_deref() == Some("yes"));
    let changed = blocking(&app, move |app| match &*action {
        "extend" => by.at(&app.office).extend_round(round?, &times?, &because).map(drop),
        "freeze" => by.at(&app.office).freeze().map(drop),
        "thaw" => by.at(&app.office).thaw(),
        "begin-finals" | "finalize" if !sure => Err(OfficeError::refused("confirm it: it is hard to undo".into())),
        "begin-finals" => by.at(&app.office).begin_finals(),
        "finalize" => by.at(&app.office).finalise(Some(&app.open_contest.contents())),
        "reopen" => by.at(&app.office).reopen(&because),
        _ => Err(OfficeError::refused("there is no such action".into())),
    })
    .await?;
    done(changed, PATH)
}
