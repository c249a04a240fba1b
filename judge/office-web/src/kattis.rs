//! The interface for the command-line clients of Kattis: `/login`, `/submit`, `/submissions/N?json` and `/kattisrc`.
//!
//! The formats follow <https://github.com/Kattis/kattis-cli>, which reads the HTML of Kattis' pages.

use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use judge_contest::office::Feedback;
use judge_core::text::printable;
use judge_office::state::Submission;
use judge_office::submission_state::{SubmissionState, SubmissionStates};
use judge_office::view::Viewer;
use judge_office::view::judgements::{Judgement, JudgementType, Judgements};
use maud::html;
use serde_json::json;

use crate::accepting::{Sent, accept, later, refusal};
use crate::answers::{HandlerResult, blocking, internal, known, who, with_cookie};
use crate::app::App;
use crate::arrival::Client;
use crate::forms::{self, Form};
use crate::icpc::check_language;
use crate::named;
use crate::pages::submission::Details;
use crate::session::Session;
use crate::site::Site;
use crate::verdicts::{capital, name_of, shown};

/// Tests whether a Kattis client sent a form.
pub(crate) fn is_client(form: &Form) -> bool {
    form.text("script").is_some_and(|script| script == "true")
}

/// Text for the client. It shows the text of a success, but only the code of a refusal.
pub(crate) fn text(code: StatusCode, text: String) -> Response {
    (code, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text + "\n").into_response()
}

/// Begins a session with the name and the token of a team.
pub(crate) async fn login(
    State(site): State<Arc<Site>>,
    Extension(Client(client)): Extension<Client>,
    request: Request,
) -> HandlerResult {
    let (head, body) = request.into_parts();
    let form =
        forms::read(&head.headers, body, forms::OF_ANYBODY).await.map_err(|(code, reason)| text(code, reason))?;
    let app = site.app();
    let (state, _) = who(app, &head.headers).await?;
    let token = form.text("token").or_else(|| form.text("password")).unwrap_or_default();
    let user = form.text("user").unwrap_or_default();
    let entered = app.log_in(&token, &state).or_else(|| app.resume(&token, &state));
    match entered.filter(|(session, _)| session.team() == Some(&user)) {
        Some((_, cookie)) => Ok(with_cookie(text(StatusCode::OK, format!("{user} is logged in")), &cookie)),
        None if app.is_guessing(client) => {
            let reason = "too many wrong tokens; try again in a minute";
            Err(later(text(StatusCode::TOO_MANY_REQUESTS, reason.into())))
        }
        None => Err(text(StatusCode::FORBIDDEN, "this token is not that of this team, or void".into())),
    }
}

/// The refusal of a submission.
pub(crate) fn refused(app: &App, reason: String) -> Response {
    app.metrics.submission("refused");
    text(StatusCode::BAD_REQUEST, reason)
}

/// Accepts a submission and responds with its number.
pub(crate) async fn submit(app: &Arc<App>, team: String, problem: String, form: Form, arrived: u64) -> HandlerResult {
    let language = language(app, &form.text("language").unwrap_or_default()).map_err(|reason| refused(app, reason))?;
    let entry_point = form.text("mainclass").filter(|main| !main.is_empty());
    let sent = Sent { team, problem, files: form.files(), language, entry_point, arrived };
    match blocking(app, move |app| accept(app, sent)).await? {
        Ok(receipt) => {
            app.metrics.submission(if receipt.repeated { "repeated" } else { "accepted" });
            let number = receipt.submission.number;
            Ok(text(StatusCode::OK, format!("Submission received. Submission ID: {number}.")))
        }
        Err(error) => {
            app.metrics.submission("refused");
            Err(refusal(app, &error, StatusCode::BAD_REQUEST, |code, reason| text(code, reason.to_owned())))
        }
    }
}

/// The code of a language by its name in Kattis; `None` if the files decide.
fn language(app: &App, name: &str) -> Result<Option<String>, String> {
    if name.is_empty() {
        return Ok(None);
    }
    // For example "JavaScript (Node.js)".
    let plain = name.split(" (").next().unwrap_or_default();
    let known = app.office.languages();
    let found = known.iter().find(|language| language.name.eq_ignore_ascii_case(plain) || language.code == name);
    match found {
        Some(language) => Ok(Some(language.code.clone())),
        None => check_language(app, Some(name)).map(|()| Some(name.to_owned())),
    }
}

/// The settings of the clients for a team, with a credential that is valid for two weeks.
pub(crate) async fn settings(State(site): State<Arc<Site>>, headers: HeaderMap) -> HandlerResult {
    let app = site.app();
    let (_, session) = known(app, &headers).await?;
    let Some(team) = session.team() else {
        let refused =
            crate::pages::failure(Some(&session), StatusCode::FORBIDDEN, "only teams submit; you are the organiser");
        return Err(refused);
    };
    let (url, token) = (app.url(), app.sealed(&session));
    let host = url.split_once("://").map_or(url, |(_, host)| host);
    let settings = format!(
        "[user]\nusername: {team}\ntoken: {token}\n\n[kattis]\nhostname: {host}\nloginurl: {url}/login\n\
         submissionurl: {url}/submit\nsubmissionsurl: {url}/submissions\n"
    );
    let saved = "attachment; filename=\".kattisrc\"";
    Ok(([(header::CONTENT_DISPOSITION, saved), (header::CONTENT_TYPE, "text/plain; charset=utf-8")], settings)
        .into_response())
}

/// The progress of a submission, for a client that asks four times per second.
pub(crate) async fn progress(app: &Arc<App>, session: Session, number: u32) -> HandlerResult {
    let state = blocking(app, App::state).await?.map_err(|error| internal(&error))?;
    let found = blocking(app, move |app| {
        let (_, submission) = state.submission(number)?;
        let contents = app.open_contest.contents();
        let viewer = session.team().map_or(Viewer::Organiser, |team| Viewer::Team(team.to_owned()));
        let for_organiser = session.is_organiser();
        let feedback = if for_organiser { Feedback::Full } else { app.feedback(&state) };
        let judged = Judgements::new(&state, &contents, &viewer).of(&[submission]).pop().flatten();
        let state_now = SubmissionStates::new(&viewer, &state, &contents).of(submission);
        let details = Details { app, state: &state, contents: &contents, feedback, for_organiser };
        let compiler = details.build_log(&submission.entry());
        let builds = app.judging.building() == Some(number);
        let boards = Judgements::boards(&contents, &submission.problem).len();
        let problem = named::id_of(app, submission);
        let (submission, state) = (submission.clone(), state_now);
        Some(Progress { submission, problem, judged, state, builds, boards, compiler, feedback })
    });
    let progress = found.await?.ok_or_else(|| text(StatusCode::NOT_FOUND, "there is no such submission".into()))?;
    let body = json!({
        "status_id": progress.code(),
        "testcase_index": progress.judged.as_ref().map_or(0, |judged| judged.runs.len()),
        "row_html": progress.row(app),
        "feedback_html": progress.compiler.as_ref().map(|log| html! { pre { (log) } }.into_string()).unwrap_or_default(),
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response())
}

/// The progress of a submission.
struct Progress {
    submission: Submission,
    /// The identifier of its problem for clients.
    problem: String,
    judged: Option<Judgement>,
    state: SubmissionState,
    builds: bool,
    boards: usize,
    compiler: Option<String>,
    feedback: Feedback,
}

impl Progress {
    fn outcome(&self) -> Option<JudgementType> {
        self.judged.as_ref()?.ended.map(|(_, outcome)| shown(outcome, self.feedback))
    }

    /// The number of a state in Kattis.
    fn code(&self) -> u32 {
        match (self.outcome(), &self.state) {
            (Some(outcome), _) => outcome.in_kattis(),
            (None, SubmissionState::Stuck) => JudgementType::Judge.in_kattis(),
            (None, SubmissionState::Queued) if self.builds => 3,
            (None, SubmissionState::Queued) => 2,
            (None, SubmissionState::Running { finished: 0, .. }) => 4,
            (None, _) => 5,
        }
    }

    /// The row of a table as in Kattis' pages: the state with the score, the time, and a mark per board.
    fn row(&self, app: &App) -> String {
        let (full, boards) = (self.feedback == Feedback::Full, self.feedback != Feedback::Score);
        let score = self.judged.as_ref().filter(|judged| judged.ended.is_some()).and_then(|judged| judged.score);
        let state = match self.outcome() {
            None => self.state.to_string(),
            Some(outcome) => name_of(outcome, self.feedback).to_owned(),
        };
        let longest = self.judged.as_ref().and_then(Judgement::longest_us).filter(|_| full);
        let seconds = longest.map(|us| format!("{}.{:02} s", us / 1_000_000, us / 10_000 % 100)).unwrap_or_default();
        let finished = self.judged.as_ref().map_or(0, |judged| judged.runs.len());
        let run = |board: usize| {
            let runs = self.judged.iter().flat_map(|judged| &judged.runs);
            runs.filter(|_| boards).find(|run| run.ordinal == board).map(|run| run.outcome)
        };
        let mark = |board: usize| match run(board) {
            None => ("is-empty", "not checked"),
            Some(JudgementType::Accepted) => ("accepted is-accepted", "Accepted"),
            Some(other) => ("rejected is-rejected", other.name()),
        };
        let language = app.office.language_of(&self.submission).unwrap_or_default();
        // The first mark belongs to no board: clients subtract one from the number of marks.
        html! {
            tr data-submission-id=(self.submission.number) {
                td data-type="problem" { (self.problem) }
                td data-type="status" {
                    div class="status" {
                        (printable(&capital(&state)))
                        @if let Some(score) = score { " (" (score.value) ")" }
                    }
                }
                td data-type="cpu" { (seconds) }
                td data-type="lang" { (language) }
                td data-type="testcases" { (finished) "/" (self.boards) }
            }
            tr {
                td {
                    i class="header" {}
                    @for board in 1..=self.boards {
                        @let (class, title) = mark(board);
                        i class=(class) title={ "Test case " (board) "/" (self.boards) ": " (title) } {}
                    }
                }
            }
        }
        .into_string()
    }
}
