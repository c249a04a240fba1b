//! The problem statement: a page, and a PDF file.

use std::io;
use std::sync::Arc;

use axum::extract;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_core::journal::STORED;
use judge_core::plan::{Statement, StoredFile};
use judge_files::regular;
use judge_office::state::State as Office;
use judge_page::markdown;
use maud::{Markup, PreEscaped, html};

use crate::answers::{self, HandlerResult, blocking, internal, who};
use crate::app::App;
use crate::named::{self, Named};
use crate::pages::{self, Place, segment};
use crate::session::Session;

/// The type of its file.
pub(crate) const PDF: &str = "application/pdf";
/// Nothing in the file may be executed or loaded, in case a browser shows it in spite of its disposition.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// The statement of a problem, given by its identifier in the office, as a viewer may read it now: it is for the organiser alone until
/// the contest opens.
pub(crate) fn readable(app: &App, state: &Office, is_organiser: bool, problem: &str) -> Option<Statement> {
    let has_opened = || state.rules().times.opens.is_none_or(|opens| state.has_come(opens, app.office.now()));
    app.open_contest.contents().plan.shown.statements.get(problem).cloned().filter(|_| is_organiser || has_opened())
}

/// The address of the page of a problem's statement, relative to the base of all pages.
pub(crate) fn address(problem: &Named) -> String {
    if problem.key.is_empty() { "statement".to_owned() } else { format!("problems/{}/statement", segment(&problem.id)) }
}

/// Renders a statement whose headings begin at this level. A file is linked.
pub(crate) fn shown(statement: &Statement, problem: &Named, top: usize) -> Markup {
    match statement {
        Statement::Markdown(text) => html! { div class="statement" dir="auto" { (PreEscaped(markdown(text, top))) } },
        Statement::Pdf(file) => {
            html! { p { a href={ (address(problem)) ".pdf" } { "As a PDF file" } " (" (file.bytes.div_ceil(1024)) " KiB)" } }
        }
    }
}

/// The page with the statement of the only problem.
pub(crate) async fn page(extract::State(app): extract::State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    page_of(&app, &state, session.as_ref(), &only(&app, session.as_ref())?)
}

/// The PDF file with the statement of the only problem.
pub(crate) async fn file(extract::State(app): extract::State<Arc<App>>, headers: HeaderMap) -> HandlerResult {
    let (state, session) = who(&app, &headers).await?;
    file_of(&app, &state, session.as_ref(), &only(&app, session.as_ref())?).await
}

/// The only problem. Its statement is the statement of the contest.
fn only(app: &App, session: Option<&Session>) -> Result<Named, Response> {
    let all = named::all(app, &app.open_contest.contents());
    all.into_iter().find(|problem| problem.key.is_empty()).ok_or_else(|| missing(session))
}

/// The page of a problem's statement.
pub(crate) fn page_of(app: &App, state: &Office, session: Option<&Session>, problem: &Named) -> HandlerResult {
    let statement = readable(app, state, is_organiser(session), &problem.key).ok_or_else(|| missing(session))?;
    let place = format!("/{}", address(problem));
    Ok(answers::page(session, &Place::new(&place, &problem.name), &shown(&statement, problem, 2)))
}

/// The PDF file of a problem's statement.
pub(crate) async fn file_of(
    app: &Arc<App>,
    state: &Office,
    session: Option<&Session>,
    problem: &Named,
) -> HandlerResult {
    let stored = stored(app, state, is_organiser(session), problem).ok_or_else(|| missing(session))?;
    let id = problem.id.clone();
    blocking(app, move |app| pdf(app, &stored, &id)).await?.map_err(|error| internal(&error))
}

/// The PDF file of a problem's statement, as a viewer may read it now; `None` if it is a text.
pub(crate) fn stored(app: &App, state: &Office, is_organiser: bool, problem: &Named) -> Option<StoredFile> {
    readable(app, state, is_organiser, &problem.key)?.stored().cloned()
}

/// The name of the PDF file of a problem, given by its identifier for clients.
pub(crate) fn file_name(problem: &str) -> String {
    format!("{problem}.pdf")
}

/// The answer with a PDF file. Browsers save it.
pub(crate) fn pdf(app: &App, stored: &StoredFile, problem: &str) -> io::Result<Response> {
    let results = app.open_contest.results();
    let file = regular::open_beneath(results, &results.join(STORED).join(&stored.sha256))?;
    let bytes = regular::read_file(file, Statement::MAX_PDF_BYTES)?;
    let saved = HeaderValue::from_str(&format!("attachment; filename=\"{}\"", file_name(problem)));
    let head = [
        (header::CONTENT_DISPOSITION, saved.map_err(io::Error::other)?),
        (header::CONTENT_TYPE, HeaderValue::from_static(PDF)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    Ok((head, bytes).into_response())
}

fn is_organiser(session: Option<&Session>) -> bool {
    session.is_some_and(Session::is_organiser)
}

fn missing(session: Option<&Session>) -> Response {
    pages::failure(session, StatusCode::NOT_FOUND, "there is no statement, or the contest has not opened")
}

#[cfg(test)]
mod tests;
