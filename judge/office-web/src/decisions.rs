//! What the organiser and teams decide on submissions, teams and boards.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_contest::office::Feedback;
use judge_core::journal::ManualRuling;
use judge_core::text::printable_lines;
use judge_core::verdict::Verdict;
use judge_office::line::{Decision, Order};
use judge_office::state::Submission;
use judge_office::view::{Viewer, last_round};
use judge_office::{OfficeError, intake};
use judge_page::PageSource;
use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use crate::answers::{self, Answer, blocking, internal, number, organiser, see};
use crate::app::App;
use crate::forms::{self, Form};
use crate::pages::submission::run_on;
use crate::pages::{self, Place, foreign};
use crate::submissions::{missing, own, team};

/// The most lines of a comparison that are shown.
const MAX_LINES: usize = 20_000;

/// The form of a request of the organiser.
pub(crate) async fn organisers_form(app: &Arc<App>, request: Request) -> Result<Form, Response> {
    let (head, body) = request.into_parts();
    organiser(app, &head.headers).await?;
    forms::read(&head.headers, body, forms::OF_KNOWN)
        .await
        .map_err(|(code, reason)| pages::failure(None, code, &reason))
}

/// Leads on if something was done, and says why if it was not.
pub(crate) fn done<T>(done: Result<T, OfficeError>, to: &str) -> Answer {
    match done {
        Ok(_) => Ok(see(to)),
        Err(OfficeError::Refused { reason, .. }) => {
            Err(pages::failure(None, StatusCode::UNPROCESSABLE_ENTITY, &reason))
        }
        Err(error) => Err(internal(&error)),
    }
}

/// A decision of the organiser on a submission.
pub(crate) async fn decide(State(app): State<Arc<App>>, path: Path<String>, request: Request) -> Answer {
    let form = organisers_form(&app, request).await?;
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
    let decided = blocking(&app, move |app| app.office.decide(number, decision, because.as_deref())).await?;
    done(decided, &format!("/submissions/{number}"))
}

/// A team takes a submission back.
pub(crate) async fn cancel(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> Answer {
    let (_, _, number) = own(&app, &headers, &path).await?;
    let (_, team) = team(&app, &headers).await?;
    let cancelled = blocking(&app, move |app| app.office.cancel(&team, number, Some(&app.conduct.contents()))).await?;
    done(cancelled, &format!("/submissions/{number}"))
}

/// A team chooses the submission that counts.
pub(crate) async fn choose(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> Answer {
    let (_, _, number) = own(&app, &headers, &path).await?;
    let (_, team) = team(&app, &headers).await?;
    let chosen = blocking(&app, move |app| app.office.choose(&team, number)).await?;
    done(chosen, &format!("/submissions/{number}"))
}

/// A team is disqualified or reinstated, a board struck or taken back.
pub(crate) async fn order(State(app): State<Arc<App>>, request: Request) -> Answer {
    let form = organisers_form(&app, request).await?;
    let (name, because) = (form.text("name").unwrap_or_default(), form.text("because").unwrap_or_default());
    let (order, to) = match form.text("action").as_deref() {
        Some("disqualify") => (Order::Disqualify { team: name, because }, "/office/teams"),
        Some("reinstate") => (Order::Reinstate { team: name, because }, "/office/teams"),
        Some("strike") => (Order::Strike { board: name, because }, "/office/clock"),
        Some("unstrike") => (Order::Unstrike { board: name, because }, "/office/clock"),
        _ => return done::<()>(Err(OfficeError::refused("there is no such action".into())), ""),
    };
    let ordered = blocking(&app, move |app| app.office.order(order, &app.conduct.contents())).await?;
    done(ordered, to)
}

/// An answer is declared wrong.
pub(crate) async fn rule(State(app): State<Arc<App>>, path: Path<String>, request: Request) -> Answer {
    let form = organisers_form(&app, request).await?;
    let number = number(&path).unwrap_or_default();
    let (board, because) = (form.text("board").unwrap_or_default(), form.text("because").unwrap_or_default());
    let ruled = blocking(&app, move |app| {
        let (state, contents) = (app.state()?, app.conduct.contents());
        let entry = state.submission(number).map(|(_, submission)| submission.entry()).unwrap_or_default();
        let key = run_on(&contents, &entry, &board);
        let record = key.as_ref().and_then(|key| contents.record(key));
        let Some(record) = record else {
            return Err(OfficeError::refused(format!("submission {number} has no verdict on {board}")));
        };
        let score = record.verdict.score().unwrap_or_default();
        let verdict =
            Verdict::Wrong { score: judge_core::game::Score { points: None, ..score }, reason: because.clone() };
        let ruling = ManualRuling::new(record.key.clone(), verdict, because);
        app.office.order(Order::Rule { ruling }, &contents)
    })
    .await?;
    done(ruled, &format!("/submissions/{number}"))
}

/// What changed between two submissions of a team.
pub(crate) async fn diff(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path((new, old)): Path<(u32, u32)>,
) -> Answer {
    let (state, session) = organiser(&app, &headers).await?;
    let pair = state.submission(old).zip(state.submission(new));
    let Some(((_, before), (_, after))) = pair else { return Err(missing(&session)) };
    let (before, after) = (before.clone(), after.clone());
    let title = format!("From {} to {}", before.entry(), after.entry());
    let main = blocking(&app, move |app| Ok::<_, OfficeError>(compared(&read(app, &before)?, &read(app, &after)?)))
        .await?
        .map_err(|error| internal(&error))?;
    Ok(answers::page(Some(&session), &Place::new("", &title), &main))
}

/// The files of a submission, by path.
fn read(app: &App, submission: &Submission) -> Result<BTreeMap<String, Vec<u8>>, OfficeError> {
    let bytes = app.office.upload(&submission.sha256)?;
    let files = intake::files(&submission.file, &bytes).map_err(|error| OfficeError::refused(error.to_string()))?;
    Ok(files.into_iter().map(|file| (file.path, file.bytes)).collect())
}

fn compared(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Markup {
    let paths: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed: Vec<&String> = paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).collect();
    html! {
        @if changed.is_empty() { p { "The files are the same." } }
        @for path in changed {
            h2 { (foreign(path)) }
            @match (before.get(path), after.get(path)) {
                (None, _) => p { "It is new." },
                (_, None) => p { "It is gone." },
                (Some(before), Some(after)) => (lines(before, after)),
            }
        }
    }
}

fn lines(before: &[u8], after: &[u8]) -> Markup {
    let (Ok(before), Ok(after)) = (std::str::from_utf8(before), std::str::from_utf8(after)) else {
        return html! { p { "It is another one, and not UTF-8." } };
    };
    let diff = TextDiff::configure().timeout(std::time::Duration::from_secs(2)).diff_lines(before, after);
    let mut text = String::new();
    for change in diff.iter_all_changes().take(MAX_LINES) {
        let mark = match change.tag() {
            ChangeTag::Delete => "- ",
            ChangeTag::Insert => "+ ",
            ChangeTag::Equal => "  ",
        };
        text.push_str(mark);
        text.push_str(change.value().trim_end_matches(['\n', '\r']));
        text.push('\n');
    }
    html! { pre tabindex="0" { (printable_lines(text.trim_end_matches('\n'))) } }
}

/// The answers of a submission, in the viewer of the results page.
pub(crate) async fn replay(State(app): State<Arc<App>>, headers: HeaderMap, path: Path<String>) -> Answer {
    let (session, state, number) = own(&app, &headers, &path).await?;
    if !session.is_organiser() && app.feedback(&state) != Feedback::Full {
        return Err(missing(&session));
    }
    let viewer = if session.is_organiser() { Viewer::Organiser } else { Viewer::Public };
    let page = blocking(&app, move |app| {
        let contents = app.conduct.contents();
        let (_, submission) = state.submission(number)?;
        let source = PageSource::from_entry(
            app.conduct.results(),
            &contents,
            &submission.entry(),
            last_round(&state, &contents, &viewer),
        )?;
        let mut page = Vec::new();
        judge_page::write(&[source], &mut page).ok()?;
        Some(page)
    })
    .await?
    .ok_or_else(|| missing(&session))?;
    let policy = HeaderValue::from_str(&judge_page::policy()).map_err(|error| internal(&error))?;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, policy)], page).into_response())
}
