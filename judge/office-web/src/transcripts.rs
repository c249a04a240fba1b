//! The messages and answers in a game of a submission.

use std::io::Read as _;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use judge_contest::office::{Feedback, Transcripts};
use judge_core::journal::Part;
use judge_core::matches::{game_dialogue, seat_dialogue};
use judge_office::state::State as Office;
use judge_office::view::judgements::is_of_matches;
use maud::html;

use crate::answers::{self, HandlerResult, blocking};
use crate::app::App;
use crate::pages::Place;
use crate::pages::games::{others, viewer_of};
use crate::submissions::{missing, own};

/// The most bytes of a transcript that are read. The judge keeps less.
const TRANSCRIPT_BYTES: u64 = 8 << 20;

/// Tests whether a team may read the messages and answers of all seats of its games.
fn reads_all(app: &App, state: &Office) -> bool {
    let rules = state.rules();
    let ended = || rules.late_from().is_some_and(|at| state.has_come(at, app.office.now()));
    match rules.transcripts {
        Transcripts::Own => false,
        Transcripts::AfterEnd => state.finalised().is_some() || ended(),
        Transcripts::AtOnce => true,
    }
}

/// The transcript of a game: of the submission's seat, or of all seats.
pub(crate) async fn page(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path((number, run)): Path<(String, String)>,
) -> HandlerResult {
    let (session, state, number) = own(&app, &headers, &Path(number)).await?;
    let for_organiser = session.is_organiser();
    if !for_organiser && app.feedback(&state) != Feedback::Full {
        return Err(missing(&session));
    }
    let (title, text, all) = blocking(&app, move |app| {
        let contents = app.open_contest.contents();
        let (_, submission) = state.submission(number)?;
        let (entry, run) = (submission.entry(), run.parse().ok()?);
        let key = contents.key_of(run).filter(|key| is_of_matches(&contents) && key.has(&entry))?;
        let viewer = viewer_of(&submission.team, for_organiser);
        let record = contents.record_of(run).filter(|_| viewer.sees_game(&key, &state))?;
        let file = Part::Transcript.open(app.open_contest.results(), record).ok()?;
        let mut text = String::new();
        file.take(TRANSCRIPT_BYTES).read_to_string(&mut text).ok()?;
        let seat = key.seats().position(|seat| **seat == *entry)?;
        let all = for_organiser || reads_all(app, &state);
        let shown = if all { game_dialogue(&text) } else { seat_dialogue(&text, seat as u64 + 1) };
        Some((format!("Game against {} on {}", others(&state, &key, seat), key.board), shown?, all))
    })
    .await?
    .ok_or_else(|| missing(&session))?;
    let main = html! {
        p class="about" {
            @if all { "What each seat was asked (<) and answered (>), with the time that it took." }
            @else { "What your seat was asked (<) and answered (>), with the time that it took." }
        }
        pre tabindex="0" { (text.trim_end()) }
        p { a href={ "submissions/" (number) } { "Back to the submission" } }
    };
    Ok(answers::page(Some(&session), &Place::new("", &title), &main))
}
