//! Questions of teams, answers and notices.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use judge_office::line::Message;
use judge_office::state::State as Office;
use judge_office::{OfficeError, view};
use maud::{Markup, html};

use crate::answers::{self, HandlerResult, blocking, team, who};
use crate::app::App;
use crate::decisions::{check_room, done, done_by_team, organisers_form};
use crate::forms;
use crate::named::{self, Named};
use crate::pages::{self, Place, foreign, from_base, paragraphs, time};
use crate::session::Session;

const PATH: &str = "/clarifications";

pub(crate) async fn page(State(app): State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    let problems = named::all(&app, &app.open_contest.contents());
    let main = match &session {
        Some(session) if session.is_organiser() => for_organiser(&state, &problems),
        _ => for_readers(&state, session.as_ref(), &problems),
    };
    Ok(answers::page(session.as_ref(), &Place::new(PATH, "Questions and notices").fresh(true), &main))
}

/// The messages that a team and the public read: notices, answers to everyone, and a team's own questions with their answers.
fn for_readers(state: &Office, session: Option<&Session>, problems: &[Named]) -> Markup {
    let own = session.and_then(Session::team);
    let viewer = session.map_or(view::Viewer::Public, |session| session.holder.clone().into());
    let seen: Vec<_> = state.messages().iter().rev().filter(|(_, message)| viewer.reads(message)).collect();
    html! {
        @if own.is_some() {
            form method="post" action=(from_base(PATH)) {
                (about(problems))
                label for="text" { "Question to the organiser" }
                textarea id="text" name="text" rows="4" required maxlength="4000" {}
                button { "Ask" }
            }
        }
        @if seen.is_empty() { p { "Nothing yet." } }
        @for (at, message) in seen {
            article {
                h2 {
                    @match (&message.from, &message.to) {
                        (Some(_), _) => "Your question",
                        (None, Some(_)) => "To your team",
                        (None, None) => "To everybody",
                    }
                    (on(message)) ", " (time(*at))
                }
                (paragraphs(&message.text))
            }
        }
    }
}

/// The choice of the problem that a message is about, if there are several.
fn about(problems: &[Named]) -> Markup {
    html! {
        @if problems.len() > 1 {
            label for="problem" { "About" }
            select id="problem" name="problem" {
                option value="" { "the contest" }
                @for problem in problems { option value=(problem.id) { (foreign(&problem.title())) } }
            }
        }
    }
}

/// The problem that a message is about, shown after its readers.
fn on(message: &Message) -> Markup {
    html! { @if let Some(problem) = &message.problem { " on " (foreign(problem)) } }
}

fn for_organiser(state: &Office, problems: &[Named]) -> Markup {
    let (answered, open): (Vec<_>, Vec<_>) =
        questions(state).into_iter().partition(|(_, _, answers)| !answers.is_empty());
    html! {
        form method="post" action="office/clarifications" {
            (about(problems))
            label for="text" { "Notice to everybody" }
            textarea id="text" name="text" rows="3" required maxlength="4000" {}
            button name="action" value="notice" { "Publish" }
        }
        h2 { "Open questions" }
        @if open.is_empty() { p { "None." } }
        @for (at, message, _) in &open { (question(state, *at, message)) }
        h2 { "Answered and published" }
        @for (at, message, answers) in answered.iter().rev() {
            article {
                h3 { (foreign(message.from.as_deref().unwrap_or_default())) (on(message)) ", " (time(*at)) }
                (paragraphs(&message.text))
                @for answer in answers { (paragraphs(&answer.text)) }
            }
        }
        @for (at, message) in state.messages().iter().rev().filter(|(_, one)| one.from.is_none() && one.answers.is_none()) {
            article { h3 { "To everybody" (on(message)) ", " (time(*at)) } (paragraphs(&message.text)) }
        }
    }
}

/// All questions with their times and answers, oldest first.
fn questions(state: &Office) -> Vec<(u64, &Message, Vec<&Message>)> {
    let all = || state.messages().iter();
    let answers = |number: u32| all().map(|(_, one)| one).filter(move |one| one.answers == Some(number)).collect();
    let asked = all().filter(|(_, one)| one.from.is_some());
    asked.map(|(at, one)| (*at, one, answers(one.number))).collect()
}

fn question(state: &Office, at: u64, message: &Message) -> Markup {
    let number = message.number;
    let id = |what: &str| format!("{what}-{number}");
    html! {
        article {
            h3 { (foreign(message.from.as_deref().unwrap_or_default())) (on(message)) ", " (time(at)) }
            (paragraphs(&message.text))
            @if let Some(by) = state.claim(number) { p class="pending" { (foreign(by)) " is about to answer it." } }
            form method="post" action="office/clarifications" {
                input type="hidden" name="question" value=(number);
                button name="action" value="claim" { "I answer it" }
            }
            form method="post" action="office/clarifications" {
                input type="hidden" name="question" value=(number);
                label for=(id("text")) {
                    "Answer. If it is for everybody, repeat the question, which only the team sees."
                }
                textarea id=(id("text")) name="text" rows="3" required maxlength="4000" {}
                div class="actions" {
                    button name="action" value="answer" { "Answer this team" }
                    button name="action" value="publish" { "Answer everybody" }
                }
            }
        }
    }
}

/// The problem that a field of a form names; `None` for an empty field.
///
/// # Errors
/// The refusal of an unknown problem.
fn of_field(app: &App, field: Option<String>) -> Result<Option<String>, Response> {
    let Some(id) = field.filter(|id| !id.is_empty()) else { return Ok(None) };
    let found = named::find(app, &app.open_contest.contents(), &id);
    let found = found.map_err(|reason| pages::failure(None, StatusCode::UNPROCESSABLE_ENTITY, &reason))?;
    Ok(Some(found.key).filter(|key| !key.is_empty()))
}

/// Accepts a question of the logged-in team.
pub(crate) async fn ask(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    let (head, body) = request.into_parts();
    let (_, team) = team(&app, &head.headers).await?;
    check_room(&app).await?;
    let form = forms::read(&head.headers, body, forms::OF_KNOWN)
        .await
        .map_err(|(code, reason)| pages::failure(None, code, &reason))?;
    let problem = of_field(&app, form.text("problem"))?;
    let message = Message { from: Some(team), problem, ..Message::new(form.text("text").unwrap_or_default()) };
    let asked = blocking(&app, move |app| app.office.send(&message)).await?;
    done_by_team(&app, asked, PATH)
}

/// Lets the organiser answer or claim a question, or publish a notice.
pub(crate) async fn answer(State(app): State<Arc<App>>, request: Request) -> HandlerResult {
    let (by, form) = organisers_form(&app, request).await?;
    let question: Option<u32> = form.text("question").and_then(|number| number.parse().ok());
    let (action, text) = (form.text("action").unwrap_or_default(), form.text("text").unwrap_or_default());
    let problem = of_field(&app, form.text("problem"))?;
    let answered = blocking(&app, move |app| match (&*action, question) {
        ("notice", None) => by.at(&app.office).send(&Message { problem, ..Message::new(text) }).map(drop),
        ("answer" | "publish", Some(question)) => {
            by.at(&app.office).answer(question, &text, action == "publish").map(drop)
        }
        ("claim", Some(question)) => by.at(&app.office).claim(question, by.name()).map(drop),
        _ => Err(OfficeError::refused("there is no such action".into())),
    })
    .await?;
    done(answered, PATH)
}
